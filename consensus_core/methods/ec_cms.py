"""EC-CMS: co-association matrix self-enhancement (Jia, Tao, Wang and Wang 2023)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np

from ..ensemble import Ensemble
from ..linalg import components, symmetrise
from ..linalg.blocks import BlockInverse, block_inverse
from ..linalg.paired import Paired, PairSet, clipped_symmetric, tiles
from ..linalg.pool import Room
from ..method import At, Cost, Exempt, Matrix, Scalar, Told, Weights, derived, param, shown, speed, tells
from ..method.evidence import LocallyWeighted, cosine_of_walks, share, weighted_share
from ..method.params import ablation, common, schedule
from ..method.residuals import Residuals, ResidualState, residual, tells_residual
from ..method.schedule import parted_in_words, unseen_in_words
from ..numbers import number
from ..partition import Dendrogram, linkage
from ..similarity import coassociation, coverage, local_weighting, probability_trajectories

_TREES: WeakKeyDictionary = WeakKeyDictionary()  # state -> its tree: labels and remarks ask for it in turn
PAIR = ("object", "object")
LINE_8 = "Algorithm 1, line 8"
PARTNERS = "sure partners, the object itself left out"


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class ECCMSState(ResidualState):
    A: Matrix = shown("A", "the similarity that is to be enhanced", equation="(5)", span=(0, 1))
    C: Matrix = shown("C", "enhanced co-association: alike along sure pairs, close to A", equation="(9)", span=(0, 1))
    Y1: Matrix = shown("Y₁", "multiplier of A = C + E: how hard each pair pulls C back to A", equation="(14)",
        diverging=True)
    P3: Matrix = shown("P₃", "C + Y₂/γ₂, which F makes symmetric and clips to [0, 1]", equation="(12)", minor=True)
    sigma_C: Scalar = residual("C", LINE_8)
    sigma_E: Scalar = residual("E", LINE_8)
    sigma_F: Scalar = residual("F", LINE_8)
    sigma_Y1: Scalar = residual("Y₁", LINE_8)
    sigma_Y2: Scalar = residual("Y₂", LINE_8)
    roughness: float = 0.0  # tr(CᵀΦC)
    held: PairSet  # Ω, as far as it holds E to 0
    t: np.ndarray  # (q,) diagonal of 2Φ + (γ₁ + γ₂)I
    inverse: BlockInverse  # of 2Φ + (γ₁ + γ₂)I, block by block
    room: Room  # where the steps' matrices live
    moved: bool  # False at iteration 0, where Y₁ = A though E = 0


@dataclass(frozen=True, kw_only=True)
class ECCMS(Residuals, LocallyWeighted):
    """A few pairs are sure, most are doubtful: let the sure ones repair the doubtful ones.

        min  tr(CᵀΦC) + λ/2 ‖E‖²      over C, E                                                       (5)
        s.t. A = C + E,  E = 0 on Ω,  C = Cᵀ,  0 ≤ C ≤ 1

    Ã is the plain co-association (1); Ω the pairs with Ã ≥ α, H the values of Ã there and 0 elsewhere (2); Φ = D − H
    the Laplacian of H with D its row sums, so that tr(CᵀΦC) = ½ Σ_ij H_ij ‖C_i − C_j‖²: objects that are surely
    together must have alike rows in C. A is the similarity to be enhanced (locally weighted co-association, plain Ã or
    probability trajectories), E what is taken for its noise. The problem is convex; ADMM solves it with F as a copy
    of C that bears the last two constraints, and multipliers Y₁ for A = C + E, Y₂ for C = F:

        C = (2Φ + (γ₁+γ₂) I)⁻¹ R,  R = γ₁(A − E) + Y₁ + γ₂F − Y₂    (9)
        E = (γ₁(A − C) + Y₁) / (λ + γ₁) off Ω, 0 on it              (11)
        F = min(max((P₃ + P₃ᵀ)/2, 0), 1) with P₃ = C + Y₂/γ₂        (13)
        Y₁ += γ₁(A − C − E),  Y₂ += γ₂(C − F)                       (14)

    The labels are those of average linkage on 1 − C, of whose two triangles the mean is taken while they still differ
    (the authors' program reads the lower one, which makes the order of the file matter). ADMM's objective rises and
    falls on its way: its iterates meet the constraints only in the end.

    Two variants. "paper" follows the text: an object's pair with itself is in Ω, and the run stops when the *squared*
    norms of all five matrices change by at most ε = 1%. "released" is the authors' program, which gives the published
    tables: A_ii = 1, (i, i) is not in Ω, and the run stops when the norms themselves change by less than 1%. "paper",
    the default, is as good at the recommended α and λ in a fifth to a seventh of the steps. Far from them, at
    λ = 0.01, ten steps are too few, and "released" (or a smaller ε) is the better choice.

    Y. Jia, S. Tao, R. Wang, Y. Wang: Ensemble clustering via co-association matrix self-enhancement. TNNLS (2023).
    """

    max_iter: int = common(100, "most steps", span=(1, 100_000))
    tol: float = common(1e-2, "largest change of any of the five matrices that counts as none", plain="tolerance",
        letter="ε", equation="Algorithm 1", span=(0.0, 1.0))
    alpha: float = param(0.8, "share of base clusterings that makes a pair sure: lower trusts more pairs",
        plain="share that makes a pair sure", letter="α", equation="(2)", span=(0.0, 1.0), step=0.05)
    lam: float = param(0.4, "how close C stays to A: large gives A back, small trusts the sure pairs alone",
        plain="faithfulness to A", letter="λ", equation="(5)", span=(1e-3, 1e3), log=True)
    similarity: str = param("local weighting", "which similarity A is enhanced", plain="similarity enhanced",
        choices=("local weighting", "co-association", "trajectories"))
    theta: float = param(0.4, "local weighting: how much a cluster that the others tear apart still counts",
        plain="weight of torn clusters", letter="θ", span=(0.1, 4.0), step=0.1)
    gamma1: float = schedule(1.0, "penalty on A = C + E: the path to the answer, not the answer", plain="penalty",
        letter="γ₁", equation="(7)", span=(1e-2, 1e2), log=True)
    gamma2: float = schedule(1.0, "penalty on C = F: the path to the answer, not the answer", plain="penalty",
        letter="γ₂", equation="(7)", span=(1e-2, 1e2), log=True)
    smooth: bool = ablation(True, "with the Laplacian term tr(CᵀΦC); without it C = A", plain="Laplacian term",
        equation="(3)")
    hold: bool = ablation(True, "with E = 0 on the sure pairs", plain="no noise on sure pairs", equation="(5)")
    variant: str = param("paper", "the text, or the authors' program", choices=("paper", "released"))

    short = "EC-CMS"
    title = "Self-enhanced co-association"
    family = "co-association"
    reference = "Jia, Tao, Wang & Wang, IEEE Trans. Neural Networks and Learning Systems (2023)"
    handles_missing = "each pair is judged by the base clusterings that have a label for both"
    matrices = {"C": "C", "E": "E", "F": "F", "Y1": "Y₁", "Y2": "Y₂"}  # noqa: RUF012
    State, portrait = ECCMSState, "C"
    monotone = Exempt("ADMM's iterates meet the constraints of (5) only in the limit; before, it may rise")
    scale_free = Exempt("Φ grows with the number of objects while λ‖E‖² weighs each pair the same, so λ means less")
    # fmt: on

    @property
    def roots(self) -> bool:
        return self.variant == "released"

    @property
    def exact_on_rows(self) -> bool | Exempt:
        if self.similarity == "trajectories":
            return Exempt("probability trajectories are walks between distinct label rows, by definition")
        return True

    # --- Algorithm 1 ------------------------------------------------------------------------------------------

    def init(self, ensemble: Ensemble) -> ECCMSState:
        A, H, released = self._similarity(ensemble), coassociation(ensemble), self.variant == "released"
        sure = H >= self.alpha
        if ensemble.has_missing:
            sure &= coverage(ensemble) > 0
        H *= sure if self.smooth else 0.0
        t = 2 * (H @ ensemble.counts) + self.gamma1 + self.gamma2
        H *= 2
        inverse = block_inverse(H, components(H)[1], t, ensemble.counts)
        room = Room()
        room.give(H)
        held = PairSet.where(sure & self.hold, sure.diagonal() & (self.hold and not released))
        A = Paired(A, np.ones(ensemble.q) if released else A.diagonal().copy())
        size = sum(tile.sum(np.square(tile.of(A))) for tile in tiles(ensemble.weights, held))
        # without the Laplacian C = A, E = 0 is the answer
        zero = Paired(np.broadcast_to(0.0, A.B.shape), np.zeros(ensemble.q))
        C, Y1, squares = (zero, A, (0, 0, 0, size, 0)) if self.smooth else (A, zero, (size, 0, size, 0, 0))
        start = {"A": A, "C": C, "Y1": Y1, "P3": C, "held": held, "t": t, "inverse": inverse, "room": room}
        return ECCMSState(**start, moved=not self.smooth, size=size, squares=squares)

    def _similarity(self, ensemble: Ensemble) -> np.ndarray:
        if self.similarity == "local weighting":
            return local_weighting(ensemble, self.theta)
        return coassociation(ensemble) if self.similarity == "co-association" else probability_trajectories(ensemble)

    def step(self, ensemble: Ensemble, state: ECCMSState) -> ECCMSState:
        F = Paired(clipped_symmetric(state.P3.B, state.room), np.clip(state.P3.d, 0.0, 1.0))
        C, product = state.inverse.solve_pairs(self._right_side(ensemble.weights, state, F), state.t, ensemble.weights)
        Y1, P3, squares, changes = self._followed(ensemble.weights, state, C, F)
        state.room.keep(F.B, P3.B)
        return replace(
            state, C=C, Y1=Y1, P3=P3, squares=squares, changes=changes, moved=True,
            roughness=max(0.0, (product - (self.gamma1 + self.gamma2) * squares[0]) / 2),
            **self.ratios(state, squares, changes),
        )  # fmt: skip

    def _right_side(self, counts: np.ndarray, state: ECCMSState, F_: Paired) -> Paired:  # R of (9)
        right = _new(state)
        share = 1 - self.gamma1 / self.lam if state.moved else 1.0  # off Ω the step before left Y₁ = λE: Y₁ − γ₁E
        for tile in tiles(counts, state.held):
            F, A, Y1, R = map(tile.of, (F_, state.A, state.Y1, right))
            D = np.subtract(tile.of(state.P3), F)  # Y₂/γ₂
            np.subtract(F, D, out=R)
            if self.gamma2 != 1:
                R *= self.gamma2
            R += A if self.gamma1 == 1 else np.multiply(A, self.gamma1, out=D)
            R += tile.keep(Y1, np.multiply(Y1, share, out=D))
        return right

    def _followed(self, counts: np.ndarray, old: ECCMSState, C_: Paired, F_: Paired) -> tuple:
        """Y₁ (14), P₃ (12), and ‖X‖², ‖X′ − X‖² for C, E, F, Y₁, Y₂ over all pairs of objects; F′ in the room of F."""
        Y1_, P3_ = _new(old), _new(old)
        keep = self.lam / (self.lam + self.gamma1)  # off Ω, Y₁ = λE: (11) put into (14)
        squares, changes = np.zeros(5), np.zeros(5)
        for tile in tiles(counts, old.held):
            C, Y1, P3 = map(tile.of, (C_, Y1_, P3_))
            np.subtract(tile.of(old.P3), tile.of(F_), out=P3)
            P3 += C
            D = np.subtract(tile.of(old.A), C)
            if self.gamma1 != 1:
                D *= self.gamma1
            D += tile.of(old.Y1)
            tile.keep(D, np.multiply(D, keep, out=Y1))
            squares[0] += tile.sum(np.square(C, out=D))
            np.subtract(C, tile.of(old.C), out=D)
            changes[0] += tile.sum(np.square(D, out=D))
            for sums in (squares, changes):
                Y = Y1 if sums is squares else np.subtract(Y1, tile.of(old.Y1), out=D)
                sums[3] += tile.sum(np.square(Y, out=D))
                D.reshape(-1)[tile.some] = 0.0  # E = Y₁/λ off Ω
                sums[1] += tile.sum(D) / self.lam**2
        for tile in tiles(counts, old.held):
            square, change = tile.clip(P3_, F_)
            squares[2] += square
            changes[2] += change
            C, P3, F = map(tile.of, (C_, P3_, F_))
            D = np.subtract(P3, F)  # Y₂/γ₂
            squares[4] += tile.sum(np.square(D, out=D)) * self.gamma2**2
            np.subtract(C, F, out=D)
            changes[4] += tile.sum(np.square(D, out=D)) * self.gamma2**2
        if not old.moved:
            changes[1] = squares[1]  # E was 0 while Y₁ was A
        return Y1_, P3_, tuple(squares.tolist()), tuple(changes.tolist())

    def terms(self, ensemble: Ensemble, state: ECCMSState) -> dict[str, float]:
        return {"tr(CᵀΦC)": state.roughness, "λ/2 ‖E‖²": self.lam / 2 * state.squares[1]}

    def tree(self, ensemble: Ensemble, state: ECCMSState) -> Dendrogram:
        """Of C, the mean of its two triangles while they differ; before the first step, of A."""
        if state not in _TREES:
            C = state.C.B if state.moved else state.A.B
            _TREES[state] = linkage(symmetrise(C.copy()), ensemble.counts, overwrite=True)
        return _TREES[state]

    def labels(self, ensemble: Ensemble, state: ECCMSState) -> np.ndarray:
        return self.tree(ensemble, state).cut(self.k)

    def remarks(self, ensemble: Ensemble, state: ECCMSState) -> tuple[str, ...]:
        lonely = (
            f"No two different label rows agree in a share α = {number(self.alpha)} of the base clusterings: there is "
            "nothing sure to spread. C swings around A at first and ends at A. A lower α trusts more pairs.",
        ) if self.smooth and not state.inverse.rows else ()
        return *lonely, *parted_in_words(ensemble, self.tree(ensemble, state)), *unseen_in_words(ensemble)

    def cost(self, ensemble: Ensemble) -> Cost:
        """H is sparse: its blocks leave .05 to 1 of the full product, seldom half; the text takes about 10 steps."""
        q, machine = ensemble.q, speed()
        steps = min(self.max_iter, (10 if self.variant == "paper" else 65) if self.smooth else 1)
        products = q * q * (steps * 0.3 * q + 0.3 * q + ensemble.K)
        if self.similarity == "trajectories":
            products += 3 * q**3 * math.log2(1 + q)
        seconds = products / machine.products + q * q * (steps * 35 + 100) / machine.entries + steps * 4e-4 + 5e-3
        return Cost(bytes=80 * q * q + 16 * q * ensemble.K + 4_000_000, seconds=seconds)

    # --- what is shown, and why -------------------------------------------------------------------------------

    # fmt: off
    @derived("Ã", "share of the base clusterings that put a pair together", equation="(1)", span=(0, 1))
    def plain(self, ensemble: Ensemble, state: ECCMSState) -> Matrix:
        return coassociation(ensemble)

    @tells("plain", "together / seen")
    def why_plain(self, at: At) -> Told:
        return share(at)

    @derived("H", "the sure pairs: Ã where it is at least α, else 0", equation="(2)", span=(0, 1))
    def H(self, ensemble: Ensemble, state: ECCMSState) -> Matrix:
        H = coassociation(ensemble)
        H[H < self.alpha] = 0.0
        return H

    @tells("H", "Ã if Ã >= α else 0")
    def why_H(self, at: At) -> Told:
        sure = {"Ã >= α": "a sure pair, whose rows of C are drawn together", "Ã < α": "not sure enough to be spread"}
        words = "Ã = {Ã} for {i} and {j}, where α = {α} is asked: {sure}."
        return at.terms(Ã=at.now("plain"), α=at.param("alpha"), sure=sure, words=words)

    @derived("D", "sure partners of each object, each counted with its H", equation="(5)")
    def D(self, ensemble: Ensemble, state: ECCMSState) -> Weights:
        return self.H(ensemble, state) @ ensemble.weights

    @tells("D", "sum(n[l]*H[l], l)")
    def why_D(self, at: At) -> Told:
        H, n = at.row("H", at.i, None), at.counts
        others = at.constant(max(n.values[H.values > 0].sum() - 1, 0), PARTNERS)
        many = {"others > 1": "{others} sure partners", "others == 1": "one sure partner", "others < 1": "no partner"}
        return at.terms(n=n, H=H, others=others, many=many, words="{i} has {many} besides itself.")

    @tells("omega", "1 if Ã >= α else 0", "(2)", "Ω", "1 for the sure pairs, on which no noise is allowed", PAIR)
    def why_omega(self, at: At) -> Told:
        if not self.hold:
            return at.given(0, "Noise is allowed on sure pairs too: the switch is off.")
        if at.pair.unseen:
            return at.given(0, at.of_strangers)
        if at.pair.itself and self.variant == "released":
            return at.given(0, "The authors' program leaves the pair of an object with itself out.")
        sure = {"value > 0": "{i} and {j} are a sure pair", "value <= 0": "{i} and {j} are no sure pair"}
        words = "{sure}: Ã = {Ã}, and α = {α} is asked."
        return at.terms(Ã=at.now("plain"), α=at.param("alpha"), sure=sure, words=words)

    @tells("A", "sum(ECI[t]*same[t], t) / seen", votes="together / seen", walks="dot(R_i, R_j) / (norm(R_i)*norm(R_j))")
    def why_A(self, at: At) -> Told:
        if at.pair.itself and self.variant == "released":
            return at.given(1, "The authors' program sets an object's likeness to itself to 1.")
        if self.similarity == "local weighting":
            return weighted_share(at)
        return share(at, "votes") if self.similarity == "co-association" else cosine_of_walks(at, "walks")

    def _begins(self, at: At, as_A: bool) -> Told:
        """What Algorithm 1 sets before its first step."""
        if not as_A:
            return at.given(0, "Where the run starts.")
        return at.equals(at.now("A"), "The run starts with A" + ("." if self.smooth else ", which is the answer."))

    @tells("C", "(R + 2*sum(n[l]*H[l]*C[l], l)) / (γ1 + γ2 + 2*sum(n[l]*H[l], l))", off="R / (γ1 + γ2)")
    def why_C(self, at: At) -> Told:
        """Row i of (9), over all objects but i."""
        if at.start:
            return self._begins(at, as_A=not self.smooth)
        given = {"R": at.now("R"), "γ1": at.param("gamma1"), "γ2": at.param("gamma2")}
        if not self.smooth:
            return at.terms("off", **given, words="The Laplacian term is switched off: no pair draws another.")
        ensemble, j, q = at.ensemble, at.j, at.ensemble.microcluster_of(at.j)
        H, n = at.path.array("H", at.iteration)[at.p], ensemble.weights.copy()
        np.subtract.at(n, [at.p, q] if at.i != j else at.p, 1)  # i itself, and j, which has an entry of its own
        some = np.flatnonzero((n > 0) & (H > 0))
        objects = [next(x for x in ensemble.objects_of(p).tolist() if x not in (at.i, j)) for p in some]
        n, H_, C = n[some], H[some], at.after.C.B[some, q]
        if at.i != j and H[q] > 0:
            objects, n, H_, C = [*objects, j], np.append(n, 1), np.append(H_, H[q]), np.append(C, at.after.C.d[q])
        say = {"partners > 1": "the {partners} sure partners of {i} draw it to what they have with {j}",
               "partners == 1": "the one sure partner of {i} draws it to what that one has with {j}",
               "partners < 1": "{i} has no sure partner that would draw it elsewhere"}
        return at.terms(
            **given, n=at.row_of_labels(n, "objects alike", lambda k: ("Objects like ", ("object", objects[k]), ".")),
            H=at.known("H", H_, lambda k: (at.i, objects[k])), C=at.known("C", C, lambda k: (objects[k], j)),
            partners=at.constant(n.sum(), PARTNERS), say=say, words="R = {R} alone asks for R / (γ₁ + γ₂); {say}.",
        )

    @tells("R", "γ1*(A - E) + Y1 + γ2*F - Y2", "(9)", "R", "what A, F and the multipliers ask of C", PAIR)
    def why_R(self, at: At) -> Told:
        asked = {"A": at.now("A"), **{name: at.then(name) for name in ("E", "Y1", "F", "Y2")}}
        words = "A without its noise, and F: each asks for its value. Y₁ and Y₂ add what was missed so far."
        return at.terms(**asked, γ1=at.param("gamma1"), γ2=at.param("gamma2"), words=words)

    @derived("E", "what is taken for noise in A; none on sure pairs", equation="(11)", diverging=True)
    def E(self, ensemble: Ensemble, state: ECCMSState) -> Matrix:
        if not state.moved:
            return state.C
        return Paired(*(np.where(on, 0.0, Y1 / self.lam) for Y1, on in zip(state.Y1, state.held.masks(), strict=True)))

    @tells("E", "(γ1*(A - C) + Y1) / (λ + γ1)")
    def why_E(self, at: At) -> Told:
        if at.start:
            return self._begins(at, as_A=False)
        given = {"A": at.now("A"), "C": at.now("C"), "Y1": at.then("Y1")}
        if at.now("omega").value:
            words = "{i} and {j} are a sure pair, Ω = {Ω}: no noise is allowed. Y₁ = {Y1} draws C = {C} to A = {A}."
            return at.given(0, words, **given, Ω=at.now("omega"))
        say = {"value > 0": "too great by {value}: that is noise", "value < 0": "too small: E is below 0",
               "value == 0": "taken as it is"}
        words = "Between {i} and {j}, A = {A} is {say}."
        return at.terms(**given, γ1=at.param("gamma1"), λ=at.param("lam"), say=say, words=words)

    @derived("F", "C made symmetric and clipped to [0, 1]", equation="(13)", span=(0, 1))
    def F(self, ensemble: Ensemble, state: ECCMSState) -> Matrix:
        *rows, own = (tile.clipped(state.P3) for tile in tiles(ensemble.weights, state.held))
        return Paired(np.concatenate(rows), own)

    @tells("F", "min(max((P_ij + P_ji) / 2, 0), 1)")
    def why_F(self, at: At) -> Told:
        if at.start:
            return self._begins(at, as_A=not self.smooth)
        say = {"P_ij + P_ji < 0": "their mean is below 0, and becomes 0",
               "P_ij + P_ji >= 0 and P_ij + P_ji <= 2": "F is their mean",
               "P_ij + P_ji > 2": "their mean is above 1, and becomes 1"}
        terms = {"P_ij": at.now("P3"), "P_ji": at.now("P3", at.j, at.i)}
        return at.terms(**terms, say=say, words="P₃ has {P_ij} from {i} to {j} and {P_ji} back: {say}.")

    @tells("P3", "C + Y2/γ2")
    def why_P3(self, at: At) -> Told:
        if at.start:
            return self._begins(at, as_A=not self.smooth)
        words = "C, moved on by what symmetry and the bounds have asked for so far: F is made of it."
        return at.terms(C=at.now("C"), Y2=at.then("Y2"), γ2=at.param("gamma2"), words=words)

    @tells("Y1", "Y1 + γ1*(A - C - E)")
    def why_Y1(self, at: At) -> Told:
        if at.start:
            return self._begins(at, as_A=self.smooth)
        say = {"C + E < A": "is less than A: Y₁ rises, and C is asked for more", "C + E == A": "is A: Y₁ stays",
               "C + E > A": "is more than A: Y₁ falls, and C is asked for less"}
        given = {name: at.now(name) for name in "ACE"} | {"Y1": at.then("Y1"), "γ1": at.param("gamma1")}
        return at.terms(**given, say=say, words="C + E {say} in the next step.")

    @derived("Y₂", "multiplier of C = F: how hard each pair is pulled to symmetry and [0, 1]", equation="(14)",
             diverging=True)
    def Y2(self, ensemble: Ensemble, state: ECCMSState) -> Matrix:
        return Paired(*(self.gamma2 * (P3 - F) for P3, F in zip(state.P3, self.F(ensemble, state), strict=True)))

    @tells("Y2", "Y2 + γ2*(C - F)")
    def why_Y2(self, at: At) -> Told:
        if at.start:
            return self._begins(at, as_A=False)
        say = {"C > F": "is more than F: Y₂ rises, and C is asked for less", "C == F": "is F: Y₂ stays",
               "C < F": "is less than F: Y₂ falls, and C is asked for more"}
        given = {"Y2": at.then("Y2"), "γ2": at.param("gamma2"), "C": at.now("C"), "F": at.now("F")}
        return at.terms(**given, say=say, words="C {say} in the next step.")

    why_sigma_C, why_sigma_E, why_sigma_F, why_sigma_Y1, why_sigma_Y2 = map(tells_residual, matrices)
    # fmt: on


def _new(state: ECCMSState) -> Paired:
    return Paired(state.room.array(*state.P3.B.shape), np.empty(len(state.t)))
