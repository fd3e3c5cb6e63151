"""The arrays every method leans on, each in one run with what one would otherwise use.

Linkage: average linkage of q rows with counts against scipy's of the n objects and of the q rows (which is another
tree, and shows the cost of the tie rule). Eigenvectors: the k smallest of the Laplacian of a thresholded (sparse) and
of a dense consensus against LAPACK's subset driver, with the sine of the greatest angle between the two subspaces.
Simplex projection: all rows at once against a sort. With the optional pools on real ensembles, else on made ones.
"""

from __future__ import annotations

import os
from pathlib import Path
from time import process_time

import numpy as np
import scipy.linalg
from scipy.cluster.hierarchy import linkage as scipy_linkage
from scipy.io import loadmat
from scipy.spatial.distance import squareform

from benchmarks.measure import table
from consensus_core import Ensemble
from consensus_core.linalg import components, project_simplex, smallest_eigenvectors
from consensus_core.partition import linkage
from consensus_core.similarity import together

SHARED = Path(os.environ.get("QUORUM_SHARED", Path(__file__).resolve().parents[2] / "shared"))


def ensembles():
    """(name, ensemble) small to large."""
    for name in ("Ecoli", "UMIST", "SPF", "LS"):
        file = SHARED / "pools" / f"{name}.mat"
        if file.exists():
            yield name, Ensemble.from_labels(loadmat(file)["members"][:, :20].astype(np.int64))
    if not (SHARED / "pools").is_dir():
        for n in (300, 1000, 6000):
            yield f"made, n = {n:,}", made(n)


def made(n, k=8, m=20):
    """Noisy copies of one partition."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, k, n)
    labels = np.repeat(truth[:, None], m, axis=1)
    noise = rng.random((n, m)) < 0.1
    labels[noise] = rng.integers(0, k, int(noise.sum()))
    return Ensemble.from_labels(labels)


def timed(work, *arguments, **named):
    """(answer, least CPU seconds of three)."""
    seconds = []
    for _ in range(3):
        start = process_time()
        answer = work(*arguments, **named)
        seconds.append(process_time() - start)
    return answer, min(seconds)


def linkages():
    for name, ensemble in ensembles():
        K = together(ensemble)
        objects = np.repeat(np.arange(ensemble.q), ensemble.counts)
        every = squareform(1 - K[np.ix_(objects, objects)] / ensemble.m, checks=False)
        rows = squareform(1 - K / ensemble.m, checks=False)
        for how in ("average", "complete", "single"):
            _, ours = timed(linkage, K, ensemble.counts, how, scale=ensemble.m)
            _, full = timed(scipy_linkage, every, how)
            _, same_size = timed(scipy_linkage, rows, how)
            yield [name, ensemble.n, ensemble.q, how, f"{ours:.4f}", f"{full:.4f}", f"{same_size:.4f}", ours / full]


def eigenvectors():
    for name, ensemble in ensembles():
        share = together(ensemble) / ensemble.m
        for form, S in (("kept ≥ 0.6", np.where(share >= 0.6, share, 0)), ("all, 4th power", share**4)):
            (count, _), seconds = timed(components, S)
            found = [name, ensemble.q, form, f"{(S > 0).mean():.2f}", f"{count} in {seconds:.4f}"]
            M, root = laplacian(S, ensemble.counts)
            for k in (count + 5, count + 19):
                (_, Y), ours = timed(smallest_eigenvectors, S, k, ensemble.counts)
                (_, U), lapack = timed(scipy.linalg.eigh, M, subset_by_index=(0, k - 1))
                ours_u = Y * root[:, None]
                angle = np.linalg.norm(ours_u - U @ (U.T @ ours_u), 2)
                yield [*found, k, f"{ours:.4f}", f"{lapack:.4f}", ours / lapack, f"{angle:.0e}"]


def laplacian(S, counts):
    root = np.sqrt(counts)
    M = -root[:, None] * S * root
    M[np.diag_indices_from(M)] += S @ counts
    return M, root


def projections():
    rng = np.random.default_rng(0)
    for q in (250, 2600):
        V = rng.normal(size=(q, q)) / q
        ours, seconds = timed(project_simplex, V)
        theirs, sort = timed(by_sorting, V)
        yield [f"{q} x {q}", f"{seconds:.4f}", f"{sort:.4f}", seconds / sort, f"{np.abs(ours - theirs).max():.0e}"]


def by_sorting(V):
    descending = -np.sort(-V, axis=1)
    thresholds = (np.cumsum(descending, axis=1) - 1) / np.arange(1, V.shape[1] + 1)
    last = (descending > thresholds).sum(axis=1) - 1
    return np.maximum(V - thresholds[np.arange(len(V)), last][:, None], 0)


def shown(rows):
    return [[f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows]


def main():
    head = ["", "n", "q", "how", "ours CPU s", "scipy, n objects", "scipy, q rows", "ours / scipy n"]
    table("Linkage with counts", head, shown(linkages()))
    head = ["", "q", "consensus", "filled", "components", "k", "ours CPU s", "LAPACK", "ratio", "sine of angle"]
    table("Smallest eigenvectors of the Laplacian", head, shown(eigenvectors()))
    head = ["", "ours CPU s", "sorting", "ratio", "difference"]
    table("Projection of rows on the simplex", head, shown(projections()))


if __name__ == "__main__":
    main()
