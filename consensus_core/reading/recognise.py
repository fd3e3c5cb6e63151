"""Ids, truth, features or labels, orientation: each guess with its reason."""

from __future__ import annotations

import re

import numpy as np

from .column import Column
from .sentences import shown

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
_LABEL_NAMES = re.compile(
    r"clust|k-?means|k-?medoids|partition|member|label|base[ _]?\d|^base|\brun[ _]?\d|agglo|hier|spectral|dbscan|"
    r"\bgmm|ward|linkage|birch|louvain|leiden|assign|solution[ _]?\d|vote|^(?:c|p|pi|π|km)[ _]?\d+$",
    re.IGNORECASE,
)
_FEW = 10_000
LABEL_ARRAYS = re.compile(
    r"members?|labels?|base_?labels?|base_?(?:clusterings?|partitions?|cls)|bps?|e|pi|ensembles?|idx|cls|clusterings?|"
    r"partitions?|y_?base|votes?",
    re.IGNORECASE,
)
FEATURE_ARRAYS = re.compile(r"x|features?|fea|data|points?|x_?(?:train|data)|samples|embeddings?", re.IGNORECASE)


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


def looks_like_labels(column: Column) -> bool:
    """Texts that repeat, or whole numbers from 0 or 1 upwards without a gap, repeated."""
    if column.sort in ("text",):
        return not column.all_differ
    if column.sort == "empty" or column.numbers is None:
        return False
    return labels_without_gap(column.numbers)


def labels_without_gap(numbers: np.ndarray) -> bool:
    given = numbers[~np.isnan(numbers)] if numbers.dtype.kind == "f" else numbers
    low = given.min() if len(given) else 0
    if low == -1:
        given = given[given != -1]
        low = given.min() if len(given) else 0
    if len(given) < 2 or low not in (0, 1):
        return False
    high = given.max()
    if not 2 <= high - low + 1 < len(given):
        return False
    if numbers.dtype.kind == "f" and (np.floor(given) != given).any():
        return False
    few = np.bincount(given[:_FEW].astype(np.int64))[int(low) :]
    if len(few) == high - low + 1 and (few > 0).all():
        return True  # the first rows show every number between the lowest and the highest of all
    return bool((np.bincount(given.astype(np.int64, copy=False))[int(low) :] > 0).all())


def find_kind(columns: list[Column], named: bool) -> tuple[str, str]:
    """("features" or "labels", why) from the columns that are neither ids nor truth."""
    columns = [c for c in columns if c.sort != "empty"] or columns
    by_name = [c for c in columns if named and _LABEL_NAMES.search(c.name)]
    fractions = [c for c in columns if c.sort == "fraction"]
    texts = [c for c in columns if c.sort == "text"]
    rest = len(columns) - len(fractions)
    called_so = len(by_name) >= 0.8 * len(columns)
    if fractions:
        expected = called_so or (len(fractions) <= 0.2 * len(columns) and _labels_among(columns) >= 0.8 * rest)
        if not (expected and all(_few_fractions(c) for c in fractions)):
            return "features", f"column {shown(fractions[0].name)} holds fractions such as {_fraction(fractions[0]):g}"
        return "labels", "but for a few cells every column holds labels"
    if texts and len(texts) >= 0.5 * len(columns):
        return "labels", "the columns hold texts that repeat"
    if called_so:
        return "labels", f"the columns are called like clusterings, such as {shown(by_name[0].name)}"
    if all(c.sort == "whole" and c.numbers.min() == 0 and c.numbers.max() == 1 for c in columns) and len(columns) > 2:
        return "features", "every column holds only 0 and 1, as yes-no features do"
    if _labels_among(columns) >= 0.9 * len(columns):
        return "labels", "the columns hold whole numbers from 0 or 1 upwards without gaps, as cluster numbers do"
    return "features", "the columns hold numbers with gaps, unlike cluster numbers"


def _labels_among(columns: list[Column]) -> int:
    return sum(1 for c in columns if c.sort != "fraction" and looks_like_labels(c))


def _few_fractions(column: Column) -> bool:
    given = column.numbers[~np.isnan(column.numbers)]
    odd = (np.floor(given) != given) | np.isinf(given)
    return bool(odd.sum() <= max(0.1 * len(given), 1))


def _fraction(column: Column) -> float:
    few = column.numbers[:1000]
    few = few if (np.floor(few) != few).any() else column.numbers
    given = few[~np.isnan(few)]
    odd = given[np.floor(given) != given]
    return float(odd[0]) if len(odd) else float(given[0])
