"""Runs in threads: who wants what computed, who is gone, whose turn it is."""

import pickle
import threading
import time

import numpy as np
import pytest

from consensus_core.live import keeper, watchers
from consensus_core.live import run as run_room
from consensus_core.live.admission import Admission, Claim
from consensus_core.live.pace import time_left
from consensus_core.live.run import LIVE, Listener
from consensus_core.live.turns import Ticket, Turns
from consensus_core.method import Cost
from tests.stand_ins import Halving, a_run, an_ensemble, wait

ME, ANOTHER = "me", "another"


@pytest.fixture(autouse=True)
def no_thread_outlives_its_run():
    yield
    wait(lambda: not [thread for thread in threading.enumerate() if thread.name.startswith("run ")])
    assert not LIVE


def ended(run):
    run.want(ME)
    wait(lambda: run.state == "finished" and not run.live)
    return run


def test_a_run_goes_to_its_end_and_its_thread_with_it():
    run = ended(a_run())
    assert [seen.iteration for seen in run.moments] == list(range(7))
    assert run.moments[-1].stop == "converged"
    assert run.history.objective == [seen.objective for seen in run.moments]


def test_a_run_that_has_ended_is_over_while_its_thread_still_writes_it_down():
    """Keeping takes seconds on a slow disk. The page once was told of the end within them, found the run still live,
    and never said what stands below the view."""
    written = threading.Event()

    class Slow(Listener):
        def rested(self, run):
            written.wait(30)

    run = a_run()
    run.follow(ANOTHER, Slow())
    run.want(ME)
    wait(lambda: run.stopped)
    assert run.live and not run.going
    written.set()
    wait(lambda: not run.live)
    assert not run.going


def test_who_comes_while_the_end_is_written_down_is_told_of_it():
    """Comparing once stood still for ever: its next run was on the stage as well, had ended and was being kept, and
    whoever joined in that moment was told nothing."""
    begun, written, told = threading.Event(), threading.Event(), []

    class Slow(Listener):
        def rested(self, run):
            begun.set()
            written.wait(30)

    class Late(Listener):
        def rested(self, run):
            told.append(run.stopped)

    run = a_run()
    run.follow(ANOTHER, Slow())
    run.want(ANOTHER)
    assert begun.wait(30)
    assert run.follow(ME, Late())
    written.set()
    wait(lambda: told)
    wait(lambda: not run.live)
    assert run.follow("a third", Late())  # and who comes when it is over
    wait(lambda: len(told) == 2)
    assert told == [True, True]


def test_nobody_follows_a_run_that_was_given_up():
    run = a_run(Halving(k=3, pause=0.01, steps=500))
    assert run.follow(ANOTHER) and run.follow(ME)
    run.leave(ANOTHER)
    assert run.state == "paused"  # who follows it and wants nothing yet keeps it all the same
    run.leave(ME)
    assert run.state == "cancelled" and not run.follow(ME)


def test_pause_step_and_go_on_give_the_same_run():
    run = a_run(Halving(k=3, pause=0.01, steps=20))
    run.want(ME)
    wait(lambda: len(run.moments) > 2)
    run.pause(ME)
    wait(lambda: not run.live)
    assert run.state == "paused"
    held = len(run.moments)
    run.step(ME)
    wait(lambda: not run.live)
    assert len(run.moments) == held + 1
    run.want(ME)
    wait(lambda: run.state == "finished")
    assert run.history.objective == ended(a_run(Halving(k=3, steps=20))).history.objective


def test_it_is_computed_as_far_as_the_one_who_wants_most():
    run = a_run(Halving(k=3, steps=20))
    run.want(ME, 3)
    run.want(ANOTHER, 7)
    wait(lambda: not run.live)
    assert len(run.moments) == 8
    run.want(ME, 9)
    run.pause(ANOTHER)
    wait(lambda: not run.live)
    assert len(run.moments) == 10
    run.want(ANOTHER)
    run.pause(ME)  # who pauses does not stop the other
    wait(lambda: run.state == "finished")


def test_who_leaves_ends_a_run_only_when_nobody_else_is_there():
    run = a_run(Halving(k=3, pause=0.01, steps=500))
    run.want(ME)
    run.want(ANOTHER)
    wait(lambda: len(run.moments) > 1)
    run.leave(ANOTHER)
    held = len(run.moments)
    wait(lambda: len(run.moments) > held)
    run.leave(ME)
    wait(lambda: not run.live)
    assert run.state == "cancelled"


def test_cancelled_is_for_good():
    run = a_run(Halving(k=3, pause=0.01, steps=500))
    run.want(ME)
    wait(lambda: len(run.moments) > 1)
    run.cancel()
    wait(lambda: not run.live)
    run.watchers.touch(ME)  # a question that comes late
    run.want(ME)
    assert run.state == "cancelled" and not run.live


def test_a_run_nobody_watches_ends_and_can_go_on(monkeypatch):
    monkeypatch.setattr(watchers, "GRACE", 0.1)
    run = a_run(Halving(k=3, pause=0.01, steps=60))
    run.want(ME)
    wait(lambda: len(run.moments) > 1)
    run.watchers.orphan(ME)
    wait(lambda: not run.live)
    assert run.state == "paused" and len(run.moments) < 61
    run.want(ME)
    wait(lambda: run.state == "finished")


def test_one_watcher_who_is_gone_does_not_take_a_run_from_another(monkeypatch):
    monkeypatch.setattr(watchers, "GRACE", 0.05)
    run = a_run(Halving(k=3, pause=0.01, steps=40))
    run.want(ME)
    run.want(ANOTHER, 5)
    run.watchers.orphan(ANOTHER)
    wait(lambda: run.state == "finished")


def test_a_watcher_who_comes_back_in_time_loses_nothing(monkeypatch):
    monkeypatch.setattr(watchers, "GRACE", 0.3)
    run = a_run(Halving(k=3, pause=0.01, steps=40))
    run.want(ME)
    run.watchers.orphan(ME)
    run.watchers.touch(ME)
    wait(lambda: run.state == "finished")


def test_a_question_past_the_page_keeps_a_run_alive_no_longer_than_a_missed_watcher_would(monkeypatch):
    monkeypatch.setattr(watchers, "GRACE", 0.1)
    run = a_run(Halving(k=3, pause=0.01, steps=2000))
    run.want(ME)
    run.watchers.orphan(ME)
    for _ in range(10):
        run.watchers.linger(ME)
        time.sleep(0.02)
    assert run.live
    wait(lambda: not run.live, 5)
    assert run.state == "paused"
    run.want(ME)
    run.watchers.linger(ME)  # shortens nothing: who has a connection keeps the long patience
    assert run.watchers._known[ME].deadline > time.monotonic() + 60
    run.cancel()


def test_what_goes_wrong_is_said():
    run = a_run(Halving(k=3, fails_at=3))
    run.want(ME)
    wait(lambda: not run.live)
    assert (run.state, run.error) == ("failed", "It cannot go on.")
    assert len(run.moments) == 3
    too_many = a_run(Halving(k=31))
    too_many.want(ME)
    wait(lambda: not too_many.live)
    assert "k = 31" in too_many.error


def test_listeners_are_told_in_the_runs_thread_what_is_there_before_and_after():
    class Ear(Listener):
        def __init__(self):
            self.heard = []

        def stepping(self, run, moment, step):
            assert threading.current_thread().name == f"run {run.id}"
            self.heard.append(("coming", step.iteration, len(run.moments)))

        def stepped(self, run, moment, step):
            self.heard.append(("there", moment.iteration, len(run.moments)))

        def rested(self, run):
            self.heard.append("rested")

    ear, run = Ear(), a_run(Halving(k=3, steps=2))
    run.follow(ANOTHER, ear)
    ended(run)
    steps = [one for i in range(3) for one in (("coming", i, i), ("there", i, i + 1))]
    assert ear.heard == [*steps, "rested"]


def test_a_kept_run_is_taken_up_in_the_runs_own_thread():
    before = ended(a_run())
    threads = []

    def taken_up():
        threads.append(threading.current_thread().name)
        return before.history, before.moments

    run = a_run(ensemble=before.ensemble, taken_up=taken_up)
    assert run.kept and not run.moments
    ended(run)
    assert threads == [f"run {run.id}"] and len(run.moments) == 7
    gone = ended(a_run(taken_up=lambda: None))  # damaged, or no longer there
    assert len(gone.moments) == 7


def test_twenty_at_once_all_finish():
    runs = [a_run(Halving(k=3, pause=0.002, steps=10)) for _ in range(20)]
    for run in runs:
        run.want(ME)
    wait(lambda: all(run.state == "finished" for run in runs), 30)
    assert {len(run.moments) for run in runs} == {11}


def test_turns_are_taken_in_order_and_given_up():
    turns = Turns(1)
    first = Ticket("", "first")
    assert turns.take(first, lambda: False)
    order, threads = [], []
    for name in "ab":
        ticket = Ticket("visitor", name)
        taking = lambda ticket=ticket: turns.take(ticket, lambda: False) and order.append(ticket.run)  # noqa: E731
        threads.append(threading.Thread(target=taking))
        threads[-1].start()
        wait(lambda: turns.waiting == len(threads))
    assert not turns.take(Ticket("", "c"), lambda: True)
    turns.give(first)
    threads[0].join(5)
    assert order == ["a"]
    turns.give(Ticket("visitor", "a"))
    threads[1].join(5)
    assert order == ["a", "b"]


def taken(turns, tickets):
    """The order in which tickets in line get the one place there is."""
    order, threads = [], []
    for ticket in tickets:

        def work(ticket=ticket):
            if turns.take(ticket, lambda: False):
                order.append(ticket)
                turns.give(ticket)

        threads.append(threading.Thread(target=work))
        threads[-1].start()
        wait(lambda: turns.waiting == len(threads))
    return order, threads


def test_turns_go_round_visitors_then_runs():
    """One visitor with many tabs stood in line as often as he had tabs."""
    turns = Turns(1)
    mine = Ticket("me", "m1")
    assert turns.take(mine, lambda: False)
    greedy = [Ticket("greedy", f"g{i}") for i in range(5)]
    order, threads = taken(turns, [*greedy, Ticket("other", "o1"), Ticket("me", "m2")])
    turns.give(mine)
    for thread in threads:
        thread.join(5)
    names = [ticket.run for ticket in order]
    assert names[:3] == ["g0", "o1", "m2"] and sorted(names[3:]) == ["g1", "g2", "g3", "g4"]


def test_nobody_holds_every_place():
    """The steps of long runs cannot be cut short: one place is always left for somebody else."""
    turns = Turns(3)
    held = [Ticket("greedy", f"g{i}") for i in range(2)]
    assert all(turns.take(ticket, lambda: False) for ticket in held)
    assert not turns.take(Ticket("greedy", "g2"), lambda: True)
    assert not turns.wanted(held[0])
    light = Ticket("light", "l")
    assert turns.take(light, lambda: False)
    order, (thread,) = taken(turns, [Ticket("greedy", "g3")])
    assert turns.wanted(held[0]) and not turns.wanted(light)
    turns.give(light)
    assert turns.waiting == 1 and not order
    turns.give(held[0])
    thread.join(5)
    assert [ticket.run for ticket in order] == ["g3"]


class Large(Halving):
    key = "large"

    def cost(self, ensemble):
        return Cost(bytes=1 << 30, seconds=0.0)


def let_in(admission, who, claim, give_up=lambda: False):
    """An event that says that this one has got its memory."""
    inside = threading.Event()
    threading.Thread(
        target=lambda: admission.ask(who, claim, give_up) and inside.set(), name=f"asks {who}", daemon=True
    ).start()
    return inside


def test_memory_is_promised_once():
    """Twelve tabs found the same gigabytes free, each for itself."""
    free = 100
    admission = Admission(lambda: free)
    assert let_in(admission, "a", Claim(60, 20)).wait(20)
    assert admission.room == 20
    assert let_in(admission, "small", Claim(20)).wait(20)
    other = let_in(admission, "b", Claim(30))
    wait(lambda: any(thread.name == "asks b" for thread in threading.enumerate()))
    assert not other.wait(0.05)
    admission.over("small")
    assert not other.wait(0.05), "20 are free"
    admission.over("a")
    assert other.wait(20) and admission.room == 70


def test_what_is_taken_already_is_not_counted_twice():
    free, held = 100, 0
    admission = Admission(lambda: free)
    assert let_in(admission, "a", Claim(60, held=lambda: held)).wait(20)
    free, held = 50, 50  # it has taken most of it
    assert admission.room == 40 and let_in(admission, "b", Claim(40)).wait(20)
    held = 90  # and more than was thought, which the machine shows
    assert admission.room == 10


def test_who_alone_is_too_large_is_left_to_the_method_and_who_gives_up_waits_for_nothing():
    admission = Admission(lambda: 100)
    assert let_in(admission, "alone", Claim(1000)).wait(20)
    assert let_in(admission, "refused in a sentence", Claim(101)).wait(20)
    assert not admission.ask("c", Claim(50), lambda: True)
    admission.over("alone"), admission.over("refused in a sentence"), admission.over("never there")
    assert admission.room == 100


def test_what_is_small_does_not_wait_for_a_large_ones_end():
    """Somebody's endless run was promised nearly everything, and a class could not begin."""
    admission = Admission(lambda: 1000)
    assert let_in(admission, "nearly everything", Claim(999)).wait(20)
    assert let_in(admission, "small", Claim(20)).wait(20)
    assert not admission.ask("not so small", Claim(21), lambda: True)


def test_a_run_waits_for_memory_says_so_and_goes_on(monkeypatch):
    monkeypatch.setattr(run_room, "ADMISSION", Admission(lambda: 2 << 30))
    one, other = a_run(Large(k=3, pause=0.01, steps=10**6)), a_run(Large(k=3))
    one.want(ME)
    wait(lambda: one.moments)
    other.want(ME)
    wait(lambda: other.waits_for_memory)
    assert other.state == "waiting" and not other.moments
    assert "of memory, which other runs have been promised" in time_left(other) and not time_left(one).startswith(
        "waits"
    )
    one.leave(ME)
    wait(lambda: other.state == "finished" and not other.live)
    assert not other.waits_for_memory


def test_who_leaves_while_it_waits_for_memory_leaves_nothing(monkeypatch):
    monkeypatch.setattr(run_room, "ADMISSION", Admission(lambda: 2 << 30))
    assert run_room.ADMISSION.ask("somebody", Claim(2 << 30), lambda: True)
    run = a_run(Large(k=3))
    run.want(ME)
    wait(lambda: run.waits_for_memory)
    run.leave(ME)
    wait(lambda: not run.live)
    assert run.state == "cancelled" and not run.waits_for_memory and run_room.ADMISSION.room == 0


def test_clusters_keep_their_numbers_through_a_run_and_into_the_next():
    ensemble = an_ensemble()
    run, other = ended(a_run(ensemble=ensemble)), ended(a_run(Halving(k=3, by=3.0), ensemble=ensemble))
    assert all(np.array_equal(seen.labels, run.moments[0].labels) for seen in (*run.moments, *other.moments))


def test_what_was_kept_can_be_asked_why_again():
    before = ended(a_run())
    kept = pickle.loads(pickle.dumps([before.history.step(at) for at in before.history.kept]))
    before.history.restore({step.iteration: step for step in kept}, before.history.objective, {}, {}, "converged")
    assert str(before.at(6).why("S", 3, 7)) == str(ended(a_run(ensemble=before.ensemble)).at(6).why("S", 3, 7))


def test_a_run_of_many_is_kept_by_one_of_them_at_a_time_while_it_computes(monkeypatch):
    """A class of sixty has sixty keepers of one run. Each wrote it every three seconds, one after the other in the
    run's own thread, and the run took 25 seconds longer than alone."""
    monkeypatch.setattr(keeper, "EVERY", 0.0)
    monkeypatch.setattr(keeper, "as_bytes", lambda history, moments: b"run")
    put = []

    class Slow:
        def find(self, *_):
            return None

        def put(self, desk, *_):
            put.append((desk, run.stopped))
            time.sleep(0.02)

    run = a_run(Halving(k=3, steps=20))
    run.follow(ANOTHER, *(keeper.Keeper(Slow(), f"desk {k}", "data") for k in range(15)))
    ended(run)
    while_it_computed = [desk for desk, stopped in put if not stopped]
    assert 1 <= len(while_it_computed) <= 20, "in turn: not all at every step"
    assert len({desk for desk, stopped in put if stopped}) == 15, "all have it in the end"
