"""Tri-level robust clustering ensemble with multiple graph learning (Zhou, Du, Shen and Li 2021)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..ensemble import Ensemble
from ..ensemble.walks import ROUNDING, slowest_modes, walks_of
from ..linalg import components, project_simplex, reciprocal_root, smallest_eigenvectors, squared_distances
from ..linalg.tiles import symmetrise
from ..method.cost import Cost, speed
from ..method.evidence import distance
from ..method.method import Exempt, State
from ..method.params import ablation, common, param, schedule
from ..method.quantities import Embedding, Matrix, Scalar, Weights, derived, shown
from ..method.schedule import Components, ease, first_pattern, price
from ..method.telling import At, Told, tells
from ..numbers import number

OUT_OF_REACH = 2.0**40  # ρ, beyond which neither more nor fewer components can be had


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class TRCEState(State):
    """A round. B, A and E follow from these vectors, row by row, so that no matrix has to be kept."""

    w: Weights = shown("w", "how easy each object is: 1 counts fully, near 0 hardly", "(6)", span=(0, 1))
    alpha: Weights = shown("α", "weight of a base clustering: larger nearer B", "(16)", axes=("clustering",), log=True)
    KL: Matrix = shown("KL", "how far a base clustering's walk is from B", "(1)", axes=("object", "clustering"))
    F: Embedding = shown("F", "objects as points: close together where the consensus links them", "(12)")
    theta: Weights = shown("θ", "what makes each row of B sum to one", "(10)", minor=True)
    tau: Weights = shown("τ", "what must be passed for a link to stay in A", "(11)", minor=True)
    rho: Scalar = shown("ρ", "price of a link between objects that F holds apart", "(4)", log=True, default=0.0)
    gamma: Scalar = shown("γ", "age: the higher, the more objects count fully", "(6)", log=True, default=0.0)
    components: Scalar = shown("components", "connected components of A: the clusters found so far", default=0)
    noise: Scalar = shown("‖E‖²", "size of the noise taken out", "(3)", default=0.0)
    separation: Scalar = shown("tr FᵀLF", "how far apart F holds linked objects", "(12)", log=True, default=0.0)
    member: np.ndarray  # (q,) which component of A
    F_used: np.ndarray  # (q, k) F and α as this round found them
    alpha_used: np.ndarray
    exact: bool = True  # microclusters have stood for their objects exactly so far


@dataclass(frozen=True, kw_only=True)
class TRCE(Components):
    """Every base clustering is a random walk A⁽ᵏ⁾; find the one walk A behind them, in c separate parts.

        min Σ_k α_k Σ_i w_i² KL(A⁽ᵏ⁾_i ‖ A_i + E_i) + λ‖E‖² − γ‖w‖₁ + 2ρ tr(FᵀLF)                               (4)
        rows of A and of A + E are distributions, Σ_j E_ij = 0, 0 ≤ w ≤ 1, Σ_k 1/α_k = 1, FᵀF = I

    A⁽ᵏ⁾_ij = [i, j together in base clustering k] / (size of their cluster); L is the Laplacian of (A + Aᵀ)/2; w is
    how easy each object is, E the noise on the graph, α what each base clustering is worth, F holds the c smallest
    eigenvectors. A round, with B = A + E and G_ij = ‖F_i − F_j‖²:

        w_i = min(γ / 2b_i, 1),   b_i = Σ_k α_k KL(A⁽ᵏ⁾_i ‖ B_i)                                                (6)
        B_ij = H_ij / (ρG_ij + θ_i),   H_ij = w_i² Σ_k α_k A⁽ᵏ⁾_ij,   θ_i such that the row sums to one         (10)
        A_i = projection of B_i − ρG_i / 2λ on the simplex, then both directions of a pair are averaged         (11)
        α_k = Σ_j √o_j / √o_k,   o_k = Σ_i w_i² KL(A⁽ᵏ⁾_i ‖ B_i)                                                (16)

    then ρ doubles while A has fewer than c components, halves (and F stays) while it has more; γ grows by a tenth.
    It ends when A has exactly c components, from the second round on. The objective may rise (`monotone` says why).

    Read against the text: ‖E‖² weighs λ in (8) and (11), as follows from (4), not γ; o_k has A + E = B inside its
    logarithm; γ starts where a tenth of the objects count fully (the text's 1 makes all w about a thousandth); F stays
    while there are too many components, and most of the quality hangs on it (`keep_F`). Variant "paper", the default,
    sums b over all base clusterings; "released" takes the last one's divergence m times, an index slip in the published
    program that makes the order of the base clusterings matter; on real data its results are as good.

    P. Zhou, L. Du, Y.-D. Shen, X. Li: Tri-level robust clustering ensemble with multiple graph learning. AAAI 2021.
    """

    max_iter: int = common(10, "most rounds", span=(1, 10_000))
    lam: float = param(1.0, "the higher, the less is taken out", plain="price of noise", letter="λ", span=(1e-5, 1e5),
        log=True, equation="(4)")
    variant: str = param("paper", "difficulty b by all base clusterings, or the last", choices=("paper", "released"))
    learn_noise: bool = ablation(True, "noise E taken out of the graph", plain="noise E", letter="E", equation="(3)")
    self_paced: bool = ablation(True, "easy objects count more; otherwise w = 1", plain="object weights", letter="w")
    learn_alpha: bool = ablation(True, "weights of base clusterings; otherwise m", plain="learned weights", letter="α")
    keep_F: bool = ablation(True, "F stays while there are too many components", plain="keep F", letter="F")
    gamma_first: float = schedule(0.0, "0: set by the easiest objects", plain="first γ", letter="γ", span=(0.0, 1e6))
    first_share: float = schedule(0.1, "objects that count fully at first", plain="easiest share", span=(0.0, 1.0))
    growth: float = schedule(1.1, "growth of γ per round", plain="growth of γ", letter="γ", span=(1.0, 10.0))
    rho_first: float = schedule(1.0, "ρ in the first round", plain="first ρ", letter="ρ", span=(1e-6, 1e6), log=True)
    rho_factor: float = schedule(2.0, "ρ moves by this factor", plain="factor of ρ", letter="ρ", span=(1.01, 100.0))
    least_link: float = schedule(1e-12, "step of A that counts as no link", plain="least link", span=(0.0, 1e-3))

    title = "Tri-level robust clustering ensemble"
    family = "graph learning"
    reference = "Zhou, Du, Shen & Li, AAAI 35 (2021) 11125–11133"
    likeness_in_words = "the average links in B"
    inexact_in_words = "k is too large: eigenvectors reach into groups of equal objects, and the result is not exact."
    State, portrait = TRCEState, "A"
    monotone = Exempt("B and E are no block step of (4), since 0 ≤ B − E is dropped in (7), and ρ and γ move")
    scale_free = Exempt("ρ starts at an absolute 1, while entries of B shrink as objects are duplicated")
    # fmt: on

    @property
    def order_free(self) -> bool | Exempt:
        slip = "an index slip: difficulty is measured against the last base clustering only"
        return self.variant == "paper" or Exempt(slip)

    # --- the run ----------------------------------------------------------------------------------------------

    def init(self, ensemble: Ensemble) -> TRCEState:
        walks, q, m = walks_of(ensemble), ensemble.q, ensemble.m
        # ρ = 0, w = 1, α = m and θ = m² make (10) the mean of the base walks, and (11) leaves it as it is
        start = TRCEState(
            w=np.ones(q), alpha=np.full(m, float(m)), KL=np.zeros((q, m)), F=np.zeros((q, self.k)),
            theta=np.full(q, float(m * m)), tau=np.zeros(q), member=np.zeros(q, dtype=np.intp),
            F_used=np.zeros((q, self.k)), alpha_used=np.full(m, float(m)),
        )  # fmt: skip
        KL, A = np.empty((q, m)), np.empty((q, q))
        for rows, masks, H, _ in self._tiles(ensemble, start):
            A[rows] = H / (m * m)
            KL[rows] = walks.divergences(rows, masks, A[rows])
        state = self._settled(ensemble, replace(start, KL=KL), A, None)
        b = self.b(ensemble, state)
        gamma = self.gamma_first or 2 * float(b[first_pattern(b, ensemble.counts, self.first_share)])
        return replace(state, gamma=gamma, F_used=state.F)

    def step(self, ensemble: Ensemble, state: TRCEState) -> TRCEState:
        walks, q, m, counts = walks_of(ensemble), ensemble.q, ensemble.m, ensemble.weights
        gamma = state.gamma * self.growth if state.rho else state.gamma
        rho = price(state.rho, state.components, self.k, self.rho_factor) or self.rho_first
        w = ease(gamma, self.b(ensemble, state)) if self.self_paced else state.w  # (6)
        new = replace(state, gamma=gamma, rho=rho, w=w, F_used=state.F, alpha_used=state.alpha)
        theta, tau, KL, A, noise = np.empty(q), np.zeros(q), np.empty((q, m)), np.empty((q, q)), 0.0
        for rows, masks, H, G in self._tiles(ensemble, new):
            G *= rho
            theta[rows] = reciprocal_root(H * counts, G)
            B = H / (G + theta[rows, None])  # (10)
            KL[rows] = walks.divergences(rows, masks, B)
            if self.learn_noise:
                G *= -0.5 / self.lam
                G += B
                A[rows] = project_simplex(G, counts, near=0.0)  # (11); τ is 0 where nothing is pulled
                tau[rows] = G.max(axis=1) - A[rows].max(axis=1)
                B -= A[rows]
                noise += float(counts[rows] @ (np.square(B, out=B) @ counts))
            else:
                A[rows] = B
        new = replace(new, theta=theta, tau=tau, KL=KL, noise=noise)
        root = np.sqrt(np.maximum(self.o(ensemble, new), ROUNDING * (counts @ w**2)))
        alpha = root.sum() / root if self.learn_alpha else state.alpha  # (16)
        return self._settled(ensemble, replace(new, alpha=alpha), symmetrise(A), state.F)

    def _tiles(self, ensemble: Ensemble, state: TRCEState) -> Iterator[tuple]:
        """Some rows at a time: which, their masks, H (r, q), G (r, q)."""
        walks = walks_of(ensemble)
        for rows, masks in walks.tiles():
            H = walks.mixture(rows, masks, state.alpha_used)
            H *= state.w[rows, None] ** 2
            G = squared_distances(state.F_used[rows], state.F_used)
            yield rows, masks, H, np.maximum(G, 0, out=G)

    def _settled(self, ensemble: Ensemble, state: TRCEState, A: np.ndarray, F: np.ndarray | None) -> TRCEState:
        """The state with the components of A, and with F: the smallest eigenvectors of its Laplacian (12)."""
        A[A <= self.least_link] = 0
        counts, exact = ensemble.weights, state.exact
        count, member = components(A)
        degree = A @ counts
        if F is None or count <= self.k or not self.keep_F:
            modes = slowest_modes(ensemble, self.k) if F is None and count == 1 else None
            mu, F = modes or smallest_eigenvectors(A, self.k, counts, warm=F, found=(count, member))
            # between two objects of one microcluster stands the eigenvalue degree: it must not be among the smallest
            exact = exact and bool((degree[ensemble.counts > 1] > mu[-1]).all())
        weighted = counts[:, None] * F
        separation = max(float((weighted * (degree[:, None] * F - A @ weighted)).sum()), 0.0)
        return replace(state, F=F, components=count, member=member, separation=separation, exact=exact)

    def terms(self, ensemble: Ensemble, state: TRCEState) -> dict[str, float]:
        return {
            "disagreement": float(self.o(ensemble, state) @ state.alpha),
            "noise": self.lam * state.noise,
            "ease": -state.gamma * float(ensemble.weights @ state.w),
            "separation": 2 * state.rho * state.separation,
        }

    def converged(self, old: TRCEState, new: TRCEState) -> bool:
        return new.components == self.k and old.rho > 0

    def diverged(self, state: TRCEState) -> bool:
        return state.components != self.k and state.rho > 0 and not 1 / OUT_OF_REACH < state.rho < OUT_OF_REACH

    def likeness(self, ensemble: Ensemble, state: TRCEState) -> np.ndarray:
        return symmetrise(self.B(ensemble, state))

    def stage(self, state: TRCEState) -> str:
        return f"ρ = {number(state.rho)}, γ = {number(state.gamma)}"

    def cost(self, ensemble: Ensemble) -> Cost:
        q, m, machine = ensemble.q, ensemble.m, speed()
        rounds = min(max(5.5 + 2 * np.log10(self.lam), 2.0), self.max_iter) + 1  # small λ: A soon falls into pieces
        a_round = 1e-3 + 240 * q * q / machine.entries + q**3 / 3 / machine.products
        return Cost(bytes=26 * q * q + 8 * q * (3 * self.k + 4 * m) + (8 << 20), seconds=float(rounds * a_round))

    # --- what is shown beside the state, and why --------------------------------------------------------------

    def _matrix(self, ensemble: Ensemble, state: TRCEState, of: Callable) -> np.ndarray:
        """(q, q), what `of` makes of some rows, their H and their G."""
        M = np.empty((ensemble.q, ensemble.q))
        for rows, _, H, G in self._tiles(ensemble, state):
            M[rows] = of(rows, H, G)
        return M

    @derived("Ā", "mean of the base clusterings' walks: where the consensus starts", minor=True)
    def mean(self, ensemble: Ensemble, state: TRCEState) -> Matrix:
        plain = replace(state, w=np.ones(ensemble.q), alpha_used=np.full(ensemble.m, 1 / ensemble.m))
        return self._matrix(ensemble, plain, lambda rows, H, G: H)

    @tells("mean", "sum(same[k] / size[k], k) / m")
    def why_mean(self, at: At) -> Told:
        words = "Draw a base clustering, then any object of its cluster of {i}: with probability {value} it is {j}."
        return at.terms(same=at.same, size=at.sizes, m=at.m, words=words)

    @derived("H", "what the base clusterings ask of B: their weighted walks, times ease", "(7)", minor=True)
    def H(self, ensemble: Ensemble, state: TRCEState) -> Matrix:
        return self._matrix(ensemble, state, lambda rows, H, G: H)

    @tells("H", "w**2 * sum(α[k]*same[k] / size[k], k)")
    def why_H(self, at: At) -> Told:
        votes = {"α": at.row("alpha", None, when=0 if at.start else -1), "same": at.same, "size": at.sizes}
        words = "The steps of all base clusterings from {i} to {j}, each with its weight; {i} counts with w squared."
        return at.terms(w=at.now("w"), **votes, words=words)

    @derived("G", "squared distance of two objects in F, as this round found it", "(7)", minor=True)
    def G(self, ensemble: Ensemble, state: TRCEState) -> Matrix:
        return self._matrix(ensemble, state, lambda rows, H, G: G)

    @tells("G", "norm(F_i - F_j)**2")
    def why_G(self, at: At) -> Told:
        return distance(at, "F", 0 if at.start else -1, " as this round found it")

    @derived("B", "what the base clusterings and F ask for, noise included: A + E", "(10)")
    def B(self, ensemble: Ensemble, state: TRCEState) -> Matrix:
        return self._matrix(ensemble, state, lambda rows, H, G: H / (state.rho * G + state.theta[rows, None]))

    @tells("B", "H / (ρ*G + θ)")
    def why_B(self, at: At) -> Told:
        far = {"ρ*G > 0": "; their distance in F makes it rarer", "ρ*G <= 0": ", and nothing pulls them apart"}
        words = "H = {H} asks for a step from {i} to {j}{far}." if at.pair.count else at.of_strangers
        return at.terms(H=at.now("H"), ρ=at.now("rho"), G=at.now("G"), θ=at.now("theta"), far=far, words=words)

    @tells("theta", "sum(n[j]*H[j] / (ρ*G[j] + θ), j) == 1")
    def why_theta(self, at: At) -> Told:
        words = "With this θ the steps from {i} in B add up to probability 1."
        return at.terms(**at.along("H", "G"), ρ=at.now("rho"), θ=at.now("theta"), words=words)

    @tells("tau", "sum(n[j]*max(B[j] - ρ*G[j] / (2*λ) - τ, 0), j) == 1")
    def why_tau(self, at: At) -> Told:
        if not self.learn_noise:
            return at.given(0, "Noise is switched off: nothing is cut off.")
        words = "With this τ the steps from {i} that are left in A′ add up to probability 1."
        return at.terms(**at.along("B", "G"), ρ=at.now("rho"), λ=at.param("lam"), τ=at.now("tau"), words=words)

    @derived("A′", "the clean walk before both directions of a pair are averaged", "(11)", minor=True)
    def clean(self, ensemble: Ensemble, state: TRCEState) -> Matrix:
        pull = state.rho / (2 * self.lam) if self.learn_noise else 0.0
        cut = self._matrix(ensemble, state, lambda rows, H, G: pull * G + state.tau[rows, None])
        return np.maximum(self.B(ensemble, state) - cut, 0)

    @tells("clean", "max(B - ρ*G / (2*λ) - τ, 0)")
    def why_clean(self, at: At) -> Told:
        if not self.learn_noise:
            return at.equals(at.now("B"), "Noise is switched off: B stays as it is.")
        τ = {"τ >= 0": "and the threshold are taken from", "τ < 0": "is taken from, and −τ added to,"}
        terms = {"B": at.now("B"), "ρ": at.now("rho"), "G": at.now("G"), "λ": at.param("lam"), "τ": at.now("tau")}
        words = "The price of the distance in F {done} the step from {i} to {j}, B = {B}: {value} is left."
        return at.terms(**terms, done=τ, words=words)

    @derived("A", "the clean walk whose components are the clusters", "(11)")
    def A(self, ensemble: Ensemble, state: TRCEState) -> Matrix:
        A = symmetrise(self.clean(ensemble, state))
        A[A <= self.least_link] = 0
        return A

    @tells("A", "(A_ij_ + A_ji_) / 2", cut="0 if (A_ij_ + A_ji_) / 2 <= least else (A_ij_ + A_ji_) / 2")
    def why_A(self, at: At) -> Told:
        there, back, least = at.now("clean"), at.now("clean", at.j, at.i), at.param("least_link")
        case = "cut" if 0 < (there.value + back.value) / 2 <= least.value else ""
        link = {"value > 0": "are linked", "value <= 0": "are not linked"}
        words = "{i} and {j} {link}: {A_ij_} from {i} to {j} and {A_ji_} back; up to {least} counts as no link."
        return at.terms(case, A_ij_=there, A_ji_=back, least=least, link=link, words=words)

    @derived("E", "noise taken out of the graph; each row sums to zero", "(8)", diverging=True)
    def E(self, ensemble: Ensemble, state: TRCEState) -> Matrix:
        return self.B(ensemble, state) - self.clean(ensemble, state)

    @tells("E", "B - A_")
    def why_E(self, at: At) -> Told:
        noise = {"value > -1e-12": "{value} is taken out", "value <= -1e-12": "what others have lost is added to it"}
        words = "Of the step from {i} to {j} in B, {B}: {noise}."
        return at.terms(B=at.now("B"), A_=at.now("clean"), noise=noise, words=words)

    @tells("noise", "sum(n[k]*E[k]**2, k)")
    def why_noise(self, at: At) -> Told:
        ends = np.nonzero(E := at.path.array("E", at.iteration))
        return at.terms(**at.over(ends, E=E[ends]), words="The noise of all pairs, squared.")

    @tells("w", "min(γ / (2*b), 1)")
    def why_w(self, at: At) -> Told:
        if at.start or not self.self_paced:
            return at.given(1, f"{at.without('self_paced')} every object counts fully.")
        if (b := at.then("b")).value == 0:
            return at.given(1, "All base clusterings agree with B about {i}: b = {b}, and it counts fully.", b=b)
        easy = {"value >= 1": "an easy object, it counts fully", "value < 1": "a difficult one, it counts only {value}"}
        words = "The base clusterings disagree with B about {i} by b = {b}: {easy}."
        return at.terms(γ=at.now("gamma"), b=b, easy=easy, words=words)

    @derived("b", "how difficult each object is: how far base clusterings are from B there", "(5)", log=True)
    def b(self, ensemble: Ensemble, state: TRCEState) -> Weights:
        if self.variant == "paper":
            return state.KL @ state.alpha
        last = ensemble.as_given[-1]
        return state.KL[:, last] * (state.alpha[last] * ensemble.m)

    @tells("b", "sum(α[k]*KL[k], k)", released="m*α*KL")
    def why_b(self, at: At) -> Told:
        if self.variant == "paper":
            words = "How far the base clusterings' steps from {i} are from those of B, each with its weight."
            return at.terms(α=at.row("alpha", None), KL=at.row("KL", at.i, None), words=words)
        last = int(at.ensemble.as_given[-1])
        words = "What the last base clustering says of {i}, {m} times: an index slip of the published program."
        return at.terms("released", m=at.m, α=at.now("alpha", last), KL=at.now("KL", at.i, last), words=words)

    @tells("KL", "sum(n[j]*A__k*log(A__k / B[j]), j)")
    def why_KL(self, at: At) -> Told:
        inside = np.flatnonzero(at.ensemble.rows[:, at.t] == at.ensemble.rows[at.p, at.t])
        n, B, size = at.counts_at(inside), at.row("B", at.i, None, some=inside), at.sizes.term(at.t)
        step = at.labels(1 / size.value, "probability of a step to one object of the same cluster", *size.end)
        words = "In {t} a step from {i} leads to one of the {size} objects of its cluster, to each as likely; "
        if n.values @ np.log(step.value / B.values) < ROUNDING * size.value:
            return at.given(0, words + "so it does in B.", size=size)
        return at.terms(n=n, A__k=step, B=B, size=size, words=words + "in B it does not.")

    @derived("o", "how far each base clustering is from B", "(13)", axes=("clustering",))
    def o(self, ensemble: Ensemble, state: TRCEState) -> Weights:
        # no matrix product: its order of summation may differ from column to column
        return ((ensemble.weights * state.w**2)[:, None] * state.KL).sum(axis=0)

    @tells("o", "sum(n[j]*w[j]**2*KL[j], j)")
    def why_o(self, at: At) -> Told:
        words = "How far the steps of {t} are from those of B, over all objects; easy ones count more."
        return at.terms(n=at.counts, w=at.row("w", None), KL=at.row("KL", None, at.t), words=words)

    @tells("alpha", "sum(sqrt(o[l]), l) / sqrt(o_k)", floored="sum(sqrt(max(o[l], least)), l) / sqrt(max(o_k, least))")
    def why_alpha(self, at: At) -> Told:
        if at.start or not self.learn_alpha:
            return at.equals(at.m, f"{at.without('learn_alpha')} all base clusterings count the same.")
        o, least = at.row("o", None), ROUNDING * float(at.ensemble.weights @ at.after.w**2)
        case, floor = "floored" if o.values.min() < least else "", at.constant(least, "least that is told from 0")
        words = "The nearer a base clustering is to B, the larger its weight; {t} is o = {o_k} away."
        return at.terms(case, o=o, o_k=at.now("o", at.t), least=floor, words=words)

    @tells("F", "sum(n[j]*A[j]*(F_i - F[j]), j) == μ*F_i", mark="1 / sqrt(size)")
    def why_F(self, at: At) -> Told:
        kept = self.keep_F and at.after.components > self.k and not at.start
        if (mark := self.told_mark(at, at.a, kept)) is not None:
            return mark
        terms = {"F": at.row("F", None, at.a), "F_i": at.now("F", at.i, at.a), "μ": at.now("mu", at.a)}
        words = "An eigenvector of L: {i} stands where its links draw it, but for what the eigenvalue {μ} leaves."
        return at.terms(**at.along("A"), **terms, words=words)

    @tells("mu", "sum(n[k]*A[k]*(F_p[k] - F_q[k])**2, k)", "(12)", "μ", "what a coordinate cuts", ("coordinate",))
    def why_mu(self, at: At) -> Told:
        A, F = at.path.array("A", at.iteration), at.after.F[:, at.a]
        p, q = np.nonzero(np.triu(A, 1))
        ends = {"F_p": at.at_objects("F", p, F, at.a), "F_q": at.at_objects("F", q, F, at.a)}
        words = "What coordinate {a} cuts: each link times the squared distance of its ends; 0 is a clean cut."
        return at.terms(**at.over((p, q), A=A[p, q]), **ends, words=words)

    @tells("separation", "sum(μ[a], a)")
    def why_separation(self, at: At) -> Told:
        return at.terms(μ=at.row("mu", None), words="What all coordinates of F together cut of the links of A.")

    @tells("rho", "ρ*factor", less="ρ / factor")
    def why_rho(self, at: At) -> Told:
        if at.start:
            return at.given(0, "Nothing is pulled apart yet.")
        if at.before.rho == 0:
            return at.equals(at.param("rho_first"), "The first round starts here.")
        return self.told_price(at, at.then("components"), " after the round before")

    @tells("gamma", "γ*growth", start="2*b")
    def why_gamma(self, at: At) -> Told:
        if at.start and self.gamma_first > 0:
            return at.equals(at.param("gamma_first"), "Where the run starts.")
        if at.start:
            p = first_pattern(self.b(at.ensemble, at.after), at.ensemble.counts, self.first_share)
            words = "At first objects up to this difficulty b count fully: at least a share of {share} of all."
            b = at.now("b", int(at.ensemble.first_of[p]))
            return at.terms("start", b=b, share=at.param("first_share"), words=words)
        if at.before.rho == 0:
            return at.unchanged("The first round uses the γ the run starts with.")
        words = "Every round γ grows, so that more difficult objects count fully."
        return at.terms(γ=at.then("gamma"), growth=at.param("growth"), words=words)
