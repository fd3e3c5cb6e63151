"""Which types the columns of a text table have, as far as its first rows tell."""

from __future__ import annotations

import pyarrow as pa

from ..choices import Choices, missing_texts
from ..coded import ArrowTexts, Cells
from ..guess.header import WHOLE, is_number
from ..guess.layout import Layout

_LOOKED_AT = 400


def null_texts(choices: Choices, decimal: str) -> frozenset[str]:
    """The texts a reader may take for nothing. -1 and the like are asked of labels only, later."""
    texts = [text for text in missing_texts(choices) if not is_number(text, decimal)]
    written = {"nan": "NaN"}
    return frozenset(form for text in texts for form in (text, text.upper(), text.title(), written.get(text, text)))


def sample_types(layout: Layout, nulls: frozenset[str]) -> list[pa.DataType]:
    """For every column the narrowest type that holds its cells in the first rows."""
    rows = layout.cells[:_LOOKED_AT]
    return [_type_of(rows, layout.decimal, nulls, j) for j in range(len(layout.names))]


def _type_of(rows, decimal, nulls, j) -> pa.DataType:
    kind, seen = pa.int64(), False
    for row in rows:
        cell = row[j].strip() if j < len(row) else ""
        if cell in nulls:
            continue
        seen = True
        if WHOLE.fullmatch(cell) and (cell[0] != "0" or cell == "0"):
            continue
        if not is_number(cell, decimal) or (cell[0] == "0" and cell.isdigit()):
            return pa.string()  # also 007: the noughts of an id must not get lost
        kind = pa.float64()
    return kind if seen else pa.float64()


def cells_of(column: pa.ChunkedArray) -> Cells:
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return column.to_numpy(zero_copy_only=False)
    return ArrowTexts(column)
