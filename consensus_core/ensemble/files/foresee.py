"""Before counting: how many objects and distinct rows there will be, from some rows taken here and there."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..distinct import counted_rows
from .batches import batches
from .pieces import Files
from .tally import Codes

SAMPLE = 200_000  # rows looked at
PLACES = 16  # pieces they are taken from


@dataclass(frozen=True)
class Foreseen:
    """Distinct rows between `least` and `most`, `q` the estimate: right within a factor of √(n / looked at) whatever
    the data are, if the rows of the files stand in no particular order (Charikar and others 2000)."""

    n: int | None  # None: the files do not say
    looked_at: int
    least: int
    q: int
    most: int


def foresee(files: Files, sample: int = SAMPLE, seed: int = 0) -> Foreseen:
    rng = np.random.default_rng(seed)
    some = rng.choice(len(files.pieces), min(PLACES, len(files.pieces)), replace=False)
    codes = [Codes(name, "the files") for name in files.columns]
    share, tables = math.ceil(sample / len(some)), []
    for at in sorted(some.tolist()):
        piece, left = files.pieces[at], share
        for before, batch in batches(piece, files):
            columns = [code.of(column, before)[:left] for code, column in zip(codes, batch.columns, strict=False)]
            tables.append(np.column_stack(columns))
            left -= len(tables[-1])
            if left <= 0:
                break
    table = np.concatenate(tables)
    _, counts = counted_rows(table, np.ones(len(table), np.int64))
    n, looked_at, found = files.rows, len(table), len(counts)
    if n is None or n <= looked_at:
        return Foreseen(n, looked_at, found, found, found if n is not None else looked_at)
    once, ratio = int((counts == 1).sum()), n / looked_at
    return Foreseen(
        n, looked_at, found, round(found - once + math.sqrt(ratio) * once), round(found - once + ratio * once)
    )
