"""Multi-view ensemble clustering with the one view of a label table (Tao, Liu, Li, Ding and Fu 2017)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.masks import once
from ..linalg import canonical_signs, squared_distances
from ..linalg.low_rank import shrunk_entries
from ..linalg.spectrum import smallest_by_lapack
from ..method import At, Cost, Embedding, Exempt, Scalar, Told, Weights, derived, param, shown, speed
from ..method.evidence import distance
from ..method.low_rank import LowRank, LowRankState
from ..method.params import common, schedule
from ..method.telling import tells
from ..partition import exactly, weighted_kmeans
from ..similarity import steady_coassociation


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class MECState(LowRankState):
    H: Embedding = shown("H", "objects as points: what the clusters are cut from", "(5)")
    mu_H: np.ndarray  # (k,) eigenvalue of each coordinate
    w: Weights = shown("w", "price of a row of Z that does not sum to one", "(6)", minor=True)
    gap_1: Scalar = shown("max |Z1 − 1|", "greatest row sum's distance from 1", "(6)", log=True, default=1.0)


@dataclass(frozen=True, kw_only=True)
class MEC(LowRank):
    """A low-rank random walk Z that represents the co-association S, with sparse noise E, and its spectral embedding H.

        min λ₁ ‖J‖_* + λ₂ ‖E‖₁ + tr(Hᵀ (D − Z) H)   with  S = SZ + E,  Z = J,  Z1 = 1,  Z ≥ 0,  HᵀH = I            (1)

    ‖E‖₁ is the sum of the sizes of its entries, D = diag(Z1). By steps with prices Y₁, Y₂, w for what is left of the
    three equations, and μ that rises by a factor ρ; η = ‖SᵀS‖ + 1 + n, P_ij = ‖h_i − h_j‖²:

        J = Z + Y₂/μ, its singular values lowered by λ₁/μ                                                          (2)
        Z ← max(Z − (P/2μ + Sᵀ(SZ + E − S − Y₁/μ) + Z − J + Y₂/μ + (Z1 − 1 + w/μ) 1ᵀ) / η, 0)                      (3)
        E = Q brought nearer to 0 by λ₂/μ, entry by entry,   Q = S − SZ + Y₁/μ                                     (4)
        H = the k smallest eigenvectors of diag(Z1) − (Z + Zᵀ)/2                                                   (5)
        w ← w + μ (Z1 − 1)                                                                                         (6)

    and k-means of the rows of H. A reconstruction: neither the paper's text nor its program was at hand, only its
    abstract and what others made of it. The paper is about several views of the same objects; base labels are one.

    Z. Tao, H. Liu, S. Li, Z. Ding, Y. Fu: From ensemble clustering to multi-view clustering. IJCAI 2017.
    """

    max_iter: int = common(100, "most steps", span=(1, 10_000))
    tol: float = common(1e-6, "greatest sum along a row of |Z − J|", plain="tolerance", letter="ε", span=(0.0, 1.0))
    lam1: float = param(1.0, "the higher, the lower the rank", plain="price of rank", letter="λ₁", span=(0.0, 10.0),
        equation="(1)")
    lam2: float = param(0.01, "the higher, the less is taken for noise", plain="price of noise", letter="λ₂",
        span=(1e-4, 1.0), log=True, equation="(1)")
    rho: float = schedule(1.1, "factor by which μ rises", plain="factor of μ", letter="ρ", span=(1.001, 10.0))
    mu_first: float = schedule(1e-3, "μ in the first step", plain="first μ", letter="μ", span=(1e-9, 1e3), log=True)
    starts: int = param(10, "starts of k-means, of which the best is kept", span=(1, 100))
    seed: int = common(0, "number from which the starts are drawn", span=(0, 2**31 - 1))

    title, family = "Multi-view ensemble clustering, one view", "low rank"
    reference = "Tao, Liu, Li, Ding & Fu, IJCAI 2017"
    State = MECState
    exact_on_rows = Exempt("in the first steps, while rows of Z sum to less than 1, some of the k smallest "
        "eigenvectors of D − Z tell equal objects apart; here H is the same for equal objects, which is what is meant")

    # --- the run ----------------------------------------------------------------------------------------------

    def init(self, ensemble: Ensemble) -> MECState:
        none = np.zeros((ensemble.q, self.k))
        return self.begun(ensemble, self.mu_first, H=none, mu_H=np.zeros(self.k), w=np.zeros(ensemble.q))

    def step(self, ensemble: Ensemble, state: MECState) -> MECState:
        S, n, mu = steady_coassociation(ensemble), ensemble.weights, state.mu
        J, rank, price = self.lowered(ensemble, state)
        SC = S * n
        P = np.maximum(squared_distances(state.H, state.H), 0)
        slope = P / (2 * mu) + SC @ (SC @ state.Z + state.E - S - state.Y1 / mu) + state.Z - J + state.Y2 / mu
        slope += (state.Z @ n - 1 + state.w / mu)[:, None]
        Z = np.maximum(state.Z - slope / _eta(ensemble), 0)  # (3)
        left, short = S - SC @ Z, Z @ n - 1
        E = shrunk_entries(left + state.Y1 / mu, self.lam2 / mu)  # (4)
        new = replace(state, Z=Z, E=E, J=J, rank=rank, w=state.w + mu * short)  # (6)
        H, mu_H = self._embedded(ensemble, Z)
        parts = (price, self.lam2 * float(n @ np.abs(E) @ n), float(mu_H.sum()))
        gap = float(np.abs(short).max())
        return replace(new, **self.priced(state, new, left - E), H=H, mu_H=mu_H, parts=parts, gap_1=gap)

    def _embedded(self, ensemble: Ensemble, Z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(5) of the rows as they are, times the root of their counts."""
        n, root = ensemble.weights, np.sqrt(ensemble.weights)
        values, vectors = smallest_by_lapack(np.diag(Z @ n) - root[:, None] * (Z + Z.T) / 2 * root, self.k)
        return canonical_signs(vectors / root[:, None], n), values

    def terms(self, ensemble: Ensemble, state: MECState) -> dict[str, float]:
        return dict(zip(("λ₁ ‖J‖_*", "λ₂ ‖E‖₁", "tr HᵀLH"), state.parts or (0.0, 0.0, 0.0), strict=True))

    def converged(self, old: MECState, new: MECState) -> bool:
        return float(np.abs(new.Z - new.J).sum(axis=1).max()) < self.tol

    def labels(self, ensemble: Ensemble, state: MECState) -> np.ndarray:
        places = state.H if state.moved else steady_coassociation(ensemble)  # to begin with there is S alone
        labels = weighted_kmeans(places, self.k, ensemble.weights, self.seed, self.starts)
        return exactly(self.k, labels, steady_coassociation(ensemble), ensemble.counts)

    def cost(self, ensemble: Ensemble) -> Cost:
        q, machine = ensemble.q, speed()
        seconds = self.max_iter * (40 * q**3 / machine.products + 100 * q * q / machine.entries + 2e-3)
        return Cost(bytes=240 * q * q + 4_000_000, seconds=seconds)

    # --- what is shown beside the state, and why --------------------------------------------------------------

    @tells("mu", "min(ρ*μ, most)")
    def why_mu(self, at: At) -> Told:
        if at.start:
            return at.equals(at.param("mu_first"), "Where the run starts.")
        most = at.constant(1e10, "where it ends")
        return at.terms(ρ=at.param("rho"), μ=at.then("mu"), most=most, words="Differences cost more with every step.")

    @tells("Z", "max(Z - slope / η, 0)")
    def why_Z(self, at: At) -> Told:
        if at.start:
            return self.zero(at)
        η = at.constant(_eta(at.ensemble), "the steepest any slope can change: a step so short never overshoots")
        more = {"slope > 0": "less", "slope <= 0": "no less"}
        words = "All that is asked of it together asks for {more} of {i} in {j}."
        return at.terms(Z=at.then("Z"), slope=at.now("slope"), η=η, more=more, words=words)

    @tells("slope", "P/(2*μ) - sum(n[t]*S[t]*R[t], t) + Z - J + Y2/μ + total - 1 + w/μ", "(3)", "slope",
           "what is asked of an entry of Z: below 0 more of it", ("object", "object"))
    def why_slope(self, at: At) -> Told:
        before, S, first = at.before, at.path.array("S", at.iteration), at.ensemble.first_of
        n = at.ensemble.weights[:, None]
        R = at.path.once("R", at.iteration, lambda: S - S @ (n * before.Z) - before.E + before.Y1 / before.mu)
        R = at.known("R", R[:, at.ensemble.microcluster_of(at.j)], lambda p: (int(first[p]), at.j))
        then = {"P": "apart", "Z": "Z", "Y2": "Y2"}
        terms = {letter: at.then(name, at.i, at.j) for letter, name in then.items()}
        rows = {"total": at.then("total", at.i), "w": at.then("w", at.i), "μ": at.then("mu")}
        words = "H holds {i} and {j} apart by {P}; what is not represented, J, and the sum of the row ask too."
        return at.terms(**terms, **rows, J=at.now("J"), n=at.counts, S=at.row("S", at.i, None), R=R, words=words)

    @tells("R", "S - sum(n[t]*S_i[t]*Z[t], t) - E + Y1/μ", "(3)", "R", "what Z had not represented",
           ("object", "object"))
    def why_R(self, at: At) -> Told:
        terms = {name: at.then(name) for name in ("E", "Y1")} | {"μ": at.then("mu"), "S": at.now("S")}
        Z, S_i = at.row("Z", None, at.j, when=-1), at.row("S", at.i, None)
        return at.terms(**terms, n=at.counts, S_i=S_i, Z=Z, words="With Z and the noise of the step before.")

    @tells("apart", "norm(H_i - H_j)**2", "(3)", "P", "squared distance of two objects in H", ("object", "object"))
    def why_apart(self, at: At) -> Told:
        return self.zero(at) or distance(at, "H")

    @tells("E", "max(Q - λ/μ, 0) - max(-Q - λ/μ, 0)")
    def why_E(self, at: At) -> Told:
        if at.start:
            return self.zero(at)
        kept = {"value == 0": "too little to be noise", "value > 0 or value < 0": "noise, less λ / μ"}
        words = "Q = {Q} of {i} and {j} is not represented: {kept}."
        return at.terms(Q=at.now("Q"), λ=at.param("lam2"), μ=at.then("mu"), kept=kept, words=words)

    @derived("Z1", "row sums of Z: 1 at the end", "(6)")
    def total(self, ensemble: Ensemble, state: MECState) -> Weights:
        return state.Z @ ensemble.weights

    @tells("total", "sum(n[j]*Z[j], j)")
    def why_total(self, at: At) -> Told:
        return at.terms(n=at.counts, Z=at.row("Z", at.i, None), words="All that {i} takes from others and itself.")

    @tells("w", "w + μ*(total - 1)")
    def why_w(self, at: At) -> Told:
        if at.start:
            return self.zero(at)
        terms = {"w": at.then("w"), "μ": at.then("mu"), "total": at.now("total")}
        return at.terms(**terms, words="A row that does not sum to one raises its price.")

    @tells("gap_1", "abs(total - 1)")
    def why_gap_1(self, at: At) -> Told:
        if at.start:
            return at.given(1, "No step has been made yet.")
        i = int(at.ensemble.first_of[np.abs(at.path.array("total", at.iteration) - 1).argmax()])
        return at.terms(total=at.now("total", i), one=("object", i), words="The row of {one} is farthest from it.")

    @tells("H", "total*H_i - sum(n[j]*(Z_i[j] + Z_j[j])*H[j], j)/2 == σ*H_i")
    def why_H(self, at: At) -> Told:
        if at.start:
            return self.zero(at)
        sides = {"Z_i": at.row("Z", at.i, None), "Z_j": at.row("Z", None, at.i), "H": at.row("H", None, at.a)}
        σ = at.constant(at.after.mu_H[at.a], "eigenvalue: what the coordinate cuts of the links")
        words = "An eigenvector of D − Z: {i} stands where its links draw it, but for what the eigenvalue {σ} leaves."
        return at.terms(n=at.counts, **sides, H_i=at.now("H"), total=at.now("total", at.i), σ=σ, words=words)
# fmt: on


@once
def _eta(ensemble: Ensemble) -> float:
    """η = ‖SᵀS‖ + 1 + n"""
    S, n = steady_coassociation(ensemble), ensemble.weights
    return float(np.sqrt(n @ ((S * n) @ S) ** 2 @ n)) + 1 + ensemble.n
