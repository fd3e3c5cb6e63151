"""Self-paced clustering ensemble (Zhou, Du, Liu, Shen, Fan and Li 2021)."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace

import numpy as np

from ..ensemble import MISSING, Ensemble
from ..ensemble.together import Block, Pairs, look_up, pairs_of, together_pairs
from ..linalg import components, smallest_eigenvectors
from ..linalg.spectrum import SPARSE_SHARE
from ..method import (
    Cost,
    Embedding,
    Exempt,
    Explanation,
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
from ..partition import exactly

ALPHA_FLOOR = 1e-8  # least √d_i in (21), as a share of the greatest: where S equals S⁽ⁱ⁾ it is 0, and 1/α_i is needed
RHO_MOST = 1e100  # ρ rises no further where no price whatever brings c components
EDGE = 1e-12  # C within this share of the threshold of (17) counts as reaching it, whatever the order of summation


@dataclass(frozen=True, kw_only=True, eq=False)
class SPCEState(State):
    """Matrices are kept as their values at the pairs that some base clustering puts together (see `pairs`)."""

    links: np.ndarray  # (P,) S at the pairs
    trust: np.ndarray  # (P,) W at the pairs
    member: np.ndarray  # (q,) which component of S > 0
    Y: Embedding = shown("Y", "coordinates in which S pulls linked objects together", equation="(18)")
    sigma: Weights = shown("σ(L)", "the c smallest eigenvalues of the Laplacian of S", equation="(18)", axes=("rank",))
    alpha: Weights = shown("α", "weight of each base clustering; its say is 1/α", equation="(21)", axes=("clustering",))
    d: Weights = shown(
        "d", "weighted disagreement of each base clustering with S", equation="(19)", axes=("clustering",)
    )
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
    crowded: bool = False  # so far some microcluster could have held an eigenvector of its own (see `remarks`)


@dataclass(frozen=True, kw_only=True)
class SPCE(Method):
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

    max_iter: int = param(1000, "most inner steps in all", low=1, high=100_000, role="common")
    theta: float = param(
        0.2,
        "how strongly two objects must belong together to stay linked; the larger, the sparser S",
        plain="sparsity threshold",
        letter="θ",
        equation="(25)",
        low=0.0,
        high=0.9,
        step=0.05,
    )
    variant: str = param(
        "released", "the text of the paper, or the program that gave its figures", choices=("released", "paper")
    )
    exact_k: bool = param(
        True, "merge or split the components found into exactly k, by the weighted co-association T / s"
    )
    pace: str = param(
        "self-paced",
        "W learned anew for each r (SPCE), once and for all (SPCE-fixW), or 1 throughout (SPCE-W)",
        plain="pair weights",
        letter="W",
        equation="(13)",
        choices=("self-paced", "fixed", "none"),
        role="ablation",
    )
    laplacian: bool = param(
        True,
        "the term ρ tr(YᵀLY), which asks for c components",
        plain="Laplacian term",
        equation="(10)",
        role="ablation",
    )
    learn_alpha: bool = param(
        True,
        "base clusterings weighted by α; otherwise α = 1/m",
        plain="learned weights",
        letter="α",
        equation="(21)",
        role="ablation",
    )
    r_first: float = param(
        0.9, "r to begin with: only pairs on which this share agrees are used fully", plain="first r",
        letter="r", equation="(22)",
        low=0.5, high=0.99, step=0.05, role="schedule",
    )  # fmt: skip
    r_last: float = param(
        0.5, "r to end with: at 0.5 a pair is used fully unless others weigh more", plain="last r",
        letter="r", equation="(23)",
        low=0.5, high=0.99, step=0.05, role="schedule",
    )  # fmt: skip
    r_step: float = param(
        0.1, "how much r falls at a time", plain="step of r", low=0.01, high=0.5, step=0.01, role="schedule"
    )
    rho_first: float = param(
        1.0,
        "ρ to begin with",
        plain="first ρ",
        letter="ρ",
        equation="(10)",
        low=1e-6,
        high=1e6,
        log=True,
        role="schedule",
    )
    rho_factor: float = param(
        2.0, "ρ is multiplied or divided by this", plain="factor of ρ", letter="ρ", low=1.01, high=10.0, role="schedule"
    )
    inner_cap: int = param(
        5, "most inner steps per r (released)", plain="inner steps", low=1, high=1000, role="schedule"
    )
    last_cap: int = param(
        20, "most inner steps at the last r (released)", plain="last inner steps", low=1, high=1000, role="schedule"
    )
    text_cap: int = param(
        100,
        "most inner steps per r where the text has no bound (paper)",
        plain="inner steps, text",
        low=1,
        high=10_000,
        role="schedule",
    )

    title = "Self-paced clustering ensemble"
    family = "co-association"
    reference = "Zhou, Du, Liu, Shen, Fan & Li, IEEE TNNLS 32 (2021) 1497–1511"
    stretches = "lam"
    handles_missing = "each pair is judged by the base clusterings that have a label for both"
    State = SPCEState
    monotone = Exempt("λ and ρ are part of the objective and change from step to step")
    scale_free = Exempt("ρ starts at an absolute 1 while ‖y_p − y_q‖² shrinks as objects are added")

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

    def leaves(self, state: SPCEState) -> bool:
        """Whether this r is done."""
        if self.variant == "paper":
            return state.inner > 0 and (state.components == self.k or state.settled or state.inner >= self.text_cap)
        cap = self.last_cap if state.r == self.rs[-1] else self.inner_cap
        return state.inner >= cap or (state.inner >= 2 and state.components == self.k)

    def stage(self, state: SPCEState) -> str:
        return f"r = {state.r:g}, λ = {state.lam:.3g}, inner step {state.inner}"

    # --- the run ----------------------------------------------------------------------------------------------

    def init(self, ensemble: Ensemble) -> SPCEState:
        pairs, m = pairs_of(ensemble), ensemble.m
        counts = ensemble.counts.astype(float)
        state = SPCEState(
            links=_initial_links(pairs, ensemble),
            trust=np.ones(len(pairs)),
            member=np.zeros(ensemble.q, dtype=np.intp),
            Y=np.zeros((ensemble.q, self.k)),
            sigma=np.zeros(self.k),
            alpha=np.full(m, 1 / m),
            d=np.zeros(m),
            r=self.rs[0],
            lam=0.0,
            rho=self.rho_first if self.laplacian else 0.0,
            components=0,
            inner=0,
            links_total=0.0,
            trust_total=float(ensemble.n) ** 2,
            pull=0.0,
        )
        state = self._trusted(ensemble, pairs, state, self.rs[0])
        distances, linked = _Distances(pairs), 0.0
        for block in pairs.blocks():
            couples = _couples(counts, block)
            distances.add(block, couples, state.links[block.pairs], state.trust[block.pairs])
            linked += couples.sum()
        state = replace(state, d=distances.total(), links_total=float(2 * linked + counts @ counts))
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
        W = np.empty(len(pairs))
        tables = pairs.tables(1 / state.alpha)
        counts = ensemble.counts.astype(float)
        doubt = 0.0
        for block in pairs.blocks():
            trust = _trust(lam, _disagreement(block, tables, state.links[block.pairs]))
            W[block.pairs] = trust
            doubt += _couples(counts, block) @ (1 - trust)
        return replace(state, trust=W, trust_total=float(ensemble.n) ** 2 - 2 * float(doubt))

    def _linked(self, ensemble: Ensemble, pairs: Pairs, state: SPCEState) -> tuple[np.ndarray, np.ndarray, float]:
        """S (17) at the pairs, d (19) and ‖S‖₀."""
        links = np.zeros(len(pairs))
        tables = pairs.tables(1 / state.alpha)
        counts = ensemble.counts.astype(float)
        gamma, price = self.gamma(ensemble.m), self.pull_share * state.rho
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
            if price:
                pull = block.squared_distances(state.Y, at)
                pull *= price
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
            new = replace(new, rho=self._price(count, old.rho), settled=self._settled(count, old, new))
            if count > self.k and self.variant == "released":
                return replace(new, Y_kept=True, sigma=np.zeros(self.k), pull=_pull(ensemble, pairs, new.links, new.Y))
        sigma, Y = smallest_eigenvectors(
            S, self.k, ensemble.counts, warm=None if old is None else old.Y, found=(count, member)
        )
        several = ensemble.counts > 1
        crowded = new.crowded or bool(((S @ ensemble.counts)[several] < sigma[-1]).any())
        return replace(new, Y=Y, sigma=sigma, pull=float(sigma.sum()), crowded=crowded)

    def _graph(self, pairs: Pairs, links: np.ndarray):
        """S as a matrix, in the form in which its eigenvectors are found soonest."""
        if 2 * np.count_nonzero(links) < SPARSE_SHARE * pairs.q**2:
            return pairs.sparse(links, diagonal=1.0)
        return pairs.dense(links, diagonal=1.0)

    def _price(self, count: int, rho: float) -> float:
        """ρ grows while there are too few components, and falls while there are too many."""
        if count < self.k:
            return min(rho * self.rho_factor, RHO_MOST)
        return rho / self.rho_factor if count > self.k else rho

    def _settled(self, count: int, old: SPCEState, new: SPCEState) -> bool:
        """Nothing changes any more, and a ρ that still rises cannot bring a change later."""
        return bool(
            (count >= self.k or new.rho in (0, RHO_MOST))
            and np.abs(new.links - old.links).max(initial=0.0) <= self.tol
            and np.abs(new.alpha - old.alpha).max() <= self.tol
        )

    def converged(self, old: SPCEState, new: SPCEState) -> bool:
        return new.r == self.rs[-1] and self.leaves(new)

    def terms(self, ensemble: Ensemble, state: SPCEState) -> dict[str, float]:
        """The terms of (10), over ordered pairs of objects."""
        return {
            "disagreement": float((state.d / state.alpha).sum()),
            "trust": -state.lam * state.trust_total,
            "links": self.gamma(ensemble.m) * state.links_total,
            "separation": state.rho * state.pull,
        }

    def found(self, ensemble: Ensemble, state: SPCEState) -> int:
        return int(state.components)

    def labels(self, ensemble: Ensemble, state: SPCEState) -> np.ndarray:
        if not self.exact_k or state.components == self.k:
            return state.member
        return exactly(self.k, state.member, self.consensus(ensemble, state), ensemble.counts)

    # --- what is shown beside the state -----------------------------------------------------------------------

    @derived("Ŝ", "share of base clusterings that put a pair together", equation="(2)", span=(0, 1))
    def S_hat(self, ensemble: Ensemble, state: SPCEState) -> Matrix:
        pairs = pairs_of(ensemble)
        return pairs.dense(_initial_links(pairs, ensemble), diagonal=1.0)

    @derived("S", "consensus: how strongly a pair is linked", equation="(17)", span=(0, 1))
    def S(self, ensemble: Ensemble, state: SPCEState) -> Matrix:
        return pairs_of(ensemble).dense(state.links, diagonal=1.0)

    @derived("W", "trust in each pair: 1 is an easy pair, used fully", equation="(13)", span=(0, 1))
    def W(self, ensemble: Ensemble, state: SPCEState) -> Matrix:
        return pairs_of(ensemble).dense(state.trust, diagonal=1.0, elsewhere=1.0)

    @derived("B", "how far the base clusterings disagree with S about a pair", equation="(12)", minor=True)
    def B(self, ensemble: Ensemble, state: SPCEState) -> Matrix:
        pairs = pairs_of(ensemble)
        tables = pairs.tables(1 / state.alpha)
        B = np.empty(len(pairs))
        for block in pairs.blocks():
            B[block.pairs] = _disagreement(block, tables, state.links[block.pairs])
        return pairs.dense(B, diagonal=0.0)

    @derived("T/s", "share of the say that puts a pair together: Ŝ with base clusterings weighted by 1/α",
             equation="(17)", span=(0, 1), minor=True)  # fmt: skip
    def consensus(self, ensemble: Ensemble, state: SPCEState) -> Matrix:
        pairs = pairs_of(ensemble)
        tables = pairs.tables(1 / state.alpha)
        share = np.empty(len(pairs))
        for block in pairs.blocks():
            share[block.pairs] = look_up(tables, block.together) / block.total(tables)
        return pairs.dense(share, diagonal=1.0)

    def cost(self, ensemble: Ensemble) -> Cost:
        """Passes over the pairs, a sparse factorisation per step and a dense one to begin with; 25 steps are usual."""
        q, P, machine = ensemble.q, together_pairs(ensemble), speed()
        usual = min(25, self.max_iter)
        step = 1.5e-3 + (30 * P + 25 * q * q) / machine.entries + 0.2 * q**3 / machine.products
        return Cost(bytes=64 * P + 28 * q * q, seconds=usual * step + 0.8 * q**3 / machine.products)

    def remarks(self, ensemble: Ensemble, state: SPCEState) -> tuple[str, ...]:
        said = []
        if state.components != self.k:
            repair = "merged" if state.components > self.k else "split"
            done = f"{repair} into {self.k} by the weighted co-association" if self.exact_k else "left as they are"
            said.append(f"SPCE found {_many(state.components, 'component')} where {self.k} were wanted: {done}.")
        if ensemble.never_observed.any():
            lost = int(ensemble.counts[ensemble.never_observed].sum())
            said.append(
                f"{_many(lost, 'object')} without any label stand apart from all others: nothing is known of them."
            )
        if state.crowded:
            said.append(
                "In some steps an eigenvector over single objects could lie inside a group of equal objects; "
                "Y is taken over such groups as wholes, where it is well defined."
            )
        return tuple(said)

    # --- explanations -----------------------------------------------------------------------------------------

    def explain_S_hat(self, ensemble: Ensemble, before, after, i: int, j: int) -> Explanation:
        pair = _Pair(ensemble, i, j)
        if pair.alike:
            return pair.certain("Ŝ")
        if not pair.seen.any():
            return pair.unseen("Ŝ")
        k, o = int(pair.together.sum()), int(pair.seen.sum())
        words = f"{k} of {o} base clusterings put {i + 1} and {j + 1} together."
        return Explanation("Ŝ = together / seen", f"Ŝ = {k} / {o} = {k / o:.3g}", k / o, words)

    def explain_S(self, ensemble: Ensemble, before, after, i: int, j: int) -> Explanation:
        pair = _Pair(ensemble, i, j)
        if before is None:
            told = self.explain_S_hat(ensemble, None, after, i, j)
            return replace(
                told, formula=told.formula.replace("Ŝ =", "S = Ŝ ="), words="To begin with, S is Ŝ. " + told.words
            )
        if pair.alike or pair.together.sum() in (0, pair.seen.sum()):
            return pair.certain("S") if pair.together.any() or pair.alike else pair.unseen("S")
        T, s = float(pair.together @ (1 / before.alpha)), float(pair.seen @ (1 / before.alpha))
        W = float(after.trust[pairs_of(ensemble).find(pair.p, pair.q)])
        apart = float(np.sum((before.Y[pair.p] - before.Y[pair.q]) ** 2))
        price = self.pull_share * before.rho
        C = (T - price * apart / W**2) / s
        least = math.sqrt(self.gamma(ensemble.m) / s) / W
        kept = C >= least * (1 - EDGE)
        value = max(C, 0.0) if kept else 0.0
        below = "2" if self.variant == "released" else "4"
        say = f"{int(pair.together.sum())} of {int(pair.seen.sum())} base clusterings put {i + 1} and {j + 1} together"
        share = f"and have {T / s:.3g} of the say"
        pull = (
            f"; Y holds them {math.sqrt(apart):.3g} apart, which costs {price * apart / W**2 / s:.3g}" if price else ""
        )
        verdict = f"{'reaches' if kept else 'is below'} the threshold {least:.3g}"
        verdict += ": they are linked" if value else ": no link"
        return Explanation(
            f"C = (T − ρ ‖y_p − y_q‖² / {below}W²) / s;  S = C where C ≥ √(γ/s) / W, else 0",
            f"C = ({T:.3g} − {before.rho if self.laplacian else 0:.3g} · {apart:.3g} / ({below} · {W:.3g}²)) / {s:.3g} "
            f"= {C:.3g};  √(γ/s) / W = {least:.3g};  S = {value:.3g}",
            value,
            f"{say} {share}{pull}. C = {C:.3g} {verdict}.",
        )

    def explain_W(self, ensemble: Ensemble, before, after, i: int, j: int) -> Explanation:
        pair = _Pair(ensemble, i, j)
        if self.pace == "none":
            return Explanation("W = 1", "W = 1", 1.0, "Self-paced learning is switched off: every pair is used fully.")
        if pair.alike or not pair.together.any():
            words = f"{i + 1} and {j + 1} are a certain pair: no base clustering disagrees about it, B = 0, so W = 1."
            return Explanation("W = min(λ / 2B, 1), 1 where B = 0", "W = 1", 1.0, words)
        at = pairs_of(ensemble).find(pair.p, pair.q)
        if before is not None and not (before.r != after.r and self.pace == "self-paced"):
            W = float(before.trust[at])
            since = f"r = {after.r:g} began" if self.pace == "self-paced" else "the beginning"
            words = f"W is learned once per r; this pair has had its W = {W:.3g} since {since}."
            return Explanation("W unchanged", f"W = {W:.3g}", W, words)
        source = after if before is None else before
        alpha = np.full(ensemble.m, 1 / ensemble.m) if before is None else before.alpha
        S = float(source.links[at])
        B = float(pair.together @ (1 / alpha)) * (1 - S) ** 2 + float(pair.apart @ (1 / alpha)) * S**2
        lam = self.age(after.r, ensemble.m)
        value = min(lam / (2 * B), 1.0) if B > 0 else 1.0
        ease = "an easy pair, used fully" if value == 1 else f"a hard pair, trusted to {value:.3g}"
        words = (
            f"{int(pair.together.sum())} of {int(pair.seen.sum())} base clusterings put {i + 1} and {j + 1} together, "
            f"B = {B:.3g}, λ = {lam:.3g}, so W = min(λ / 2B, 1) = {value:.3g}: {ease}."
        )
        numbers = f"W = min({lam:.3g} / (2 · {B:.3g}), 1) = {value:.3g}"
        return Explanation("W = min(λ / 2B, 1)", numbers, value, words)

    def explain_B(self, ensemble: Ensemble, before, after, i: int, j: int) -> Explanation:
        pair = _Pair(ensemble, i, j)
        if pair.alike or not pair.together.any():
            return Explanation("B = Σ (S − S⁽ⁱ⁾)² / α_i", "B = 0", 0.0, "A certain pair: S is what all say.")
        S = float(after.links[pairs_of(ensemble).find(pair.p, pair.q)])
        T, U = float(pair.together @ (1 / after.alpha)), float(pair.apart @ (1 / after.alpha))
        value = T * (1 - S) ** 2 + U * S**2
        words = (
            f"Those that put {i + 1} and {j + 1} together have a say of {T:.3g} and are {1 - S:.3g} away from S; "
            f"those that keep them apart have {U:.3g} and are {S:.3g} away."
        )
        return Explanation(
            "B = T (1 − S)² + (s − T) S²",
            f"B = {T:.3g} · {1 - S:.3g}² + {U:.3g} · {S:.3g}² = {value:.3g}",
            value,
            words,
        )

    def explain_consensus(self, ensemble: Ensemble, before, after, i: int, j: int) -> Explanation:
        pair = _Pair(ensemble, i, j)
        if pair.alike:
            return pair.certain("T/s")
        T, s = float(pair.together @ (1 / after.alpha)), float(pair.seen @ (1 / after.alpha))
        if not s:
            return pair.unseen("T/s")
        words = f"The base clusterings that put {i + 1} and {j + 1} together have {T / s:.3g} of the say, 1/α each."
        return Explanation("T / s = Σ_together 1/α_i / Σ 1/α_i", f"{T:.3g} / {s:.3g} = {T / s:.3g}", T / s, words)

    def explain_d(self, ensemble: Ensemble, before, after, i: int) -> Explanation:
        value, pairs = 0.0, pairs_of(ensemble)
        counts, labels = ensemble.counts.astype(float), ensemble.rows[:, i]
        for block in pairs.blocks():
            one, other = labels[block.first], labels[block.second]
            off = after.links[block.pairs] - (one == other)
            off[(one == MISSING) | (other == MISSING)] = 0
            value += 2 * float(_couples(counts, block) @ (off * after.trust[block.pairs]) ** 2)
        words = f"S and {ensemble.names[i]} differ by {value:.3g}: over all pairs, squared and weighted by W²."
        return Explanation("d_i = Σ_pq W_pq² (S_pq − S⁽ⁱ⁾_pq)²", f"d_{i + 1} = {value:.3g}", value, words)

    def explain_alpha(self, ensemble: Ensemble, before, after, i: int) -> Explanation:
        m, name = ensemble.m, ensemble.names[i]
        if before is None or not self.learn_alpha:
            words = (
                "To begin with, all base clusterings" if self.learn_alpha else "α is switched off: all base clusterings"
            )
            return Explanation("α_i = 1/m", f"α_{i + 1} = 1 / {m}", 1 / m, f"{words} have the same say.")
        if not after.d.any():
            value = float(before.alpha[i])
            return Explanation("α unchanged", f"α_{i + 1} = {value:.3g}", value, "All base clusterings agree with S.")
        roots = np.sqrt(after.d)
        roots = np.maximum(roots, ALPHA_FLOOR * roots.max())
        value = float(roots[i] / roots.sum())
        nearer = int((roots < roots[i]).sum())
        words = (
            f"{name} is {roots[i]:.3g} away from S, √d; {nearer} of {m} base clusterings are nearer. "
            f"The nearer, the smaller α, and the larger its say 1/α = {1 / value:.3g}."
        )
        numbers = f"α_{i + 1} = {roots[i]:.3g} / {roots.sum():.3g} = {value:.3g}"
        return Explanation("α_i = √d_i / Σ_j √d_j", numbers, value, words)

    def explain_Y(self, ensemble: Ensemble, before, after, i: int, a: int) -> Explanation:
        p, counts = ensemble.microcluster_of(i), ensemble.counts.astype(float)
        if after.Y_kept:
            value = float(before.Y[p, a])
            words = f"There are {after.components} components, more than {self.k}: Y stays as it was."
            return Explanation("Y unchanged", f"y = {value:.3g}", value, words)
        if a < after.components:
            mass = np.bincount(after.member, weights=counts)
            component = int(np.argsort(-mass, kind="stable")[a])
            inside = after.member[p] == component
            value = 1 / math.sqrt(mass[component]) if inside else 0.0
            words = (
                f"Coordinate {a + 1} marks the component with {int(mass[component])} objects; "
                f"{i + 1} is {'in it' if inside else 'not in it'}."
            )
            size = f"{mass[component]:.0f}"
            return Explanation("y = 1/√size inside, 0 outside", f"y = 1/√{size}" if inside else "y = 0", value, words)
        others, links = pairs_of(ensemble).row(p, after.links)
        weight = counts[others] * links
        drawn, held = float(weight @ after.Y[others, a]), float(weight.sum() - after.sigma[a])
        if abs(held) > 0.1 * max(weight.sum(), counts[p]):
            words = (
                f"{i + 1} stands where its links draw it: S-weighted, the others' coordinates add up to {drawn:.3g}, "
                f"shared among links of {weight.sum():.3g} less the eigenvalue {after.sigma[a]:.3g}."
            )
            value = drawn / held
            numbers = f"y = {drawn:.3g} / ({weight.sum():.3g} − {after.sigma[a]:.3g}) = {value:.3g}"
            return Explanation("y_p = Σ_q S_pq y_q / (Σ_q S_pq − σ), q ≠ p", numbers, value, words)
        rest = float(np.delete(counts, p) @ np.delete(after.Y[:, a], p))
        value = -rest / counts[p]
        words = f"A coordinate sums to 0 over its component: what the others have, {rest:.3g}, {i + 1} makes up for."
        return Explanation("Σ_q y_q = 0", f"y = −{rest:.3g} / {counts[p]:.0f} = {value:.3g}", value, words)

    def explain_sigma(self, ensemble: Ensemble, before, after, a: int) -> Explanation:
        if a < after.components:
            words = f"S has {_many(after.components, 'component')}: so many eigenvalues of its Laplacian are 0."
            return Explanation("σ = 0 for each component", "σ = 0", 0.0, words)
        value = _pull(ensemble, pairs_of(ensemble), after.links, after.Y[:, a : a + 1])
        words = f"Coordinate {a + 1} cuts links of {value:.3g} in all (S times squared distance); 0 is a clean cut."
        return Explanation("σ = yᵀLy = Σ_{p<q} S_pq (y_p − y_q)²", f"σ_{a + 1} = {value:.3g}", value, words)

    def explain_r(self, ensemble: Ensemble, before, after) -> Explanation:
        if before is None:
            return Explanation(
                "r = 0.9", f"r = {self.rs[0]:g}", self.rs[0], "Pairs that nearly all agree on come first."
            )
        at = self.rs.index(before.r)
        done = self.leaves(before) and at + 1 < len(self.rs)
        value = self.rs[at + 1] if done else before.r
        why = f"r = {before.r:g} ended with {_many(before.components, 'component')} after {before.inner} inner steps"
        words = f"{why}: harder pairs join." if done else f"r = {value:g} goes on."
        return Explanation("r ← r − 0.1 when an r is done", f"r = {value:g}", value, words)

    def explain_lam(self, ensemble: Ensemble, before, after) -> Explanation:
        r, m = after.r, ensemble.m
        value = 2 * r * (1 - r) * m * m
        words = f"A pair on which {r:.0%} of the base clusterings agree has B = λ/2 at first: it is used fully."
        return Explanation("λ = 2r(1 − r)m²", f"λ = 2 · {r:g} · {1 - r:.3g} · {m}² = {value:.3g}", value, words)

    def explain_rho(self, ensemble: Ensemble, before, after) -> Explanation:
        if not self.laplacian:
            return Explanation("ρ = 0", "ρ = 0", 0.0, "The Laplacian term is switched off.")
        if before is None:
            return Explanation("ρ = 1", f"ρ = {self.rho_first:g}", self.rho_first, "ρ starts at an absolute value.")
        value, c = self._price(after.components, before.rho), after.components
        moved = "rises" if c < self.k else "falls" if c > self.k else "stays"
        words = f"{_many(c, 'component')}, {self.k} wanted: ρ {moved}."
        return Explanation(
            f"ρ ← {self.rho_factor:g}ρ below c components, ρ/{self.rho_factor:g} above",
            f"{before.rho:.3g} → {value:.3g}",
            value,
            words,
        )


class _Pair:
    """What the base clusterings say about two objects."""

    def __init__(self, ensemble: Ensemble, i: int, j: int):
        self.i, self.j = i, j
        self.p, self.q = ensemble.microcluster_of(i), ensemble.microcluster_of(j)
        one, other = ensemble.rows[self.p], ensemble.rows[self.q]
        seen = (one != MISSING) & (other != MISSING)
        self.alike = self.p == self.q  # the same object, or objects with the same label everywhere
        self.seen, self.together, self.apart = (
            x.astype(float) for x in (seen, seen & (one == other), seen & (one != other))
        )

    def certain(self, letter: str) -> Explanation:
        if self.i == self.j:
            words = f"{self.i + 1} is together with itself."
        elif self.alike and not self.seen.any():
            words = f"{self.i + 1} and {self.j + 1} have no label at all, and are kept together."
        else:
            words = f"Every base clustering puts {self.i + 1} and {self.j + 1} together: certain, {letter} = 1."
        return Explanation(f"{letter} = 1 where all agree", f"{letter} = 1", 1.0, words)

    def unseen(self, letter: str) -> Explanation:
        why = "No base clustering puts" if self.seen.any() else "No base clustering has a label for both"
        end = " together" if self.seen.any() else ""
        words = f"{why} {self.i + 1} and {self.j + 1}{end}: {letter} = 0."
        return Explanation(f"{letter} = 0 where none puts the pair together", f"{letter} = 0", 0.0, words)


def _many(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"


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


def _trust(lam: float, B: np.ndarray) -> np.ndarray:
    """W = min(λ / 2B, 1) (13)"""
    return lam / np.maximum(2 * B, lam)


def _pull(ensemble: Ensemble, pairs: Pairs, S: np.ndarray, Y: np.ndarray) -> float:
    """tr(YᵀLY) = ½ Σ S_pq ‖y_p − y_q‖² over ordered pairs of objects."""
    counts = ensemble.counts.astype(float)
    return float(
        sum(_couples(counts, block) @ (S[block.pairs] * block.squared_distances(Y)) for block in pairs.blocks())
    )


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
