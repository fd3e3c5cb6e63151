"""EAC on the LS pool (n = 6,435), from label table to labels, against an n x n co-association and scipy's linkage.

Claims: at most a quarter of the CPU time and of the memory growth. With the same small seeded noise on both (so that
no ties are left) the labels are identical and the merge heights agree to 1e-12.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.io import loadmat
from scipy.spatial.distance import squareform

from benchmarks.measure import measured, table
from consensus_core import EAC, Ensemble, solve
from consensus_core.partition import linkage as counted_linkage
from consensus_core.similarity import coassociation

SHARED = Path(os.environ.get("QUORUM_SHARED", Path(__file__).resolve().parents[2] / "shared"))
K = 6


def labels() -> np.ndarray:
    return loadmat(SHARED / "pools" / "LS.mat")["members"][:, :20].astype(np.int64)


def ours(labels):
    return solve(EAC(k=K), Ensemble.from_labels(labels)).labels


def theirs(labels):
    """The usual way: indicators, n x n product, condensed distances, scipy's average linkage."""
    blocks = [(column[:, None] == np.unique(column)).astype(np.float64) for column in labels.T]
    H = np.hstack(blocks)
    A = H @ H.T / labels.shape[1]
    distance = squareform(1 - A, checks=False)
    return fcluster(linkage(distance, "average"), K, "maxclust")


def without_ties(labels) -> tuple[bool, float]:
    ensemble = Ensemble.from_labels(labels)
    rng = np.random.default_rng(0)
    noise = rng.random((ensemble.q, ensemble.q)) * 1e-6
    S = coassociation(ensemble) - noise - noise.T
    np.fill_diagonal(S, 1)
    tree = counted_linkage(S, ensemble.counts)
    at = ensemble.member_of
    Z = linkage(squareform(1 - S[np.ix_(at, at)], checks=False), "average")
    mine = ensemble.expand(tree.cut(K))
    same = len(set(zip(mine.tolist(), fcluster(Z, K, "maxclust").tolist(), strict=True))) == K
    return same, float(np.abs(np.sort(Z[:, 2])[-(ensemble.q - 1) :] - tree.heights).max())


def main():
    if not (SHARED / "pools").is_dir():
        raise SystemExit(f"This benchmark needs the optional pools in {SHARED}.")
    a, b = measured(ours, prepare=labels), measured(theirs, prepare=labels)
    rows = [
        ["ours", f"{a.cpu:.2f}", f"{a.growth / 1e6:.0f}"],
        ["n x n and scipy", f"{b.cpu:.2f}", f"{b.growth / 1e6:.0f}"],
        ["ratio (at most 0.25)", f"{a.cpu / b.cpu:.3f}", f"{a.growth / b.growth:.3f}"],
    ]
    table("EAC on LS, n = 6,435", ["", "CPU s", "memory growth MB"], rows)
    same, gap = without_ties(labels())
    print(f"\nwithout ties: labels {'identical' if same else 'DIFFER'}, largest difference of merge heights {gap:.1e}")


if __name__ == "__main__":
    main()
