"""A column of texts (or odd things) as codes into its distinct values, so that each value is judged once."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import pandas as pd
import pyarrow as pa

PANDAS_2 = int(pd.__version__.split(".")[0]) < 3  # whose texts are objects
_QUICK = 1000
_EXACT = 2**53  # whole numbers up to here are exact as floats


class Coded:
    """(codes, values): -1 where there is nothing."""

    codes: np.ndarray
    values: list

    def __init__(self, codes: np.ndarray, values: list):
        self.codes, self.values = codes, values

    @classmethod
    def of(cls, cells) -> Coded:
        array = np.empty(len(cells), dtype=object)
        array[:] = cells
        codes, values = pd.factorize(array)
        return cls(codes, list(values))

    def __len__(self) -> int:
        return len(self.codes)

    def at(self, i: int):
        return "" if self.codes[i] < 0 else self.values[self.codes[i]]

    @cached_property
    def absent(self) -> np.ndarray:
        return self.codes < 0

    @cached_property
    def distinct(self) -> int:
        return int(np.count_nonzero(np.bincount(self.codes + 1, minlength=1)[1:]))

    @cached_property
    def all_differ(self) -> bool:
        few = self.codes[:_QUICK]
        return len(np.unique(few)) == len(few) and self.distinct == len(self)

    def texts(self) -> np.ndarray:
        """(n,) of str, "" where there is nothing."""
        values = np.array([str(value).strip() for value in self.values] + [""], dtype=object)
        return values[self.codes]

    def longest(self) -> tuple[int, int]:
        """(letters of the longest text, whose it is)."""
        lengths = np.array([len(value) for value in self.values], dtype=np.int64)
        if not len(lengths):
            return 0, 0
        return int(lengths.max()), int((self.codes == lengths.argmax()).argmax())

    def surely_text(self, missing: frozenset[str]) -> bool:
        """Every cell is a text and needs no closer look."""
        return False


class ArrowTexts(Coded):
    """Texts as Arrow keeps them; the codes are worked out only when somebody needs them."""

    def __init__(self, column: pa.Array | pa.ChunkedArray):
        column = column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
        column = column.cast(pa.large_string())
        self.column = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)

    def __len__(self) -> int:
        return len(self.column)

    def at(self, i: int):
        return self.column[i].as_py() or ""

    @cached_property
    def _encoded(self) -> pa.DictionaryArray:
        return self.column.dictionary_encode()

    @cached_property
    def codes(self) -> np.ndarray:
        return self._encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)

    @cached_property
    def values(self) -> list:
        return self._encoded.dictionary.to_pylist()

    @cached_property
    def absent(self) -> np.ndarray:
        return self.column.is_null().to_numpy(zero_copy_only=False)

    @cached_property
    def distinct(self) -> int:
        return len(self._encoded.dictionary)

    @cached_property
    def _begins_all_different(self) -> bool:
        few = self.column.slice(0, _QUICK)
        return len(few.unique()) == len(few)

    @cached_property
    def all_differ(self) -> bool:
        if not self._begins_all_different or self.column.null_count:
            return False
        return self.distinct == len(self)

    def texts(self) -> np.ndarray:
        if self.column.null_count or not self._tidy or not self._begins_all_different:
            return super().texts()
        return self.column.to_numpy(zero_copy_only=False)

    def longest(self) -> tuple[int, int]:
        lengths = np.diff(self._letters[0])
        return (int(lengths.max()), int(lengths.argmax())) if len(lengths) else (0, 0)

    @property
    def _letters(self) -> tuple[np.ndarray, np.ndarray]:
        """Where each text begins (and the last ends), and the bytes of all."""
        _, offsets, data = self.column.buffers()
        at = np.frombuffer(offsets, dtype=np.int64)[self.column.offset : self.column.offset + len(self) + 1]
        return at, np.frombuffer(data, dtype=np.uint8) if data is not None else np.zeros(0, dtype=np.uint8)

    @cached_property
    def _ends(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(first byte, last byte, length) of every text."""
        at, signs = self._letters
        lengths = np.diff(at)
        given = lengths > 0
        first, last = np.zeros((2, len(self)), dtype=np.uint8)
        first[given], last[given] = signs[at[:-1][given]], signs[at[1:][given] - 1]
        return first, last, lengths

    @cached_property
    def _tidy(self) -> bool:
        first, last, _ = self._ends
        return bool((first > 32).all() and (last > 32).all() and (last < 127).all())

    def surely_text(self, missing: frozenset[str]) -> bool:
        """Quick to say, by first letters: no number begins so, and no word for a missing one."""
        if self.column.null_count or len(self) == 0 or not self._tidy:
            return False
        first, _, lengths = self._ends
        small = first | 32
        if not ((small >= ord("a")) & (small <= ord("z"))).all():
            return False
        words = {text for text in missing | {"inf", "infinity", "nan", "true", "false"} if text}
        doubtful = np.isin(small, [ord(word[0]) for word in words if word[0].isascii()])
        return not (doubtful & (lengths <= max(map(len, words)))).any()


Cells = np.ndarray | Coded


def cells_of(values: list) -> Cells:
    """A column of Python values: numbers where there is nothing else, and nothing where there is None."""
    kinds = set(map(type, values))
    if kinds and kinds <= {int, float, type(None)}:
        try:
            if kinds == {int}:
                return np.array(values, dtype=np.int64)
            if max((abs(x) for x in values if type(x) is int), default=0) <= _EXACT:
                return np.array(values, dtype=np.float64)
        except OverflowError:
            pass
    return Coded.of(values)
