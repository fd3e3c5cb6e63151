"""What is odd about an ensemble is said; what is not odd is not."""

from __future__ import annotations

import numpy as np
import pytest
from label_tables import planted
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

from consensus_core import Ensemble
from consensus_core.data.oddities import portrait
from consensus_core.data.samples import SAMPLES, load

SOUND = planted(n=200, m=8, wrong=0.2)


def odd(table, **kwargs):
    return portrait(Ensemble.from_labels(table, **kwargs)).odd


def test_numbers_are_scikit_learns():
    ensemble = Ensemble.from_labels(SOUND)
    seen = portrait(ensemble)
    assert (seen.n, seen.m, seen.q) == (200, 8, ensemble.q) and seen.missing == 0 and seen.odd == ()
    for i, j in [(0, 1), (2, 5)]:
        assert seen.ari[i, j] == pytest.approx(adjusted_rand_score(SOUND[:, i], SOUND[:, j]), abs=1e-12)
        assert seen.nmi[i, j] == pytest.approx(normalized_mutual_info_score(SOUND[:, i], SOUND[:, j]), abs=1e-12)
    assert seen.mean_ari == pytest.approx(seen.ari[np.triu_indices(8, 1)].mean())


def test_shares_of_missing_labels():
    table = np.array([[0, -1], [0, 1], [1, -1], [-1, -1]])
    seen = portrait(Ensemble.from_labels(table))
    assert seen.missing == 0.5 and seen.missing_each.tolist() == [0.25, 0.75]


@pytest.mark.parametrize(
    ("column", "sentence"),
    [
        (np.zeros(200), "puts all objects into one cluster"),
        (np.full(200, -1), "has no label at all"),
        (np.arange(200), "is it a column of ids?"),
        (2 - SOUND[:, 1], "is the same clustering as “clustering 2”"),
        (np.random.default_rng(0).integers(3, size=200), "disagrees with the others"),
    ],
)
def test_one_odd_column_is_pointed_at(column, sentence):
    found = odd(np.column_stack([SOUND, column]))
    assert any("clustering 9" in said and sentence in said for said in found)
    assert sum("clustering 9" not in said for said in found) == 0


def test_objects_without_labels_and_no_structure():
    table = SOUND.copy()
    table[3] = -1
    assert len(odd(table)) == 1 and odd(table)[0].startswith("1 object has no label in any base clustering")
    noise = np.random.default_rng(0).integers(4, size=(200, 8))
    assert "no structure" in odd(noise)[0] and len(odd(noise)) == 1


def test_one_clustering_alone_is_not_compared():
    assert odd(SOUND[:, :1]) == ()


@pytest.mark.parametrize("key", SAMPLES)
def test_samples_are_odd_where_they_mean_to_be(key):
    said = " ".join(portrait(load(key).ensemble).odd)
    assert ("no structure" in said) == (key in ("random", "coins", "coins_few", "lots", "holes"))
    assert ("disagrees" in said) == (key in ("one_bad", "lazy", "two_piles", "holes_window"))
    assert "counts twice" in said or key not in ("copied", "copied_unsure", "uneven")


def test_agreement_of_all_pairs_at_once_is_that_of_each_pair():
    rng = np.random.default_rng(3)
    table = rng.integers(0, 4, (60, 7))
    table[rng.random((60, 7)) < 0.2] = -1
    table[:, 5] = 0
    seen = portrait(Ensemble.from_labels(table))
    for i in range(7):
        for j in range(i):
            both = (table[:, i] >= 0) & (table[:, j] >= 0)
            a, b = table[both, i], table[both, j]
            assert seen.nmi[i, j] == seen.nmi[j, i] == pytest.approx(normalized_mutual_info_score(a, b), abs=1e-12)
            assert seen.ari[i, j] == seen.ari[j, i] == pytest.approx(adjusted_rand_score(a, b), abs=1e-12)
