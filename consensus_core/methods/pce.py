"""Partial clustering ensemble (Zhou, Du, Liu, Ling, Ji, Li and Shen 2023)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..ensemble import MISSING, Ensemble
from ..ensemble.incidence import indicators, marks, shared_weight
from ..errors import InputError
from ..linalg import canonical_signs, leading_by_columns, orthonormaliser, polar_factor, stiefel_minimum
from ..linalg.procrustes import best_weights, turned_in_turn
from ..method import At, Cost, Embedding, Exempt, Labels, Scalar, Told, Weights, derived, param, shown, speed, tells
from ..method.alignment import POINT, Aligned
from ..method.params import ablation, common, schedule
from ..method.rotation import Rotated, RotatedState
from ..method.schedule import age_of_share, ease, last_easy, unseen_in_words
from ..method.stepping import STEP, Stepped, SteppedState
from ..numbers import counted, number
from ..partition import EDGE, clear_cut, first_greatest

LEAST_AGE = 1e-3  # λ where the most reliable tenth fits its base clusterings exactly, 2‖A_p‖² = 0 but for rounding:
EXACT = 1e-24  # of a row's own length squared


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class PCEState(SteppedState, RotatedState):
    base: Labels = shown("Y⁽ⁱ⁾", "the base labels, the missing ones as they are filled in", equation="(11)")
    H: Embedding = shown("H", "consensus: objects as points; every base clustering, turned, should land here",
        equation="(7)", diverging=True)
    v: Weights = shown("v", "how far each object is trusted: 1 fully, near 0 hardly", equation="(6)", span=(0, 1))
    alpha: Weights = shown("α", "weight of each base clustering, all together 1", equation="(12)", axes=("clustering",),
        span=(0, 1))
    R_each: Embedding = shown("R⁽ⁱ⁾", "where each base cluster is turned to: its row is where its members should be",
        equation="(13)", axes=("hyperedge", "coordinate"), diverging=True)
    error: Weights = shown("‖A‖²", "squared distance of each object from what its base labels say", equation="(5)")
    lam: Scalar = shown("λ", "age: the higher, the more objects are trusted fully", equation="(6)")
    order: tuple[int, ...]  # base clusterings in the order in which they are filled and turned
    passes: int = 0
    settled: bool = False


@dataclass(frozen=True, kw_only=True)
class PCE(Aligned, Stepped, Rotated):
    """Fill the gaps in incomplete base clusterings and combine them, at once.

        min ‖V(H − Σ_i α_i Y⁽ⁱ⁾R⁽ⁱ⁾)‖² − λ‖v‖₁ + γ‖Y − HR‖²                                                    (4)
        over the missing rows of the Y⁽ⁱ⁾, R⁽ⁱ⁾ and R orthogonal, HᵀH = r²I, Y an indicator, 0 ≤ v ≤ 1, α ≥ 0, Σα = 1

    Y⁽ⁱ⁾ (n x k_i) is base clustering i, R⁽ⁱ⁾ turns its clusters to where the consensus H (n x c) has them, α_i is its
    weight, v_p how far object p is trusted (V = diag v), Y the clusters found, R turns H towards them. A pass minimises
    over one after the other:

        v_p = min(λ / 2‖A_p‖², 1),  A = H − Σ α_i Y⁽ⁱ⁾R⁽ⁱ⁾                                                      (6)
        H:  tr HᵀDH − 2 tr HᵀC,  D = V² + γI,  C = γYRᵀ + V² Σ α_i Y⁽ⁱ⁾R⁽ⁱ⁾                                      (7)
        a missing label of p in i: the q with the least R⁽ⁱ⁾_q·(Σ_{j≠i} α_j R⁽ʲ⁾_p − H_p) + α_i‖R⁽ⁱ⁾_q‖²/2       (11)
        α:  αᵀGα − 2fᵀα on the simplex,  G_ij = tr R⁽ⁱ⁾ᵀY⁽ⁱ⁾ᵀV²Y⁽ʲ⁾R⁽ʲ⁾,  f_i = tr R⁽ⁱ⁾ᵀY⁽ⁱ⁾ᵀV²H                (12)
        R⁽ⁱ⁾ = polar(Y⁽ⁱ⁾ᵀV²(H − Σ_{j≠i} α_j Y⁽ʲ⁾R⁽ʲ⁾)),  R = polar(HᵀY),  Y = row-wise largest of HR        (13)–(15)

    then λ grows by a tenth, nine times. A base clustering with k_i ≠ c clusters has a rectangular R⁽ⁱ⁾, orthonormal the
    short way; where k_i > c its rows have different lengths, so (11) keeps ‖R_q‖² and (13) adds α_i(N − n_q)R_q, n_q
    the trusted mass of cluster q and N the largest, which keeps every step a descent. The objective never rises once
    the gaps are filled; at iteration 0 they are still empty (zero rows), which is not yet a point of (4).

    The start decides everything: H are the leading eigenvectors of Σ_i Y⁽ⁱ⁾Y⁽ⁱ⁾ᵀ with missing rows zero, as in the
    published program; `start="mean"` is the text's, as if equal numbers meant equal clusters (here 1 is the largest).
    Variant "paper" turns R by one Procrustes step, treats base clusterings in the order of how well they agree with the
    rest, and stops when nothing moves. "released" rotates anew from a random row in each of exactly `max_iter` passes,
    base clusterings in the order given. The terms between base clusterings (`diversity`) and v change H, α and the
    filled labels, and hardly ever the clusters, which the first H decides.

    The text has HᵀH = I (`scale="paper"`), so rows of H have length √(c/n), those of Y⁽ⁱ⁾R⁽ⁱ⁾ length 1: the terms
    between base clusterings dominate and turn the R⁽ⁱ⁾ against each other, and filled labels are near chance when much
    is missing. "balanced", the default, has HᵀH = (n/c)I: labels come right, and the clusters are the same.

    P. Zhou, L. Du, X. Liu, Z. Ling, X. Ji, X. Li, Y.-D. Shen: Partial clustering ensemble. IEEE TKDE (2023).
    """

    max_iter: int = common(20, "most passes", span=(1, 10_000))
    tol: float = common(1e-6, "change of H and α that counts as none (text)", plain="tolerance", span=(0.0, 1.0))
    seed: int = common(0, 'start of the random numbers, for "released" and random filling', span=(0, 2**32 - 1))
    gamma: float = param(1.0, "how strongly the consensus is drawn to clear-cut clusters", letter="γ", equation="(4)",
        plain="pull to clear clusters", span=(1e-4, 1e4), log=True)
    scale: str = param("balanced", "length of H: HᵀH = (n/c)I, so that its rows are as long as those of the base "
        "clusterings, or the text's HᵀH = I", plain="length of H", equation="(4)", choices=("balanced", "paper"))
    variant: str = param("paper", "rotation by one Procrustes step, or anew from a random row (the published program)",
        equation="(14)", choices=("paper", "released"))
    start: str = param("eigenvectors", "leading eigenvectors (the published program), or the text's mean of the Y⁽ⁱ⁾",
        plain="first H", choices=("eigenvectors", "mean"))
    self_paced: bool = ablation(True, "trust objects by how well they fit; off: v = 1 (noSP)", plain="object weights",
        letter="v", equation="(5)")
    diversity: bool = ablation(True, "keep the terms between base clusterings (noDiv without)",
        plain="terms between clusterings", equation="(2)")
    rotation: str = ablation("joint", "find clusters together with H, or afterwards (post)", plain="clusters found",
        equation="(4)", choices=("joint", "post"))
    filling: str = ablation("learned", "missing labels by (11), or drawn once by chance (filling)",
        plain="missing labels", equation="(11)", choices=("learned", "random"))
    first_share: float = schedule(0.1, "share of objects trusted fully at first", plain="share trusted at first",
        equation="(6)", span=(0.0, 1.0))
    growth: float = schedule(1.1, "growth of λ per pass", plain="growth of λ", equation="(6)", span=(1.0, 10.0))
    growths: int = schedule(9, "passes after which λ grows", plain="passes of growth", equation="(6)", span=(0, 10_000))
    inner_tol: float = schedule(1e-6, "change of H, as a share of its largest entry, that ends its steps",
        plain="tolerance of H", equation="(7)", span=(0.0, 1.0))
    inner_max: int = schedule(50, "most steps of H in a pass", plain="steps of H", equation="(7)", span=(1, 10_000))

    title = "Partial clustering ensemble"
    family = "embedding"
    reference = "Zhou, Du, Liu, Ling, Ji, Li & Shen, IEEE TKDE (2023)"
    handles_missing = "filled in while the consensus is learned, which is what the method is for"
    State = PCEState
    # fmt: on

    @property
    def monotone(self) -> bool | Exempt:
        return self.variant == "paper" or Exempt("the rotation is found anew in every pass, and may get worse")

    @property
    def scale_free(self) -> bool | Exempt:
        if self.scale == "paper":
            return Exempt("HᵀH = I makes the rows of H shorter the more objects there are")
        return not self.self_paced or Exempt("λ lets a share of the objects, counted whole, be trusted fully")

    @property
    def order_free(self) -> bool | Exempt:
        if self.filling == "random":
            return Exempt("gaps are filled by chance: what is alike is not filled alike")
        return self.variant == "paper" or Exempt("the published program treats the base clusterings in the order given")

    @property
    def exact_on_rows(self) -> bool | Exempt:
        return self.filling == "learned" or Exempt("equal objects would draw each; here a microcluster draws once")

    # --- the passes -------------------------------------------------------------------------------------------

    def init(self, ensemble: Ensemble) -> PCEState:
        counts, each, observed = ensemble.weights, ensemble.k_each, ensemble.k_each > 0
        if not observed.any():
            raise InputError("PCE: no base clustering has a single label, so there is nothing to combine.")
        base, alpha = self._first_base(ensemble), observed / observed.sum()
        shared = shared_weight(base, each, counts)
        H, order = self._first_H(ensemble, base, shared, alpha), self._order(ensemble, shared)
        R_each = _identities(ensemble, self.k)
        if self.start == "eigenvectors":
            drawn = indicators(base, ensemble.offsets).T @ (counts[:, None] * H)
            alone = self._alone(ensemble, drawn)
            R_each = turned_in_turn(shared, drawn, alpha, alone, ensemble.offsets, order, self.diversity)
        y, turn = clear_cut(H, counts, [self.seed, 0] if self.variant == "released" else None)
        error = self.errors(ensemble, base, H, alpha, R_each)
        lam = age_of_share(error, ensemble.counts, self.first_share)
        lam = lam if lam > EXACT * self.k * self.radius(ensemble) ** 2 / ensemble.n else LEAST_AGE
        return PCEState(base=base, H=H, v=self._trust(error, lam), alpha=alpha, R_each=R_each, error=error, lam=lam,
                        turn=turn, y=y, order=order)  # fmt: skip

    def step(self, ensemble: Ensemble, state: PCEState) -> PCEState:
        counts, radius = ensemble.weights, self.radius(ensemble)
        v, aligned = self._trust(state.error, state.lam), self.aligned(ensemble, state.base, state.alpha, state.R_each)
        C, d = self._quadratic(state, v, aligned)
        H, turns = stiefel_minimum(C, d, state.H, counts, radius, self.inner_tol, self.inner_max)
        base = self._filled(ensemble, state, H, aligned)
        shared = shared_weight(base, ensemble.k_each, counts * v**2)
        drawn = indicators(base, ensemble.offsets).T @ ((counts * v**2)[:, None] * H)  # Y⁽ⁱ⁾ᵀV²H, all i
        alpha = best_weights(shared, drawn, state.R_each, ensemble.offsets, self.diversity)
        R_each = turned_in_turn(shared, drawn, alpha, state.R_each, ensemble.offsets, state.order, self.diversity)
        if self.variant == "paper" and self.rotation == "joint":
            y, turn = self.rotated_on(H, state.y, counts)
        else:
            y, turn = clear_cut(H, counts, [self.seed, state.passes + 1] if self.variant == "released" else None)
        error = self.errors(ensemble, base, H, alpha, R_each)
        moved = max(np.abs(H - state.H).max() / np.abs(H).max(), np.abs(alpha - state.alpha).max())
        return replace(
            state, base=base, H=H, v=v, alpha=alpha, R_each=R_each, turn=turn, error=error, y=y, turns=turns,
            lam=state.lam * self.growth if state.passes < self.growths else state.lam, passes=state.passes + 1,
            settled=bool(moved <= self.tol and (base == state.base).all() and (y == state.y).all()),
        )  # fmt: skip

    @property
    def _gamma(self) -> float:
        return self.gamma if self.rotation == "joint" else 0.0

    def radius(self, ensemble: Ensemble) -> float:
        return 1.0 if self.scale == "paper" else float(np.sqrt(ensemble.n / self.k))

    def _first_base(self, ensemble: Ensemble) -> np.ndarray:
        if self.filling == "learned" or not ensemble.has_missing:
            return ensemble.rows
        base, rng = ensemble.rows.copy(), np.random.default_rng(self.seed)
        for column, absent, k in zip(base.T, ensemble.missing.T, ensemble.k_each, strict=True):
            column[absent] = rng.integers(k, size=int(absent.sum())) if k else MISSING
        return base

    def _first_H(self, ensemble, base, shared, alpha) -> np.ndarray:
        """Made orthonormal; `marks` add the directions the base clusterings leave open."""
        eigen, mean = self.start == "eigenvectors", alpha.repeat(ensemble.k_each)[:, None]
        rows = leading_by_columns(shared, self.k)[1] if eigen else mean * _identities(ensemble, self.k)
        M, spare = indicators(base, ensemble.offsets) @ rows, marks(ensemble.rows, self.k)
        A, B = orthonormaliser(M, ensemble.weights, spare)
        H = M @ A + spare @ B
        return self.radius(ensemble) * (canonical_signs(H, ensemble.weights) if eigen else H)

    def _order(self, ensemble: Ensemble, shared: np.ndarray) -> tuple[int, ...]:
        """Best agreement with the others first."""
        if self.variant == "released":
            return tuple(ensemble.as_given.tolist())
        each = np.repeat(np.arange(ensemble.m), ensemble.k_each)
        agreement = np.bincount(each, weights=(shared**2).sum(axis=1), minlength=ensemble.m)
        return tuple(np.argsort(-agreement, kind="stable").tolist())

    def _alone(self, ensemble: Ensemble, drawn: np.ndarray) -> np.ndarray:
        """Each base clustering turned to H alone: where the turning in turn begins."""
        if self.variant == "released":
            return _identities(ensemble, self.k)
        return np.concatenate([polar_factor(part) for part in np.split(drawn, ensemble.offsets[1:-1])])

    def _trust(self, error: np.ndarray, lam: float) -> np.ndarray:
        return ease(lam, error) if self.self_paced else np.ones(len(error))

    def _quadratic(self, state: PCEState, v: np.ndarray, aligned: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """C and D of (7)."""
        C = v[:, None] ** 2 * aligned + (self._gamma * state.turn.T[state.y] if self._gamma else 0.0)
        return C, v**2 + self._gamma

    def _filled(self, ensemble: Ensemble, state: PCEState, H: np.ndarray, aligned: np.ndarray) -> np.ndarray:
        """(11), Gauss–Seidel over the base clusterings; edits neither argument."""
        if self.filling == "random" or not ensemble.has_missing:
            return state.base
        base, away = state.base.copy(), aligned - H
        for i in state.order:
            gaps, weight = np.flatnonzero(ensemble.missing[:, i]), state.alpha[i]
            if not len(gaps) or not weight:  # with α_i = 0 nothing speaks for another label
                continue
            R = state.R_each[ensemble.offsets[i] : ensemble.offsets[i + 1]]
            points = np.concatenate([weight * R, np.zeros((1, self.k))])  # MISSING finds the last row
            rest = away[gaps] - points[base[gaps, i]]
            cost = (rest if self.diversity else -H[gaps]) @ R.T + weight / 2 * (R**2).sum(axis=1)
            base[gaps, i] = best = first_greatest(-cost)
            away[gaps] = rest + points[best]
        return base

    def terms(self, ensemble: Ensemble, state: PCEState) -> dict[str, float]:
        counts = ensemble.weights
        terms = {"consensus ‖VA‖²": float(counts @ (state.v**2 * state.error))}
        if self.self_paced:
            terms["self-pacing −λ‖v‖₁"] = -state.lam * float(counts @ state.v)
        if self._gamma:
            own = (state.H * state.turn.T[state.y]).sum(axis=1)
            terms["rotation γ‖Y − HR‖²"] = self._gamma * float(counts @ (1 + (state.H**2).sum(axis=1) - 2 * own))
        return terms

    def converged(self, old: PCEState, new: PCEState) -> bool:
        return self.variant == "paper" and new.settled and (new.passes > self.growths or not self.self_paced)

    def stage(self, state: PCEState) -> str:
        return f"λ = {number(state.lam)}, {counted(len(state.turns), 'step')} of H"

    def remarks(self, ensemble: Ensemble, state: PCEState) -> tuple[str, ...]:
        empty = ", ".join(ensemble.names[i] for i in np.flatnonzero(ensemble.k_each == 0))
        left_out = (f"No label at all in {empty}: left out, weight 0.",) if empty else ()
        return (*self.split_in_words(state), *left_out, *unseen_in_words(ensemble))

    def cost(self, ensemble: Ensemble) -> Cost:
        q, m, k, K, machine = ensemble.q, ensemble.m, self.k, ensemble.K, speed()
        entries = 1.7 * (q * k * (4 * m + 60) + 8 * q * m * (m + 1))
        products, calls = 12 * q * k * k + 2 * K * K * k, 2e-3 + 3e-4 * m  # a pass on next to nothing, each turned
        seconds = self.max_iter * (calls + entries / machine.entries + products / machine.products)
        return Cost(int(8 * q * (9 * k + 4 * m + 10) + 24 * K * K), seconds + 2 * K**3 / machine.products)

    # --- what is shown beside the state, and why ----------------------------------------------------------------

    # fmt: off
    @tells("base", "argmin(cost[q], q)")
    def why_base(self, at: At) -> Told:
        given = int(at.ensemble.rows[at.p, at.t])
        if given != MISSING:
            label = at.labels(given, "the base label", *at.said_of_one(at.t))
            return at.equals(label, "{t} has {i} in its cluster {value}: there is no gap.")
        if self.filling == "random" and at.ensemble.k_each[at.t]:
            drawn = at.started(self._first_base(at.ensemble)[at.p, at.t], "a label drawn by chance")
            return at.equals(drawn, "{t} has no label for {i}: cluster {value} was drawn by chance.")
        if at.start:
            return at.given(MISSING, "{t} has no label for {i}; gaps stay empty until the first pass.")
        if not at.before.alpha[at.t]:
            return at.unchanged("{t} has weight 0, so nothing speaks for another label of {i}.")
        first, codes = int(at.ensemble.offsets[at.t]), at.ensemble.codes_by_name(at.t)
        costs = at.row("cost", at.i, None, some=first + codes)
        row = at.rows(np.maximum(costs.values, costs.values.min() + EDGE), costs.term, codes.tolist())
        return at.terms(cost=row, words="{t} has no label for {i}. Its cluster {value} costs least, and is filled in.")

    @tells("cost", "dot(R_q, others - H_p) + α*norm(R_q)**2 / 2", "(11)", "cost", "of filling in this label",
           ("object", "hyperedge"), alone="α*norm(R_q)**2 / 2 - dot(R_q, H_p)")
    def why_cost(self, at: At) -> Told:
        """How ‖H_p − Σ_j α_j P_j‖² / 2α_t grows with the label: what does not depend on it is left out."""
        t = at.ensemble.cluster(at.e)[0]
        terms = {"R_q": at.row("R_each", at.e, None, when=-1), "α": at.then("alpha", t), "H_p": at.row("H", at.i, None)}
        if not self.diversity:
            return at.terms("alone", **terms, words="The nearer the row of {e} lies to {i} in the consensus, the less.")
        words = "How far all base clusterings together would miss {i} with this label, less what no label changes."
        return at.terms(**terms, others=at.row("others", at.i, t, None), words=words)

    @tells("others", "sum(α[j]*P[j], j)", "(11)", "others", "what the other base clusterings say", POINT)
    def why_others(self, at: At) -> Told:
        filled = at.after.order[: at.after.order.index(at.t)]
        them = [j for j in range(at.ensemble.m) if j != at.t]
        points = [at.now("refilled", at.i, j, at.a) if j in filled else at.then("point", at.i, j, at.a) for j in them]
        words = "Gaps that are filled before those of {t} count as they are now, the others as they were."
        P = at.rows([point.value for point in points], points.__getitem__, them)
        return at.terms(α=at.row("alpha", None, when=-1, some=them), P=P, words=words)

    @derived("Y_u⁽ⁱ⁾", "only the labels that were missing, as filled in", equation="(11)")
    def filled(self, ensemble: Ensemble, state: PCEState) -> Labels:
        return np.where(ensemble.missing, state.base, MISSING)

    @tells("filled", "it")
    def why_filled(self, at: At) -> Told:
        if at.ensemble.rows[at.p, at.t] != MISSING:
            return at.given(MISSING, "{t} has a label for {i}: there is no gap.")
        return at.equals(at.now("base"), "{t} has no label for {i}; filled in: {value}.")

    @tells("v", "min(λ / (2*error), 1)")
    def why_v(self, at: At) -> Told:
        if not self.self_paced:
            return at.given(1, "Self-pacing is off: every object is trusted fully.")
        told = at.now if at.start else at.then
        if told("error").value <= 0:
            return at.given(1, "{i} is where its base labels put it.")
        trust = {"value >= 1": "it is trusted fully", "value < 1": "it is trusted to {value}"}
        words = "{i} is {error} (squared) from what its base labels say; with λ = {λ}, {trust}."
        return at.terms(λ=told("lam"), error=told("error"), trust=trust, words=words)

    @tells("lam", "λ*growth", start="2*error")
    def why_lam(self, at: At) -> Told:
        if not at.start and at.before.passes >= self.growths:
            return at.unchanged("λ has grown {many} times, and stays.", many=at.param("growths"))
        if not at.start:
            return at.terms(λ=at.then("lam"), growth=at.param("growth"), words="The learner ages, and trusts more.")
        who = int(at.ensemble.first_of[last_easy(at.after.error, at.ensemble.counts, self.first_share)])
        terms = {"error": at.now("error", who), "share": at.param("first_share"), "who": ("object", who)}
        if at.after.lam == LEAST_AGE:
            return at.given(LEAST_AGE, "The easiest objects fit exactly: λ begins just above 0.")
        words = "A share {share} of the objects, at least one, is trusted fully at first: {who} is the last of them."
        return at.terms("start", **terms, words=words)

    @tells("H", "M == sum(H[b]*S[b], b)", start="sum(n[q]*together[q]*H[q], q) == σ*H_p")
    def why_H(self, at: At) -> Told:
        if not at.start or self.start == "mean":
            r = max(len(at.after.turns) - 1, 0)
            return self.nearest(at, *self.aimed(at, r), r)
        base = self._first_base(at.ensemble)
        together = ((base == base[at.p]) & (base != MISSING)).sum(axis=1)
        some = np.flatnonzero(together)
        values, _ = leading_by_columns(shared_weight(base, at.ensemble.k_each, at.ensemble.weights), self.k)
        both = at.row_of_labels(together[some], "base clusterings with both in one cluster", lambda k: (
            "The base labels of ", ("object", at.i), " and ", ("object", int(at.ensemble.first_of[some[k]])), "."))
        σ = at.constant(values[at.a], "an eigenvalue of Σ Y⁽ⁱ⁾Y⁽ⁱ⁾ᵀ, of the ensemble as a whole")
        words = "An eigenvector: the objects that are together with {i} add up to a multiple of its own {value}."
        terms = {"n": at.counts_at(some), "H": at.row("H", None, at.a, some=some), "H_p": at.now("H")}
        return at.terms("start", **terms, together=both, σ=σ, words=words)

    @tells("aim", "γ*R_y + v**2*sum(α[i]*P[i], i) + (v_most**2 - v**2)*H", "(7)", "M", "where a step draws an object",
           STEP, mean="sum(α[i]*P[i], i)")
    def why_aim(self, at: At) -> Told:
        if at.start:
            words = "The text begins with the mean of the base clusterings, as if equal numbers meant equal clusters."
            return at.terms("mean", P=at.row("point", at.i, None, at.a), α=at.row("alpha", None), words=words)
        column, most = self.column_before(at, at.before.y[at.p]), int(at.ensemble.first_of[at.after.v.argmax()])
        γ = at.param("gamma") if self._gamma else at.constant(0, "clusters are found afterwards, and draw nothing")
        return at.terms(
            γ=γ, R_y=at.then("R", at.a, column), v=at.now("v"), v_most=at.now("v", most), H=self.H_before(at),
            α=at.row("alpha", None, when=-1), P=at.row("point", at.i, None, at.a, when=-1),
            words="{i} is drawn to its cluster by γ, to where its base labels put it by v², and else stays; v = {v}.",
        )

    def quadratic(self, at: At) -> tuple[np.ndarray, np.ndarray]:
        was = at.before
        return self._quadratic(was, at.after.v, self.aligned(at.ensemble, was.base, was.alpha, was.R_each))

    def aimed(self, at: At, r: int) -> tuple[np.ndarray, np.ndarray]:
        if not at.start:
            return self.steps_of_H(at)[r]
        return self.aligned(at.ensemble, at.after.base, at.after.alpha, at.after.R_each), at.after.H

    def found_anew(self, at: At) -> bool:
        return at.start or self.variant == "released" or self.rotation == "post"

    def before_turning(self, at: At) -> np.ndarray:
        if not at.start:
            return at.before.R_each
        inside = indicators(at.after.base.astype(int), at.ensemble.offsets)
        return self._alone(at.ensemble, inside.T @ (at.ensemble.weights[:, None] * at.after.H))

    def first_turn(self, at: At) -> Told | None:
        words = "The text begins without a turn: the first cluster stands for the first coordinate, and so on."
        fixed = at.given(_identities(at.ensemble, self.k)[at.e, at.a], words)
        return fixed if self.start == "mean" else None
    # fmt: on


def _identities(ensemble: Ensemble, k: int) -> np.ndarray:
    return np.concatenate([np.eye(int(k_i), k) for k_i in ensemble.k_each])
