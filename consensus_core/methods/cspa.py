"""CSPA: the graph of objects that are often together, cut (Strehl and Ghosh 2002), by its spectrum."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ensemble import Ensemble
from ..linalg import smallest_eigenvectors, unit_rows
from ..method import At, Cost, Embedding, Matrix, Told, shown, speed, tells
from ..method.evidence import share
from ..method.grouped import GroupedObjects, PlacesState
from ..method.leading import MORE, STEP, Leading, LeadingState
from ..similarity import coassociation


@dataclass(frozen=True, kw_only=True, eq=False)
class CSPAState(PlacesState, LeadingState):
    A: Matrix = shown("A", "co-association: the share of base clusterings that put a pair together", span=(0, 1))
    V: Embedding = shown("V", "eigenvectors of the graph", minor=True)


@dataclass(frozen=True, kw_only=True)
class CSPA(Leading, GroupedObjects):
    """Objects are the more strongly tied, the oftener they are together: cut that graph where few ties break.

        A_pr = (base clusterings that put p and r together) / (base clusterings that have a label for both)
        d_p  = Σ_r n_r A_pr                                      n_r objects of microcluster r
        Σ_r n_r A_pr V_r = σ d_p V_p                             the k greatest σ
        X_p  = V_p / ‖V_p‖,  then k-means of the rows of X

    which is the normalised cut of A, relaxed. The original asks METIS for parts of equal size and few ties between
    them; here no balance is asked.

    A. Strehl, J. Ghosh: Cluster ensembles – a knowledge reuse framework for combining multiple partitions. J. Machine
    Learning Research 3 (2002) 583–617.
    """

    title = "Cluster-based similarity partitioning"
    family = "co-association"
    reference = "Strehl & Ghosh, J. Machine Learning Research 3 (2002) 583–617"
    handles_missing = "each pair is judged by the base clusterings that have a label for both"
    State = CSPAState

    def placed(self, ensemble: Ensemble) -> dict[str, np.ndarray]:
        A, n = coassociation(ensemble), ensemble.weights
        values, y = smallest_eigenvectors(A, min(self.k + MORE, ensemble.q), n, normalised=True)
        d = A @ n
        V = y / np.sqrt(np.where(d > 0, d, 1))[:, None]
        return {"A": A, "sigma": 1 - values, "V": V, "X": unit_rows(V[:, : self.k])}

    @tells("A", "together / seen")
    def why_A(self, at: At) -> Told:
        return share(at)

    # fmt: off
    @tells("d", "sum(n[r]*A[r], r)", letter="d", axes=("object",), meaning="how often an object is with all objects")
    def why_d(self, at: At) -> Told:
        return at.terms(**at.along("A"), words="All that ties {i}, to itself too.")

    def _ties(self, at: At):
        some = np.flatnonzero(at.after.A[at.p])
        A, V = at.row("A", at.i, None, some=some), at.row("V", None, at.a, some=some)
        return {"n": at.counts_at(some), "A": A, "V": V}

    @tells("V", "sum(n[r]*A[r]*V[r], r) == σ*d*V_p")
    def why_V(self, at: At) -> Told:
        if not at.after.A[at.p].any():
            return at.given(at.after.V[at.p, at.a], "{i} has no label at all: it is a part of its own.")
        words = "{i} stands where the objects it is together with draw it, but for what the eigenvalue {σ} leaves."
        return at.terms(**self._ties(at), σ=at.now("sigma", at.a), d=at.now("d", at.i), V_p=at.now("V"), words=words)

    @tells("pull", "sum(n[r]*A[r]*V[r], r)", letter="pull", axes=("object", "coordinate"),
           meaning="where an object is drawn by those it is together with")
    def why_pull(self, at: At) -> Told:
        return at.terms(**self._ties(at), words="{i} is drawn towards the objects it is together with.")

    @tells("sigma", "sum(n[p]*V[p]*pull[p], p) / sum(n[p]*d[p]*V[p]**2, p)")
    def why_sigma(self, at: At) -> Told:
        A, V, n, r = at.after.A, at.after.V[:, at.r], at.ensemble.weights, at.r
        if not (A @ n @ V**2) > 0:
            return at.given(1, "Coordinate {r} marks an object without any label: a part of its own.")
        every = np.arange(at.ensemble.q)
        pull, d = at.at_objects("pull", every, A @ (n * V), r), at.at_objects("d", every, A @ n)
        words = "A step from object to object leaves {say} of coordinate {r}."
        return at.terms(n=at.counts, V=at.row("V", None, r), pull=pull, d=d, say=STEP, words=words)

    @tells("X", "V / norm(V_i)")
    def why_X(self, at: At) -> Told:
        V = at.row("V", at.i, None, some=range(at.after.X.shape[1]))
        if not at.after.X[at.p].any():
            return at.given(0, "No coordinate that is used says where {i} is.")
        return at.terms(V=V.term(at.a), V_i=V, words="The place of {i}, brought to distance 1 from the middle.")
    # fmt: on

    def cost(self, ensemble: Ensemble) -> Cost:
        q = ensemble.q
        machine = speed()
        seconds = (q**3 / 2 + q * q * ensemble.K / 4) / machine.products + 20 * q * q / machine.entries
        return Cost(bytes=48 * q * q, seconds=seconds) + self.cost_of_groups(q, self.k)
