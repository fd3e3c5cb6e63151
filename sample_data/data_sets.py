"""The data sets themselves: points, label tables and what there is to say about each. `make_samples.py` writes them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn import datasets
from sklearn.cluster import DBSCAN

from consensus_core import MISSING
from consensus_core.generate import RECIPES, generate, generate_ensemble

OURS = "Made for this project by sample_data/make_samples.py"
FREE = "CC0 1.0 (public domain)"
UCI = "CC BY 4.0"


@dataclass(frozen=True)
class DataSet:
    """One sample on its way into files. `labels(seed)` gives a table of base labels; the first seed is used with which
    the outside scores do not depend on the order of the objects."""

    key: str
    title: str
    k: int
    labels: object
    origin: str
    licence: str
    teaches: str
    recipe: str
    features: pd.DataFrame | None = None
    truth: np.ndarray | None = None
    ids: np.ndarray | None = None
    answer: tuple[int, ...] | None = None
    binary: bool = False  # written as .npz instead of .csv
    scored: tuple[str, ...] = ("eac", "lwea")


def with_k_means(features, most=0, scaling="raw"):
    """Twenty base clusterings by k-means, k drawn from 2 to √n (or to `most`)."""
    recipe = type(RECIPES["kmeans_random_k"])(most=most)

    def labels(seed):
        made = generate_ensemble(features, recipe, m=20, seed=seed, scaling=scaling)
        return pd.DataFrame(_from_one(made.labels()), columns=list(made.names))

    return labels


def _from_one(table):
    """Labels 1, 2, …, as people count; MISSING stays."""
    return np.where(table == MISSING, MISSING, table + 1)


def _points(parts, rng, digits):
    """Parts put together and shuffled: features x, y and the number of each point's part."""
    X = np.vstack(parts)
    truth = np.repeat(np.arange(1, len(parts) + 1), [len(part) for part in parts])
    order = rng.permutation(len(X))
    return pd.DataFrame(np.round(X[order], digits), columns=["x", "y"]), truth[order]


def _inside(rng, count, low, high, belongs):
    """Points drawn evenly from where belongs(x, y) holds in a box."""
    found = []
    while len(found) < count:
        x, y = rng.uniform(low, high)
        if belongs(x, y):
            found.append((x, y))
    return np.array(found)


def seven_shapes():
    rng = np.random.default_rng(0)

    def ellipse(cx, cy, rx, ry):
        return lambda x, y: ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 < 1

    parts = [
        _inside(rng, 220, (18, 13), (31, 26), ellipse(24.5, 19.5, 5.2, 5.2)),
        _inside(rng, 160, (1, 17), (15, 25), lambda x, y: 14 < (x - 8) ** 2 + (y - 17.5) ** 2 < 46 and y > 17.2),
        _inside(rng, 120, (34, 9), (41, 23), ellipse(37.5, 16, 3.2, 6.2)),
        _inside(rng, 100, (15, 1), (23, 9), lambda x, y: True),
        _inside(rng, 80, (25, 2), (38, 4.4), lambda x, y: True),
        _inside(rng, 70, (0, 1), (11, 10), lambda x, y: y - 1 < 9 * (1 - abs(x - 5.5) / 5.5)),
        _inside(rng, 50, (6, 12), (10, 17), ellipse(8, 14.6, 2, 2)),
    ]
    X, truth = _points(parts, rng, 3)
    return DataSet(
        key="shapes",
        title="Seven shapes",
        k=7,
        features=X,
        truth=np.array(["disc", "crescent", "ellipse", "square", "bar", "triangle", "small disc"])[truth - 1],
        labels=with_k_means(X),
        recipe="k-means, k drawn from 2 to 28",
        origin=OURS,
        licence=FREE,
        teaches=(
            "Seven groups of 50 to 220 points, and no single k-means sees them; the votes of twenty do. "
            "The place to begin."
        ),
    )


def two_moons():
    rng = np.random.default_rng(1)
    upper, lower = rng.uniform(0, np.pi, 200), rng.uniform(0, np.pi, 200)
    parts = [
        np.column_stack([np.cos(upper), np.sin(upper)]) + rng.normal(scale=0.06, size=(200, 2)),
        np.column_stack([1 - np.cos(lower), 0.5 - np.sin(lower)]) + rng.normal(scale=0.06, size=(200, 2)),
    ]
    X, truth = _points(parts, rng, 4)
    return DataSet(
        key="moons",
        title="Two moons",
        k=2,
        features=X,
        truth=truth,
        labels=with_k_means(X),
        recipe="k-means, k drawn from 2 to 20",
        origin=OURS + ", after a picture as old as spectral clustering",
        licence=FREE,
        teaches=(
            "Two interlocked crescents. k-means with k = 2 must cut across both; many small clusters, put together "
            "where they touch, follow the curves. Compare average with single linkage."
        ),
    )


def overlapping_blobs():
    rng = np.random.default_rng(2)
    centres = [(0, 0), (3.2, 0.4), (1.4, 2.9), (-2.6, 2.2), (-1.2, -3.0)]
    spreads, sizes = (0.8, 0.9, 0.8, 1.1, 0.7), (160, 140, 120, 100, 80)
    parts = [rng.normal(c, s, size=(n, 2)) for c, s, n in zip(centres, spreads, sizes, strict=True)]
    X, truth = _points(parts, rng, 3)
    return DataSet(
        key="blobs",
        title="Overlapping blobs",
        k=5,
        features=X,
        truth=truth,
        labels=with_k_means(X),
        recipe="k-means, k drawn from 2 to 24",
        origin=OURS,
        licence=FREE,
        teaches=(
            "Five round groups that run into one another. No method can be perfect; look at which objects lie between "
            "groups, and whether the method knows that it does not know."
        ),
    )


def ten_thousand():
    rng = np.random.default_rng(3)
    angle = np.arange(8) * 2 * np.pi / 8
    centres = np.column_stack([np.cos(angle), np.sin(angle)]) * np.where(np.arange(8) % 2, 9, 5)[:, None]
    sizes = (2600, 2000, 1600, 1300, 1000, 700, 500, 300)
    parts = [rng.normal(c, 0.9, size=(n, 2)) for c, n in zip(centres, sizes, strict=True)]
    X, truth = _points(parts, rng, 3)
    X = X.astype(np.float32)
    return DataSet(
        key="ten_thousand",
        title="Ten thousand points",
        k=8,
        features=X,
        truth=truth,
        labels=with_k_means(X, most=20),
        recipe="k-means, k drawn from 2 to 20",
        origin=OURS,
        licence=FREE,
        binary=True,
        teaches=(
            "Big data that is small: ten thousand points have only a few hundred different rows of labels, and every "
            "method here works on those."
        ),
    )


def _classic(key, title, bunch, *, scaling, recipe, origin, teaches, binary=False, names=None):
    X = pd.DataFrame(bunch.data, columns=names or list(bunch.feature_names))
    if binary:
        X = X.astype(np.uint8)
    return DataSet(
        key=key,
        title=title,
        k=len(bunch.target_names),
        features=X,
        truth=np.asarray(bunch.target_names)[bunch.target],
        labels=with_k_means(X, scaling=scaling),
        recipe=recipe,
        origin=origin + ", UCI Machine Learning Repository; as distributed with scikit-learn",
        licence=UCI,
        teaches=teaches,
        binary=binary,
    )


def classics():
    return [
        _classic(
            "iris",
            "Iris",
            datasets.load_iris(),
            names=["sepal length", "sepal width", "petal length", "petal width"],
            scaling="raw",
            recipe="k-means on the features as they are, k drawn from 2 to 12",
            origin="R. A. Fisher (1936), The use of multiple measurements in taxonomic problems",
            teaches=(
                "150 flowers of three kinds, of which two run into each other: why two clusters can be a better answer "
                "than the three on the label."
            ),
        ),
        _classic(
            "wine",
            "Wine",
            datasets.load_wine(),
            scaling="z-score",
            recipe="k-means on z-scores, k drawn from 2 to 13",
            origin="S. Aeberhard and M. Forina (1991), Wine",
            teaches=(
                "Thirteen chemical measurements of 178 wines in very different units: make base clusterings on raw "
                "values and again on z-scores, and see what scaling is worth."
            ),
        ),
        _classic(
            "digits",
            "Handwritten digits",
            datasets.load_digits(),
            scaling="raw",
            recipe="k-means on the 64 grey values, k drawn from 2 to 42",
            origin="E. Alpaydin and C. Kaynak (1998), Optical Recognition of Handwritten Digits (test part)",
            binary=True,
            teaches=(
                "1,797 little pictures of ten digits: more objects, clusters and features than one can draw, and two "
                "sound methods, EAC and LWEA, give clearly different answers."
            ),
        ),
    ]


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
            "known about a pair that was seen together only once, or never?"
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
        table = _from_one(generate(X, mix, k=4, seed=seed))[:, [0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 14]]
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
        table = _from_one(generate(X, "object_subset", m=20, k=4, seed=seed))
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
            "seen every pair. Let PCE fill the gaps, and compare with filling by chance."
        ),
    )


def one_bad():
    X, truth = _blobs_for_labels(6, (90, 80, 70, 60), 1.5)

    def labels(seed):
        table = _from_one(generate(X, "kmeans_random_k", m=10, seed=seed))
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
            "Base clustering 7 is pure chance. Watch its weight: a good method finds out by itself whom not to trust."
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


def all_sets() -> list[DataSet]:
    return [
        seven_shapes(),
        five_objects(),
        nine_objects(),
        two_moons(),
        overlapping_blobs(),
        *classics(),
        several_algorithms(),
        thirty_percent_missing(),
        one_bad(),
        no_structure(),
        ten_thousand(),
    ]
