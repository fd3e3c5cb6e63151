"""Runs that are compared: the quickest first, what is there stays, everything can be cancelled, nothing is lost."""

import threading
import weakref

import numpy as np
import pytest

from consensus_core import METHODS
from consensus_core.compare import compare
from consensus_core.compare.outcome import OVER
from consensus_core.keep.shelf import Shelf
from consensus_core.live.bench import Bench
from consensus_core.live.keeper import Keeping
from consensus_core.live.objects import Objects
from consensus_core.live.run import LIVE, Listener
from consensus_core.live.stage import Stage
from consensus_core.live.turns import Turns
from consensus_core.method import Cost
from tests.stand_ins import Halving, an_ensemble, wait


@pytest.fixture(autouse=True)
def no_thread_outlives_its_run():
    yield
    wait(lambda: not [thread for thread in threading.enumerate() if thread.name.startswith("run ")])
    assert not LIVE


def through(bench):
    wait(lambda: not bench.live)
    return bench.comparison()


def of(*keys, k=3):
    return [METHODS[key](k=k) for key in keys]


def test_the_bench_comes_to_what_solving_comes_to():
    ensemble = an_ensemble()
    bench = Bench(ensemble)
    bench.follow(of("ec_cms", "eac", "lwea"))
    mine, plain = through(bench), compare(ensemble, of("ec_cms", "eac", "lwea"))
    assert all(outcome.state in OVER for outcome in bench.comparison().outcomes)
    for one, other in zip(mine.outcomes, plain.outcomes, strict=True):
        np.testing.assert_array_equal(one.labels, other.labels)
        assert (one.iterations, one.found, one.stop, one.because) == (
            other.iterations, other.found, other.stop, other.because
        )  # fmt: skip
        assert one.seconds > 0
    assert [{**row, "seconds": 0} for row in mine.rows] == [{**row, "seconds": 0} for row in plain.rows]


def test_a_change_computes_only_what_it_touches():
    bench = Bench(an_ensemble())
    bench.follow([Halving(k=3), Halving(k=3, by=3.0)])
    through(bench)
    first = bench.run_of(Halving(k=3))
    bench.follow([Halving(k=3, by=4.0), Halving(k=3)])
    through(bench)
    assert bench.run_of(Halving(k=3)) is first
    assert bench.run_of(Halving(k=3, by=3.0)) is None
    assert bench.comparison() is bench.comparison()


def test_runs_on_the_stage_are_those_on_the_bench():
    ensemble = an_ensemble()
    bench, stage = Bench(ensemble), Stage(Objects(ensemble, k=3))
    bench.follow([Halving(k=3), Halving(k=3, by=3.0), Halving(k=3, by=4.0)])
    stage.follow([Halving(k=3, by=3.0), Halving(k=3)])
    stage.begin_waiting()
    through(bench)
    assert stage.runs == (bench.run_of(Halving(k=3, by=3.0)), bench.run_of(Halving(k=3)))
    # another place on the stage is the same run, and the one that leaves it goes on for the bench
    before = stage.runs
    stage.follow([Halving(k=3)])
    assert stage.runs == before[1:]
    assert through(bench).there == [0, 1, 2]
    stage.leave()
    assert bench.comparison().there == [0, 1, 2]


def test_a_run_that_ends_on_the_stage_while_the_bench_comes_to_it_holds_nothing_up(monkeypatch):
    monkeypatch.setattr("consensus_core.live.bench.TURNS", Turns(2))
    begun, written = threading.Event(), threading.Event()

    class Slow(Listener):
        def rested(self, run):
            begun.set()
            written.wait(30)

    ensemble, shared = an_ensemble(), Halving(k=3)
    stage, bench = Stage(Objects(ensemble, k=3)), Bench(ensemble)
    stage.follow([shared], begin=False)
    stage.run.follow("a keeper", Slow())
    stage.run.want(stage.watcher)
    assert begun.wait(30)
    bench.follow([shared, Halving(k=3, by=3.0)])
    written.set()
    assert through(bench).there == [0, 1]
    stage.leave(), bench.leave()


def test_who_is_back_after_a_while_finds_comparing_going_on(monkeypatch):
    monkeypatch.setattr("consensus_core.live.watchers.GRACE", 0.05)
    bench, method = Bench(an_ensemble()), Halving(k=3, steps=60, pause=0.01)
    bench.follow([method])
    wait(lambda: bench.run_of(method).moments)
    bench.orphan()
    wait(lambda: not bench.run_of(method).live)
    assert bench.comparison().there == []
    bench.follow([method])
    bench.touch()
    assert through(bench).there == [0]
    bench.leave()


def test_cancel_keeps_what_is_finished_and_goes_on_where_one_says_so():
    bench = Bench(an_ensemble())
    quick, slow = Halving(k=3, steps=1), Halving(k=3, steps=500, pause=0.01)
    bench.follow([quick, slow])
    wait(lambda: bench.run_of(quick) and bench.run_of(quick).stopped and bench.run_of(slow))
    bench.cancel()
    states = [outcome.state for outcome in bench.comparison().outcomes]
    assert states == ["finished", "cancelled"] and not bench.live
    assert "Cancelled" in bench.comparison().rows[1]["alarms"]
    done = bench.run_of(quick)
    bench.go_on()
    wait(lambda: bench.run_of(slow) is not None)
    assert bench.run_of(quick) is done
    bench.leave()


def test_what_a_closed_page_held_is_given_back_and_comes_again_for_who_returns(monkeypatch):
    monkeypatch.setattr("consensus_core.live.absence.HOLD", 0.05)
    bench = Bench(an_ensemble())
    bench.follow([Halving(k=3), Halving(k=3, by=3.0)])
    before = through(bench)
    held = weakref.ref(bench.run_of(Halving(k=3)))
    bench.orphan()
    wait(lambda: held() is None)
    assert bench.run_of(Halving(k=3)) is None
    bench.follow([Halving(k=3), Halving(k=3, by=3.0)])
    again = through(bench)
    assert [list(one.labels) for one in again.outcomes] == [list(one.labels) for one in before.outcomes]
    bench.leave()


def test_a_method_that_fails_does_not_stop_the_others():
    bench = Bench(an_ensemble())
    bench.follow([Halving(k=3, fails_at=2), Halving(k=3, by=3.0), Halving(k=99)])
    found = through(bench)
    assert [outcome.state for outcome in found.outcomes] == ["failed", "finished", "refused"]
    assert found.rows[0]["alarms"] == "It cannot go on."
    assert "k = 99" in found.rows[2]["alarms"]


class Costly(Halving):
    key = "costly"

    def cost(self, ensemble):
        return Cost(bytes=int(10 ** (6 * self.by)), seconds=1000.0 if self.by < 2 else 0.0)


def test_what_does_not_fit_is_refused_and_what_takes_long_waits_for_a_word():
    bench = Bench(an_ensemble())
    long, large, small = Costly(k=3, by=1.0), Costly(k=3, by=2.5), Halving(k=3)
    bench.follow([long, large, small])
    found = through(bench)
    assert [outcome.state for outcome in found.outcomes] == ["waiting", "refused", "finished"]
    assert "microclusters" in found.rows[1]["alarms"] and "would fit" in found.rows[1]["alarms"]
    assert "waits until you ask" in found.rows[0]["alarms"]
    assert [entry.method for entry in bench.waiting_for_a_word] == [long]
    bench.go_on(long=True)
    assert through(bench).outcomes[0].state == "finished"


def test_never_more_compute_together_than_one_visitor_has_places(monkeypatch):
    most, here, lock = [0], [0], threading.Lock()

    class Counting(Halving):
        key = "counting"

        def step(self, ensemble, state):
            with lock:
                here[0] += 1
                most[0] = max(most[0], here[0])
            try:
                return super().step(ensemble, state)
            finally:
                with lock:
                    here[0] -= 1

    bench = Bench(an_ensemble())
    bench.follow([Counting(k=3, by=1.5 + i / 2, pause=0.002) for i in range(4)])
    through(bench)
    from consensus_core.live.turns import TURNS

    assert most[0] <= TURNS.each


def test_a_restart_loses_nothing(tmp_path, monkeypatch):
    """Everything there was comes back from what was kept, with the time it took, and nothing is computed again."""
    ensemble, methods = an_ensemble(), of("eac", "lwea", "ec_cms")
    kept = Keeping(Shelf(tmp_path), "d" * 22, "data")
    first = Bench(ensemble, "d" * 22, kept)
    first.follow(methods)
    before = through(first)
    wait(lambda: len(kept.store.all("d" * 22, "run")) == 3 and not LIVE)
    first.leave()
    del first

    def never(*args):
        raise AssertionError("computed again")

    monkeypatch.setattr("consensus_core.live.run.begin", never)
    again = Bench(an_ensemble(), "d" * 22, Keeping(Shelf(tmp_path), "d" * 22, "data"))
    again.follow(methods)
    assert through(again).rows == before.rows
