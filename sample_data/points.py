"""The samples that have features: drawn shapes, and three tables known to everybody."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn import datasets

from sample_data.data_set import FREE, OURS, UCI, DataSet, with_k_means


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
        teaches=("Seven groups of 50 to 220 points, and no single k-means sees them; the votes of twenty do."),
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
