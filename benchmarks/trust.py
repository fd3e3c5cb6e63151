"""Agreement of sound methods against the true ARI, and θ chosen by the ensemble against every fixed θ.

python -m benchmarks.trust [draws]

Over the samples with a truth and the pools of the optional data, published draws of 20 of 100 base clusterings; writes
trust.html, the agreement of each ensemble against the ARI of the recommended method, to the folder it is called in.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from benchmarks.measure import table
from consensus_core import METHODS, SPCE, Ensemble, scores, solve
from consensus_core.data.samples import SAMPLES, load
from consensus_core.ensemble.truth import truth_codes
from consensus_core.methods import RECOMMENDED
from consensus_core.sweep import Pool, grid, published_orders
from consensus_core.sweep.conductor import Sweep
from consensus_core.sweep.crew import crew
from consensus_core.trust import agreement
from consensus_core.trust.agreement import HIGH, LOW
from consensus_core.trust.recommended import fittest

SHARED = Path(os.environ.get("QUORUM_SHARED", Path(__file__).resolve().parents[2] / "shared"))
POOLS = ("Ecoli", "Aggregation", "UMIST", "Lung", "SPF")  # those small enough for minutes
THETAS = tuple(round(0.1 * i, 1) for i in range(10))


def pools() -> dict[str, Pool]:
    from scipy.io import loadmat

    found = {}
    for name in POOLS:
        file = SHARED / "pools" / f"{name}.mat"
        if file.exists():
            content = loadmat(file)
            ensemble = Ensemble.from_labels(np.asarray(content["members"], dtype=int), truth=content["gt"].ravel())
            found[name] = Pool(ensemble, published_orders(ensemble.m))
    return found


def trusted(name: str, ensemble: Ensemble) -> tuple:
    truth, classes = truth_codes(ensemble)  # stray objects are not scored
    true = scores.ari(solve(METHODS[RECOMMENDED](k=len(classes)), ensemble).labels, truth)
    return name, agreement(ensemble, len(classes)).value, true


def main() -> None:
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    found = pools()
    points = [trusted(key, load(key).ensemble) for key in SAMPLES
              if load(key).truth is not None and load(key).ensemble.n < 3000]  # fmt: skip
    for name, pool in found.items():
        points += [trusted(name, pool.drawn(draw)) for draw in grid(METHODS[RECOMMENDED](k=2), draws=draws, m=20).draws]
    rows = []
    for name in dict.fromkeys(name for name, _, _ in points):
        agree, true = (np.array([point[i] for point in points if point[0] == name]) for i in (1, 2))
        level = "high" if agree.mean() >= HIGH else "middling" if agree.mean() >= LOW else "low"
        rows.append([name, str(len(agree)), f"{agree.mean():.3f}", level, f"{true.mean():.3f}"])
    title = "Do LWEA, EC-CMS and ECPCS-HC agree, and is EC-CMS right?"
    table(title, ["data", "ensembles", "agreement", "", "ARI"], rows)
    means = np.array([[float(row[2]), float(row[4])] for row in rows])
    print(f"Spearman over {len(rows)} data sets: {spearmanr(*means.T).statistic:.2f}")
    drawn(points)
    if found:
        auto(found, draws)


def drawn(points: list[tuple]) -> None:
    import plotly.express as px

    names, agree, true = zip(*points, strict=True)
    figure = px.scatter(x=agree, y=true, color=names, labels={"x": "mutual ARI of three methods", "y": "ARI, EC-CMS"})
    figure.write_html("trust.html", include_plotlyjs=True)
    print("Drawn: trust.html")


def auto(found: dict[str, Pool], draws: int) -> None:
    """By agreement with the base clusterings, draw by draw; the best fixed θ is an oracle's, the best mean of all."""
    rows, chosen, fixed, most = [], [], [], []
    for name, pool in found.items():
        plan = grid(SPCE(k=len(np.unique(pool.ensemble.truth))), theta=THETAS, draws=draws, m=20)
        under_way = Sweep(plan, pool)
        crew().work_on(under_way)
        dict(under_way)
        cells = [[under_way.outcome(plan.task((theta,), draw)) for theta in THETAS] for draw in plan.draws]
        agree = np.array([[cell.agreement_ari for cell in line] for line in cells])
        true = np.array([[cell.value("ari") for cell in line] for line in cells])
        itself = np.array([[cell.found == cell.clusters for cell in line] for line in cells])
        best = [fittest(*line) for line in zip(agree, itself, strict=True)]
        chosen.append(true[np.arange(len(true)), best].mean())
        most.append(true.max(axis=1).mean())
        fixed.append(true.mean(axis=0))
        rows.append([name, f"{chosen[-1]:.3f}", *(f"{value:.3f}" for value in fixed[-1])])
    rows.append(["mean", f"{np.mean(chosen):.3f}", *(f"{value:.3f}" for value in np.mean(fixed, axis=0))])
    title = "SPCE, ARI with θ chosen by agreement with the base clusterings, and fixed"
    table(title, ["data", "auto", *map(str, THETAS)], rows)
    best = np.mean(fixed, axis=0).max()
    print(f"auto − best fixed θ: {np.mean(chosen) - best:+.3f}; the best θ of every draw: {np.mean(most) - best:+.3f}")


if __name__ == "__main__":
    main()
