"""Objects compared by where random walks from them lead, along the strongest links: probability trajectories."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..linalg import components
from ..linalg.trajectories import cosines, walked
from ..similarity import coassociation, elite_links, transitions, weakest_kept
from .cost import Cost, speed
from .evidence import share
from .method import Exempt, Method, State
from .params import param
from .quantities import Matrix, Scalar, derived
from .telling import At, Told, tells
from .walkers import told_cosine, told_way

USUAL = 20  # most that the usual number of neighbours and steps comes to


@dataclass(frozen=True, kw_only=True)
class ObjectWalks(Method):
    """Methods that compare distinct label rows (microclusters) by walks between them. A state has `A` (q, q).

    w_pr = A_pr where r is among the K nearest of p, or p among those of r;  P_pr = n_r w_pr / Σ_r n_r w_pr,
    S = Σ_{t ≤ T} Pᵗ(Pᵗ)ᵀ,  PTS_pr = S_pr / √(S_pp S_rr).
    """

    elite: int = param(0, "how many nearest others an object keeps its links to; 0: half the root of the number of "
        "label rows, at most 20", plain="neighbours kept", letter="K", span=(0, 10_000))  # fmt: skip
    steps: int = param(0, "how many steps a walker makes; 0: as many as K is by itself", letter="T", span=(0, 100))
    exact_on_rows = Exempt("walks are between distinct label rows, by definition: equal objects are one")

    def kept(self, ensemble: Ensemble) -> tuple[int, int]:
        """K and T."""
        usual = min(max(int(np.sqrt(ensemble.q) / 2), 1), USUAL)
        return max(min(self.elite or usual, ensemble.q - 1), 1), self.steps or usual

    def likeness(self, ensemble: Ensemble) -> np.ndarray:
        elite, steps = self.kept(ensemble)
        return cosines(walked(transitions(elite_links(ensemble, elite), ensemble.weights), steps))

    @derived("A", "co-association: the share of base clusterings that put a pair together", span=(0, 1), minor=True)
    def plain(self, ensemble: Ensemble, state: State) -> Matrix:
        return coassociation(ensemble)

    @tells("plain", "together / seen")
    def why_plain(self, at: At) -> Told:
        return share(at)

    @derived("w", "links along which walkers go: the strongest of each object", span=(0, 1))
    def w(self, ensemble: Ensemble, state: State) -> Matrix:
        return elite_links(ensemble, self.kept(ensemble)[0])

    @tells("w", "A if A >= min(least_i, least_j) else 0")
    def why_w(self, at: At) -> Told:
        if at.pair.alike:
            return at.given(0, "A walker never stays where he is.")
        least_i, least_j = at.now("least", at.i), at.now("least", at.j)
        say = {"value > 0": "one of them has the other among its nearest: the link stays",
               "value <= 0": "no link: they are not among the nearest of each other"}  # fmt: skip
        return at.terms(A=at.now("plain"), least_i=least_i, least_j=least_j, say=say, words="{i} and {j}: {say}.")

    @tells("least", "A_K", letter="least", axes=("object",), meaning="the weakest link that an object keeps by itself")
    def why_least(self, at: At) -> Told:
        K, _ = self.kept(at.ensemble)
        A = at.path.array("plain", at.iteration)[at.p].copy()
        A[at.p] = 0.0
        least = weakest_kept(A[None], K)[0]
        others = np.flatnonzero(A == least)
        r = int(at.ensemble.first_of[others[others != at.p][0]])
        number = at.constant(K, "how many nearest are kept")
        return at.terms(A_K=at.now("plain", at.i, r), K=number, words="Of all links of {i} number {K} from the top.")

    @derived("P", "where a walker goes in a step: by links, and by how many objects are there", span=(0, 1), minor=True)
    def P(self, ensemble: Ensemble, state: State) -> Matrix:
        return transitions(self.w(ensemble, state), ensemble.weights)

    @tells("P", "n*w / reach")
    def why_P(self, at: At) -> Told:
        reach = at.now("reach", at.i)
        if not reach.value:
            return at.given(at.pair.alike, "{i} has no links: a walker stays where he is.")
        if at.pair.alike:
            return at.given(0, "A walker never stays where he is.")
        n = at.counts_at(np.array([at.pair.q])).term(0)
        return at.terms(n=n, w=at.now("w"), reach=reach, words="From {i} a walker goes to {n} objects such as {j}.")

    @tells("reach", "sum(n[r]*w[r], r)", letter="reach", axes=("object",), meaning="all links of an object")
    def why_reach(self, at: At) -> Told:
        return at.terms(n=at.counts, w=at.row("w", at.i, None), words="All links of {i}, by the objects they lead to.")

    @tells("A", "dot(way_i, way_j) / (norm(way_i) * norm(way_j))")
    def why_A(self, at: At) -> Told:
        if at.pair.alike:
            return at.given(1, at.of_equals)
        return told_cosine(at, self.kept(at.ensemble)[1])

    @tells("way", "sum(way[b]*P[b], b)", letter="way", axes=("object", "object", "rank"),
           meaning="how likely a walker from an object is at another one after so many steps", first="P")  # fmt: skip
    def why_way(self, at: At) -> Told:
        return told_way(at, self.kept(at.ensemble)[1])

    @derived("parts", "connected parts of the graph of links; walkers never leave theirs")
    def parts(self, ensemble: Ensemble, state: State) -> Scalar:
        return float(components(self.w(ensemble, state))[0])

    @tells("parts", "sum(1 / size[p], p)")
    def why_parts(self, at: At) -> Told:
        member = components(at.path.array("w", at.iteration))[1]
        sizes = np.bincount(member)[member]
        size = at.rows(sizes, lambda p: at.constant(sizes[p], "different label rows in the same part"),
                       at.ensemble.first_of)  # fmt: skip
        return at.terms(size=size, words="Every label row counts for its share of the part it is in.")

    def cost_of_walks(self, ensemble: Ensemble) -> Cost:
        q, (_, steps) = ensemble.q, self.kept(ensemble)
        return Cost(bytes=48 * q * q, seconds=float(2.5 * np.log2(steps + 1) * q**3 / speed().products))
