"""The switches that matter: what is kept of them is what was measured and said; and the opening sample's facts."""

import os

import numpy as np
import pytest

from benchmarks.break_it import DRAWS, holds, outcome, seeds
from consensus_core import METHODS, solve
from consensus_core.data.effects import effects, of_method, of_sample
from consensus_core.data.samples import FIRST, SAMPLES, load
from consensus_core.ensemble import MISSING
from consensus_core.ensemble.truth import truth_codes
from consensus_core.scores import ari
from sample_data.breaking import BREAKING
from sample_data.switches import SWITCHES

EVERY = bool(os.environ.get("QUORUM_EFFECTS"))  # =all: every effect on its sample again, a minute
TRIED = SWITCHES if EVERY else SWITCHES[::5]


def scored(key, method, **params):
    loaded = load(key)
    known = truth_codes(loaded.ensemble)[0] != MISSING
    labels = solve(METHODS[method](k=loaded.sample.k, **params), loaded.ensemble).labels
    return ari(labels[known], loaded.truth[known])


def test_every_switch_is_kept_as_it_was_measured_within_what_is_said():
    assert list(effects()) == [switch.key for switch in SWITCHES]
    for switch, effect in zip(SWITCHES, effects().values(), strict=True):
        kept = {"difference": effect.difference, "interval": effect.interval}
        assert effect.draws == DRAWS and holds(switch, kept, DRAWS), (switch.key, effect.size, switch.said)
        assert (effect.first.params, effect.second.params) == (switch.first.params, switch.second.params)
        assert effect.why == switch.why and effect.sample == switch.recipe in BREAKING


def test_an_effect_out_of_what_is_said_is_seen():
    switch = SWITCHES[0]
    assert not holds(switch, {"difference": switch.said[1] - 0.02}, DRAWS)
    assert not holds(switch, {"difference": switch.said[1] - 0.2, "interval": [0, 0.01]}, 6)


def test_the_opposite_of_an_effect_is_the_opposite():
    """Another sample (or another length of H), the same method; and what wins here does not win there."""
    for effect in effects().values():
        if effect.opposite and effect.matters:
            other = effects()[effect.opposite]
            assert {other.first.method, other.second.method} & {effect.first.method, effect.second.method}
            assert (other.sample, dict(other.first.params)) != (effect.sample, dict(effect.first.params))
            assert other.difference > 0 or not other.matters, effect.key


def test_every_breaking_sample_has_an_effect_that_can_be_seen_on_it():
    made = {key for key, sample in SAMPLES.items() if sample.group}
    assert made == set(BREAKING) == set(seeds())
    for key in made:
        assert any(effect.matters for effect in of_sample(key)), key
    for key in ("spce", "ec_cms", "trce", "pce", "ceshl"):
        assert any(effect.matters for effect in of_method(key)), key


@pytest.mark.parametrize("switch", TRIED, ids=lambda switch: switch.key)
def test_the_effect_on_the_sample_itself_is_the_one_kept(switch):
    effect = effects()[switch.key]
    for side in (effect.first, effect.second):
        params = tuple(sorted(side.params.items()))
        again = outcome(switch.recipe, seeds()[switch.recipe], side.method, params, side.fill)
        assert again[0] == pytest.approx(side.here, abs=1e-3), (switch.key, side)
        if not side.fill:
            assert scored(switch.recipe, side.method, **side.params) == pytest.approx(side.here, abs=1e-3)


def test_the_opening_sample_breaks_and_is_repaired_without_touching_theta():
    loaded = load(FIRST)
    assert FIRST == "island" and loaded.ensemble.q == 80 and loaded.sample.k == 2
    alone = [ari(column, loaded.truth) for column in loaded.ensemble.labels().T]
    assert max(alone) == pytest.approx(0.265, abs=5e-4) and np.mean(alone) == pytest.approx(0.114, abs=5e-4)
    right = {"self-paced": (0.1, 0.15, 0.2), "none": (0.2, 0.25, 0.3, 0.5)}
    for pace, thetas in right.items():
        for theta in (0.0, 0.1, 0.2, 0.25, 0.5, 0.8):
            found = scored(FIRST, "spce", theta=theta, pace=pace)
            assert (found == 1.0) == (theta in thetas), (pace, theta, found)
            assert found == 1.0 or found < 0.1
    assert scored(FIRST, "spce", learn_alpha=False) < 0.1
