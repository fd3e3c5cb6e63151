"""Features or base labels, with the reason; and what makes one doubt it."""

from __future__ import annotations

import re

import numpy as np

from ..choices import BESIDE
from ..column import Column
from ..findings import Offer, Suspicion
from ..wording import listed, shown

_LABEL_NAMES = re.compile(
    r"clust|k-?means|k-?medoids|partition|member|label|base[ _]?\d|^base|\brun[ _]?\d|agglo|hier|spectral|dbscan|"
    r"\bgmm|ward|linkage|birch|louvain|leiden|assign|solution[ _]?\d|vote|^(?:c|p|pi|π|km)[ _]?\d+$",
    re.IGNORECASE,
)
MOST = 0.75  # share of the columns that makes the others the odd ones
ENOUGH = 3  # columns, at least


def find_kind(columns: list[Column], named: bool) -> tuple[str, str]:
    """("features" or "labels", why) from the columns that are neither ids nor truth."""
    columns = [c for c in columns if c.sort != "empty"] or columns
    by_name = [c for c in columns if named and _LABEL_NAMES.search(c.name)]
    fractions = [c for c in columns if c.sort == "fraction"]
    texts = [c for c in columns if c.sort == "text"]
    rest = len(columns) - len(fractions)
    called_so = len(by_name) >= 0.8 * len(columns)
    if len(texts) >= max(ENOUGH, MOST * len(columns)):
        return "labels", "the columns hold texts that repeat"
    if fractions:
        expected = called_so or (len(fractions) <= 0.2 * len(columns) and _labels_among(columns) >= 0.8 * rest)
        if expected and all(has_few_fractions(c) for c in fractions):
            return "labels", "but for a few cells every column holds labels"
        if len(by_name) >= max(ENOUGH, MOST * len(columns)) and not any(c in by_name for c in fractions):
            return "labels", f"most columns are called like clusterings, such as {shown(by_name[0].name)}"
        return "features", f"column {shown(fractions[0].name)} holds fractions such as {_fraction(fractions[0]):g}"
    if texts and len(texts) >= 0.5 * len(columns):
        return "labels", "the columns hold texts that repeat"
    if called_so:
        return "labels", f"the columns are called like clusterings, such as {shown(by_name[0].name)}"
    if _all_yes_or_no(columns):
        return "features", "every column holds only 0 and 1, as yes-no features do"
    if _labels_among(columns) >= 0.9 * len(columns):
        return "labels", "the columns hold whole numbers from 0 or 1 upwards without gaps, as cluster numbers do"
    return "features", "the columns hold numbers with gaps, unlike cluster numbers"


def doubt(columns: list[Column], kind: str) -> Suspicion | None:
    """Features among which most columns look like cluster numbers, or hold nothing but 0 and 1."""
    if kind != "features":
        return None
    columns = [c for c in columns if c.sort != "empty"]
    alike = [c for c in columns if c.sort in ("whole", "text") and looks_like_labels(c)]
    others = [c for c in columns if c not in alike]
    as_features = Offer("They are features", {"kind": "features"})
    if others and len(alike) >= max(ENOUGH, MOST * len(columns)):
        named = listed((c.name for c in others), 3)
        return Suspicion(
            f"{len(alike)} of {len(columns)} columns hold numbers as cluster numbers are, {named} "
            f"{'does' if len(others) == 1 else 'do'} not. Are they base labels, or all features?",
            (
                Offer(
                    f"They are base labels; keep {named} beside, unused",
                    {"kind": "labels", "roles": {c.name: BESIDE for c in others}},
                ),
                as_features,
            ),
            must=True,
        )
    if _all_yes_or_no(columns):
        return Suspicion(
            "Every column holds only 0 and 1: yes-no features, or base clusterings of two clusters each?",
            (Offer("They are base labels", {"kind": "labels"}), as_features),
        )
    return None


def surely_labels(columns: list[Column], named: bool) -> bool:
    """Called like clusterings, or several that all hold labels as cluster numbers are."""
    if not columns or not all(looks_like_labels(column) for column in columns):
        return False
    by_name = sum(1 for column in columns if named and _LABEL_NAMES.search(column.name))
    return by_name >= MOST * len(columns) or (len(columns) >= ENOUGH and all(column.gap_free for column in columns))


def looks_like_labels(column: Column) -> bool:
    """Texts that repeat, or whole numbers from 0 or 1 upwards without a gap, repeated."""
    if column.sort == "text":
        return not column.all_differ
    if column.sort == "empty" or column.numbers is None:
        return False
    return column.gap_free


def has_few_fractions(column: Column) -> bool:
    """So few that they are rather slips among labels."""
    given = column.numbers[~np.isnan(column.numbers)]
    odd = (np.floor(given) != given) | np.isinf(given)
    return bool(odd.sum() <= max(0.1 * len(given), 1))


def _all_yes_or_no(columns: list[Column]) -> bool:
    return len(columns) > 2 and all(
        c.sort == "whole" and np.nanmin(c.numbers) == 0 and np.nanmax(c.numbers) == 1 for c in columns
    )


def _labels_among(columns: list[Column]) -> int:
    return sum(1 for c in columns if c.sort != "fraction" and looks_like_labels(c))


def _fraction(column: Column) -> float:
    few = column.numbers[:1000]
    few = few if (np.floor(few) != few).any() else column.numbers
    given = few[~np.isnan(few)]
    odd = given[np.floor(given) != given]
    return float(odd[0]) if len(odd) else float(given[0])
