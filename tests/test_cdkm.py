"""CDKM: the authors' program on all objects, the same on microclusters, k-means distances, mean scores."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from draws import paper_draws
from label_tables import planted
from sklearn.metrics import adjusted_rand_score

from consensus_core import METHODS, Ensemble, InputError, iterate, solve
from consensus_core.ensemble.incidence import incidence

CDKM = METHODS["cdkm"]


def listed(rows, counts=None) -> Ensemble:
    """Rows, columns and codes in the order given, in which the stored runs went through them."""
    codes = np.column_stack([np.unique(column, return_inverse=True)[1].reshape(-1) for column in rows.T])
    counts = np.ones(len(rows), dtype=np.int64) if counts is None else counts
    names = tuple(str(t) for t in range(rows.shape[1]))
    return Ensemble(codes.astype(np.int32), counts, None, names, as_given=np.arange(len(names)))


def sweeps(method, ensemble, y) -> list:
    states = [method.begun(ensemble, y)]
    while True:
        states.append(method.step(ensemble, states[-1]))
        if not states[-1].moved:
            return states


@pytest.mark.parametrize("name", ["Ecoli", "Aggregation", "UMIST"])
def test_golden(golden, name):
    file = golden(f"cdkm_{name}")
    method = CDKM(k=int(file["K"]))
    for ensemble, start, labels, path, first in (
        (listed(file["members"]), "start_objects", "labels_objects", "path_objects", 0),
        (listed(file["rows"], file["counts"]), "start_rows", "labels_rows", "path_rows", 1),
    ):
        begin = file[start].astype(int)
        states = sweeps(method, ensemble, begin - begin.min())
        assert [state.J for state in states[first:]] == pytest.approx(file[path].tolist(), rel=1e-12)
        found = file[labels].astype(int)
        assert (states[-1].y == found - begin.min()).all()


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_J_is_what_k_means_leaves(missing):
    """J = Σ ‖X‖² − Σ ‖X − mean‖² over all objects; no sweep lowers it, no single move of a row raises it at the end."""
    table = planted(n=50, m=6, k=4, wrong=0.35, seed=3, missing=missing)
    ensemble = Ensemble.from_labels(table)
    H = incidence(ensemble.canonical).toarray()
    X = ensemble.expand(H / np.sqrt(ensemble.weights @ H))

    def J(labels):
        spread = sum(((X[labels == c] - X[labels == c].mean(axis=0)) ** 2).sum() for c in np.unique(labels))
        return (X**2).sum() - spread

    *_, last = steps = list(iterate(CDKM(k=4, starts=2), ensemble))
    for step in steps:
        assert -step.objective == pytest.approx(J(ensemble.expand(step.state.y)), rel=1e-10)
    assert (np.diff([step.objective for step in steps]) <= 1e-10).all()
    y = last.state.y
    for p in range(ensemble.q):
        for c in range(4):
            other = y.copy()
            other[p] = c
            if (y == y[p]).sum() > 1:
                assert J(ensemble.expand(other)) <= -last.objective + 1e-9


# five starts drawn otherwise than the page's: within three standard errors of its means
SCORES = {"Ecoli": (0.425, 0.035), "Aggregation": (0.763, 0.107), "UMIST": (0.343, 0.016), "SPF": (0.054, 0.018)}


@pytest.mark.parametrize("name", SCORES)
def test_mean_scores_over_the_draws(pool, name):
    members, truth = pool(name)
    k, (mean, spread) = len(np.unique(truth)), SCORES[name]
    ensembles = [Ensemble.from_labels(members[:, draw]) for draw in paper_draws()]
    found = [adjusted_rand_score(truth, solve(CDKM(k=k), ensemble).labels) for ensemble in ensembles]
    print(f"{name}: {np.mean(found):.3f} ± {np.std(found, ddof=1):.3f}")
    assert abs(np.mean(found) - mean) <= 3 * spread / np.sqrt(20)


def test_who_is_alone_is_a_whole_cluster():
    """What is told of a cluster that one row makes alone: its sum is that row's, as it is at this turn."""
    alone = 0
    for seed in range(12):
        ensemble = Ensemble.from_labels(planted(n=24, m=5, wrong=0.35, seed=seed))
        X = (incidence(ensemble).toarray() / np.sqrt(ensemble.weights @ incidence(ensemble).toarray())) ** 2
        for step in itertools.islice(iterate(METHODS["cdkm"](k=5, starts=1), ensemble), 1, 4):
            for i, c in itertools.product(range(24), range(5)):
                try:
                    told = step.why("worth", i, c).told
                except InputError:  # so many clusters there are not
                    continue
                if told.case == "alone":
                    p, alone = ensemble.member_of[i], alone + 1
                    n = ensemble.weights[p]
                    assert told.numbers["N"] == n
                    assert told.numbers["s"] == pytest.approx(n**2 * X[p].sum())
    assert alone > 10
