"""The catalogue: every method once, short for a newcomer, found by words; ranks from what was measured and kept."""

from __future__ import annotations

import json

import numpy as np
import pytest
from draws import paper_draws
from scipy.stats import rankdata

from consensus_core import METHODS, Ensemble, solve
from consensus_core.data.catalogue import left_out, shelves, short_list, thought, with_words
from consensus_core.data.standing import MEASURED, grows_as_pairs, record, standing
from consensus_core.methods import ADVISED
from consensus_core.scores import ari


def test_every_method_stands_on_one_shelf():
    keys = [key for shelf in shelves() for key in shelf.keys]
    assert sorted(keys) == sorted(METHODS)
    assert [shelf.title for shelf in shelves() if shelf.open] == ["Advised", "Of the five papers"]
    assert len(short_list()) <= 7 < len(METHODS)
    assert short_list("eac", "spce", "no such thing") == (*short_list(), "eac")


@pytest.mark.parametrize(("words", "found"), [("HUANG", "lwea"), ("hypergraph learning", "ceshl"), ("rsec", "rsec")])
def test_a_word_finds_what_says_it(words, found):
    keys = [key for shelf in with_words(words) for key in shelf.keys]
    assert found in keys and len(keys) < len(METHODS)
    assert not with_words("qwertyuiop")
    assert with_words("") == shelves()


def test_what_is_said_of_every_method():
    for key in METHODS:
        told = thought(key)
        assert told.kind.startswith(("one shot", "iterative")) and "distinct rows" in told.kind
        assert told.good and told.bad, f"consensus_core/methods/notes/{key}.md is wanted, see README, Adding a method"
    assert thought("lwea").kind.startswith("one shot") and thought("ec_cms").advised
    assert grows_as_pairs("eac") and not grows_as_pairs("kcc")


def test_what_advice_rests_on_stands_beside_the_rank():
    """LWEA is advised for 26 pools, and stands in the middle on those at hand: said once, where both are seen."""
    for key in METHODS:
        told = thought(key)
        assert bool(told.advised) == (key in ADVISED)
        assert told.sentences.count("can lie far apart") == bool(told.advised and told.stands)
    assert f"on {len(standing('lwea').ari)} alone" in thought("lwea").advised


def test_every_method_was_measured(shared):
    """Where what they are measured on is at hand; a method that was not measured says so on its sheet."""
    assert not [key for key in METHODS if standing(key) is None], "python -m benchmarks.ranks measures them"


def test_ranks_are_those_of_the_scores_kept():
    kept = json.loads(MEASURED.read_text(encoding="utf-8"))
    keys = [key for key in kept["ari"] if key in METHODS]
    assert {"lwea", "ec_cms", "spce", "eac"} <= set(keys) and kept["about"]["command"].endswith("benchmarks.ranks")
    each = np.array([np.concatenate([kept["ari"][key][pool] for pool in kept["about"]["pools"]]) for key in keys])
    ranks = rankdata(-each, axis=0).mean(axis=1)
    for key, rank in zip(keys, ranks, strict=True):
        assert standing(key).rank == pytest.approx(rank) and standing(key).of == len(keys)
        assert f"{rank:.2g}"[0] in thought(key).stands
    assert standing("no such thing") is None


@pytest.mark.parametrize("key", ["lwea", "eac"])
def test_the_scores_kept_are_what_comes_out(pool, key):
    for name in ("Lung", "Ecoli"):
        members, truth = pool(name)
        method = METHODS[key](k=len(np.unique(truth)))
        for draw, score in zip(paper_draws(), record()["ari"][key][name], strict=False):
            assert ari(solve(method, Ensemble.from_labels(members[:, draw])).labels, truth) == pytest.approx(
                score, abs=1e-6
            )


def test_what_is_not_here_is_said_with_the_reason():
    assert len(left_out()) >= 6
    for one in left_out():
        assert one.name and one.why.endswith("."), one.name
