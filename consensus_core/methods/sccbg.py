"""Self-paced consensus clustering with a bipartite graph (Zhou, Du and Li 2020)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.incidence import contingency, incidence
from ..linalg import bipartite_components
from ..linalg.m_matrices import m_matrix_boxes
from ..method import At, Cost, Embedding, Exempt, Incidence, Matrix, Scalar, State, Told, Weights, derived, shown, speed
from ..method.hyperedges import overlap
from ..method.params import common, param
from ..method.schedule import Components
from ..method.telling import tells
from ..partition.transfer_cut import transfer_cut
from ..similarity import coassociation

SWEEPS = 50  # of W over the clusters
SETTLED = 1e-12  # change of W that counts as none
TIED = 1e-12  # of ρ: what speaks for and against an edge is the same but for rounding
CUT = 1e-4  # entries of S below are no edge
CERTAIN = 1e-7  # what a sum of eigenvalues may lack of a whole number


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class SCCBGState(State):
    S: Incidence = shown("S", "graph as learned: how far each object is tied to each base cluster", span=(0, 1))
    W: Incidence = shown("W", "how far each edge is trusted by now", span=(0, 1))
    A: Matrix = shown("A", "objects that two base clusters share: how strongly their edges are to agree",
        axes=("hyperedge", "hyperedge"))
    X: Embedding = shown("U", "places of the objects", diverging=True)
    V: Embedding = shown("V", "places of the base clusters", axes=("hyperedge", "coordinate"), diverging=True)
    e: Weights = shown("e", "eigenvalues: as many are 1 as the graph has parts", axes=("rank",), span=(0, 1))
    lam: Scalar = shown("λ", "how strongly the graph is pressed to fall into parts", log=True)
    rho: Scalar = shown("ρ", "age: the higher, the more edges are trusted fully", log=True)
    components: Scalar = shown("components", "parts the learned graph falls into")
    member: np.ndarray  # (q,) which part each microcluster is in
    exact: bool = True  # no microcluster of several objects has lost all its edges
    done: bool = False


@dataclass(frozen=True, kw_only=True)
class SCCBG(Components):
    """Learn the graph of objects and base clusters anew until it falls into k parts, reliable edges first.

        min Σ_p [Σ_a w_pa² (s_pa − h_pa)² + γ Σ_ab w_pa w_pb A_ab (s_pa − s_pb)² − ρ Σ_a w_pa]
            + λ Σ_pa s_pa ‖u_p/√d_p − v_a/√d_a‖²      over 0 ≤ s, w ≤ 1 and orthonormal [u; v]

    h_pa = 1 where object p is in base cluster a, else 0; A_ab objects that a and b share; d_p, d_a the sums of S; w_pa
    is how far an edge is trusted. From S = H, λ = 1, ρ = ½, a round is

        W, while some w < 1, from ½:  w_a ← (ρ − g_a) / 2(s_a − h_a)²,  g_a = 2γ Σ_b A_ab (s_a − s_b)² w_b, cluster by
            cluster in the order of the ensemble; not convex, so this is one of several answers
        e, V, U: the greatest singular values, squared, and vectors of D_p^−½ S D_a^−½, divided by the roots of d
        e_1 + … + e_k < k: λ ← 2λ;   else e_1 + … + e_k+1 = k + 1: λ ← λ/2;   else S stays and the run ends
        S: row by row the least point for these W, U, V; entries < 10⁻⁴ become 0;   ρ ← 2ρ

    The clusters are the parts of S. With μ > 0 (SCCABG) clusters that disagree about trusted edges are tied less:
    A ← max(A₀ − μ Σ_p w_pa w_pb (s_pa − s_pb)², 0) after every round.

    P. Zhou, L. Du, X. Li: Self-paced consensus clustering with bipartite graph. IJCAI (2020) 2133–2139. μ: P. Zhou,
    X. Liu, L. Du, X. Li: Self-paced adaptive bipartite graph learning for consensus clustering. TKDD 17 (2023).
    """

    max_iter: int = common(20, "most rounds", span=(1, 1000))
    gamma: float = param(1e-3, "how strongly an object's edges to clusters that share much are to be alike", letter="γ",
        plain="agreement of edges", span=(1e-5, 1.0), log=True)
    mu: float = param(0.0, "how far clusters that disagree are tied less", plain="learning of ties", letter="μ",
        span=(0.0, 1.0), step=0.1)

    title = "Self-paced bipartite graph"
    family = "bipartite cut"
    reference = "Zhou, Du & Li, IJCAI (2020) 2133–2139"
    handles_missing = "an object has no edges to a base clustering that lacks its label; they may be learned"
    monotone = Exempt("λ and ρ change in every round, and d stands still while S moves")
    scale_free = Exempt("A counts objects and γ is an absolute number: twice the objects tie edges twice as strongly")
    likeness_in_words = "the co-association"
    inexact_in_words = "Objects with the same labels have lost all their edges: each would be a cluster of its own."
    stretches = "lam"
    State = SCCBGState

    def init(self, ensemble: Ensemble) -> SCCBGState:
        S = incidence(ensemble).toarray()
        A, W = self._shared(ensemble), np.full(S.shape, 0.5)
        return SCCBGState(W=W, A=A, lam=1.0, rho=0.5, **self._graph(ensemble, S))

    def step(self, ensemble: Ensemble, state: SCCBGState) -> SCCBGState:
        H = incidence(ensemble).toarray()
        W = self._trusted(state, H) if (state.W < 1).any() else state.W
        move = self._move(state)
        if move == 1:
            return replace(state, W=W, done=True)
        S = self._learned(ensemble, state, W, H, state.lam * move)
        A = self._shared(ensemble)
        if self.mu:
            A = np.maximum(A - self.mu * self._torn(ensemble, S, W), 0.0)
        return replace(state, W=W, A=A, lam=state.lam * move, rho=2 * state.rho, **self._graph(ensemble, S))

    def _shared(self, ensemble: Ensemble) -> np.ndarray:
        A = contingency(ensemble).toarray()
        np.fill_diagonal(A, 0.0)
        return A

    def _torn(self, ensemble: Ensemble, S: np.ndarray, W: np.ndarray) -> np.ndarray:
        """Σ_p n_p w_pa w_pb (s_pa − s_pb)²"""
        n = ensemble.weights[:, None]
        square, both = (n * W * S**2).T @ W, (n * W * S).T @ (W * S)
        return square + square.T - 2 * both

    def _move(self, state: SCCBGState) -> float:
        """By what λ changes; 1 where the graph has k parts."""
        if state.e[: self.k].sum() < self.k - CERTAIN:
            return 2.0
        return 0.5 if state.e.sum() > self.k + 1 - CERTAIN else 1.0

    def _trusted(self, state: SCCBGState, H: np.ndarray) -> np.ndarray:
        """W, all rows at once, cluster by cluster."""
        S, A, W = np.ascontiguousarray(state.S.T), state.A, np.full(state.S.T.shape, 0.5)
        twice, moving = 2 * (S - H.T) ** 2, np.arange(W.shape[1])
        for _ in range(SWEEPS):
            before, w, s = W[:, moving], W[:, moving], S[:, moving]
            ws = w * s
            wss = ws * s
            for a in range(len(W)):
                row = A[a]
                slack = state.rho - 2 * self.gamma * (s[a] ** 2 * (row @ w) - 2 * s[a] * (row @ ws) + row @ wss)
                slack[np.abs(slack) <= TIED * state.rho] = 0.0
                w[a] = _ratio(slack, twice[a, moving], w[a])
                ws[a] = w[a] * s[a]
                wss[a] = ws[a] * s[a]
            W[:, moving] = w
            moving = moving[np.abs(w - before).max(axis=0) > SETTLED]
            if not len(moving):
                break
        return np.ascontiguousarray(W.T)

    def _learned(self, ensemble: Ensemble, state: SCCBGState, W, H, lam: float) -> np.ndarray:
        """S, row by row."""
        S = self._least(state, W, H, self.T(ensemble, state), state.S, lam)
        return np.where(S < CUT, 0.0, S)

    def _least(self, state: SCCBGState, W, H, T, S, lam: float) -> np.ndarray:
        """Rows of S before small entries are cut; W, H, T and S are of these rows."""
        diagonal = 2 * W**2 + 4 * self.gamma * W * (W @ state.A)
        b, start = lam * T - 2 * W**2 * H, np.where((W == 0) & (T > 0), 0.0, S)
        return m_matrix_boxes(4 * self.gamma * state.A, W, diagonal, b, start)

    def _graph(self, ensemble: Ensemble, S: np.ndarray) -> dict:
        """S, its eigenvectors and its parts."""
        alive, k = np.flatnonzero(S.any(axis=0)), self.k
        e, V, X = np.zeros(k + 1), np.zeros((ensemble.K, k + 1)), np.zeros((ensemble.q, k))
        if len(alive):
            cut = transfer_cut(S[:, alive], k + 1, ensemble.weights)
            found = np.maximum(cut.values, 0.0)
            e[: len(found)] = found
            V[alive, : len(found)] = cut.V
            root = np.sqrt(np.where(found > CERTAIN**2, found, np.inf))
            X[:, : min(k, len(found))] = (cut.X / root)[:, :k]
        components, member = bipartite_components(S)
        exact = bool((S.any(axis=1) | (ensemble.counts == 1)).all())
        return {"S": S, "e": e, "V": V, "X": X, "components": components, "member": member, "exact": exact}

    def likeness(self, ensemble: Ensemble, state: SCCBGState) -> np.ndarray:
        return coassociation(ensemble)

    def terms(self, ensemble: Ensemble, state: SCCBGState) -> dict[str, float]:
        S, W, n = state.S, state.W, ensemble.weights
        away = float(n @ (W**2 * (S - incidence(ensemble)) ** 2).sum(axis=1))
        tied = self.gamma * float((state.A * self._torn(ensemble, S, W)).sum())
        cut = state.lam * float(n @ (S * self.T(ensemble, state)).sum(axis=1))
        return {"change of edges": away, "disagreement of edges": tied, "cut": cut,
                "self-pacing ρΣ(1 − w)": state.rho * float(n @ (1 - W).sum(axis=1))}

    def converged(self, old: SCCBGState, new: SCCBGState) -> bool:
        return new.done

    def stage(self, state: SCCBGState) -> str:
        return f"λ = {state.lam:g}, ρ = {state.rho:g}"

    def cost(self, ensemble: Ensemble) -> Cost:
        q, K = ensemble.q, ensemble.K
        work = self.max_iter * (10 * q * K * K + 8 * K**3 + 0.18 * q * K**3)
        return Cost(bytes=8 * (14 * q * K + 8 * K * K), seconds=work / speed().products + 3e-4 * self.max_iter * q)

    # --- why --------------------------------------------------------------------------------------------------

    @tells("S", "s if s >= least else 0", start="inside")
    def why_S(self, at: At) -> Told:
        if at.start:
            t, code = at.ensemble.cluster(at.e)
            inside = at.ensemble.rows[at.p, t] == code
            words = "{i} is in {e}." if inside else "{i} is not in {e}."
            term = at.labels(inside, "1 where the object is in the cluster", *at.said_of_one(t))
            return at.terms("start", inside=term, words=words)
        if at.after.done:
            return at.unchanged("The graph has {k} parts already: it stays as it is.", k=at.param("k"))
        least, far = at.constant(CUT, "what is below is no edge"), {"s >= least": "tied", "s < least": "not tied"}
        return at.terms(s=at.now("s"), least=least, far=far, words="{i} is {far} to {e}.")

    def _row(self, at: At) -> np.ndarray:
        """The row of S as it was found, before small entries were cut."""
        def found():
            p, before, H = slice(at.p, at.p + 1), at.before, incidence(at.ensemble).toarray()
            T = self.T(at.ensemble, before)
            return self._least(before, at.after.W[p], H[p], T[p], before.S[p], at.after.lam)[0]
        return at.path.once(f"s {at.p}", at.iteration, found)

    @tells("s", "min(max((2*w**2*h + 4*γ*w*pull - λ*T) / (2*w**2 + 4*γ*w*ties), 0), 1)", "", "s",
           "an edge as it is found, before small ones are cut", ("object", "hyperedge"))
    def why_s(self, at: At) -> Told:
        if not at.after.W[at.p, at.e]:
            return at.given(self._row(at)[at.e], "The edge is not trusted at all, and only the cut decides: {value}.")
        h = at.now("S", at.i, at.e) if at.start else at.labels(
            incidence(at.ensemble)[at.p, at.e], "1 where the object is in the cluster",
            *at.said_of_one(at.ensemble.cluster(at.e)[0]))
        say = {"h > 0.5": "{i} is in {e}", "h < 0.5": "{i} is not in {e}"}
        words = "{say}. Its edges to clusters that share objects with {e} draw by {pull}, the cut presses by {T}."
        return at.terms(w=at.now("W"), h=h, γ=at.param("gamma"), pull=at.now("pull"), λ=at.now("lam"), T=at.then("T"),
                        ties=at.now("ties"), say=say, words=words)

    @tells("pull", "sum(A[b]*W[b]*s[b], b)", "", "pull", "what the other edges of an object say of one",
           ("object", "hyperedge"))
    def why_pull(self, at: At) -> Told:
        some = np.flatnonzero(at.before.A[at.e] * at.after.W[at.p])
        s = at.known("s", self._row(at)[some], lambda k: (at.i, int(some[k])))
        return at.terms(**self._tied(at, some), s=s, words="Trusted edges to clusters that share objects with {e}.")

    @tells("ties", "sum(A[b]*W[b], b)", "", "ties", "how strongly the other edges of an object bind one",
           ("object", "hyperedge"))
    def why_ties(self, at: At) -> Told:
        some = np.flatnonzero(at.before.A[at.e] * at.after.W[at.p])
        return at.terms(**self._tied(at, some), words="Trusted edges to clusters that share objects with {e}.")

    def _tied(self, at: At, some: np.ndarray) -> dict:
        return {"A": at.row("A", at.e, None, when=-1, some=some), "W": at.row("W", at.i, None, some=some)}

    @tells("W", "min(max((ρ - 2*γ*torn) / (2*(s - h)**2), 0), 1)", equal="1 if ρ > 2*γ*torn else 0")
    def why_W(self, at: At) -> Told:
        if at.start:
            return at.given(0.5, "Before the first round every edge is trusted by half.")
        if not (at.before.W < 1).any():
            return at.unchanged("All edges are trusted fully by now.")
        inside = incidence(at.ensemble)[at.p, at.e]
        h = at.labels(inside, "1 where the object is in the cluster", *at.said_of_one(at.ensemble.cluster(at.e)[0]))
        s, torn, ρ = at.then("S"), at.now("torn"), at.then("rho")
        slack = ρ.value - 2 * self.gamma * torn.value
        terms = {"ρ": ρ, "γ": at.param("gamma"), "torn": torn}
        words = "{i} has {s} of an edge to {e}, and other edges that disagree by {torn}: trusted by {value}."
        if s.value == inside and abs(slack) <= TIED * ρ.value:
            return at.given(self._trusted(at.before, incidence(at.ensemble).toarray())[at.p, at.e],
                            "As much speaks for the edge as against it, {torn}: it stays as it came, {value}.",
                            torn=torn)
        if 2 * (s.value - inside) ** 2 < 1e-6 * abs(slack):
            return at.terms("equal", **terms, s=s, words=words)
        return at.terms(**terms, s=s, h=h, words=words)

    @tells("torn", "sum(A[b]*(s - S[b])**2*W[b], b)", "", "torn",
           "how far trusted edges of an object disagree with one", ("object", "hyperedge"))
    def why_torn(self, at: At) -> Told:
        some = np.flatnonzero(at.before.A[at.e] * at.after.W[at.p])
        S = at.row("S", at.i, None, when=-1, some=some)
        return at.terms(**self._tied(at, some), s=at.then("S", at.i, at.e), S=S,
                        words="Clusters that share objects with {e}: how differently {i} is tied to them.")

    @tells("A", "both", learned="max(both - μ*apart, 0)")
    def why_A(self, at: At) -> Told:
        if at.e == at.l:
            return at.given(0, "A cluster is not compared with itself.")
        both = overlap(at, np.array([at.l])).term(0)
        if at.start or not self.mu:
            return at.terms(both=both, words="{value} objects are in both {e} and {l}.")
        if at.after.done:
            return at.unchanged("The graph has {k} parts already: it stays as it is.", k=at.param("k"))
        return at.terms("learned", both=both, μ=at.param("mu"), apart=at.now("apart"),
                        words="{both} objects are in both {e} and {l}; less, as trusted edges disagree by {apart}.")

    @tells("apart", "sum(n[p]*W_e[p]*W_l[p]*(S_e[p] - S_l[p])**2, p)", "", "apart",
           "how far edges to two clusters disagree", ("hyperedge", "hyperedge"))
    def why_apart(self, at: At) -> Told:
        rows = {f"{name}_{x}": at.row(name, None, e) for x, e in (("e", at.e), ("l", at.l)) for name in "WS"}
        return at.terms(n=at.counts, **rows, words="Over all objects: the edge to {e} against that to {l}.")

    # --- the cut ------------------------------------------------------------------------------------------------

    @derived("T", "how the cut presses on an edge: the squared distance of its ends, halved")
    def T(self, ensemble: Ensemble, state: SCCBGState) -> Incidence:
        T = np.zeros((ensemble.q, ensemble.K))
        for x, v in zip(state.X.T, state.V.T, strict=False):  # by coordinates: 0 is 0, and each time alike
            T += (x[:, None] - v) ** 2
        return T / 2

    @tells("T", "norm(u - v)**2 / 2")
    def why_T(self, at: At) -> Told:
        u, v = at.row("X", at.i, None), at.row("V", at.e, None, some=np.arange(self.k))
        return at.terms(u=u, v=v, words="{i} and {e} stand so far apart.")

    @tells("X", "sum(S[e]*V[e], e) / (d*sqrt(σ))")
    def why_X(self, at: At) -> Told:
        if not at.after.X[at.p, at.a]:
            return at.given(0, "{i} has no edge, or coordinate {a} says nothing.")
        some = np.flatnonzero(at.after.S[at.p])
        S, V = at.row("S", at.i, None, some=some), at.row("V", None, at.a, some=some)
        return at.terms(S=S, V=V, d=at.now("d", at.i), σ=at.now("e", at.a), words="{i} stands among its clusters.")

    @tells("d", "sum(S[e], e)", "", "d", "all edges of an object", ("object",))
    def why_d(self, at: At) -> Told:
        return at.terms(S=at.row("S", at.i, None), words="All edges of {i}.")

    @tells("V", "sum(Y[l]*V[l], l) == σ*D*V_e")
    def why_V(self, at: At) -> Told:
        Y, V = self._steps(at)[at.e], at.after.V[:, at.a]
        if not Y[at.e] or not V.any():
            return at.given(0, "{e} has lost all its edges, or there are no more coordinates.")
        some = np.flatnonzero(Y)
        row = at.known("Y", Y[some], lambda k: (at.e, int(some[k])))
        return at.terms(Y=row, V=at.row("V", None, at.a, some=some), V_e=at.now("V"), σ=at.now("e", at.a),
                        D=at.now("D", at.e), words="An eigenvector: the clusters that share objects with {e} draw it.")

    def _steps(self, at: At) -> np.ndarray:
        def computed():
            S = at.after.S
            return S.T @ (at.ensemble.weights[:, None] / np.maximum(S.sum(axis=1, keepdims=True), CERTAIN**2) * S)
        return at.path.once("Y", at.iteration, computed)

    @tells("Y", "sum(n[p]*S_e[p]*S_l[p] / d[p], p)", "", "Y", "one step from cluster to object to cluster",
           ("hyperedge", "hyperedge"))
    def why_Y(self, at: At) -> Told:
        S = at.after.S
        some = np.flatnonzero(S[:, at.e] * S[:, at.l])
        d = at.at_objects("d", some, S.sum(axis=1))
        return at.terms(n=at.counts_at(some), S_e=at.row("S", None, at.e, some=some), d=d,
                        S_l=at.row("S", None, at.l, some=some), words="Objects tied to both {e} and {l}.")

    @tells("D", "sum(n[p]*S[p], p)", "", "D", "all edges of a cluster", ("hyperedge",))
    def why_D(self, at: At) -> Told:
        return at.terms(n=at.counts, S=at.row("S", None, at.e), words="All edges of {e}.")

    @tells("e", "sum(V[e]*drawn[e], e)")
    def why_e(self, at: At) -> Told:
        if not (V := at.after.V[:, at.r]).any():
            return at.given(0, "There are no more coordinates.")
        drawn = at.known("drawn", self._steps(at) @ V, lambda e: (e, at.r))
        say = {"value > 0.9999999": "nothing: it marks a part that hangs together with no other",
               "value <= 0.9999999": "something: edges are cut"}
        return at.terms(V=at.row("V", None, at.r), drawn=drawn, say=say, words="A step along the edges costs {say}.")

    @tells("drawn", "sum(Y[l]*V[l], l)", "", "YV", "where a cluster is drawn", ("hyperedge", "coordinate"))
    def why_drawn(self, at: At) -> Told:
        row = at.known("Y", self._steps(at)[at.e], lambda l: (at.e, l))
        return at.terms(Y=row, V=at.row("V", None, at.a), words="By the clusters it shares objects with.")

    # --- the schedule -------------------------------------------------------------------------------------------

    @tells("lam", "2*λ", less="λ / 2")
    def why_lam(self, at: At) -> Told:
        if at.start:
            return at.given(1, "Every run begins with λ = 1.")
        move = self._move(at.before)
        terms = {"λ": at.then("lam"), "first": at.then("first"), "more": at.then("more")}
        if move == 1:
            return at.unchanged("k eigenvalues are 1 and the next is not: the graph has {k} parts.", k=at.param("k"))
        words = "The first {k} eigenvalues add up to {first}, with the next to {more}: {say}."
        say = "too few parts, and the graph is pressed harder" if move > 1 else "too many parts, and it is pressed less"
        terms |= {"k": at.param("k"), "say": say}
        return at.terms("" if move > 1 else "less", **terms, words=words)

    @tells("first", "sum(e[r], r)", "", "Σe", "the first k eigenvalues together", ())
    def why_first(self, at: At) -> Told:
        return at.terms(e=at.row("e", None, some=np.arange(self.k)), words="k where the graph has at least k parts.")

    @tells("more", "sum(e[r], r)", "", "Σe", "the first k + 1 eigenvalues together", ())
    def why_more(self, at: At) -> Told:
        return at.terms(e=at.row("e", None), words="k + 1 where the graph has more than k parts.")

    @tells("rho", "2*ρ")
    def why_rho(self, at: At) -> Told:
        if at.start:
            return at.given(0.5, "Every run begins with ρ = ½.")
        if at.after.done:
            return at.unchanged("The run ends here.")
        return at.terms(ρ=at.then("rho"), words="The learner ages, and trusts more.")
# fmt: on


def _ratio(slack: np.ndarray, twice: np.ndarray, unchanged: np.ndarray) -> np.ndarray:
    """slack / twice in [0, 1]; where `twice` is 0 by the sign of the slack, unchanged where that is 0 too."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = np.clip(slack / twice, 0.0, 1.0)
    return np.where((twice == 0) & (slack == 0), unchanged, ratio)
