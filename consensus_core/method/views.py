"""Base clusterings as views of the objects, some rows of which are missing: turned onto a consensus and completed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import MISSING, Ensemble
from ..ensemble.incidence import cluster_sizes, incidence, indicators, shared_weight
from ..errors import InputError
from ..linalg import canonical_signs, leading_by_columns, ranged_polar
from ..numbers import number
from .cost import Cost, speed
from .method import Exempt, Method, State
from .params import common, param
from .quantities import Embedding, Incidence, Weights, derived, shown
from .telling import At, Told, tells

MAP = ("hyperedge", "coordinate")


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class ViewsState(State):
    F: Embedding = shown("F", "consensus: objects as points, on which all base clusterings are turned", diverging=True)
    W: Embedding = shown("W", "where each base cluster is turned to in the consensus", axes=MAP, diverging=True)
    beta: Weights = shown("β", "weight of each base clustering, their squares together 1", axes=("clustering",),
        span=(0, 1))
    filled: tuple[np.ndarray, ...]  # for each base clustering the rows of H_i that were missing
    F0: np.ndarray  # (q, k)
    rounds: int = 0
    value: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Views(Method):
    """Methods that maximise tr Fᵀ(Σ_i β_i H_i W_i + λF₀) over F, W_i, the missing rows of H_i, and β, in turn.

    H_i (n, k_i) has a one per object, divided by the root of the cluster's size where `scale` is "orth". Rows stand for
    objects, and every sum, product and polar factor is the one over all objects.
    """

    max_iter: int = common(100, "most rounds", span=(1, 10_000))
    tol: float = common(1e-4, "relative change of the value that counts as none", plain="tolerance", span=(0.0, 1.0))
    seed: int = common(0, "start of the random numbers, for all starts of k-means but the first", span=(0, 2**32 - 1))
    lam: float = param(1.0, "how strongly the consensus is held to what it begins with", plain="pull to the start",
        letter="λ", span=(2.0**-15, 2.0**15), log=True)
    scale: str = param("orth", "whether a cluster counts by the root of its size (orth) or of its size (raw)",
        plain="length of H", choices=("orth", "raw"))

    family = "embedding"
    handles_missing = "the missing rows of each base clustering are learned with the consensus, observed ones stay"

    @property
    def scale_free(self) -> bool | Exempt:
        return self.scale == "orth" or Exempt("rows of length one stand beside columns of length one: F₀ and filled "
                                              "rows weigh the less the more objects there are")

    def stage(self, state: ViewsState) -> str:
        return f"value {number(state.value)}" if state.rounds else ""

    def start(self, ensemble: Ensemble) -> dict[str, np.ndarray]:
        """F₀, the W_i turned to it, β and no row filled."""
        if not ensemble.K:
            raise InputError(f"{self.name()}: no base clustering has a single label, so there is nothing to combine.")
        size, alive = self._size(ensemble), ensemble.k_each > 0
        shared = shared_weight(ensemble.rows, ensemble.k_each, ensemble.weights)
        Z = incidence(ensemble)
        F0 = Z @ (leading_by_columns(shared * size * size[:, None], self.k)[1] * size[:, None])
        F0 = canonical_signs(F0, ensemble.weights)
        filled = tuple(map(np.zeros, zip(ensemble.missing.sum(axis=0), ensemble.k_each, strict=True)))
        W = self.turned(ensemble, F0, filled)
        return {"F0": F0, "W": W, "beta": alive / np.sqrt(alive.sum()), "filled": filled}

    def _size(self, ensemble: Ensemble) -> np.ndarray:
        """(K,) what stands in H where an object is in a cluster."""
        return 1 / np.sqrt(cluster_sizes(ensemble)) if self.scale == "orth" else np.ones(ensemble.K)

    def _blocks(self, ensemble: Ensemble, values: np.ndarray) -> list[np.ndarray]:
        return np.split(values, ensemble.offsets[1:-1])

    def products(self, ensemble: Ensemble, F: np.ndarray, filled) -> np.ndarray:
        """H_iᵀF of all base clusterings, one below the other (K, k)."""
        weighted = ensemble.weights[:, None] * F
        T = self._blocks(ensemble, self._size(ensemble)[:, None] * (incidence(ensemble).T @ weighted))
        return np.concatenate([own + rows.T @ weighted[gaps]
                               for own, rows, gaps in zip(T, filled, ensemble.missing.T, strict=True)])

    def turned(self, ensemble: Ensemble, F: np.ndarray, filled) -> np.ndarray:
        """W_i = polar(H_iᵀF) (K, k)"""
        return np.concatenate([ranged_polar(T) for T in self._blocks(ensemble, self.products(ensemble, F, filled))])

    def drawn(self, ensemble: Ensemble, state: ViewsState) -> np.ndarray:
        """P = Σ β_i H_i W_i + λF₀ (q, k)"""
        W, beta = state.W, state.beta.repeat(ensemble.k_each)[:, None]
        P = incidence(ensemble) @ (beta * self._size(ensemble)[:, None] * W) + self.lam * state.F0
        views = zip(state.beta, state.filled, self._blocks(ensemble, W), ensemble.missing.T, strict=True)
        for weight, rows, mine, gaps in views:
            P[gaps] += weight * rows @ mine
        return P

    def completed(self, ensemble: Ensemble, F: np.ndarray, before: ViewsState) -> dict:
        """W, the missing rows and β for a new F."""
        W, filled = self.turned(ensemble, F, before.filled), []
        for mine, gaps in zip(self._blocks(ensemble, W), ensemble.missing.T, strict=True):
            filled.append(ranged_polar(F[gaps] @ mine.T, ensemble.weights[gaps]))
        g = np.maximum(self.fits(ensemble, F, W, filled), 0.0)
        beta = g / np.linalg.norm(g)
        value = float(beta @ g) + self.lam * float((ensemble.weights[:, None] * F * before.F0).sum())
        return {"F": F, "W": W, "filled": tuple(filled), "beta": beta, "rounds": before.rounds + 1, "value": value}

    def fits(self, ensemble: Ensemble, F: np.ndarray, W: np.ndarray, filled) -> np.ndarray:
        """g (m,), g_i = tr FᵀH_iW_i"""
        each = np.repeat(np.arange(ensemble.m), ensemble.k_each)
        return np.bincount(each, weights=(self.products(ensemble, F, filled) * W).sum(axis=1), minlength=ensemble.m)

    def terms(self, ensemble: Ensemble, state: ViewsState) -> dict[str, float]:
        fit = float(state.beta @ self.fits(ensemble, state.F, state.W, state.filled))
        held = float((ensemble.weights[:, None] * state.F * state.F0).sum())
        return {"fit to the base clusterings": -fit, "pull to the start": -self.lam * held}

    def converged(self, old: ViewsState, new: ViewsState) -> bool:
        return new.rounds >= 3 and abs(new.value - old.value) < self.tol * abs(old.value)

    def cost(self, ensemble: Ensemble) -> Cost:
        q, k, K, missing = ensemble.q, self.k, ensemble.K, int((ensemble.missing * ensemble.k_each).sum())
        work = 40 * q * k * (ensemble.m + 4 * k) + 60 * K * k * k + 60 * missing * k
        return Cost(bytes=8 * (4 * q * k + 2 * K * K + 2 * missing + 4 * q * ensemble.m + 4 * K * k),
                    seconds=8 * (work + K**3) / speed().products + 0.2)

    # --- why --------------------------------------------------------------------------------------------------

    @derived("H⁽ⁱ⁾", "the base clusterings, missing rows as they are filled", diverging=True)
    def H(self, ensemble: Ensemble, state: ViewsState) -> Incidence:
        H = indicators(ensemble.rows, ensemble.offsets).toarray() * self._size(ensemble)
        for t, (rows, gaps) in enumerate(zip(state.filled, ensemble.missing.T, strict=True)):
            H[gaps, ensemble.offsets[t] : ensemble.offsets[t + 1]] = rows
        return H

    @tells("H", "1 if inside > 0 else 0", orth="inside / sqrt(size)", fill="G == sum(H[l]*S[l], l)")
    def why_H(self, at: At) -> Told:
        t, code = at.ensemble.cluster(at.e)
        label = at.ensemble.rows[at.p, t]
        if label == MISSING:
            if at.start:
                return at.given(0, "{t} has no label for {i}, and says nothing to begin with.", t=("clustering", t))
            block = np.arange(*at.ensemble.offsets[t : t + 2])
            words = "{t} has no label for {i}. Its missing rows, here {value}, are the orthonormal ones nearest to " \
                    "where the consensus turns them, G."
            terms = {"G": at.now("turned_back"), "H": at.row("H", at.i, None, some=block)}
            S = at.row("bind_H", None, at.e, some=block)
            return at.terms("fill", t=("clustering", t), **terms, S=S, words=words)
        inside = at.labels(label == code, "1 where the object is in the cluster", *at.said_of_one(t))
        words = "{i} is in {e}." if label == code else "{i} is not in {e}."
        if self.scale == "raw":
            return at.terms(inside=inside, words=words)
        whose = "The objects of ", ("hyperedge", at.e), "."
        size = at.labels(cluster_sizes(at.ensemble)[at.e], "objects in the base cluster", *whose)
        return at.terms("orth", inside=inside, size=size, words=words)

    @tells("turned_back", "dot(F_p, W_e)", "", "G",
           "where the consensus has an object, turned back to a base clustering", ("object", "hyperedge"))
    def why_turned_back(self, at: At) -> Told:
        return at.terms(F_p=at.row("F", at.i, None), W_e=at.row("W", at.e, None), words="How far {i} lies along {e}.")

    @tells("bind_H", "sum(n[p]*(H_e[p]*G_l[p] + G_e[p]*H_l[p]), p) / 2", "", "S", "what ties missing rows together",
           ("hyperedge", "hyperedge"))
    def why_bind_H(self, at: At) -> Told:
        t, _ = at.ensemble.cluster(at.e)
        gaps, state = np.flatnonzero(at.ensemble.missing[:, t]), at.after
        rows = {}
        for x, e in (("e", at.e), ("l", at.l)):
            rows[f"H_{x}"] = at.row("H", None, e, some=gaps)
            G = state.F @ state.W[e]
            rows[f"G_{x}"] = at.at_objects("turned_back", gaps, G, e)
        words = "Objects without a label there: how far {e} is drawn along {l}, and {l} along {e}: the mean."
        return at.terms(n=at.counts_at(gaps), **rows, words=words)

    @tells("W", "T == sum(W[b]*S[b], b)")
    def why_W(self, at: At) -> Told:
        t, _ = at.ensemble.cluster(at.e)
        b = np.arange(self.k)
        words = "The members of {e} lie at T. W_i, here {value}, is the matrix with orthonormal rows or columns " \
                "nearest to T: S is symmetric, which holds for the nearest only."
        S = self._bound_W(at, t)
        return at.terms(T=at.now("T"), W=at.row("W", at.e, None),
                        S=at.known("bind_W", S[:, at.a], lambda k: (t, int(b[k]), at.a)), words=words)

    def _bound_W(self, at: At, t: int) -> np.ndarray:
        block = slice(*at.ensemble.offsets[t : t + 2])
        inner = at.after.W[block].T @ self._T(at)[block]
        return (inner + inner.T) / 2

    def _T(self, at: At) -> np.ndarray:
        def computed():
            state = at.after
            F, filled = (state.F0, state.filled) if at.start else (state.F, at.before.filled)
            return self.products(at.ensemble, F, filled)
        return at.path.once("T", at.iteration, computed)

    @tells("bind_W", "sum(W_a[e]*T_b[e] + T_a[e]*W_b[e], e) / 2", "", "S", "what ties the columns of W_i to each other",
           ("clustering", "coordinate", "coordinate"))
    def why_bind_W(self, at: At) -> Told:
        block = np.arange(*at.ensemble.offsets[at.t : at.t + 2])
        T, rows = self._T(at), {}
        for x, a in (("a", at.a), ("b", at.b)):
            rows[f"W_{x}"] = at.row("W", None, a, some=block)
            rows[f"T_{x}"] = at.known("T", T[block, a], lambda k, a=a: (int(block[k]), a))
        return at.terms(**rows, words="How far one column is drawn along the other.")

    @tells("T", "sum(n[p]*H[p]*F[p], p)", "", "T", "where the members of a base cluster lie in the consensus", MAP)
    def why_T(self, at: At) -> Told:
        t, code = at.ensemble.cluster(at.e)
        codes = at.ensemble.rows[:, t]
        some = np.flatnonzero((codes == code) | ((codes == MISSING) & (at.iteration > 1)))
        H = at.row("H", None, at.e, when=0 if at.start else -1, some=some)
        F = at.row("F", None, at.a, some=some)
        if at.start:
            F = at.at_objects("start_F", some, at.after.F0[:, at.a], at.a)
        n = at.counts_at(some)
        return at.terms(n=n, H=H, F=F, words="The members of {e}, missing rows as they were filled before.")

    @tells("start_F", "sum(n[q]*alike[q]*F[q], q) == σ*F_p", "", "F₀", "what the run begins with",
           ("object", "coordinate"))
    def why_start_F(self, at: At) -> Told:
        F0, size = at.after.F0, self._size(at.ensemble)
        Z, n = incidence(at.ensemble), at.ensemble.weights
        alike = Z @ (size**2 * Z[[at.p]].toarray()[0])
        some = np.flatnonzero(alike)
        own = F0[at.p, at.a]
        if not F0[:, at.a].any() or not len(some):
            return at.given(own, "There are fewer directions than {k}, or nothing is known of {i}.", k=at.param("k"))
        σ = float((F0[:, at.a] * n) @ (Z @ (size**2 * (Z.T @ (n * F0[:, at.a])))) / ((F0[:, at.a] * n) @ F0[:, at.a]))
        row = at.row_of_labels(alike[some], "how alike the labels of two objects are", lambda k: (
            "The base labels of ", ("object", at.i), " and ", ("object", int(at.ensemble.first_of[some[k]])), "."))
        return at.condition(
            own, n=at.counts_at(some), alike=row, F=at.at_objects("start_F", some, F0[:, at.a], at.a),
            F_p=at.known("start_F", F0[at.p], lambda a: (at.i, a)).term(at.a),
            σ=at.constant(σ, "an eigenvalue of Σ H_iH_iᵀ, of the ensemble as a whole"),
            words="An eigenvector: the objects that are together with {i} add up to a multiple of its own {value}.")

    def aimed(self, at: At) -> np.ndarray:
        """P, at which this round aims: of the step before."""
        return at.path.once("P", at.iteration, lambda: self.drawn(at.ensemble, at.before))

    @tells("aim", "sum(β[i]*point[i], i) + λ*F0", "", "P", "where the turned base clusterings draw an object",
           ("object", "coordinate"))
    def why_aim(self, at: At) -> Told:
        m = range(at.ensemble.m)
        points = [at.then("point", at.i, t, at.a) for t in m]
        F0 = at.started(at.before.F0[at.p, at.a], "what the run begins with: a leading eigenvector of the ensemble")
        row = at.rows([p.value for p in points], points.__getitem__)
        words = "The base clusterings by weight, and the start."
        return at.terms(β=at.row("beta", None, when=-1), point=row, λ=at.param("lam"), F0=F0, words=words)

    @tells("point", "sum(H[e]*W[e], e)", "", "H⁽ⁱ⁾W⁽ⁱ⁾", "where a base clustering puts an object",
           ("object", "clustering", "coordinate"))
    def why_point(self, at: At) -> Told:
        block = np.arange(*at.ensemble.offsets[at.t : at.t + 2])
        H, W = at.row("H", at.i, None, some=block), at.row("W", None, at.a, some=block)
        return at.terms(H=H, W=W, words="{t} turned to the consensus.")

    @tells("beta", "g / norm(every)", start="1 / sqrt(m)")
    def why_beta(self, at: At) -> Told:
        if at.start:
            m = at.constant((at.ensemble.k_each > 0).sum(), "the number of base clusterings m that have labels")
            if not at.ensemble.k_each[at.t]:
                return at.given(0, "{t} has no label at all.")
            return at.terms("start", m=m, words="To begin with, all base clusterings have the same weight.")
        g = self._fits_at(at)
        every = at.known("g", g, lambda t: (t,))
        return at.terms(g=every.term(at.t), every=every, words="The better {t} fits the consensus, the more it weighs.")

    def _fits_at(self, at: At) -> np.ndarray:
        state = at.after
        return at.path.once("g", at.iteration, lambda: np.maximum(
            self.fits(at.ensemble, state.F, state.W, state.filled), 0.0))

    @tells("g", "max(sum(n[p]*F[p]*point[p], p), 0)", "", "g", "how well a base clustering fits the consensus",
           ("clustering",))
    def why_g(self, at: At) -> Told:
        state, first, k = at.after, at.ensemble.first_of, self.k
        block = slice(*at.ensemble.offsets[at.t : at.t + 2])
        points = at.path.array("H", at.iteration)[:, block] @ state.W[block]
        p, a = np.divmod(np.arange(at.ensemble.q * k), k)
        F = at.known("F", state.F.ravel(), lambda x: (int(first[p[x]]), int(a[x])))
        point = at.known("point", points.ravel(), lambda x: (int(first[p[x]]), at.t, int(a[x])))
        words = "All objects and coordinates: where the consensus has an object times where {t} puts it."
        return at.terms(n=at.counts_at(p), F=F, point=point, words=words)
# fmt: on
