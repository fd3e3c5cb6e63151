"""Tri-level robust clustering ensemble with multiple graph learning (Zhou, Du, Shen and Li 2021)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import brentq

from ..ensemble import Ensemble
from ..ensemble.walks import ROUNDING, Transitions, slowest_modes, transitions_of
from ..linalg import components, project_simplex, reciprocal_root, smallest_eigenvectors, symmetrise
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

TILE = 1 << 16  # entries handled together: few enough to stay in cache, many enough for numpy's overhead
OUT_OF_REACH = 2.0**40  # ρ, beyond which neither more nor fewer components can be had


@dataclass(frozen=True, kw_only=True, eq=False)
class TRCEState(State):
    """A round. B, A and E follow from these vectors, row by row, so that no matrix has to be kept."""

    round: int
    w: Weights = shown("w", "how easy each object is: 1 counts fully, near 0 hardly", equation="(6)", span=(0, 1))
    alpha: Weights = shown(
        "α", "weight of each base clustering: the closer to the consensus, the larger", equation="(16)",
        axes=("clustering",), log=True,
    )  # fmt: skip
    KL: Matrix = shown(
        "KL", "how far each base clustering's walk from an object is from the consensus walk", equation="(1)",
        axes=("object", "clustering"),
    )  # fmt: skip
    F: Embedding = shown("F", "objects as points: close together where the consensus links them", equation="(12)")
    theta: Weights = shown("θ", "what makes each row of B sum to one", equation="(10)", minor=True)
    tau: Weights = shown("τ", "what must be passed for a link to stay in A", equation="(11)", minor=True)
    rho: Scalar = shown("ρ", "pull of the wanted number of components", equation="(4)", log=True)
    gamma: Scalar = shown("γ", "age: the higher, the more objects count fully", equation="(6)", log=True)
    count: Scalar = shown("components", "connected components of A")
    noise: Scalar = shown("‖E‖²", "size of the noise taken out", equation="(3)")
    separation: Scalar = shown(
        "tr FᵀLF", "0 when A has at least as many components as wanted", equation="(12)", log=True
    )
    members: np.ndarray  # (q,) component of each microcluster
    F_used: np.ndarray  # (q, k) F and α as this round found them
    alpha_used: np.ndarray
    exact: bool  # microclusters have stood for their objects exactly so far


@dataclass(frozen=True, kw_only=True)
class TRCE(Method):
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
    It ends when A has exactly c components, from the second round on. B and E are not minimised jointly in (4) (the
    bound 0 ≤ B − E is dropped in (7)) and ρ and γ move, so the objective may rise.

    Read against the text: the weight of ‖E‖² in (8) and (11) is λ, as follows from (4), not γ; o_k has A + E = B inside
    its logarithm; γ starts where a tenth of the objects count fully (`gamma0` = 1 is the text's start, which makes all
    w about a thousandth); F stays when there are too many components (`keep_F` turns this off; most of the quality
    hangs on it). Variant "paper", the default, sums b over all base clusterings; "released" takes the last one's
    divergence m times, an index slip in the published program that makes the answer depend on the order of the base
    clusterings; on real data its results are as good.

    P. Zhou, L. Du, Y.-D. Shen, X. Li: Tri-level robust clustering ensemble with multiple graph learning. AAAI 35 (2021)
    11125–11133.
    """

    max_iter: int = param(10, "most rounds", low=1, high=10_000, role="common")
    tol: float = param(1e-12, "transition probability below which A has no link", low=0.0, high=1e-3, role="common")
    lam: float = param(
        1.0, "price of noise: the higher, the less is taken out of the graph", plain="price of noise",
        letter="λ", low=1e-5, high=1e5, log=True,
        equation="(4)",
    )  # fmt: skip
    variant: str = param(
        "paper", "difficulty b from all base clusterings, or as the published program has it",
        choices=("paper", "released"),
        equation="(5)",
    )  # fmt: skip
    exact_k: bool = param(True, "merge or split the components found until there are exactly k")
    use_E: bool = param(
        True, "take noise E out of the graph", plain="noise E", letter="E", role="ablation", equation="(3)"
    )
    use_w: bool = param(
        True, "let easy objects count more", plain="object weights", letter="w", role="ablation", equation="(6)"
    )
    use_alpha: bool = param(
        True,
        "let better base clusterings count more",
        plain="graph weights",
        letter="α",
        role="ablation",
        equation="(16)",
    )
    keep_F: bool = param(
        True, "keep F while there are too many components", plain="keep F", letter="F", role="ablation", equation="(12)"
    )
    gamma0: float = param(
        0.0, "γ in the first round; 0: where the easiest objects count fully", plain="first γ",
        letter="γ₀", low=0.0, high=1e6,
        role="schedule", equation="(6)",
    )  # fmt: skip
    easiest: float = param(
        0.1,
        "share of objects that count fully at first",
        plain="easiest share",
        low=0.0,
        high=1.0,
        role="schedule",
        equation="(6)",
    )
    ageing: float = param(
        1.1, "growth of γ per round", plain="growth of γ", low=1.0, high=10.0, role="schedule", equation="(6)"
    )
    rho0: float = param(
        1.0, "ρ in the first round", plain="first ρ", letter="ρ₀", low=1e-6, high=1e6, log=True, role="schedule"
    )
    rho_factor: float = param(
        2.0, "factor ρ moves by", plain="factor of ρ", low=1.01, high=100.0, role="schedule", equation="(4)"
    )

    title = "Tri-level robust clustering ensemble"
    family = "graph learning"
    reference = "Zhou, Du, Shen & Li, AAAI 35 (2021) 11125–11133"
    State = TRCEState
    monotone = Exempt("B and E are no block step of (4), since 0 ≤ B − E is dropped in (7), and ρ and γ move")
    scale_free = Exempt("ρ starts at an absolute 1, while entries of B shrink as objects are duplicated")

    @property
    def order_free(self) -> bool | Exempt:
        if self.variant == "paper":
            return True
        return Exempt("an index slip: difficulty is measured against the last base clustering only")

    @property
    def pull(self) -> float:
        """1 / 2λ, or 0 where no noise may be taken out."""
        return 0.5 / self.lam if self.use_E else 0.0

    def init(self, ensemble: Ensemble) -> TRCEState:
        walks = transitions_of(ensemble)
        q, m = ensemble.q, ensemble.m
        # ρ = 0, w = 1, α = m and θ = m² make (10) the mean of the base walks, and (11) leaves it as it is
        start = TRCEState(
            round=0, w=np.ones(q), alpha=np.full(m, float(m)), KL=np.zeros((q, m)), F=np.zeros((q, self.k)),
            theta=np.full(q, float(m * m)), tau=np.zeros(q), rho=0.0, gamma=0.0, count=0, noise=0.0, separation=0.0,
            members=np.zeros(q, dtype=np.intp), F_used=np.zeros((q, self.k)), alpha_used=np.full(m, float(m)),
            exact=True,
        )  # fmt: skip
        KL, A = np.empty((q, m)), np.empty((q, q))
        for rows, indices, H, _ in self._tiles(walks, start):
            A[rows] = H
            A[rows] /= m * m
            KL[rows] = walks.divergences(rows, indices, A[rows])
        state = self._settled(ensemble, replace(start, KL=KL), A, None)
        return replace(state, gamma=self._first_gamma(ensemble, self._difficulty(state)))

    def step(self, ensemble: Ensemble, state: TRCEState) -> TRCEState:
        walks = transitions_of(ensemble)
        q, m, counts = ensemble.q, ensemble.m, walks.counts
        gamma, rho = self._schedule(state)
        new = replace(
            state, round=state.round + 1, gamma=gamma, rho=rho, w=self._ease(gamma, self._difficulty(state)),
            F_used=state.F, alpha_used=state.alpha,
        )  # fmt: skip
        theta, tau, KL, A, noise = np.empty(q), np.zeros(q), np.empty((q, m)), np.empty((q, q)), 0.0
        for rows, indices, H, G in self._tiles(walks, new):
            theta[rows] = reciprocal_root(H * counts, G)
            B = H / (G + theta[rows, None])
            KL[rows] = walks.divergences(rows, indices, B)
            if self.use_E:
                G *= -self.pull
                G += B
                A[rows] = project_simplex(G, counts, near=0.0)  # 0 where nothing is pulled
                tau[rows] = G.max(axis=1) - A[rows].max(axis=1)
                B -= A[rows]
                noise += float(counts[rows] @ (np.square(B, out=B) @ counts))
            else:
                A[rows] = B
        o = np.maximum(counts * new.w**2 @ KL, ROUNDING * (counts @ new.w**2))
        alpha = np.sqrt(o).sum() / np.sqrt(o) if self.use_alpha else state.alpha  # (16)
        new = replace(new, theta=theta, tau=tau, KL=KL, alpha=alpha, noise=noise)
        return self._settled(ensemble, new, symmetrise(A), state.F)

    def _tiles(self, walks: Transitions, state: TRCEState) -> Iterator[tuple]:
        """Some rows at a time: which, their masks, H (r, q), ρG (r, q)."""
        squares = np.einsum("pa,pa->p", state.F_used, state.F_used)
        for rows in walks.tiles(TILE):
            indices = walks.indices(rows)
            H = walks.mixture(rows, indices, state.alpha_used)
            H *= state.w[rows, None] ** 2
            G = state.F_used[rows] @ (-2 * state.rho * state.F_used.T)
            G += state.rho * squares
            G += state.rho * squares[rows, None]
            yield rows, indices, H, np.maximum(G, 0, out=G)

    def _settled(self, ensemble: Ensemble, state: TRCEState, A: np.ndarray, F: np.ndarray | None) -> TRCEState:
        """The state with the components of A, and with F: the smallest eigenvectors of its Laplacian (12)."""
        A[A <= self.tol] = 0
        counts = ensemble.counts.astype(float)
        count, members = components(A)
        degree = A @ counts
        exact = state.exact
        if F is None or count <= self.k or not self.keep_F:
            modes = slowest_modes(ensemble, self.k) if state.round == 0 and count == 1 else None
            mu, F = modes or smallest_eigenvectors(A, self.k, counts, warm=F, found=(count, members))
            # between two objects of one microcluster stands the eigenvalue degree: it must not be among the smallest
            exact = exact and bool((degree[ensemble.counts > 1] > mu[-1]).all())
        weighted = counts[:, None] * F
        separation = float((weighted * (degree[:, None] * F - A @ weighted)).sum())
        return replace(state, F=F, count=count, members=members, separation=max(separation, 0.0), exact=exact)

    def _schedule(self, state: TRCEState) -> tuple[float, float]:
        """γ and ρ of the next round."""
        if state.round == 0:
            return state.gamma, self.rho0
        moved = {-1: self.rho_factor, 0: 1.0, 1: 1 / self.rho_factor}[int(np.sign(state.count - self.k))]
        return state.gamma * self.ageing, state.rho * moved

    def _difficulty(self, state: TRCEState) -> np.ndarray:
        """b of (5), (q,)."""
        if self.variant == "released":
            return state.KL[:, -1] * (state.alpha[-1] * len(state.alpha))
        return state.KL @ state.alpha

    def _ease(self, gamma: float, b: np.ndarray) -> np.ndarray:
        if not self.use_w:
            return np.ones(len(b))
        return np.minimum(np.divide(gamma, 2 * b, out=np.ones_like(b), where=2 * b > gamma), 1)  # (6)

    def _first_gamma(self, ensemble: Ensemble, b: np.ndarray) -> float:
        """Twice the b of the last object among the easiest ones; where that is zero, of the most difficult one."""
        if self.gamma0 > 0:
            return self.gamma0
        order = np.argsort(b, kind="stable")
        place = max(int(ensemble.n * self.easiest), 1)
        last = order[np.searchsorted(np.cumsum(ensemble.counts[order]), place)]
        return 2 * float(b[last] or b.max())

    def terms(self, ensemble: Ensemble, state: TRCEState) -> dict[str, float]:
        counts = ensemble.counts.astype(float)
        return {
            "disagreement": float((counts * state.w**2) @ (state.KL @ state.alpha)),
            "noise": self.lam * state.noise,
            "ease": -state.gamma * float(counts @ state.w),
            "separation": 2 * state.rho * state.separation,
        }

    def labels(self, ensemble: Ensemble, state: TRCEState) -> np.ndarray:
        """Components of A; with `exact_k` merged or split by B until there are k."""
        if not self.exact_k or state.count == self.k:
            return state.members
        return exactly(self.k, state.members, symmetrise(self._B(ensemble, state)), ensemble.counts)

    def found(self, ensemble: Ensemble, state: TRCEState) -> int:
        return state.count

    def stage(self, state: TRCEState) -> str:
        return f"ρ = {state.rho:g}, γ = {state.gamma:.3g}"

    def remarks(self, ensemble: Ensemble, state: TRCEState) -> tuple[str, ...]:
        said = []
        if state.count != self.k:
            many = state.count > self.k
            repair = (
                f"; {'merged' if many else 'split'} by the average links in B until there were {self.k}."
                if self.exact_k
                else ", and left so: exactly k is turned off."
            )
            said.append(f"A ended with {_parts(state.count)} where {self.k} were wanted{repair}")
        if not state.exact:
            said.append(
                "The wanted eigenvectors reach into differences between objects that no base clustering tells apart: "
                "k is too large for this ensemble, and the result is not exactly that of all objects."
            )
        return tuple(said)

    def converged(self, old: TRCEState, new: TRCEState) -> bool:
        return new.count == self.k and new.round >= 2

    def diverged(self, state: TRCEState) -> bool:
        return state.round > 0 and not 1 / OUT_OF_REACH < state.rho < OUT_OF_REACH

    def cost(self, ensemble: Ensemble) -> Cost:
        q, m, machine = ensemble.q, ensemble.m, speed()
        # the smaller λ, the sooner A falls into pieces
        rounds = min(max(5.5 + 2 * np.log10(self.lam), 2.0), self.max_iter) + 1
        a_round = 1e-3 + 240 * q * q / machine.entries + q**3 / 3 / machine.products
        return Cost(bytes=26 * q * q + 8 * q * (3 * self.k + 4 * m) + (8 << 20), seconds=float(rounds * a_round))

    @derived("B", "the walk that agrees best with the base clusterings, noise and all: A + E", equation="(10)")
    def B(self, ensemble: Ensemble, state: TRCEState) -> Matrix:
        return self._B(ensemble, state)

    def _B(self, ensemble: Ensemble, state: TRCEState) -> np.ndarray:
        B = np.empty((ensemble.q, ensemble.q))
        for rows, _, H, G in self._tiles(transitions_of(ensemble), state):
            B[rows] = H / (G + state.theta[rows, None])
        return B

    def _clean(self, ensemble: Ensemble, state: TRCEState) -> np.ndarray:
        """A before both directions of a pair are averaged: B − E."""
        A = np.empty((ensemble.q, ensemble.q))
        for rows, _, H, G in self._tiles(transitions_of(ensemble), state):
            G_scaled = G * self.pull
            A[rows] = np.maximum(H / (G + state.theta[rows, None]) - G_scaled - state.tau[rows, None], 0)
        return A

    @derived("A", "the clean walk whose components are the clusters", equation="(11)")
    def A(self, ensemble: Ensemble, state: TRCEState) -> Matrix:
        A = symmetrise(self._clean(ensemble, state))
        A[A <= self.tol] = 0
        return A

    @derived("E", "noise taken out of the graph; each row sums to zero", equation="(8)", diverging=True)
    def E(self, ensemble: Ensemble, state: TRCEState) -> Matrix:
        return self._B(ensemble, state) - self._clean(ensemble, state)

    @derived("Ā", "mean of the base clusterings' walks: where the consensus starts", minor=True)
    def mean(self, ensemble: Ensemble, state: TRCEState) -> Matrix:
        return self._mixed(ensemble, np.full(ensemble.m, 1 / ensemble.m))

    @derived("H", "what the base clusterings ask of B: their weighted walks, times ease", equation="(7)", minor=True)
    def H(self, ensemble: Ensemble, state: TRCEState) -> Matrix:
        return state.w[:, None] ** 2 * self._mixed(ensemble, state.alpha_used)

    def _mixed(self, ensemble: Ensemble, weights: np.ndarray) -> np.ndarray:
        walks = transitions_of(ensemble)
        M = np.empty((ensemble.q, ensemble.q))
        for rows in walks.tiles(TILE):
            M[rows] = walks.mixture(rows, walks.indices(rows), weights)
        return M

    @derived("G", "squared distance of two objects in F, as this round found it", equation="(7)", minor=True)
    def G(self, ensemble: Ensemble, state: TRCEState) -> Matrix:
        squares = (state.F_used**2).sum(axis=1)
        return np.maximum(squares[:, None] + squares - 2 * state.F_used @ state.F_used.T, 0)

    @derived(
        "b", "how difficult each object is: how far the base clusterings are from B there", equation="(5)", log=True
    )
    def b(self, ensemble: Ensemble, state: TRCEState) -> Weights:
        return self._difficulty(state)

    @derived("o", "how far each base clustering is from B, easy objects counting more", equation="(13)",
             axes=("clustering",))  # fmt: skip
    def o(self, ensemble: Ensemble, state: TRCEState) -> Weights:
        return (ensemble.counts * state.w**2) @ state.KL

    # --- why this value: every number anew, by scalar arithmetic ----------------------------------------------

    def _together(self, ensemble: Ensemble, i: int, j: int) -> tuple[list[int], np.ndarray]:
        """The base clusterings that put two objects together, and the sizes of those clusters."""
        p, r = ensemble.microcluster_of(i), ensemble.microcluster_of(j)
        together = np.flatnonzero(ensemble.rows[p] == ensemble.rows[r])
        return together.tolist(), transitions_of(ensemble).sizes[p, together]

    def _asked(self, ensemble: Ensemble, state: TRCEState, p: int) -> tuple[np.ndarray, np.ndarray]:
        """A row of H and of ρG, by the definitions: (q,) each."""
        shares = state.alpha_used / transitions_of(ensemble).sizes[p]
        H = state.w[p] ** 2 * ((ensemble.rows == ensemble.rows[p]) @ shares)
        return H, state.rho * ((state.F_used - state.F_used[p]) ** 2).sum(axis=1)

    def _entry(self, ensemble: Ensemble, state: TRCEState, i: int, j: int) -> tuple[float, float, float]:
        """H_ij, ρG_ij and B_ij."""
        together, sizes = self._together(ensemble, i, j)
        p, r = ensemble.microcluster_of(i), ensemble.microcluster_of(j)
        H = float(state.w[p] ** 2 * (state.alpha_used[together] / sizes).sum())
        G = float(state.rho * ((state.F_used[p] - state.F_used[r]) ** 2).sum())
        return H, G, H / (G + float(state.theta[p]))

    def _cleaned(self, ensemble: Ensemble, state: TRCEState, i: int, j: int) -> float:
        _, G, B = self._entry(ensemble, state, i, j)
        return max(B - self.pull * G - float(state.tau[ensemble.microcluster_of(i)]), 0.0)

    def explain_mean(self, ensemble, before, after, i: int, j: int) -> Explanation:
        together, sizes = self._together(ensemble, i, j)
        value = float((1 / sizes).sum()) / ensemble.m
        return Explanation(
            "Ā = (1 / m) Σ_k A⁽ᵏ⁾,  A⁽ᵏ⁾ = 1 / (size of the cluster both are in)",
            f"Ā = {(1 / sizes).sum():.3g} / {ensemble.m} = {value:.3g}",
            value,
            f"{_who(together, ensemble)} {i + 1} and {j + 1} together: a step from {i + 1}, of whichever "
            f"base clustering, leads to {j + 1} with probability {value:.3g}.",
        )

    def explain_H(self, ensemble, before, after, i: int, j: int) -> Explanation:
        together, sizes = self._together(ensemble, i, j)
        w = float(after.w[ensemble.microcluster_of(i)])
        asked = float((after.alpha_used[together] / sizes).sum())
        value = w * w * asked
        return Explanation(
            "H = w² Σ_k α_k A⁽ᵏ⁾",
            f"H = {w:.3g}² · {asked:.3g} = {value:.3g}",
            value,
            f"{_who(together, ensemble)} {i + 1} and {j + 1} together; with their weights α that is "
            f"{asked:.3g}, and object {i + 1} counts w² = {w * w:.3g}.",
        )

    def explain_G(self, ensemble, before, after, i: int, j: int) -> Explanation:
        p, r = ensemble.microcluster_of(i), ensemble.microcluster_of(j)
        value = float(sum((a - b) ** 2 for a, b in zip(after.F_used[p], after.F_used[r], strict=True)))
        return Explanation(
            "G = ‖F_i − F_j‖²",
            f"G = {value:.3g}, over {self.k} coordinates",
            value,
            f"{i + 1} and {j + 1} are the same point of F: nothing pulls them apart."
            if value == 0
            else f"{i + 1} and {j + 1} are √{value:.3g} apart in F: the farther, the more a link between them costs.",
        )

    def explain_B(self, ensemble, before, after, i: int, j: int) -> Explanation:
        H, G, value = self._entry(ensemble, after, i, j)
        together, _ = self._together(ensemble, i, j)
        theta = float(after.theta[ensemble.microcluster_of(i)])
        pulled = f"; their distance in F, ρG = {G:.3g}, takes some of it away" if G > 1e-3 * theta else ""
        return Explanation(
            "B = H / (ρG + θ)",
            f"B = {H:.3g} / ({G:.3g} + {theta:.3g}) = {value:.3g}",
            value,
            f"{_who(together, ensemble)} {i + 1} and {j + 1} together and ask for H = {H:.3g}{pulled}."
            if together
            else f"No base clustering puts {i + 1} and {j + 1} together: nobody asks for a link.",
        )

    def explain_A(self, ensemble, before, after, i: int, j: int) -> Explanation:
        there, back = self._cleaned(ensemble, after, i, j), self._cleaned(ensemble, after, j, i)
        value = (there + back) / 2 if (there + back) / 2 > self.tol else 0.0
        _, G, B = self._entry(ensemble, after, i, j)
        tau = float(after.tau[ensemble.microcluster_of(i)])
        words = (
            f"The link is kept: {there:.3g} from {i + 1} to {j + 1} and {back:.3g} back, {value:.3g} on average."
            if value
            else f"No link: B less what the distance in F costs does not pass τ, neither from {i + 1} nor from {j + 1}."
        )
        return Explanation(
            "A = ½ ([B_ij − ρG / 2λ − τ_i]₊ + [B_ji − ρG / 2λ − τ_j]₊)",
            f"[{B:.3g} − {self.pull * G:.3g} − ({tau:.3g})]₊ = {there:.3g},  A = ½ ({there:.3g} + {back:.3g})",
            value,
            words,
        )

    def explain_E(self, ensemble, before, after, i: int, j: int) -> Explanation:
        _, _, B = self._entry(ensemble, after, i, j)
        clean = self._cleaned(ensemble, after, i, j)
        value = B - clean
        words = (
            "Nothing is taken from the link or added to it."
            if abs(value) <= self.tol
            else f"Of the link from {i + 1} to {j + 1}, B = {B:.3g}, "
            + (f"{value:.3g} is noise." if value > 0 else f"too little was there: {-value:.3g} is added.")
        )
        return Explanation(
            "E = B − A (before both directions are averaged)", f"E = {B:.3g} − {clean:.3g}", value, words
        )

    def explain_w(self, ensemble, before, after, i: int) -> Explanation:
        if before is None or not self.use_w:
            why = "no round has been made yet" if before is None else "weights of objects are turned off"
            return Explanation("w = 1", "w = 1", 1.0, f"Object {i + 1} counts fully: {why}.")
        p = ensemble.microcluster_of(i)
        b, gamma = self._difficulty_of(before, p), self._schedule(before)[0]
        value = gamma / (2 * b) if 2 * b > gamma else 1.0
        return Explanation(
            "w = min(γ / 2b, 1)",
            f"w = min({gamma:.3g} / (2 · {b:.3g}), 1) = {value:.3g}",
            value,
            f"The base clusterings disagree with the consensus about object {i + 1} by b = {b:.3g}: "
            + ("an easy object, it counts fully." if value == 1 else f"it counts {value:.3g} of an easy one."),
        )

    def _difficulty_of(self, state: TRCEState, p: int) -> float:
        if self.variant == "released":
            return float(state.KL[p, -1]) * float(state.alpha[-1]) * len(state.alpha)
        return float(sum(float(a) * float(d) for a, d in zip(state.alpha, state.KL[p], strict=True)))

    def explain_b(self, ensemble, before, after, i: int) -> Explanation:
        p = ensemble.microcluster_of(i)
        value = self._difficulty_of(after, p)
        worst = int((after.alpha * after.KL[p]).argmax())
        last = self.variant == "released"
        return Explanation(
            "b = m α_m KL_m" if last else "b = Σ_k α_k KL_k",
            f"b = {value:.3g}",
            value,
            f"What the last base clustering says about object {i + 1}, m times (an index slip)."
            if last
            else f"The base clusterings' disagreement with B about object {i + 1}; most of it comes from "
            f"{ensemble.names[worst]}, {after.alpha[worst]:.3g} · {after.KL[p, worst]:.3g}.",
        )

    def explain_o(self, ensemble, before, after, k: int) -> Explanation:
        value = self._distance_of(ensemble, after, k)
        return Explanation(
            "o = Σ_i w_i² KL_ik",
            f"o = {value:.3g}, over {ensemble.n} objects",
            value,
            f"{ensemble.names[k]} is {value:.3g} away from B, of {(ensemble.counts * after.w**2 @ after.KL).sum():.3g} "
            "for all base clusterings together.",
        )

    def _distance_of(self, ensemble: Ensemble, state: TRCEState, k: int) -> float:
        return float((ensemble.counts * state.w**2 * state.KL[:, k]).sum())

    def explain_alpha(self, ensemble, before, after, k: int) -> Explanation:
        if before is None or not self.use_alpha:
            why = "no round has been made yet" if before is None else "weights of base clusterings are turned off"
            return Explanation("α = m", f"α = {ensemble.m}", float(ensemble.m), f"All count the same: {why}.")
        least = ROUNDING * float((ensemble.counts * after.w**2).sum())
        roots = [max(self._distance_of(ensemble, after, j), least) ** 0.5 for j in range(ensemble.m)]
        value = sum(roots) / roots[k]
        rank = sum(root < roots[k] for root in roots) + 1
        return Explanation(
            "α_k = Σ_j √o_j / √o_k",
            f"α = {sum(roots):.3g} / {roots[k]:.3g} = {value:.3g}",
            value,
            f"{ensemble.names[k]} is number {rank} of {ensemble.m} by closeness to B; an average one would have "
            f"α = {ensemble.m}.",
        )

    def explain_KL(self, ensemble, before, after, i: int, k: int) -> Explanation:
        p = ensemble.microcluster_of(i)
        H, G = self._asked(ensemble, after, p)
        inside = ensemble.rows[:, k] == ensemble.rows[p, k]
        size = float(ensemble.counts[inside].sum())
        logs = float(ensemble.counts[inside] @ np.log(H[inside] / (G[inside] + after.theta[p]))) / size
        value = -float(np.log(size)) - logs
        value = 0.0 if value < ROUNDING else value
        return Explanation(
            "KL = −log |C| − (mean of log B_ij over j in C)",
            f"KL = −{np.log(size):.3g} − ({logs:.3g}) = {value:.3g}",
            value,
            f"{ensemble.names[k]} has object {i + 1} in a cluster of {size:.0f}; B "
            + ("spreads over just these." if value == 0 else "also reaches others, or these unevenly."),
        )

    def explain_theta(self, ensemble, before, after, i: int) -> Explanation:
        p = ensemble.microcluster_of(i)
        H, G = self._asked(ensemble, after, p)
        asked = H * ensemble.counts
        low, high = float((asked - G).max()), float(asked.sum())
        if low < high and (asked[asked > 0] / (G[asked > 0] + low)).sum() > 1:
            value = brentq(lambda t: (asked / (G + t)).sum() - 1, low, high, xtol=1e-300, rtol=1e-15)
        else:
            value = low
        return Explanation(
            "Σ_j H_ij / (ρG_ij + θ_i) = 1",
            f"θ = {value:.3g}, while Σ_j H_ij = {high:.3g}",
            float(value),
            f"The number that makes row {i + 1} of B a distribution.",
        )

    def explain_tau(self, ensemble, before, after, i: int) -> Explanation:
        p = ensemble.microcluster_of(i)
        H, G = self._asked(ensemble, after, p)
        V = H / (G + after.theta[p]) - self.pull * G
        order = np.argsort(-V, kind="stable")
        mass = np.cumsum(ensemble.counts[order])
        levels = (np.cumsum((ensemble.counts * V)[order]) - 1) / mass
        kept = int(np.flatnonzero(V[order] > levels)[-1])
        value = float(levels[kept])
        return Explanation(
            "Σ_j [B_ij − ρG_ij / 2λ − τ_i]₊ = 1",
            f"τ = {value:.3g}",
            value,
            f"The threshold that makes row {i + 1} of A a distribution, before both directions are averaged; "
            f"{mass[kept]:,} of {ensemble.n:,} objects pass it.",
        )

    def explain_rho(self, ensemble, before, after) -> Explanation:
        if before is None:
            return Explanation("ρ = 0", "ρ = 0", 0.0, "Nothing is pulled apart yet.")
        value = self._schedule(before)[1]
        if before.round == 0:
            return Explanation("ρ = ρ₀", f"ρ = {value:g}", value, "The first round starts here.")
        fewer = before.count < self.k
        rule = "ρ = ρ · factor" if fewer else "ρ = ρ / factor" if before.count > self.k else "ρ stays"
        how = "too few, pull harder" if fewer else "too many, pull less" if before.count > self.k else "right"
        left = f"The round before left {_parts(before.count)} of {self.k} wanted: {how}."
        return Explanation(rule, f"ρ = {value:g}", value, left)

    def explain_gamma(self, ensemble, before, after) -> Explanation:
        if before is None and self.gamma0 > 0:
            return Explanation("γ = γ₀", f"γ = {self.gamma0:g}", self.gamma0, "As set.")
        if before is None:
            b = sorted((self._difficulty_of(after, p), int(count)) for p, count in enumerate(ensemble.counts))
            place, value, passed = max(int(ensemble.n * self.easiest), 1), 0.0, 0
            for difficulty, count in b:
                value, passed = difficulty, passed + count
                if passed >= place:
                    break
            value = 2 * (value or b[-1][0])
            words = f"Twice the difficulty b of the {place:,}-th easiest object: about that many count fully at first."
            return Explanation("γ = 2 b₍ₙ/₁₀₎", f"γ = 2 · {value / 2:.3g}", value, words)
        if before.round == 0:
            return Explanation(
                "γ", f"γ = {before.gamma:.3g}", before.gamma, "The first round uses the γ it starts with."
            )
        value = before.gamma * self.ageing
        words = "Every round γ grows, so that more difficult objects come in."
        return Explanation("γ = 1.1 γ", f"γ = {self.ageing:g} · {before.gamma:.3g}", value, words)


def _who(together: list[int], ensemble: Ensemble) -> str:
    if not together:
        return "No base clustering puts"
    return f"{len(together)} of {ensemble.m} base clusterings {'puts' if len(together) == 1 else 'put'}"


def _parts(count: int) -> str:
    return f"{count} component{'' if count == 1 else 's'}"
