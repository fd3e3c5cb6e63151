"""The live view without a browser: runs in threads, what goes over the wire, every method's pictures and figures."""

import asyncio
import gc
import json
import threading
import time
import zlib
from dataclasses import dataclass, replace

import numpy as np
import pytest
from starlette.requests import Request

from consensus_core import METHODS, Ensemble, InputError, Method, State
from consensus_core.drawing import figures
from consensus_core.live import run as runner
from consensus_core.live.film import Film, drawn
from consensus_core.live.moment import truth_codes
from consensus_core.live.pin import pinned
from consensus_core.live.present import presented
from consensus_core.live.protocol import compose, describe
from consensus_core.live.run import LIVE, LiveRun
from consensus_core.live.turns import Turns
from consensus_core.method import Cost, Explanation, Matrix, Scalar, Weights, derived, shown
from consensus_core.similarity import coassociation
from pages.ui import server as front_door
from pages.ui.live import _light, answer_aside, awaited
from pages.ui.session import Dataset, Session, opened, session_behind


@dataclass(frozen=True, kw_only=True, eq=False)
class HalvingState(State):
    S: Matrix = shown("S", "what is left", span=(0, 1))
    A: Matrix = shown("A", "what never changes", span=(0, 1))
    size: Scalar = shown("s", "size of S")
    done: int = 0


@dataclass(frozen=True, kw_only=True)
class Halving(Method):
    """A stand-in: every step halves S, slowly if asked to."""

    steps: int = 6
    pause: float = 0.0
    fails_at: int = -1
    State = HalvingState

    def init(self, ensemble):
        A = coassociation(ensemble)
        return HalvingState(S=A.copy(), A=A, size=float(A.sum()))

    def step(self, ensemble, state):
        time.sleep(self.pause)
        if state.done + 1 == self.fails_at:
            raise InputError("It cannot go on.")
        S = state.S / 2
        return replace(state, S=S, size=float(S.sum()), done=state.done + 1)

    def terms(self, ensemble, state):
        return {"sum": float(state.S.sum())}

    def labels(self, ensemble, state):
        # numbers change hands at every step, clusters do not
        return (np.arange(ensemble.q) * self.k // ensemble.q + state.done) % self.k

    def converged(self, old, new):
        return new.done == self.steps

    def cost(self, ensemble):
        return Cost(bytes=1, seconds=0.0)

    @derived("w", "row sums")
    def w(self, ensemble, state) -> Weights:
        return state.S.sum(axis=1)

    def explain_S(self, ensemble, before, after, i, j):
        value = float(after.S[ensemble.microcluster_of(i), ensemble.microcluster_of(j)])
        return Explanation("S / 2", "…", value, "Half of what it was.")


def an_ensemble(n=30, seed=0, truth=True) -> Ensemble:
    rng = np.random.default_rng(seed)
    return Ensemble.from_labels(rng.integers(3, size=(n, 4)), truth=rng.integers(3, size=n) if truth else None)


def a_run(method=None, ensemble=None, watched=("S", "A"), **more) -> LiveRun:
    ensemble = ensemble or an_ensemble()
    run = LiveRun(method or Halving(k=3), ensemble, Film(ensemble), **more)
    run.watched = watched
    return run


def wait(condition, seconds=20.0):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it never came"
        time.sleep(0.005)


def threads():
    return [thread for thread in threading.enumerate() if thread.name.startswith("run ")]


@pytest.fixture(autouse=True)
def no_thread_outlives_its_run():
    yield
    wait(lambda: not threads())
    assert not LIVE


# --- runs ----------------------------------------------------------------------------------------------------------


def test_a_run_goes_to_its_end_and_its_thread_with_it():
    run = a_run()
    run.go()
    wait(lambda: run.state == "finished" and not run.live)
    assert [seen.iteration for seen in run.moments] == list(range(7))
    assert run.moments[-1].stop == "converged"
    assert run.history.objective == [seen.objective for seen in run.moments]


def test_pause_step_and_go_on_give_the_same_run():
    run = a_run(Halving(k=3, pause=0.01, steps=20))
    run.go()
    wait(lambda: len(run.moments) > 2)
    run.pause()
    wait(lambda: not run.live)
    assert run.state == "paused"
    held = len(run.moments)
    time.sleep(0.05)
    assert len(run.moments) == held
    run.step()
    wait(lambda: not run.live)
    assert len(run.moments) == held + 1
    run.go()
    wait(lambda: run.state == "finished")
    straight = a_run(Halving(k=3, steps=20))
    straight.go()
    wait(lambda: straight.state == "finished")
    assert run.history.objective == straight.history.objective


def test_cancelled_is_for_good():
    run = a_run(Halving(k=3, pause=0.01, steps=500))
    run.go()
    wait(lambda: len(run.moments) > 1)
    run.cancel()
    wait(lambda: not run.live)
    run.touch()  # a poll that comes late
    run.go()
    time.sleep(0.05)
    assert run.state == "cancelled"
    assert not run.live


def test_a_run_nobody_watches_ends_and_can_go_on(monkeypatch):
    monkeypatch.setattr(runner, "GRACE", 0.1)
    run = a_run(Halving(k=3, pause=0.01, steps=60))
    run.go()
    wait(lambda: len(run.moments) > 1)
    run.orphan()
    wait(lambda: not run.live)
    assert run.state == "paused"
    assert len(run.moments) < 61
    run.go()
    wait(lambda: run.state == "finished")


def test_a_watcher_who_comes_back_in_time_loses_nothing(monkeypatch):
    monkeypatch.setattr(runner, "GRACE", 0.3)
    run = a_run(Halving(k=3, pause=0.01, steps=40))
    run.go()
    run.orphan()
    time.sleep(0.05)
    run.touch()
    wait(lambda: run.state == "finished")


def test_a_question_past_the_page_keeps_a_run_alive_no_longer_than_a_missed_watcher_would(monkeypatch):
    monkeypatch.setattr(runner, "GRACE", 0.1)
    run = a_run(Halving(k=3, pause=0.01, steps=200))
    run.go()
    run.orphan()
    for _ in range(10):
        run.linger()
        time.sleep(0.02)
    assert run.live
    wait(lambda: not run.live, 5)
    assert run.state == "paused"
    run.go()
    run.linger()  # shortens nothing: who has a connection keeps the long patience
    time.sleep(0.2)
    assert run.live
    run.cancel()


def test_only_who_knows_the_door_of_a_session_is_answered_past_the_page():
    mine = Session(run=a_run())
    mine.film = mine.run.film
    ask = {"run": mine.run.id, "data": mine.film.ensemble.fingerprint, "order": "consensus", "rows": 2, "names": ["S"]}
    assert answer_aside(mine.door, ask) is None  # not open yet
    opened(mine)
    mine.run.go()
    wait(lambda run=mine.run: not run.live)
    header, _ = parsed(answer_aside(mine.door, ask))
    assert [row["i"] for row in header["rows"]] == [2, 3, 4, 5, 6]
    assert {frame["n"] for frame in header["frames"]} == {"S"}
    assert answer_aside("somebody else's", ask) is None
    assert answer_aside(mine.door, {**ask, "run": "an earlier one"}) is None
    assert answer_aside(mine.door, {**ask, "data": "other data"}) is None
    assert len({Session().door for _ in range(100)}) == 100
    door = mine.door
    assert not awaited(door, ask)  # the run is over: what there is can be told at once
    del mine  # its tab is gone for good
    gc.collect()
    assert session_behind(door) is None


@pytest.mark.parametrize(
    "body, status",
    [(b"", 400), (b"[1]", 400), (b"{}", 400), (b'"door"', 400), (b'{"door": [1]}', 204), (b'{"door": "none"}', 204)],
)
def test_strangers_at_the_door_are_turned_away(body, status):
    request = Request({"type": "http", "method": "POST"}, lambda: _received(body))
    assert asyncio.run(front_door._live(request)).status_code == status


async def _received(body):
    return {"type": "http.request", "body": body, "more_body": False}


@pytest.mark.parametrize(
    "seconds, size, begins, words", [(1, 10, True, ""), (59, 10, True, "59 s"), (7200, 10, False, "2 h"),
                                     (7200, 10**15, True, "TB")]
)  # fmt: skip
def test_hours_of_work_wait_to_be_asked_for_and_what_cannot_be_done_is_refused_at_once(
    monkeypatch, seconds, size, begins, words
):
    monkeypatch.setattr(Halving, "cost", lambda self, ensemble: Cost(bytes=size, seconds=seconds))
    assert _light(Halving(k=3), an_ensemble()) is begins
    said = presented(Halving(k=3), an_ensemble())["cost"]
    assert words in said and bool(said) == bool(words)


def test_what_goes_wrong_is_said():
    run = a_run(Halving(k=3, fails_at=3))
    run.go()
    wait(lambda: not run.live)
    assert (run.state, run.error) == ("failed", "It cannot go on.")
    assert len(run.moments) == 3
    too_many = a_run(Halving(k=31))
    too_many.go()
    wait(lambda: not too_many.live)
    assert "k = 31" in too_many.error


def test_twenty_at_once_all_finish():
    runs = [a_run(Halving(k=3, pause=0.002, steps=10)) for _ in range(20)]
    for run in runs:
        run.go()
    wait(lambda: all(run.state == "finished" for run in runs), 30)
    assert {len(run.moments) for run in runs} == {11}


def test_turns_are_taken_in_order_and_given_up():
    turns = Turns(1)
    assert turns.take(lambda: False)
    order, threads = [], []
    for name in "ab":
        threads.append(threading.Thread(target=lambda name=name: turns.take(lambda: False) and order.append(name)))
        threads[-1].start()
        wait(lambda: turns.waiting == len(threads))
    assert not turns.take(lambda: True)
    turns.give()
    threads[0].join(5)
    assert order == ["a"]
    turns.give()
    threads[1].join(5)
    assert order == ["a", "b"]


def test_clusters_keep_their_numbers_through_a_run_and_into_the_next():
    run = a_run()
    run.go()
    wait(lambda: run.state == "finished")
    assert all(np.array_equal(seen.labels, run.moments[0].labels) for seen in run.moments)
    like = (run.moments[0].labels + 1) % 3
    after = a_run(like=like)
    after.go()
    wait(lambda: after.state == "finished")
    assert np.array_equal(after.moments[-1].labels, like)


# --- the wire --------------------------------------------------------------------------------------------------------


def parsed(data: bytes):
    length = int.from_bytes(data[:4], "little")
    header = json.loads(data[4 : 4 + length])
    body = data[4 + length :]
    return header, lambda at: body[at[0] : at[0] + at[1]]


def said(run, ask=None, order="consensus"):
    message = compose(run, run.film, ask or {}, order, {})
    if "data" in message.header:
        describe(message, Dataset("key", "title", run.ensemble), run.film)
    return parsed(message.bytes())


def finished(*args, **more) -> LiveRun:
    run = a_run(*args, **more)
    run.go()
    wait(lambda: run.state == "finished")
    return run


def test_a_newcomer_is_told_everything():
    run = finished()
    header, part = said(run)
    assert header["data"]["n"] == 30
    member = np.frombuffer(zlib.decompress(part(header["data"]["member"]["at"])), "<i4")
    assert np.array_equal(member, run.ensemble.member_of)
    assert header["about"]["pictures"][0]["letter"] == "S"
    assert [row["i"] for row in header["rows"]] == list(range(7))
    labels = np.frombuffer(part(header["rows"][3]["labels"]["at"]), "<i2")
    assert np.array_equal(labels, run.moments[3].labels)
    last = next(frame for frame in header["frames"] if frame["n"] == "S" and frame["i"] == 6)
    codes = np.frombuffer(zlib.decompress(part(last["at"])), np.uint8).reshape(last["r"], last["c"])
    order = run.film.row_order("consensus", run.moments[6].labels)
    member = run.ensemble.member_of[order]
    shown = last["lo"] + codes / 254 * (last["hi"] - last["lo"])
    np.testing.assert_allclose(shown, run.at(6).state.S[np.ix_(member, member)], atol=0.5 / 254 + 1e-9)


def test_only_what_is_lacking_is_sent():
    run = finished()
    header, _ = said(run)
    ask = {"run": run.id, "data": run.ensemble.fingerprint, "order": "consensus", "rows": 7, "shown": 0}
    ask |= {"names": ["S", "A"], "have": {"S": "0-5", "A": "0-6"}}
    header, _ = said(run, ask)
    assert "data" not in header
    assert "about" not in header
    assert header["rows"] == []
    assert [(frame["n"], frame["i"]) for frame in header["frames"]] == [("S", 6)]
    # another order of rows makes all pictures new
    header, _ = said(run, ask, order="given")
    assert {frame["i"] for frame in header["frames"]} == set(range(7))


def test_each_frame_goes_once_and_what_never_changes_goes_once_at_all():
    header, _ = said(finished())
    seen = [(frame["n"], frame["i"]) for frame in header["frames"]]
    assert len(seen) == len(set(seen))
    kinds = [frame["k"] for frame in header["frames"] if frame["n"] == "A"]
    assert kinds.count("u1") == 1
    assert set(kinds) == {"u1", "same"}


def test_playing_as_it_comes_sends_the_newest():
    run = finished()
    ask = {"run": run.id, "order": "consensus", "rows": 3, "shown": 2, "mode": "play", "newest": True, "names": ["S"]}
    header, _ = said(run, ask)
    assert [frame["i"] for frame in header["frames"]] == [6]


def test_a_part_in_view_comes_at_its_own_sharpness():
    ensemble = an_ensemble(900)
    run = finished(ensemble=ensemble)
    ask = {"run": run.id, "order": "consensus", "rows": 7, "shown": 6, "names": ["S"], "have": {"S": "0-6"}}
    ask["detail"] = {"key": "k", "i": 6, "window": [100, 160, 300, 360], "names": ["S"]}
    header, part = said(run, ask)
    detail = header["details"][0]
    codes = np.frombuffer(zlib.decompress(part(detail["at"])), np.uint8).reshape(60, 60)
    member = ensemble.member_of[run.film.row_order("consensus", run.moments[6].labels)]
    exact = run.at(6).state.S[np.ix_(member[100:160], member[300:360])]
    np.testing.assert_allclose(codes / 254 * (detail["hi"] - detail["lo"]) + detail["lo"], exact, atol=0.5 / 254 + 1e-9)


@pytest.mark.parametrize("order", ["consensus", "truth", "given", "leaf", "base:2"])
def test_rows_stand_in_the_order_asked_for(order):
    ensemble = an_ensemble(50)
    film = Film(ensemble)
    labels = np.random.default_rng(1).integers(3, size=ensemble.q)
    rows = film.row_order(order, labels)
    assert sorted(rows) == list(range(50))
    keys = {"truth": truth_codes(ensemble)[0], "given": np.arange(50), "base:2": ensemble.labels()[:, 2]}
    key = keys.get(order, ensemble.expand(film.rank if order == "leaf" else labels))
    assert (np.diff(key[rows]) >= 0).all()


def test_pictures_thrown_away_come_back_the_same(monkeypatch):
    run = finished()
    first = run.picture("S", 2, "consensus").data
    run.film.forget(run.id)
    assert not run.film.has(run, "S", 2, "consensus")
    assert run.picture("S", 2, "consensus").data == first


def test_unknown_truths_have_no_label():
    ensemble = Ensemble.from_labels([[0], [0], [1]], truth=np.array(["x", None, "y"], dtype=object))
    codes, names = truth_codes(ensemble)
    assert codes.tolist() == [0, -1, 1]
    assert names == ["x", "y"]


def test_what_is_pinned_is_told_at_full_precision():
    run = finished()
    pin = {"id": "p", "i": 4, "where": {"S": [3, 7], "w": [3], "size": []}, "why": "S"}
    told = pinned(run, pin, {"run": run.id})
    assert told["values"]["S"] == run.method.entry(run.ensemble, run.at(4).state, "S", 3, 7)
    assert told["values"]["w"] == run.method.entry(run.ensemble, run.at(4).state, "w", 3)
    assert told["why"]["value"] == told["values"]["S"]
    assert told["why"]["words"] == "Half of what it was."
    assert pinned(run, pin, {"run": "another"}) is None


# --- every method -----------------------------------------------------------------------------------------------------


def grouped(n=36, m=6, seed=3) -> Ensemble:
    rng = np.random.default_rng(seed)
    truth = np.arange(n) * 3 // n
    table = np.array([np.where(rng.random(n) < 0.85, truth, rng.integers(3, size=n)) for _ in range(m)]).T
    return Ensemble.from_labels(table, truth=truth)


@pytest.mark.parametrize("key", METHODS)
def test_every_method_can_be_watched(key):
    ensemble = grouped()
    method = METHODS[key](k=3)
    run = finished(method, ensemble, watched=tuple(q.name for q in drawn(method)))
    json.dumps(presented(method, ensemble), allow_nan=False)
    names = [quantity.name for quantity in drawn(method)]
    header, _ = said(run, {"names": names, "shown": len(run.moments) - 1})
    there = {(frame["n"], frame["i"]) for frame in header["frames"]}
    assert {(name, len(run.moments) - 1) for name in names} <= there
    for quantity in method.quantities():
        figure = figures.of(method, ensemble, run.at(len(run.moments) - 1), quantity.name, dark=True)
        assert figure is not None
        json.loads(figure.to_json())


def test_figures_show_the_numbers():
    method, ensemble = Halving(k=3), an_ensemble(20)
    run = finished(method, ensemble)
    order = np.random.default_rng(0).permutation(20)
    figure = figures.of(method, ensemble, run.at(1), "S", order=order)
    member = ensemble.member_of[order]
    np.testing.assert_allclose(figure.data[0].z, run.at(1).state.S[np.ix_(member, member)], rtol=1e-6)
    curve = figures.curves({"objective": run.history.objective}, marker=2)
    assert curve.data[0].y == tuple(run.history.objective)
    places = figures.object_map(ensemble, run.moments[-1].labels)
    assert sum(len(trace.x) for trace in places.data) == 20
