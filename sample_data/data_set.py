"""What a sample is on its way into files, and how most of them get their base clusterings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from consensus_core.ensemble import MISSING
from consensus_core.generate import RECIPES, generate_ensemble

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
    labels: Callable[[int], pd.DataFrame]
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
    seed: int | None = None  # where it is fixed, only the scores are listed that no tie decides
    group: str = ""  # under which heading it is offered


def with_k_means(features, most=0, scaling="raw"):
    """Twenty base clusterings by k-means, k drawn from 2 to √n (or to `most`)."""
    recipe = type(RECIPES["kmeans_random_k"])(most=most)

    def labels(seed):
        made = generate_ensemble(features, recipe, m=20, seed=seed, scaling=scaling)
        return pd.DataFrame(counted_from_one(made.labels()), columns=list(made.names))

    return labels


def counted_from_one(table):
    """Labels 1, 2, …, as people count; MISSING stays."""
    return np.where(table == MISSING, MISSING, table + 1)
