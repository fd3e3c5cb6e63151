"""Robust consensus matrix by Kullback–Leibler divergence (Zhou, Du, Wang, Shi and Shen 2015)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy

from ..ensemble import Ensemble
from ..linalg.low_rank import singular_values
from ..linalg.paired import Paired
from ..method import At, Cost, Exempt, Matrix, State, Told, derived, param, shown, speed, tells
from ..method.evidence import share
from ..method.params import common, schedule
from ..method.singular import Singular
from ..method.spectral import Spectral
from ..method.telling import Term
from ..similarity import steady_coassociation

LEAST = 2.2e-16  # ε: least divisor, and least ratio in a logarithm
INNER = ("object", "object", "rank")  # the rank counts the inner steps of a round


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class RCEState(State):
    A: Matrix = shown("A", "the consensus; both directions of a pair are averaged at the end", "(1)", span=(0, 1))
    parts: tuple[float, ...]  # the terms of the objective
    round: int = 0


@dataclass(frozen=True, kw_only=True)
class RCE(Singular, Spectral):
    """One consensus A for all base clusterings A⁽ⁱ⁾, each without its own sparse noise E⁽ⁱ⁾.

        min Σ_i Σ_pr kl(A_pr ‖ A⁽ⁱ⁾_pr − E⁽ⁱ⁾_pr) + λ₁ Σ_i ‖E⁽ⁱ⁾‖₁ + λ₂ ‖A‖_*                                      (1)
        kl(a ‖ b) = a log(a/b) + (1 − a) log((1 − a)/(1 − b)),   0 ≤ A ≤ 1

    A⁽ⁱ⁾_pr = 1 where base clustering i puts p and r together, else 0. What is left of it without noise depends on
    A⁽ⁱ⁾_pr and s = A_pr + A_rp alone, so that no E⁽ⁱ⁾ need be kept, and all follows from the co-association t:

        b₀ = φ(s) where i holds them apart, b₁ = 1 − φ(2 − s) where together                                       (2)
        φ(s) = s / (1 + λ₁ + √((1 + λ₁)² − 2 λ₁ s))
        C = m (t L(b₁) + (1 − t) L(b₀)),   L(b) = log((1 − b) / b)                                                 (3)
        T = λ₂ (A Aᵀ + μI)^−½, the slope of the nuclear norm, smoothed; 0 in the first round                       (4)

    and so many times in a round, for each pair with 0 < t < 1 (the others stay as they are), T⁺ and T⁻ being the
    positive and the negative entries of T:

        A ← min((√(β² + 4 α δ) − β) / 2α, 1),   β = m log(A/(1 − A)) − 2m/(1 − A)                                   (5)
        α = (2m + C⁺ + 2 T⁺A) / A + 2m/(1 − A),   δ = (C⁻ + 2 T⁻A) A                                               (6)

    Then the normalised cut of (A + Aᵀ)/2. The nuclear norm in the objective is smoothed as in (4).

    P. Zhou, L. Du, H. Wang, L. Shi, Y.-D. Shen: Learning a robust consensus matrix for clustering ensemble via
    Kullback–Leibler divergence minimization. IJCAI 2015.
    """

    lam1: float = param(1.0, "the higher, the less is taken for noise, and the sharper A", plain="price of noise",
        letter="λ₁", span=(1e-4, 1e4), log=True, equation="(1)")
    lam2: float = param(1.0, "the higher, the fewer independent rows A has", plain="price of rank", letter="λ₂",
        span=(1e-4, 1e4), log=True, equation="(1)")
    max_iter: int = common(20, "rounds", span=(1, 1000))
    tol: float = common(0.0, "change of A that counts as none; the published program always makes all rounds",
        plain="tolerance", span=(0.0, 1.0))
    inner: int = schedule(20, "steps of A in a round", plain="inner steps", span=(1, 1000))
    mu: float = schedule(1e-3, "what smooths the nuclear norm", plain="smoothing", letter="μ", span=(1e-9, 1.0),
        log=True)

    title, family = "Robust consensus by Kullback–Leibler divergence", "low rank"
    reference = "Zhou, Du, Wang, Shi & Shen, IJCAI 2015"
    graph, decomposed = "S", "A"
    State = RCEState
    scale_free = Exempt("T A grows as the root of the number of objects beside m")

    # --- the run ----------------------------------------------------------------------------------------------

    def init(self, ensemble: Ensemble) -> RCEState:
        A = steady_coassociation(ensemble)
        return RCEState(A=A, parts=self._parts(ensemble, A))

    def step(self, ensemble: Ensemble, state: RCEState) -> RCEState:
        A = self.inner_steps(ensemble, state)
        return RCEState(A=A, parts=self._parts(ensemble, A), round=state.round + 1)

    def inner_steps(self, ensemble: Ensemble, state: RCEState, way: list | None = None) -> np.ndarray:
        """A after the inner steps of the round that begins with this state; `way` gets what each begins with."""
        A, t, m = state.A, steady_coassociation(ensemble), ensemble.m
        open_, C = (t > 0) & (t < 1), self.C(ensemble, state)
        off, on, (rising, falling) = 2 * m + np.maximum(C, 0), np.maximum(-C, 0), self._signs(ensemble, state)
        for _ in range(self.inner):
            up, down = rising(A), falling(A)
            a = np.where(open_, A, 0.5)
            rest = np.maximum(1 - a, LEAST)
            bound = 2 * m / rest
            alpha = (off + 2 * up) / a + bound
            beta = m * np.log(a / rest) - bound
            delta = (on + 2 * down) * a
            if way is not None:
                way.append({"within": A, "rest": rest, "up": up, "down": down, "α": alpha, "β": beta, "δ": delta})
            new = np.minimum((np.sqrt(beta**2 + 4 * alpha * delta) - beta) / (2 * alpha), 1.0)
            A = np.where(open_, np.maximum(new, LEAST), A)
        return A

    def _signs(self, ensemble: Ensemble, state: RCEState) -> tuple:
        """What makes T⁺A and T⁻A of A."""
        if not state.round:
            return (np.zeros_like,) * 2
        T = self.T(ensemble, state)
        signs = [Paired(np.maximum(sign * T.B, 0), np.maximum(sign * T.d, 0)) for sign in (1, -1)]
        parts = [(part.B * ensemble.weights, (part.d - np.diag(part.B))[:, None]) for part in signs]
        return tuple(lambda A, B=B, own=own: B @ A + own * A for B, own in parts)

    def left_of_noise(self, A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """b₀ and b₁, (2)"""
        s, l1 = A + A.T, 1 + self.lam1
        phi = lambda s: s / (l1 + np.sqrt(np.maximum(l1**2 - 2 * self.lam1 * s, 0.0)))  # noqa: E731
        return phi(s), 1 - phi(2 - s)

    def C(self, ensemble: Ensemble, state: RCEState) -> np.ndarray:
        t, (b0, b1) = steady_coassociation(ensemble), self.left_of_noise(state.A)
        L = [np.log(np.maximum((1 - b) / np.maximum(b, LEAST), LEAST)) for b in (b0, b1)]
        return ensemble.m * (t * L[1] + (1 - t) * L[0])

    def _parts(self, ensemble: Ensemble, A: np.ndarray) -> tuple[float, ...]:
        n, m, t, (b0, b1) = ensemble.weights, ensemble.m, steady_coassociation(ensemble), self.left_of_noise(A)
        apart, far = 0.0, (1 - t) * b0 + t * (1 - b1)
        for part, b in ((t, b1), (1 - t, b0)):
            b = np.clip(b, LEAST, 1 - LEAST)
            apart = apart + part * (xlogy(A, A / b) + xlogy(1 - A, (1 - A) / (1 - b)))
        sigma = singular_values(A, n)
        norm = np.sqrt(sigma**2 + self.mu).sum() + (ensemble.n - ensemble.q) * self.mu**0.5
        return float(m * (n @ apart @ n)), float(self.lam1 * m * (n @ far @ n)), float(self.lam2 * norm)

    def terms(self, ensemble: Ensemble, state: RCEState) -> dict[str, float]:
        return dict(zip(("divergence", "λ₁ ‖E‖₁", "λ₂ ‖A‖_*"), state.parts, strict=True))

    def converged(self, old: RCEState, new: RCEState) -> bool:
        return float(np.abs(new.A - old.A).max()) <= self.tol

    def cost(self, ensemble: Ensemble) -> Cost:
        q, machine = ensemble.q, speed()
        products = self.max_iter * q**3 * (2 * self.inner + 25)
        seconds = products / machine.products + self.max_iter * self.inner * (60 * q * q / machine.entries + 1e-3)
        return Cost(bytes=160 * q * q + 4_000_000, seconds=seconds)

    # --- what is shown beside the state, and why --------------------------------------------------------------

    @derived("t", "co-association: the share of base clusterings that put a pair together", span=(0, 1))
    def t(self, ensemble: Ensemble, state: RCEState) -> Matrix:
        return steady_coassociation(ensemble)

    @tells("t", "together / seen")
    def why_t(self, at: At) -> Told:
        return share(at)

    def begun_with(self, at: At, r: int) -> dict[str, np.ndarray]:
        """What inner step r of this round begins with."""
        def made():
            way: list[dict] = []
            self.inner_steps(at.ensemble, at.before, way)
            return way
        return at.path.once("inner steps", at.iteration, made)[r]

    def within(self, at: At, name: str, r: int, letter: str = "") -> Term:
        """An entry of inner step r, whose value is at hand."""
        found = self.begun_with(at, r)[letter or name][at.p, at.ensemble.microcluster_of(at.j)]
        return at.known(name, np.array([found]), lambda _: (at.i, at.j, r)).term(0)

    def sure(self, at: At) -> Told | None:
        if at.pair.unseen or not 0 < at.now("t").value < 1:
            return at.equals(at.now("t"), "The base clusterings agree about {i} and {j}: nothing moves them.")
        return None

    @tells("A", "min(max((sqrt(β**2 + 4*α*δ) - β) / (2*α), ε), 1)")
    def why_A(self, at: At) -> Told:
        if at.start:
            return at.equals(at.now("t"), "The run begins with the co-association.")
        steps = at.constant(self.inner, "steps of A in a round")
        words = "After {steps} steps of this round; before it, {before}. Divergence, noise and rank balance here."
        return self.sure(at) or self._stepped(at, self.inner, words, steps=steps, before=at.then("A"))

    def _stepped(self, at: At, r: int, words: str, **more) -> Told:
        """A after r inner steps."""
        named = {"α": "alpha", "β": "beta", "δ": "delta"}
        terms = {letter: self.within(at, name, r - 1, letter) for letter, name in named.items()}
        return at.terms(**terms, ε=at.constant(LEAST, "the least A"), **more, words=words)

    @tells("within", "min(max((sqrt(β**2 + 4*α*δ) - β) / (2*α), ε), 1)", "(5)", "a", "A within a round", INNER)
    def why_within(self, at: At) -> Told:
        if not at.r:
            return at.equals(at.then("A", at.i, at.j), "A as the round found it.")
        return self.sure(at) or self._stepped(at, at.r, "A after so many steps of this round.")

    @tells("rest", "max(1 - a, ε)", "(5)", "1 − a", "what A lacks of 1", INNER)
    def why_rest(self, at: At) -> Told:
        a, ε = self.within(at, "within", at.r), at.constant(LEAST, "least divisor")
        return at.terms(a=a, ε=ε, words="What it lacks of 1.")

    @tells("alpha", "(2*m + max(C, 0) + 2*P) / a + 2*m / rest", "(6)", "α", "how steeply A is held", INNER)
    def why_alpha(self, at: At) -> Told:
        named = {"a": "within", "rest": "rest", "P": "up"}
        terms = {letter: self.within(at, name, at.r) for letter, name in named.items()}
        words = "What draws {i} and {j} apart, and both bounds of A."
        return at.terms(m=at.m, C=at.then("C", at.i, at.j), **terms, words=words)

    @tells("beta", "m*log(a / rest) - 2*m / rest", "(5)", "β", "where both bounds hold A", INNER)
    def why_beta(self, at: At) -> Told:
        terms = {letter: self.within(at, name, at.r) for letter, name in (("a", "within"), ("rest", "rest"))}
        return at.terms(m=at.m, **terms, words="Where A stands between its bounds.")

    @tells("delta", "(max(-C, 0) + 2*N)*a", "(6)", "δ", "what draws a pair together", INNER)
    def why_delta(self, at: At) -> Told:
        terms = {letter: self.within(at, name, at.r) for letter, name in (("N", "down"), ("a", "within"))}
        return at.terms(C=at.then("C", at.i, at.j), **terms, words="What draws {i} and {j} together.")

    @tells("up", "sum(n[t]*max(T[t], 0)*A[t], t) + max(T_ii, 0)*A_ij", "(4)", "T⁺A", "what low rank takes off", INNER)
    def why_up(self, at: At) -> Told:
        return self._pull(at, "Where T is positive, the objects like {i} have too much of {j}.")

    @tells("down", "sum(n[t]*max(-T[t], 0)*A[t], t) + max(-T_ii, 0)*A_ij", "(4)", "T⁻A", "what low rank adds", INNER)
    def why_down(self, at: At) -> Told:
        return self._pull(at, "Where T is negative, the objects unlike {i} have too much of {j}.")

    def _pull(self, at: At, words: str) -> Told:
        """Over all objects but i, and i."""
        if not at.before.round:
            return at.given(0, "In the first round the rank has no price.")
        ensemble, q = at.ensemble, at.ensemble.microcluster_of(at.j)
        A = self.begun_with(at, at.r)["within"]
        n = ensemble.weights - (np.arange(ensemble.q) == at.p)
        some = np.flatnonzero(n)
        others = [next(x for x in ensemble.objects_of(p).tolist() if x != at.i) for p in some]
        T = at.path.array("T", at.iteration - 1).B[at.p]
        return at.terms(
            n=at.row_of_labels(n[some], "objects alike", lambda k: ("Objects like ", ("object", others[k]), ".")),
            T=at.known("T", T[some], lambda k: (at.i, others[k]), -1),
            A=at.known("within", A[some, q], lambda k: (others[k], at.j, at.r)),
            T_ii=at.then("T", at.i, at.i), A_ij=self.within(at, "within", at.r), words=words,
        )  # fmt: skip

    @derived("T", "slope of the smoothed nuclear norm: what it asks of A in the next round", "(4)", diverging=True,
             minor=True)
    def T(self, ensemble: Ensemble, state: RCEState) -> Matrix:
        """Over pairs of objects; its part outside of the range of A is the same for every object with itself."""
        found, n, flat = self.directions(ensemble, state), ensemble.weights, self.mu**-0.5
        R = (found.left / np.sqrt(found.sigma**2 + self.mu)) @ found.left.T
        own = np.diag(R).copy()
        R[np.diag_indices_from(R)] -= flat / n
        return Paired(self.lam2 * R, self.lam2 * (own - flat / n + flat))

    @tells("T", "λ*(sum(u_i[a]*u_j[a]*(1 / sqrt(σ[a]**2 + μ) - 1 / sqrt(μ)), a) + own / sqrt(μ))")
    def why_T(self, at: At) -> Told:
        left = self.directions_at(at).left
        u = {f"u_{x}": at.known("u", left[at.ensemble.microcluster_of(thing)], lambda a, thing=thing: (thing, a))
             for x, thing in zip("ij", (at.i, at.j), strict=True)}
        own = at.constant(at.i == at.j, "1 for an object with itself")
        words = "Directions that A has much of cost little more; those it has little of cost up to λ / √μ."
        terms = {"σ": at.row("sigma", None), "λ": at.param("lam2"), "μ": at.param("mu"), "own": own}
        return at.terms(**terms, **u, words=words)

    @tells("s", "A_ij + A_ji", "(2)", "s", "both directions of a pair", ("object", "object"))
    def why_s(self, at: At) -> Told:
        return at.terms(A_ij=at.now("A"), A_ji=at.now("A", at.j, at.i), words="From {i} to {j} and back.")

    @derived("b₀", "what is left of base clusterings that hold a pair apart, without their noise", "(2)", span=(0, 1))
    def b0(self, ensemble: Ensemble, state: RCEState) -> Matrix:
        return self.left_of_noise(state.A)[0]

    @tells("b0", "s / (1 + λ + sqrt((1 + λ)**2 - 2*λ*s))")
    def why_b0(self, at: At) -> Told:
        words = "Where a base clustering says 0, {value} is believed: more where A says more, or noise is cheap."
        return at.terms(s=at.now("s"), λ=at.param("lam1"), words=words)

    @derived("b₁", "what is left of base clusterings that put a pair together, without their noise", "(2)", span=(0, 1))
    def b1(self, ensemble: Ensemble, state: RCEState) -> Matrix:
        return self.left_of_noise(state.A)[1]

    @tells("b1", "1 - (2 - s) / (1 + λ + sqrt((1 + λ)**2 - 2*λ*(2 - s)))")
    def why_b1(self, at: At) -> Told:
        words = "Where a base clustering says 1, {value} is believed: less where A says less, or noise is cheap."
        return at.terms(s=at.now("s"), λ=at.param("lam1"), words=words)

    @tells("C", "m*(t*log(max((1 - b1) / max(b1, ε), ε)) + (1 - t)*log(max((1 - b0) / max(b0, ε), ε)))", "(3)", "C",
           "what the base clusterings ask of A: below 0 more of it", ("object", "object"))
    def why_C(self, at: At) -> Told:
        terms = {name: at.now(name) for name in ("t", "b1", "b0")}
        ask = {"value <= 0": "They ask for more.", "value > 0": "They ask for less."}
        words = "{t} of the base clusterings have the pair together. {ask}"
        return at.terms(m=at.m, ε=at.constant(LEAST, "least divisor"), **terms, ask=ask, words=words)

    @derived("S", "the consensus whose normalised cut gives the clusters: both directions of A averaged", span=(0, 1))
    def S(self, ensemble: Ensemble, state: RCEState) -> Matrix:
        return (state.A + state.A.T) / 2

    @tells("S", "(A_ij + A_ji) / 2")
    def why_S(self, at: At) -> Told:
        return at.terms(A_ij=at.now("A"), A_ji=at.now("A", at.j, at.i), words="From {i} to {j} and back, averaged.")
# fmt: on
