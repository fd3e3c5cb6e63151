"""Back to the objects: what each microcluster has, written beside the user's ids, a file per piece.

A piece is written aside and moved into place, so nothing half-written has its final name; what is there already of the
same answer is not written again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np

from ...errors import AlreadyThere, InputError
from ..labels import MISSING
from .batches import batches
from .hands import each
from .pieces import Files, Piece, stamp_of
from .tally import Codes, number_of

ABOUT = "about.json"


def write_beside(
    ensemble,
    values: Mapping[str, np.ndarray],
    folder,
    about: Mapping | None = None,
    client=None,
    processes: int | None = None,
    told: Callable[[int, int], None] | None = None,
) -> list[Path]:
    """`values`: name -> (q,), one for each microcluster of an ensemble `from_files`. The files written, or there."""
    files = ensemble.files
    if files is None:
        raise InputError("Only an ensemble counted from files (Ensemble.from_files) has files to write beside.")
    while ensemble.stands_for is not None:
        ensemble, place, _ = ensemble.stands_for
        values = {name: value[place] for name, value in values.items()}
    _still_the_same(files)
    folder = Path(os.path.abspath(folder))  # whoever does the work may stand elsewhere
    _claimed(folder, _key(ensemble, files, values), files, about)
    finder = Finder(ensemble.rows)
    labels = [{label: code for code, label in enumerate(given.tolist())} for given in ensemble.labels_given]
    absent = [piece for piece in files.pieces if not _target(folder, piece).exists()]
    for _ in each(written, absent, (files, labels, finder, dict(values), str(folder)), client, processes, told):
        pass
    return [_target(folder, piece) for piece in files.pieces]


def written(piece: Piece, files: Files, labels: list[dict], finder: Finder, values: dict, folder: str) -> None:
    """One piece: its objects in their order, with their ids or the number of their row."""
    import pyarrow as pa
    from pyarrow import parquet

    final = _target(Path(folder), piece)
    aside = final.with_name(f".{final.name}.{os.getpid()}")
    codes = [Codes(name, piece.name, Texts(known)) for name, known in zip(files.columns, labels, strict=True)]
    writer = None
    try:
        for at, batch in batches(piece, files, with_ids=True):
            table = np.empty((batch.num_rows, len(codes)), np.int32, order="F")
            for j, code in enumerate(codes):
                table[:, j] = code.of(batch.column(j), at)
            row = finder.places(table)
            if (row < 0).any():
                raise InputError(f"{piece.name} is not what was counted; count the files again.")
            named = batch.column(len(codes)) if files.ids else pa.array(np.arange(at + 1, at + 1 + batch.num_rows))
            columns = {files.ids or "row": _plain(named), **{name: value[row] for name, value in values.items()}}
            some = pa.table(columns)
            writer = writer or parquet.ParquetWriter(aside, some.schema, compression="zstd")
            writer.write_table(some)
        if writer is not None:
            writer.close()
            os.replace(aside, final)
    except OSError as fault:
        raise InputError(
            f"{final.name} could not be written to {folder} ({fault.strerror or fault}). Nothing half-written stands "
            "there; make room and write again: pieces that are done are kept."
        ) from None
    finally:
        aside.unlink(missing_ok=True)


class Finder:
    """Which microcluster a row of codes is: a few searches in sorted words, no table over all rows there could be."""

    def __init__(self, rows: np.ndarray):
        self._columns = []  # per word: the columns in it, and their radix
        span, group = 1, []
        for j, size in enumerate((rows.max(axis=0).astype(np.int64) + 2).tolist()):
            if span * size >= 2**62:
                self._columns.append(group)
                span, group = 1, []
            group.append((j, size))
            span *= size
        self._columns.append(group)
        self._words, self._keys, key = [], [], None
        for group in self._columns:
            word, place = np.unique(self._word(rows, group), return_inverse=True)
            together = place if key is None else key * len(word) + place
            keys, key = np.unique(together, return_inverse=True)
            self._words.append(word)
            self._keys.append(keys)
        self._row = np.argsort(key)  # all rows differ: each key is one row

    @staticmethod
    def _word(rows: np.ndarray, group) -> np.ndarray:
        total = np.zeros(len(rows), dtype=np.int64)
        for j, size in group:
            total = total * size + (rows[:, j] + 1)
        return total

    def places(self, rows: np.ndarray) -> np.ndarray:
        """(r,) the microcluster of each row, MISSING where there is none."""
        known, key = np.ones(len(rows), dtype=bool), None
        for group, word, keys in zip(self._columns, self._words, self._keys, strict=True):
            place = _among(word, self._word(rows, group), known)
            key = _among(keys, place if key is None else key * len(word) + place, known)
        return np.where(known, self._row[key], MISSING)


def _among(values: np.ndarray, wanted: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Where each stands in sorted values; `known` becomes False where it is not among them."""
    place = np.minimum(np.searchsorted(values, wanted), len(values) - 1)
    known &= values[place] == wanted
    return place


class Texts(dict):
    """Label -> code, where a text may stand for the number it was counted as."""

    def __contains__(self, label) -> bool:
        return super().__contains__(label) or super().__contains__(number_of(label))

    def __getitem__(self, label) -> int:
        return super().__getitem__(label if super().__contains__(label) else number_of(label))


def _plain(column):
    """Ids as they are: a dictionary is for columns that repeat."""
    import pyarrow as pa

    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def _target(folder: Path, piece: Piece) -> Path:
    return folder / f"part-{piece.number:05d}.parquet"


def _still_the_same(files: Files) -> None:
    try:
        same = stamp_of(files.paths) == files.stamp
    except OSError:
        same = False
    if not same:
        raise InputError("The files have changed since they were counted; count them again, then write.")


def _key(ensemble, files: Files, values: Mapping) -> str:
    digest = hashlib.blake2b(f"{ensemble.fingerprint} {files.stamp} {files.ids}".encode(), digest_size=16)
    for name, value in values.items():
        digest.update(name.encode() + np.ascontiguousarray(value).tobytes())
    return digest.hexdigest()


def open_to(folder, method: str | None = None) -> None:
    """Refuses a folder that no run, or none of this method, can write its labels into: looked at before the work."""
    with _refusing(Path(folder)):
        _begun(Path(folder), method)


def _begun(folder: Path, method: str | None = None) -> Mapping | None:
    """What is noted of the answer that is there, or begun; None where nothing is."""
    note = folder / ABOUT
    if note.exists():
        found = json.loads(note.read_text(encoding="utf-8"))
        if method and found.get("method", method) != method:
            raise AlreadyThere(f"{folder} holds the labels of another run; choose another folder.")
        return found
    if folder.exists() and any(folder.iterdir()):
        raise AlreadyThere(f"{folder} is not empty; choose another folder: nothing is overwritten.")
    return None


def _claimed(folder: Path, key: str, files: Files, about: Mapping | None) -> None:
    """The folder is for this answer: new, empty, or begun by the same one before."""
    with _refusing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if (found := _begun(folder)) is not None:
            if found.get("key") != key:
                raise AlreadyThere(f"{folder} holds the labels of another run; choose another folder.")
            return
        aside = folder / f".{ABOUT}.{os.getpid()}"
        content = {"key": key, "pieces": len(files.pieces), "files": files.paths, **(about or {})}
        aside.write_text(json.dumps(content, indent=1, ensure_ascii=False), encoding="utf-8")
        os.replace(aside, folder / ABOUT)


@contextlib.contextmanager
def _refusing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as fault:
        raise InputError(f"{folder} cannot be written to: {fault.strerror or fault}.") from None
    except (ValueError, AttributeError) as fault:
        if isinstance(fault, InputError):
            raise
        raise InputError(f"{folder / ABOUT} is not a note of ours; choose another folder.") from None
