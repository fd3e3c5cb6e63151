"""The scikit-learn face: its own checks, clone, pipelines, seeds, and the same labels as the core gives."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from label_tables import planted, same_groups
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

from consensus_core import METHODS, ConsensusClusterer, Ensemble, EnsembleClusterer, InputError, solve
from consensus_core.live.moment import moment

# Checks that cannot apply to label tables, each with its reason. Everything else must pass.
NOT_FOR_LABEL_TABLES = {
    "check_clustering": "feeds continuous blobs: as labels no two values are equal, so there is nothing to agree on",
}


def checks(estimator, excused=()):
    found = [(getattr(c, "func", c).__name__, e, c) for e, c in estimator_checks_generator(estimator)]
    assert {name for name, _, _ in found} >= set(excused)
    return [pytest.param(e, c, id=f"{i}-{name}") for i, (name, e, c) in enumerate(found) if name not in excused]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("estimator", "check"), checks(EnsembleClusterer(n_base=5)))
def test_features_pass_every_check_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("estimator", "check"), checks(ConsensusClusterer(), NOT_FOR_LABEL_TABLES))
def test_label_tables_pass_every_check_that_can_apply(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("key", METHODS)
def test_every_method_is_an_estimator(key):
    for estimator in (ConsensusClusterer(key), EnsembleClusterer(key, n_base=5)):
        for _, check in estimator_checks_generator(estimator):
            if getattr(check, "func", check).__name__ in (
                "check_fit_idempotent",
                "check_dict_unchanged",
                "check_dont_overwrite_attributes",
            ):
                check(estimator)


def test_the_same_as_the_core():
    table = planted(seed=5)
    for key, cls in METHODS.items():
        found = ConsensusClusterer(key, n_clusters=3, random_state=0).fit(table)
        assert same_groups(found.labels_, solve(cls(k=3), Ensemble.from_labels(table)).labels)
        assert (found.labels_ == found.fit_predict(table)).all()
        assert found.n_iter_ >= 1 and len(found.history_) == found.n_iter_ + 1
        seen = moment(found.method_, found.ensemble_, found.history_.last)
        np.testing.assert_array_equal(found.confidence_, found.ensemble_.expand(seen.certainty))
        assert found.confidence_.shape == (len(table),) and found.n_features_in_ == table.shape[1]


def test_a_method_object_and_parameters():
    table = planted(seed=5)
    method = METHODS["lwea"](k=4, theta=0.2)
    assert ConsensusClusterer(method).fit(table).method_ == method
    assert ConsensusClusterer(method, n_clusters=2).fit(table).method_.k == 2
    assert ConsensusClusterer("lwea", n_clusters=2, params={"theta": 0.7}).fit(table).method_.theta == 0.7
    assert clone(ConsensusClusterer(method, params={"theta": 1.0})).fit(table).method_.theta == 1.0
    for wrong, sentence in [
        (ConsensusClusterer("no such"), "one of 'eac'|method must be"),
        (ConsensusClusterer("lwea", n_clusters=2, params={"theta": 9.0}), "LWEA: theta"),
        (ConsensusClusterer("lwea", n_clusters=1000), "n_samples=48"),
        (ConsensusClusterer(["lwea"]), "method must be"),
        (ConsensusClusterer("lwea", n_clusters=2, params={"bogus": 5}), "LWEA has no parameter 'bogus'; it has k, "),
        (ConsensusClusterer("lwea", n_clusters=2, params={"k": 5}), "contradict"),
        (ConsensusClusterer(method, n_clusters=2, params={"k": 5}), "contradict"),
    ]:
        with pytest.raises(InputError, match=sentence):
            wrong.fit(table)


def test_tables_of_text_with_missing_labels():
    table = pd.DataFrame(planted(seed=1, missing=0.1)).map(lambda x: None if x < 0 else f"cluster {x}")
    table.columns = [f"run {i}" for i in table.columns]
    found = ConsensusClusterer("lwea", n_clusters=3).fit(table)
    assert found.ensemble_.has_missing and found.ensemble_.names[0] == "run 0"
    assert not ConsensusClusterer("lwea", n_clusters=3, filling="nearest").fit(table).ensemble_.has_missing


def test_what_is_masked_is_missing():
    table = planted(seed=1)
    masked = np.ma.masked_array(table, mask=planted(seed=1, missing=0.1) < 0)
    assert masked.mask.any()
    assert ConsensusClusterer("lwea", n_clusters=3).fit(masked).ensemble_ == Ensemble.from_labels(masked)
    with pytest.raises(InputError, match="filling='random', 'nearest' or 'own cluster'"):
        ConsensusClusterer("trce", n_clusters=3).fit(masked)
    with pytest.raises(InputError, match="some of X are masked"):
        EnsembleClusterer("lwea", n_clusters=3).fit(masked.astype(float))


def test_a_table_is_taken_as_it_is_given():
    """One array of all columns would make neighbouring large integers one float, and numbers text."""
    table = planted(seed=1)
    frame = pd.DataFrame({"ids": table[:, 0] + 2**60, "some": np.where(table[:, 1] == 0, np.nan, table[:, 1])})
    mixed = [[f"c{a}", int(b)] for a, b in table[:, :2]]
    twice = pd.DataFrame(table, columns=list("aabcdef"))
    for given in (frame, mixed, twice, table.tolist()):
        assert ConsensusClusterer("lwea", n_clusters=2).fit(given).ensemble_ == Ensemble.from_labels(given)


def test_one_object_is_refused_in_a_sentence():
    with pytest.raises(InputError, match="at least two objects are needed, got n_samples=1"):
        ConsensusClusterer("lwea", n_clusters=1).fit(planted()[:1])


def test_what_was_fitted_survives_a_pickle():
    fitted = ConsensusClusterer("spce", n_clusters=3, random_state=0).fit(planted(seed=5))
    again = pickle.loads(pickle.dumps(fitted))
    assert (again.labels_ == fitted.labels_).all() and (again.confidence_ == fitted.confidence_).all()
    assert again.history_.nbytes == fitted.history_.nbytes and again.result_.stop == fitted.result_.stop


def test_features_to_labels_in_a_pipeline():
    X, truth = make_blobs(150, centers=4, cluster_std=0.6, random_state=3)
    pipe = make_pipeline(StandardScaler(), EnsembleClusterer(n_clusters=4, random_state=0))
    labels = pipe.fit_predict(X)
    assert adjusted_rand_score(truth, labels) > 0.95
    assert (labels == clone(pipe).fit_predict(X)).all(), "the same random_state gives the same labels"
    jobs = EnsembleClusterer(n_clusters=4, random_state=0, n_jobs=2)
    assert (make_pipeline(StandardScaler(), jobs).fit_predict(X) == labels).all()


def test_recipes_that_leave_objects_out():
    X, truth = make_blobs(150, centers=4, cluster_std=0.6, random_state=3)
    found = EnsembleClusterer("lwea", n_clusters=4, recipe="object_subset", random_state=1).fit(X)
    assert found.ensemble_.has_missing and adjusted_rand_score(truth, found.labels_) > 0.9
    filled = EnsembleClusterer("lwea", n_clusters=4, recipe="object_subset", filling="own cluster", random_state=1).fit(
        X
    )
    assert not filled.ensemble_.has_missing
