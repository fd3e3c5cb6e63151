"""Which column names the objects, which says what is true: each guess with its reason."""

from __future__ import annotations

import re

import numpy as np

from ..column import Column
from .kind import looks_like_labels

_ID_NAMES = re.compile(
    r"(?:.*[_ .-])?(?:id|ids|uuid|uid)|index|idx|name|names|object|objects|sample|samples|sample ?name|key|"
    r"row|rows|row ?names?|"
    r"unnamed: ?0|__index_level_0__|level_0|no\.?|nr\.?|#|case|subject|patient|item|document|observation|obs",
    re.IGNORECASE,
)
_TRUTH_NAMES = (
    "truth", "groundtruth", "gt", "trueclass", "truelabel", "truelabels", "truecluster", "trueclusters", "truek",
    "target", "class", "classes", "klass", "label", "labels", "species", "category", "diagnosis", "y",
)  # fmt: skip


def simple(name: str) -> str:
    return re.sub(r"[\s_.\-]+", "", name).lower()


def is_truth_name(name: str) -> bool:
    return simple(name) in _TRUTH_NAMES


def is_id_name(name: str) -> bool:
    return bool(_ID_NAMES.fullmatch(name.strip()))


def find_ids(columns: list[Column], unnamed, has_header: bool) -> tuple[str, str]:
    """(name of the id column or "", why)."""
    if len(columns) == 1:
        return "", "there is only one column"
    for place, column in enumerate(columns):
        if column.sort in ("fraction", "empty", "mixed"):
            continue
        called = has_header and is_id_name(column.name)
        if called and (column.all_differ or (place == 0 and column.sort == "text")):
            return column.name, "it is called so" + (" and all its values differ" if column.all_differ else "")
        if place == 0 and column.name in unnamed and column.all_differ:
            return column.name, "its header cell is blank and all its values differ"
        if place == 0 and column.sort == "text" and column.all_differ:
            return column.name, "it comes first and holds texts that all differ"
        if place == 0 and not has_header and len(columns) > 2 and _counts(column):
            return column.name, "it comes first and counts the rows"
    return "", "no column is called so, or comes first and numbers the rows"


def _counts(column: Column) -> bool:
    if column.sort != "whole" or len(column) < 5 or column.numbers.dtype.kind != "i":
        return False
    start = int(column.numbers[0])
    return start in (0, 1) and bool((column.numbers == np.arange(start, start + len(column))).all())


def find_named_truth(columns: list[Column]) -> tuple[str, str]:
    names = {simple(column.name): column for column in reversed(columns)}
    for known in _TRUTH_NAMES:
        column = names.get(known)
        if column is None or column.sort not in ("whole", "text") or (known == "y" and "x" in names):
            continue
        if not column.all_differ:
            return column.name, "it is called so"
    return "", "no column is called so"


def find_truth_beside_features(columns: list[Column], has_header: bool) -> tuple[str, str]:
    """The only column of text, or in a file without header a last column of labels after fractions."""
    texts = [c for c in columns if c.sort == "text" and c.distinct <= max(2, len(c) / 2) and not c.all_differ]
    if len(texts) == 1 and len(columns) > 1:
        return texts[0].name, "it is the only column of text beside numbers"
    last = columns[-1] if columns else None
    if not has_header and len(columns) > 2 and looks_like_labels(last) and last.distinct <= max(2, len(last) / 3):
        if all(c.sort == "fraction" for c in columns[:-1]):
            return last.name, "it comes last, after columns of fractions, and holds a few whole numbers"
    return "", "no column stands out as one"
