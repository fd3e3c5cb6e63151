"""Clustering ensemble by structured hypergraph learning (Zhou, Wang, Du and Li 2022)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg
import scipy.sparse.linalg

from ..ensemble import Ensemble
from ..ensemble.incidence import cluster_sizes, contingency, incidence, marks
from ..linalg import bipartite_components, box_qp, canonical_signs, orthonormaliser, smallest_eigenvectors, unit_rows
from ..linalg.hypergraph import TINY, Hypergraph, Move, Path, follow, learn
from ..method import (
    Also,
    At,
    Cost,
    Embedding,
    Exempt,
    Incidence,
    Scalar,
    State,
    Told,
    Weights,
    derived,
    param,
    shown,
    speed,
    tells,
)
from ..method.descent import STEP, Descent
from ..method.hyperedges import CORRELATION, Hyperedges, correlated, correlation, overlap, overlapping, sizes
from ..method.params import ablation, common, schedule
from ..method.schedule import Components
from ..numbers import number
from ..partition import merge_to, split_scattered

TOO_FEW = 1e-9  # sum of the c smallest eigenvalues above which there are fewer than c components
TOO_MANY = 1e-11  # sum of the c + 1 smallest below which there are more
MANY = 100_000  # objects from which the ρ needed grows with their number, rows of F becoming shorter
LINK = 1e-8  # entry of Y that links an object to a hyperedge; residues near 1e-10 would bridge clusters


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class CESHLState(State):
    Y: Incidence = shown("Y", "learned hypergraph: how much each object belongs to each hyperedge", equation="(8)",
        span=(0, 1), also=(Also("hypergraph", "hyperedges as curves around their objects; the width is w", ("w",)),))
    F: Embedding = shown("F", "objects as points: close together where hyperedges link them", equation="(9)",
        diverging=True)
    s: Weights = shown("s", "quality of each base cluster: how often its pairs are together elsewhere", equation="(1)",
        axes=("hyperedge",), span=(0, 1))
    w: Weights = shown("w", "weight of each hyperedge: its quality, smoothed over clusters that overlap",
        equation="(4)", axes=("hyperedge",), span=(0, 1))
    spectrum: Weights = shown("σ(L)", "smallest eigenvalues of the Laplacian: as many zeros as components",
        equation="(5)", axes=("rank",), log=True)
    rho: Scalar = shown("ρ", "pull of the wanted number of components", equation="(8)", log=True)
    components: Scalar = shown("components", "connected components of the learned hypergraph")
    member: np.ndarray  # (q,) which component
    rho_end: float  # ρ at which a run is given up
    path: Path | None = None  # the quasi-Newton steps of this round
    rounds: int = 0
    exact: bool = True  # microclusters have stood for their objects exactly so far


@dataclass(frozen=True, kw_only=True)
class CESHL(Components, Descent, Hyperedges):
    """Learn a hypergraph near the given one that falls apart into exactly c components: these are the clusters.

        min ‖(Y − H)W‖² + ρ tr FᵀLF    over 0 ≤ Y ≤ 1, FᵀF = I                                                   (8)
        L = I − D_v^−½ Y W D_e⁻¹ Yᵀ D_v^−½,   D_v = diag(Yw),   D_e = diag(Yᵀ1)                                   (5)

    H (n x K) says which object is in which of the K base clusters, the hyperedges; Y is the hypergraph learned, w its
    hyperedges' weights, F holds the c smallest eigenvectors of L. As many eigenvalues vanish as there are components.

        s_e = how often two objects of cluster e are together, on average = Σ_l C_el² / (m n_e²),  C = HᵀH      (1)
        w = argmin wᵀ(I − D^−½ C D^−½)w + λ‖w − s‖²   over 0 ≤ w ≤ 1,   D_ee = Σ_l C_el                           (4)

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

    max_iter: int = common(100, "most rounds", span=(1, 10_000))
    lam: float = param(100.0, "how closely the weights keep to the quality scores", plain="faithfulness to the scores",
        letter="λ", equation="(4)", span=(1e-3, 1e3), log=True)
    variant: str = param("paper", "Laplacian of F: normalised as in the text, or not as in the published program",
        equation="(5)", choices=("paper", "released"))
    weights: str = ablation("learned",
        "weights of the hyperedges: by (4), the scores s themselves (CESHL-s), or all 1 (CESHL-W)",
        plain="hyperedge weights", equation="(4)", choices=("learned", "score", "one"))
    rho_first: float = schedule(100.0, "ρ in the first round", plain="first ρ", letter="ρ", equation="(8)",
        span=(1e-6, 1e6), log=True)
    rho_factor: float = schedule(2.0, "factor ρ moves by", plain="factor of ρ", letter="ρ", equation="(8)",
        span=(1.01, 100.0))
    rho_limit: float = schedule(1e8,
        "ρ beyond which a run has come to nothing (with over 100,000 objects, in proportion)",
        plain="limit of ρ", letter="ρ", equation="(8)", span=(1.0, 1e15), log=True)
    inner_steps: int = schedule(20, "most quasi-Newton steps in a round", plain="quasi-Newton steps", equation="(10)",
        span=(1, 10_000))
    memory: int = schedule(5, "steps the quasi-Newton method remembers", plain="steps remembered", equation="(10)",
        span=(1, 50))
    inner_tol: float = schedule(1e-3, "largest projected slope that ends the quasi-Newton steps",
        plain="tolerance of the slope", equation="(13)", span=(0.0, 1.0))

    title = "Structured hypergraph learning"
    family = "hypergraph"
    reference = "Zhou, Wang, Du & Li, Information Fusion 78 (2022) 171–179"
    likeness_in_words = "the hyperedges they share (to merge) or their places in F (to split)"
    State = CESHLState
    monotone = Exempt("ρ doubles or halves from round to round, and with it the second term; within a round (8) falls")
    scale_free = Exempt("ρ starts at an absolute 100, while ‖(Y − H)W‖² grows with the number of objects, FᵀF = I not")
    # fmt: on

    @property
    def normalised(self) -> bool:
        return self.variant == "paper"

    @property
    def exact_on_rows(self):
        if self.variant == "released":
            return Exempt("eigenvectors of the unnormalised Laplacian may tell objects with equal labels apart")
        return True

    def init(self, ensemble: Ensemble) -> CESHLState:
        C, Y = contingency(ensemble).toarray(), incidence(ensemble).toarray()
        s = (C**2).sum(axis=1) / (ensemble.m * np.diag(C) ** 2)  # (1)
        w = self._weights(C, s)
        spectrum, F = self._embedding(ensemble, Y, w)
        count, member = bipartite_components(Y, LINK)
        return CESHLState(
            Y=Y, F=F, s=s, w=w, spectrum=spectrum, rho=self.rho_first, components=count, member=member,
            rho_end=self.rho_limit * max(1.0, ensemble.n / MANY),
            exact=self._stands_for_objects(ensemble, Y, w, spectrum),
        )  # fmt: skip

    def step(self, ensemble: Ensemble, state: CESHLState) -> CESHLState:
        Y, path = learn(self._problem(ensemble, state), state.Y, self.memory, self.inner_steps, self.inner_tol)
        spectrum, F = self._embedding(ensemble, Y, state.w)
        rho = state.rho
        if self._too_few(spectrum):
            rho *= self.rho_factor
        elif self._too_many(spectrum):
            rho, F = rho / self.rho_factor, state.F
        count, member = bipartite_components(Y, LINK)
        return replace(
            state, Y=Y, path=path, F=F, spectrum=spectrum, rho=rho, components=count, member=member,
            rounds=state.rounds + 1, exact=state.exact and self._stands_for_objects(ensemble, Y, state.w, spectrum),
        )  # fmt: skip

    def _too_few(self, spectrum: np.ndarray) -> bool:
        return bool(spectrum[: self.k].sum() > TOO_FEW)

    def _too_many(self, spectrum: np.ndarray) -> bool:
        return bool(spectrum.sum() < TOO_MANY) and len(spectrum) > self.k

    def converged(self, old: CESHLState, new: CESHLState) -> bool:
        """Exactly c eigenvalues vanish; or H itself falls apart further: no ρ mends that."""
        return new.rho == old.rho if old.rounds else new.rho < old.rho and old.components > self.k

    def diverged(self, state: CESHLState) -> bool:
        return not 1 / state.rho_end <= state.rho <= state.rho_end

    def _weights(self, C: np.ndarray, s: np.ndarray) -> np.ndarray:
        """w (4)"""
        if self.weights != "learned":
            return s if self.weights == "score" else np.ones(len(s))
        root = C.sum(axis=1) ** -0.5
        A = -(root[:, None] * C * root)
        A[np.diag_indices_from(A)] += 1 + self.lam
        # without the bound w ≤ 1 it is a linear system, and an M-matrix keeps its solution positive
        w = scipy.linalg.cho_solve(scipy.linalg.cho_factor(A), self.lam * s)
        w = w if w.max() <= 1 else box_qp(2 * A, -2 * self.lam * s)
        _, first, equal = np.unique(C, axis=0, return_index=True, return_inverse=True)
        return w[first][equal.ravel()]  # to the last digit

    def _embedding(self, ensemble: Ensemble, Y: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The c + 1 smallest eigenvalues of L (c, where there are no more) and the c smallest eigenvectors (9)."""
        counts, more = ensemble.weights, min(self.k + 1, ensemble.q)
        dv, de = np.maximum(Y @ w, TINY), np.maximum(counts @ Y, TINY)
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
        if self._marks_parts(spectrum):
            return spectrum, self._indicators(ensemble, Y, dv)
        M = np.zeros((ensemble.q, self.k))
        M[:, : len(values)] = (V if objects else X @ V)[:, : self.k] / root
        M[:, 1 - spectrum[: self.k] < TOO_FEW] = 0
        A, B = orthonormaliser(M, counts, marks(ensemble.rows, self.k))
        return spectrum, canonical_signs(M @ A + marks(ensemble.rows, self.k) @ B, counts)

    def _marks_parts(self, spectrum: np.ndarray) -> bool:
        """Whether more than c eigenvalues vanish: then any c vectors would do."""
        return self.variant == "paper" and len(spectrum) > self.k and bool(spectrum[self.k] < TOO_MANY)

    def _indicators(self, ensemble: Ensemble, Y: np.ndarray, dv: np.ndarray) -> np.ndarray:
        """Those of the components with most objects."""
        member = bipartite_components(Y, LINK)[1]
        F = (member[:, None] == self._largest(ensemble, member)) * np.sqrt(dv)[:, None]
        return F / np.sqrt(ensemble.weights @ F**2)

    def _largest(self, ensemble: Ensemble, member: np.ndarray) -> np.ndarray:
        return np.argsort(-np.bincount(member, weights=ensemble.weights), kind="stable")[: self.k]

    def _stands_for_objects(self, ensemble: Ensemble, Y: np.ndarray, w: np.ndarray, spectrum: np.ndarray) -> bool:
        """Whether the eigenvectors of n objects are those of q microclusters: differences within a microcluster are
        eigenvectors too, with eigenvalue 1 when L is normalised, which is never among the smallest, else with d_v."""
        several = ensemble.counts > 1
        return self.variant == "paper" or not several.any() or bool((Y[several] @ w).min() > spectrum[-1])

    def _problem(self, ensemble: Ensemble, state: CESHLState) -> Hypergraph:
        """(10), with F and ρ as the round finds them."""
        rows = ensemble.rows + ensemble.offsets[:-1] + np.arange(ensemble.q)[:, None] * ensemble.K
        return Hypergraph(rows.ravel(), state.Y.shape, ensemble.weights, state.w, state.F, state.rho)

    # --- what the run says ------------------------------------------------------------------------------------

    def terms(self, ensemble: Ensemble, state: CESHLState) -> dict[str, float]:
        counts, Y, w = ensemble.weights, state.Y, state.w
        dv, de = np.maximum(Y @ w, TINY), np.maximum(counts @ Y, TINY)
        B = (counts[:, None] * state.F / np.sqrt(dv)[:, None]).T @ Y
        apart = Y.copy()
        apart.ravel()[self._problem(ensemble, state).ones] -= 1
        apart *= apart
        return {
            "fit ‖(Y − H)W‖²": float(counts @ (apart @ w**2)),
            "structure ρ tr FᵀLF": state.rho * max(self.k - float((B**2 * (w / de)).sum()), 0.0),
        }

    def repaired(self, ensemble: Ensemble, state: CESHLState) -> np.ndarray:
        """Merged by how often objects are together, or split where F is most scattered: without a q x q matrix."""
        if state.components > self.k:
            scaled = incidence(ensemble) * np.sqrt(state.w / cluster_sizes(ensemble))
            X = scipy.sparse.linalg.aslinearoperator(scaled)
            return merge_to(state.member, self.k, X @ X.T, ensemble.counts)
        return split_scattered(state.member, self.k, unit_rows(state.F), ensemble.counts)

    def stage(self, state: CESHLState) -> str:
        return f"ρ = {number(state.rho)}"

    # fmt: off
    def remarks(self, ensemble: Ensemble, state: CESHLState) -> tuple[str, ...]:
        said, more = list(self.repair_in_words(state)), "fewer" if state.rho > 1 else "more"
        if self.diverged(state):
            said.append(f"At ρ = {number(state.rho)} there are still {more} components than wanted: given up.")
        if not state.exact:
            said.append("The unnormalised Laplacian of the published program would tell objects with equal labels "
                        "apart here; they were kept together, so the result may differ from a run on all objects.")
        if self.weights == "learned" and self.lam < 1 and self.w_and_size(ensemble, state) > 0.999:
            said.append(f"At λ = {number(self.lam)} the weights are all but the square roots of the cluster sizes; the "
                        "quality scores play no part. λ from 10 to 1000 keeps them.")
        return tuple(said)

    def cost(self, ensemble: Ensemble) -> Cost:
        q, K, machine = ensemble.q, ensemble.K, speed()
        few, rounds = min(q, K), min(self.max_iter, 1 + 0.9 * math.log2(q))
        crowding = min(max(math.log10(q * K) - 4, 1), 3)  # how far the entries have outgrown the caches
        evaluation = crowding * (25 * q * K / machine.entries + 2 * q * K * self.k / machine.products)
        seconds = 0.05 + rounds * (self.inner_steps * 1.3 * evaluation + few * (q * K + 4 * few**2) / machine.products)
        released = 24 * q * q if self.variant == "released" else 0
        return Cost(bytes=int(8 * q * K * (12 + 2 * self.memory) + 32 * K * K + released), seconds=seconds)

    # --- what is shown beside the state, and why --------------------------------------------------------------

    @tells("s", "sum(C[l]**2, l) / (m*n**2)")
    def why_s(self, at: At) -> Told:
        words = "Of the {n} objects of {e} one is drawn, put back, and one is drawn again: a share {value} of base " \
                "clusterings has them together."
        return at.terms(C=overlap(at, overlapping(at)), m=at.m, n=sizes(at).term(at.e), words=words)

    @tells("w", "min((λ*s + sum(C[l]*w[l] / sqrt(n_e*n[l]), l) / m) / (1 + λ - 1/m), 1)")
    def why_w(self, at: At) -> Told:
        """Where the derivative of (4) is 0, solved for this weight; D_ee = m n_e, as every object has m labels."""
        if self.weights == "one":
            return at.given(1, "CESHL-W: every hyperedge counts the same.")
        if self.weights == "score":
            return at.equals(at.now("s"), "CESHL-s: {e} counts by its own quality.")
        others, every = overlapping(at), sizes(at)
        others = others[others != at.e]
        n = at.rows(every.values[others], lambda k: every.term(int(others[k])))
        words = "λ holds {e} to its quality {s}; the clusters it shares objects with draw it to their weights."
        return at.terms(λ=at.param("lam"), s=at.now("s"), C=overlap(at, others), w=at.row("w", None, some=others),
                        n_e=every.term(at.e), n=n, m=at.m, words=words)

    def moves(self, at: At) -> list[Move]:
        Y = at.then("Y", at.i, at.e).value
        return follow(self._problem(at.ensemble, at.before), at.after.path, self.memory, Y, at.p, at.e)

    @tells("slope", "2*w**2*(y - H) + ρ*w*(norm(middle)**2 - 2*near + held)", "(13)", "g",
           "slope of (8) for an entry of Y, as a quasi-Newton step finds it", STEP)
    def why_slope(self, at: At) -> Told:
        terms = {"w": at.now("w", at.e), "y": self.entry_within(at), "H": at.now("H", at.i, at.e), "ρ": at.then("rho")}
        words = "The first term holds Y to H. ρ draws {i} out of {e} where the middle of {e} is far from it."
        if not at.r:
            terms |= {"near": at.then("near", at.i, at.e), "held": at.then("held", at.i)}
            return at.terms(**terms, middle=at.row("middle", at.e, None, when=-1), words=words)
        path, when = at.after.path, f"after {at.r} quasi-Newton steps of the round"
        values = path.V[at.r, at.e, 2:] / (-2 * at.before.rho * at.before.w[at.e])
        near = float(at.before.F[at.p] @ values) / math.sqrt(path.dv[at.r, at.p])
        middle = at.rows(values, lambda a: at.constant(values[a], f"the middle of the hyperedge, {when}"))
        near = at.constant(near, f"how near the object is to the middle of the hyperedge, {when}")
        held = at.constant(path.u[at.r, at.p], f"how near the object is to its own hyperedges, {when}")
        return at.terms(**terms, near=near, held=held, middle=middle, words=words)

    @tells("F", "sum(n[q]*A[q]*(f_p - f[q]), q) == σ*d_v*f_p", released="sum(n[q]*A[q]*(F_p - F[q]), q) == σ*F_p",
           mark="sqrt(max(d_v, least) / mass)")
    def why_F(self, at: At) -> Told:
        state, n = at.after, at.ensemble.weights
        if not at.start and self._too_many(state.spectrum):
            return at.unchanged("There are more components than wanted: ρ falls, and F stays as it was.")
        if self._marks_parts(state.spectrum):
            inside = state.member == self._largest(at.ensemble, state.member)[at.a]
            if not inside[at.p]:
                return at.given(0, "Coordinate {a} marks a component of the hypergraph; {i} is not in it.")
            mass = at.constant(n[inside] @ np.maximum(state.Y @ state.w, TINY)[inside], "Σ d_v over the component")
            d_v, least = at.now("dv", at.i), at.constant(TINY, "the least that is told from 0")
            return at.terms("mark", d_v=d_v, least=least, mass=mass, words="Coordinate {a} marks the component of {i}.")
        if state.Y[at.p].max() <= 0 or (self.normalised and 1 - state.spectrum[at.a] < TOO_FEW):
            value = self._embedding(at.ensemble, state.Y, state.w)[1][at.p, at.a]
            return at.given(value, "The hypergraph leaves this open; a fixed pattern of the base labels decides.")
        terms = self.links(at) | {"σ": at.now("spectrum", at.a)}
        some = np.flatnonzero((state.Y * state.w) @ state.Y[at.p])
        words = "{i} stands where the objects it is linked to draw it, but for what the eigenvalue {σ} leaves."
        if not self.normalised:
            terms |= {"F_p": at.now("F"), "F": at.row("F", None, at.a, some=some)}
            return at.terms("released", **terms, words=words)
        terms |= {"f_p": at.now("f"), "f": at.row("f", None, at.a, some=some), "d_v": at.now("dv", at.i)}
        return at.terms(**terms, words=words)

    @tells("spectrum", "sum(w[e]*torn[e], e)")
    def why_spectrum(self, at: At) -> Told:
        state, none, some = at.after, f"value <= {TOO_FEW}", f"value > {TOO_FEW}"
        if at.r >= self.k or self._too_many(state.spectrum):
            value = self._embedding(at.ensemble, state.Y, state.w)[0][at.r]
            say = {none: "0, so there are more components than {k}", some: "above 0, so there are no more than {k}"}
            return at.given(value, "Beyond the {k} that should be 0: {say}.", say=say, k=at.param("k"))
        say = {none: "0, one component more", some: "above 0, they still hang together"}
        words = "How far coordinate {r} of F tears hyperedges apart: {say}."
        return at.terms(w=at.row("w", None), torn=at.row("torn", None, at.r), say=say, words=words)

    @tells("rho", "ρ*factor", less="ρ / factor")
    def why_rho(self, at: At) -> Told:
        if at.start:
            return at.equals(at.param("rho_first"), "Where the run starts.")
        terms = {"k": at.param("k"), "left": at.now("left"), "ρ": at.then("rho"), "factor": at.param("rho_factor")}
        if self._too_few(at.after.spectrum):
            return at.terms(**terms, words="The {k} smallest eigenvalues add up to {left}, not 0: too few components.")
        if self._too_many(at.after.spectrum):
            return at.terms("less", **terms, words="More than {k} eigenvalues are 0: too many components.")
        return at.unchanged("Exactly {k} eigenvalues are 0: ρ stays.", k=terms["k"])

    @tells("left", "sum(σ[r], r)", "(9)", "tr FᵀLF", "sum of the c smallest eigenvalues", ())
    def why_left(self, at: At) -> Told:
        words, k = "It is 0 where there are {k} components, or more.", at.param("k")
        return at.terms(σ=at.row("spectrum", None, some=range(self.k)), words=words, k=k)

    @derived("corr(w, s)", "how far the weights follow the quality scores", equation="(4)", minor=True)
    def w_and_s(self, ensemble: Ensemble, state: CESHLState) -> Scalar:
        return correlation(state.w, state.s)

    @tells("w_and_s", CORRELATION)
    def why_w_and_s(self, at: At) -> Told:
        return correlated(at, at.row("s", None), "1: the weights are the quality scores, but for scale and shift.")

    @derived("corr(w, √n)", "how far the weights follow the roots of the cluster sizes", equation="(4)", minor=True)
    def w_and_size(self, ensemble: Ensemble, state: CESHLState) -> Scalar:
        return correlation(state.w, np.sqrt(cluster_sizes(ensemble)))

    @tells("w_and_size", CORRELATION.replace("x[e]", "sqrt(x[e])"))
    def why_w_and_size(self, at: At) -> Told:
        return correlated(at, sizes(at, np.sqrt), "1: only the sizes of the clusters count any more.")
    # fmt: on
