"""Features as clustering needs them: a finite table of numbers, scaled as asked."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..errors import InputError

SCALINGS = ("raw", "unit rows", "z-score", "min-max")


def checked_features(features) -> np.ndarray:
    """(n, p) float64, finite, at least two objects that differ; else a sentence that says where and what to do."""
    names = [str(c) for c in features.columns] if isinstance(features, pd.DataFrame) else None
    if isinstance(features, pd.DataFrame):
        for position, name in enumerate(names):
            column = features.iloc[:, position]
            if not (pd.api.types.is_numeric_dtype(column) or column.map(_is_number).all()):
                raise InputError(
                    f"Features: column {name!r} is not numeric. Leave it out, or use it as the objects' ids or truth."
                )
        features = features.to_numpy(dtype=float, na_value=np.nan)
    if np.ma.is_masked(features):
        features = features.astype(float).filled(np.nan)
    try:
        X = np.asarray(features)
        if X.dtype.kind == "c":
            raise TypeError
        X = X.astype(float)
    except (TypeError, ValueError):
        raise InputError(
            "Features must be a table of real numbers: one row per object, one column per feature, all of one length."
        ) from None
    if X.ndim != 2 or X.shape[1] == 0:
        raise InputError(
            f"Features must be a table with one row per object and one column per feature, got shape {X.shape}."
        )
    if len(X) < 2:
        raise InputError(f"At least two objects are needed to make base clusterings, got {len(X)}.")
    if not np.isfinite(X).all():
        row, column = np.argwhere(~np.isfinite(X))[0]
        where = repr(names[column]) if names else str(column + 1)
        what = "is missing" if np.isnan(X[row, column]) else "is infinite"
        raise InputError(
            f"Features: the value in row {row + 1}, column {where} {what}. "
            "Every value must be a finite number: fill it in, or drop that row or column."
        )
    if not (X != X[0]).any():
        raise InputError("Features: all objects are the same, so there is nothing to cluster.")
    return X


def _is_number(value) -> bool:
    return value is None or (isinstance(value, (int, float, np.number)) and not isinstance(value, bool))


def level(X: np.ndarray) -> np.ndarray:
    """X times a power of two that brings its greatest entry near 1: squares neither overflow nor vanish, and every
    recipe gives the same answer for data in metres and in parsecs."""
    _, exponent = np.frexp(np.abs(X).max())
    return np.ldexp(X, -exponent)


def scaled(X: np.ndarray, how: str) -> np.ndarray:
    """A scaled copy of checked features.

    "raw"        as they are, but for a common factor
    "unit rows"  every object divided by its Euclidean length (directions only; an object of zeros stays where it is)
    "z-score"    every feature less its mean, divided by its standard deviation
    "min-max"    every feature moved to [0, 1]
    A feature that is the same for all objects becomes zero under the last two: it tells nothing apart.
    """
    if how not in SCALINGS:
        raise InputError(f"Scaling must be one of {', '.join(map(repr, SCALINGS))}, got {how!r}.")
    X = level(X)
    if how == "raw":
        return X
    if how == "unit rows":
        greatest = np.abs(X).max(axis=1, keepdims=True)  # first, so that squares do not vanish
        X = X / np.where(greatest > 0, greatest, 1)
        length = np.sqrt(np.einsum("ij,ij->i", X, X))[:, None]
        X = X / np.where(length > 0, length, 1)
        if np.ptp(X, axis=0).max() < 1e-12:
            raise InputError(
                "Features: all objects point the same way, so with scaling 'unit rows' there is nothing to cluster; "
                "take another scaling."
            )
        return X
    constant = (X == X[0]).all(axis=0)
    X = X / np.where(constant, 1, np.abs(X).max(axis=0))
    if how == "z-score":
        centre, spread = np.where(constant, X[0], X.mean(axis=0)), X.std(axis=0)
    else:
        centre, spread = X.min(axis=0), np.ptp(X, axis=0)
    return (X - centre) / np.where(constant | (spread == 0), 1, spread)
