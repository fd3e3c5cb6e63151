"""Clustering ensemble by structured hypergraph learning (Zhou, Wang, Du and Li 2022)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg
import scipy.sparse.linalg

from ..ensemble import Ensemble
from ..ensemble.incidence import cluster_names, cluster_sizes, contingency, incidence, marks
from ..linalg import bipartite_components, box_qp, canonical_signs, orthonormaliser, smallest_eigenvectors
from ..linalg.hypergraph import TINY, Hypergraph, Path, follow, learn
from ..method import (
    Cost,
    Embedding,
    Exempt,
    Explanation,
    Incidence,
    Method,
    Scalar,
    State,
    Weights,
    derived,
    param,
    shown,
    speed,
)
from ..partition import merge_to, split_scattered

TOO_FEW = 1e-9  # sum of the c smallest eigenvalues above which there are fewer than c components
TOO_MANY = 1e-11  # sum of the c + 1 smallest below which there are more
MANY = 100_000  # objects from which the ρ needed grows with their number, rows of F becoming shorter
LINK = 1e-8  # entry of Y that links an object to a hyperedge; residues near 1e-10 would bridge clusters


@dataclass(frozen=True, kw_only=True, eq=False)
class CESHLState(State):
    Y: Incidence = shown(
        "Y", "learned hypergraph: how much each object belongs to each hyperedge", equation="(8)", span=(0, 1)
    )
    F: Embedding = shown(
        "F", "objects as points: close together where hyperedges link them", equation="(9)", diverging=True
    )
    s: Weights = shown(
        "s", "quality of each base cluster: how often its pairs are together elsewhere", equation="(1)",
        axes=("hyperedge",), span=(0, 1),
    )  # fmt: skip
    w: Weights = shown(
        "w", "weight of each hyperedge: its quality, smoothed over clusters that overlap", equation="(4)",
        axes=("hyperedge",), span=(0, 1),
    )  # fmt: skip
    spectrum: Weights = shown(
        "σ(L)", "smallest eigenvalues of the Laplacian: as many zeros as components", equation="(5)", axes=("rank",),
        log=True,
    )  # fmt: skip
    rho: Scalar = shown("ρ", "pull of the wanted number of components", equation="(8)", log=True)
    count: Scalar = shown("components", "connected components of the learned hypergraph")
    rho_end: float  # ρ at which a run is given up
    path: Path | None = None  # the quasi-Newton steps of this round
    rounds: int = 0
    done: bool = False
    exact: bool = True  # microclusters have stood for their objects exactly so far


@dataclass(frozen=True, kw_only=True)
class CESHL(Method):
    """Learn a hypergraph near the given one that falls apart into exactly c components: these are the clusters.

        min ‖(Y − H)W‖² + ρ tr FᵀLF    over 0 ≤ Y ≤ 1, FᵀF = I                                                   (8)
        L = I − D_v^−½ Y W D_e⁻¹ Yᵀ D_v^−½,   D_v = diag(Yw),   D_e = diag(Yᵀ1)                                   (5)

    H (n x k) says which object is in which of the k base clusters, the hyperedges; Y is the hypergraph learned, w its
    hyperedges' weights, F holds the c smallest eigenvectors of L. As many eigenvalues vanish as there are components.

        s_i = how often two objects of cluster i are together, on average = Σ_l C_il² / (m n_i²),  C = HᵀH      (1)
        w = argmin wᵀ(I − D^−½ C D^−½)w + λ‖w − s‖²   over 0 ≤ w ≤ 1,   D_ii = Σ_l C_il                           (4)

    A round lowers (8) over Y by at most 20 steps of L-BFGS-B (memory 5, from the Y before), then F becomes the c
    smallest eigenvectors of L(Y) and ρ doubles while they do not vanish. Where c + 1 vanish, ρ halves and F stays. It
    ends when exactly c do, or after the first round where H itself has more components than c. As ρ moves, the
    objective may rise from round to round; within a round it falls.

    As λ → 0, w becomes the square root of the cluster sizes and forgets the quality s; at λ = 1000, w = s. Variant
    "paper", the default, takes F from the L of (5): it comes to exactly c vanishing eigenvalues (an object that loses
    every hyperedge is one component more), needs fewer rounds, hardly depends on λ and is exact on microclusters.
    "released" takes F from D_v − Y W D_e⁻¹ Yᵀ as the published program does (its step of Y has (5) all the same), which
    can even tell identical objects apart. The published figures take the best of seven λ per ensemble, chosen with the
    truth.

    Twenty steps are far from a minimum, and each round magnifies the last digits of the one before: equal labels on two
    machines are the rule, equal digits of Y after many rounds are not.

    P. Zhou, X. Wang, L. Du, X. Li: Clustering ensemble via structured hypergraph learning. Information Fusion 78 (2022)
    171–179.
    """

    max_iter: int = param(100, "most rounds", low=1, high=10_000, role="common")
    lam: float = param(
        100.0, "how closely the weights keep to the quality scores",
        plain="faithfulness to the scores", letter="λ", low=1e-3, high=1e3, log=True,
        equation="(4)",
    )  # fmt: skip
    variant: str = param(
        "paper", "Laplacian of F: normalised as in the text, or not as in the published program",
        choices=("paper", "released"), equation="(5)",
    )  # fmt: skip
    exact_k: bool = param(True, "merge or split the components found until there are exactly k")
    weights: str = param(
        "learned", "weights of the hyperedges: by (4), the scores s themselves (CESHL-s), or all 1 (CESHL-W)",
        plain="hyperedge weights",
        choices=("learned", "score", "one"), role="ablation", equation="(4)",
    )  # fmt: skip
    rho0: float = param(
        100.0,
        "ρ in the first round",
        plain="first ρ",
        letter="ρ₀",
        low=1e-6,
        high=1e6,
        log=True,
        role="schedule",
        equation="(8)",
    )
    rho_factor: float = param(
        2.0, "factor ρ moves by", plain="factor of ρ", low=1.01, high=100.0, role="schedule", equation="(8)"
    )
    rho_limit: float = param(
        1e8,
        "ρ beyond which a run has come to nothing (with over 100,000 objects, in proportion)",
        plain="limit of ρ",
        low=1.0,
        high=1e15,
        log=True,
        role="schedule",
        equation="(8)",
    )
    inner_steps: int = param(
        20,
        "most quasi-Newton steps in a round",
        plain="quasi-Newton steps",
        low=1,
        high=10_000,
        role="schedule",
        equation="(10)",
    )
    memory: int = param(
        5,
        "steps the quasi-Newton method remembers",
        plain="steps remembered",
        low=1,
        high=50,
        role="schedule",
        equation="(10)",
    )
    inner_tol: float = param(
        1e-3, "largest projected slope that ends the quasi-Newton steps",
        plain="tolerance of the slope", low=0.0, high=1.0, role="schedule",
        equation="(13)",
    )  # fmt: skip

    title = "Structured hypergraph learning"
    family = "hypergraph"
    reference = "Zhou, Wang, Du & Li, Information Fusion 78 (2022) 171–179"
    State = CESHLState
    monotone = Exempt("ρ doubles or halves from round to round, and with it the second term; within a round (8) falls")
    scale_free = Exempt(
        "ρ starts at an absolute 100, while ‖(Y − H)W‖² grows with the number of objects and FᵀF = I not"
    )

    @property
    def exact_on_rows(self):
        if self.variant == "released":
            return Exempt("eigenvectors of the unnormalised Laplacian may tell objects with equal labels apart")
        return True

    # --- the rounds -------------------------------------------------------------------------------------------

    def init(self, ensemble: Ensemble) -> CESHLState:
        C = contingency(ensemble).toarray()
        sizes = np.diag(C)
        s = (C**2).sum(axis=1) / (ensemble.m * sizes**2)
        w = self._weights(C, s)
        Y = incidence(ensemble).toarray()
        spectrum, F = self._embedding(ensemble, Y, w)
        count, _ = bipartite_components(Y, LINK)
        return CESHLState(
            Y=Y, F=F, s=s, w=w, spectrum=spectrum, rho=self.rho0, count=count,
            rho_end=self.rho_limit * max(1.0, ensemble.n / MANY),
            exact=self._stands_for_objects(ensemble, Y, w, spectrum),
        )  # fmt: skip

    def step(self, ensemble: Ensemble, state: CESHLState) -> CESHLState:
        Y, path = learn(self._problem(ensemble, state), state.Y, self.memory, self.inner_steps, self.inner_tol)
        spectrum, F = self._embedding(ensemble, Y, state.w)
        rho, done = state.rho, False
        if spectrum[: self.k].sum() > TOO_FEW:
            rho *= self.rho_factor
        elif spectrum.sum() < TOO_MANY and len(spectrum) > self.k:
            rho, F = rho / self.rho_factor, state.F
            done = state.rounds == 0 and state.count > self.k  # H itself falls apart further: no ρ mends that
        else:
            done = state.rounds > 0
        count, _ = bipartite_components(Y, LINK)
        return replace(
            state, Y=Y, path=path, F=F, spectrum=spectrum, rho=rho, count=count, rounds=state.rounds + 1, done=done,
            exact=state.exact and self._stands_for_objects(ensemble, Y, state.w, spectrum),
        )  # fmt: skip

    def _weights(self, C: np.ndarray, s: np.ndarray) -> np.ndarray:
        if self.weights == "score":
            return s
        if self.weights == "one":
            return np.ones(len(s))
        root = 1 / np.sqrt(C.sum(axis=1))
        A = -(root[:, None] * C * root)
        A[np.diag_indices_from(A)] += 1 + self.lam
        # without the bound w ≤ 1 it is a linear system, and an M-matrix keeps its solution positive
        w = scipy.linalg.cho_solve(scipy.linalg.cho_factor(A), self.lam * s)
        return w if w.max() <= 1 else box_qp(2 * A, -2 * self.lam * s)

    def _embedding(self, ensemble: Ensemble, Y: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The c + 1 smallest eigenvalues of L (c, where there are no more) and the c smallest eigenvectors (9)."""
        counts = ensemble.counts.astype(float)
        dv, de = np.maximum(Y @ w, TINY), np.maximum(counts @ Y, TINY)
        more = min(self.k + 1, ensemble.q)
        if self.variant == "released":
            values, F = smallest_eigenvectors((Y * (w / de)) @ Y.T, more, counts)
            return values, F[:, : self.k]
        root = np.sqrt(counts)[:, None]
        X = Y * np.sqrt(w / de)
        X *= root / np.sqrt(dv)[:, None]  # L = I − XXᵀ in the coordinates √counts · F
        few = min(X.shape)
        objects = few == ensemble.q  # the smaller Gram matrix has the same eigenvalues
        gram = scipy.linalg.blas.dsyrk(1.0, X.T, trans=objects)  # its upper half
        found = (max(0, few - more), few - 1)
        values, V = scipy.linalg.eigh(gram, lower=False, subset_by_index=found, check_finite=False)
        values, V = np.clip(values[::-1], 0, 1), V[:, ::-1]
        spectrum = np.ones(more)  # eigenvalues beyond the rank of Y
        spectrum[: len(values)] = 1 - values
        if more > self.k and spectrum[self.k] < TOO_MANY:
            return spectrum, self._indicators(ensemble, Y, dv)
        M = np.zeros((ensemble.q, self.k))
        M[:, : len(values)] = (V if objects else X @ V)[:, : self.k] / root
        M[:, 1 - spectrum[: self.k] < TOO_FEW] = 0
        A, B = orthonormaliser(M, counts, marks(ensemble.rows, self.k))
        return spectrum, canonical_signs(M @ A + marks(ensemble.rows, self.k) @ B, counts)

    def _indicators(self, ensemble: Ensemble, Y: np.ndarray, dv: np.ndarray) -> np.ndarray:
        """Where more than c eigenvalues vanish any c vectors would do: those of the components with most objects."""
        _, member = bipartite_components(Y, LINK)
        largest = np.argsort(-np.bincount(member, weights=ensemble.counts), kind="stable")[: self.k]
        F = (member[:, None] == largest) * np.sqrt(dv)[:, None]
        return F / np.sqrt(ensemble.counts @ F**2)

    def _stands_for_objects(self, ensemble, Y, w, spectrum) -> bool:
        """Whether the eigenvectors of n objects are those of q microclusters: differences within a microcluster are
        eigenvectors too, with eigenvalue 1 when L is normalised, which is never among the smallest, else with d_v."""
        if self.variant == "paper":
            return True
        several = ensemble.counts > 1
        return not several.any() or bool((Y[several] @ w).min() > spectrum[-1])

    def _problem(self, ensemble: Ensemble, state: CESHLState) -> Hypergraph:
        """(10), with F and ρ as the round finds them."""
        rows = ensemble.rows + ensemble.offsets[:-1] + np.arange(ensemble.q)[:, None] * int(ensemble.offsets[-1])
        counts = ensemble.counts.astype(float)
        return Hypergraph(rows.ravel(), state.Y.shape, counts, state.w, state.F, state.rho)

    # --- what the run says ------------------------------------------------------------------------------------

    def terms(self, ensemble: Ensemble, state: CESHLState) -> dict[str, float]:
        counts, Y, w = ensemble.counts, state.Y, state.w
        dv, de = np.maximum(Y @ w, TINY), np.maximum(counts @ Y, TINY)
        B = (counts[:, None] * state.F / np.sqrt(dv)[:, None]).T @ Y
        apart = Y.copy()
        apart.ravel()[self._problem(ensemble, state).ones] -= 1
        apart *= apart
        return {
            "fit ‖(Y − H)W‖²": float(counts @ (apart @ w**2)),
            "structure ρ tr FᵀLF": state.rho * max(self.k - float((B**2 * (w / de)).sum()), 0.0),
        }

    def labels(self, ensemble: Ensemble, state: CESHLState) -> np.ndarray:
        count, labels = bipartite_components(state.Y, LINK)
        if not self.exact_k or count == self.k:
            return labels
        if count > self.k:
            scaled = incidence(ensemble) * np.sqrt(state.w / cluster_sizes(ensemble))
            X = scipy.sparse.linalg.aslinearoperator(scaled)
            return merge_to(labels, self.k, X @ X.T, ensemble.counts)
        length = np.linalg.norm(state.F, axis=1, keepdims=True)
        return split_scattered(labels, self.k, state.F / np.where(length > 0, length, 1), ensemble.counts)

    def found(self, ensemble: Ensemble, state: CESHLState) -> int:
        return int(state.count)

    def converged(self, old: CESHLState, new: CESHLState) -> bool:
        return new.done

    def diverged(self, state: CESHLState) -> bool:
        return not 1 / state.rho_end <= state.rho <= state.rho_end

    def stage(self, state: CESHLState) -> str:
        return f"ρ = {state.rho:,g}"

    def remarks(self, ensemble: Ensemble, state: CESHLState) -> tuple[str, ...]:
        said = []
        if state.count > self.k and self.exact_k:
            said.append(
                f"The hypergraph has {state.count:,} components where {self.k} were wanted; those whose objects are "
                "most often together were merged."
            )
        if state.count < self.k and self.exact_k:
            said.append(
                f"The hypergraph has {state.count:,} components where {self.k} were wanted; the most scattered in F "
                "were split."
            )
        if self.diverged(state):
            more = "fewer" if state.rho > 1 else "more"
            said.append(f"ρ has come to {state.rho:.1g} and there are still {more} components than wanted: given up.")
        if not state.exact:
            said.append(
                "The unnormalised Laplacian of the published program would tell objects with equal labels apart here; "
                "they were kept together, so the result may differ from a run on all objects."
            )
        if self.weights == "learned" and self.lam < 1 and self.w_and_size(ensemble, state) > 0.999:
            said.append(
                f"At λ = {self.lam:g} the weights are all but the square roots of the cluster sizes; the quality "
                "scores play no part. λ from 10 to 1000 keeps them."
            )
        return tuple(said)

    def cost(self, ensemble: Ensemble) -> Cost:
        q, K = ensemble.q, int(ensemble.offsets[-1])
        machine = speed()
        few = min(q, K)
        rounds = min(self.max_iter, 1 + 0.9 * math.log2(q))
        crowding = min(max(math.log10(q * K) - 4, 1), 3)  # how far the entries have outgrown the caches
        evaluation = crowding * (25 * q * K / machine.entries + 2 * q * K * self.k / machine.products)
        seconds = 0.05 + rounds * (self.inner_steps * 1.3 * evaluation + few * (q * K + 4 * few**2) / machine.products)
        released = 24 * q * q if self.variant == "released" else 0
        return Cost(bytes=int(8 * q * K * (12 + 2 * self.memory) + 32 * K * K + released), seconds=seconds)

    # --- quantities that follow from the state ----------------------------------------------------------------

    @derived("H", "given hypergraph: which object is in which base cluster", equation="(1)", span=(0, 1))
    def H(self, ensemble: Ensemble, state: CESHLState) -> Incidence:
        return incidence(ensemble).toarray()

    @derived("d_v", "how strongly each object is tied: the weights of its hyperedges", equation="(5)", axes=("object",))
    def dv(self, ensemble: Ensemble, state: CESHLState) -> Weights:
        return state.Y @ state.w

    @derived("d_e", "size of each hyperedge as learned", equation="(5)", axes=("hyperedge",))
    def de(self, ensemble: Ensemble, state: CESHLState) -> Weights:
        return ensemble.counts @ state.Y

    @derived("corr(w, s)", "how far the weights follow the quality scores", equation="(4)", minor=True)
    def w_and_s(self, ensemble: Ensemble, state: CESHLState) -> Scalar:
        return correlation(state.w, state.s)

    @derived(
        "corr(w, √n)", "how far the weights follow the square roots of the cluster sizes", equation="(4)", minor=True
    )
    def w_and_size(self, ensemble: Ensemble, state: CESHLState) -> Scalar:
        return correlation(state.w, np.sqrt(cluster_sizes(ensemble)))

    # --- why an entry is what it is ---------------------------------------------------------------------------

    def explain_H(self, ensemble: Ensemble, before, after: CESHLState, i: int, e: int) -> Explanation:
        t, q = self._whose(ensemble, e)
        inside = int(ensemble.rows[ensemble.microcluster_of(i), t]) == q
        return Explanation(
            "H_pe = 1 where object p is in cluster e",
            f"H = {float(inside):g}",
            float(inside),
            f"Object {i + 1} is {'in' if inside else 'not in'} cluster {q + 1} of {ensemble.names[t]}.",
        )

    def explain_s(self, ensemble: Ensemble, before, after: CESHLState, e: int) -> Explanation:
        shared = self._shared(ensemble, e)
        size = shared[e]
        value = sum(x * x for x in shared) / (ensemble.m * size * size)
        return Explanation(
            "s_e = Σ_l C_el² / (m n_e²)",
            f"s = {sum(x * x for x in shared):.4g} / ({ensemble.m} · {size:g}²)",
            value,
            f"Two of the {size:g} objects of {cluster_names(ensemble)[e]} are together in {100 * value:.3g}% of the "
            "base clusterings, on the average of all pairs.",
        )

    def explain_w(self, ensemble: Ensemble, before, after: CESHLState, e: int) -> Explanation:
        name = cluster_names(ensemble)[e]
        if self.weights == "one":
            return Explanation("w_e = 1", "w = 1", 1.0, "CESHL-W: every hyperedge counts the same.")
        if self.weights == "score":
            value = self.explain_s(ensemble, before, after, e).value
            return Explanation("w_e = s_e", f"w = {value:.3g}", value, f"CESHL-s: {name} counts by its own quality.")
        shared = self._shared(ensemble, e)
        # Σ_l C_el = Σ over the members of e of how many labels they have, and these are m: D = m n_l
        D = ensemble.m * cluster_sizes(ensemble)
        others = sum(shared[l] / math.sqrt(D[e] * D[l]) * float(after.w[l]) for l in np.flatnonzero(shared) if l != e)
        own, pull = 1 + self.lam - shared[e] / D[e], self.lam * float(after.s[e])
        value = min(max((pull + others) / own, 0.0), 1.0)
        return Explanation(
            "w_e = (λ s_e + Σ_{l≠e} C_el w_l / √(D_e D_l)) / (1 + λ − C_ee/D_e), at most 1",
            f"w = ({pull:.3g} + {others:.3g}) / {own:.3g}",
            value,
            f"{name} has quality {after.s[e]:.3g}; the clusters it overlaps draw its weight with {others:.3g}, λ = "
            f"{self.lam:g} holds it to its quality: {value:.3g}.",
        )

    def explain_dv(self, ensemble: Ensemble, before, after: CESHLState, i: int) -> Explanation:
        row = after.Y[ensemble.microcluster_of(i)]
        value = sum(float(y) * float(w) for y, w in zip(row, after.w, strict=True))
        words = f"Object {i + 1} is tied to {int((row > LINK).sum())} hyperedges, with weight {value:.3g} in all."
        return Explanation("d_v = Σ_e Y_pe w_e", f"d_v = {value:.3g}", value, words)

    def explain_de(self, ensemble: Ensemble, before, after: CESHLState, e: int) -> Explanation:
        value = sum(float(c) * float(y) for c, y in zip(ensemble.counts, after.Y[:, e], strict=True))
        given = float(cluster_sizes(ensemble)[e])
        words = f"{cluster_names(ensemble)[e]} had {given:g} objects; as learned it has {value:.3g}."
        return Explanation("d_e = Σ_p Y_pe", f"d_e = {value:.3g}", value, words)

    def explain_Y(self, ensemble: Ensemble, before, after: CESHLState, i: int, e: int) -> Explanation:
        p = ensemble.microcluster_of(i)
        name = cluster_names(ensemble)[e]
        if before is None:
            return replace(self.explain_H(ensemble, None, after, i, e), formula="Y = H at the start")
        start = float(before.Y[p, e])
        if not len(after.path.turns):
            words = (
                f"No entry would gain more than {self.inner_tol:g} by moving: object {i + 1} stays as it was in {name}."
            )
            return Explanation("Y stays", f"Y = {start:.3g}", start, words)
        problem = self._problem(ensemble, before)
        values, slopes = follow(problem, after.path, self.memory, start, p, e)
        fit = 2 * float(before.w[e]) ** 2 * (start - float(problem.has(p, e)))
        wants = "down" if slopes[0] > 0 else "up"
        course = f"{start:.3g} → {values[0]:.3g} → … → {values[-1]:.3g}"
        return Explanation(
            "Y ← Y − (quasi-Newton step) · ∂J/∂Y within [0, 1],  ∂J/∂Y = 2w²(Y − H) + ρ ∂tr(FᵀLF)/∂Y",
            f"∂J/∂Y = {fit:.3g} + {slopes[0] - fit:.3g} at first; Y = {course}",
            values[-1],
            f"Object {i + 1} began the round {start:.3g} in {name}. Staying near the given hypergraph has slope "
            f"{fit:.3g}, falling into {self.k} parts {slopes[0] - fit:.3g}: together they push {wants}. "
            f"{len(values)} steps later it is {values[-1]:.3g}.",
        )

    def explain_F(self, ensemble: Ensemble, before, after: CESHLState, i: int, a: int) -> Explanation:
        p = ensemble.microcluster_of(i)
        if self._kept(before, after):
            value = float(before.F[p, a])
            words = "There are more components than wanted: ρ is halved and F stays as it was."
            return Explanation("F stays", f"F = {value:.3g}", value, words)
        counts = ensemble.counts.astype(float)
        dv, de = np.maximum(after.Y @ after.w, TINY), np.maximum(counts @ after.Y, TINY)
        tie = after.Y @ (after.Y[p] * (after.w / de)) * counts  # S_pr counts_r, S = Y W D_e⁻¹ Yᵀ
        normalised = self.variant == "paper"
        if normalised:
            tie /= np.sqrt(dv[p] * dv)
        sigma = float(after.spectrum[a])
        own = (1.0 if normalised else float(dv[p])) - sigma - float(tie[p])
        others = float(tie @ after.F[:, a] - tie[p] * after.F[p, a])
        exact = abs(own) > 1e-4 and after.spectrum[min(a, len(after.spectrum) - 1)] < 1 - TOO_FEW
        value = others / own if exact else float(self._embedding(ensemble, after.Y, after.w)[1][p, a])
        return Explanation(
            "F_pa = Σ_{r≠p} A_pr F_ra / (1 − σ_a − A_pp)"
            if normalised
            else "F_pa = Σ_{r≠p} A_pr F_ra / (d_p − σ_a − A_pp)",
            f"F = {others:.3g} / {own:.3g}",
            value,
            f"Object {i + 1} lies where the objects it shares hyperedges with lie, on their weighted average: an "
            f"eigenvector of L with eigenvalue {sigma:.3g}.",
        )

    def explain_spectrum(self, ensemble: Ensemble, before, after: CESHLState, r: int) -> Explanation:
        counts = ensemble.counts.astype(float)
        dv, de = np.maximum(after.Y @ after.w, TINY), np.maximum(counts @ after.Y, TINY)
        if r >= self.k or self._kept(before, after):
            value = float(self._embedding(ensemble, after.Y, after.w)[0][r])
        else:
            F = after.F[:, r]
            ends = F / np.sqrt(dv) if self.variant == "paper" else F
            inside = (counts * ends) @ after.Y
            total = 1.0 if self.variant == "paper" else float(counts @ (dv * F**2))
            value = total - sum(float(w / d * b * b) for w, d, b in zip(after.w, de, inside, strict=True))
        words = (
            "It vanishes: one component more."
            if value < TOO_FEW
            else "It does not vanish: the parts still hang together."
        )
        return Explanation("σ_r = F_rᵀ L F_r", f"σ = {value:.3g}", value, f"Eigenvalue number {r + 1}. {words}")

    def explain_rho(self, ensemble: Ensemble, before, after: CESHLState) -> Explanation:
        if before is None:
            return Explanation("ρ = ρ₀", f"ρ = {self.rho0:g}", self.rho0, "The pull at the start.")
        a, b = float(after.spectrum[: self.k].sum()), float(after.spectrum.sum())
        if a > TOO_FEW:
            return Explanation(
                "ρ ← 2ρ", f"ρ = {before.rho:g} · {self.rho_factor:g}", before.rho * self.rho_factor,
                f"The {self.k} smallest eigenvalues add up to {a:.3g}, not 0: too few components, so the pull grows.",
            )  # fmt: skip
        if b < TOO_MANY and len(after.spectrum) > self.k:
            return Explanation(
                "ρ ← ρ/2", f"ρ = {before.rho:g} / {self.rho_factor:g}", before.rho / self.rho_factor,
                f"{self.k + 1} eigenvalues vanish: too many components, so the pull is eased.",
            )  # fmt: skip
        return Explanation("ρ stays", f"ρ = {before.rho:g}", before.rho, f"Exactly {self.k} eigenvalues vanish.")

    def explain_count(self, ensemble: Ensemble, before, after: CESHLState) -> Explanation:
        count, labels = bipartite_components(after.Y, LINK)
        sizes = np.sort(np.bincount(labels, weights=ensemble.counts))[::-1].astype(int)
        return Explanation(
            "components of the graph of objects and hyperedges, linked where Y > 1e-8",
            f"{count} of sizes {', '.join(map(str, sizes[:8]))}{', …' if count > 8 else ''}",
            float(count),
            f"The learned hypergraph falls into {count:,} part{'s' if count != 1 else ''}; {self.k} are wanted.",
        )

    def explain_w_and_s(self, ensemble: Ensemble, before, after: CESHLState) -> Explanation:
        value = correlation(after.w, after.s)
        return Explanation("corr(w, s)", f"{value:.4f}", value, "1: the weights are the quality scores, up to scale.")

    def explain_w_and_size(self, ensemble: Ensemble, before, after: CESHLState) -> Explanation:
        value = correlation(after.w, np.sqrt(cluster_sizes(ensemble)))
        return Explanation("corr(w, √n)", f"{value:.4f}", value, "1: only the sizes of the clusters count any more.")

    def _kept(self, before: CESHLState | None, after: CESHLState) -> bool:
        return before is not None and after.rho < before.rho

    def _whose(self, ensemble: Ensemble, e: int) -> tuple[int, int]:
        """Base clustering and cluster of hyperedge e."""
        t = int(np.searchsorted(ensemble.offsets, e, side="right")) - 1
        return t, int(e - ensemble.offsets[t])

    def _shared(self, ensemble: Ensemble, e: int) -> list[float]:
        """C_el for all l: objects that hyperedges e and l share."""
        t, q = self._whose(ensemble, e)
        inside = ensemble.rows[:, t] == q
        found = [
            np.bincount(column[inside], weights=ensemble.counts[inside], minlength=k)
            for column, k in zip(ensemble.rows.T, ensemble.k_each, strict=True)
        ]
        return np.concatenate(found).tolist()


def correlation(x: np.ndarray, y: np.ndarray) -> float:
    """Pearson's; 0 where one of them does not vary."""
    x, y = x - x.mean(), y - y.mean()
    size = math.sqrt(float(x @ x) * float(y @ y))
    return float(x @ y) / size if size > 1e-12 * len(x) else 0.0
