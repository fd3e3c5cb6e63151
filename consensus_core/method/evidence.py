"""Why two objects are alike: the equations of similarities, for every method that begins with one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble.incidence import contingency
from ..linalg.trajectories import trajectory
from ..numbers import counted
from ..similarity import trajectory_walk
from .method import Method
from .telling import At, Told, tells


def share(at: At, case: str = "") -> Told:
    """together / seen, the co-association; 0 where no base clustering has seen both."""
    if at.pair.unseen:
        return at.given(0, at.of_strangers)
    words = "{together} of the {seen} base clusterings with a label for both put {i} and {j} together."
    return at.terms(case, together=at.now("together"), seen=at.now("seen"), words=words)


def distance(at: At, name: str, when: int = 0, said: str = "") -> Told:
    """norm(y_i - y_j)**2: how far apart two objects are in an embedding, now or (−1) at the step before."""
    one, other = (at.row(name, thing, None, when=when) for thing in (at.i, at.j))
    if np.abs(one.values - other.values).max() <= one.floor:
        return at.given(0, f"{name}{said} has {{i}} and {{j}} at the same place.")
    letters = zip(at.equation.formula.names, (one, other), strict=True)
    return at.terms(**dict(letters), words=f"{name}{said} holds {{i}} and {{j}} apart.")


def weighted_share(at: At, case: str = "") -> Told:
    """Σ_t ECI[t] same[t] / seen: each cluster that holds both counts with its index."""
    if at.pair.unseen:
        return at.given(0, at.of_strangers)
    ensemble = at.ensemble
    clusters = ensemble.offsets[:-1] + np.maximum(ensemble.rows[at.p], 0)
    words = (
        "{together} of {seen} base clusterings put {i} and {j} together; each such cluster counts with its index ECI."
    )
    return at.terms(
        case, ECI=at.row("ECI", None, some=clusters), same=at.same, seen=at.now("seen"), together=at.now("together"),
        words=words,
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class LocallyWeighted(Method):
    """Methods in which a cluster counts by how far the ensemble agrees with it. `theta` is a dial of theirs."""

    @tells(
        "ECI",
        "exp(-entropy / (θ*m))",
        letter="ECI",
        axes=("hyperedge",),
        meaning="ensemble-driven cluster index: near 1 where the other base clusterings keep a cluster whole",
    )
    def why_ECI(self, at: At) -> Told:
        words = "The other base clusterings tear {e} by {entropy} bits in all: the more, the less it counts."
        return at.terms(entropy=at.now("entropy"), θ=at.param("theta"), m=at.m, words=words)

    @tells("entropy", "sum(p[l] * log2(1 / p[l]), l)", letter="entropy", axes=("hyperedge",),
           meaning="how far the base clusterings tear a cluster, in bits")  # fmt: skip
    def why_entropy(self, at: At) -> Told:
        ensemble = at.ensemble
        shared = np.asarray(contingency(ensemble)[[at.e], :].todense()).ravel()
        owner = np.repeat(np.arange(ensemble.m), ensemble.k_each)
        whole = np.bincount(owner, weights=shared, minlength=ensemble.m)[owner]
        others = np.flatnonzero(shared)

        def term(k: int):
            both = f"{shared[others[k]]:,.0f} of {whole[others[k]]:,.0f} objects of "
            end = both, ("hyperedge", at.e), " are in ", ("hyperedge", int(others[k])), "."
            return at.labels(p[k], "share of the cluster's objects that are in another cluster", *end)

        p = shared[others] / whole[others]
        words = "The objects of {e} are spread over the clusters of all base clusterings; 0 bits: nowhere torn."
        return at.terms(p=at.rows(p, term, tuple(others.tolist())), words=words)


def cosine_of_walks(at: At, case: str = "") -> Told:
    """dot(R_i, R_j) / (norm(R_i) norm(R_j)): how alike the ways of two walkers are."""
    if at.pair.alike:
        return at.given(1, at.of_equals)
    one, other, steps = trajectories(at.ensemble, at.i, at.j)

    def way(of):
        return at.rows(
            of, lambda k: at.constant(of[k], "where a walker from the object is, by its links to its nearest")
        )

    say = {"value > 0.9": "nearly the same way", "value <= 0.9 and value > 0.1": "partly the same way",
           "value <= 0.1": "different ways"}  # fmt: skip
    words = (
        f"Two walkers that start at {{i}} and {{j}} and make {counted(steps, 'step')} along strong links go {{alike}}."
    )
    return at.terms(case, R_i=way(one), R_j=way(other), alike=say, words=words)


def trajectories(ensemble, i: int, j: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Where two walkers are after 1, 2, … steps, one after the other, and how many steps they make."""
    Q, steps = trajectory_walk(ensemble)
    one, two = (trajectory(Q, ensemble.microcluster_of(x), steps).ravel() for x in (i, j))
    return one, two, steps
