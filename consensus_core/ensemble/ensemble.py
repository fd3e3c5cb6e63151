"""An ensemble: what many clusterings say about the same objects, stored as its distinct label rows.

Objects that got the same label in every base clustering (missing ones included) are interchangeable, so n objects
are kept as q microclusters: `rows` (q, m), how many objects share each (`counts`), and whose row each object has
(`member_of`). Rows stand in lexicographic order, so the order of the objects decides nothing.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from .distinct import distinct_rows
from .filling import nearest_labels
from .labels import MISSING, encoded, read_only, without_masked

EXACT = 2**53  # objects up to which a sum over them is exact in double precision
FILLINGS = ("random", "nearest", "own cluster")


@dataclass(frozen=True, eq=False, repr=False)
class Ensemble:
    """q distinct label rows with multiplicities, and who has which. Frozen, read-only, equal when the content is."""

    rows: np.ndarray  # (q, m) int32 codes 0 .. k_i − 1 within each column, MISSING where there is no label
    counts: np.ndarray  # (q,) int64
    member_of: np.ndarray | None  # (n,) int32; None when only counts are known
    names: tuple[str, ...]  # (m,)
    truth: np.ndarray | None = None  # (n,) as given

    def __post_init__(self):
        for name in ("rows", "counts", "member_of", "truth"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, read_only(getattr(self, name)))

    @classmethod
    def from_labels(cls, table, names=None, truth=None) -> Ensemble:
        """From one row per object and one column per base clustering.

        Labels may be whole numbers, floats or strings. NaN, None, "" and −1 are missing.
        """
        table, found_names = encoded(table)
        rows, counts, member_of = distinct_rows(table)
        return cls(rows, counts, member_of, _names(names, found_names), _truth(truth, len(member_of)))

    @classmethod
    def from_counts(cls, rows, counts, names=None) -> Ensemble:
        """From distinct rows and how many objects share each: no array over objects at all."""
        table, found_names = encoded(rows)
        counts = np.asarray(counts)
        if counts.shape != (len(table),):
            raise InputError(f"There must be one count per row: {len(table)} rows, counts of shape {counts.shape}.")
        if not np.issubdtype(counts.dtype, np.integer) or (counts < 1).any():
            raise InputError("Counts must be whole numbers of at least 1: each says how many objects share a row.")
        if sum(counts.tolist()) > EXACT:
            raise InputError("All counts together must be at most 2⁵³: beyond that, sums over objects are not exact.")
        rows, _, member_of = distinct_rows(table)
        merged = np.zeros(len(rows), dtype=np.int64)
        np.add.at(merged, member_of, counts)
        return cls(rows, merged, None, _names(names, found_names))

    @property
    def n(self) -> int:
        return int(self.counts.sum())

    @property
    def q(self) -> int:
        return self.rows.shape[0]

    @property
    def m(self) -> int:
        return self.rows.shape[1]

    @functools.cached_property
    def k_each(self) -> np.ndarray:
        """How many clusters each base clustering has: (m,)."""
        return read_only(self.rows.max(axis=0).astype(np.int64) + 1)

    @property
    def offsets(self) -> np.ndarray:
        """Where each base clustering's clusters begin when all are numbered through: (m + 1,)."""
        return np.concatenate([[0], np.cumsum(self.k_each)])

    @functools.cached_property
    def missing(self) -> np.ndarray:
        """(q, m): where a label is missing."""
        return read_only(self.rows == MISSING)

    @property
    def has_missing(self) -> bool:
        return bool(self.missing.any())

    @functools.cached_property
    def never_observed(self) -> np.ndarray:
        """(q,): microclusters without a single label. Nothing is known about their objects."""
        return read_only(self.missing.all(axis=1))

    def expand(self, values) -> np.ndarray:
        """From one value per microcluster to one per object."""
        values = np.asarray(values)
        return np.repeat(values, self.counts, axis=0) if self.member_of is None else values[self.member_of]

    def microcluster_of(self, index: int) -> int:
        """The row of object `index` (0 .. n − 1)."""
        if not 0 <= index < self.n:
            raise InputError(f"There are {self.n} objects, numbered from 0; object {index} is not among them.")
        if self.member_of is not None:
            return int(self.member_of[index])
        return int(np.searchsorted(np.cumsum(self.counts), index, side="right"))

    def labels(self) -> np.ndarray:
        """The label table again: (n, m) codes."""
        return self.expand(self.rows)

    def select(self, clusterings) -> Ensemble:
        """The same objects under some of the base clusterings only."""
        clusterings = self._chosen(clusterings)
        names = [self.names[i] for i in clusterings]
        if self.member_of is None:
            return Ensemble.from_counts(self.rows[:, clusterings], self.counts, names)
        part = Ensemble.from_labels(self.rows[:, clusterings], names)
        return Ensemble(
            part.rows,
            np.bincount(part.member_of[self.member_of], minlength=part.q),
            part.member_of[self.member_of],
            part.names,
            self.truth,
        )

    def _chosen(self, clusterings) -> list[int]:
        """Base clusterings by number, by name, or as one True or False for each."""
        chosen = np.atleast_1d(np.asarray(clusterings))
        if chosen.dtype == bool and len(chosen) == self.m:
            return np.flatnonzero(chosen).tolist()
        numbers = []
        for one in chosen.tolist():
            if isinstance(one, str) and one in self.names:
                one = self.names.index(one)
            if type(one) is not int or not -self.m <= one < self.m:
                raise InputError(
                    f"There are {self.m} base clusterings, numbered from 0 and named {', '.join(self.names[:5])}"
                    f"{', …' if self.m > 5 else ''}; {one!r} is not among them."
                )
            numbers.append(one)
        return numbers

    def filled(self, how: str = "nearest", seed: int = 0) -> Ensemble:
        """The same ensemble without missing labels, for methods that cannot take them.

        "random": each missing label becomes one of its base clustering's labels by chance (the PCE paper's baseline);
        "nearest": the label most common among the rows that agree best on the labels both have;
        "own cluster": objects that lack a label form a cluster of their own, one per microcluster.
        """
        if how not in FILLINGS:
            raise InputError(f"Missing labels can be filled by {', '.join(map(repr, FILLINGS))}, not {how!r}.")
        if not self.has_missing:
            return self
        if self.missing.all(axis=0).any() and how != "own cluster":
            name = self.names[int(self.missing.all(axis=0).argmax())]
            raise InputError(
                f"Base clustering {name!r} has no label at all, so there is nothing to fill it from; leave it out."
            )
        if how == "random":
            return self._filled_at_random(seed)
        if how == "nearest":
            rows = nearest_labels(self.rows, self.counts)
        else:
            own = self.k_each + np.cumsum(self.missing, axis=0) - 1
            rows = np.where(self.missing, own, self.rows)
        return self._with_rows(rows)

    def _filled_at_random(self, seed: int) -> Ensemble:
        table = self.labels()
        rng = np.random.default_rng(seed)
        for column, k in zip(table.T, self.k_each, strict=True):
            absent = column == MISSING
            column[absent] = rng.integers(k, size=int(absent.sum()))
        return Ensemble.from_labels(table, self.names, self.truth)

    def _with_rows(self, rows) -> Ensemble:
        if self.member_of is None:
            return Ensemble.from_counts(rows, self.counts, self.names)
        part = Ensemble.from_labels(rows)
        member_of = part.member_of[self.member_of]
        return Ensemble(part.rows, np.bincount(member_of, minlength=part.q), member_of, self.names, self.truth)

    @functools.cached_property
    def fingerprint(self) -> str:
        """A hash of everything in it: two ensembles are equal exactly when theirs are."""
        digest = hashlib.blake2b(digest_size=16)
        for part in (self.rows, self.counts, self.member_of, self.truth):
            if part is None:
                digest.update(b"none")
            elif part.dtype == object:
                digest.update(repr(part.tolist()).encode())
            else:
                digest.update(f"{part.dtype.str}{part.shape}".encode())
                digest.update(np.ascontiguousarray(part).view(np.uint8).data)  # dates have no buffer of their own
        digest.update(repr(self.names).encode())
        return digest.hexdigest()

    def __eq__(self, other) -> bool:
        return isinstance(other, Ensemble) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        missing = float(self.counts @ self.missing.mean(axis=1)) / self.n
        return f"Ensemble(n={self.n}, m={self.m}, q={self.q}, missing={missing:.1%})"

    def __reduce__(self):
        # built anew when unpickled, so that its arrays are read-only there too
        return Ensemble, (self.rows, self.counts, self.member_of, self.names, self.truth)


def _names(given, found) -> tuple[str, ...]:
    if given is None:
        return tuple(found)
    names = tuple(str(name) for name in given)
    if len(names) != len(found):
        raise InputError(f"There are {len(found)} base clusterings but {len(names)} names.")
    return names


def _truth(truth, n: int) -> np.ndarray | None:
    if truth is None:
        return None
    if isinstance(truth, np.ma.MaskedArray):
        truth = without_masked(truth)
    try:
        truth = np.array(truth)
    except ValueError:
        raise InputError(f"The truth must have one label for each of the {n} objects, not lists of them.") from None
    if truth.dtype.kind == "U":
        truth = truth.astype(object)
    if truth.shape != (n,):
        raise InputError(f"The truth must have one label for each of the {n} objects, got shape {truth.shape}.")
    return truth
