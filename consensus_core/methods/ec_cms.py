"""EC-CMS: co-association matrix self-enhancement (Jia, Tao, Wang and Wang 2023)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial, partialmethod

import numpy as np

from ..ensemble import Ensemble
from ..linalg import components
from ..linalg.blocks import BlockInverse, block_inverse
from ..linalg.paired import PairSet, clip_symmetric, pair_sum, row_tiles
from ..linalg.pool import Room
from ..method import (
    Cost,
    Exempt,
    Explanation,
    Matrix,
    Method,
    Paired,
    Scalar,
    State,
    Weights,
    derived,
    param,
    shown,
    speed,
)
from ..partition import linkage
from ..similarity import coassociation, coverage, local_weighting, probability_trajectories, why

LETTERS = {"sigma_C": "C", "sigma_E": "E", "sigma_F": "F", "sigma_Y1": "Y₁", "sigma_Y2": "Y₂"}
RESIDUALS = tuple(LETTERS)
ROUNDING = 1e-15  # a change this small beside A is no change
NEGLIGIBLE = 1e-4  # nor does a change matter that is this part of the tolerance beside A


def residual(letter: str) -> Scalar:
    meaning = f"how much {letter} has changed in this step, relative to its size before (1 where that was 0)"
    return shown(f"σ({letter})", meaning, equation="Algorithm 1, line 8", log=True, default=1.0)


@dataclass(frozen=True, kw_only=True, eq=False)
class ECCMSState(State):
    A: Matrix = shown("A", "the similarity that is to be enhanced", equation="(5)", span=(0, 1))
    C: Matrix = shown(
        "C", "enhanced co-association: alike along high-confidence pairs, close to A", equation="(9)", span=(0, 1)
    )
    Y1: Matrix = shown(
        "Y₁", "multiplier of A = C + E: how hard each pair pulls C back to A", equation="(14)", diverging=True
    )
    P3: Matrix = shown("P₃", "C + Y₂/γ₂, which F makes symmetric and clips to [0, 1]", equation="(12)", minor=True)
    sigma_C: Scalar = residual("C")
    sigma_E: Scalar = residual("E")
    sigma_F: Scalar = residual("F")
    sigma_Y1: Scalar = residual("Y₁")
    sigma_Y2: Scalar = residual("Y₂")
    size: float  # ‖A‖²
    roughness: float = 0.0  # tr(CᵀΦC)
    squares: tuple[float, ...] = (0.0,) * 5  # ‖C‖², ‖E‖², ‖F‖², ‖Y₁‖², ‖Y₂‖² over all pairs of objects
    changes: tuple[float, ...] = (0.0,) * 5  # ‖C' − C‖² and so on
    held: PairSet  # Ω, as far as it holds C to A
    t: np.ndarray  # (q,) diagonal of 2Φ + (γ₁ + γ₂)I
    inverse: BlockInverse  # of 2Φ + (γ₁ + γ₂)I, block by block
    room: Room  # where the steps' matrices live
    moved: bool = False  # False at iteration 0, where Y₁ = A though E = 0


@dataclass(frozen=True, kw_only=True)
class ECCMS(Method):
    """A few pairs are sure, most are doubtful: let the sure ones repair the doubtful ones.

        min  tr(CᵀΦC) + λ/2 ‖E‖²      over C, E                                                       (5)
        s.t. A = C + E,  E = 0 on Ω,  C = Cᵀ,  0 ≤ C ≤ 1

    Ã is the plain co-association (1); Ω the pairs with Ã ≥ α, H the values of Ã there and 0 elsewhere (2); Φ = D − H
    the Laplacian of H with D its row sums, so that tr(CᵀΦC) = ½ Σ_ij H_ij ‖C_i − C_j‖²: objects that are surely
    together must have alike rows in C. A is the similarity to be enhanced (locally weighted co-association, plain Ã or
    probability trajectories), E what is taken for its noise. The problem is convex; ADMM solves it with F as a copy
    of C that bears the last two constraints, and multipliers Y₁ for A = C + E, Y₂ for C = F:

        C = (2Φ + (γ₁+γ₂) I)⁻¹ (γ₁(A − E) + Y₁ + γ₂F − Y₂)          (9)
        E = (γ₁(A − C) + Y₁) / (λ + γ₁) off Ω, 0 on it              (11)
        F = min(max((P₃ + P₃ᵀ)/2, 0), 1) with P₃ = C + Y₂/γ₂        (13)
        Y₁ += γ₁(A − C − E),  Y₂ += γ₂(C − F)                       (14)

    The labels are those of average linkage on 1 − C, of whose two triangles the mean is taken while they still differ
    (the authors' program reads the lower one, which makes the order of the file matter). ADMM's objective rises and
    falls on its way: its iterates meet the constraints only in the end.

    Two variants. "paper" follows the text: an object's pair with itself is in Ω, and the run stops when the *squared*
    norms of all five matrices change by at most ε = 1%. "released" is the authors' program, which gives the published
    tables: A_ii = 1, (i, i) is not in Ω, and the run stops when the norms themselves change by less than 1%. The
    default is "paper": at the recommended α and λ it is as good in a fifth to a seventh of the steps. Far from them,
    at λ = 0.01, ten steps are too few, and "released" (or a smaller ε) is the better choice.

    Y. Jia, S. Tao, R. Wang, Y. Wang: Ensemble clustering via co-association matrix self-enhancement.
    IEEE Trans. Neural Networks and Learning Systems (2023).
    """

    tol: float = param(
        1e-2, "largest change of any of the five matrices that counts as none", letter="ε", equation="Algorithm 1",
        low=0.0, high=1.0, role="common",
    )  # fmt: skip
    alpha: float = param(
        0.8, "share of base clusterings that makes a pair sure: lower trusts more pairs",
        plain="share that makes a pair sure", letter="α", equation="(2)",
        low=0.0, high=1.0, step=0.05,
    )  # fmt: skip
    lam: float = param(
        0.4, "how close C stays to A: large gives A back, small trusts the sure pairs alone",
        plain="faithfulness to A", letter="λ",
        equation="(5)", low=1e-3, high=1e3, log=True,
    )  # fmt: skip
    similarity: str = param(
        "local weighting",
        "which similarity A is enhanced",
        plain="similarity enhanced",
        choices=("local weighting", "co-association", "trajectories"),
    )
    theta: float = param(
        0.4,
        "local weighting: how much a torn cluster still counts",
        plain="mercy for torn clusters",
        letter="θ",
        low=0.1,
        high=4.0,
        step=0.1,
    )
    gamma1: float = param(
        1.0, "penalty on A = C + E: the path to the answer, not the answer",
        plain="penalty", letter="γ₁", equation="(7)",
        low=1e-2, high=1e2, log=True, role="schedule",
    )  # fmt: skip
    gamma2: float = param(
        1.0, "penalty on C = F: the path to the answer, not the answer",
        plain="penalty", letter="γ₂", equation="(7)",
        low=1e-2, high=1e2, log=True, role="schedule",
    )  # fmt: skip
    smooth: bool = param(
        True,
        "with the Laplacian term tr(CᵀΦC); without it C = A",
        plain="Laplacian term",
        equation="(3)",
        role="ablation",
    )
    hold: bool = param(
        True, "with E = 0 on the sure pairs", plain="no noise on sure pairs", equation="(5)", role="ablation"
    )
    variant: str = param("paper", "the text, or the authors' program", choices=("paper", "released"))

    short = "EC-CMS"
    title = "Self-enhanced co-association"
    family = "co-association"
    reference = "Jia, Tao, Wang & Wang, IEEE Trans. Neural Networks and Learning Systems (2023)"
    handles_missing = "each pair is judged by the base clusterings that have a label for both"
    State = ECCMSState
    monotone = Exempt(
        "ADMM's iterates meet the constraints A = C + E and C = F only in the limit; before, (5) may rise"
    )
    scale_free = Exempt("Φ grows with the number of objects while λ‖E‖² weighs each pair the same, so λ means less")

    @property
    def exact_on_rows(self) -> bool | Exempt:
        if self.similarity == "trajectories":
            return Exempt("probability trajectories are walks between distinct label rows, by definition")
        return True

    # --- iteration 0 ------------------------------------------------------------------------------------------

    def init(self, ensemble: Ensemble) -> ECCMSState:
        A = self._similarity(ensemble)
        H = coassociation(ensemble)
        sure = H >= self.alpha
        if ensemble.has_missing:
            sure &= coverage(ensemble) > 0
        H *= sure if self.smooth else 0.0
        t = 2 * (H @ ensemble.counts) + self.gamma1 + self.gamma2
        _, parts = components(H)
        H *= 2
        inverse = block_inverse(H, parts, t, ensemble.counts)
        released = self.variant == "released"
        held = PairSet.where(sure & self.hold, sure.diagonal() & (self.hold and not released))
        A = Paired(A, np.ones(ensemble.q) if released else A.diagonal().copy())
        size = sum(pair_sum(rows, ensemble.counts, np.square(A.B[rows])) for rows in row_tiles(ensemble.q))
        size += float(ensemble.counts @ np.square(A.d))
        nothing = Paired(np.zeros_like(A.B), np.zeros(ensemble.q))
        # without the Laplacian C = A, E = 0 is the answer, so the run starts there; else as Algorithm 1 says
        C, Y1 = (nothing, A) if self.smooth else (A, nothing)
        return ECCMSState(
            A=A, C=C, Y1=Y1, P3=C, held=held, t=t, inverse=inverse, moved=not self.smooth, size=size, room=Room()
        )

    def _similarity(self, ensemble: Ensemble) -> np.ndarray:
        if self.similarity == "co-association":
            return coassociation(ensemble)
        if self.similarity == "trajectories":
            return probability_trajectories(ensemble)
        return local_weighting(ensemble, self.theta)

    # --- one iteration of Algorithm 1 -------------------------------------------------------------------------

    def step(self, ensemble: Ensemble, state: ECCMSState) -> ECCMSState:
        counts = ensemble.counts.astype(float)
        R, Y2 = self._right_side(state)
        C, product = self._solved(state, R, counts)
        Y1, P3, squares, changes = self._followed(state, C, Y2, counts)
        return replace(
            state, C=C, Y1=Y1, P3=P3, squares=squares, changes=changes, moved=True,
            roughness=max(0.0, (product - (self.gamma1 + self.gamma2) * squares[0]) / 2),
            **{
                name: self._ratio(change, before, after, state.size)
                for name, change, before, after in zip(RESIDUALS, changes, state.squares, squares, strict=True)
            },
        )  # fmt: skip

    def _right_side(self, state: ECCMSState) -> tuple[Paired, Paired]:
        """R = γ₁(A − E) + Y₁ + γ₂F − Y₂ of (9), and Y₂/γ₂ = P₃ − F."""
        q = len(state.t)
        R, Y2 = _new(state), _new(state)
        A, Y1, P3 = state.A, state.Y1, state.P3
        # off Ω the step before has left Y₁ = λE, on it E = 0
        share = 1 - self.gamma1 / self.lam if state.moved else 1.0

        def fill(A, Y1, P3, held, F, R, Y2, scratch):
            np.subtract(P3, F, out=Y2)
            np.subtract(F, Y2, out=R)
            _scale(R, self.gamma2)
            R += A if self.gamma1 == 1 else np.multiply(A, self.gamma1, out=scratch)
            np.multiply(Y1, share, out=scratch)
            scratch.reshape(-1)[held] = Y1.reshape(-1)[held]
            R += scratch

        for rows in row_tiles(q):
            F, scratch = np.empty((2, rows.stop - rows.start, q))
            clip_symmetric(P3.B, rows, out=F)
            fill(A.B[rows], Y1.B[rows], P3.B[rows], state.held.inside(rows), F, R.B[rows], Y2.B[rows], scratch)
        fill(A.d, Y1.d, P3.d, state.held.own, np.clip(P3.d, 0, 1), R.d, Y2.d, np.empty(q))
        return R, Y2

    def _solved(self, state: ECCMSState, R: Paired, counts: np.ndarray) -> tuple[Paired, float]:
        """C of (9), in the room of R, and ⟨C, R⟩ over all pairs of objects.

        With n the counts and U the membership of objects, 2Φ + (γ₁+γ₂) I = diag(t) − 2 U H Uᵀ. For R = U B Uᵀ + diag(s)
        the solution is again of this form: s/t on the diagonal, and in place of B, with K = diag(t) − 2H diag(n),
        K⁻¹(B + 2H diag(s/t)) = K⁻¹(B + diag(s/n)) − diag(s/(n t)).
        """
        B, own, t = R.B, R.d, state.t
        place = np.diag_indices(len(t))
        within = B[place]
        extra = own - within
        B[place] = solved_within = within + extra / counts
        product = state.inverse.solve(B, counts)
        product -= float(counts**2 @ (B[place] * solved_within))
        B[place] -= extra / (counts * t)
        C = Paired(B, B[place] + extra / t)
        product += float(counts * (counts - 1) @ (B[place] * within) + counts @ (C.d * own))
        return C, product

    def _followed(self, old: ECCMSState, C: Paired, Y2: Paired, counts: np.ndarray) -> tuple:
        """Y₁ of (14), P₃ in the room of Y₂, and ‖X‖², ‖X' − X‖² for C, E, F, Y₁, Y₂ over all pairs of objects."""
        q = len(counts)
        Y1, P3 = _new(old), Y2
        keep = self.lam / (self.lam + self.gamma1)  # E = Y₁/λ off Ω: (11) put into (14)
        squares, changes = np.zeros(5), np.zeros(5)

        def follow(sum_of, held, A, Y1_old, C_old, C, Y1, P3):
            P3 += C
            D = np.subtract(A, C)
            _scale(D, self.gamma1)
            D += Y1_old
            np.multiply(D, keep, out=Y1)
            Y1.reshape(-1)[held] = D.reshape(-1)[held]
            squares[0] += sum_of(np.square(C, out=D))
            np.subtract(C, C_old, out=D)
            changes[0] += sum_of(np.square(D, out=D))
            squares[3] += sum_of(np.square(Y1, out=D))
            D.reshape(-1)[held] = 0.0
            squares[1] += sum_of(D) / self.lam**2
            np.subtract(Y1, Y1_old, out=D)
            changes[3] += sum_of(np.square(D, out=D))
            D.reshape(-1)[held] = 0.0
            changes[1] += sum_of(D) / self.lam**2

        def mirror(sum_of, P3_old, C, P3, F):
            D = np.subtract(P3, F)
            squares[4] += sum_of(np.square(D, out=D)) * self.gamma2**2
            np.subtract(C, F, out=D)
            squares[2] += sum_of(np.square(F, out=F))
            changes[4] += sum_of(np.square(D, out=F)) * self.gamma2**2
            np.subtract(P3, D, out=D)  # F' − F = P₃' − P₃ − (C' − F')
            D -= P3_old
            changes[2] += sum_of(np.square(D, out=D))

        for rows in row_tiles(q):
            sum_of = partial(pair_sum, rows, counts)
            before = (old.held.inside(rows), old.A.B[rows], old.Y1.B[rows], old.C.B[rows])
            follow(sum_of, *before, C.B[rows], Y1.B[rows], P3.B[rows])
        follow(counts.dot, old.held.own, old.A.d, old.Y1.d, old.C.d, C.d, Y1.d, P3.d)
        for rows in row_tiles(q):
            F = clip_symmetric(P3.B, rows, out=np.empty((rows.stop - rows.start, q)))
            mirror(partial(pair_sum, rows, counts), old.P3.B[rows], C.B[rows], P3.B[rows], F)
        mirror(counts.dot, old.P3.d, C.d, P3.d, np.clip(P3.d, 0, 1))
        if not old.moved:
            changes[1] = squares[1]  # E was 0 while Y₁ was A
        return Y1, P3, tuple(squares.tolist()), tuple(changes.tolist())

    def _ratio(self, change: float, before: float, after: float, size: float) -> float:
        """‖X' − X‖² / ‖X‖², or its root as the authors' program has it; against ‖X'‖ where X was 0."""
        if change <= ROUNDING**2 * size:
            return 0.0
        ratio = change / (before or after)
        return math.sqrt(ratio) if self.variant == "released" else ratio

    def converged(self, old: ECCMSState, new: ECCMSState) -> bool:
        return all(self._settled(new, name) for name in RESIDUALS)

    def _settled(self, state: ECCMSState, name: str) -> bool:
        """Algorithm 1, line 8. A matrix on its way to 0 changes by the same share for ever: it is measured beside A."""
        ratio = getattr(state, name)
        if ratio < self.tol if self.variant == "released" else ratio <= self.tol:
            return True
        return state.changes[RESIDUALS.index(name)] <= (NEGLIGIBLE * self.tol) ** 2 * state.size

    def terms(self, ensemble: Ensemble, state: ECCMSState) -> dict[str, float]:
        return {"tr(CᵀΦC)": state.roughness, "λ/2 ‖E‖²": self.lam / 2 * state.squares[1]}

    def labels(self, ensemble: Ensemble, state: ECCMSState) -> np.ndarray:
        """Average linkage on 1 − C, of whose two triangles the mean is taken while they still differ."""
        C = state.C.B if state.moved else state.A.B  # before the first step there is A alone
        S = state.room.array(*C.shape)
        np.add(C, C.T, out=S)
        S *= 0.5
        return linkage(S, ensemble.counts, overwrite=True).cut(self.k)

    def stage(self, state: ECCMSState) -> str:
        if not state.moved:
            return ""
        name = max(RESIDUALS, key=lambda name: getattr(state, name))
        return f"most change in {LETTERS[name]}: {getattr(state, name):.2g}, stops at {self.tol:g}"

    def remarks(self, ensemble: Ensemble, state: ECCMSState) -> tuple[str, ...]:
        said = []
        if self.smooth and not state.inverse.rows:
            said.append(
                f"No two different label rows agree in a share α = {self.alpha:g} of the base clusterings: there is "
                "nothing sure to spread, and C stays near A. A lower α trusts more pairs."
            )
        lost = int(ensemble.counts[ensemble.never_observed].sum())
        if lost:
            said.append(f"{lost:,} object{'s have' if lost > 1 else ' has'} no label at all: nothing places them.")
        return tuple(said)

    def cost(self, ensemble: Ensemble) -> Cost:
        """The blocks of H's components leave .3 to 1 of the full product; the text stops after about 10 steps."""
        q, K = ensemble.q, int(ensemble.offsets[-1])
        machine = speed()
        steps = min(self.max_iter, (10 if self.variant == "paper" else 65) if self.smooth else 1)
        products = q * q * (steps * 0.65 * q + 0.7 * q + K)
        if self.similarity == "trajectories":
            products += 3 * q**3 * math.log2(1 + q)
        seconds = products / machine.products + q * q * (steps * 25 + 100) / machine.entries + steps * 4e-4 + 5e-3
        return Cost(bytes=72 * q * q + 16 * q * K + 4_000_000, seconds=seconds)

    # --- shown besides what is kept ---------------------------------------------------------------------------

    @derived(
        "Ã", "plain co-association: share of base clusterings that put a pair together", equation="(1)", span=(0, 1)
    )
    def plain(self, ensemble: Ensemble, state: ECCMSState) -> Matrix:
        return coassociation(ensemble)

    @derived("H", "the sure pairs: Ã where it is at least α, else 0", equation="(2)", span=(0, 1))
    def H(self, ensemble: Ensemble, state: ECCMSState) -> Matrix:
        H = coassociation(ensemble)
        H[H < self.alpha] = 0.0
        return H

    @derived("D", "sure partners of each object, each counted with its H", equation="(5)")
    def D(self, ensemble: Ensemble, state: ECCMSState) -> Weights:
        return self.H(ensemble, state) @ ensemble.counts.astype(float)

    @derived("E", "what is taken for noise in A; none on sure pairs", equation="(11)", diverging=True)
    def E(self, ensemble: Ensemble, state: ECCMSState) -> Matrix:
        if not state.moved:
            return state.C
        return Paired(
            *(np.where(held, 0.0, Y1 / self.lam) for Y1, held in zip(state.Y1, state.held.masks(), strict=True))
        )

    @derived("F", "C made symmetric and clipped to [0, 1]", equation="(13)", span=(0, 1))
    def F(self, ensemble: Ensemble, state: ECCMSState) -> Matrix:
        F = np.empty_like(state.P3.B)
        for rows in row_tiles(len(F)):
            clip_symmetric(state.P3.B, rows, out=F[rows])
        return Paired(F, np.clip(state.P3.d, 0.0, 1.0))

    @derived(
        "Y₂",
        "multiplier of C = F: how hard each pair is pulled to symmetry and [0, 1]",
        equation="(14)",
        diverging=True,
    )
    def Y2(self, ensemble: Ensemble, state: ECCMSState) -> Matrix:
        F = self.F(ensemble, state)
        return Paired(*(self.gamma2 * (P3 - F) for P3, F in zip(state.P3, F, strict=True)))

    # --- why is this value what it is? -------------------------------------------------------------------------

    def explain_plain(self, ensemble: Ensemble, before, after, i: int, j: int) -> Explanation:
        return why.of_coassociation(ensemble, i, j, "Ã")

    def explain_H(self, ensemble: Ensemble, before, after, i: int, j: int) -> Explanation:
        share = self.explain_plain(ensemble, before, after, i, j).value
        sure = share >= self.alpha
        return Explanation(
            "H = Ã if Ã ≥ α, else 0",
            f"Ã = {share:.3g} {'≥' if sure else '<'} α = {self.alpha:g}, H = {share if sure else 0:.3g}",
            share if sure else 0.0,
            f"{share:.0%} of the base clusterings put {i + 1} and {j + 1} together: "
            + ("a sure pair, their rows of C are drawn together." if sure else "not sure enough to be spread."),
        )

    def explain_D(self, ensemble: Ensemble, before, after, i: int) -> Explanation:
        p = ensemble.microcluster_of(i)
        H = self._sure_row(ensemble, p)
        partners = int(ensemble.counts[H > 0].sum())
        return Explanation(
            "D_ii = Σ_j H_ij",
            f"D = {H @ ensemble.counts:.4g}, over {partners:,} objects",
            float(H @ ensemble.counts),
            f"{i + 1} has {max(partners - 1, 0):,} sure partners besides itself.",
        )

    def explain_A(self, ensemble: Ensemble, before, after, i: int, j: int) -> Explanation:
        if i == j and self.variant == "released":
            return Explanation(
                "A_ii = 1", "A = 1", 1.0, "The authors' program sets an object's likeness to itself to 1."
            )
        if self.similarity == "co-association":
            return why.of_coassociation(ensemble, i, j)
        if self.similarity == "trajectories":
            return why.of_trajectories(ensemble, i, j)
        return why.of_local_weighting(ensemble, i, j, self.theta)

    def explain_C(self, ensemble: Ensemble, before, after, i: int, j: int) -> Explanation:
        if before is None:
            return self._explain_start(ensemble, after, "C", i, j)
        p, r = ensemble.microcluster_of(i), ensemble.microcluster_of(j)
        counts = ensemble.counts.astype(float)
        H = self._sure_row(ensemble, p) if self.smooth else np.zeros(ensemble.q)
        target = self._target(ensemble, before, i, j)
        # objects of i's row that have the very same entry are left out on both sides
        column, others = after.C.B[:, r].copy(), counts.copy()
        if i == j:
            others[p] -= 1
        elif p == r:
            column[p], others[p] = after.C.d[p], 1.0
        else:
            column[r] = ((counts[r] - 1) * after.C.B[r, r] + after.C.d[r]) / counts[r]
            others[p] = 0.0
        weight, pull = float(H @ others), float(H @ (others * column))
        gammas = self.gamma1 + self.gamma2
        value = (target + 2 * pull) / (gammas + 2 * weight)
        alone = f"Alone, {i + 1} and {j + 1} would get {target / gammas:.3g}. "
        if weight:
            words = (
                f"The other sure partners of {i + 1}, which weigh {weight:.3g}, have {pull / weight:.3g} with {j + 1} "
                f"on average and draw it to {value:.3g}."
            )
        else:
            words = f"{i + 1} has no other sure partners, so it stays."
        return Explanation(
            "C_ij = (R_ij + 2 Σ_l H_il C_lj) / (γ₁ + γ₂ + 2 Σ_l H_il), R = γ₁(A − E) + Y₁ + γ₂F − Y₂",
            f"C = ({target:.3g} + 2 · {pull:.3g}) / ({gammas:.3g} + 2 · {weight:.3g})",
            value,
            alone + words,
        )

    def explain_E(self, ensemble: Ensemble, before, after, i: int, j: int) -> Explanation:
        if before is None:
            return self._explain_start(ensemble, after, "E", i, j)
        A, C, Y1 = (_entry(ensemble, pair, i, j) for pair in (after.A, after.C, before.Y1))
        if self._holds(ensemble, i, j):
            words = f"{i + 1} and {j + 1} are a sure pair: C is held to A here, so no noise is allowed."
            return Explanation("E = 0 on Ω", "E = 0", 0.0, words)
        value = (self.gamma1 * (A - C) + Y1) / (self.lam + self.gamma1)
        return Explanation(
            "E = (γ₁(A − C) + Y₁) / (λ + γ₁)",
            f"E = ({self.gamma1:g} · ({A:.3g} − {C:.3g}) + {Y1:.3g}) / ({self.lam:g} + {self.gamma1:g})",
            value,
            f"Of A = {A:.3g} between {i + 1} and {j + 1}, {value:.3g} is taken for noise.",
        )

    def explain_F(self, ensemble: Ensemble, before, after, i: int, j: int) -> Explanation:
        if before is None:
            return self._explain_start(ensemble, after, "F", i, j)
        value, one, two = self._clipped(ensemble, after, i, j)
        mean = (one + two) / 2
        clipped = "" if value == mean else f", which is outside [0, 1] and becomes {value:g}"
        return Explanation(
            "F = min(max((P₃_ij + P₃_ji) / 2, 0), 1)",
            f"F = min(max(({one:.3g} + {two:.3g}) / 2, 0), 1)",
            value,
            f"P₃ has {one:.3g} from {i + 1} to {j + 1} and {two:.3g} back; the mean is {mean:.3g}{clipped}.",
        )

    def explain_P3(self, ensemble: Ensemble, before, after, i: int, j: int) -> Explanation:
        if before is None:
            return self._explain_start(ensemble, after, "P₃", i, j)
        C, Y2 = _entry(ensemble, after.C, i, j), self._pull(ensemble, before, i, j)
        return Explanation(
            "P₃ = C + Y₂/γ₂",
            f"P₃ = {C:.3g} + {Y2:.3g}/{self.gamma2:g}",
            C + Y2 / self.gamma2,
            "What F will be made of: C, moved on by the pull that symmetry and the bounds have built up.",
        )

    def explain_Y1(self, ensemble: Ensemble, before, after, i: int, j: int) -> Explanation:
        if before is None:
            return self._explain_start(ensemble, after, "Y₁", i, j)
        A, C, Y1 = (_entry(ensemble, pair, i, j) for pair in (after.A, after.C, before.Y1))
        E = self.explain_E(ensemble, before, after, i, j).value
        value = Y1 + self.gamma1 * (A - C - E)
        return Explanation(
            "Y₁ ← Y₁ + γ₁(A − C − E)",
            f"Y₁ = {Y1:.3g} + {self.gamma1:g} · ({A:.3g} − {C:.3g} − {E:.3g})",
            value,
            f"C + E is {A - C - E:.3g} {'short of' if A > C + E else 'beyond'} A: the pull to A grows by as much.",
        )

    def explain_Y2(self, ensemble: Ensemble, before, after, i: int, j: int) -> Explanation:
        if before is None:
            return self._explain_start(ensemble, after, "Y₂", i, j)
        C, F = _entry(ensemble, after.C, i, j), self._clipped(ensemble, after, i, j)[0]
        Y2 = self._pull(ensemble, before, i, j)
        return Explanation(
            "Y₂ ← Y₂ + γ₂(C − F)",
            f"Y₂ = {Y2:.3g} + {self.gamma2:g} · ({C:.3g} − {F:.3g})",
            Y2 + self.gamma2 * (C - F),
            f"C is {abs(C - F):.3g} {'above' if C > F else 'below'} F: the pull to symmetry and [0, 1] grows by that.",
        )

    def _explain_residual(self, ensemble: Ensemble, before, after, *, name: str) -> Explanation:
        letter, which = LETTERS[name], RESIDUALS.index(name)
        power = "" if self.variant == "released" else "²"
        formula = f"σ = ‖{letter}' − {letter}‖{power} / ‖{letter}‖{power}"
        if before is None:
            return Explanation(formula, "σ = 1", 1.0, "No step has been made yet.")
        change, size, new = after.changes[which], before.squares[which], after.squares[which]
        value = self._ratio(change, size, new, after.size)
        root = math.sqrt if self.variant == "released" else float
        done = self._settled(after, name)
        return Explanation(
            formula,
            f"σ = {root(change):.3g} / {root(size or new):.3g}",
            value,
            f"{letter} {'has settled' if done else 'still moves'}: the run stops when all five are "
            f"{'below' if self.variant == 'released' else 'at most'} {self.tol:g}.",
        )

    explain_sigma_C = partialmethod(_explain_residual, name="sigma_C")
    explain_sigma_E = partialmethod(_explain_residual, name="sigma_E")
    explain_sigma_F = partialmethod(_explain_residual, name="sigma_F")
    explain_sigma_Y1 = partialmethod(_explain_residual, name="sigma_Y1")
    explain_sigma_Y2 = partialmethod(_explain_residual, name="sigma_Y2")

    def _explain_start(self, ensemble: Ensemble, after: ECCMSState, letter: str, i: int, j: int) -> Explanation:
        as_A = letter == "Y₁" if self.smooth else letter in ("C", "F", "P₃")
        if not as_A:
            return Explanation(f"{letter} = 0", f"{letter} = 0", 0.0, "Where the run starts.")
        A = self.explain_A(ensemble, None, after, i, j)
        why = (
            "Where the run starts."
            if self.smooth
            else "Without the Laplacian term A is the answer: the run starts there."
        )
        return Explanation(f"{letter} = A", f"{letter} = {A.value:.3g}", A.value, why)

    # --- single entries, as the equations have them -----------------------------------------------------------

    def _sure_row(self, ensemble: Ensemble, p: int) -> np.ndarray:
        """Row p of H."""
        same = (ensemble.rows == ensemble.rows[p]) & ~ensemble.missing[p]
        seen = (~ensemble.missing & ~ensemble.missing[p]).sum(axis=1)
        share = same.sum(axis=1) / np.maximum(seen, 1)
        return np.where((share >= self.alpha) & (seen > 0), share, 0.0)

    def _holds(self, ensemble: Ensemble, i: int, j: int) -> bool:
        """Is the pair in Ω, as far as it holds E to 0?"""
        if not self.hold or (i == j and self.variant == "released"):
            return False
        together, seen = why.votes(ensemble, i, j)
        return seen > 0 and len(together) / seen >= self.alpha

    def _clipped(self, ensemble: Ensemble, state: ECCMSState, i: int, j: int) -> tuple[float, float, float]:
        """F by (13), and the two entries of P₃ it comes from."""
        one, two = _entry(ensemble, state.P3, i, j), _entry(ensemble, state.P3, j, i)
        return min(max((one + two) / 2, 0.0), 1.0), one, two

    def _pull(self, ensemble: Ensemble, state: ECCMSState, i: int, j: int) -> float:
        """Y₂ = γ₂(P₃ − F)."""
        F, P3, _ = self._clipped(ensemble, state, i, j)
        return self.gamma2 * (P3 - F)

    def _target(self, ensemble: Ensemble, before: ECCMSState, i: int, j: int) -> float:
        """γ₁(A − E) + Y₁ + γ₂F − Y₂, the right-hand side of (9)."""
        A, Y1 = _entry(ensemble, before.A, i, j), _entry(ensemble, before.Y1, i, j)
        E = 0.0 if not before.moved or self._holds(ensemble, i, j) else Y1 / self.lam
        F = self._clipped(ensemble, before, i, j)[0]
        return self.gamma1 * (A - E) + Y1 + self.gamma2 * F - self._pull(ensemble, before, i, j)


def _entry(ensemble: Ensemble, pair: Paired, i: int, j: int) -> float:
    p, r = ensemble.microcluster_of(i), ensemble.microcluster_of(j)
    return float(pair.d[p] if i == j else pair.B[p, r])


def _new(state: ECCMSState) -> Paired:
    q = len(state.t)
    return Paired(state.room.array(q, q), np.empty(q))


def _scale(array: np.ndarray, factor: float) -> None:
    if factor != 1:
        array *= factor
