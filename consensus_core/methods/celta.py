"""Low-rank tensor approximation (Jia, Liu, Hou and Zhang 2021), and what it owes to the order of the file."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..linalg.two_columns import two_columns
from ..method import At, Cost, Exempt, Matrix, Method, Scalar, State, Told, derived, param, shown, speed, tells
from ..method.evidence import share
from ..method.params import common, schedule
from ..method.schedule import unseen_in_words
from ..method.telling import Term
from ..numbers import number
from ..partition import linkage, spectral_cut
from ..similarity import coassociation

MOST = 1e10  # μ
PAIR = ("object", "object")


def _clipped(X: np.ndarray) -> np.ndarray:
    """The nearest symmetric matrix with entries in [0, 1]."""
    return np.clip((X + X.T) / 2, 0.0, 1.0)


# fmt: off
@dataclass(frozen=True, kw_only=True, eq=False)
class CELTAState(State):
    x: np.ndarray  # slices of the tensor as lowered: X and A, and B, C, E; of microclusters, or of all objects
    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    e: np.ndarray
    s: np.ndarray  # Ā
    turned: tuple[np.ndarray, np.ndarray, np.ndarray]  # Λ₁, Λ₂, Λ₃
    mu: Scalar = shown("μ", "how strongly the parts are held together", log=True)
    apart: Scalar = shown("d", "greatest difference that is left between the parts", log=True)


@dataclass(frozen=True, kw_only=True)
class CELTA(Method):
    """Two pictures of the same pairs, what surely belongs together and the co-association, made to have one structure.

        min ‖[B, A]‖ + λ‖E‖²   over  A + E = Ā,  0 ≤ B, A ≤ 1 symmetric,  B_pq = 1 where all base clusterings agree

    Ā is the co-association, E what is taken for noise. ‖[B, A]‖ = (1/√n) Σ_i ‖[B_i, A_i]‖_*, the sum of the two
    singular values of the rows of object i. ADMM with X = B, C = A, multipliers Λ, from 0 and μ = 10⁻⁴; one round is

        T₁ = B − Λ₁/μ,   T₂ = (Ā − E − Λ₂/μ + C − Λ₃/μ) / 2
        X, A: for every object i the rows [T₁_i, T₂_i] with both singular values lowered by 1/(μ√n), not below 0
        E = (Ā − A − Λ₂/μ) μ / (2λ + μ)
        B = sym(X + Λ₁/μ), C = sym(A + Λ₃/μ), both cut to [0, 1];   B = 1 where all agree
        Λ₁ += μ(X − B),  Λ₂ += μ(A + E − Ā),  Λ₃ += μ(A − C);   μ ← 1.1 μ

    until the parts are the same to the tolerance. As μ grows in every round the run ends wherever it is by then.

    **The order of the file.** As published (`transform="fourier"`) the rows are Fourier transformed along the objects
    before they are lowered, by 1/μ. That depends on how the objects are listed: on Ecoli sorted by class average
    linkage gives ARI .645, the same objects shuffled −.035. Without it no order matters; this form is ours.

    Y. Jia, H. Liu, J. Hou, Q. Zhang: Clustering ensemble meets low-rank tensor approximation. AAAI (2021) 7970–7978.
    """

    max_iter: int = common(500, "most rounds", span=(1, 10_000))
    tol: float = common(1e-8, "difference between the parts that counts as none", plain="tolerance", span=(0.0, 1.0))
    lam: float = param(2e-3, "what noise costs", plain="price of noise", letter="λ", span=(1e-4, 1.0), log=True)
    transform: str = param("none", "none: no order of the objects matters; fourier: as published, along the file",
        choices=("none", "fourier"))
    cut: str = param("spectral", "clusters by a spectral cut of A, or by average linkage", plain="clusters",
        choices=("spectral", "average"))
    mu_first: float = schedule(1e-4, "first μ", plain="first bond μ", letter="μ", span=(1e-8, 1.0), log=True)
    mu_factor: float = schedule(1.1, "growth of μ in a round", plain="growth of μ", span=(1.001, 2.0))

    short = "CELTA"
    title = "Low-rank tensor approximation"
    family = "co-association"
    reference = "Jia, Liu, Hou & Zhang, AAAI (2021) 7970–7978"
    handles_missing = "each pair is judged by the base clusterings that have a label for both"
    monotone = Exempt("μ grows in every round, and parts that differ may cost less than those that agree")
    scale_free = Exempt("singular values grow with the number of objects, the first μ does not")
    State = CELTAState

    @property
    def order_free(self) -> bool | Exempt:
        return self.transform == "none" or Exempt("a Fourier transform along the objects")

    @property
    def exact_on_rows(self) -> bool | Exempt:
        return self.transform == "none" or Exempt("a Fourier transform along the objects: equal objects at different "
                                                  "places of the file differ")

    # --- the rounds -------------------------------------------------------------------------------------------

    def _places(self, ensemble: Ensemble) -> tuple[np.ndarray, np.ndarray]:
        """The microcluster of each row worked on, and how many objects it stands for."""
        if self.transform == "none":
            return np.arange(ensemble.q), ensemble.weights
        return ensemble.expand(np.arange(ensemble.q)), np.ones(ensemble.n)

    def init(self, ensemble: Ensemble) -> CELTAState:
        places, _ = self._places(ensemble)
        s = coassociation(ensemble)[np.ix_(places, places)]
        zero = np.zeros(s.shape)
        begun = {"s": s, "turned": (zero, zero, zero), "mu": self.mu_first, "apart": 1.0}
        return CELTAState(x=zero, a=zero, b=zero, c=zero, e=zero, **begun)

    def step(self, ensemble: Ensemble, state: CELTAState) -> CELTAState:
        μ, observed, (L1, L2, L3) = state.mu, state.s, state.turned
        places, _ = self._places(ensemble)
        x, a = self._lowered(ensemble, *self._aims(state), μ)
        e = (observed - a - L2 / μ) * (μ / (2 * self.lam + μ))
        b, c = _clipped(x + L1 / μ), _clipped(a + L3 / μ)
        b[(observed == 1) | (places[:, None] == places)] = 1.0
        left = x - b, a + e - observed, a - c
        turned = tuple(L + μ * d for L, d in zip(state.turned, left, strict=True))
        return CELTAState(x=x, a=a, b=b, c=c, e=e, s=observed, turned=turned, mu=min(self.mu_factor * μ, MOST),
                          apart=max(float(np.abs(d).max()) for d in left))

    def _aims(self, state: CELTAState) -> tuple[np.ndarray, np.ndarray]:
        """T₁ and T₂"""
        L1, L2, L3 = (L / state.mu for L in state.turned)
        return state.b - L1, (state.s - state.e - L2 + state.c - L3) / 2

    def _lowered(self, ensemble: Ensemble, T1: np.ndarray, T2: np.ndarray, μ: float):
        """X and A: every row of T₁ beside that of T₂, or every frequency along the objects, with less of either
        singular value."""
        if self.transform == "none":
            lower = two_columns(T1, T2, ensemble.weights, 1 / (μ * np.sqrt(ensemble.n)))
            return lower.first(T1, T2), lower.second(T1, T2)
        F1, F2 = (np.fft.rfft(T, axis=0) for T in (T1, T2))
        lower = two_columns(F1, F2, np.ones(ensemble.n), 1 / μ)
        return tuple(np.fft.irfft(F, len(T1), axis=0) for F in (lower.first(F1, F2), lower.second(F1, F2)))

    def terms(self, ensemble: Ensemble, state: CELTAState) -> dict[str, float]:
        _, n = self._places(ensemble)
        rows = two_columns(state.b, state.a, n, 0.0)
        rank = float(n @ (rows.big + rows.small)[:, 0]) / np.sqrt(ensemble.n)
        return {"rank of [B, A]": rank, "noise λ‖E‖²": self.lam * float(n @ state.e**2 @ n)}

    def labels(self, ensemble: Ensemble, state: CELTAState) -> np.ndarray:
        A = self.P(ensemble, state)
        if not A.any():  # nothing has come through yet
            return linkage(coassociation(ensemble), ensemble.counts, overwrite=True).cut(self.k)
        if self.cut == "average":
            return linkage(A, ensemble.counts).cut(self.k)
        return spectral_cut(np.maximum(A, 0.0), self.k, ensemble.counts)

    def converged(self, old: CELTAState, new: CELTAState) -> bool:
        return new.apart < self.tol

    def stage(self, state: CELTAState) -> str:
        return f"greatest difference {number(state.apart, 2)}"

    def remarks(self, ensemble: Ensemble, state: CELTAState) -> tuple[str, ...]:
        said = "The order of the file has a say in this result: shuffle the objects, and see."
        return *((said,) if self.transform == "fourier" else ()), *unseen_in_words(ensemble)

    def cost(self, ensemble: Ensemble) -> Cost:
        size = len(self._places(ensemble)[0])
        passes = 120 if self.transform == "none" else 250
        return Cost(bytes=8 * 30 * size * size, seconds=220 * passes * size * size / speed().entries + 2e-2)

    def _shown(self, ensemble: Ensemble, value: np.ndarray) -> np.ndarray:
        """Between microclusters: where twins differ, their first objects speak for them."""
        if self.transform == "none":
            return value
        return value[np.ix_(ensemble.first_of, ensemble.first_of)]

    # --- what is shown, and why -------------------------------------------------------------------------------

    @derived("Ā", "co-association: the share of base clusterings that put a pair together", span=(0, 1))
    def observed(self, ensemble: Ensemble, state: CELTAState) -> Matrix:
        return coassociation(ensemble)

    @tells("observed", "together / seen")
    def why_observed(self, at: At) -> Told:
        return share(at)

    @derived("B", "what surely belongs together, completed", span=(0, 1))
    def B(self, ensemble: Ensemble, state: CELTAState) -> Matrix:
        return self._shown(ensemble, state.b)

    @derived("A", "co-association without noise, pairs as the rows of the first have them", diverging=True)
    def A(self, ensemble: Ensemble, state: CELTAState) -> Matrix:
        return self._shown(ensemble, state.a)

    @derived("E", "noise: what of the co-association is left out", diverging=True)
    def E(self, ensemble: Ensemble, state: CELTAState) -> Matrix:
        return self._shown(ensemble, state.e)

    @derived("P", "(A + Aᵀ) / 2, of which the clusters are read off", diverging=True)
    def P(self, ensemble: Ensemble, state: CELTAState) -> Matrix:
        A = self._shown(ensemble, state.a)
        return (A + A.T) / 2

    @tells("P", "(A + A_) / 2")
    def why_P(self, at: At) -> Told:
        return at.terms(A=at.now("A"), A_=at.now("A", at.j, at.i), words="{i} and {j} as the row of each has them.")

    def _hand(self, at: At, name: str, value: np.ndarray, when: int = 0, turned: bool = False) -> Term:
        """What stands between quantities at this pair (or turned round), its value at hand."""
        i, j = (at.j, at.i) if turned else (at.i, at.j)
        p, q = (at.ensemble.microcluster_of(x) for x in (i, j))
        return at.known(name, self._shown(at.ensemble, value)[p, q][None], lambda _: (i, j), when).term(0)

    def _aims_at(self, at: At) -> tuple[np.ndarray, np.ndarray]:
        return at.path.once("T", at.iteration, lambda: self._aims(at.before))

    @tells("A", "g*T1 + h*T2", fourier="sum(many[f]*(re[f]*cos[f] - im[f]*sin[f]), f) / n")
    def why_A(self, at: At) -> Told:
        return self._told_slice(at, at.after.a, "mixed", "kept_2")

    @tells("X", "g*T1 + h*T2", "", "X", "what surely belongs together, as the rows have it", PAIR,
           fourier="sum(many[f]*(re[f]*cos[f] - im[f]*sin[f]), f) / n")
    def why_X(self, at: At) -> Told:
        return self._told_slice(at, at.after.x, "kept_1", "mixed")

    def _told_slice(self, at: At, value: np.ndarray, g: str, h: str) -> Told:
        if at.start:
            return at.given(0, "A run begins with nothing.")
        if self.transform == "fourier":
            return self._told_wave(at, value)
        T1, T2 = (self._hand(at, f"T{t}", T) for t, T in enumerate(self._aims_at(at), 1))
        return at.terms(g=at.now(g, at.i), h=at.now(h, at.i), T1=T1, T2=T2,
                        words="The row of {i}, after its two singular values have been lowered.")

    def _told_wave(self, at: At, value: np.ndarray) -> Told:
        """Of the published form: an entry from all frequencies of its column, as they were lowered."""
        i, j = (int(at.ensemble.first_of[at.ensemble.microcluster_of(x)]) for x in (at.i, at.j))
        n, f = len(value), np.arange(len(value) // 2 + 1)
        wave, turn = np.fft.rfft(value[:, j]), 2 * np.pi * f * i / n
        many = np.where((f == 0) | (2 * f == n), 1.0, 2.0)
        numbers = {"many": many, "re": wave.real, "im": wave.imag, "cos": np.cos(turn), "sin": np.sin(turn)}
        meaning = "of a frequency along the file, as it was lowered; all objects have a part in it"
        rows = {name: at.rows(x, lambda k, x=x: at.constant(x[k], meaning)) for name, x in numbers.items()}
        return at.terms("fourier", **rows, n=at.n, words="Waves along the file, added up at the place of {i} in it.")

    @tells("T1", "B - Λ/μ", "", "T₁", "where X is drawn", PAIR)
    def why_T1(self, at: At) -> Told:
        Λ = self._hand(at, "L1", at.before.turned[0], -1)
        return at.terms(B=at.then("B"), Λ=Λ, μ=at.then("mu"), words="B, less what X has been off from it so far.")

    @tells("T2", "(S - E - Λ2/μ + C - Λ3/μ) / 2", "", "T₂", "where A is drawn", PAIR)
    def why_T2(self, at: At) -> Told:
        was = at.before
        terms = {f"Λ{x}": self._hand(at, f"L{x}", was.turned[x - 1], -1) for x in (2, 3)}
        C = self._hand(at, "C", was.c, -1)
        return at.terms(S=at.now("observed"), E=at.then("E"), **terms, C=C, μ=at.then("mu"),
                        words="The mean of the co-association without noise and of C.")

    def _gram(self, at: At, one: int, other: int, words: str) -> Told:
        rows = {f"T{t}": at.known(f"T{t}", T[at.p], lambda q: (at.i, int(at.ensemble.first_of[q])))
                for t, T in enumerate(self._aims_at(at), 1) if t in (one, other)}
        return at.terms(n=at.counts, **rows, words=words)

    @tells("a", "sum(n[r]*T1[r]**2, r)", "", "a", "squared length of a row of T₁", ("object",))
    def why_a(self, at: At) -> Told:
        return self._gram(at, 1, 1, "All entries of the row of {i}, squared.")

    @tells("b", "sum(n[r]*T2[r]**2, r)", "", "b", "squared length of a row of T₂", ("object",))
    def why_b(self, at: At) -> Told:
        return self._gram(at, 2, 2, "All entries of the row of {i}, squared.")

    @tells("c", "sum(n[r]*T1[r]*T2[r], r)", "", "c", "how far the two rows go the same way", ("object",))
    def why_c(self, at: At) -> Told:
        return self._gram(at, 1, 2, "The two rows of {i}, entry by entry.")

    def _abc(self, at: At) -> dict[str, Term]:
        return {x: at.now(x, at.i) for x in "abc"}

    @tells("big", "sqrt((a + b)/2 + sqrt((a - b)**2/4 + c**2))", "", "σ₁",
           "the greater singular value of the two rows", ("object",))
    def why_big(self, at: At) -> Told:
        return at.terms(**self._abc(at), words="What the two rows of {i} have in common, mostly.")

    @tells("small", "sqrt(max((a + b)/2 - sqrt((a - b)**2/4 + c**2), 0))", "", "σ₂",
           "the smaller singular value of the two rows", ("object",))
    def why_small(self, at: At) -> Told:
        return at.terms(**self._abc(at), words="What the two rows of {i} have not in common.")

    def _left(self, at: At, name: str) -> Told:
        if (σ := at.now(name, at.i)).value <= 0:
            return at.given(0, "There is nothing to lower.")
        return at.terms(μ=at.then("mu"), n=at.n, σ=σ, words="What is left of it, lowered by 1/(μ√n).")

    @tells("left_1", "max(1 - 1/(μ*sqrt(n)*σ), 0)", "", "left₁", "share left of the greater one", ("object",))
    def why_left_1(self, at: At) -> Told:
        return self._left(at, "big")

    @tells("left_2", "max(1 - 1/(μ*sqrt(n)*σ), 0)", "", "left₂", "share left of the smaller one", ("object",))
    def why_left_2(self, at: At) -> Told:
        return self._left(at, "small")

    def _kept(self, at: At) -> Told:
        shares = {f"left{x}": at.now(f"left_{x}", at.i) for x in (1, 2)}
        terms = self._abc(at)
        if terms["a"].value == terms["b"].value and not terms["c"].value:
            return at.terms("even", left1=shares["left1"], words="Both singular values are the same.")
        return at.terms(**shares, **terms, words="What is kept of the row of {i} itself.")

    @tells("kept_1", "(left1 + left2)/2 + (left1 - left2)*(a - b) / (2*sqrt((a - b)**2 + 4*c**2))", "", "kept₁",
           "what X keeps of T₁", ("object",), even="left1")
    def why_kept_1(self, at: At) -> Told:
        return self._kept(at)

    @tells("kept_2", "(left1 + left2)/2 - (left1 - left2)*(a - b) / (2*sqrt((a - b)**2 + 4*c**2))", "", "kept₂",
           "what A keeps of T₂", ("object",), even="left1")
    def why_kept_2(self, at: At) -> Told:
        return self._kept(at)

    @tells("mixed", "(left1 - left2)*c / sqrt((a - b)**2 + 4*c**2)", "", "mixed",
           "what goes from T₁ to A, and from T₂ to X", ("object",))
    def why_mixed(self, at: At) -> Told:
        shares = {f"left{x}": at.now(f"left_{x}", at.i) for x in (1, 2)}
        terms = self._abc(at)
        if not terms["c"].value:
            return at.given(0, "The two rows of {i} have nothing in common.")
        return at.terms(**shares, **terms, words="As far as the two rows of {i} go the same way.")

    @tells("E", "(S - A - Λ/μ)*μ / (2*λ + μ)")
    def why_E(self, at: At) -> Told:
        if at.start:
            return at.given(0, "A run begins with nothing.")
        Λ = self._hand(at, "L2", at.before.turned[1], -1)
        words = "What A lacks of the co-association {S}, as far as the price of noise allows."
        return at.terms(S=at.now("observed"), A=at.now("A"), Λ=Λ, μ=at.then("mu"), λ=at.param("lam"), words=words)

    @tells("B", "min(max((X + X_ + (Λ + Λ_)/μ) / 2, 0), 1)")
    def why_B(self, at: At) -> Told:
        if at.start:
            return at.given(0, "A run begins with nothing.")
        if (observed := at.now("observed")).value == 1:
            return at.equals(observed, at.of_equals)
        if at.pair.p == at.pair.q:  # without a label at all
            return at.given(1, at.of_equals)
        return self._told_box(at, "X", at.after.x, "L1", at.before.turned[0])

    @tells("C", "min(max((A + A_ + (Λ + Λ_)/μ) / 2, 0), 1)", "", "C", "A, symmetric and between 0 and 1", PAIR)
    def why_C(self, at: At) -> Told:
        if at.start:
            return at.given(0, "A run begins with nothing.")
        return self._told_box(at, "A", at.after.a, "L3", at.before.turned[2])

    def _told_box(self, at: At, name: str, value: np.ndarray, turned: str, L: np.ndarray) -> Told:
        terms = {name: self._hand(at, name, value), f"{name}_": self._hand(at, name, value, turned=True),
                 "Λ": self._hand(at, turned, L, -1), "Λ_": self._hand(at, turned, L, -1, turned=True)}
        return at.terms(**terms, μ=at.then("mu"), words="Both rows' word on {i} and {j}, cut to what is possible.")

    def _told_turn(self, at: At, which: int, **terms: Term) -> Told:
        if at.start:
            return at.given(0, "A run begins with nothing.")
        Λ = self._hand(at, f"L{which}", at.before.turned[which - 1], -1)
        return at.terms(Λ=Λ, μ=at.then("mu"), **terms, words="Grows while the parts differ, until they do no more.")

    @tells("L1", "Λ + μ*(X - B)", "", "Λ₁", "what X has been off from B so far", PAIR)
    def why_L1(self, at: At) -> Told:
        return self._told_turn(at, 1, X=self._hand(at, "X", at.after.x), B=at.now("B"))

    @tells("L2", "Λ + μ*(A + E - S)", "", "Λ₂", "what A + E has been off from the co-association so far", PAIR)
    def why_L2(self, at: At) -> Told:
        return self._told_turn(at, 2, A=at.now("A"), E=at.now("E"), S=at.now("observed"))

    @tells("L3", "Λ + μ*(A - C)", "", "Λ₃", "what A has been off from C so far", PAIR)
    def why_L3(self, at: At) -> Told:
        return self._told_turn(at, 3, A=at.now("A"), C=self._hand(at, "C", at.after.c))

    @tells("mu", "min(factor*μ, most)")
    def why_mu(self, at: At) -> Told:
        if at.start:
            return at.equals(at.param("mu_first"), "The first bond is loose.")
        most = at.constant(MOST, "it grows no further")
        return at.terms(factor=at.param("mu_factor"), μ=at.then("mu"), most=most, words="Tighter in every round.")

    @tells("apart", "max(abs(X - B), abs(A + E - S), abs(A_ - C))")
    def why_apart(self, at: At) -> Told:
        if at.start:
            return at.given(1, "No round has been made yet.")
        state, observed = at.after, at.after.s
        parts = {"X": state.x, "B": state.b}, {"A": state.a, "E": state.e, "S": observed}, {"A_": state.a, "C": state.c}
        left, terms = (state.x - state.b, state.a + state.e - observed, state.a - state.c), {}
        for some, d in zip(parts, left, strict=True):
            i, j = np.unravel_index(np.abs(d).argmax(), d.shape)
            for letter, value in some.items():
                terms[letter] = self._greatest(at, letter.rstrip("_"), float(value[i, j]), int(i), int(j))
        return at.terms(**terms, words="Where X is furthest from B, A + E from the co-association, and A from C.")

    def _greatest(self, at: At, letter: str, value: float, i: int, j: int) -> Term:
        if self.transform == "fourier":
            return at.constant(value, "of the two objects between which the parts differ most")
        name, first = {"S": "observed"}.get(letter, letter), at.ensemble.first_of
        return at.known(name, np.array([value]), lambda _: (int(first[i]), int(first[j]))).term(0)
# fmt: on
