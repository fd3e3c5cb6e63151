"""Self-paced clustering ensemble (Zhou, Du, Liu, Shen, Fan and Li 2021)."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.together import Block, Pairs, look_up, pairs_of, together_pairs
from ..linalg import components, smallest_eigenvectors
from ..linalg.spectrum import SPARSE_SHARE
from ..method import (
    At,
    Cost,
    Embedding,
    Exempt,
    Matrix,
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
from ..method.params import ablation, common, schedule
from ..method.schedule import Components, ease, price, unseen_in_words

ALPHA_FLOOR = 1e-8  # least √d_i in (21), as a share of the greatest: where S equals S⁽ⁱ⁾ it is 0, and 1/α_i is needed
RHO_MOST = 1e100  # ρ rises no further where no price whatever brings c components
EDGE = 1e-12  # C within this share of the threshold of (17) counts as reaching it, whatever the order of summation


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class SPCEState(State):
    """Matrices are kept as their values at the pairs that some base clustering puts together (see `together`)."""

    links: np.ndarray  # (P,) S at the pairs
    trust: np.ndarray  # (P,) W at the pairs
    member: np.ndarray  # (q,) which component of S > 0
    Y: Embedding = shown("Y", "coordinates in which S pulls linked objects together", equation="(18)")
    sigma: Weights = shown("σ(L)", "the c smallest eigenvalues of the Laplacian of S", equation="(18)", axes=("rank",))
    alpha: Weights = shown("α", "weight of each base clustering; its say is 1/α", equation="(21)", axes=("clustering",))
    d: Weights = shown("d", "weighted disagreement of each base clustering with S", equation="(19)", axes=("clustering",))
    r: Scalar = shown("r", "share of base clusterings that must agree for a pair to be used fully", equation="(22)")
    lam: Scalar = shown("λ", "age of the learner: the older, the harder the pairs it uses", equation="(23)")
    rho: Scalar = shown("ρ", "price of a link between objects that Y holds apart", equation="(10)", log=True)
    components: Scalar = shown("components", "connected components of S > 0: the clusters found so far")
    inner: Scalar = shown("inner", "inner steps done at this r", minor=True)
    links_total: Scalar = shown("‖S‖₀", "pairs of objects that are linked (ordered, self-pairs too)", equation="(6)")
    trust_total: Scalar = shown("‖W‖₁", "trust in all pairs together", equation="(4)", minor=True)
    pull: Scalar = shown("tr YᵀLY", "how far apart Y holds linked objects", equation="(10)", minor=True)
    Y_kept: bool = False  # Y is still the one of the step before
    settled: bool = False  # S and α have stopped to change
    exact: bool = True  # so far no microcluster could have held an eigenvector of its own (see `remarks`)


@dataclass(frozen=True, kw_only=True)
class SPCE(Components):
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
    ρ in C, which makes (17) the exact minimiser of (10): tr(YᵀLY) is half the sum. Run to convergence, ρ often does all
    its doubling at r = 0.9, and self-pacing is over before it has begun. In quality the two are near: over sixty
    ensembles of Ecoli, Aggregation and UMIST at θ = 0.2 the mean ARI is 0.680 and 0.678; the default keeps the idea.

    Y is taken over groups of objects with equal labels. Over single objects an eigenvector can lie inside such a group,
    where some row of S adds up to less than the c-th eigenvalue; then LAPACK decides, or the run deadlocks. Everywhere
    else the two are the same, and `remarks` says when the condition was met.

    The objective falls in each update of a block, but not from step to step: λ and ρ, which are part of it, change.
    """

    max_iter: int = common(1000, "most inner steps in all", span=(1, 100_000))
    tol: float = common(1e-6, "change of S and α that counts as none (text)", plain="tolerance", span=(0.0, 1.0))
    theta: float = param(0.2, "how strongly two objects must belong together to stay linked; the larger, the sparser S",
        plain="sparsity threshold", letter="θ", equation="(25)", span=(0.0, 0.9), step=0.05)
    variant: str = param("released", "the text of the paper, or the program that gave its figures",
        choices=("released", "paper"))
    pace: str = ablation("self-paced", "W learned anew for each r (SPCE), once for all (SPCE-fixW), or 1 throughout (SPCE-W)",
        plain="pair weights", letter="W", equation="(13)", choices=("self-paced", "fixed", "none"))
    laplacian: bool = ablation(True, "the term ρ tr(YᵀLY), which asks for c components", plain="Laplacian term",
        equation="(10)")
    learn_alpha: bool = ablation(True, "base clusterings weighted by α; otherwise α = 1/m", plain="learned weights",
        letter="α", equation="(21)")
    r_first: float = schedule(0.9, "r to begin with: only pairs on which this share agrees are used fully",
        plain="first r", letter="r", equation="(22)", span=(0.5, 0.99), step=0.05)
    r_last: float = schedule(0.5, "r to end with: at 0.5 a pair is used fully unless others weigh more",
        plain="last r", letter="r", equation="(23)", span=(0.5, 0.99), step=0.05)
    r_step: float = schedule(0.1, "how much r falls at a time", plain="step of r", span=(0.01, 0.5), step=0.01)
    rho_first: float = schedule(1.0, "ρ to begin with", plain="first ρ", letter="ρ", equation="(10)", span=(1e-6, 1e6),
        log=True)
    rho_factor: float = schedule(2.0, "ρ is multiplied or divided by this", plain="factor of ρ", letter="ρ",
        span=(1.01, 10.0))
    inner_cap: int = schedule(5, "most inner steps per r (released)", plain="inner steps", span=(1, 1000))
    last_cap: int = schedule(20, "most inner steps at the last r (released)", plain="last inner steps", span=(1, 1000))
    text_cap: int = schedule(100, "most inner steps per r, where the text has no bound (paper)",
        plain="inner steps, text", span=(1, 10_000))

    title = "Self-paced clustering ensemble"
    family = "co-association"
    reference = "Zhou, Du, Liu, Shen, Fan & Li, IEEE TNNLS 32 (2021) 1497–1511"
    handles_missing = "each pair is judged by the base clusterings that have a label for both"
    likeness_in_words = "the weighted co-association T / s"
    stretches = "lam"
    State = SPCEState
    monotone = Exempt("λ and ρ are part of the objective and change from step to step")
    scale_free = Exempt("ρ starts at an absolute 1 while ‖y_p − y_q‖² shrinks as objects are added")
    # fmt: on

    # --- schedule ---------------------------------------------------------------------------------------------

    @functools.cached_property
    def rs(self) -> tuple[float, ...]:
        """0.9, 0.8, … 0.5"""
        many = max(0, math.floor((self.r_first - self.r_last) / self.r_step + 1e-9))
        return tuple(round(self.r_first - i * self.r_step, 10) for i in range(many + 1))

    def age(self, r: float, m: int) -> float:
        return 2 * ((r - 1) ** 2 * r + r**2 * (1 - r)) * m**2  # (23)

    def gamma(self, m: int) -> float:
        return (m * self.theta) ** 2  # (25)

    @property
    def pull_share(self) -> float:
        """What ρ‖y_p − y_q‖²/W² is multiplied with in C: as printed, or as the minimiser of (10) has it."""
        return 0.0 if not self.laplacian else 0.5 if self.variant == "released" else 0.25

    def cap(self, r: float) -> str:
        """The dial that bounds the inner steps of an r."""
        return "text_cap" if self.variant == "paper" else "last_cap" if r == self.rs[-1] else "inner_cap"

    def answered(self, state: SPCEState) -> bool:
        """Whether this r has come to its end by itself."""
        if self.variant == "paper":
            return state.inner > 0 and bool(state.components == self.k or state.settled)
        return state.inner >= 2 and state.components == self.k

    def leaves(self, state: SPCEState) -> bool:
        """Whether this r is done."""
        return self.answered(state) or (state.inner > 0 and state.inner >= getattr(self, self.cap(state.r)))

    def stage(self, state: SPCEState) -> str:
        return f"r = {state.r:g}, inner step {state.inner}"

    # --- the run ----------------------------------------------------------------------------------------------

    def init(self, ensemble: Ensemble) -> SPCEState:
        pairs, m = pairs_of(ensemble), ensemble.m
        state = SPCEState(
            links=_initial_links(pairs, ensemble), trust=np.ones(len(pairs)), member=np.zeros(ensemble.q, dtype=np.intp),
            Y=np.zeros((ensemble.q, self.k)), sigma=np.zeros(self.k), alpha=np.full(m, 1 / m), d=np.zeros(m),
            r=self.rs[0], lam=0.0, rho=self.rho_first if self.laplacian else 0.0, components=0, inner=0,
            links_total=0.0, trust_total=float(ensemble.n) ** 2, pull=0.0,
        )  # fmt: skip
        state = self._trusted(ensemble, pairs, state, self.rs[0])
        distances, linked = _Distances(pairs), 0.0
        for block in pairs.blocks():
            couples = _couples(ensemble.weights, block)
            distances.add(block, couples, state.links[block.pairs], state.trust[block.pairs])
            linked += couples.sum()
        links_total = float(2 * linked + ensemble.weights @ ensemble.weights)
        state = replace(state, d=distances.total(), links_total=links_total)
        return self._embedded(ensemble, pairs, state, None)

    def step(self, ensemble: Ensemble, state: SPCEState) -> SPCEState:
        pairs, before = pairs_of(ensemble), state
        if self.leaves(state) and state.r != self.rs[-1]:
            r = self.rs[self.rs.index(state.r) + 1]
            state = self._trusted(ensemble, pairs, replace(state, inner=0), r)
        links, d, links_total = self._linked(ensemble, pairs, state)
        alpha = self._weighted(d, state.alpha)
        state = replace(state, links=links, d=d, alpha=alpha, links_total=links_total, inner=state.inner + 1)
        return self._embedded(ensemble, pairs, state, before)

    def _trusted(self, ensemble: Ensemble, pairs: Pairs, state: SPCEState, r: float) -> SPCEState:
        """The next r: its λ, and W (13)."""
        lam = self.age(r, ensemble.m)
        state = replace(state, r=r, lam=lam)
        if self.pace == "none" or (self.pace == "fixed" and r != self.rs[0]):
            return state
        W, tables, doubt = np.empty(len(pairs)), pairs.tables(1 / state.alpha), 0.0
        for block in pairs.blocks():
            trust = ease(lam, _disagreement(block, tables, state.links[block.pairs]))
            W[block.pairs] = trust
            doubt += _couples(ensemble.weights, block) @ (1 - trust)
        return replace(state, trust=W, trust_total=float(ensemble.n) ** 2 - 2 * float(doubt))

    def _linked(self, ensemble: Ensemble, pairs: Pairs, state: SPCEState) -> tuple[np.ndarray, np.ndarray, float]:
        """S (17) at the pairs, d (19) and ‖S‖₀."""
        links, tables, counts = np.zeros(len(pairs)), pairs.tables(1 / state.alpha), ensemble.weights
        gamma, cost = self.gamma(ensemble.m), self.pull_share * state.rho
        distances, linked = _Distances(pairs), 0.0
        for block in pairs.blocks():
            W = state.trust[block.pairs]
            T, s = look_up(tables, block.together), block.total(tables)
            least = np.sqrt(gamma / s) * (1 - EDGE)
            S = links[block.pairs]
            at = np.flatnonzero(T / s * W >= least)  # only these can be linked: the pull of Y makes C smaller still
            if pairs.seen:
                s, least = s[at], least[at]
            C, trust = T[at], W[at]
            if cost:
                pull = block.squared_distances(state.Y, at)
                pull *= cost
                pull /= trust
                pull /= trust
                C -= pull
            C /= s
            np.maximum(C, 0, out=C)
            C *= C * trust >= least
            S[at] = C
            if pairs.undisputed is not None:
                S[pairs.undisputed[block.pairs]] = 1
            couples = _couples(counts, block)
            linked += couples[np.flatnonzero(S)].sum()
            distances.add(block, couples, S, W)
        return links, distances.total(), float(2 * linked + counts @ counts)

    def _weighted(self, d: np.ndarray, alpha: np.ndarray) -> np.ndarray:
        """α (21)"""
        root = np.sqrt(d)
        if not self.learn_alpha or root.max() == 0:
            return alpha
        root = np.maximum(root, ALPHA_FLOOR * root.max())
        return root / root.sum()

    def _embedded(self, ensemble: Ensemble, pairs: Pairs, new: SPCEState, old: SPCEState | None) -> SPCEState:
        """Components of S, Y (18), and what becomes of ρ."""
        S = self._graph(pairs, new.links)
        count, member = components(S)
        new = replace(new, components=count, member=member, Y_kept=False)
        if old is not None:
            rho = min(price(old.rho, count, self.k, self.rho_factor), RHO_MOST)
            new = replace(new, rho=rho, settled=self._settled(count, old, replace(new, rho=rho)))
            if count > self.k and self.variant == "released":
                return replace(new, Y_kept=True, sigma=np.zeros(self.k), pull=_pull(ensemble, pairs, new.links, new.Y))
        warm = None if old is None else old.Y
        sigma, Y = smallest_eigenvectors(S, self.k, ensemble.counts, warm=warm, found=(count, member))
        several = ensemble.counts > 1
        exact = new.exact and not ((S @ ensemble.counts)[several] < sigma[-1]).any()
        return replace(new, Y=Y, sigma=sigma, pull=float(sigma.sum()), exact=bool(exact))

    def _graph(self, pairs: Pairs, links: np.ndarray):
        """S as a matrix, in the form in which its eigenvectors are found soonest."""
        if 2 * np.count_nonzero(links) < SPARSE_SHARE * pairs.q**2:
            return pairs.sparse(links, diagonal=1.0)
        return pairs.dense(links, diagonal=1.0)

    def _settled(self, count: int, old: SPCEState, new: SPCEState) -> bool:
        """Nothing changes any more, and a ρ that still rises cannot bring a change later."""
        return bool(
            (count >= self.k or new.rho in (0, RHO_MOST))
            and np.abs(new.links - old.links).max(initial=0.0) <= self.tol
            and np.abs(new.alpha - old.alpha).max() <= self.tol
        )

    def converged(self, old: SPCEState, new: SPCEState) -> bool:
        return new.r == self.rs[-1] and self.answered(new)

    def capped(self, old: SPCEState, new: SPCEState) -> str:
        return self.cap(new.r) if new.r == self.rs[-1] and self.leaves(new) else ""

    def terms(self, ensemble: Ensemble, state: SPCEState) -> dict[str, float]:
        """The terms of (10), over ordered pairs of objects."""
        return {
            "disagreement": float((state.d / state.alpha).sum()),
            "trust": -state.lam * state.trust_total,
            "links": self.gamma(ensemble.m) * state.links_total,
            "separation": state.rho * state.pull,
        }

    def likeness(self, ensemble: Ensemble, state: SPCEState) -> np.ndarray:
        return self.consensus(ensemble, state)

    def cost(self, ensemble: Ensemble) -> Cost:
        """Passes over the pairs, a sparse factorisation per step and a dense one to begin with; 25 steps are usual."""
        q, P, machine = ensemble.q, together_pairs(ensemble), speed()
        usual = min(25, self.max_iter)
        step = 1.5e-3 + (30 * P + 25 * q * q) / machine.entries + 0.2 * q**3 / machine.products
        return Cost(bytes=64 * P + 28 * q * q, seconds=usual * step + 0.8 * q**3 / machine.products)

    def remarks(self, ensemble: Ensemble, state: SPCEState) -> tuple[str, ...]:
        said = [*self.repair_in_words(state), *unseen_in_words(ensemble)]
        if not state.exact:
            said.append(
                "In some steps an eigenvector over single objects could lie inside a group of equal objects; "
                "Y is taken over such groups as wholes, where it is well defined."
            )
        return tuple(said)

    # --- what is shown beside the state, and why --------------------------------------------------------------

    @derived("Ŝ", "share of base clusterings that put a pair together", equation="(2)", span=(0, 1))
    def S_hat(self, ensemble: Ensemble, state: SPCEState) -> Matrix:
        pairs = pairs_of(ensemble)
        return pairs.dense(_initial_links(pairs, ensemble), diagonal=1.0)

    @tells("S_hat", "together / seen")
    def why_S_hat(self, at: At) -> Told:
        if at.pair.alike or at.pair.unseen:
            return at.given(at.pair.alike, at.of_equals if at.pair.alike else at.of_strangers)
        words = "{together} of {seen} base clusterings put {i} and {j} together."
        return at.terms(together=at.now("together"), seen=at.now("seen"), words=words)

    @derived("S", "consensus: how strongly a pair is linked", equation="(17)", span=(0, 1))
    def S(self, ensemble: Ensemble, state: SPCEState) -> Matrix:
        return pairs_of(ensemble).dense(state.links, diagonal=1.0)

    @tells("S", "C if C >= limit else 0", edge="C")
    def why_S(self, at: At) -> Told:
        if at.start:
            return at.equals(at.now("S_hat"), "To begin with, S is Ŝ.")
        if at.pair.certain:
            sure = at.pair.alike or at.pair.count > 0
            return at.given(sure, at.of_equals if sure else at.of_strangers)
        C, limit = at.now("C"), at.now("limit")
        if limit.value * (1 - EDGE) <= C.value < limit.value:
            return at.terms("edge", C=C, limit=limit, words="C is the threshold {limit} to rounding: they are linked.")
        say = {"C >= limit": "reaches the threshold {limit}: they are linked", "C < limit": "is below {limit}: no link"}
        return at.terms(C=C, limit=limit, verdict=say, words="C = {C} {verdict}.")

    @tells("C", "(T - ρ*far / (2*W**2)) / s", "(17)", "C", "what the base clusterings and Y make of a pair",
           ("object", "object"), paper="(T - ρ*far / (4*W**2)) / s", off="T / s")  # fmt: skip
    def why_C(self, at: At) -> Told:
        votes = {"T": at.then("T"), "s": at.then("s"), "together": at.then("together"), "seen": at.then("seen")}
        say = "{together} of {seen} base clusterings put {i} and {j} together and have T = {T} of the say s = {s}"
        if not self.laplacian:
            return at.terms("off", **votes, words=f"{say}.")
        price_of = {"ρ": at.then("rho"), "far": at.then("far"), "W": at.now("W")}
        far = {"far > 0": "; Y holds them apart, which costs a share of it", "far <= 0": "; Y has them at one place"}
        return at.terms("" if self.variant == "released" else "paper", **votes, **price_of, pull=far, words=say + "{pull}.")

    @tells("limit", "sqrt(γ / s) / W", "(17)", "limit", "what C must reach for a link", ("object", "object"))
    def why_limit(self, at: At) -> Told:
        words = "The less a pair is trusted, the more is asked of it."
        return at.terms(γ=at.now("gamma"), s=at.then("s"), W=at.now("W"), words=words)

    @tells("gamma", "(m*θ)**2", "(25)", "γ", "price of a link", ())
    def why_gamma(self, at: At) -> Told:
        return at.terms(m=at.m, θ=at.param("theta"), words="The price grows with the square of θ.")

    @tells("T", "sum(same[i] / α[i], i)", "(17)", "T", "say of those that put the pair together", ("object", "object"))
    def why_T(self, at: At) -> Told:
        words = "The base clusterings that put {i} and {j} together, each with its say 1/α."
        return at.terms(same=at.same, α=at.row("alpha", None), words=words)

    @tells("s", "sum(seen[i] / α[i], i)", "(17)", "s", "say of all that have a label for both", ("object", "object"))
    def why_s(self, at: At) -> Told:
        words = "All base clusterings with a label for {i} and {j}, each with its say 1/α."
        return at.terms(seen=at.seen, α=at.row("alpha", None), words=words)

    @tells("far", "norm(y_p - y_q)**2", "(10)", "‖y_p − y_q‖²", "squared distance in Y", ("object", "object"))
    def why_far(self, at: At) -> Told:
        apart = {"value > 0": "Y holds {i} and {j} apart", "value <= 0": "Y has {i} and {j} at the same place"}
        return at.terms(y_p=at.row("Y", at.i, None), y_q=at.row("Y", at.j, None), apart=apart, words="{apart}.")

    @derived("W", "trust in each pair: 1 is an easy pair, used fully", equation="(13)", span=(0, 1))
    def W(self, ensemble: Ensemble, state: SPCEState) -> Matrix:
        return pairs_of(ensemble).dense(state.trust, diagonal=1.0, elsewhere=1.0)

    @tells("W", "min(λ / (2*B), 1)")
    def why_W(self, at: At) -> Told:
        if self.pace == "none":
            return at.given(1, "Self-paced learning is switched off: every pair is used fully.")
        if at.pair.certain:
            return at.given(1, "No base clustering disagrees about {i} and {j}: B = 0, and the pair is used fully.")
        if not at.start and (at.before.r == at.after.r or self.pace == "fixed"):
            since = "when r came to {r}" if self.pace == "self-paced" else "at the beginning"
            return at.unchanged(f"W was learned {since}, and stays.", r=at.now("r"))
        trust = {"value >= 1": "an easy pair, used fully", "value < 1": "a hard pair, trusted to {value}"}
        B = at.now("B") if at.start else at.then("B")
        words = "The base clusterings disagree about {i} and {j} by B = {B}, with λ = {λ}: {trust}."
        return at.terms(λ=at.now("lam"), B=B, trust=trust, words=words)

    @derived("B", "how far the base clusterings disagree with S about a pair", equation="(12)", minor=True)
    def B(self, ensemble: Ensemble, state: SPCEState) -> Matrix:
        pairs = pairs_of(ensemble)
        tables, B = pairs.tables(1 / state.alpha), np.empty(len(pairs))
        for block in pairs.blocks():
            B[block.pairs] = _disagreement(block, tables, state.links[block.pairs])
        return pairs.dense(B, diagonal=0.0)

    @tells("B", "sum(same[i]*(1 - S)**2/α[i] + apart[i]*S**2/α[i], i)")
    def why_B(self, at: At) -> Told:
        words = "Those that put {i} and {j} together are 1 − S away from S = {S}, the others S; each counts with its say."
        return at.terms(same=at.same, apart=at.apart, S=at.now("S"), α=at.row("alpha", None), words=words)

    @derived("T/s", "share of the say that puts a pair together: Ŝ with base clusterings weighted by 1/α",
             equation="(17)", span=(0, 1), minor=True)  # fmt: skip
    def consensus(self, ensemble: Ensemble, state: SPCEState) -> Matrix:
        pairs = pairs_of(ensemble)
        tables, share = pairs.tables(1 / state.alpha), np.empty(len(pairs))
        for block in pairs.blocks():
            share[block.pairs] = look_up(tables, block.together) / block.total(tables)
        return pairs.dense(share, diagonal=1.0)

    @tells("consensus", "T / s")
    def why_consensus(self, at: At) -> Told:
        if at.pair.alike or at.pair.unseen:
            return at.given(at.pair.alike, at.of_equals if at.pair.alike else at.of_strangers)
        return at.terms(T=at.now("T"), s=at.now("s"), words="Those that put {i} and {j} together have {value} of the say.")

    @tells("d", "sum(n[k]*W[k]**2*(S[k] - same[k])**2, k)")
    def why_d(self, at: At) -> Told:
        pairs, label = pairs_of(at.ensemble), at.ensemble.rows[:, at.t]
        p, q = pairs.ends()
        seen, same = (label[p] >= 0) & (label[q] >= 0), (label[p] == label[q]).astype(float)
        links = at.after.links
        return at.terms(
            n=at.couples(p, q, 2.0 * seen), W=at.at_pairs("W", p, q, at.after.trust), S=at.at_pairs("S", p, q, links),
            same=at.rows(same, lambda k: at.labels(same[k], "1 where both are in one cluster")),
            words="All pairs on which S and {t} differ, squared and weighted by W².",
        )  # fmt: skip

    @tells("alpha", "sqrt(d_i) / sum(sqrt(d[j]), j)", start="1 / m",
           floored="max(sqrt(d_i), least) / sum(max(sqrt(d[j]), least), j)")  # fmt: skip
    def why_alpha(self, at: At) -> Told:
        if at.start or not self.learn_alpha:
            why = "To begin with, all" if self.learn_alpha else "α is switched off: all"
            return at.terms("start", m=at.m, words=f"{why} base clusterings have the same say.")
        if not at.after.d.any():
            return at.unchanged("All base clusterings agree with S.")
        root = np.sqrt(at.after.d)
        nearer = at.constant(int((root < root[at.t]).sum()), "")
        distances = {"d_i": at.now("d", at.t), "d": at.row("d", None), "nearer": nearer, "m": at.m}
        words = "{nearer} of {m} base clusterings are nearer to S than {t}. The nearer, the smaller α, the larger the say 1/α."
        if (root < ALPHA_FLOOR * root.max()).any():
            least = at.constant(ALPHA_FLOOR * root.max(), "least distance that is told from none")
            return at.terms("floored", **distances, least=least, words=words)
        return at.terms(**distances, words=words)

    @tells("Y", "sum(n[q]*S[q]*(y_p - y[q]), q) == σ*y_p", mark="1 / sqrt(size)")
    def why_Y(self, at: At) -> Told:
        if at.after.Y_kept:
            return at.unchanged("There are more components than {k} wanted: Y stays as it was.", k=at.param("k"))
        if at.a < at.after.components:
            mass = np.bincount(at.after.member, weights=at.ensemble.weights)
            part = int(np.argsort(-mass, kind="stable")[at.a])
            size = at.constant(mass[part], "objects in this component of S")
            if at.after.member[at.p] != part:
                return at.given(0, "Coordinate {a} marks a component with {size} objects; {i} is not in it.", size=size)
            return at.terms("mark", size=size, words="Coordinate {a} marks the component of {i}, with {size} objects.")
        others, _ = pairs_of(at.ensemble).row(at.p, at.after.links)
        return at.terms(
            n=at.rows(at.ensemble.weights[others], lambda k: at.counts.term(int(others[k]))),
            S=at.row("S", at.i, None, some=others), y=at.row("Y", None, at.a, some=others),
            y_p=at.now("Y", at.i, at.a), σ=at.now("sigma", at.a),
            words="An eigenvector of L: {i} stands where its links draw it, but for what the eigenvalue {σ} leaves.",
        )  # fmt: skip

    @tells("sigma", "sum(n[k]*S[k]*(y[k] - z[k])**2, k)")
    def why_sigma(self, at: At) -> Told:
        if at.r < at.after.components:
            return at.given(0, "S has {c} components: so many eigenvalues of its Laplacian are 0.", c=at.now("components"))
        p, q = pairs_of(at.ensemble).ends()
        y = at.after.Y[:, at.r]
        return at.terms(
            n=at.couples(p, q), S=at.at_pairs("S", p, q, at.after.links), y=at.at_objects("Y", p, y, at.r),
            z=at.at_objects("Y", q, y, at.r),
            words="Coordinate {r} cuts links: S times squared distance, over all pairs; 0 would be a clean cut.",
        )  # fmt: skip

    @tells("r", "r - step")
    def why_r(self, at: At) -> Told:
        if at.start:
            return at.equals(at.param("r_first"), "Pairs that nearly all base clusterings agree on come first.")
        if at.before.r == at.after.r:
            return at.unchanged("This r goes on.")
        done = {"c": at.then("components"), "inner": at.then("inner")}
        words = "r = {r} ended with {c} components after {inner} inner steps: harder pairs join."
        return at.terms(r=at.then("r"), step=at.param("r_step"), **done, words=words)

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
        terms = {"c": at.now("components"), "k": at.param("k")}
        if at.after.components == self.k:
            return at.unchanged("There are the {k} components wanted: ρ stays.", **terms)
        terms |= {"ρ": at.then("rho"), "factor": at.param("rho_factor"), "most": at.constant(RHO_MOST, "ρ rises no further")}
        move = {"c < k": "too few, the price of a link rises", "c > k": "too many, the price falls"}
        case = "" if at.after.components < self.k else "less"
        return at.terms(case, **terms, move=move, words="{c} components where {k} are wanted: {move}.")

    @tells("inner", "inner + 1")
    def why_inner(self, at: At) -> Told:
        if at.start:
            return at.given(0, "No step has been made.")
        if at.before.r != at.after.r:
            return at.given(1, "The first inner step of this r.")
        return at.terms(inner=at.then("inner"), words="One step more at this r.")

    @tells("links_total", "own + sum(n[k], k)")
    def why_links_total(self, at: At) -> Told:
        p, q = pairs_of(at.ensemble).ends()
        own = at.constant(float(at.ensemble.weights @ at.ensemble.weights), "pairs within microclusters, self-pairs too")
        linked = 2.0 * (at.after.links > 0)
        return at.terms(own=own, n=at.couples(p, q, linked), words="Every linked pair counts in both directions.")

    @tells("trust_total", "n**2 - sum(doubles[k]*(1 - W[k]), k)")
    def why_trust_total(self, at: At) -> Told:
        p, q = pairs_of(at.ensemble).ends()
        terms = {"doubles": at.couples(p, q, 2.0), "W": at.at_pairs("W", p, q, at.after.trust)}
        return at.terms(n=at.n, **terms, words="All pairs of objects, less what is not trusted.")

    @tells("pull", "sum(n[k]*S[k]*far[k], k)")
    def why_pull(self, at: At) -> Told:
        p, q = pairs_of(at.ensemble).ends()
        far = ((at.after.Y[p] - at.after.Y[q]) ** 2).sum(axis=1)
        terms = {"S": at.at_pairs("S", p, q, at.after.links), "far": at.at_pairs("far", p, q, far)}
        return at.terms(n=at.couples(p, q), **terms, words="Every link, times how far apart Y holds its ends.")


def _initial_links(pairs: Pairs, ensemble: Ensemble) -> np.ndarray:
    """Ŝ (2) at the pairs: together / seen."""
    together = sum(np.bitwise_count(plane).astype(float) for plane in pairs.together)
    seen = sum(np.bitwise_count(plane).astype(float) for plane in pairs.seen) if pairs.seen else ensemble.m
    return together / seen


def _couples(counts: np.ndarray, block: Block) -> np.ndarray:
    """How many pairs of objects each pair of microclusters stands for."""
    return counts[block.first] * counts[block.second]


def _disagreement(block: Block, tables: list[np.ndarray], S: np.ndarray) -> np.ndarray:
    """B = Σ (S − S⁽ⁱ⁾)² / α_i (12), without differences that cancel."""
    return look_up(tables, block.together) * (1 - S) ** 2 + look_up(tables, block.apart) * S**2


def _pull(ensemble: Ensemble, pairs: Pairs, S: np.ndarray, Y: np.ndarray) -> float:
    """tr(YᵀLY) = ½ Σ S_pq ‖y_p − y_q‖² over ordered pairs of objects."""
    counts, blocks = ensemble.weights, pairs.blocks()
    return float(sum(_couples(counts, block) @ (S[block.pairs] * block.squared_distances(Y)) for block in blocks))


class _Distances:
    """d_i = ‖(S − S⁽ⁱ⁾) ⊙ W‖² (19) over ordered pairs of objects, collected block by block as histograms of masks."""

    def __init__(self, pairs: Pairs):
        self.pairs = pairs
        self.together = [np.zeros(1 << bits) for bits in pairs.bits]
        self.apart = [np.zeros(1 << bits) for bits in pairs.bits]

    def add(self, block: Block, couples: np.ndarray, S: np.ndarray, W: np.ndarray) -> None:
        far = couples * W
        far *= W
        at = np.flatnonzero(S)
        linked, weight = S[at], far[at]
        far[at] = weight * (1 - linked) ** 2
        near = weight * linked**2
        for plane, (mask, apart) in enumerate(zip(block.together, block.apart_at(at), strict=True)):
            size = len(self.together[plane])
            self.together[plane] += np.bincount(mask, far, minlength=size)
            self.apart[plane] += np.bincount(apart, near, minlength=size)

    def total(self) -> np.ndarray:
        return 2 * (self.pairs.per_clustering(self.together) + self.pairs.per_clustering(self.apart))
