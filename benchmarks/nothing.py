"""What does nothing: parts of published methods taken away, on draws of every recipe the samples are made by.

    python -m benchmarks.nothing [draws]

Said of each: on how many draws a cluster changed, the mean difference of ARI (with the part minus without), and the
largest in either direction. The lesson of that name quotes it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from benchmarks.break_it import draw
from benchmarks.measure import table
from consensus_core import METHODS, scores, solve
from consensus_core.data.samples import SAMPLES, load
from consensus_core.ensemble import MISSING
from sample_data.breaking import BREAKING

DRAWS = 10
MOST = 1000  # objects of a sample
PARTS = {
    "TRCE's object weights w": ("trce", {"self_paced": False}),
    "PCE's terms between base clusterings": ("pce", {"diversity": False}),
    "PCE's weights v": ("pce", {"self_paced": False}),
}


def ensembles(draws: int) -> Iterator[tuple[str, object, np.ndarray, int]]:
    """Family, ensemble, truth, k: every recipe that is drawn anew, and the samples that are what they are."""
    for recipe in BREAKING:
        for seed in range(draws):
            made, ensemble = draw(recipe, seed)
            yield recipe, ensemble, made.truth, made.k
    for key in SAMPLES:
        sample = load(key)
        if key not in BREAKING and sample.ensemble.n <= MOST and sample.ensemble.truth is not None:
            truth = np.asarray(sample.ensemble.truth)
            yield key, sample.ensemble, truth, len(np.unique(truth[truth != MISSING]))


def compared(key: str, without: dict, ensemble, truth, k: int) -> tuple[bool, float]:
    """(whether a cluster changed, ARI with the part minus without)."""
    method = METHODS[key](k=k)
    if ensemble.has_missing and not method.handles_missing:
        ensemble = ensemble.filled("nearest", 0)
    one, other = (solve(each, ensemble).labels for each in (method, METHODS[key](k=k, **without)))
    scored = truth != MISSING
    gap = scores.ari(one[scored], truth[scored]) - scores.ari(other[scored], truth[scored])
    return scores.ari(one, other) < 1 - 1e-12, float(gap)


def main() -> None:
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else DRAWS
    found = {part: [] for part in PARTS}
    for family, ensemble, truth, k in ensembles(draws):
        for part, (key, without) in PARTS.items():
            found[part].append((family, *compared(key, without, ensemble, truth, k)))
        print(".", end="", flush=True, file=sys.stderr)
    print(file=sys.stderr)
    rows = []
    for part, those in found.items():
        gaps = np.array([gap for _, _, gap in those])
        least, most = those[gaps.argmin()], those[gaps.argmax()]
        where = ", ".join(sorted({family for family, changed, _ in those if changed}))
        rows.append([
            part, len({family for family, *_ in those}), len(those), sum(changed for _, changed, _ in those), where,
            f"{gaps.mean():+.3f}", f"{least[2]:+.3f} ({least[0]})", f"{most[2]:+.3f} ({most[0]})",
        ])  # fmt: skip
    table("What does nothing", ["part", "families", "draws", "answer changed", "of", "mean ARI", "least", "most"], rows)


if __name__ == "__main__":
    main()
