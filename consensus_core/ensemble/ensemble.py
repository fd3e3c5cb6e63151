"""An ensemble: what many clusterings say about the same objects, stored as its distinct label rows.

Objects that got the same label in every base clustering (missing ones included) are interchangeable, so n objects
are kept as q microclusters: `rows` (q, m), how many objects share each (`counts`), and whose row each object has
(`member_of`). Rows stand in an order that neither the names of clusters nor the order of objects or columns decide.

Methods work on the `canonical` form of an ensemble: the same rows with columns and codes in such an order too.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import numpy as np

from ..errors import InputError
from ..showing import card
from .distinct import Distinct, distinct_rows
from .filling import nearest_labels
from .labels import EXACT, MISSING, Encoded, encoded, read_only, without_masked
from .order import Order, canonical_order
from .pair import Pair
from .representatives import representatives

FILLINGS = ("random", "nearest", "own cluster")


class StandsFor(NamedTuple):
    """How an ensemble of counted files came from another of them."""

    other: Ensemble
    place: np.ndarray  # (q of the other,) the row that each of its rows has here
    call: str  # "represented(400)"


@dataclass(frozen=True, eq=False, repr=False)
class Ensemble:
    """q distinct label rows with multiplicities, and who has which. Frozen, read-only, equal when the content is."""

    rows: np.ndarray  # (q, m) int32 codes 0 .. k_i − 1 within each column, MISSING where there is no label
    counts: np.ndarray  # (q,) int64
    member_of: np.ndarray | None  # (n,) int32; None when only counts are known
    names: tuple[str, ...]  # (m,)
    truth: np.ndarray | None = None  # (n,) as given
    labels_given: tuple[np.ndarray, ...] | None = None  # for each column (k_i,) the label that each code stands for
    order: Order | None = None  # of columns and codes, where it is known already
    as_given: np.ndarray | None = None  # (m,) in a canonical form: where each column stands that a person gave

    # beside its content: the `Files` it was counted from; and where it is not what was counted, what it was made from
    files: ClassVar = None
    stands_for: ClassVar[StandsFor | None] = None

    def __post_init__(self):
        for name in ("rows", "counts", "member_of", "truth"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, read_only(getattr(self, name)))

    @classmethod
    def from_labels(cls, table, names=None, truth=None) -> Ensemble:
        """From one row per object and one column per base clustering.

        Labels may be whole numbers, floats or strings. NaN, None, "" and −1 are missing.

        >>> Ensemble.from_labels([["a", 1], ["a", 1], ["b", 2], ["b", None]])
        Ensemble(n=4, m=2, q=3, missing=12.5%)
        """
        code = encoded(table)
        found = distinct_rows(code.table)
        names = _names(names, code.names)
        return cls._of(found, code, found.member_of, names, _truth(truth, len(found.member_of)))

    @classmethod
    def from_counts(cls, rows, counts, names=None) -> Ensemble:
        """From distinct rows and how many objects share each: no array over objects at all."""
        code = encoded(rows)
        counts = np.asarray(counts)
        if counts.shape != (len(code.table),):
            raise InputError(
                f"There must be one count per row: {len(code.table)} rows, counts of shape {counts.shape}."
            )
        if not np.issubdtype(counts.dtype, np.integer) or (counts < 1).any():
            raise InputError("Counts must be whole numbers of at least 1: each says how many objects share a row.")
        if sum(counts.tolist()) > EXACT:
            raise InputError("All counts together must be at most 2⁵³: beyond that, sums over objects are not exact.")
        return cls._of(distinct_rows(code.table, counts), code, None, _names(names, code.names))

    @classmethod
    def from_files(cls, where, columns=None, ids=None, client=None, processes=None, memory=None, told=None) -> Ensemble:
        """From Parquet or CSV files that need not fit in memory: a folder, a pattern such as "runs/*.parquet", a list.

        Distinct rows are counted piece by piece, in processes of this machine or, with `client` (a Dask client or the
        address of its scheduler), on a cluster. `Result.write` joins the answer back beside the column `ids`.
        """
        from .files import count_files

        return cls.of_counts(count_files(where, columns, ids, client, processes, memory, told))

    @classmethod
    def of_counts(cls, found) -> Ensemble:
        """What `count_files` has counted."""
        distinct = found.distinct
        return cls(
            distinct.rows, distinct.counts, None, found.files.columns, None, found.labels, distinct.order
        ).counted_from(found.files)

    def counted_from(self, files) -> Ensemble:
        """The same, which knows the files it was counted from."""
        object.__setattr__(self, "files", files)
        return self

    @classmethod
    def _of(cls, found: Distinct, code: Encoded, member_of, names, truth=None) -> Ensemble:
        labels = found.values if code.labels is None else tuple(
            label[value] for label, value in zip(code.labels, found.values, strict=True)
        )  # fmt: skip
        return cls(found.rows, found.counts, member_of, names, truth, labels, found.order)

    @functools.cached_property
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

    @functools.cached_property
    def offsets(self) -> np.ndarray:
        """Where each base clustering's clusters begin when all are numbered through: (m + 1,)."""
        return read_only(np.concatenate([[0], np.cumsum(self.k_each)]))

    @property
    def K(self) -> int:
        """How many clusters all base clusterings have together."""
        return int(self.offsets[-1])

    def cluster(self, number: int) -> tuple[int, int]:
        """Base clustering and code of a cluster by its number among all."""
        i = int(np.searchsorted(self.offsets, number, side="right")) - 1
        return i, int(number - self.offsets[i])

    @functools.cached_property
    def weights(self) -> np.ndarray:
        """The counts as floats: (q,)."""
        return read_only(self.counts.astype(float))

    @functools.cached_property
    def first_of(self) -> np.ndarray:
        """(q,) one object of each microcluster: the first."""
        if self.member_of is None:
            return read_only(np.cumsum(self.counts) - self.counts)
        first = np.empty(self.q, dtype=np.intp)
        first[self.member_of[::-1]] = np.arange(self.n)[::-1]
        return read_only(first)

    def objects_of(self, p: int) -> np.ndarray:
        """The objects of a microcluster."""
        if self.member_of is None:
            return self.first_of[p] + np.arange(self.counts[p])
        return np.flatnonzero(self.member_of == p)

    def pair(self, i: int, j: int) -> Pair:
        """What the base clusterings say of two objects."""
        return Pair(self, i, j, self.microcluster_of(i), self.microcluster_of(j))

    # --- the form in which names and places decide nothing ----------------------------------------------------

    @functools.cached_property
    def canonical(self) -> Ensemble:
        """The same rows, with columns and codes in an order that neither names nor places decide."""
        if self.as_given is not None:
            return self
        order = self._order
        place = np.empty(self.m, dtype=np.intp)
        place[order.sequence] = np.arange(self.m)
        labels = self.labels_given and tuple(
            self.labels_given[i][np.argsort(order.ranks[i], kind="stable")] for i in order.sequence
        )
        names = tuple(self.names[i] for i in order.sequence)
        return Ensemble(
            read_only(order.codes(self.rows)), self.counts, self.member_of, names, self.truth, labels,
            as_given=read_only(place),
        )  # fmt: skip

    @functools.cached_property
    def _order(self) -> Order:
        return self.order or canonical_order(self.rows.T + 1, self.counts, self.k_each)

    def inward(self, axis: str) -> np.ndarray | None:
        """Where each thing of this ensemble stands in the canonical form; None where it is the same place."""
        if self.as_given is not None or axis not in ("clustering", "hyperedge"):
            return None
        return self._inward[axis]

    @functools.cached_property
    def _inward(self) -> dict[str, np.ndarray]:
        order, starts = self._order, self.canonical.offsets
        place = self.canonical.as_given
        assert place is not None  # a canonical form knows where its columns stood
        clusters = [starts[place[i]] + order.ranks[i] for i in range(self.m)]
        return {"clustering": place, "hyperedge": np.concatenate(clusters) if clusters else np.zeros(0, dtype=np.intp)}

    def outward(self, axis: str, index: int) -> int:
        """The number here of a thing of the canonical form."""
        inward = self.inward(axis)
        return int(index) if inward is None else int(np.flatnonzero(inward == index)[0])

    def label_name(self, t: int, code: int) -> str:
        """A cluster of a base clustering as the person's own table calls it."""
        if self.labels_given is None:
            return str(code + 1)
        label = self.labels_given[t][code]
        return f"{label:g}" if isinstance(label, float) else str(label)

    def codes_by_name(self, t: int) -> np.ndarray:
        """The codes of a base clustering in the order of their names."""
        return np.arange(self.k_each[t]) if self.labels_given is None else np.argsort(self.labels_given[t])

    def labels_outward(self, codes: np.ndarray) -> np.ndarray:
        """Labels (q, m) of the canonical form, with columns and codes as this ensemble has them."""
        return codes if self.as_given is not None else self._order.codes_given(codes)

    @functools.cached_property
    def missing(self) -> np.ndarray:
        """(q, m): where a label is missing."""
        return read_only(self.rows == MISSING)

    @functools.cached_property
    def has_missing(self) -> bool:
        return bool(self.missing.any())

    @property
    def missing_share(self) -> float:
        """The share of all labels, counted over objects, that is missing."""
        return float(self.counts @ self.missing.mean(axis=1)) / self.n if self.has_missing else 0.0

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
        names = tuple(self.names[i] for i in clusterings)
        labels = self.labels_given and tuple(self.labels_given[i] for i in clusterings)
        return self._with_rows(self.rows[:, clusterings], names, labels, f"select({clusterings})")

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
        return self._with_rows(rows, self.names, self._labels_of(rows), f"filled({how!r})")

    def represented(self, rows: int) -> Ensemble:
        """The same objects under at most so many distinct rows: an approximation for where rows hardly repeat.

        Rows chosen by their counts and distances stay as they are; every other object takes the labels of the one it
        agrees with most. What is chosen hangs on neither names nor order.
        """
        if rows < 1:
            raise InputError(f"At least 1 row must stand for the others, not {rows}.")
        if rows >= self.q:
            return self
        alike = self.canonical
        chosen, nearest = representatives(alike.rows, alike.counts, rows)
        found = distinct_rows(self.rows[chosen][nearest], self.counts)
        labels = self.labels_given  # those that no row has any more are gone
        labels = labels and tuple(given[value] for given, value in zip(labels, found.values, strict=True))
        member_of = None if self.member_of is None else found.member_of[self.member_of]
        part = Ensemble(found.rows, found.counts, member_of, self.names, self.truth, labels, found.order)
        return self._made(part, found.member_of, f"represented({rows})")

    def _made(self, part: Ensemble, place: np.ndarray, call: str) -> Ensemble:
        """Of counted files the way back to them is kept."""
        if self.files is not None:
            object.__setattr__(part.counted_from(self.files), "stands_for", StandsFor(self, place, call))
        return part

    def _filled_at_random(self, seed: int) -> Ensemble:
        table = self.labels()
        rng = np.random.default_rng(seed)
        for column, k in zip(table.T, self.k_each, strict=True):
            absent = column == MISSING
            column[absent] = rng.integers(k, size=int(absent.sum()))
        filled = Ensemble.from_labels(table, self.names, self.truth)
        return replace(filled, labels_given=self.labels_given)

    def _with_rows(self, rows, names, labels, call: str) -> Ensemble:
        """Other labels of the same microclusters, some of which may have become alike."""
        found = distinct_rows(rows, self.counts)
        member_of = None if self.member_of is None else found.member_of[self.member_of]
        part = Ensemble(found.rows, found.counts, member_of, names, self.truth, labels, found.order)
        return self._made(part, found.member_of, call)

    def _labels_of(self, rows) -> tuple[np.ndarray, ...] | None:
        """The labels given, and for clusters that were added, their numbers."""
        if self.labels_given is None or rows.shape != self.rows.shape:
            return None
        labels = []
        for given, column in zip(self.labels_given, rows.T, strict=True):
            more = [f"filled {c + 1}" for c in range(int(column.max(initial=-1)) + 1 - len(given))]
            labels.append(np.concatenate([given.astype(object), more]) if more else given)
        return tuple(labels)

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

    def _repr_html_(self) -> str:
        many = f" and {self.m - 8} more" if self.m > 8 else ""
        return card(
            "Ensemble",
            {
                "objects": f"{self.n:,}, of which the base clusterings tell {self.q:,} apart",
                "base clusterings": f"{self.m:,}: {', '.join(self.names[:8])}{many}",
                "clusters in each": f"{self.k_each.min():,} to {self.k_each.max():,}",
                "missing labels": f"{float(self.counts @ self.missing.mean(axis=1)) / self.n:.1%}",
                "truth": "" if self.truth is None else "known",
            },
        )

    def __repr__(self) -> str:
        return f"Ensemble(n={self.n}, m={self.m}, q={self.q}, missing={self.missing_share:.1%})"

    def __reduce__(self):
        # built anew when unpickled, so that its arrays are read-only there too
        more = (self.labels_given, self.order, self.as_given)
        return Ensemble, (self.rows, self.counts, self.member_of, self.names, self.truth, *more)


def _names(given, found) -> tuple[str, ...]:
    if given is None:
        return tuple(found)
    if not np.iterable(given):
        raise InputError(
            f"Names must be given as a list, one for each of the {len(found)} base clusterings; got {given!r}."
        )
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
