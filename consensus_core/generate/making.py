"""From features and a recipe, or a mix of recipes, to a table of base labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Integral

import numpy as np

from ..ensemble import MISSING, Ensemble
from ..errors import InputError, TooLarge
from ..method import Cost, available_bytes
from ..method.cost import in_words
from ..numbers import bytes_in_words
from .features import checked_features, scaled
from .recipe import Material, Recipe
from .recipes import RECIPES
from .threads import checked_jobs, share_out

Mix = Sequence[tuple[str | Recipe, int]]


def generate(
    features,
    recipe: str | Recipe | Mix = "kmeans_random_k",
    m: int = 20,
    k: int | None = None,
    seed: int = 0,
    scaling: str = "raw",
    n_jobs: int = 1,
    progress: Callable[[int, int, str], object] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> np.ndarray:
    """m base clusterings of the rows of features: labels (n, m), MISSING where a recipe left an object out.

    recipe     a key of RECIPES, a Recipe with its own parameters, or a mix [(recipe, how many), …], whose sum is m
    k          clusters per base clustering, for recipes that take it; None lets those draw it that can, and
               "kmeans_random_k" always draws
    seed       each base clustering has its own stream, so the first ten of twenty are the ten of m = 10, and n_jobs
               changes nothing but the time
    scaling    one of SCALINGS
    progress   called as progress(done, m, name) in this thread
    cancel     asked twenty times a second; when it returns True, errors.Cancelled is raised at once
    """
    return _made(features, recipe, m, k, seed, scaling, n_jobs, progress, cancel)[0]


def generate_ensemble(
    features,
    recipe: str | Recipe | Mix = "kmeans_random_k",
    m: int = 20,
    k: int | None = None,
    seed: int = 0,
    scaling: str = "raw",
    n_jobs: int = 1,
    progress: Callable[[int, int, str], object] | None = None,
    cancel: Callable[[], bool] | None = None,
    truth=None,
) -> Ensemble:
    """As `generate`, as an Ensemble whose base clusterings are named like "k-means 7 (k = 13)"."""
    table, names = _made(features, recipe, m, k, seed, scaling, n_jobs, progress, cancel)
    return Ensemble.from_labels(table, names=names, truth=truth)


def estimate(
    features_shape: tuple[int, int], recipe: str | Recipe | Mix = "kmeans_random_k", m=20, k=None, n_jobs=1
) -> Cost:
    """Bytes beyond the features themselves, and CPU seconds, before anything is allocated."""
    n, p = features_shape
    at_once = checked_jobs(n_jobs)
    parts = [(each, count, *each.cost(n, p, k)) for each, count in _checked_mix(recipe, m)]
    shared = sum((common for _, _, common, _ in parts), Cost(0, 0.0))
    total = sum(count for _, count, _, _ in parts)
    working = max(one.bytes for _, _, _, one in parts) * min(at_once, total)
    held = 8 * n * p + 4 * n * total  # the scaled copy, and the answer
    return Cost(
        int(shared.bytes + working + held), shared.seconds + sum(count * one.seconds for _, count, _, one in parts)
    )


def _made(features, recipe, m, k, seed, scaling, n_jobs, progress, cancel) -> tuple[np.ndarray, list[str]]:
    mix, n_jobs = _checked_mix(recipe, m), checked_jobs(n_jobs)
    k = _checked_k(k)
    X = checked_features(features)
    for each, _ in mix:
        each.check(*X.shape, k)
        _must_fit(each, *X.shape, k, n_jobs)
    material = Material(scaled(X, scaling), k)
    plan = [(each, index) for each, count in mix for index in range(count)]
    streams = _seed_sequence(seed).spawn(len(plan))
    table = np.empty((len(X), len(plan)), dtype=np.int32, order="F")

    def make(column, stopped):
        each, index = plan[column]
        labels, remark = each.base_clustering(material, index, np.random.default_rng(streams[column]), stopped)
        table[:, column], found = _numbered_by_first(labels)
        name = f"{each.noun} {column + 1} ({', '.join(filter(None, [f'k = {found}', remark]))})"
        return name, name

    names = share_out(len(plan), make, n_jobs, progress, cancel)
    return np.ascontiguousarray(table), names


def _must_fit(recipe: Recipe, n, p, k, n_jobs) -> None:
    """Refuse, before anything is allocated, what would not fit this machine's memory."""
    room = available_bytes()
    need = estimate((n, p), recipe, n_jobs, k, n_jobs)
    if need.bytes <= room:
        return
    fits = n
    while fits > 2 and estimate((fits, p), recipe, n_jobs, k, n_jobs).bytes > room:
        fits = int(fits * 0.95)
    work = "a base clustering" if n_jobs == 1 else f"{n_jobs} base clusterings at once"
    raise TooLarge(
        f"{recipe.title}: {work} of {n:,} objects takes {in_words(need)}; this machine has {bytes_in_words(room)} to "
        f"spare, enough for about {fits:,} objects. Take fewer objects, or k-means, which needs least."
    )


def _numbered_by_first(labels: np.ndarray) -> tuple[np.ndarray, int]:
    """Clusters numbered 0, 1, … by their first object, and how many there are; MISSING stays."""
    found, first, code = np.unique(labels, return_index=True, return_inverse=True)
    first = np.where(found == MISSING, -1, first)
    rank = np.argsort(np.argsort(first))
    missing = int((found == MISSING).any())
    return rank[code] - missing, len(found) - missing


def _checked_mix(recipe, m) -> list[tuple[Recipe, int]]:
    if isinstance(recipe, (str, Recipe)):
        recipe = [(recipe, m)]
    mix = []
    for part in recipe:
        if not (isinstance(part, (tuple, list)) and len(part) == 2):
            raise InputError(f"A mix is a list of pairs (recipe, how many), got {part!r}.")
        each, count = part
        if isinstance(each, str):
            if each not in RECIPES:
                raise InputError(f"There is no recipe {each!r}; there are {', '.join(RECIPES)}.")
            each = RECIPES[each]
        if not isinstance(each, Recipe):
            raise InputError(f"A recipe is one of {', '.join(RECIPES)} or a Recipe, got {each!r}.")
        if isinstance(count, bool) or not isinstance(count, Integral) or count < 0:
            raise InputError(f"{each.title}: how many base clusterings must be a whole number, got {count!r}.")
        mix.append((each, int(count)))
    if not sum(count for _, count in mix):
        raise InputError("At least one base clustering must be made: m must be at least 1.")
    return [(each, count) for each, count in mix if count]


def _checked_k(k):
    if k is None:
        return None
    if isinstance(k, bool) or not isinstance(k, Integral) or k < 1:
        raise InputError(f"k, the number of clusters, must be a whole number of at least 1, got {k!r}.")
    return int(k)


def _seed_sequence(seed) -> np.random.SeedSequence:
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        raise InputError(f"The seed must be a whole number of at least 0, got {seed!r}.")
    return np.random.SeedSequence(int(seed))
