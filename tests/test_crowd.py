"""How often each of many may ask: answering keeps to its share of a core, and one alone is answered at once."""

import contextlib

import pytest

from consensus_core.live import crowd as crowd_room
from consensus_core.live.crowd import ASIDE, HERE, LEAST, MOST, NEWCOMER, OF_A_RUN, PATIENT, SHARE, Crowd


@pytest.fixture
def clock(monkeypatch):
    class Clock:
        now = 100.0

        def monotonic(self):
            return self.now

    clock = Clock()
    monkeypatch.setattr(crowd_room, "time", clock)
    return clock


def room(many, seconds, rounds=200):
    crowd = Crowd()
    for _ in range(rounds):
        for number in range(many):
            crowd.answered(f"door {number}", seconds)
    return crowd


def test_one_alone_asks_as_often_as_a_screen_can_show(clock):
    assert Crowd().pace(0) == room(1, 0.005).pace(1) == room(1, 0.5).pace(1) == LEAST


@pytest.mark.parametrize(("many", "seconds"), [(60, 0.004), (200, 0.002), (12, 0.05)])
def test_all_together_take_their_share_of_a_core(clock, many, seconds):
    pace = room(many, seconds).pace(1) / 1000
    assert (many - 1) * seconds / pace == pytest.approx(SHARE, rel=0.02) or pace == MOST / 1000


def test_the_way_in_and_out_counts(clock):
    crowd = room(60, 0.001)
    quick = crowd.pace(1)
    for number in range(400):
        crowd.came(0.008 * number)
    assert crowd.pace(1) == pytest.approx(59 * (0.001 + 0.008) / SHARE * 1000, rel=0.02)
    assert crowd.pace(1) > 3 * quick
    crowd.came(1e6)  # the thread had other things to do
    assert crowd.pace(1) < 2000


def test_runs_that_compute_have_their_time_too(clock):
    assert room(2, 0.001).pace(40) == 40 * OF_A_RUN


def test_who_is_gone_is_forgotten(clock):
    crowd = room(60, 0.004)
    assert crowd.size() == 60
    clock.now += HERE + 0.1
    assert crowd.size() == 1 and crowd.pace(0) == LEAST
    crowd.answered("another", 0.004)
    assert len(crowd._seen) == 1, "nothing of them is held"


def test_who_has_seen_nothing_yet_asks_again_soon(clock):
    crowd = room(60, 0.01)
    assert crowd.pace(1, new=True) == NEWCOMER < crowd.pace(1)
    assert Crowd().pace(1, new=True) == LEAST


def test_runs_stand_aside_while_a_class_comes_in_and_no_longer(clock, monkeypatch):
    crowd = Crowd()

    def sleep(seconds):
        clock.now += seconds

    clock.sleep = sleep
    with contextlib.ExitStack() as door:
        for number in range(3):
            began = clock.now
            crowd.make_way()
            assert clock.now == began, f"{number} pages are written while runs go on"
            monkeypatch.setattr(crowd_room.threading, "get_ident", lambda number=number: number)
            door.enter_context(crowd.opening())
        crowd.make_way()
        assert clock.now - began == pytest.approx(ASIDE, abs=0.02), "a moment, not for good"
        clock.now += PATIENT
        assert crowd.waiting() == 0, "a page that takes long is work like any other"
    with pytest.raises(KeyError), crowd.opening():
        raise KeyError
    assert not crowd._opening
    with crowd.opening():
        crowd.opened()
        assert not crowd.waiting(), "what it is about can be seen, the rest has time"


def test_nobody_waits_longer_than_a_person_would(clock):
    assert room(2000, 0.05, rounds=3).pace(0) == MOST
