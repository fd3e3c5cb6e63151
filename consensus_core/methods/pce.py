"""Partial clustering ensemble (Zhou, Du, Liu, Ling, Ji, Li and Shen 2023)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg

from ..ensemble import Ensemble
from ..ensemble.ensemble import MISSING
from ..ensemble.incidence import indicators, marks
from ..errors import InputError
from ..linalg import canonical_signs, orthonormaliser, polar_factor, simplex_qp, stiefel_minimum
from ..method import (
    Cost,
    Embedding,
    Exempt,
    Explanation,
    Incidence,
    Labels,
    Matrix,
    Method,
    Scalar,
    State,
    Weights,
    derived,
    param,
    shown,
    speed,
)
from ..partition import discretise, relabel, split_scattered

LEAST_AGE = 1e-3  # λ where the most reliable tenth fits its base clusterings exactly, 2‖A_p‖² = 0
NO_EIGENVALUE = 1e-10  # share of the greatest eigenvalue below which the base clusterings say nothing


@dataclass(frozen=True, kw_only=True, eq=False)
class PCEState(State):
    base: Labels = shown("Y⁽ⁱ⁾", "the base labels, the missing ones as they are filled in", equation="(11)")
    H: Embedding = shown(
        "H", "consensus: objects as points; every base clustering, turned, should land here", equation="(4)",
        diverging=True,
    )  # fmt: skip
    v: Weights = shown(
        "v", "how far each object is trusted: 1 fully, near 0 hardly", equation="(6)", axes=("object",), span=(0, 1)
    )
    alpha: Weights = shown(
        "α", "weight of each base clustering, all together 1", equation="(12)", axes=("clustering",), span=(0, 1)
    )
    R_each: Embedding = shown(
        "R⁽ⁱ⁾", "where each base cluster is turned to: its row is the point its members stand for", equation="(13)",
        axes=("hyperedge", "coordinate"), diverging=True,
    )  # fmt: skip
    R: Matrix = shown(
        "R", "rotation that turns the consensus towards clear-cut clusters", equation="(14)",
        axes=("coordinate", "cluster"), span=(-1, 1), diverging=True,
    )  # fmt: skip
    error: Weights = shown(
        "‖A‖²", "squared distance of each object from what its base labels say", equation="(5)", axes=("object",)
    )
    lam: Scalar = shown("λ", "age: the higher, the more objects are trusted fully", equation="(6)")
    y: np.ndarray  # (q,) where each row of Y has its one
    order: tuple[int, ...]  # base clusterings in the order in which they are filled and turned
    start: tuple[np.ndarray, np.ndarray]  # H at iteration 0: sums of rows of the first, plus marks times the second
    turns: tuple[tuple[np.ndarray, np.ndarray], ...] = ()  # of the steps of H in this pass
    passes: int = 0
    settled: bool = False


@dataclass(frozen=True, kw_only=True)
class PCE(Method):
    """Fill the gaps in incomplete base clusterings and combine them, at once.

        min ‖V(H − Σ_i α_i Y⁽ⁱ⁾R⁽ⁱ⁾)‖² − λ‖v‖₁ + γ‖Y − HR‖²                                                    (4)
        over the missing rows of the Y⁽ⁱ⁾, R⁽ⁱ⁾ and R orthogonal, HᵀH = I, Y an indicator, 0 ≤ v ≤ 1, α ≥ 0, Σα = 1

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
    published program; `start="mean"` is the text's, which averages clusters whose names mean nothing yet. Variant
    "paper", the default, turns R by one Procrustes step, treats the base clusterings in the order of how well they
    agree with the rest, and stops when nothing moves: deterministic, and no order of columns matters. "released"
    rotates anew from a random row in each of exactly `max_iter` passes, base clusterings in their own order.

    Rows of H have length √(c/n), those of YR length 1, so the terms between base clusterings dominate and turn the
    R⁽ⁱ⁾ against each other; filled labels are then near chance when much is missing. `scale="balanced"` asks for
    HᵀH = (n/c)I instead, which fills far better with equal clusters.

    P. Zhou, L. Du, X. Liu, Z. Ling, X. Ji, X. Li, Y.-D. Shen: Partial clustering ensemble. IEEE TKDE (2023).
    """

    max_iter: int = param(20, "most passes", low=1, high=10_000, role="common")
    gamma: float = param(
        1.0, "how strongly the consensus is drawn to clear-cut clusters",
        plain="pull to clear clusters", letter="γ", low=1e-4, high=1e4, log=True,
        equation="(4)",
    )  # fmt: skip
    scale: str = param(
        "paper", "length of H: HᵀH = I, or (n/c)I so that its rows are as long as those of the base clusterings",
        plain="length of H",
        choices=("paper", "balanced"), equation="(4)",
    )  # fmt: skip
    variant: str = param(
        "paper", "rotation by one Procrustes step, or found anew from a random row as in the published program",
        choices=("paper", "released"), equation="(14)",
    )  # fmt: skip
    start: str = param(
        "eigenvectors", "first H: leading eigenvectors as in the published program, or the text's mean of the Y⁽ⁱ⁾",
        plain="first H",
        choices=("eigenvectors", "mean"),
    )  # fmt: skip
    self_paced: bool = param(
        True,
        "trust objects by how well they fit; off: v = 1 (noSP)",
        plain="object weights",
        letter="v",
        role="ablation",
        equation="(5)",
    )
    diversity: bool = param(
        True,
        "keep the terms between base clusterings (noDiv without)",
        plain="terms between clusterings",
        role="ablation",
        equation="(2)",
    )
    rotation: str = param(
        "joint", "find clusters together with H, or afterwards (post)",
        plain="clusters found", choices=("joint", "post"), role="ablation",
        equation="(4)",
    )  # fmt: skip
    filling: str = param(
        "learned", "missing labels by (11), or drawn once by chance (filling)",
        plain="missing labels", choices=("learned", "random"),
        role="ablation", equation="(11)",
    )  # fmt: skip
    first_share: float = param(
        0.1,
        "share of objects trusted fully at first",
        plain="share trusted at first",
        low=0.0,
        high=1.0,
        role="schedule",
        equation="(6)",
    )
    growth: float = param(
        1.1, "growth of λ per pass", plain="growth of λ", low=1.0, high=10.0, role="schedule", equation="(6)"
    )
    growths: int = param(
        9, "passes after which λ grows", plain="passes with growth", low=0, high=10_000, role="schedule", equation="(6)"
    )
    inner_tol: float = param(
        1e-6, "change of H, as a share of its largest entry, that ends its steps",
        plain="tolerance of H", low=0.0, high=1.0, role="schedule",
        equation="(7)",
    )  # fmt: skip
    inner_max: int = param(
        50, "most steps of H in a pass", plain="most steps of H", low=1, high=10_000, role="schedule", equation="(7)"
    )

    title = "Partial clustering ensemble"
    family = "embedding"
    reference = "Zhou, Du, Liu, Ling, Ji, Li & Shen, IEEE TKDE (2023)"
    handles_missing = "filled in while the consensus is learned, which is what the method is for"
    State = PCEState

    @property
    def monotone(self):
        if self.variant == "released":
            return Exempt("the rotation is found anew from a random row in every pass and may be worse than the last")
        return True

    scale_free = Exempt("HᵀH = I makes the rows of H shorter the more objects there are, and λ counts whole objects")

    @property
    def order_free(self):
        if self.filling == "random":
            return Exempt("gaps are filled by chance, object by object in the order given")
        if self.start == "mean":
            return Exempt("the text starts every R⁽ⁱ⁾ at the identity, so the names of the base clusters matter")
        if self.variant == "released":
            return Exempt(
                "the published program treats base clusterings in the order given, each R⁽ⁱ⁾ from the identity"
            )
        return True

    @property
    def exact_on_rows(self):
        if self.filling == "random":
            return Exempt("equal objects would be filled differently; here a microcluster draws once")
        return True

    # --- the passes -------------------------------------------------------------------------------------------

    def init(self, ensemble: Ensemble) -> PCEState:
        observed = ensemble.k_each > 0
        if not observed.any():
            raise InputError("PCE: no base clustering has a single label, so there is nothing to combine.")
        counts = ensemble.counts.astype(float)
        base = self._first_base(ensemble)
        shared = shared_mass(base, ensemble.k_each, counts)
        alpha = observed / observed.sum()
        if self.start == "eigenvectors":
            rows = leading_coordinates(shared, self.k)
        else:
            rows = alpha.repeat(ensemble.k_each)[:, None] * self._identities(ensemble)
        H, start = self._first_H(ensemble, base, rows, counts)
        order = self._order(ensemble, shared)
        R_each = self._first_turns(ensemble, base, H, alpha, shared, order)
        y, R = self._rotated(ensemble, H, 0)
        X = indicators(base, ensemble.offsets)
        error = self._errors(ensemble, base, H, X @ (alpha.repeat(ensemble.k_each)[:, None] * R_each), alpha, R_each)
        lam = self._first_age(ensemble, error)
        v = self._trust(error, lam)
        return PCEState(
            base=base, H=H, v=v, alpha=alpha, R_each=R_each, R=R, error=error, lam=lam, y=y, order=order, start=start
        )

    def step(self, ensemble: Ensemble, state: PCEState) -> PCEState:
        counts, each = ensemble.counts.astype(float), ensemble.k_each
        v = self._trust(state.error, state.lam)
        aligned = self._aligned(ensemble, state.base, state.alpha, state.R_each)
        C = v[:, None] ** 2 * aligned
        if self._gamma:
            C += self._gamma * state.R.T[state.y]
        H, turns = stiefel_minimum(
            C, v**2 + self._gamma, state.H, counts, self._radius(ensemble), self.inner_tol, self.inner_max
        )
        base = self._filled(ensemble, state, H, aligned)
        weights = counts * v**2
        shared = shared_mass(base, each, weights)
        X = indicators(base, ensemble.offsets)
        drawn = X.T @ (weights[:, None] * H)  # Y⁽ⁱ⁾ᵀV²H, all i
        alpha = self._weights(ensemble, shared, drawn, state.R_each)
        R_each = self._turned(ensemble, shared, drawn, alpha, state.R_each, state.order)
        y, R = self._clusters(ensemble, state, H)
        aligned = X @ (alpha.repeat(each)[:, None] * R_each)
        error = self._errors(ensemble, base, H, aligned, alpha, R_each)
        still = (
            np.abs(H - state.H).max() <= self.tol * np.abs(H).max() and np.abs(alpha - state.alpha).max() <= self.tol
        )
        return replace(
            state, base=base, H=H, v=v, alpha=alpha, R_each=R_each, R=R, error=error, y=y, turns=turns,
            lam=state.lam * self.growth if state.passes < self.growths else state.lam, passes=state.passes + 1,
            settled=bool(still and (base == state.base).all() and (y == state.y).all()),
        )  # fmt: skip

    @property
    def _gamma(self) -> float:
        return self.gamma if self.rotation == "joint" else 0.0

    def _radius(self, ensemble: Ensemble) -> float:
        return 1.0 if self.scale == "paper" else float(np.sqrt(ensemble.n / self.k))

    def _first_base(self, ensemble: Ensemble) -> np.ndarray:
        if self.filling == "learned" or not ensemble.has_missing:
            return ensemble.rows
        base, rng = ensemble.rows.copy(), np.random.default_rng(self.seed)
        for column, k in zip(base.T, ensemble.k_each, strict=True):
            absent = column == MISSING
            if k:
                column[absent] = rng.integers(k, size=int(absent.sum()))
        return base

    def _identities(self, ensemble: Ensemble) -> np.ndarray:
        return np.concatenate([np.eye(int(k_i), self.k) for k_i in ensemble.k_each])

    def _first_H(self, ensemble, base, rows, counts):
        """H = X rows, made orthonormal; `marks` add the directions the base clusterings leave open."""
        X = indicators(base, ensemble.offsets)
        spare = marks(ensemble.rows, self.k)
        M = X @ rows
        A, B = orthonormaliser(M, counts, spare)
        H = M @ A + spare @ B
        signs = np.sign((H * canonical_signs(H, counts)).sum(axis=0)) if self.start == "eigenvectors" else 1.0
        size = signs * self._radius(ensemble)
        return H * size, (rows @ A * size, B * size)

    def _order(self, ensemble: Ensemble, shared: np.ndarray) -> tuple[int, ...]:
        """Best agreement with the others first; ties as they stand."""
        if self.variant == "released":
            return tuple(range(ensemble.m))
        each = np.repeat(np.arange(ensemble.m), ensemble.k_each)
        agreement = np.bincount(each, weights=(shared**2).sum(axis=1), minlength=ensemble.m)
        return tuple(int(i) for i in np.argsort(-agreement, kind="stable"))

    def _first_turns(self, ensemble, base, H, alpha, shared, order):
        if self.start == "mean":
            return self._identities(ensemble)
        drawn = indicators(base, ensemble.offsets).T @ (ensemble.counts[:, None] * H)
        return self._turned(ensemble, shared, drawn, alpha, self._before_turning(ensemble, drawn), order)

    def _before_turning(self, ensemble: Ensemble, drawn: np.ndarray) -> np.ndarray:
        """Each base clustering turned to H alone: cluster names and column order play no part."""
        if self.variant == "released":
            return self._identities(ensemble)
        return np.concatenate([polar_factor(part) for part in np.split(drawn, ensemble.offsets[1:-1])])

    def _aligned(self, ensemble, base, alpha, R_each) -> np.ndarray:
        return indicators(base, ensemble.offsets) @ (alpha.repeat(ensemble.k_each)[:, None] * R_each)

    def _errors(self, ensemble, base, H, aligned, alpha, R_each) -> np.ndarray:
        error = ((H - aligned) ** 2).sum(axis=1)
        if not self.diversity:
            own = (alpha**2).repeat(ensemble.k_each) * (R_each**2).sum(axis=1)
            error += indicators(base, ensemble.offsets) @ own - (aligned**2).sum(axis=1)
        return error

    def _first_age(self, ensemble: Ensemble, error: np.ndarray) -> float:
        order = np.argsort(error, kind="stable")
        wanted = max(1, int(ensemble.n * self.first_share + 1e-9))  # counted in whole objects, not interpolated
        at = int(np.searchsorted(np.cumsum(ensemble.counts[order]), wanted))
        lam = 2 * float(error[order[at]])
        return lam if lam > 0 else LEAST_AGE

    def _trust(self, error: np.ndarray, lam: float) -> np.ndarray:
        if not self.self_paced:
            return np.ones(len(error))
        return lam / np.maximum(2 * error, lam)  # min(λ / 2‖A‖², 1), also where ‖A‖² ≤ 0

    def _filled(self, ensemble: Ensemble, state: PCEState, H: np.ndarray, aligned: np.ndarray) -> np.ndarray:
        """(11), Gauss–Seidel over the base clusterings; edits neither argument."""
        if self.filling == "random" or not ensemble.has_missing:
            return state.base
        base, away = state.base.copy(), aligned - H
        offsets = ensemble.offsets
        for i in state.order:
            gaps, k_i, weight = np.flatnonzero(ensemble.missing[:, i]), ensemble.k_each[i], state.alpha[i]
            if not len(gaps) or not k_i or not weight:  # with α_i = 0 nothing speaks for another label
                continue
            R = state.R_each[offsets[i] : offsets[i + 1]]
            points = np.concatenate([weight * R, np.zeros((1, self.k))])  # MISSING finds the last row
            rest = away[gaps] - points[base[gaps, i]]
            pull = rest if self.diversity else -H[gaps]
            best = (pull @ R.T + weight / 2 * (R**2).sum(axis=1)).argmin(axis=1)
            base[gaps, i] = best
            away[gaps] = rest + points[best]
        return base

    def _weights(self, ensemble, shared, drawn, R_each) -> np.ndarray:
        G, f = self._program(ensemble, shared, drawn, R_each)
        alive = ensemble.k_each > 0
        alpha = np.zeros(ensemble.m)
        alpha[alive] = simplex_qp(2 * G[np.ix_(alive, alive)], -2 * f[alive])
        return alpha

    def _program(self, ensemble, shared, drawn, R_each):
        """G and f of (12)."""
        m, offsets = ensemble.m, ensemble.offsets
        each = np.repeat(np.arange(m), ensemble.k_each)
        G = np.zeros((m, m))
        for j in range(m):
            part = slice(offsets[j], offsets[j + 1])
            G[:, j] = np.bincount(each, weights=((shared[:, part] @ R_each[part]) * R_each).sum(axis=1), minlength=m)
        f = np.bincount(each, weights=(drawn * R_each).sum(axis=1), minlength=m)
        return (G + G.T) / 2 if self.diversity else np.diag(np.diag(G)), f

    def _turned(self, ensemble, shared, drawn, alpha, R_each, order) -> np.ndarray:
        """(13), one base clustering after the other."""
        R_each, offsets = R_each.copy(), ensemble.offsets
        weighted = alpha.repeat(ensemble.k_each)[:, None] * R_each
        for i in order:
            part = slice(offsets[i], offsets[i + 1])
            if part.start == part.stop:
                continue
            towards = drawn[part]
            if self.diversity:
                mass = np.diag(shared)[part, None]
                towards = towards - shared[part] @ weighted + mass * weighted[part]
            R_each[part] = polar_factor(towards + self._inertia(np.diag(shared)[part], alpha[i], R_each[part]))
            weighted[part] = alpha[i] * R_each[part]
        return R_each

    def _inertia(self, mass, weight, R) -> np.ndarray | float:
        """What (13) needs where k_i > c, the rows of R⁽ⁱ⁾ having different lengths: α_i(N − n_q)R_q."""
        return weight * (mass.max() - mass)[:, None] * R if len(R) > self.k else 0.0

    def _clusters(self, ensemble: Ensemble, state: PCEState, H: np.ndarray):
        if self.variant == "released" or self.rotation == "post":
            return self._rotated(ensemble, H, state.passes + 1)
        R = polar_factor(grouped(state.y, ensemble.counts[:, None] * H, self.k).T)
        return (H @ R).argmax(axis=1), R

    def _rotated(self, ensemble: Ensemble, H: np.ndarray, passes: int):
        """Y and R by spectral rotation of H with rows of unit length."""
        length = np.linalg.norm(H, axis=1, keepdims=True)
        unit = H / np.where(length > 0, length, 1)
        counts = ensemble.counts.astype(float)
        if self.variant == "released":
            return discretise(unit, counts, seed=[self.seed, passes])
        # the direction most objects have a share in: no draw, and the same for any order of the objects
        densest = (unit @ (unit.T @ (counts[:, None] * unit)) * unit).sum(axis=1)
        return discretise(unit, counts, first=int(densest.argmax()))

    # --- what the run says ------------------------------------------------------------------------------------

    def terms(self, ensemble: Ensemble, state: PCEState) -> dict[str, float]:
        counts = ensemble.counts
        terms = {"consensus ‖VA‖²": float(counts @ (state.v**2 * state.error))}
        if self.self_paced:
            terms["self-pacing −λ‖v‖₁"] = -state.lam * float(counts @ state.v)
        if self._gamma:
            own = (state.H * state.R.T[state.y]).sum(axis=1)
            apart = 1 + (state.H**2).sum(axis=1) - 2 * own
            terms["rotation γ‖Y − HR‖²"] = self._gamma * float(counts @ apart)
        return terms

    def labels(self, ensemble: Ensemble, state: PCEState) -> np.ndarray:
        return split_scattered(relabel(state.y), self.k, state.H, ensemble.counts)

    def found(self, ensemble: Ensemble, state: PCEState) -> int:
        return len(np.unique(state.y))

    def converged(self, old: PCEState, new: PCEState) -> bool:
        return self.variant == "paper" and new.settled and (new.passes > self.growths or not self.self_paced)

    def stage(self, state: PCEState) -> str:
        return f"λ = {state.lam:.3g}, {len(state.turns)} steps of H"

    def remarks(self, ensemble: Ensemble, state: PCEState) -> tuple[str, ...]:
        found, said = self.found(ensemble, state), []
        if found < self.k:
            said.append(
                f"{found} of the {self.k} clusters asked for have objects; the most scattered were split until there "
                f"were {self.k}."
            )
        unseen = int(ensemble.counts[ensemble.never_observed].sum())
        if unseen:
            said.append(
                f"{unseen:,} object{'s were' if unseen > 1 else ' was'} never observed: no base clustering has a "
                "label, so the cluster given is only where the consensus puts what it knows nothing about."
            )
        empty = [ensemble.names[i] for i in np.flatnonzero(ensemble.k_each == 0)]
        if empty:
            said.append(f"No label at all in {', '.join(empty)}: left out, weight 0.")
        return tuple(said)

    def cost(self, ensemble: Ensemble) -> Cost:
        q, m, k, K = ensemble.q, ensemble.m, self.k, int(ensemble.offsets[-1])
        machine = speed()
        entries = 1.7 * (q * k * (4 * m + 60) + 8 * q * m * (m + 1))
        calls = 2e-3  # a pass on next to nothing
        products = 12 * q * k * k + 2 * K * K * k
        start = 2 * K**3
        return Cost(
            bytes=int(8 * q * (9 * k + 4 * m + 10) + 24 * K * K),
            seconds=self.max_iter * (calls + entries / machine.entries + products / machine.products)
            + start / machine.products,
        )

    # --- quantities that follow from the state ----------------------------------------------------------------

    @derived("Y_u⁽ⁱ⁾", "only the labels that were missing, as filled in", equation="(11)")
    def filled(self, ensemble: Ensemble, state: PCEState) -> Labels:
        return np.where(ensemble.missing, state.base, MISSING)

    @derived("Y", "the cluster of each object: one 1 per row", equation="(15)", axes=("object", "cluster"), span=(0, 1))
    def Y(self, ensemble: Ensemble, state: PCEState) -> Incidence:
        return (state.y[:, None] == np.arange(self.k)).astype(float)

    @derived("A", "what the consensus and the base labels of an object disagree about", equation="(5)", diverging=True)
    def A(self, ensemble: Ensemble, state: PCEState) -> Embedding:
        return state.H - self._aligned(ensemble, state.base, state.alpha, state.R_each)

    # --- why an entry is what it is ---------------------------------------------------------------------------

    def explain_error(self, ensemble: Ensemble, before, after: PCEState, i: int) -> Explanation:
        p = ensemble.microcluster_of(i)
        value = self._error_of(ensemble, after, p)
        points = self._points(ensemble, after, p)
        here, there = row_in_words(after.H[p]), row_in_words(sum(points.values(), np.zeros(self.k)))
        return Explanation(
            "‖A_p‖² = ‖H_p − Σ_i α_i R⁽ⁱ⁾_{label of p in i}‖²" + ("" if self.diversity else " without the terms i ≠ j"),
            f"‖A‖² = ‖{here} − {there}‖²",
            value,
            f"The consensus has object {i + 1} at {here}; its labels in {len(points)} base clusterings, turned and "
            f"weighted, put it at {there}: {value:.3g} apart, squared.",
        )

    def explain_v(self, ensemble: Ensemble, before, after: PCEState, i: int) -> Explanation:
        p = ensemble.microcluster_of(i)
        if not self.self_paced:
            return Explanation("v_p = 1", "v = 1", 1.0, "Self-pacing is off: every object is trusted fully.")
        told = after if before is None else before
        error = self._error_of(ensemble, told, p)
        value = 1.0 if 2 * error <= told.lam else told.lam / (2 * error)
        trust = "it is trusted fully" if value == 1 else f"it counts {value:.3g}"
        return Explanation(
            "v_p = min(λ / 2‖A_p‖², 1)",
            f"v = min({told.lam:.3g} / (2 · {error:.3g}), 1)",
            value,
            f"Object {i + 1} is {error:.3g} (squared) from what its base labels say; with λ = {told.lam:.3g}, {trust}.",
        )

    def explain_lam(self, ensemble: Ensemble, before, after: PCEState) -> Explanation:
        if before is not None:
            grows = before.passes < self.growths
            value = before.lam * self.growth if grows else before.lam
            formula = f"λ ← {self.growth:g} λ" if grows else "λ stays"
            what = "grows" if grows else f"stays: it grows {self.growths} times"
            words = f"After {before.passes + 1} passes λ {what}."
            return Explanation(formula, f"λ = {before.lam:.3g} · {value / before.lam:g}", value, words)
        wanted = max(1, int(ensemble.n * self.first_share + 1e-9))
        errors = np.repeat(after.error, ensemble.counts)
        value = float(2 * np.sort(errors)[wanted - 1])
        value = value if value > 0 else LEAST_AGE
        return Explanation(
            "λ = the n/10-th smallest of 2‖A_p‖²",
            f"λ = number {wanted} of {ensemble.n} = {value:.3g}",
            value,
            f"λ is set so that the {wanted} most reliable of {ensemble.n:,} objects are trusted fully at first.",
        )

    def explain_H(self, ensemble: Ensemble, before, after: PCEState, i: int, a: int) -> Explanation:
        p = ensemble.microcluster_of(i)
        if before is None:
            rows, spare = after.start
            base = self._first_base(ensemble)[p]
            seen = [t for t in range(ensemble.m) if base[t] != MISSING]
            parts = [float(rows[ensemble.offsets[t] + base[t], a]) for t in seen]
            rest = float(marks(ensemble.rows[p : p + 1], self.k)[0] @ spare[:, a])
            value = sum(parts) + rest
            what = "leading eigenvector" if self.start == "eigenvectors" else "orthonormalised mean"
            return Explanation(
                f"H_pa = Σ_i u_{{cluster of p in i, a}}, the {what} number a",
                f"H = {sum(parts):.3g}" + (f" + {rest:.3g}" if rest else ""),
                value,
                f"Each of the {len(parts)} base clusters that hold object {i + 1} adds its share of coordinate {a + 1} "
                f"(from {min(parts, default=0):.3g} to {max(parts, default=0):.3g}).",
            )
        trusted = float(after.v[p]) ** 2
        points = sum(self._points(ensemble, before, p).values(), np.zeros(self.k))
        C = trusted * points + self._gamma * before.R.T[before.y[p]]
        slack = float((after.v**2).max()) - trusted
        h = before.H[p]
        for A, B in after.turns:
            M = C + slack * h
            value = float(M @ A[:, a] + h @ B[:, a])
            h = M @ A + h @ B
        return Explanation(
            "H ← (C + (max v² − v_p²) H) (nearest orthonormal), until it stands still",
            f"C = {trusted:.3g} · {row_in_words(points)} + {self._gamma:g} · (YRᵀ)_p: H = {value:.3g}",
            value,
            f"Object {i + 1} is drawn to where its base labels put it (by v² = {trusted:.3g}) and to its cluster (by "
            f"γ = {self._gamma:g}); all rows together are then made orthonormal, {len(after.turns)} times over.",
        )

    def explain_A(self, ensemble: Ensemble, before, after: PCEState, i: int, a: int) -> Explanation:
        p = ensemble.microcluster_of(i)
        parts = [float(point[a]) for point in self._points(ensemble, after, p).values()]
        value = float(after.H[p, a]) - sum(parts)
        return Explanation(
            "A_pa = H_pa − Σ_i α_i R⁽ⁱ⁾_{label of p in i, a}",
            f"A = {after.H[p, a]:.3g} − {sum(parts):.3g}",
            value,
            f"Coordinate {a + 1} of object {i + 1} in the consensus, less the sum of {len(parts)} base clusterings.",
        )

    def explain_base(self, ensemble: Ensemble, before, after: PCEState, i: int, t: int) -> Explanation:
        p = ensemble.microcluster_of(i)
        given = int(ensemble.rows[p, t])
        name = ensemble.names[t]
        if given != MISSING:
            words = f"{name} has object {i + 1} in its cluster {given + 1}; nothing is filled in."
            return Explanation("Y⁽ⁱ⁾ as given", f"label {given + 1}", float(given), words)
        if self.filling == "random":
            drawn = int(self._first_base(ensemble)[p, t])
            return Explanation(
                "drawn by chance", f"label {drawn + 1}", float(drawn), f"{name} has no label: one was drawn."
            )
        if before is None:
            words = f"{name} has no label for object {i + 1}; gaps stay empty until the first pass."
            return Explanation("Y_u⁽ⁱ⁾ = 0 at the start", "no label", float(MISSING), words)
        label = {j: int(before.base[p, j]) for j in range(ensemble.m)}
        points = self._points(ensemble, before, p)
        for j in before.order:
            if label[j] == MISSING and not ensemble.k_each[j]:
                continue
            if ensemble.rows[p, j] == MISSING and before.alpha[j]:
                others = sum((x for s, x in points.items() if s != j), np.zeros(self.k))
                R = before.R_each[ensemble.offsets[j] : ensemble.offsets[j + 1]]
                pull = (others if self.diversity else 0) - after.H[p]
                costs = [float(pull @ r + before.alpha[j] / 2 * (r @ r)) for r in R]
                label[j] = int(np.argmin(costs))
                points[j] = before.alpha[j] * R[label[j]]
                if j == t:
                    told = costs
            if j == t:
                break
        if not before.alpha[t] or not ensemble.k_each[t]:
            words = f"{name} has weight 0, so nothing speaks for another label of object {i + 1}."
            return Explanation("α_i = 0: the label stays", f"label {label[t] + 1}", float(label[t]), words)
        return Explanation(
            "the q with the least R⁽ⁱ⁾_q·(Σ_{j≠i} α_j R⁽ʲ⁾_p − H_p) + α_i‖R⁽ⁱ⁾_q‖²/2",
            f"costs {', '.join(f'{c:.3g}' for c in told[:8])}{' …' if len(told) > 8 else ''}",
            float(label[t]),
            f"{name} has no label for object {i + 1}; its cluster {label[t] + 1} costs least.",
        )

    def explain_filled(self, ensemble: Ensemble, before, after: PCEState, i: int, t: int) -> Explanation:
        told = self.explain_base(ensemble, before, after, i, t)
        if ensemble.rows[ensemble.microcluster_of(i), t] == MISSING:
            return told
        return replace(told, value=float(MISSING))

    def explain_alpha(self, ensemble: Ensemble, before, after: PCEState, t: int) -> Explanation:
        alive = np.flatnonzero(ensemble.k_each > 0)
        name = ensemble.names[t]
        if t not in alive:
            return Explanation("α_i = 0", "α = 0", 0.0, f"{name} has no label at all.")
        if before is None:
            value = 1 / len(alive)
            return Explanation(
                "α_i = 1/m", f"α = 1/{len(alive)}", value, "All base clusterings start with equal weight."
            )
        rest = [int(j) for j in alive if j != t]
        if not rest:
            return Explanation("Σ α = 1", "α = 1", 1.0, f"{name} is the only one.")
        partner = max(rest, key=lambda j: after.alpha[j])
        room = 1.0 - sum(float(after.alpha[j]) for j in rest if j != partner)
        mine, theirs = (self._embedded(ensemble, after.base, before.R_each, j) for j in (t, partner))
        others = np.zeros_like(mine)
        for j in rest:
            if j != partner and after.alpha[j]:
                others += after.alpha[j] * self._embedded(ensemble, after.base, before.R_each, j)
        w = ensemble.counts * after.v**2
        if self.diversity:
            gap = mine - theirs
            slope = float(w @ (gap * (after.H - others - room * theirs)).sum(axis=1))
            curve = float(w @ (gap**2).sum(axis=1))
        else:
            own, other = (float(w @ (part**2).sum(axis=1)) for part in (mine, theirs))
            slope = float(w @ ((mine - theirs) * after.H).sum(axis=1)) + room * other
            curve = own + other
        flat = curve <= 1e-9 * float(w.sum())
        value = room - float(after.alpha[partner]) if flat else min(max(slope / curve, 0.0), room)
        return Explanation(
            "α_i shares Σα = 1 with its strongest rival so that (12) is least: slope / curvature, within what is left",
            f"α = {slope:.3g} / {curve:.3g} within [0, {room:.3g}]",
            value,
            f"{name} and {ensemble.names[partner]} have {room:.3g} of the weight between them; the mismatch with the "
            f"consensus is least when {name} takes {value:.3g}.",
        )

    def explain_R_each(self, ensemble: Ensemble, before, after: PCEState, c: int, a: int) -> Explanation:
        t = int(np.searchsorted(ensemble.offsets, c, side="right")) - 1
        part = slice(ensemble.offsets[t], ensemble.offsets[t + 1])
        q = c - part.start
        whose = f"cluster {q + 1} of {ensemble.names[t]}"
        counts = ensemble.counts.astype(float)
        if before is None and self.start == "mean":
            words = f"The text starts with no turn at all: {whose} stands for coordinate {q + 1}."
            return Explanation("R⁽ⁱ⁾ = I", f"R = {float(q == a):g}", float(q == a), words)
        weights = counts if before is None else counts * after.v**2
        R_each = before.R_each.copy() if before is not None else self._before_turning(
            ensemble, indicators(after.base, ensemble.offsets).T @ (counts[:, None] * after.H)
        )  # fmt: skip
        place = after.order.index(t)
        for j in after.order[:place]:
            mine = slice(ensemble.offsets[j], ensemble.offsets[j + 1])
            R_each[mine] = after.R_each[mine]
        towards = after.H.copy()
        for j in range(ensemble.m):
            if self.diversity and j != t and after.alpha[j]:
                towards -= after.alpha[j] * self._embedded(ensemble, after.base, R_each, j)
        known = after.base[:, t] != MISSING
        label = after.base[known, t]
        T = grouped(label, (weights[:, None] * towards)[known], ensemble.k_each[t])
        mass = np.bincount(label, weights=weights[known], minlength=ensemble.k_each[t])
        T = T + self._inertia(mass, after.alpha[t], R_each[part])
        value, numbers = polar_entry(T, q, a)
        return Explanation(
            "R⁽ⁱ⁾ = T (TᵀT)^−½,  T = Y⁽ⁱ⁾ᵀV²(H − Σ_{j≠i} α_j Y⁽ʲ⁾R⁽ʲ⁾)",
            f"T_q = {row_in_words(T[q])}, {numbers}",
            value,
            f"The members of {whose} lie, on the whole, towards {row_in_words(T[q])} of the consensus less the other "
            "base clusterings; that direction, made orthonormal to its other clusters, is its row of R.",
        )

    def explain_R(self, ensemble: Ensemble, before, after: PCEState, a: int, b: int) -> Explanation:
        anew = before is None or self.variant == "released" or self.rotation == "post"
        length = np.linalg.norm(after.H, axis=1, keepdims=True)
        H = after.H / np.where(length > 0, length, 1) if anew else after.H
        y = after.y if anew else before.y
        T = grouped(y, ensemble.counts[:, None] * H, self.k).T
        value, numbers = polar_entry(T, a, b)
        return Explanation(
            "R = T (TᵀT)^−½,  T = HᵀY",
            f"T_{a + 1} = {row_in_words(T[a])}, {numbers}",
            value,
            f"Coordinate {a + 1} of the objects of cluster {b + 1} sums up to {T[a, b]:.3g}; the nearest rotation to "
            f"all such sums has {value:.3g} there.",
        )

    def explain_Y(self, ensemble: Ensemble, before, after: PCEState, i: int, b: int) -> Explanation:
        p = ensemble.microcluster_of(i)
        scores = [float(after.H[p] @ after.R[:, column]) for column in range(self.k)]
        if (before is None or self.variant == "released" or self.rotation == "post") and after.H[p].any():
            scores = [score / float(np.linalg.norm(after.H[p])) for score in scores]
        best = int(np.argmax(scores))
        return Explanation(
            "Y_pb = 1 for the b with the largest (HR)_pb",
            f"(HR)_p = {row_in_words(np.array(scores))}",
            float(best == b),
            f"Turned by R, object {i + 1} lies furthest along cluster {best + 1}.",
        )

    def _points(self, ensemble: Ensemble, state: PCEState, p: int) -> dict[int, np.ndarray]:
        """α_i R⁽ⁱ⁾ at the label of p, for every base clustering that has one."""
        found = {}
        for t in range(ensemble.m):
            label = int(state.base[p, t])
            if label != MISSING:
                found[t] = state.alpha[t] * state.R_each[ensemble.offsets[t] + label]
        return found

    def _error_of(self, ensemble: Ensemble, state: PCEState, p: int) -> float:
        points = list(self._points(ensemble, state, p).values())
        aligned = sum(points, np.zeros(self.k))
        value = sum(float(x) ** 2 for x in state.H[p] - aligned)
        if not self.diversity:
            value += sum(float(x @ x) for x in points) - float(aligned @ aligned)
        return value

    def _embedded(self, ensemble: Ensemble, base: np.ndarray, R_each: np.ndarray, t: int) -> np.ndarray:
        """Y⁽ⁱ⁾R⁽ⁱ⁾ (q, c)."""
        R = R_each[ensemble.offsets[t] : ensemble.offsets[t + 1]]
        return np.concatenate([R, np.zeros((1, self.k))])[base[:, t]]


def polar_entry(T: np.ndarray, row: int, column: int) -> tuple[float, str]:
    """One entry of the nearest (semi-)orthonormal matrix to T, T(TᵀT)^−½ or (TTᵀ)^−½T, and the same in numbers."""
    wide = T.shape[0] < T.shape[1]
    values, vectors = np.linalg.eigh(T @ T.T if wide else T.T @ T)
    if values[0] <= 1e-7 * values[-1]:  # too little is left of a direction to divide by: the stated rule completes it
        return float(polar_factor(T)[row, column]), "directions nothing speaks for completed by rule"
    root = (vectors / np.sqrt(values)) @ vectors.T
    factors = zip(root[row], T[:, column], strict=True) if wide else zip(T[row], root[:, column], strict=True)
    value = sum(float(x) * float(y) for x, y in factors)
    return value, f"R = {value:.3g}"


def row_in_words(row: np.ndarray) -> str:
    shown_entries = ", ".join(f"{x:.3g}" for x in row[:4])
    return f"({shown_entries}{', …' if len(row) > 4 else ''})"


def shared_mass(base: np.ndarray, k_each: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """(K, K): Σ_p weights_p over the objects that two base clusters share; missing labels count nowhere."""
    m, offsets = len(k_each), np.concatenate([[0], np.cumsum(k_each)])
    sizes = k_each + 1
    codes = [column.astype(np.intp) + 1 for column in base.T]  # 0 is missing
    shared = np.zeros((offsets[-1], offsets[-1]))
    for i in range(m):
        own = slice(offsets[i], offsets[i + 1])
        shared[own, own] = np.diag(np.bincount(codes[i], weights=weights, minlength=sizes[i])[1:])
        for j in range(i + 1, m):
            flat = np.bincount(codes[i] * sizes[j] + codes[j], weights=weights, minlength=sizes[i] * sizes[j])
            part = flat.reshape(sizes[i], sizes[j])[1:, 1:]
            other = slice(offsets[j], offsets[j + 1])
            shared[own, other] = part
            shared[other, own] = part.T
    return shared


def leading_coordinates(shared: np.ndarray, k: int) -> np.ndarray:
    """(K, k): the point of each base cluster such that H_p, the sum over p's clusters, are the leading eigenvectors."""
    K = len(shared)
    values, vectors = scipy.linalg.eigh(shared, subset_by_index=(max(0, K - k), K - 1))
    values, vectors = values[::-1], vectors[:, ::-1]
    sound = values > NO_EIGENVALUE * values[0]
    rows = np.zeros((K, k))
    rows[:, : len(values)][:, sound] = vectors[:, sound] / np.sqrt(values[sound])
    return rows


def grouped(y: np.ndarray, values: np.ndarray, k: int) -> np.ndarray:
    """(k, d): sums of the rows of `values` (q, d) over each group."""
    return np.array([np.bincount(y, weights=column, minlength=k) for column in values.T]).T
