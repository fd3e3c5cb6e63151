"""How often each of many may ask: answering keeps to its share of a core, and one alone is answered at once."""

import threading

import pytest

from consensus_core.live import crowd as crowd_room
from consensus_core.live.crowd import DELIVERED, HERE, LEAST, MOST, NEWCOMER, OF_A_RUN, PATIENT, SHARE, Crowd
from consensus_core.live.doorway import Doorway
from tests.stand_ins import wait


@pytest.fixture
def clock(monkeypatch):
    class Clock:
        now = 100.0

        def monotonic(self):
            return self.now

        def thread_time(self):
            return 0.0

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


class Writer(threading.Thread):
    """A page that is written until it is told to go on."""

    def __init__(self, crowd, door):
        super().__init__(daemon=True)
        self.crowd, self.door, self.inside, self.shown, self.on = crowd, door, *(threading.Event() for _ in range(3))
        self.start()

    def run(self):
        with self.crowd.opening():
            self.inside.set()
            self.on.wait(20)
            self.crowd.opened(self.door)
            self.shown.set()

    def show(self):
        self.on.set()
        assert self.shown.wait(20)
        self.join(20)


def stands_aside(crowd):
    """A run that makes way now, and an event that says when it goes on."""
    goes_on = threading.Event()
    threading.Thread(target=lambda: (crowd.make_way(), goes_on.set()), daemon=True).start()
    return goes_on


def test_runs_stand_aside_until_a_class_has_its_pages(monkeypatch):
    monkeypatch.setattr(crowd_room, "ASIDE", 20.0)
    crowd = Crowd(Doorway(at_once=5))
    pages = []
    for number in range(3):
        assert stands_aside(crowd).wait(20), f"{number} pages are written while runs go on"
        pages.append(Writer(crowd, f"door {number}"))
        assert pages[-1].inside.wait(20)
    run = stands_aside(crowd)
    assert crowd.at_the_door == 3 and crowd.pace(5) >= crowd_room.NEWS == crowd.pace(5, new=True)
    for page in pages:
        page.show()
    assert crowd.at_the_door == 3 and not run.is_set(), "what was written is on its way"
    for number in range(3):
        assert not run.is_set()
        crowd.answered(f"door {number}", 0.004)
    assert run.wait(20), "all have asked for more, and it goes on at once"
    assert crowd.at_the_door == 0 and not crowd._sent and not crowd._opening


def test_nobody_stands_aside_for_good(clock, monkeypatch):
    crowd = Crowd(Doorway(at_once=5))
    pages = [Writer(crowd, f"door {number}") for number in range(3)]
    assert all(page.inside.wait(20) for page in pages)
    assert crowd.at_the_door == 3
    clock.now += PATIENT
    assert crowd.at_the_door == 0, "a page that takes long is work like any other"
    monkeypatch.setattr(crowd_room, "ASIDE", 0.01)
    clock.now -= PATIENT
    crowd.make_way()  # comes back, with pages still waited for
    for page in pages:
        page.show()
    assert crowd.at_the_door == 3
    clock.now += DELIVERED
    assert crowd.at_the_door == 0, "a tab in the background asks for nothing"


def test_a_page_that_fails_is_waited_for_by_nobody():
    crowd = Crowd()
    for _ in range(5):
        with pytest.raises(KeyError), crowd.opening():
            raise KeyError
    assert not crowd._opening and not crowd._doorway._inside


def entering(doorway, later=False):
    """A thread that stands in line: [inside, may leave]."""
    inside, leave = threading.Event(), threading.Event()

    def go():
        doorway.enter(later)
        inside.set()
        leave.wait(20)
        doorway.leave()

    before = len(doorway._first) + len(doorway._later) + len(doorway._inside)
    threading.Thread(target=go, daemon=True).start()
    wait(lambda: len(doorway._first) + len(doorway._later) + len(doorway._inside) > before)
    return inside, leave


def test_a_few_at_a_time_in_the_order_in_which_they_came():
    doorway = Doorway(at_once=2, slow=20.0)
    line = [entering(doorway) for _ in range(6)]
    for at in range(6):
        wait(lambda at=at: [inside.is_set() for inside, _ in line] == [n < at + 2 for n in range(6)])
        line[at][1].set()


def test_what_can_wait_waits_for_those_who_see_nothing_yet():
    doorway = Doorway(at_once=1, slow=20.0)
    first = entering(doorway)
    rest, page = entering(doorway, later=True), entering(doorway)
    first[1].set()
    assert page[0].wait(20) and not rest[0].is_set()
    page[1].set()
    assert rest[0].wait(20)
    rest[1].set()


def test_who_takes_long_keeps_nobody_waiting():
    doorway = Doorway(at_once=1, slow=0.05)
    slow, other = entering(doorway), entering(doorway)
    assert other[0].wait(20) and not slow[1].is_set()
    for one in (slow, other):
        one[1].set()
    wait(lambda: not doorway._inside)


def test_nobody_waits_longer_than_a_person_would(clock):
    assert room(2000, 0.05, rounds=3).pace(0) == MOST
