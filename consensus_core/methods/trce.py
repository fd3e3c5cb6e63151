"""Tri-level robust clustering ensemble with multiple graph learning (Zhou, Du, Shen and Li 2021)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..cost import Cost, speed
from ..ensemble import Ensemble
from ..linalg import components, project_simplex, reciprocal_root, smallest_eigenvectors, symmetrise
from ..method import Exempt, Method, State
from ..params import param
from ..partition import exactly
from ..quantities import Embedding, Matrix, Scalar, Weights, derived, shown
from ..transitions import Transitions, transitions_of

TILE = 1 << 15  # entries handled together: a dozen temporaries stay in the second cache
ROUNDING = 1e-12  # divergences below it are equality: α and w would divide by them
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
    clusterings and, on real data, on nothing else.

    P. Zhou, L. Du, Y.-D. Shen, X. Li: Tri-level robust clustering ensemble with multiple graph learning. AAAI 35 (2021)
    11125–11133.
    """

    max_iter: int = param(10, "most rounds", low=1, high=10_000, role="common")
    tol: float = param(1e-12, "transition probability below which A has no link", low=0.0, high=1e-3, role="common")
    lam: float = param(
        1.0, "price of noise: the higher, the less is taken out of the graph", letter="λ", low=1e-5, high=1e5, log=True,
        equation="(4)",
    )  # fmt: skip
    variant: str = param(
        "paper", "difficulty b from all base clusterings, or as the published program has it",
        choices=("paper", "released"),
        equation="(5)",
    )  # fmt: skip
    exact_k: bool = param(True, "merge or split the components found until there are exactly k")
    use_E: bool = param(True, "take noise E out of the graph", letter="E", role="ablation", equation="(3)")
    use_w: bool = param(True, "let easy objects count more", letter="w", role="ablation", equation="(6)")
    use_alpha: bool = param(
        True, "let better base clusterings count more", letter="α", role="ablation", equation="(16)"
    )
    keep_F: bool = param(
        True, "keep F while there are too many components", letter="F", role="ablation", equation="(12)"
    )
    gamma0: float = param(
        0.0, "γ in the first round; 0: where the easiest objects count fully", letter="γ₀", low=0.0, high=1e6,
        role="schedule", equation="(6)",
    )  # fmt: skip
    easiest: float = param(
        0.1, "share of objects that count fully at first", low=0.0, high=1.0, role="schedule", equation="(6)"
    )
    ageing: float = param(1.1, "growth of γ per round", low=1.0, high=10.0, role="schedule", equation="(6)")
    rho0: float = param(1.0, "ρ in the first round", letter="ρ₀", low=1e-6, high=1e6, log=True, role="schedule")
    rho_factor: float = param(2.0, "factor ρ moves by", low=1.01, high=100.0, role="schedule", equation="(4)")

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
        KL = np.empty((q, m))
        for rows, indices, H, _ in self._tiles(walks, start):
            KL[rows] = divergences(walks, rows, indices, H, H / (m * m))
        state = self._settled(ensemble, replace(start, KL=KL), self.A(ensemble, start), None)
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
            KL[rows] = divergences(walks, rows, indices, H, B)
            if self.use_E:
                G *= -self.pull
                G += B
                A[rows] = project_simplex(G, counts)
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
        height = max(1, TILE // walks.q)
        for start in range(0, walks.q, height):
            rows = slice(start, min(start + height, walks.q))
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
            mu, F = smallest_eigenvectors(A, self.k, counts, warm=F)
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

    def converged(self, old: TRCEState, new: TRCEState) -> bool:
        return new.count == self.k and new.round >= 2

    def diverged(self, state: TRCEState) -> bool:
        return state.round > 0 and not 1 / OUT_OF_REACH < state.rho < OUT_OF_REACH

    def cost(self, ensemble: Ensemble) -> Cost:
        q, m, machine = ensemble.q, ensemble.m, speed()
        per_round = 40 * q * q / machine.entries + (q**3 / 6 + q * q * self.k * 4) / machine.products
        return Cost(bytes=36 * q * q + 48 * q * (self.k + m), seconds=self.max_iter * per_round)

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


def divergences(walks: Transitions, rows: slice, indices: list, H: np.ndarray, B: np.ndarray) -> np.ndarray:
    """KL(A⁽ᵏ⁾_i ‖ B_i) = −log |C_k(i)| − mean of log B_ij over C_k(i): (r, m). B is positive where H is."""
    logs = np.log(B, out=np.zeros_like(B), where=H > 0)
    logs *= walks.counts
    KL = -np.log(walks.sizes[rows]) - walks.means(rows, indices, logs)
    KL[KL < ROUNDING] = 0
    return KL
