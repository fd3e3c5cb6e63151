"""Trust: what sound methods say together, what a result hangs on, and settings an ensemble chooses."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from consensus_core import LWEA, METHODS, SPCE, ConsensusClusterer, Ensemble, InputError, solve
from consensus_core.data import Origin, build, filled, without
from consensus_core.data.samples import load
from consensus_core.methods import SOUND
from consensus_core.sweep import Draw, Pool
from consensus_core.trust import agreement, groups_of, mutual, settled, stable
from consensus_core.trust.recommended import SIZES, fittest


def planted(seed=0, n=80, m=10, k=3, wrong=0.2) -> Ensemble:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, n)
    table = np.where(rng.random((n, m)) < wrong, rng.integers(0, k, (n, m)), truth[:, None])
    return Ensemble.from_labels(table, truth=truth)


def copied(seed: int, kinds=4, each=30, honest=7, copies=3, share=0.45) -> Ensemble:
    """Honest sheets that err here and there, and one of piles that cut across the kinds, in several copies."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(kinds), each)
    n = len(truth)
    own = np.where(rng.random((n, honest)) < share, rng.integers(0, kinds, (n, honest)), truth[:, None])
    sheet = np.arange(n) % kinds
    return Ensemble.from_labels(np.column_stack([own, *[sheet] * copies]), truth=truth)


def test_agreement_is_the_mean_of_the_three_indices():
    ensemble = planted(wrong=0.5)
    labels = [solve(METHODS[key](k=3, **params), ensemble).labels for key, params in SOUND]
    a, b, c = labels
    expected = np.mean([adjusted_rand_score(a, b), adjusted_rand_score(a, c), adjusted_rand_score(b, c)])
    found = agreement(ensemble, 3)
    assert found.value == pytest.approx(expected) and found.names == ("LWEA", "EC-CMS", "ECPCS-HC")
    fitted = ConsensusClusterer("lwea", n_clusters=3).fit(ensemble.labels())
    assert fitted.agreement_.value == pytest.approx(expected) and fitted.agreement_ is fitted.agreement_


@pytest.mark.parametrize(("wrong", "level"), [(0.05, "high"), (0.97, "low")])
def test_its_level_follows_the_number(wrong, level):
    found = agreement(planted(wrong=wrong, n=150), 3)
    assert found.level == level and found.meaning and (found.value >= 0.8) == (level == "high")


def test_the_one_that_differs_is_named():
    same, other = np.repeat([0, 1], 20), np.tile([0, 1], 20)
    methods = [METHODS[key](k=2) for key, _ in SOUND]
    assert mutual(methods, [same, other, same]).odd == "EC-CMS"
    assert mutual(methods, [same, same, same]).odd == ""
    assert mutual(methods, [same * 0] * 3).level == "unknown"


def test_copies_are_one_group_and_leaving_them_out_mends_the_result():
    spce = SPCE(k=4, theta=0.2)
    before, after = [], []
    for seed in range(5):
        ensemble = copied(seed)
        groups = groups_of(ensemble)
        assert groups.copies == ((7, 8, 9),)
        source = Pool(ensemble, groups.orders(ensemble.m))
        results = {}
        for at, group in enumerate(groups.members):
            left = source.drawn(Draw(at, ensemble.m - len(group)))
            assert left == ensemble.select(groups.without(at, ensemble.m))
            results[at] = solve(spce, left).labels
        whole = solve(spce, ensemble).labels
        moved = stable(whole, [results[at] for at in range(len(groups.members))])
        assert moved.changes.argmax() == 0, "the copies carry the result"
        before.append(adjusted_rand_score(ensemble.truth, whole))
        after.append(adjusted_rand_score(ensemble.truth, results[0]))
    assert np.mean(after) > np.mean(before) + 0.2


def test_stability_is_what_it_says_on_a_case_by_hand():
    labels, other = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 1, 1, 1])
    found = stable(labels, [labels, other])
    by_hand = (1 + np.array([2 / 3, 2 / 3, 1 / 4, 3 / 4, 3 / 4, 3 / 4])) / 2
    assert found.objects == pytest.approx(by_hand)
    assert found.clusters == pytest.approx([by_hand[:3].mean(), by_hand[3:].mean()])
    assert found.changes == pytest.approx([0, 1 - adjusted_rand_score(labels, other)])
    assert found.between == pytest.approx(adjusted_rand_score(labels, other))


def test_auto_is_the_value_that_agrees_best_with_the_base_clusterings_and_needs_no_repair():
    ensemble = planted(wrong=0.35)
    method, tried = settled(SPCE, ensemble, {"k": 3, "theta": "auto"})
    scores, itself = [], []
    for theta in np.arange(10) / 10:
        result = solve(SPCE(k=3, theta=round(float(theta), 1)), ensemble)
        scores.append(np.mean([adjusted_rand_score(column, result.labels) for column in ensemble.labels().T]))
        itself.append(result.found == 3)
    assert [one.agreement for one in tried["theta"]] == pytest.approx(scores)
    assert [one.itself for one in tried["theta"]] == itself and 0 < sum(itself) < len(itself)
    assert method.theta == pytest.approx(np.argmax(np.where(itself, scores, -1)) / 10)
    fitted = ConsensusClusterer("spce", n_clusters=3, params={"theta": "auto"}).fit(ensemble.labels())
    assert fitted.method_ == method and fitted.tried_["theta"]
    with pytest.raises(InputError, match="theta cannot be “auto”"):
        settled(LWEA, ensemble, {"k": 3, "theta": "auto"})


def test_the_fittest_is_no_repaired_one_unless_all_are():
    assert fittest([0.3, 0.5, 0.5, 0.9], [True, True, True, False]) == 1
    assert fittest([0.3, 0.5, np.nan], [False, False, False]) == 1
    assert fittest([0.3, np.nan], [False, True]) == 0


def test_every_recommendation_can_be_built_and_says_its_evidence():
    for advice in SIZES.values():
        assert advice.made(3).k == 3 and any(sign.isdigit() for sign in advice.evidence)


def test_base_clusterings_left_out_are_left_out_wherever_the_data_are_built():
    whole = load("shapes").ensemble
    data = without(build(Origin(sample="shapes")), (whole.names[1], whole.names[4]))
    again = build(Origin.from_json(data.origin.to_json()))
    assert again.ensemble == data.ensemble == whole.select([0, 2, 3, *range(5, 20)])
    assert again.title == "Seven shapes · without 2 base clusterings" and again.origin.plain == Origin(sample="shapes")
    fewer = without(data, whole.names[:1])
    assert fewer.origin.left_out == (whole.names[1], whole.names[4], whole.names[0])
    assert build(fewer.origin).ensemble == fewer.ensemble
    assert filled(fewer, "nearest").origin.left_out == fewer.origin.left_out
    with pytest.raises(InputError, match="has no base clustering"):
        without(data, whole.names[1:2])
    with pytest.raises(InputError, match="At least two"):
        without(build(Origin(sample="five")), ("C1", "C2"))
