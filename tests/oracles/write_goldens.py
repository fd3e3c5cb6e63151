"""Small golden files of our own making: what the literal n-row programs beside this file give, written down.

    .venv/bin/python -m tests.oracles.write_goldens

Nothing here knows microclusters or `consensus_core`. A file holds its table, its setting and, for some iterations,
what a quantity is over all objects ("S@3"). `tests/test_goldens.py` reads them, in a clone without other data too.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import scipy.cluster.hierarchy
from scipy.spatial.distance import squareform

from . import ceshl_nrow, ec_cms_nrow, pce_nrow, spce_nrow, trce_nrow

FOLDER = Path(__file__).resolve().parents[1] / "golden"
K = 3


def table_of(seed: int, n: int = 36, m: int = 6, wrong: float = 0.15, gaps: float = 0.0) -> np.ndarray:
    """Uneven groups with repeated rows; names of clusters differ from column to column."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(K), [n // 6, n // 3, n - n // 6 - n // 3])
    table = np.where(rng.random((n, m)) < wrong, rng.integers(K, size=(n, m)), group[:, None])
    table = (table + rng.integers(K, size=m)) % K
    return np.where(rng.random((n, m)) < gaps, -1, table)


def some(count: int) -> list[int]:
    """The start, the first steps, the middle, the end."""
    return sorted({0, 1, 2, count // 2, count - 1} & set(range(count)))


def spce(table, **how):
    path = spce_nrow.spce(table, K, how["theta"], how["variant"])
    for at in some(len(path)):
        state = path[at]
        yield from ((f"{name}@{at}", state[name]) for name in ("S", "W", "alpha", "d", "rho", "components"))


def trce(table, **how):
    path = list(trce_nrow.run(table, K, how["lam"], variant=how["variant"]))
    for at in some(len(path)):
        state = path[at]
        yield from ((f"{name}@{at}", state[name]) for name in ("A", "B", "w", "alpha", "KL", "gamma"))


def ec_cms(table, **how):
    A, H, _, path = ec_cms_nrow.ec_cms(table, how["alpha"], how["lam"], how["variant"], steps=6)
    yield "A@0", A
    yield "H@0", H
    for at in (0, 1, 5):
        yield from ((f"{name}@{at + 1}", path[at][name]) for name in ("C", "E"))


def ceshl(table, **how):
    """One round from the start: later ones hang on the last bit of the one before (see test_ceshl)."""
    H = ceshl_nrow.incidence(table)
    s = ceshl_nrow.scores(H, table.shape[1])
    smooth = ceshl_nrow.smoothness(H)
    w = np.linalg.solve(smooth + how["lam"] * np.eye(len(s)), how["lam"] * s)
    assert w.min() > 0 and w.max() < 1, "the bounds of (4) must not matter here"
    path = ceshl_nrow.rounds(table, K, how["lam"], w, how["variant"], most=1)
    yield "s@0", s
    yield "w@0", w
    for at, (Y, _, spectrum, rho) in enumerate(path):
        yield f"Y@{at}", Y
        yield f"spectrum@{at}", spectrum
        yield f"rho@{at}", rho


def pce(table, **how):
    """Passes of Algorithm 1 at the paper's scale, its clusters read off afterwards; holes are filled on the way."""
    Ys = pce_nrow.indicators(table)
    H, order = pce_nrow.eigenvector_start(Ys, K), pce_nrow.agreement_order(Ys)
    alpha, every = np.full(len(Ys), 1 / len(Ys)), np.ones(len(table))
    R = pce_nrow.turn(Ys, [pce_nrow.polar(Y.T @ H) for Y in Ys], H, alpha, every, order)
    lam = pce_nrow.first_age(H - sum(a * Y @ r for a, Y, r in zip(alpha, Ys, R, strict=True)))
    for at in range(1, 5):
        v = np.minimum(lam / np.maximum(2 * pce_nrow.distances(H, Ys, R, alpha), 1e-300), 1)
        C = v[:, None] ** 2 * sum(a * Y @ r for a, Y, r in zip(alpha, Ys, R, strict=True))
        H = pce_nrow.H_by_steps(C, v**2, H, 1.0)
        Ys = pce_nrow.fill(table, Ys, R, H, alpha, order)
        alpha = pce_nrow.weights_by_slsqp(*pce_nrow.weights_program(Ys, R, H, v))
        R = pce_nrow.turn(Ys, R, H, alpha, v, order)
        yield f"v@{at}", v
        yield f"alpha@{at}", alpha
        yield f"base@{at}", np.column_stack([Y.argmax(axis=1) for Y in Ys])
        lam *= 1.1


def eac(table, **how):
    A = ec_cms_nrow.plain_coassociation(table)[0]
    yield "A@0", A


def lwea(table, **how):
    A = ec_cms_nrow.local_weights(table, how["theta"])
    yield "A@0", A
    distance = squareform(1 - A, checks=False)
    tree = scipy.cluster.hierarchy.linkage(distance, "average")
    yield "labels@1", scipy.cluster.hierarchy.fcluster(tree, K, "maxclust")


CASES = {
    "eac": (eac, 5, {}, 0.1),
    "lwea": (lwea, 5, {"theta": 0.4}, 0.0),
    "spce_released": (spce, 5, {"theta": 0.2, "variant": "released"}, 0.0),
    "spce_paper_gaps": (spce, 6, {"theta": 0.2, "variant": "paper"}, 0.1),
    "trce_paper": (trce, 3, {"lam": 1.0, "variant": "paper"}, 0.0),
    "trce_released": (trce, 3, {"lam": 0.01, "variant": "released"}, 0.0),
    "ec_cms_paper": (ec_cms, 5, {"alpha": 0.8, "lam": 0.4, "variant": "paper"}, 0.0),
    "ec_cms_released_gaps": (ec_cms, 6, {"alpha": 0.6, "lam": 0.1, "variant": "released"}, 0.1),
    "pce_paper_gaps": (pce, 7, {"scale": "paper", "rotation": "post"}, 0.08),
    "pce_paper": (pce, 8, {"scale": "paper", "rotation": "post"}, 0.0),
    "ceshl_paper": (ceshl, 5, {"lam": 100.0, "variant": "paper"}, 0.0),
    "ceshl_released": (ceshl, 5, {"lam": 100.0, "variant": "released"}, 0.0),
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, (program, seed, how, gaps) in CASES.items():
        table = table_of(seed, gaps=gaps)
        arrays = {key: np.asarray(value) for key, value in program(table, **how)}
        np.savez_compressed(FOLDER / f"{name}.npz", table=table, setting=json.dumps(how), **arrays)
        print(f"{name}: {len(arrays)} arrays")


if __name__ == "__main__":
    main()
