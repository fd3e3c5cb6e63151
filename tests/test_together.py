"""A class is one run: computed once, shown to all; everybody's transport is their own."""

import time
import weakref

import pytest

from consensus_core.live.absence import Absence
from consensus_core.live.objects import Objects
from consensus_core.live.stage import Stage
from tests.stand_ins import Halving, an_ensemble, wait


@pytest.fixture
def objects():
    return Objects(an_ensemble())


def finished(stage):
    wait(lambda: stage.run.state == "finished" and not stage.run.live)
    return stage


def test_many_stages_follow_one_run(objects):
    stages = [Stage(objects, visitor=f"v{i}") for i in range(10)]
    for stage in stages:
        stage.follow([Halving(k=3, pause=0.005)])
    assert len({stage.run.id for stage in stages}) == 1
    finished(stages[0])
    assert len(stages[0].run.moments) == 7 and stages[0].run.spent < 5


def test_who_comes_late_finds_it_done(objects):
    first, late = Stage(objects), Stage(objects)
    first.follow([Halving(k=3)])
    finished(first)
    late.follow([Halving(k=3)])
    assert late.run is first.run and late.reach == 7


def test_another_setting_is_another_run(objects):
    one, other = Stage(objects), Stage(objects)
    one.follow([Halving(k=3)])
    other.follow([Halving(k=3, by=3.0)])
    assert one.run is not other.run
    finished(one), finished(other)


def test_data_of_somebody_else_are_another_run():
    one, other = Stage(Objects(an_ensemble(seed=0))), Stage(Objects(an_ensemble(seed=1)))
    for stage in (one, other):
        stage.follow([Halving(k=3)])
    assert one.run is not other.run
    finished(one), finished(other)


def test_pausing_is_everybodys_own(objects):
    one, other = Stage(objects), Stage(objects)
    for stage in (one, other):
        stage.follow([Halving(k=3, pause=0.01, steps=30)])
    one.run.pause(one.watcher)
    finished(other)
    assert len(other.run.moments) == 31


def test_who_leaves_takes_nothing_from_the_others(objects):
    one, other = Stage(objects), Stage(objects)
    for stage in (one, other):
        stage.follow([Halving(k=3, pause=0.01, steps=20)])
    one.leave()
    finished(other)
    other.orphan()
    assert len(other.run.moments) == 21
    third = Stage(objects)
    third.follow([Halving(k=3, pause=0.01, steps=20)])
    other.leave()
    assert third.run.moments and third.reach == 21


def test_what_a_closed_page_held_is_given_back_when_nobody_else_looks(objects, monkeypatch):
    monkeypatch.setattr("consensus_core.live.absence.HOLD", 0.05)
    one, other = Stage(objects), Stage(objects)
    for stage in (one, other):
        stage.follow([Halving(k=3)])
    held = weakref.ref(finished(one).run)
    one.orphan()
    wait(lambda: not one.runs)
    assert finished(other).run is held() and len(held().moments) == 7
    other.orphan()
    wait(lambda: held() is None)
    one.follow([Halving(k=3)])  # and who comes back after all begins anew
    assert finished(one).reach == 7


def test_who_is_back_in_time_finds_everything_as_it_was(objects, monkeypatch):
    monkeypatch.setattr("consensus_core.live.absence.HOLD", 0.2)
    gone = []
    absence = Absence(lambda: gone.append(1))
    absence.begins()
    absence.ends()
    began = time.monotonic()
    absence.begins()  # away again: one look for each absence, and none too early
    wait(lambda: gone)
    assert time.monotonic() - began >= 0.19
    absence.begins()
    absence.word()
    wait(lambda: len(gone) == 2)
    absence.word()  # in the moment it is let go
    assert not absence.over
    wait(lambda: len(gone) == 3)


def test_a_run_that_failed_or_was_given_up_is_begun_anew(objects):
    one = Stage(objects)
    one.follow([Halving(k=3, pause=0.01, steps=200)])
    before = one.run
    one.leave()
    wait(lambda: not before.live)
    one.follow([Halving(k=3, pause=0.01, steps=200)])
    assert one.run is not before and one.run.state != "cancelled"
    one.leave()
