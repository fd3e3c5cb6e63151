"""The scikit-learn face: consensus of a label table, and consensus clustering of features in one go."""

from __future__ import annotations

import dataclasses
from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from .ensemble import FILLINGS, Ensemble
from .errors import InputError
from .generate import generate_ensemble
from .method import History, Method, solve
from .methods import METHODS, RECOMMENDED
from .scores import certainty
from .trust import Trust, agreement, settled

K = 8  # clusters when nobody says how many, as in scikit-learn's KMeans


class _Consensus(ClusterMixin, BaseEstimator):
    """What both faces share: a method by name or as an object, and everything that is known after `fit`."""

    def _seed(self) -> int:
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _asked(self, n_samples: int) -> int:
        """Clusters asked for, or K where nobody says how many; refused where there are fewer objects."""
        k = self.n_clusters
        if n_samples < 2:
            raise InputError(f"{type(self).__name__}: at least two objects are needed, got n_samples={n_samples}.")
        if k is None:
            k = {**({"k": self.method.k} if isinstance(self.method, Method) else {}), **(self.params or {})}.get("k", K)
            if not isinstance(self.method, Method):
                k = min(k, n_samples)
        if isinstance(k, Integral) and int(k) > n_samples:
            raise InputError(f"{type(self).__name__}: {k} clusters need as many objects, got n_samples={n_samples}.")
        return k

    def _method(self, ensemble: Ensemble, seed: int) -> Method:
        params, me = dict(self.params or {}), type(self).__name__
        if not isinstance(self.method, Method) and not (isinstance(self.method, str) and self.method in METHODS):
            raise InputError(
                f"{me}: method must be a Method or one of {', '.join(map(repr, METHODS))}, got {self.method!r}."
            )
        cls = type(self.method) if isinstance(self.method, Method) else METHODS[self.method]
        known = [declared.name for declared in cls.params()]
        if unknown := [name for name in params if name not in known]:
            raise InputError(f"{me}: {cls.name()} has no parameter {unknown[0]!r}; it has {', '.join(known)}.")
        if self.n_clusters is not None and params.setdefault("k", self.n_clusters) != self.n_clusters:
            raise InputError(f"{me}: n_clusters={self.n_clusters!r} and params['k']={params['k']!r} contradict.")
        if isinstance(self.method, Method):
            return dataclasses.replace(self.method, **params)
        own_seed = {"seed": seed} if "seed" in known else {}
        method, self.tried_ = settled(cls, ensemble, {"k": min(K, ensemble.q), **own_seed, **params})
        return method

    def _solve(self, ensemble: Ensemble, seed: int):
        if self.filling is not None:
            ensemble = ensemble.filled(self.filling, seed)
        method = self._method(ensemble, seed)
        if ensemble.has_missing and not method.handles_missing:
            raise InputError(
                f"{type(self).__name__}: {method.name()} cannot take missing labels. Have them filled first: "
                f"filling={', '.join(map(repr, FILLINGS[:-1]))} or {FILLINGS[-1]!r}."
            )
        self.ensemble_ = ensemble
        self.method_ = method
        self.history_ = History(method, ensemble)
        self.result_ = solve(method, ensemble, history=self.history_)
        self.labels_ = np.array(self.result_.labels)
        self.n_iter_ = self.result_.iterations
        self.objective_ = self.result_.objective
        return self

    @property
    def confidence_(self) -> np.ndarray:
        """(n,) the certainty of each object, as on every screen and in every file: how often it is together with the
        others of its cluster, less how often with those of the nearest other one (`scores.certainty`)."""
        return self.ensemble_.expand(certainty(self.ensemble_, self.result_.raw).margin)

    @property
    def agreement_(self) -> Trust:
        """How far sound methods agree on this ensemble, whatever method was fitted: `.value`, `.level` ("high",
        "middling", "low"), `.meaning` (`trust.agreement`). They run when it is first asked for."""
        known = getattr(self, "_agreement", None)
        if known is None or known[0] is not self.result_:
            known = self._agreement = (self.result_, agreement(self.ensemble_, int(self.result_.raw.max()) + 1))
        return known[1]


class ConsensusClusterer(_Consensus):
    """One clustering from many: `fit` takes a table of base labels, a row per object, a column per base clustering.

    Labels may be whole numbers, floats or text; NaN, None, "" and −1 are missing.

    Parameters
    ----------
    method : name of a method (a key of METHODS) or a Method
    n_clusters : clusters wanted; None: the Method's own k; for a name 8, or fewer where fewer groups can be told apart
    params : further parameters of the method, as a dict; SPCE's {"theta": "auto"} is chosen by the ensemble
    filling : None (missing labels are left to the method), or how they are filled: "random", "nearest", "own cluster"
    random_state : seed of what is random in a method or a filling

    After `fit`: labels_, n_iter_, objective_, history_, confidence_, agreement_, ensemble_, result_.
    """

    def __init__(self, method=RECOMMENDED, n_clusters=None, *, params=None, filling=None, random_state=None):
        self.method = method
        self.n_clusters = n_clusters
        self.params = params
        self.filling = filling
        self.random_state = random_state

    def fit(self, X, y=None):
        """X (n, m): base labels. `y` is not looked at."""
        names = [str(name) for name in X.columns] if hasattr(X, "columns") else None
        twice = names is not None and len(set(names)) < len(names)  # scikit-learn refuses such names; we need not
        checked = validate_data(self, np.asarray(X) if twice else X, dtype=None, ensure_all_finite="allow-nan")
        self._asked(len(checked))
        # the table as given: one array of it might have no mask, fewer digits, or numbers as text
        return self._solve(Ensemble.from_labels(X, names=names), self._seed())

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


class EnsembleClusterer(_Consensus):
    """Consensus clustering of features: base clusterings are generated first, then combined.

    Parameters
    ----------
    method : name of a method (a key of METHODS) or a Method
    n_clusters : clusters wanted; None: the Method's own k; for a name 8, or fewer where fewer groups can be told apart
    n_base : base clusterings generated
    recipe : how they are generated: a key of consensus_core.generate.RECIPES, or a mix [(key, how many), …]
    scaling : "raw", "unit rows", "z-score" or "min-max"
    params : further parameters of the method, as a dict; SPCE's {"theta": "auto"} is chosen by the ensemble
    filling : None, or how labels that a recipe leaves missing are filled: "random", "nearest", "own cluster"
    n_jobs : workers for the base clusterings; the answer does not depend on it
    random_state : seed of everything that is random

    After `fit`: labels_, n_iter_, objective_, history_, confidence_, agreement_, ensemble_, result_.
    """

    def __init__(
        self,
        method=RECOMMENDED,
        n_clusters=None,
        *,
        n_base=20,
        recipe="kmeans_random_k",
        scaling="raw",
        params=None,
        filling=None,
        n_jobs=1,
        random_state=None,
    ):
        self.method = method
        self.n_clusters = n_clusters
        self.n_base = n_base
        self.recipe = recipe
        self.scaling = scaling
        self.params = params
        self.filling = filling
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y=None):
        """X (n, p): features. `y` is not looked at."""
        if np.ma.is_masked(X):
            raise InputError("EnsembleClusterer: features must all be there, but some of X are masked.")
        X = validate_data(self, X, dtype=np.float64)
        k, seed = self._asked(len(X)), self._seed()
        ensemble = generate_ensemble(
            X, self.recipe, m=self.n_base, k=k, seed=seed, scaling=self.scaling, n_jobs=self.n_jobs
        )
        return self._solve(ensemble, seed)
