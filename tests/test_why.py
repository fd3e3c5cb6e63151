"""A similarity told for one pair is the similarity computed for all pairs."""

import contract
import numpy as np
import pytest

from consensus_core import Ensemble
from consensus_core.similarity import coassociation, entropies, local_weighting, probability_trajectories, why


@pytest.fixture(params=[0.0, 0.3])
def ensemble(request):
    table = contract.planted(n=30, m=6, missing=request.param, seed=7)
    return Ensemble.from_labels(np.concatenate([table, table[:10]]))


def test_what_is_told_is_what_is_computed(ensemble):
    told = {
        "plain": (why.of_coassociation, coassociation(ensemble)),
        "weighted": (lambda e, i, j: why.of_local_weighting(e, i, j, 0.7), local_weighting(ensemble, 0.7)),
        "walked": (why.of_trajectories, probability_trajectories(ensemble)),
    }
    for name, (tell, matrix) in told.items():
        for i, j in [(0, 1), (3, 3), (5, 29), (2, 32), (39, 4)]:
            value = tell(ensemble, i, j).value
            assert abs(value - matrix[ensemble.member_of[i], ensemble.member_of[j]]) < 1e-12, name


def test_entropy_is_that_of_the_cluster(ensemble):
    expected = entropies(ensemble)
    for clustering in range(ensemble.m):
        for label in range(ensemble.k_each[clustering]):
            assert (
                abs(why.entropy(ensemble, clustering, label) - expected[ensemble.offsets[clustering] + label]) < 1e-12
            )


def test_votes_are_said():
    ensemble = Ensemble.from_labels(np.array([[0, 0, 0, -1], [0, 1, 0, 0], [-1, -1, -1, 0]]))
    assert why.votes(ensemble, 0, 1) == ([0, 2], 3)
    told = why.of_coassociation(ensemble, 0, 1, "Ã")
    assert told.numbers == "Ã = 2 / 3" and told.words.startswith("2 of the 3 base clusterings")
    never = why.of_coassociation(ensemble, 0, 2)
    assert never.value == 0.0 and never.words.startswith("No base clustering has a label for both 1 and 3")
