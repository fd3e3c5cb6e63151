"""A page says what it wants seen of a stage; the browser hears of it once, with the pictures it begins with."""

from __future__ import annotations

from consensus_core.lessons import find_lesson
from consensus_core.lessons.algorithm import algorithm
from consensus_core.lessons.staging import staged
from consensus_core.live.compose import compose
from consensus_core.live.objects import Objects
from consensus_core.live.parse import parsed
from consensus_core.live.protocol import Question
from consensus_core.live.scene import Scene
from consensus_core.live.stage import Stage
from consensus_core.methods import METHODS


def on_stage(key, number, **how):
    put = staged(find_lesson(key), number, **how)
    stage = Stage(Objects(put.data.ensemble, put.data.title, put.data.ids))
    stage.scene = put.scene
    for run in stage.follow(put.methods):
        while run.live or not run.moments:
            run.wait_beyond(len(run.moments), 5.0)
    stage.objects.places()
    return stage


def test_a_scene_is_told_once_with_its_pictures():
    stage = on_stage("spce", 2)  # at iteration 5, and none beyond
    first = compose(stage, Question()).header
    assert first["staged"]["show"] == ("S", "S~against", "alpha") and first["staged"]["until"] == 5
    drawn = {frame["n"] for frame in first["frames"] if frame["n"]}
    assert first["frames"][0]["i"] == 5 and drawn == {"S", "S_hat", "alpha"}
    run = stage.run.id
    again = compose(
        stage, parsed({"data": stage.ensemble.fingerprint, "runs": {run: {}}, "scene": first["scene"]})
    ).header
    assert again["scene"] == first["scene"] and "staged" not in again
    stage.scene = None
    assert compose(stage, parsed({"scene": "old"})).header["scene"] is None


def test_two_runs_and_their_difference():
    stage = on_stage("nothing", 0)
    stage.scene = Scene("d", show=("A", "difference"))
    header = compose(stage, Question()).header
    assert len(header["visible"]) == 3 and all(names == ["A"] for names in header["visible"].values())
    stage.scene = Scene("e", show=("A",))
    assert compose(stage, Question()).header["visible"][stage.pairs[0].id] == []


def test_what_the_answer_and_the_switch_show():
    lesson = find_lesson("spce")
    before, after = staged(lesson, 3), staged(lesson, 3, answered=True)
    broken = staged(lesson, 3, answered=True, broken=True)
    assert before.scene.key != after.scene.key != broken.scene.key
    assert after.scene.pin.name == "alpha" and not broken.methods[0].learn_alpha
    moved = staged(lesson, 6, dials={"pace": "none"})
    assert moved.methods[0].pace == "none" and moved.methods[0].theta == 0.5


def test_every_line_of_an_algorithm_sets_what_there_is():
    told = {key: algorithm(method) for key, method in METHODS.items()}
    assert all(len(told[key]) >= 4 for key in ("spce", "ec_cms", "trce", "pce", "ceshl"))
    for key, lines in told.items():
        assert all("<m" in math for line in lines for math in line.math), key
