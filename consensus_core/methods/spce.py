"""Self-paced clustering ensemble (Zhou, Du, Liu, Shen, Fan and Li 2021)."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.shortlist import ShortList, shortened
from ..ensemble.together import Distances, Pairs, pairs_of, together_pairs
from ..linalg import is_huge, shares_of_roots, smallest_eigenvectors
from ..linalg.pool import Room
from ..linalg.upper import Upper
from ..method import Also, At, Embedding, Exempt, Matrix, Scalar, State, Told, Weights, derived, shown, tells
from ..method.cost import Cost, speed
from ..method.evidence import distance
from ..method.params import ablation, common, param, schedule
from ..method.schedule import ease, price, stairs
from ..method.votes import WeighedVotes
from ..similarity.spectrum import components_and_spectrum

ALPHA_FLOOR = 1e-8  # least √d_i in (21), as a share of the greatest: where S equals S⁽ⁱ⁾ it is 0, and 1/α_i is needed
RHO_MOST = 1e100  # ρ rises no further where no price whatever brings c components
EDGE = 1e-12  # C within this share of the threshold of (17) counts as reaching it, whatever the order of summation


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class SPCEState(State):
    """Matrices are kept as their values at the pairs that some base clustering puts together (see `together`)."""

    links: np.ndarray  # (P,) S at the pairs
    trust: np.ndarray  # (P,) W at the pairs
    near: ShortList | None = None  # pairs that can be linked, as long as W stays and α does not go far
    member: np.ndarray  # (q,) which component of S > 0
    Y: Embedding = shown("Y", "coordinates in which S pulls linked objects together", "(18)")
    sigma: Weights = shown("σ(L)", "the c smallest eigenvalues of the Laplacian of S", "(18)", axes=("rank",))
    alpha: Weights = shown("α", "weight of each base clustering; its say is 1/α", "(21)", axes=("clustering",))
    d: Weights = shown("d", "weighted disagreement of each base clustering with S", "(19)", axes=("clustering",))
    bar: Scalar = shown("√(γ/s)", "least C that makes a link, where W is 1", "(17)", minor=True)
    r: Scalar = shown("r", "share of base clusterings that must agree for a pair to be used fully", "(22)")
    lam: Scalar = shown("λ", "age of the learner: the older, the harder the pairs it uses", "(23)")
    rho: Scalar = shown("ρ", "price of a link between objects that Y holds apart", "(10)", log=True)
    components: Scalar = shown("components", "connected components of S > 0: the clusters found so far", default=0)
    inner: Scalar = shown("inner", "inner steps done at this r", minor=True, default=0)
    links_total: Scalar = shown("‖S‖₀", "pairs that are linked (ordered, self-pairs too)", "(6)", default=0.0)
    trust_total: Scalar = shown("‖W‖₁", "trust in all pairs together", "(4)", minor=True)
    pull: Scalar = shown("tr YᵀLY", "how far apart Y holds linked objects", "(10)", minor=True, default=0.0)
    Y_kept: bool = False  # Y is still the one of the step before
    settled: bool = False  # S and α have stopped to change
    room: Room  # where the steps' S live
    exact: bool = True  # so far no microcluster could have held an eigenvector of its own (see `remarks`)


@dataclass(frozen=True, kw_only=True)
class SPCE(WeighedVotes):
    """Learn one consensus from the easy pairs first; harder ones join as the learner grows up.

        min  Σ_i 1/α_i ‖(S − S⁽ⁱ⁾) ⊙ W‖²_F − λ ‖W‖₁ + γ ‖S‖₀ + ρ tr(YᵀLY)                                       (10)
        over S_pq = Ŝ_pq where the base clusterings agree (Ŝ_pq is 0 or 1), 0 ≤ S, W ≤ 1, YᵀY = I, α ≥ 0, Σ α = 1

    S⁽ⁱ⁾_pq = 1 where base clustering i puts p and q together, Ŝ their mean (2), S the consensus, L its Laplacian, W how
    far each pair is trusted, α_i the distance of base clustering i from S (its say is 1/α_i), γ = m²θ² (25), c = k. The
    age λ = 2r(1 − r)m² (22), (23) grows as r falls from 0.9 to 0.5; W is learned once per r, then in turn

        S = C where C ≥ √(γ / s) / W, else 0, cut off at 1        C = (T − ρ ‖y_p − y_q‖² / 2W²) / s              (17)
        α_i = √d_i / Σ_j √d_j,   d_i = ‖(S − S⁽ⁱ⁾) ⊙ W‖²_F                                                        (21)
        Y = the c smallest eigenvectors of L                                                                      (18)

    with T = Σ S⁽ⁱ⁾ / α_i, s = Σ 1 / α_i and W = min(λ / 2B, 1), B = Σ (S − S⁽ⁱ⁾)² / α_i (13). Fewer components of S
    than c: ρ doubles; more: ρ halves; c: on to the next r. The clusters are the components of S > 0.

    P. Zhou, L. Du, X. Liu, Y.-D. Shen, M. Fan, X. Li: Self-paced clustering ensemble. IEEE TNNLS 32 (2021) 1497–1511.

    The default, "released", is what produced the published figures: 5 inner steps per r, 20 for the last; an r is left
    from its second step on; Y stays the old one while there are more than c components. "paper" follows the text: inner
    steps until there are c components or nothing changes any more, left at once, Y always new, and 4 instead of 2 below
    ρ in C, so that (17) is the exact minimiser of (10): tr(YᵀLY) is half the sum. Then ρ often doubles only at r = 0.9,
    before harder pairs join. The mean ARI over sixty ensembles of Ecoli, Aggregation and UMIST is 0.680 and 0.678.

    Y is taken over groups of objects with equal labels. Over single objects an eigenvector can lie inside one, where a
    row of S adds up to less than the c-th eigenvalue: LAPACK decides, or the run deadlocks. `remarks` says so then.
    """

    max_iter: int = common(1000, "most inner steps in all", span=(1, 100_000))
    tol: float = common(1e-6, "change of S and α that counts as none (text)", plain="tolerance", span=(0.0, 1.0))
    theta: float = param(0.2, "how strongly two objects must belong together to stay linked; the larger, the sparser S",
        plain="sparsity threshold", letter="θ", equation="(25)", span=(0.0, 0.9), step=0.05, auto=10)
    variant: str = param("released", "the paper's text, or the program of its figures", choices=("released", "paper"))
    pace: str = ablation("self-paced", "W learned for each r (SPCE), once (SPCE-fixW), or 1 throughout (SPCE-W)",
        plain="pair weights", letter="W", equation="(13)", choices=("self-paced", "fixed", "none"))
    laplacian: bool = ablation(True, "the term ρ tr(YᵀLY), which asks for c components", plain="Laplacian term")
    learn_alpha: bool = ablation(True, "weights of base clusterings; or all 1/m", plain="learned weights", letter="α")
    r_first: float = schedule(0.9, "agreement asked at first", plain="first r", letter="r", span=(0.5, 0.99), step=0.05)
    r_last: float = schedule(0.5, "agreement asked at last", plain="last r", letter="r", span=(0.5, 0.99), step=0.05)
    r_step: float = schedule(0.1, "how much r falls at a time", plain="step of r", span=(0.01, 0.5), step=0.01)
    rho_first: float = schedule(1.0, "ρ to begin with", plain="first ρ", letter="ρ", span=(1e-6, 1e6), log=True)
    rho_factor: float = schedule(2.0, "ρ moves by this factor", plain="factor of ρ", letter="ρ", span=(1.01, 10.0))
    inner_cap: int = schedule(5, "most inner steps per r (released)", plain="inner steps", span=(1, 1000))
    last_cap: int = schedule(20, "most inner steps at the last r (released)", plain="last inner steps", span=(1, 1000))
    text_cap: int = schedule(100, "most inner steps per r (paper)", plain="inner steps, text", span=(1, 10_000))

    title = "Self-paced clustering ensemble"
    family = "co-association"
    reference = "Zhou, Du, Liu, Shen, Fan & Li, IEEE TNNLS 32 (2021) 1497–1511"
    handles_missing = "each pair is judged by the base clusterings that have a label for both"
    inexact_in_words = ("In some steps an eigenvector over single objects could lie inside a group of equal objects; "
        "Y is taken over such groups as wholes, where it is well defined.")
    stretches = "lam"
    State, portrait = SPCEState, "S"
    monotone = Exempt("λ and ρ are part of the objective and change from step to step")
    scale_free = Exempt("ρ starts at an absolute 1 while ‖y_p − y_q‖² shrinks as objects are added")
    # fmt: on

    @functools.cached_property
    def rs(self) -> tuple[float, ...]:  # 0.9, 0.8, … 0.5
        return stairs(self.r_first, self.r_last, self.r_step)

    def age(self, r: float, m: int) -> float:
        return 2 * ((r - 1) ** 2 * r + r**2 * (1 - r)) * m**2  # (23)

    def gamma(self, m: int) -> float:
        return (m * self.theta) ** 2  # (25)

    def _bar(self, alpha: np.ndarray) -> float:
        return float(np.sqrt(self.gamma(len(alpha)) / (1 / alpha).sum()))

    @property
    def pull_share(self) -> float:  # ρ‖y_p − y_q‖²/W² times this in C: as printed, or as the minimiser of (10) has it
        return 0.0 if not self.laplacian else 0.5 if self.variant == "released" else 0.25

    def cap(self, r: float) -> str:
        """The dial that bounds the inner steps of an r."""
        return "text_cap" if self.variant == "paper" else "last_cap" if r == self.rs[-1] else "inner_cap"

    def answered(self, state: SPCEState) -> bool:
        """Whether this r has come to its end by itself."""
        found = bool(state.components == self.k)
        return state.inner > 0 and (found or state.settled) if self.variant == "paper" else state.inner >= 2 and found

    def leaves(self, state: SPCEState) -> bool:
        """Whether this r is done."""
        return self.answered(state) or (state.inner > 0 and state.inner >= getattr(self, self.cap(state.r)))

    def stage(self, state: SPCEState) -> str:
        return f"r = {state.r:g}, inner step {state.inner}"

    def init(self, ensemble: Ensemble) -> SPCEState:
        pairs, m = pairs_of(ensemble), ensemble.m
        start = SPCEState(
            links=pairs.share(), trust=np.broadcast_to(1.0, len(pairs)), member=np.zeros(ensemble.q, dtype=np.intp),
            Y=np.zeros((ensemble.q, self.k)), sigma=np.zeros(self.k), alpha=np.full(m, 1 / m), d=np.zeros(m),
            r=self.rs[0], lam=0.0, bar=self._bar(np.full(m, 1 / m)),
            rho=self.rho_first if self.laplacian else 0.0, trust_total=float(ensemble.n) ** 2, room=Room(),
        )  # fmt: skip
        state = self._trusted(ensemble, pairs, start, self.rs[0])
        distances, embedded = Distances.of(pairs, state.links, state.trust), self._embedded(ensemble, state)
        return replace(state, d=distances.total(), links_total=distances.links_total, **embedded)

    def step(self, ensemble: Ensemble, state: SPCEState) -> SPCEState:
        pairs = pairs_of(ensemble)
        if self.leaves(state) and state.r != self.rs[-1]:
            state = self._trusted(ensemble, pairs, replace(state, inner=0), self.rs[self.rs.index(state.r) + 1])
        linked, S, change = self._linked(pairs, state)
        learned = self.learn_alpha and linked["d"].any()
        alpha = shares_of_roots(linked["d"], ALPHA_FLOOR) if learned else state.alpha  # (21)
        embedded = self._embedded(ensemble, state, S, change=max(change, np.abs(alpha - state.alpha).max()))
        return replace(state, alpha=alpha, bar=self._bar(state.alpha), inner=state.inner + 1, **linked, **embedded)

    def _trusted(self, ensemble: Ensemble, pairs: Pairs, state: SPCEState, r: float) -> SPCEState:
        """The next r: its λ, and W (13)."""
        state = replace(state, r=r, lam=self.age(r, ensemble.m))
        if self.pace == "none" or (self.pace == "fixed" and r != self.rs[0]):
            return state
        W, tables, doubt = np.empty(len(pairs)), pairs.planes.tables(1 / state.alpha), 0.0
        for block in pairs.blocks():
            W[block.pairs] = trust = ease(state.lam, block.disagreement(tables, state.links[block.pairs]))
            doubt += block.couples @ (1 - trust)
        return replace(state, trust=W, near=None, trust_total=float(ensemble.n) ** 2 - 2 * float(doubt))

    def _linked(self, pairs: Pairs, state: SPCEState) -> tuple[dict, Upper, float]:
        """S (17) at the pairs, how far from it each base clustering is (19); S as a graph; its greatest change."""
        weights, gamma, cost = 1 / state.alpha, self.gamma(len(state.d)), self.pull_share * state.rho
        near = shortened(state.near, pairs, weights, state.trust, gamma**0.5)
        links, tables, distances = np.zeros(near.length(pairs)), pairs.planes.tables(weights), Distances(pairs)
        for block, W in near.blocks(pairs, state.trust):
            T, s = block.say(tables), block.total(tables)
            least = np.sqrt(gamma / s) * (1 - EDGE)
            S = links[block.pairs]
            at = np.flatnonzero(T / s * W >= least)  # only these can be linked: the pull of Y makes C smaller still
            C, trust = T[at], W[at]
            s, least = (s[at], least[at]) if pairs.seen else (s, least)
            if cost:
                C -= block.squared_distances(state.Y, at) * cost / trust**2
            C = np.maximum(C / s, 0)
            S[at] = C * (C * trust >= least)
            S[block.undisputed] = 1
            distances.add(block, S, W)
        new, change = near.full(links, state.near, state.links, state.room)
        said = {"links": new, "near": near, "d": distances.total() + near.rest, "links_total": distances.links_total}
        return said, pairs.linked(links, near.at), change

    def _embedded(self, ensemble: Ensemble, state: SPCEState, S: Upper | None = None, change=None) -> dict:
        """Components of S, Y (18), and what becomes of ρ; at iteration 0 S is Ŝ, and nothing has changed."""
        parts, known = (S.components(), None) if S is not None else components_and_spectrum(ensemble, self.k)
        n, (count, member) = ensemble.counts, parts
        said, warm = {"components": count, "member": member, "Y_kept": False}, None
        if change is not None:
            rho = min(price(state.rho, count, self.k, self.rho_factor), RHO_MOST)
            settled = change <= self.tol and (count >= self.k or rho in (0, RHO_MOST))  # else ρ can bring a change
            said, warm = {**said, "rho": rho, "settled": bool(settled)}, state.Y
            if count > self.k and self.variant == "released":
                return {**said, "Y_kept": True, "sigma": np.zeros(self.k), "pull": S.spread(state.Y, ensemble.weights)}
        if known is None:
            graph = S.graph(self.k)
            known = (*smallest_eigenvectors(graph, self.k, n, warm, found=parts), graph @ n)
        sigma, Y, degree = known
        exact = state.exact and bool((degree[n > 1] >= sigma[-1]).all())
        return {**said, "Y": Y, "sigma": sigma, "pull": float(sigma.sum()), "exact": exact}

    def converged(self, old: SPCEState, new: SPCEState) -> bool:
        return new.r == self.rs[-1] and self.answered(new)

    def capped(self, old: SPCEState, new: SPCEState) -> str:
        return self.cap(new.r) if new.r == self.rs[-1] and self.leaves(new) else ""

    def terms(self, ensemble: Ensemble, state: SPCEState) -> dict[str, float]:
        """The terms of (10), over ordered pairs of objects."""
        said, links = float((state.d / state.alpha).sum()), self.gamma(ensemble.m) * state.links_total
        trust, separation = -state.lam * state.trust_total, state.rho * state.pull
        return {"disagreement": said, "trust": trust, "links": links, "separation": separation}

    def cost(self, ensemble: Ensemble) -> Cost:
        """LAPACK up to some q and Krylov steps beyond, and passes over the pairs; 25 steps are usual."""
        q, P, machine, some = ensemble.q, together_pairs(ensemble), speed(), min(ensemble.q, 500 + 40 * self.k)
        square, graph = (0, 40 * P) if is_huge(q) else (q * q, 0)  # where rows are many, products with the graph alone
        step = 15 * (P + square + graph) / machine.entries + (2 * some**3 + 0.2 * q * square) / machine.products
        return Cost(64 * P + 28 * square, min(25, self.max_iter) * (2e-3 + step) + 0.8 * q * square / machine.products)

    @derived("S", "consensus: how strongly a pair is linked", "(17)", span=(0, 1), also=(
        Also("graph", "as a graph: a line is a link, and what hangs together is a component"),
        Also("against", "against Ŝ: what is linked lies above the line", ("S_hat", "bar"))))  # fmt: skip
    def S(self, ensemble: Ensemble, state: SPCEState) -> Matrix:
        return pairs_of(ensemble).matrix(state.links, diagonal=1.0)

    @tells("S", "C if C >= limit else 0", edge="C")
    def why_S(self, at: At) -> Told:
        if at.start or at.pair.certain:
            return at.equals(at.now("S_hat"), "To begin with, S is Ŝ." if at.start else at.of_both)
        C, limit = at.now("C"), at.now("limit")
        if limit.value * (1 - EDGE) <= C.value < limit.value:
            return at.terms("edge", C=C, limit=limit, words="C is the threshold {limit} to rounding: they are linked.")
        say = {"C >= limit": "reaches the threshold {limit}: they are linked", "C < limit": "is below {limit}: no link"}
        return at.terms(C=C, limit=limit, verdict=say, words="C = {C} {verdict}.")

    @tells("C", "(T - ρ*far / (2*W**2)) / s", "(17)", "C", "what the base clusterings and Y make of a pair",
           ("object", "object"), paper="(T - ρ*far / (4*W**2)) / s", off="T / s")  # fmt: skip
    def why_C(self, at: At) -> Told:
        votes = {name: at.then(name) for name in ("T", "s", "together", "seen")}
        say = "{together} of {seen} base clusterings put {i} and {j} together and have T = {T} of the say s = {s}"
        if not self.laplacian:
            return at.terms("off", **votes, words=f"{say}.")
        far = {"far > 0": "; Y holds them apart, which costs a share of it", "far <= 0": "; Y has them at one place"}
        terms = {**votes, "ρ": at.then("rho"), "far": at.then("far"), "W": at.now("W"), "pull": far}
        return at.terms("" if self.variant == "released" else "paper", **terms, words=say + "{pull}.")

    @tells("limit", "sqrt(γ / s) / W", "(17)", "limit", "what C must reach for a link", ("object", "object"))
    def why_limit(self, at: At) -> Told:
        return at.terms(γ=at.now("gamma"), s=at.then("s"), W=at.now("W"), words="The less trust, the more is asked.")

    @tells("bar", "sqrt(γ / sum(1 / α[i], i))")
    def why_bar(self, at: At) -> Told:
        α = at.row("alpha", None, when=0 if at.start else -1)
        return at.terms(γ=at.now("gamma"), α=α, words="A pair that all have labelled needs C = {value}, if not more.")

    @tells("gamma", "(m*θ)**2", "(25)", "γ", "price of a link", ())
    def why_gamma(self, at: At) -> Told:
        return at.terms(m=at.m, θ=at.param("theta"), words="The price grows with the square of θ.")

    @tells("far", "norm(y_p - y_q)**2", "(10)", "far", "squared distance in Y", ("object", "object"))
    def why_far(self, at: At) -> Told:
        return distance(at, "Y")

    @derived("W", "trust in each pair: 1 is an easy pair, used fully", "(13)", span=(0, 1), also=(
        Also("histogram", "how many pairs are trusted how far, as λ grows and r falls", ("lam", "r")),))  # fmt: skip
    def W(self, ensemble: Ensemble, state: SPCEState) -> Matrix:
        return pairs_of(ensemble).matrix(state.trust, diagonal=1.0, elsewhere=1.0)

    @tells("W", "min(λ / (2*B), 1)")
    def why_W(self, at: At) -> Told:
        if self.pace == "none" or at.pair.certain:
            none = "Self-paced learning is switched off: every pair is used fully."
            certain = "No base clustering disagrees about {i} and {j}: B = 0, and the pair is used fully."
            return at.given(1, none if self.pace == "none" else certain)
        if not at.start and (at.before.r == at.after.r or self.pace == "fixed"):
            since = "when r came to {r}" if self.pace == "self-paced" else "at the beginning"
            return at.unchanged(f"W was learned {since}, and stays.", r=at.now("r"))
        trust = {"value >= 1": "an easy pair, used fully", "value < 1": "a hard pair, trusted to {value}"}
        B = at.now("B") if at.start else at.then("B")
        words = "The base clusterings disagree about {i} and {j} by B = {B}, with λ = {λ}: {trust}."
        return at.terms(λ=at.now("lam"), B=B, trust=trust, words=words)

    @derived("B", "how far the base clusterings disagree with S about a pair", "(12)", minor=True)
    def B(self, ensemble: Ensemble, state: SPCEState) -> Matrix:
        pairs = pairs_of(ensemble)
        return pairs.matrix(pairs.disagreement(1 / state.alpha, state.links), diagonal=0.0)

    @tells("B", "sum(same[i]*(1 - S)**2/α[i] + apart[i]*S**2/α[i], i)")
    def why_B(self, at: At) -> Told:
        words = "Those that put {i} and {j} together are 1 − S away from S = {S}, the others S; each by its say."
        return at.terms(same=at.same, apart=at.apart, S=at.now("S"), α=at.row("alpha", None), words=words)

    @tells("d", "sum(n[k]*W[k]**2*(S[k] - same[k])**2, k)")
    def why_d(self, at: At) -> Told:
        label, (p, q) = at.ensemble.rows[:, at.t], pairs_of(at.ensemble).ends()
        seen, same = (label[p] >= 0) & (label[q] >= 0), (label[p] == label[q]).astype(float)
        known = at.over((p, q), 2.0 * seen, W=at.after.trust, S=at.after.links)
        same = at.row_of_labels(same, "1 where both are in one cluster", lambda k: ())
        return at.terms(**known, same=same, words="All pairs on which S and {t} differ, squared and weighted by W².")

    @tells("alpha", "sqrt(d_i) / sum(sqrt(d[j]), j)", start="1 / m",
           floored="max(sqrt(d_i), least) / sum(max(sqrt(d[j]), least), j)")  # fmt: skip
    def why_alpha(self, at: At) -> Told:
        if at.start or not self.learn_alpha:
            return at.terms("start", m=at.m, words=f"{at.without('learn_alpha')} all base clusterings count the same.")
        if not at.after.d.any():
            return at.unchanged("All base clusterings agree with S.")
        root = np.sqrt(at.after.d)
        distances = {"d_i": at.now("d", at.t), "d": at.row("d", None), "m": at.m}
        distances["nearer"] = at.constant(int((root < root[at.t]).sum()), "")
        words = "Of {m} base clusterings {nearer} are nearer to S than {t}. The nearer, the larger the say 1/α."
        least = at.constant(ALPHA_FLOOR * root.max(), "least distance that is told from none")
        return at.terms("floored" if root.min() < least.value else "", **distances, least=least, words=words)

    @tells("Y", "sum(n[q]*S[q]*(y_p - y[q]), q) == σ*y_p", mark="1 / sqrt(size)")
    def why_Y(self, at: At) -> Told:
        if (mark := self.told_mark(at, at.a, kept=at.after.Y_kept)) is not None:
            return mark
        others = pairs_of(at.ensemble).partners(at.p)
        links = {"n": at.counts_at(others), "S": at.row("S", at.i, None, some=others)}
        y = {"y": at.row("Y", None, at.a, some=others), "y_p": at.now("Y", at.i, at.a), "σ": at.now("sigma", at.a)}
        words = "An eigenvector of L: {i} stands where its links draw it, but for what the eigenvalue {σ} leaves."
        return at.terms(**links, **y, words=words)

    @tells("sigma", "sum(n[k]*S[k]*(y[k] - z[k])**2, k)")
    def why_sigma(self, at: At) -> Told:
        if at.r < at.after.components:
            return at.given(0, "S has {c} components: so many eigenvalues of L are 0.", c=at.now("components"))
        p, q = pairs_of(at.ensemble).ends()
        y, z = (at.at_objects("Y", side, at.after.Y[:, at.r], at.r) for side in (p, q))
        words = "Coordinate {r} cuts links: S times squared distance, over all pairs; 0 would be a clean cut."
        return at.terms(**at.over((p, q), S=at.after.links), y=y, z=z, words=words)

    @tells("r", "r - step")
    def why_r(self, at: At) -> Told:
        if at.start:
            return at.equals(at.param("r_first"), "Pairs that nearly all base clusterings agree on come first.")
        if at.before.r == at.after.r:
            return at.unchanged("This r goes on.")
        known = {"r": at.then("r"), "step": at.param("r_step"), "c": at.then("components"), "inner": at.then("inner")}
        return at.terms(**known, words="r = {r} ended with {c} components after {inner} inner steps: harder ones join.")

    @tells("lam", "2*r*(1 - r)*m**2")
    def why_lam(self, at: At) -> Told:
        words = "A pair on which a share r = {r} of the base clusterings agrees has B = λ/2 at first: it is used fully."
        return at.terms(r=at.now("r"), m=at.m, words=words)

    @tells("rho", "min(ρ*factor, most)", less="ρ / factor")
    def why_rho(self, at: At) -> Told:
        if not self.laplacian:
            return at.given(0, "The Laplacian term is switched off.")
        if at.start:
            return at.equals(at.param("rho_first"), "Where the run starts.")
        return self.told_price(at, at.now("components"), most=at.constant(RHO_MOST, "ρ rises no further"))

    @tells("inner", "inner + 1")
    def why_inner(self, at: At) -> Told:
        if at.start or at.before.r != at.after.r:
            return at.given(not at.start, "No step has been made." if at.start else "The first inner step of this r.")
        return at.terms(inner=at.then("inner"), words="One step more at this r.")

    @tells("links_total", "own + sum(n[k], k)")
    def why_links_total(self, at: At) -> Told:
        own = at.constant(at.ensemble.weights @ at.ensemble.weights, "pairs with equal labels, self-pairs too")
        known = at.over(pairs_of(at.ensemble).ends(), 2.0 * (at.after.links > 0))
        return at.terms(own=own, **known, words="Every linked pair counts in both directions.")

    @tells("trust_total", "pairs - sum(n[k]*(1 - W[k]), k)")
    def why_trust_total(self, at: At) -> Told:
        pairs = at.constant(at.ensemble.n**2, "pairs of objects (ordered, self-pairs too)")
        known = at.over(pairs_of(at.ensemble).ends(), 2.0, W=at.after.trust)
        return at.terms(pairs=pairs, **known, words="All pairs of objects, less what is not trusted.")

    @tells("pull", "sum(n[k]*S[k]*far[k], k)")
    def why_pull(self, at: At) -> Told:
        ends = p, q = pairs_of(at.ensemble).ends()
        known = at.over(ends, S=at.after.links, far=((at.after.Y[p] - at.after.Y[q]) ** 2).sum(axis=1))
        return at.terms(**known, words="Every link, times how far apart Y holds its ends.")
