"""Ensemble clustering based on dense representation (Zhou, Zheng and Pan 2019)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.incidence import incidence
from ..method import At, Cost, Exempt, Incidence, Matrix, Scalar, State, Told, Weights, derived, param, shown, speed
from ..method.angles import Angles
from ..method.params import common
from ..method.singular import Singular
from ..method.telling import tells
from ..similarity import together

SMALL = 1e-10  # what is added to a squared residual


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class DRECState(State):
    r: Weights = shown("r", "residual: how badly the others stand in for a distinct row", "(2)", log=True)
    mu: Weights = shown("μ", "price of a row's own combination: odd rows pay more for theirs", "(3)", log=True)
    size: Scalar = shown("‖Z‖²", "size of all combinations", "(1)")
    V: np.ndarray  # (q, q) and (q,): K = V diag(e) Vᵀ
    e: np.ndarray


@dataclass(frozen=True, kw_only=True)
class DREC(Singular, Angles):
    """Write every distinct row of base labels as a combination of all of them; rows that combine alike are alike.

        min Σ_j ‖(X − XZ)_·j‖ + λ ‖Z‖²                                                                            (1)

    X (K x q) is 1 where a distinct row is in a cluster; each distinct row counts once, however many objects have it.
    With K = XᵀX, in how many base clusterings two rows are together, a pass is, for every j by itself,

        z_j = (K + μ_j I)⁻¹ K_·j,   r_j = √(‖x_j − X z_j‖² + 1e-10)                                                (2)
        μ_j ← 2 λ r_j,   to begin with λ                                                                           (3)

    each lowering a bound of (1) that touches it (with 1e-10 inside of the root). Then B = cos⁴ of the angles between
    the rows of (Z Zᵀ)^½, and its normalised cut.

    λ decides everything. For λ → ∞ Z is K but for a factor: a spectral cut of co-association. Column j collapses to an
    exact fit, r_j = 0, once 2 λ √(K⁺_jj) ≤ 1; where most have, B is nearly the identity and the clusters are noise.

    J. Zhou, H. Zheng, L. Pan: Ensemble clustering based on dense representation. Neurocomputing 357 (2019) 66–76.
    """

    max_iter: int = common(4, "passes after the first", span=(1, 1000))
    tol: float = common(1e-9, "share of μ by which it may still change", plain="tolerance", letter="ε",
        span=(0.0, 1.0))
    lam: float = param(2.0, "the higher, the nearer to a cut of plain co-association; the program's own is 100",
        plain="price of a combination", letter="λ", span=(0.5, 1e4), log=True, equation="(1)")
    starts: int = param(10, "starts of k-means, of which the best is kept", span=(1, 100))
    seed: int = common(0, "number from which the starts are drawn", span=(0, 2**31 - 1))

    title, family = "Dense representation", "low rank"
    reference = "Zhou, Zheng & Pan, Neurocomputing 357 (2019) 66–76"
    handles_missing = "a row of X has a one for each label there is"
    rooted, decomposed = "Z", "K"
    State = DRECState
    exact_on_rows = Exempt("it is defined on distinct rows, of which each counts once")

    def worth(self, ensemble: Ensemble) -> np.ndarray:
        return np.ones(ensemble.q)

    # --- the run ----------------------------------------------------------------------------------------------

    def init(self, ensemble: Ensemble) -> DRECState:
        e, V = np.linalg.eigh(together(ensemble))
        return self._passed(np.maximum(e, 0.0), V, np.full(ensemble.q, self.lam))

    def step(self, ensemble: Ensemble, state: DRECState) -> DRECState:
        return self._passed(state.e, state.V, 2 * self.lam * state.r)  # (3)

    def _passed(self, e: np.ndarray, V: np.ndarray, mu: np.ndarray) -> DRECState:
        """r and ‖Z‖² of these μ, without Z (2)."""
        kept, square = e[:, None] / (e[:, None] + mu), np.square(V.T)
        r = np.sqrt((square * e[:, None] * (1 - kept) ** 2).sum(axis=0) + SMALL)
        return DRECState(r=r, mu=mu, size=float((square * kept**2).sum()), V=V, e=e)

    def terms(self, ensemble: Ensemble, state: DRECState) -> dict[str, float]:
        return {"residuals": float(state.r.sum()), "λ ‖Z‖²": self.lam * state.size}

    def converged(self, old: DRECState, new: DRECState) -> bool:
        return bool((np.abs(new.mu - old.mu) <= self.tol * old.mu).all())

    def remarks(self, ensemble: Ensemble, state: DRECState) -> tuple[str, ...]:
        gone = self.collapsed(ensemble, state)
        said = f"At λ = {self.lam:g} {gone:.0%} of the distinct rows are represented by themselves alone"
        return (f"{said}: their links are noise. A greater λ keeps them together.",) if gone > 0.5 else ()

    def cost(self, ensemble: Ensemble) -> Cost:
        q, machine = ensemble.q, speed()
        products = q * q * ensemble.K / 4 + 30 * q**3
        return Cost(bytes=120 * q * q + 4_000_000, seconds=products / machine.products + 1e-2)

    # --- what is shown beside the state, and why --------------------------------------------------------------

    @derived("Z", "each column: the combination of all rows that stands in for one", "(2)", diverging=True)
    def Z(self, ensemble: Ensemble, state: DRECState) -> Matrix:
        V, e = state.V, state.e[:, None]
        return V @ (e / (e + state.mu) * V.T)

    @tells("Z", "sum(K[t]*Z[t], t) + μ*Z_ij == K_ij")
    def why_Z(self, at: At) -> Told:
        terms = {"K": at.row("K", at.i, None), "Z": at.row("Z", None, at.j), "μ": at.now("mu", at.j)}
        words = "All rows, as {j} combines them, are together with {i} nearly as often as {j} is; μ leaves the rest."
        return at.terms(**terms, Z_ij=at.now("Z"), K_ij=at.now("K"), words=words)

    @derived("XZ", "the incidence as the combinations give it back", "(1)", span=(0, 1))
    def back(self, ensemble: Ensemble, state: DRECState) -> Incidence:
        return np.asarray((incidence(ensemble).T @ self.Z(ensemble, state)).T)

    @tells("back", "sum(Z[t], t)")
    def why_back(self, at: At) -> Told:
        inside = np.flatnonzero(incidence(at.ensemble)[:, [at.e]].toarray().ravel())
        words = "What the combination for {i} takes from rows that are in {e}: near 1 where {i} is in it too."
        return at.terms(Z=at.row("Z", None, at.i, some=inside), words=words)

    @tells("r", "sqrt(sum((x[l] - XZ[l])**2, l) + least)")
    def why_r(self, at: At) -> Told:
        x = incidence(at.ensemble)[[at.p], :].toarray().ravel()
        x = at.row_of_labels(x, "1 for a cluster the object is in", lambda l: (("hyperedge", l), "."))
        least = at.constant(SMALL, "what is added so that no residual is 0")
        words = "What its combination misses of the clusters {i} is in, and adds of others."
        return at.terms(x=x, XZ=at.row("back", at.i, None), least=least, words=words)

    @tells("mu", "2*λ*r")
    def why_mu(self, at: At) -> Told:
        if at.start:
            return at.equals(at.param("lam"), "To begin with, λ for every row.")
        words = "Missed by {r} a pass before: what is odd pays more, and misses more."
        return at.terms(λ=at.param("lam"), r=at.then("r"), words=words)

    @derived("K", "base clusterings that put two objects together", "(2)")
    def K(self, ensemble: Ensemble, state: DRECState) -> Matrix:
        return together(ensemble)

    @tells("K", "together")
    def why_K(self, at: At) -> Told:
        return at.terms(together=at.now("together"), words="{value} base clusterings put {i} and {j} together.")

    @derived("κ", "a row is represented by itself alone once λ ≤ 1 / 2κ", "(1)", minor=True)
    def kappa(self, ensemble: Ensemble, state: DRECState) -> Weights:
        there = state.e > 1e-9 * state.e[-1]
        return np.sqrt((np.square(state.V[:, there]) / state.e[there]).sum(axis=1))

    @tells("kappa", "sqrt(sum(v[a]**2 / σ[a], a))")
    def why_kappa(self, at: At) -> Told:
        found = self.directions_at(at)
        there = np.flatnonzero(found.sigma > 1e-9 * found.sigma[0])
        v = at.known("u", found.left[at.p, there], lambda a: (at.i, int(there[a])))
        words = "By what directions of K the row of {i} is known: through weak ones only, and it stands alone early."
        return at.terms(v=v, σ=at.row("sigma", None, some=there), words=words)

    @derived("collapsed", "share of the distinct rows that are represented by themselves alone", "(1)")
    def collapsed(self, ensemble: Ensemble, state: DRECState) -> Scalar:
        return float((2 * self.lam * self.kappa(ensemble, state) <= 1).mean())

    @tells("collapsed", "sum(alone[p], p) / q")
    def why_collapsed(self, at: At) -> Told:
        alone, first = 2.0 * self.lam * at.path.array("kappa", at.iteration) <= 1, at.ensemble.first_of
        alone = at.known("alone", alone.astype(float), lambda p: (int(first[p]),))
        q = at.constant(at.ensemble.q, "distinct rows of base labels")
        return at.terms(alone=alone, q=q, words="Those with 2 λ κ of at most 1.")

    @tells("alone", "1 if 2*λ*κ <= 1 else 0", "(1)", "alone", "whether a row ends up alone", ("object",))
    def why_alone(self, at: At) -> Told:
        return at.terms(λ=at.param("lam"), κ=at.now("kappa"), words="By λ, and by κ of {i}.")

    @tells("size", "sum(Z[k]**2, k)")
    def why_size(self, at: At) -> Told:
        Z = at.path.array("Z", at.iteration)
        p, q = np.divmod(np.arange(Z.size), len(Z))
        return at.terms(Z=at.at_pairs("Z", p, q, Z.ravel()), words="Every entry of Z, squared.")
# fmt: on
