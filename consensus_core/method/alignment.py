"""Base clusterings turned onto a consensus embedding: why their weights and their turns are what they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import MISSING, Ensemble
from ..ensemble.incidence import indicators, shared_weight
from ..linalg.procrustes import inertia, weights_program
from ..partition import group_sums
from .method import Method
from .quantities import Embedding, derived
from .telling import At, Row, Told, tells

POINT = ("object", "clustering", "coordinate")


# fmt: off
@dataclass(frozen=True, kw_only=True)
class Aligned(Method):
    """Methods that fit H (q, c) by Σ_i α_i Y⁽ⁱ⁾R⁽ⁱ⁾, Y⁽ⁱ⁾ the indicators of base clustering i, by `linalg.procrustes`.

    A state has `base` (q, m), `H`, `v` (q,), `alpha` (m,), `R_each` (K, c) and `order`, in which the R⁽ⁱ⁾ are turned.
    `diversity` is a dial of the method: whether the terms between base clusterings count.
    """

    def before_turning(self, at: At) -> np.ndarray:
        """R⁽ⁱ⁾ before the turning of this step: of the step before, or what the first begins with."""
        raise TypeError(f"{type(self).__name__} must define before_turning")

    def trusted(self, at: At) -> np.ndarray:
        """v, which weighs objects in this step; at iteration 0 all count fully."""
        return np.ones(at.ensemble.q) if at.start else at.after.v

    def trust(self, at: At, objects: np.ndarray) -> Row:
        if at.start:
            return at.rows(np.ones(len(objects)), lambda k: at.constant(1, "at first every object counts fully"))
        return at.known("v", at.after.v[objects], lambda k: (int(at.ensemble.first_of[objects[k]]),))

    def turned_before(self, at: At, e: int, a: int):
        """An entry of R⁽ⁱ⁾ before it is turned in this step."""
        if at.start:
            return at.started(self.before_turning(at)[e, a], "R⁽ⁱ⁾ turned to H alone, where the turning in turn begins")
        return at.then("R_each", e, a)

    def aligned(self, ensemble: Ensemble, base: np.ndarray, alpha: np.ndarray, R_each: np.ndarray) -> np.ndarray:
        """Σ_i α_i Y⁽ⁱ⁾R⁽ⁱ⁾ (q, c)"""
        return indicators(base, ensemble.offsets) @ (alpha.repeat(ensemble.k_each)[:, None] * R_each)

    def errors(self, ensemble: Ensemble, base, H, alpha, R_each) -> np.ndarray:
        """‖A_p‖² (q,), where `diversity` is off without the terms between base clusterings."""
        aligned = self.aligned(ensemble, base, alpha, R_each)
        error = ((H - aligned) ** 2).sum(axis=1)
        if not self.diversity:
            own = (alpha**2).repeat(ensemble.k_each) * (R_each**2).sum(axis=1)
            error += indicators(base, ensemble.offsets) @ own - (aligned**2).sum(axis=1)
        return error

    # --- where the base clusterings put an object, and what is left --------------------------------------------

    @derived("A", "what the consensus and the base labels of an object disagree about", equation="(5)", diverging=True)
    def A(self, ensemble: Ensemble, state) -> Embedding:
        return state.H - self.aligned(ensemble, state.base, state.alpha, state.R_each)

    @tells("A", "H - sum(α[i]*P[i], i)")
    def why_A(self, at: At) -> Told:
        words = "Coordinate {a} of {i} in the consensus, less where the base clusterings put it, each by its weight."
        return at.terms(H=at.now("H"), α=at.row("alpha", None), P=at.row("point", at.i, None, at.a), words=words)

    @tells("error", "norm(A)**2", alone="norm(A)**2 - norm(H - A)**2 + sum(own[i]**2, i)")
    def why_error(self, at: At) -> Told:
        A = at.row("A", at.i, None)
        if self.diversity:
            return at.terms(A=A, words="How far the consensus has {i} from where the base clusterings put it, squared.")
        own, words = at.row("own", at.i, None), "As ‖A‖², but each base clustering counts by itself."
        return at.terms("alone", A=A, H=at.row("H", at.i, None), own=own, words=words)

    @tells("own", "α*norm(P)", "(2)", "own", "how far out one base clustering puts an object", ("object", "clustering"))
    def why_own(self, at: At) -> Told:
        words = "{t} by itself puts {i} so far out."
        return at.terms(α=at.now("alpha", at.t), P=at.row("point", at.i, at.t, None), words=words)

    @tells("point", "it", "(4)", "P", "where a base clustering puts an object: a row of R⁽ⁱ⁾", POINT)
    def why_point(self, at: At) -> Told:
        return self._point(at, lambda e: at.now("R_each", e, at.a))

    @tells("refilled", "it", "(4)", "P", "where a base clustering puts an object by the R⁽ⁱ⁾ of the step before", POINT)
    def why_refilled(self, at: At) -> Told:
        return self._point(at, lambda e: self.turned_before(at, e, at.a))

    def _point(self, at: At, entry) -> Told:
        code = int(at.after.base[at.p, at.t])
        if code == MISSING:
            return at.given(0, "{t} has no label for {i}, and puts it nowhere.")
        words = "{t} has {i} in its cluster {label}, which stands for this point."
        return at.equals(entry(int(at.ensemble.offsets[at.t]) + code), words, label=at.now("base", at.i, at.t))

    # --- their weights ------------------------------------------------------------------------------------------

    def _program(self, at: At) -> tuple[np.ndarray, np.ndarray]:
        ensemble, state, weights = at.ensemble, at.after, at.ensemble.weights * self.trusted(at) ** 2
        drawn = indicators(state.base.astype(int), ensemble.offsets).T @ (weights[:, None] * state.H)
        shared = shared_weight(state.base, ensemble.k_each, weights)
        return weights_program(shared, drawn, self.before_turning(at), ensemble.offsets, self.diversity)

    @tells("alpha", "min(α, slope - level) == 0", start="1 / m")
    def why_alpha(self, at: At) -> Told:
        if not at.ensemble.k_each[at.t]:
            return at.given(0, "{t} has no label at all.")
        if at.start:
            m = at.constant((at.ensemble.k_each > 0).sum(), "the number of base clusterings m that have labels")
            return at.terms("start", m=m, words="To begin with, all base clusterings have the same weight.")
        terms = {"α": at.now("alpha"), "slope": at.now("slope"), "level": at.now("level")}
        say = {"α > 0": "{t} has weight {α}: a little more or less of it would make the fit no better",
               "α <= 0": "{t} gets nothing: its first bit of weight would make the fit worse"}
        return at.terms(**terms, say=say, words="{say}.")

    @tells("level", "sum(α[i]*slope[i], i)", "(12)", "level", "slope of all base clusterings that have weight", ())
    def why_level(self, at: At) -> Told:
        slopes = self._slopes(at)
        terms = {"α": at.row("alpha", None), "slope": at.known("slope", slopes, lambda k: (k,))}
        return at.terms(**terms, words="Weight is shared out until all that have some have the same slope.")

    def _slopes(self, at: At) -> np.ndarray:
        G, f = self._program(at)
        return G @ at.after.alpha - f

    @tells("slope", "sum(G[j]*α[j], j) - f", "(12)", "slope", "how much worse the fit gets with more weight",
           ("clustering",), alone="G*α - f")
    def why_slope(self, at: At) -> Told:
        G, f = self._program(at)
        words = "G says what {t} shares with all that have weight, f how well it fits the consensus."
        fit = at.known("f", f, lambda k: (k,)).term(at.t)
        if not self.diversity:
            own = at.known("G", G[at.t], lambda k: (at.t, k)).term(at.t)
            return at.terms("alone", G=own, α=at.now("alpha"), f=fit, words=words)
        return at.terms(G=at.known("G", G[at.t], lambda k: (at.t, k)), α=at.row("alpha", None), f=fit, words=words)

    @tells("G", "sum(n[k]*v[k]**2*P_t[k]*P_u[k], k)", "(12)", "G", "how far two base clusterings say the same",
           ("clustering", "clustering"))
    def why_G(self, at: At) -> Told:
        if at.t != at.u and not self.diversity:
            return at.given(0, "Terms between base clusterings are switched off.")
        words = "All objects and coordinates: where {t} puts an object times where {u} puts it."
        return self._inner(at, words, P_t=self._points(at, at.t), P_u=self._points(at, at.u))

    @tells("f", "sum(n[k]*v[k]**2*P_t[k]*H[k], k)", "(12)", "f", "how well a base clustering fits the consensus",
           ("clustering",))
    def why_f(self, at: At) -> Told:
        words = "All objects and coordinates: where {t} puts an object times where the consensus has it."
        return self._inner(at, words, P_t=self._points(at, at.t), H=("H", at.after.H, ()))

    def _points(self, at: At, t: int) -> tuple:
        offsets, R = at.ensemble.offsets, self.before_turning(at)
        mine = np.concatenate([R[offsets[t] : offsets[t + 1]], np.zeros((1, R.shape[1]))])
        return "refilled", mine[at.after.base[:, t].astype(int)], (t,)

    def _inner(self, at: At, words: str, **sides) -> Told:
        """The inner product of two (q, c) quantities, each as name, values and what stands between object and a."""
        first, c = at.ensemble.first_of, at.after.H.shape[1]
        p, a = np.divmod(np.arange(len(first) * c), c)
        rows = {
            letter: at.known(name, values.ravel(), lambda k, t=t: (int(first[p[k]]), *t, int(a[k])))
            for letter, (name, values, t) in sides.items()
        }
        return at.terms(n=at.counts_at(p), v=self.trust(at, p), **rows, words=words)

    # --- their turns --------------------------------------------------------------------------------------------

    def _towards(self, at: At, t: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What the others say (q, c) when R⁽ᵗ⁾ is turned; T (k_t, c); the trusted mass of its clusters."""
        ensemble, state, offsets = at.ensemble, at.after, at.ensemble.offsets
        R, base, weights = self.before_turning(at), state.base.astype(int), ensemble.weights * self.trusted(at) ** 2
        part, mixed, alpha = slice(offsets[t], offsets[t + 1]), R.copy(), state.alpha.copy()
        for j in state.order[: state.order.index(t)]:
            mixed[offsets[j] : offsets[j + 1]] = state.R_each[offsets[j] : offsets[j + 1]]
        alpha[t] = 0.0
        others = indicators(base, offsets) @ (alpha.repeat(ensemble.k_each)[:, None] * mixed) * self.diversity
        mass = group_sums(base[:, t], weights[:, None], ensemble.k_each[t])[:, 0]
        T = group_sums(base[:, t], weights[:, None] * (state.H - others), ensemble.k_each[t])
        return others, T + inertia(mass, state.alpha[t], R[part]), mass

    @tells("R_each", "T == sum(S[l]*R[l], l)")
    def why_R_each(self, at: At) -> Told:
        t, _ = at.ensemble.cluster(at.e)
        if at.start and (fixed := self.first_turn(at)) is not None:
            return fixed
        first, mine = int(at.ensemble.offsets[t]), at.e - int(at.ensemble.offsets[t])
        _, T, _ = self._towards(at, t)
        R = at.after.R_each[first : first + len(T)]
        S = (T[mine] @ R.T + R[mine] @ T.T) / 2
        words = "The members of {e} are left to fit T. R⁽ⁱ⁾, here {value}, is the matrix with orthonormal rows or " \
                "columns nearest to T: S is symmetric, which holds for the nearest only."
        terms = {"T": at.known("T", T[mine], lambda k: (at.e, k)).term(at.a)}
        terms["R"] = at.known("R_each", R[:, at.a], lambda k: (first + k, at.a))
        return at.terms(**terms, S=at.known("S", S, lambda k: (at.e, first + k)), words=words)

    def first_turn(self, at: At) -> Told | None:
        """What is told of R⁽ⁱ⁾ at iteration 0 where it is not turned there."""
        return None

    @tells("S", "(dot(T_e, R_l) + dot(R_e, T_l)) / 2", "(13)", "S", "what ties the rows of R⁽ⁱ⁾ to each other",
           ("hyperedge", "hyperedge"))
    def why_S(self, at: At) -> Told:
        rows = {f"T_{x}": at.row("T", y, None) for x, y in zip("el", (at.e, at.l), strict=True)}
        rows |= {f"R_{x}": at.row("R_each", y, None) for x, y in zip("el", (at.e, at.l), strict=True)}
        return at.terms(**rows, words="How far {e} is drawn along the row of {l}, and {l} along that of {e}: the mean.")

    @tells("T", "sum(n[p]*v[p]**2*(H[p] - others[p]), p)", "(13)", "T", "what the members of a cluster are left to fit",
           ("hyperedge", "coordinate"), more="sum(n[p]*v[p]**2*(H[p] - others[p]), p) + α*(N - mass)*R_q")
    def why_T(self, at: At) -> Told:
        t, code = at.ensemble.cluster(at.e)
        others, _, mass = self._towards(at, t)
        some = np.flatnonzero(at.after.base[:, t] == code)
        first = at.ensemble.first_of[some]
        terms = {
            "n": at.counts_at(some), "v": self.trust(at, some), "H": at.row("H", None, at.a, some=some),
            "others": at.known("rest", others[some, at.a], lambda k: (int(first[k]), t, at.a)),
        }
        words = "The members of {e}: where the consensus has them, less what the other base clusterings say already."
        if len(mass) <= at.after.R_each.shape[1]:
            return at.terms(**terms, words=words)
        largest = int(at.ensemble.offsets[t]) + int(mass.argmax())
        more = {"α": at.now("alpha", t), "N": at.now("mass", largest), "mass": at.now("mass", at.e)}
        return at.terms("more", **terms, **more, R_q=self.turned_before(at, at.e, at.a), words=words)

    @tells("mass", "sum(n[p]*v[p]**2, p)", "(13)", "n_q", "trusted mass of a base cluster", ("hyperedge",))
    def why_mass(self, at: At) -> Told:
        t, code = at.ensemble.cluster(at.e)
        some = np.flatnonzero(at.after.base[:, t] == code)
        words = "All members of {e}, each by how far it is trusted."
        return at.terms(n=at.counts_at(some), v=self.trust(at, some), words=words)

    @tells("rest", "sum(α[j]*P[j], j)", "(13)", "others", "what the other base clusterings say", POINT)
    def why_rest(self, at: At) -> Told:
        if not self.diversity:
            return at.given(0, "Terms between base clusterings are switched off.")
        order = at.after.order
        earlier = order[: order.index(at.t)]
        them = [j for j in range(at.ensemble.m) if j != at.t and at.after.base[at.p, j] != MISSING]
        R, label, offsets = self.before_turning(at), at.after.base[at.p].astype(int), at.ensemble.offsets
        values = [(at.after.R_each if j in earlier else R)[offsets[j] + label[j], at.a] for j in them]

        def term(k: int):
            return at.now("point" if them[k] in earlier else "refilled", at.i, them[k], at.a)

        words = "Those turned before {t} count as they are turned now, the others as they were."
        return at.terms(α=at.row("alpha", None, some=them), P=at.rows(values, term, them), words=words)
# fmt: on
