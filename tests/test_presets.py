"""The papers' figures that move a dial: their shape, in small, on the samples that are named for it."""

import numpy as np
import pytest

from consensus_core import LWEA, scores, solve
from consensus_core.data.samples import SAMPLES, load
from consensus_core.sweep import Draw, Pool, grid
from consensus_core.sweep.curves import MEASURES
from consensus_core.sweep.dials import taken
from consensus_core.sweep.presets import PRESETS

DRAWS = range(1, 6)  # as on Tune


def means(key: str, values, **more) -> list[float]:
    """The preset's measure at some of its values, over draws as Tune takes them."""
    preset = PRESETS[key]
    assert set(values) <= set(preset.values)
    source = Pool(load(preset.sample).ensemble)
    m = {} if preset.m is None else {"m": taken(source.most, preset.m)}
    hidden = {} if preset.dial == "missing" else {"missing": preset.missing}
    plan = grid(preset.method_for(SAMPLES[preset.sample].k), draws=DRAWS, **m, **hidden, **{preset.dial: values})

    def of(task) -> float:
        return score(preset, solve(task.method, source.drawn(task.draw)).labels)

    return [float(np.mean([of(task) for task in plan.of(point)])) for point in plan.points]


def score(preset, labels) -> float:
    return scores.all_scores(labels, load(preset.sample).ensemble.truth)[preset.measure]


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_a_preset_is_a_plan_and_says_what_is_seen(preset):
    draws = {} if preset.m is None else {"m": preset.m}
    plan = grid(preset.method_for(3), draws=preset.draws, **draws, **{preset.dial: preset.values})
    assert len(plan.tasks) == preset.draws * len(preset.values) and preset.measure in MEASURES
    assert preset.shape and preset.seen and preset.dial not in preset.params
    assert len(preset.params) == preset.setting.count(" = ")


def test_spce_is_weak_without_a_threshold_and_falls_into_pieces_with_a_high_one():
    none, small, high = means("spce-3", [0, 0.2, 0.6])
    assert small > none + 0.1 and small > high + 0.25


def test_ec_cms_has_its_best_alpha_below_eight_tenths_and_loses_on_either_side():
    low, good, high = means("ec-cms-2", [0.2, 0.6, 0.95])
    assert good > low + 0.5 and good > high + 0.25


def test_ec_cms_ends_at_lwea_where_lambda_is_large():
    small, large, larger = means("ec-cms-3", [0.01, 100, 1000])
    preset = PRESETS["ec-cms-3"]
    source = Pool(load(preset.sample).ensemble)
    draws = [source.drawn(Draw(at, taken(source.most, preset.m))) for at in DRAWS]
    lwea = np.mean([score(preset, solve(LWEA(k=SAMPLES[preset.sample].k), draw).labels) for draw in draws])
    assert small > large + 0.15 and large == pytest.approx(larger, abs=0.01)
    assert large == pytest.approx(lwea, abs=0.05)


def test_ec_cms_gains_from_more_base_clusterings_less_and_less():
    five, ten, fifteen = means("ec-cms-5", [5, 10, 15])
    assert five + 0.05 < ten < fifteen and fifteen - ten < ten - five


def test_trce_is_good_from_a_hundredth_to_ten_and_then_one_component_is_left():
    tiny, *good, large = means("trce-2", [1e-5, 0.01, 1, 10, 1e5])
    assert min(good) > tiny + 0.2 and large == 0


def test_pce_falls_slowly_at_first_and_faster_beyond_one_half():
    shares = [0.1, 0.2, 0.4, 0.6]
    few, more, half, most = means("pce-2", shares)
    assert few > more > half > most and few - more < (half - most) / 2


def test_pce_needs_gamma_above_a_tenth_and_then_no_more():
    least, tenth, one, most = means("pce-7", [1e-4, 0.1, 1, 1e4])
    assert tenth > least + 0.15 and one == pytest.approx(most, abs=0.01) and one == pytest.approx(tenth, abs=0.06)


def test_ceshl_is_level_from_one_to_a_thousand():
    found = means("ceshl-4", [1, 10, 1000])
    assert max(found) - min(found) < 0.02
