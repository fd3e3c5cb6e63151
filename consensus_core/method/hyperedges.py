"""What hyperedges say of objects: sizes, places, links; for methods that learn a hypergraph."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.incidence import cluster_sizes, contingency, incidence
from ..linalg.hypergraph import TINY
from .method import Method, State
from .quantities import Incidence, Weights, derived
from .telling import At, Row, Term, Told, tells

CORRELATION = "dot(w - mean_w, x - mean_x) / (norm(w - mean_w) * norm(x - mean_x))"


# fmt: off
@dataclass(frozen=True, kw_only=True)
class Hyperedges(Method):
    """Methods whose states have a hypergraph: Y (q, K), the weights w (K,) of its hyperedges, and F (q, c), the places
    of the objects. L = I − D_v^−½ Y W D_e⁻¹ Yᵀ D_v^−½, or D_v − Y W D_e⁻¹ Yᵀ where it is not `normalised`."""

    @property
    def normalised(self) -> bool:
        return True

    @derived("H", "given hypergraph: which object is in which base cluster", equation="(1)", span=(0, 1))
    def H(self, ensemble: Ensemble, state: State) -> Incidence:
        return incidence(ensemble).toarray()

    @tells("H", "it")
    def why_H(self, at: At) -> Told:
        return membership(at)

    @derived("d_v", "how strongly each object is tied: the weights of its hyperedges", equation="(5)", axes=("object",))
    def dv(self, ensemble: Ensemble, state: State) -> Weights:
        return state.Y @ state.w

    @tells("dv", "sum(Y[e]*w[e], e)")
    def why_dv(self, at: At) -> Told:
        ties = at.constant(np.count_nonzero(at.after.Y[at.p]), "hyperedges that hold a part of the object")
        some = {"ties < 1.5": "hyperedge", "ties > 1.5": "hyperedges"}
        words = "{i} is tied to {ties} {some}, with weight {value} in all."
        return at.terms(Y=at.row("Y", at.i, None), w=at.row("w", None), ties=ties, some=some, words=words)

    @derived("d_e", "size of each hyperedge as learned", equation="(5)", axes=("hyperedge",))
    def de(self, ensemble: Ensemble, state: State) -> Weights:
        return (ensemble.weights[:, None] * state.Y).sum(axis=0)  # equal columns have equal sums, to the last digit

    @tells("de", "sum(n[p]*Y[p], p)")
    def why_de(self, at: At) -> Told:
        words = "{e} has {size} objects in its base clustering; as learned it has {value}."
        return at.terms(n=at.counts, Y=at.row("Y", None, at.e), size=sizes(at).term(at.e), words=words)

    # --- places -------------------------------------------------------------------------------------------------

    @tells("f", "F / sqrt(d_v)", "(5)", "f", "an object's place, as hyperedges see it", ("object", "coordinate"),
           loose="F / sqrt(least)")
    def why_f(self, at: At) -> Told:
        if (d_v := at.now("dv", at.i)).value < TINY:
            least = at.constant(TINY, "the least that is told from 0")
            return at.terms("loose", F=at.now("F"), least=least, words="{i} is in no hyperedge any more.")
        return at.terms(F=at.now("F"), d_v=d_v, words="Coordinate {a} of {i}, by the root of how strongly it is tied.")

    @tells("middle", "sum(n[p]*Y[p]*f[p], p) / d_e", "(13)", "middle", "the mean place of the members of a hyperedge",
           ("hyperedge", "coordinate"))
    def why_middle(self, at: At) -> Told:
        if (members := _members(at)) is None:
            return at.given(0, "{e} has lost all its objects.")
        f = at.row("f", None, at.a, some=np.flatnonzero(at.after.Y[:, at.e]))
        return at.terms(**members, f=f, d_e=at.now("de", at.e), words="The mean place of the members of {e}.")

    @tells("near", "dot(f, middle)", "(13)", "near", "how near an object is to the middle of a hyperedge",
           ("object", "hyperedge"))
    def why_near(self, at: At) -> Told:
        words = "The place of {i} times the middle of {e}: the more they point the same way, the more."
        return at.terms(f=at.row("f", at.i, None), middle=at.row("middle", at.e, None), words=words)

    @tells("held", "sum(w[e]*Y[e]*near[e], e) / d_v", "(13)", "held", "how near an object is to its own hyperedges",
           ("object",))
    def why_held(self, at: At) -> Told:
        if not len(some := np.flatnonzero(at.after.Y[at.p])):
            return at.given(0, "{i} is in no hyperedge any more.")
        terms = {"w": at.row("w", None, some=some), "Y": at.row("Y", at.i, None, some=some), "d_v": at.now("dv")}
        words = "How near {i} is to its hyperedges on average, each by its weight."
        return at.terms(**terms, near=at.row("near", at.i, None, some=some), words=words)

    @tells("torn", "sum(n[p]*Y[p]*(f[p] - middle)**2, p)", "(5)", "torn", "how far a coordinate tears a hyperedge",
           ("hyperedge", "rank"), plain="sum(n[p]*Y[p]*F[p]**2, p) - sum(n[p]*Y[p]*F[p], p)**2 / d_e")
    def why_torn(self, at: At) -> Told:
        if (members := _members(at)) is None:
            return at.given(0, "{e} has lost all its objects.")
        some, words = np.flatnonzero(at.after.Y[:, at.e]), "0 where all members of {e} are at one place."
        if not self.normalised:
            F = at.row("F", None, at.r, some=some)
            return at.terms("plain", **members, F=F, d_e=at.now("de", at.e), words=words)
        f = at.row("f", None, at.r, some=some)
        return at.terms(**members, f=f, middle=at.now("middle", at.e, at.r), words=words)

    # --- links --------------------------------------------------------------------------------------------------

    @tells("A", "sum(w[e]*Y_i[e]*Y_j[e] / d[e], e)", "(5)", "A", "how strongly hyperedges link two objects",
           ("object", "object"))
    def why_A(self, at: At) -> Told:
        Y, p, q = at.after.Y, at.p, at.ensemble.microcluster_of(at.j)
        some = np.flatnonzero(Y[p] * Y[q])
        Y_i, Y_j = (at.row("Y", one, None, some=some) for one in (at.i, at.j))
        terms = {"w": at.row("w", None, some=some), "d": at.row("de", None, some=some)}
        return at.terms(**terms, Y_i=Y_i, Y_j=Y_j, words="Hyperedges with both {i} and {j} link them; small ones most.")

    def links(self, at: At) -> dict[str, Row]:
        """n and A of the object pointed at, and of each that it is linked to."""
        Y, w, n, first = at.after.Y, at.after.w, at.ensemble.weights, at.ensemble.first_of
        A = (Y * (w / np.maximum(n @ Y, TINY))) @ Y[at.p]
        some = np.flatnonzero(A)
        return {"n": at.counts_at(some), "A": at.rows(A[some], lambda k: at.now("A", at.i, int(first[some[k]])))}
# fmt: on


def membership(at: At) -> Told:
    """[i is in e], read off the base label."""
    term = membership_term(at)
    return at.equals(term, "{i} is in {e}." if term.value else "{i} is not in {e}.")


def membership_term(at: At) -> Term:
    t, code = at.ensemble.cluster(at.e)
    inside = at.ensemble.rows[at.p, t] == code
    return at.labels(inside, "1 where the object is in the cluster", *at.said_of_one(t))


def _members(at: At) -> dict[str, Row] | None:
    some = np.flatnonzero(at.after.Y[:, at.e])
    return {"n": at.counts_at(some), "Y": at.row("Y", None, at.e, some=some)} if len(some) else None


def sizes(at: At, of=np.asarray) -> Row:
    """Objects in each base cluster, or what `of` makes of them."""
    values, meaning = of(cluster_sizes(at.ensemble)), "objects in a base cluster"
    return at.row_of_labels(values, meaning if of is np.asarray else f"{of.__name__} of the {meaning}", lambda e: (
        "The objects of ", ("hyperedge", int(e)), "."))  # fmt: skip


def overlap(at: At, others: np.ndarray) -> Row:
    """Objects that cluster e shares with others."""
    shared = contingency(at.ensemble)[[at.e], :].toarray()[0, others]

    def end(k: int) -> tuple:
        return "Objects that ", ("hyperedge", at.e), " and ", ("hyperedge", int(others[k])), " have in common."

    return at.row_of_labels(shared, "objects that two clusters have in common", end, tuple(others.tolist()))


def overlapping(at: At) -> np.ndarray:
    """Which clusters share objects with cluster e, itself included."""
    return np.flatnonzero(contingency(at.ensemble)[[at.e], :].toarray()[0])


def correlation(x: np.ndarray, y: np.ndarray) -> float:
    """Pearson's; 0 where one of them does not vary."""
    x, y = x - x.mean(), y - y.mean()
    size = math.sqrt(float(x @ x) * float(y @ y))
    return float(x @ y) / size if size > 1e-12 * len(x) else 0.0


def correlated(at: At, x: Row, words: str) -> Told:
    """The correlation of w with x."""
    w = at.row("w", None)
    if not correlation(w.values, x.values):
        return at.given(0, "One of the two is the same for all clusters: there is nothing to compare.")
    mean_w, mean_x = (at.constant(row.values.mean(), "the mean over all clusters") for row in (w, x))
    return at.terms(w=w, x=x, mean_w=mean_w, mean_x=mean_x, words=words)
