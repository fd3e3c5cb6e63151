"""Files -> distinct rows and counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...errors import InputError, TooLarge
from ...machine import available_bytes
from ...numbers import bytes_in_words, counted
from ..distinct import Distinct, distinct_rows
from ..labels import EXACT, MISSING, _rank
from .hands import each
from .pieces import Files, find_files
from .tally import Tally, merged, tally, with_numbers

BYTES = 12  # that a label of a distinct row takes while tallies are put together


def count_files(
    where,
    columns=None,
    ids: str | None = None,
    client=None,
    processes: int | None = None,
    memory: float | None = None,
    told: Callable[[int, int], None] | None = None,
) -> Counted:
    """The distinct rows of a label table that lies in files, and their counts, without an array over objects.

    client     a Dask client, or the address of its scheduler; None: processes of this machine
    memory     bytes the distinct rows may take; None: half of what is free
    told       told(pieces done, pieces) after each; may raise Cancelled
    """
    files = where if isinstance(where, Files) else find_files(where, columns, ids)
    limit, total, done = _limit(memory), None, 0
    for _, found in each(tally, files.pieces, (files,), client, processes, told):
        done += found.n
        total = found if total is None else merged(total, found)
        if BYTES * total.rows.size > limit:
            raise TooLarge(_too_many(total, done, files, limit))
    return counted_of(with_numbers(total), files)


@dataclass(frozen=True, eq=False)
class Counted:
    """What an ensemble is made of, counted from files."""

    distinct: Distinct
    labels: tuple[np.ndarray, ...]  # for each column (k_i,) the label that each code stands for
    files: Files


def counted_of(found: Tally, files: Files) -> Counted:
    if found.n > EXACT:
        raise InputError("There are more than 2⁵³ objects: beyond that, sums over objects are not exact.")
    if not found.rows.size:
        raise InputError(f"{files.pieces[0].name}: there is not a single row.")
    orders = [sorted(range(len(column)), key=lambda i: _rank(column[i])) for column in found.labels]
    rows = np.empty_like(found.rows)
    for j, order in enumerate(orders):
        rank = np.full(len(order) + 1, MISSING, dtype=np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        rows[:, j] = rank[found.rows[:, j]]
    distinct = distinct_rows(rows, found.counts)
    labels = tuple(
        _array([column[i] for i in order])[value]
        for column, order, value in zip(found.labels, orders, distinct.values, strict=True)
    )
    return Counted(distinct, labels, files)


def _array(labels: list) -> np.ndarray:
    found = np.empty(len(labels), dtype=object)
    found[:] = labels
    return found


def _limit(memory: float | None) -> float:
    return available_bytes() / 2 if memory is None else memory


def _too_many(total: Tally, done: int, files: Files, limit: float) -> str:
    every = f" of {files.rows:,}" if files.rows else ""
    return (
        f"After {done:,}{every} objects there are already {counted(len(total.rows), 'distinct label row')}, more than "
        f"{bytes_in_words(limit)} hold: objects hardly share rows. Take fewer or coarser base clusterings, or give "
        "more memory."
    )
