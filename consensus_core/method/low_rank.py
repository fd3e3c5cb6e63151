"""A co-association written as itself times a low-rank Z, plus noise: the prices, residuals and shrinkings told once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..linalg.low_rank import shrunk_values
from ..similarity import steady_coassociation
from .evidence import share
from .method import Exempt, State
from .quantities import Matrix, Scalar, derived, shown
from .singular import Singular
from .telling import At, Row, Told, tells

HIGHEST = 1e10  # price beyond which it does not rise


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class LowRankState(State):
    Z: Matrix = shown("Z", "representation: how much of each object it takes to make another", diverging=True)
    E: Matrix = shown("E", "noise: what is not represented", diverging=True)
    J: Matrix = shown("J", "the same as Z at the end, of low rank", diverging=True, minor=True)
    Y1: Matrix = shown("Y₁", "price of what is left of S = SZ + E", diverging=True, minor=True)
    Y2: Matrix = shown("Y₂", "price of the difference of Z and J", diverging=True, minor=True)
    mu: Scalar = shown("μ", "price of every difference in the next step", log=True)
    gap_S: Scalar = shown("max |P|", "greatest entry left of S = SZ + E", log=True, default=1.0)
    gap_Z: Scalar = shown("max |Z − J|", "greatest difference of Z and J", log=True, default=1.0)
    rank: Scalar = shown("rank J", "singular values of J that are left", default=0)
    parts: tuple[float, ...] = ()  # the terms of the problem
    moved: bool = False


@dataclass(frozen=True, kw_only=True)
class LowRank(Singular):
    """ADMM on λ₁‖J‖_* + … with S = SZ + E and Z = J; dials `lam1`, `lam2`, `rho`, `tol`. A step takes J first, from
    W = Z + Y₂/μ, then Z, then E from Q = S − SZ + Y₁/μ, then the prices."""

    monotone = Exempt("prices are part of what a step minimises, and rise from step to step")
    scale_free = Exempt("SᵀS and the columns of E grow with the number of objects, the prices' start does not")
    decomposed = "W"

    def begun(self, ensemble: Ensemble, mu: float, **more) -> LowRankState:
        zero = np.zeros((ensemble.q, ensemble.q))
        return self.State(**dict.fromkeys(("Z", "E", "J", "Y1", "Y2"), zero), mu=mu, **more)

    def lowered(self, ensemble: Ensemble, state: LowRankState) -> tuple[np.ndarray, int, float]:
        """J of the next step, its rank, and λ₁ ‖J‖_*."""
        J, sigma = shrunk_values(self.W(ensemble, state), self.lam1 / state.mu, ensemble.weights)
        return J, len(sigma), self.lam1 * float(sigma.sum())

    def priced(self, old: LowRankState, new: LowRankState, P: np.ndarray) -> dict:
        """Prices and residuals, from what is left of S = SZ + E."""
        return {
            "Y1": old.Y1 + old.mu * P, "Y2": old.Y2 + old.mu * (new.Z - new.J), "mu": min(self.rho * old.mu, HIGHEST),
            "gap_S": float(np.abs(P).max()), "gap_Z": float(np.abs(new.Z - new.J).max()), "moved": True,
        }  # fmt: skip

    def stage(self, state: LowRankState) -> str:
        return f"rank of J {state.rank}, μ = {state.mu:.2g}"

    # --- what is shown, and why -------------------------------------------------------------------------------

    @derived("S", "co-association: the share of base clusterings that put a pair together", span=(0, 1))
    def S(self, ensemble: Ensemble, state: LowRankState) -> Matrix:
        return steady_coassociation(ensemble)

    @tells("S", "together / seen")
    def why_S(self, at: At) -> Told:
        return share(at)

    @derived("W", "what the next J is made of: Z, and its price", diverging=True, minor=True)
    def W(self, ensemble: Ensemble, state: LowRankState) -> Matrix:
        return state.Z + state.Y2 / state.mu

    @tells("W", "Z + Y2 / μ")
    def why_W(self, at: At) -> Told:
        terms = {name: at.now(name) for name in ("Z", "Y2")}
        return at.terms(**terms, μ=at.now("mu"), words="Z, moved on by the price of its difference from J.")

    def zero(self, at: At) -> Told | None:
        return at.given(0, "The run begins with nothing.") if at.start else None

    @tells("J", "sum(max(σ[a] - λ/μ, 0)*u[a]*v[a], a)")
    def why_J(self, at: At) -> Told:
        if at.start:
            return self.zero(at)
        found = self.directions_at(at, -1)
        sides = {"u": (found.left, at.i), "v": (found.right, at.j)}
        rows = {name: at.known(name, side[at.ensemble.microcluster_of(thing)], lambda a, thing=thing: (thing, a), -1)
                for name, (side, thing) in sides.items()}
        words = "Every direction of W counts λ / μ less, and those that have no more are gone."
        σ = at.row("sigma", None, when=-1)
        return at.terms(σ=σ, λ=at.param("lam1"), μ=at.then("mu"), **rows, words=words)

    @tells("rank", "sum(kept[a], a)")
    def why_rank(self, at: At) -> Told:
        if at.start:
            return self.zero(at)
        sigma, mu = at.path.array("sigma", at.iteration - 1), at.before.mu
        kept = at.known("kept", (sigma > self.lam1 / mu).astype(float), lambda a: (a,))
        return at.terms(kept=kept, words="Singular values of W above λ / μ.")

    @tells("kept", "1 if σ > λ/μ else 0", "", "kept", "whether a singular value is left", ("rank",))
    def why_kept(self, at: At) -> Told:
        return at.terms(σ=at.then("sigma", at.r), λ=at.param("lam1"), μ=at.then("mu"), words="λ / μ is taken off.")

    def made(self, at: At) -> tuple[Row, Row]:
        """Row i of S and column j of Z."""
        return at.row("S", at.i, None), at.row("Z", None, at.j)

    @derived("P", "what is left of S = SZ + E", diverging=True, minor=True)
    def P(self, ensemble: Ensemble, state: LowRankState) -> Matrix:
        S = steady_coassociation(ensemble)
        return S - S @ (ensemble.weights[:, None] * state.Z) - state.E

    @tells("P", "S - sum(n[t]*S_i[t]*Z[t], t) - E")
    def why_P(self, at: At) -> Told:
        S, Z = self.made(at)
        words = "S, less what the objects, as {j} combines them, are together with {i}, and less noise."
        return at.terms(S=at.now("S"), n=at.counts, S_i=S, Z=Z, E=at.now("E"), words=words)

    @tells("Q", "S - sum(n[t]*S_i[t]*Z[t], t) + Y1/μ", "", "Q", "what noise is made of", ("object", "object"))
    def why_Q(self, at: At) -> Told:
        (S, Z), words = self.made(at), "What is not represented, and the price of it so far."
        return at.terms(S=at.now("S"), n=at.counts, S_i=S, Z=Z, Y1=at.then("Y1"), μ=at.then("mu"), words=words)

    def Q_at(self, at: At) -> np.ndarray:
        before, S, n = at.before, at.path.array("S", at.iteration), at.ensemble.weights[:, None]
        return at.path.once("Q", at.iteration, lambda: S - S @ (n * at.after.Z) + before.Y1 / before.mu)

    @tells("Y1", "Y1 + μ*P")
    def why_Y1(self, at: At) -> Told:
        words = "What is left of S = SZ + E raises its price."
        return self.zero(at) or at.terms(Y1=at.then("Y1"), μ=at.then("mu"), P=at.now("P"), words=words)

    @tells("Y2", "Y2 + μ*(Z - J)")
    def why_Y2(self, at: At) -> Told:
        terms = {} if at.start else {"Y2": at.then("Y2"), "μ": at.then("mu"), "Z": at.now("Z"), "J": at.now("J")}
        return self.zero(at) or at.terms(**terms, words="What parts Z from J raises its price.")

    @tells("gap_S", "abs(P)")
    def why_gap_S(self, at: At) -> Told:
        return self._greatest(at, at.path.array("P", at.iteration), lambda *place: {"P": at.now("P", *place)})

    @tells("gap_Z", "abs(Z - J)")
    def why_gap_Z(self, at: At) -> Told:
        gap = at.after.Z - at.after.J
        return self._greatest(at, gap, lambda *place: {name: at.now(name, *place) for name in "ZJ"})

    def _greatest(self, at: At, gap: np.ndarray, terms) -> Told:
        if at.start:
            return at.given(1, "No step has been made yet.")
        i, j = (int(at.ensemble.first_of[p]) for p in np.unravel_index(np.abs(gap).argmax(), gap.shape))
        ends = {"one": ("object", i), "other": ("object", j)}
        return at.terms(**terms(i, j), **ends, words="The pair for which most is left: {one} and {other}.")
# fmt: on
