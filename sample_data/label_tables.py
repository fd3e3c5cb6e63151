"""The samples that are tables of base labels only."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.cluster import DBSCAN

from consensus_core.ensemble import MISSING
from consensus_core.generate import generate
from sample_data.data_set import FREE, OURS, DataSet, counted_from_one


def five_objects():
    table = pd.DataFrame({"C1": [1, 1, 1, 2, 2], "C2": [1, 1, 2, 2, 1], "C3": [1, 1, 2, 2, 2]})
    return DataSet(
        key="five",
        title="Five objects, by hand",
        k=2,
        labels=lambda seed: table,
        ids=np.array(["x1", "x2", "x3", "x4", "x5"]),
        answer=(1, 1, 2, 2, 2),
        recipe="the three base clusterings of the paper's example",
        origin=(
            "The example in Figure 1 of the CESHL paper (Structured hypergraph learning), whose incidence matrix the "
            "text prints"
        ),
        licence="Facts from a publication; the table is " + FREE,
        teaches="Small enough to check every entry with a pencil: three clusterings, six hyperedges, fifteen numbers.",
    )


def nine_objects():
    blank = MISSING
    table = pd.DataFrame(
        {
            "C1": [1, 1, blank, 2, 2, 2, 3, blank, 3],
            "C2": [2, blank, 2, 3, 3, blank, 1, 1, 1],
            "C3": [blank, 1, 1, 1, 2, 2, 3, 3, blank],
        }
    )
    return DataSet(
        key="nine",
        title="Nine objects, some unseen",
        k=3,
        labels=lambda seed: table,
        ids=np.array([f"x{i}" for i in range(1, 10)]),
        answer=(1, 1, 1, 2, 2, 2, 3, 3, 3),
        scored=("eac",),
        recipe="written by hand: each base clustering misses two objects, and the third errs on x4",
        origin=(
            "Our own, of the size of the example in Figure 1 of the PCE paper (Partial clustering ensemble), whose "
            "labels are in the drawing only"
        ),
        licence=FREE,
        teaches=(
            "Three clusterings that each miss two objects; numbers mean different things in different columns. What is "
            "known about a pair that was seen together only once?"
        ),
    )


def several_algorithms():
    rng = np.random.default_rng(4)
    centres = rng.normal(scale=1.6, size=(4, 5))
    sizes = (110, 80, 70, 40)
    X = np.vstack([rng.normal(c, 1.3, size=(n, 5)) for c, n in zip(centres, sizes, strict=True)])
    truth = np.repeat(["budget", "family", "business", "collector"], sizes)
    order = rng.permutation(len(X))
    X, truth = np.round(X[order], 3), truth[order]

    def labels(seed):
        mix = [("kmeans_k", 3), ("agglomerative", 3), ("gaussian_mixture", 2), ("spectral", 5), ("feature_subset", 2)]
        table = counted_from_one(generate(X, mix, k=4, seed=seed))[:, [0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 14]]
        names = ["k-means a", "k-means b", "k-means c", "ward", "average", "complete", "mixture a", "mixture b"]
        names += ["spectral narrow", "spectral wide", "some features a", "some features b"]
        frame = pd.DataFrame(table, columns=names)
        for name, letter in [("ward", "w"), ("average", "a"), ("complete", "c")]:
            frame[name] = [f"{letter}{label}" for label in frame[name]]
        for name in ["k-means a", "k-means b", "k-means c"]:
            frame[name] = [chr(ord("A") + label - 1) for label in frame[name]]
        frame["dbscan"] = ["" if label < 0 else f"core {label + 1}" for label in DBSCAN(eps=2.3).fit_predict(X)]
        return frame

    return DataSet(
        key="votes",
        title="Thirteen algorithms vote",
        k=4,
        labels=labels,
        truth=truth,
        ids=np.array([f"C-{i:04d}" for i in range(1, len(X) + 1)]),
        scored=("eac",),
        recipe="k-means, hierarchical, mixtures, spectral and DBSCAN on five features that are not given",
        origin=OURS + " (customers and kinds are invented)",
        licence=FREE,
        teaches=(
            "What people bring along: only labels, in words and letters, from different programs, with names of "
            "objects, a column of true kinds, and blanks where DBSCAN saw noise."
        ),
    )


def _blobs_for_labels(seed, sizes, spread):
    rng = np.random.default_rng(seed)
    angle = np.arange(len(sizes)) * 2 * np.pi / len(sizes)
    centres = 4 * np.column_stack([np.cos(angle), np.sin(angle)])
    X = np.vstack([rng.normal(c, spread, size=(n, 2)) for c, n in zip(centres, sizes, strict=True)])
    truth = np.repeat(np.arange(1, len(sizes) + 1), sizes)
    order = rng.permutation(len(X))
    return np.round(X[order], 3), truth[order]


def thirty_percent_missing():
    X, truth = _blobs_for_labels(5, (100, 80, 70, 50), 1.7)

    def labels(seed):
        table = counted_from_one(generate(X, "object_subset", m=20, k=4, seed=seed))
        return pd.DataFrame(table, columns=[f"part {i}" for i in range(1, 21)])

    return DataSet(
        key="missing",
        title="A third unseen",
        k=4,
        labels=labels,
        truth=truth,
        scored=("eac",),
        recipe="k-means with k = 4 on 70% of 300 points, drawn anew each time (the PCE paper's protocol)",
        origin=OURS,
        licence=FREE,
        teaches=(
            "Every base clustering saw only 70% of the objects: 30% of all labels are missing, yet together they have "
            "seen every pair. See how PCE fills the gaps while it learns; some methods need them filled first."
        ),
    )


def one_bad():
    X, truth = _blobs_for_labels(6, (90, 80, 70, 60), 1.5)

    def labels(seed):
        table = counted_from_one(generate(X, "kmeans_random_k", m=10, seed=seed))
        table[:, 6] = np.random.default_rng(seed).integers(1, 9, size=len(X))
        return pd.DataFrame(table, columns=[f"base {i}" for i in range(1, 11)])

    return DataSet(
        key="one_bad",
        title="One bad apple",
        k=4,
        labels=labels,
        truth=truth,
        recipe="k-means, k drawn from 2 to 17; the seventh drawn by chance from 1 to 8",
        origin=OURS,
        licence=FREE,
        teaches=(
            "Base clustering 7 is pure chance. Watch its weight in TRCE, and in PCE with the length of H as in the "
            "paper: they find out by themselves whom not to trust."
        ),
    )


def no_structure():
    def labels(seed):
        table = np.random.default_rng(7).integers(1, 5, size=(200, 20))
        return pd.DataFrame(table, columns=[f"chance {i}" for i in range(1, 21)])

    return DataSet(
        key="random",
        title="Nothing there",
        k=4,
        labels=labels,
        scored=(),
        recipe="every label drawn by chance from 1 to 4",
        origin=OURS,
        licence=FREE,
        teaches=(
            "Labels without any structure. Every method still returns clusters: learn how the pictures look when there "
            "is nothing to find."
        ),
    )
