"""Robust spectral ensemble clustering (Tao, Liu, Li and Fu 2016)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..ensemble import Ensemble
from ..linalg import smallest_eigenvectors
from ..linalg.low_rank import shrunk_columns
from ..method import At, Cost, Embedding, Matrix, Told, Weights, derived, param, shown, speed
from ..method.angles import Angles
from ..method.low_rank import LowRank, LowRankState
from ..method.params import common, schedule
from ..method.telling import tells
from ..partition import exactly, spectral_cut, weighted_kmeans
from ..similarity import steady_coassociation


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class RSECState(LowRankState):
    H: Embedding = shown("H", "objects as points: what the clusters are cut from", "(6)")
    H_used: np.ndarray  # (q, k) H as this step found it
    inverse: np.ndarray  # (q, q) of SᵀS + I, rows and columns times √counts
    d: np.ndarray  # (q,) row sums of B


@dataclass(frozen=True, kw_only=True)
class RSEC(LowRank, Angles):
    """A low-rank representation Z of the co-association S, with noise E on whole objects, and its spectral embedding H.

        min λ₁ ‖J‖_* + λ₂ Σ_j ‖E_·j‖ + tr(Hᵀ L_Z H)   with  S = SZ + E,  Z = J,  HᵀH = I                           (1)

    by steps with prices Y₁, Y₂ for what is left of the two equations, and μ that rises by a factor ρ:

        J = Z + Y₂/μ, its singular values lowered by λ₁/μ                                                          (2)
        Z = (SᵀS + I)⁻¹ (SᵀS + J − SᵀE + (SᵀY₁ − Y₂ + D^-½ H Hᵀ D^-½) / μ)                                         (3)
        E_·j = max(1 − λ₂ / (μ ‖Q_·j‖), 0) Q_·j,   Q = S − SZ + Y₁/μ                                               (4)
        M = (Z + Zᵀ)/2 + HHᵀ,   B = cos⁴ of the angles between rows of |M|                                         (5)
        D = diag(B 1),   H = D^-½ [the k leading eigenvectors of D^-½ B D^-½]                                      (6)

    and k-means of the rows of H, or the normalised cut of |Z| + |Z|ᵀ. Only λ₂/λ₁ acts: the greater, the less is noise.

    Put together from the problem and a public port of the program, from which (5) and the stopping rule come; with
    B = M it does not settle, says the port. Iterates have no objective to lower: H is another with every step.

    Z. Tao, H. Liu, S. Li, Y. Fu: Robust spectral ensemble clustering. CIKM 2016; with Z. Ding: ACM TKDD 13 (2019).
    """

    cut: str = param("H", "k-means of the embedding H, or a cut of the graph |Z| + |Z|ᵀ", choices=("H", "Z"))
    max_iter: int = common(500, "most steps", span=(1, 10_000))
    tol: float = common(1e-7, "greatest entry left of S = SZ + E and of Z = J", plain="tolerance", letter="ε",
        span=(0.0, 1.0))
    lam1: float = param(0.1, "the higher, the lower the rank", plain="price of rank", letter="λ₁", span=(1e-3, 10.0),
        log=True, equation="(1)")
    lam2: float = param(0.03, "the higher, the less is taken for noise", plain="price of noise", letter="λ₂",
        span=(1e-3, 10.0), log=True, equation="(1)")
    rho: float = schedule(1.1, "factor by which μ rises", plain="factor of μ", letter="ρ", span=(1.001, 10.0))
    starts: int = param(10, "starts of k-means, of which the best is kept", span=(1, 100))
    seed: int = common(0, "number from which the starts are drawn", span=(0, 2**31 - 1))

    title, family = "Robust spectral ensemble clustering", "low rank"
    reference = "Tao, Liu, Li & Fu, CIKM 2016; ACM TKDD 13 (2019)"
    rooted = "M"
    State = RSECState

    # --- the run ----------------------------------------------------------------------------------------------

    def init(self, ensemble: Ensemble) -> RSECState:
        S, root, none = steady_coassociation(ensemble), np.sqrt(ensemble.weights), np.zeros((ensemble.q, self.k))
        values, vectors = np.linalg.eigh(root[:, None] * S * root)
        inverse = (vectors / (values**2 + 1)) @ vectors.T
        mu = 1.5 / float((S @ ensemble.weights).max())
        return self.begun(ensemble, mu, H=none, H_used=none, inverse=inverse, d=np.zeros(ensemble.q))

    def step(self, ensemble: Ensemble, state: RSECState) -> RSECState:
        S, n, mu = steady_coassociation(ensemble), ensemble.weights, state.mu
        root = np.sqrt(np.outer(n, n))
        J, rank, price = self.lowered(ensemble, state)
        SC = S * n
        right = SC @ (S - state.E + state.Y1 / mu) + J + (self.link(ensemble, state) - state.Y2) / mu
        Z = state.inverse @ (root * right) / root  # (3)
        left = S - SC @ Z
        E = shrunk_columns(left + state.Y1 / mu, self.lam2 / mu, n)  # (4)
        new = replace(state, Z=Z, E=E, J=J, rank=rank, H_used=state.H, moved=True)
        new = replace(new, **self.priced(state, new, left - E))
        return replace(new, **self._embedded(ensemble, new), parts=(price, self.lam2 * float(n @ np.sqrt(n @ E**2))))

    def _embedded(self, ensemble: Ensemble, state: RSECState) -> dict[str, np.ndarray]:
        """(6)"""
        B = self.B(ensemble, state)
        d, (_, F) = B @ ensemble.weights, smallest_eigenvectors(B, self.k, ensemble.weights, normalised=True)
        return {"H": _by_root(F, d), "d": d}

    def link(self, ensemble: Ensemble, state: RSECState) -> np.ndarray:
        """D^-½ H Hᵀ D^-½"""
        H = _by_root(state.H, state.d)
        return H @ H.T

    def terms(self, ensemble: Ensemble, state: RSECState) -> dict[str, float]:
        return dict(zip(("λ₁ ‖J‖_*", "λ₂ Σ ‖E_·j‖"), state.parts or (0.0, 0.0), strict=True))

    def converged(self, old: RSECState, new: RSECState) -> bool:
        return max(new.gap_S, new.gap_Z) < self.tol

    def labels(self, ensemble: Ensemble, state: RSECState) -> np.ndarray:
        if not state.moved:
            return super().labels(ensemble, state)
        if self.cut == "Z":
            graph = np.abs(state.Z) + np.abs(state.Z).T
            return spectral_cut(graph, self.k, ensemble.weights, self.seed, starts=self.starts)
        labels = weighted_kmeans(state.H, self.k, ensemble.weights, self.seed, self.starts)
        return exactly(self.k, labels, self.B(ensemble, state), ensemble.counts)

    def cost(self, ensemble: Ensemble) -> Cost:
        q, machine = ensemble.q, speed()
        steps = min(self.max_iter, 85)  # 50 to 130 of real ensembles
        return Cost(bytes=260 * q * q + 4_000_000, seconds=steps * (33 * q**3 / machine.products + 6e-3))

    # --- what is shown beside the state, and why --------------------------------------------------------------

    @tells("mu", "min(ρ*μ, most)", "(2)", first="1.5 / sum(n[t]*S[t], t)")
    def why_mu(self, at: At) -> Told:
        if at.start:
            sums = at.path.array("S", 0) @ at.ensemble.weights
            i = int(at.ensemble.first_of[sums.argmax()])
            one, S = ("object", i), at.row("S", i, None)
            return at.terms("first", n=at.counts, S=S, one=one, words="By {one}, who is together with others most.")
        most = at.constant(1e10, "where it ends")
        return at.terms(ρ=at.param("rho"), μ=at.then("mu"), most=most, words="Differences cost more with every step.")

    @tells("Z", "Z == J + (link - Y2) / μ + sum(n[t]*S[t]*R[t], t)", "(3)")
    def why_Z(self, at: At) -> Told:
        if at.start:
            return self.zero(at)
        first, before, S = at.ensemble.first_of, at.before, at.path.array("S", at.iteration)
        n = at.ensemble.weights[:, None]
        R = at.path.once("R", at.iteration, lambda: S - S @ (n * at.after.Z) - before.E + before.Y1 / before.mu)
        R = at.known("R", R[:, at.ensemble.microcluster_of(at.j)], lambda p: (int(first[p]), at.j))
        terms = {"Z": at.now("Z"), "J": at.now("J"), "link": at.then("link"), "Y2": at.then("Y2")}
        words = "Near J, drawn to where H links {i} and {j}, and to what is not represented yet."
        return at.terms(**terms, μ=at.then("mu"), n=at.counts, S=at.row("S", at.i, None), R=R, words=words)

    @tells("R", "S - sum(n[t]*S_i[t]*Z[t], t) - E + Y1/μ", "(3)", "R", "what Z has not represented",
           ("object", "object"))
    def why_R(self, at: At) -> Told:
        (S, Z), more = self.made(at), {"E": at.then("E"), "Y1": at.then("Y1"), "μ": at.then("mu")}
        return at.terms(S=at.now("S"), n=at.counts, S_i=S, Z=Z, **more, words="With the noise of the step before.")

    @tells("link", "dot(H_i, H_j) / sqrt(d_i*d_j)", "(3)", "D^-½HHᵀD^-½", "how H links a pair", ("object", "object"))
    def why_link(self, at: At) -> Told:
        if at.start:
            return self.zero(at)
        H = {f"H_{x}": at.row("H", y, None) for x, y in zip("ij", (at.i, at.j), strict=True)}
        d = {f"d_{x}": at.now("degree", y) for x, y in zip("ij", (at.i, at.j), strict=True)}
        if not d["d_i"].value * d["d_j"].value:
            return at.given(0, "Nothing links one of them to anything.")
        return at.terms(**H, **d, words="Objects that H has in one direction are drawn together.")

    @tells("E", "max(1 - λ / (μ*length), 0)*Q", "(4)")
    def why_E(self, at: At) -> Told:
        if at.start:
            return self.zero(at)
        length = at.now("length", at.j)
        gone = {"value == 0": "all of it is let go", "value > 0 or value < 0": "a part of it is taken for noise"}
        words = "What is not represented of {j} has length {length}: {gone}."
        terms = {"λ": at.param("lam2"), "μ": at.then("mu"), "Q": at.now("Q")}
        return at.terms(**terms, length=length, gone=gone, words=words)

    @tells("length", "sqrt(sum(n[t]*Q[t]**2, t))", "(4)", "‖Q_·j‖", "what is not represented of an object", ("object",))
    def why_length(self, at: At) -> Told:
        first = at.ensemble.first_of
        Q = at.known("Q", self.Q_at(at)[:, at.p], lambda p: (int(first[p]), at.i))
        return at.terms(n=at.counts, Q=Q, words="Over all objects.")

    @derived("‖E_·j‖", "noise of an object: high bars are what nobody stands in for", "(4)")
    def noise(self, ensemble: Ensemble, state: RSECState) -> Weights:
        return np.sqrt(ensemble.weights @ state.E**2)

    @tells("noise", "sqrt(sum(n[t]*E[t]**2, t))")
    def why_noise(self, at: At) -> Told:
        return at.terms(n=at.counts, E=at.row("E", None, at.i), words="The noise of {i} over all objects.")

    @derived("M", "the representation both ways, and what H says of it", "(5)", diverging=True, minor=True)
    def M(self, ensemble: Ensemble, state: RSECState) -> Matrix:
        if not state.moved:  # nothing is represented yet
            return steady_coassociation(ensemble)
        return (state.Z + state.Z.T) / 2 + state.H_used @ state.H_used.T

    @tells("M", "(Z_ij + Z_ji) / 2 + dot(H_i, H_j)")
    def why_M(self, at: At) -> Told:
        if at.start:
            return at.equals(at.now("S"), "Nothing is represented yet: what is shown is cut from S.")
        H = {f"H_{x}": at.row("H", y, None, when=-1) for x, y in zip("ij", (at.i, at.j), strict=True)}
        Z = {"Z_ij": at.now("Z"), "Z_ji": at.now("Z", at.j, at.i)}
        return at.terms(**Z, **H, words="What {i} and {j} take of each other, and H of the step before.")

    @tells("H", "F / sqrt(d)")
    def why_H(self, at: At) -> Told:
        if at.start:
            return self.zero(at)
        if not at.now("degree", at.i).value:
            return at.given(0, "Nothing links {i} to anything.")
        return at.terms(F=at.now("F"), d=at.now("degree", at.i), words="Objects with many links stand nearer to 0.")
# fmt: on


def _by_root(rows: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Each divided by the root of its d; none where that is 0."""
    return rows / np.sqrt(np.where(d > 0, d, np.inf))[:, None]
