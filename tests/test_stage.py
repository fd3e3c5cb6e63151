"""A stage without a browser: what goes over the wire, one order of rows for all, dials past the page, two runs."""

import io
import itertools
import json
import threading
import weakref
import zlib

import numpy as np
import pandas as pd
import pytest

from consensus_core import METHODS, Ensemble, iterate
from consensus_core.data.exports import labels_csv
from consensus_core.data.naming import Naming
from consensus_core.data.samples import load
from consensus_core.drawing import figures
from consensus_core.drawing.kinds import drawn
from consensus_core.drawing.orders import leaf_rank, orders_of
from consensus_core.drawing.pixels import knots
from consensus_core.ensemble.truth import truth_codes
from consensus_core.live import compose as composing
from consensus_core.live import frames
from consensus_core.live.compose import compose
from consensus_core.live.objects import Objects
from consensus_core.live.pace import light
from consensus_core.live.parse import parsed
from consensus_core.live.present import presented
from consensus_core.live.run import LIVE
from consensus_core.live.sight import iteration
from consensus_core.live.stage import Stage
from consensus_core.live.watchers import NOTHING
from consensus_core.method import Cost
from tests.stand_ins import (
    Changing,
    Halving,
    Walking,
    a_stage,
    all_distinct,
    an_ensemble,
    ended,
    wait,
)

TYPES = {"u1": np.uint8, "i2": "<i2", "u2": "<u2", "i4": "<i4", "f4": "<f4"}


@pytest.fixture(autouse=True)
def messages_are_as_long_as_a_browser_wants_them(monkeypatch):
    """Not as long as a busy machine can make them in time."""
    monkeypatch.setattr(frames, "MOST_SECONDS", 60.0)


@pytest.fixture(autouse=True)
def no_thread_outlives_its_run():
    yield
    wait(lambda: not [thread for thread in threading.enumerate() if thread.name.startswith("run ")])
    assert not LIVE


def test_no_more_pictures_are_packed_for_a_question_that_another_has_overtaken(monkeypatch):
    """A dial moved while pictures of the run before were on their way had to wait for all of them to be packed."""
    stage, asked = ended(Changing(k=3)), parsed({"seq": 4})
    stage.hear(asked)
    every = compose(stage, asked).header["frames"]
    picture = frames._Framing._picture

    def as_another_comes(self, *place):
        picture(self, *place)
        stage.hear(parsed({"seq": 5}))

    monkeypatch.setattr(frames._Framing, "_picture", as_another_comes)
    answer = compose(stage, asked).header
    pictures = [frame for frame in answer["frames"] if frame["n"]]
    assert len(pictures) == 1 and answer["more"] and len([frame for frame in every if frame["n"]]) > 1
    assert answer["frames"] == every[: len(answer["frames"])]


def test_who_goes_back_with_a_dial_finds_the_run_that_was_there(monkeypatch):
    stage = ended(Halving(k=3))
    first = stage.run
    stage.follow([Halving(k=3, by=3.0)])
    stage.follow([Halving(k=3)])
    assert stage.run is first and first.state == "finished"  # nothing is computed, and nothing is read
    monkeypatch.setattr("consensus_core.live.stage.LEFT", 0)  # too large to be held
    stage.follow([Halving(k=3, by=3.0)])
    held = weakref.ref(first)
    del first
    wait(lambda: held() is None)
    stage.follow([Halving(k=3)])
    stage.leave()


def test_an_answer_is_of_one_moment(monkeypatch):
    """A dial moved while another thread composed put pictures of the new run into an answer about the old one."""
    stage = ended(Changing(k=3))
    before = stage.run.id
    told = frames.frames

    def with_a_dial_moved(*asked):
        stage.follow([Changing(k=4)], begin=False)
        return told(*asked)

    monkeypatch.setattr(composing, "frames", with_a_dial_moved)
    header = compose(stage, parsed({})).header
    assert [run["id"] for run in header["runs"]] == [before] != [stage.run.id]
    assert header["standing"].endswith(before)
    assert {frame["u"] for frame in header["frames"]} == {before}
    stage.leave()


class Said:
    """An answer as a browser reads it."""

    def __init__(self, stage, question=None):
        data = compose(stage, parsed(question or {})).bytes()
        length = int.from_bytes(data[:4], "little")
        self.header = json.loads(data[4 : 4 + length])
        self._body = data[4 + length :]

    def array(self, ref):
        start, length = ref["at"]
        return np.frombuffer(zlib.decompress(self._body[start : start + length]), TYPES[ref["k"]])

    def frame(self, run, name, at):
        """The frame, and that it is the same as where it is."""
        frames = {(f["u"], f["n"], f["i"]): f for f in self.header["frames"]}
        frame = frames[run, name, at]
        return frames[run, name, frame["of"]] if frame["k"] == "same" else frame

    def values(self, run, name, at):
        frame = self.frame(run, name, at)
        codes = self.array({"k": frame["k"], "at": frame["at"]}).reshape(frame["r"], frame["c"])
        if frame["k"] != "u1":
            return codes
        values, places = knots(frame["lo"], frame["hi"], tuple(frame.get("inner", (frame["lo"], frame["hi"]))))
        return np.interp(codes, places, values)

    def order(self, at, what="rows"):
        orders = {order["i"]: order for order in self.header["orders"]}
        order = orders[at]
        return self.array(orders[order["of"]][what] if "of" in order else order[what])


def knowing(stage, said, **more):
    """The next question of a browser that has read this answer."""
    runs = {}
    for run in stage.runs:
        known = {"rows": len(next(r for r in said.header["runs"] if r["id"] == run.id)["rows"]), "have": {}}
        for frame in said.header["frames"]:
            if frame["u"] == run.id:
                known["have"][frame["n"]] = ",".join(filter(None, (known["have"].get(frame["n"]), str(frame["i"]))))
        runs[run.id] = known | more.pop(run.id, {})
    orders = ",".join(str(order["i"]) for order in said.header["orders"])
    asked = {
        "data": stage.ensemble.fingerprint,
        "placed": True,
        "order": stage.sight.standing,
        "orders": orders,
        "runs": runs,
    }
    return asked | more


# --- what a newcomer is told ------------------------------------------------------------------------------------------


def test_a_newcomer_is_told_everything():
    stage = ended()
    run, said = stage.run, Said(stage, {"newest": True})
    data = said.header["data"]
    assert data["n"] == 30 and np.array_equal(said.array(data["member"]), stage.ensemble.member_of)
    about = said.header["runs"][0]["about"]
    assert about["pictures"][0]["letter"] == "S" and about["pictures"][0]["card"] == "matrix"
    assert [row["i"] for row in said.header["runs"][0]["rows"]] == list(range(7))
    assert said.header["palette"]["clusters"] and said.header["placed"]["mapping"]
    labels = said.frame(run.id, "", 6)
    assert np.array_equal(said.array(labels["labels"]), run.moments[6].labels)
    member = stage.ensemble.member_of[said.order(6)]
    np.testing.assert_allclose(
        said.values(run.id, "S", 6), run.at(6).state.S[np.ix_(member, member)], atol=run.at(6).state.S.max() / 500
    )


def test_the_certainty_that_is_sent_is_the_number_in_the_file():
    """It once was a byte: 0.5 was sent as 0.5 + 1/508, and the table beside the file said another third digit."""
    stage = ended(ensemble=an_ensemble(200))
    said = Said(stage)
    sent = said.array(said.frame(stage.run.id, "", 6)["sure"])
    assert [f"{x:.3g}" for x in sent] == [f"{x:.3g}" for x in stage.run.moments[6].certainty.astype(np.float32)]
    np.testing.assert_allclose(sent, stage.run.moments[6].certainty, rtol=1e-6)


def test_where_clusters_were_merged_the_certainty_is_that_of_the_merged_ones_as_in_the_file():
    stage = ended(ensemble=an_ensemble(60))
    step, clusters = stage.run.at(6), Naming(merged=((1, 0),))
    stage.called = {stage.run.method: clusters}
    said = Said(stage)
    sent = said.frame(stage.run.id, "", 6)
    table = pd.read_csv(io.BytesIO(labels_csv(step, clusters=clusters)))
    member = stage.ensemble.member_of
    np.testing.assert_allclose(said.array(sent["sure"])[member], table["certainty"], atol=1e-6)
    assert not np.allclose(stage.run.moments[6].certainty, said.array(sent["sure"]))


def test_a_skeleton_comes_before_anything_heavy_is_there(monkeypatch):
    """The page was blank for seconds while rows were put in order; now it says at once what it is about to do."""
    there = threading.Event()
    stage = Stage(Objects(an_ensemble(), "title"))
    monkeypatch.setattr("consensus_core.live.objects.leaf_rank", lambda e: there.wait(20) and leaf_rank(e))
    stage.follow([Halving(k=3)])
    said = Said(stage)
    assert said.header["data"]["n"] == 30 and "placed" not in said.header and not said.header["frames"]
    assert said.header["runs"][0]["about"]["name"] == "Halving" and said.header["live"]
    there.set()
    wait(lambda: stage.stopped and not stage.live)
    said = Said(stage, knowing(stage, said) | {"placed": False})
    assert len(said.array(said.header["placed"]["map"])) == 60 and said.header["frames"]


def test_only_what_is_lacking_is_sent():
    stage = ended()
    run, before = stage.run, Said(stage)
    known = {"rows": 7, "see": ["S", "A"], "have": {"S": "0-5", "A": "0-6", "": "0-6"}}
    asked = knowing(stage, before, shown=0) | {"runs": {run.id: known}, "orders": "0-6"}
    said = Said(stage, asked)
    assert not {"data", "palette", "placed"} & set(said.header) and "about" not in said.header["runs"][0]
    assert said.header["runs"][0]["rows"] == [] and said.header["orders"] == []
    assert [(frame["n"], frame["i"]) for frame in said.header["frames"]] == [("S", 6)]
    stage.sight.order = "given"  # another order of rows makes all pictures new, and who is in which cluster stays known
    said = Said(stage, asked)
    assert {(frame["n"], frame["i"]) for frame in said.header["frames"]} == {(n, i) for n in "SA" for i in range(7)}


def test_each_frame_goes_once_and_what_never_changes_goes_once_at_all():
    stage = ended()
    first = Said(stage, {"shown": 0, "mode": "play"})
    seen = [(frame["n"], frame["i"]) for frame in first.header["frames"]]
    assert len(seen) == len(set(seen))
    kinds = [frame["k"] for frame in first.header["frames"] if frame["n"] == "A"]
    assert kinds == ["u1", *["same"] * 6]
    assert [("of" in order) for order in first.header["orders"]] == [False, *[True] * 6]
    # one by one, as while it plays: what the browser holds from an earlier answer is not sent again either
    known = {"rows": 7, "see": ["S", "A"], "have": {"S": "0", "A": "0", "": "0"}}
    asked = knowing(stage, first, shown=1, mode="play") | {"runs": {stage.run.id: known}, "orders": "0"}
    said = Said(stage, asked)
    assert {frame["k"] for frame in said.header["frames"] if frame["n"] in ("A", "")} == {"same"}
    assert all(order.get("of") == 0 for order in said.header["orders"])


def test_a_last_step_of_a_run_that_leaves_the_stage_stumbles_over_nothing(monkeypatch):
    stage = ended()
    run, sight = stage.run, stage.sight
    shown, kept, draw = iter([sight._runs]), sight.film.kept, sight.film.draw
    drawn_of = []
    monkeypatch.setattr(sight.film, "draw", lambda place, *more: drawn_of.append(place) or draw(place, *more))

    def leaving(place):  # in the moment between the look at who is there and the drawing
        if next(shown, None):
            sight.turn_to((), [run.id])
        return kept(place)

    monkeypatch.setattr(sight.film, "kept", leaving)
    sight.film.forget(run.id)
    sight.coming(run, run.moments[2], run.at(2), ["S"])
    assert len(drawn_of) == 1, "it was on its way"
    sight.coming(run, run.moments[3], run.at(3), ["S"])
    assert len(drawn_of) == 1


def test_playing_as_it_comes_sends_the_newest():
    stage = ended()
    asked = {"order": stage.sight.standing, "runs": {stage.run.id: {"rows": 3, "see": ["S"]}}, "shown": 2}
    said = Said(stage, {**asked, "mode": "play", "newest": True})
    assert {frame["i"] for frame in said.header["frames"]} == {6}


def test_a_part_in_view_comes_at_its_own_sharpness():
    ensemble = an_ensemble(900)
    stage = ended(ensemble=ensemble)
    asked = {
        "order": stage.sight.standing,
        "runs": {stage.run.id: {"rows": 7, "see": ["S"], "have": {"S": "0-6"}}},
        "shown": 6,
    }
    asked["detail"] = {"key": "k", "at": 6, "window": [100, 160, 300, 360], "see": {stage.run.id: ["S"]}}
    said = Said(stage, asked)
    (detail,) = said.header["details"]
    codes = said.array({"k": "u1", "at": detail["at"]}).reshape(60, 60)
    member = ensemble.member_of[said.order(6)]
    exact = stage.run.at(6).state.S[np.ix_(member[100:160], member[300:360])]
    np.testing.assert_allclose(np.interp(codes, [0, 254], [detail["lo"], detail["hi"]]), exact, atol=exact.max() / 500)


def test_pictures_thrown_away_come_back_the_same():
    stage = ended()
    first = stage.sight.shot(stage.run, "S", 2).picture.data
    stage.sight.film.forget(stage.run.id)
    assert not stage.sight.drawn_already(stage.run, "S", 2)
    assert stage.sight.shot(stage.run, "S", 2).picture.data == first


# --- one order of rows ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ensemble", [an_ensemble(50), all_distinct(40), an_ensemble(40, truth=False)],
                         ids=["some alike", "all distinct", "no truth"])  # fmt: skip
@pytest.mark.parametrize("method", [Halving(k=3), Changing(k=3)], ids=["still", "changing"])
def test_every_picture_stands_in_the_order_that_is_sent_with_it(ensemble, method):
    """Where all label rows were distinct (q = n), the default order once took the labels of microclusters for labels of
    objects: every matrix was drawn permuted against its own labels and pins. The browser, which ordered for itself,
    pointed at other objects than were drawn."""
    stage = ended(method, ensemble=ensemble)
    run, S = stage.run, {at: stage.run.at(at).state.S for at in (0, 3, 6)}
    for order in orders_of(ensemble):
        stage.sight.order = order
        said = Said(stage, {"shown": 0, "runs": {run.id: {"rows": 0, "see": ["S"]}}})
        for at in S:
            rows = said.order(at)
            assert sorted(rows) == list(range(ensemble.n))
            member = ensemble.member_of[rows]
            drawn = said.values(run.id, "S", at)
            np.testing.assert_allclose(drawn, S[at][np.ix_(member, member)], atol=S[at].max() / 500)
            labels = ensemble.expand(run.moments[at].labels)
            keys = {"consensus": labels, "given": np.arange(ensemble.n)}
            if ensemble.truth is not None:
                keys["truth"] = truth_codes(ensemble)[0]
            if order.startswith("base:"):
                keys[order] = ensemble.labels()[:, int(order[5:])]
            if order in keys:
                assert (np.diff(keys[order][rows]) >= 0).all()
            # the standing figure, which is exported, stands in the same order
            figure = figures.of(run.method, ensemble, run.at(at), "S", stage.sight.arrangement(at))
            np.testing.assert_allclose(figure.data[0].z, S[at][np.ix_(member, member)], rtol=1e-5)


def test_owners_and_the_colours_of_classes_are_sent():
    stage = ended()
    frame = Said(stage).frame(stage.run.id, "", 6)
    assert len(frame["classes"]) == 3 and sorted(set(frame["classes"])) == sorted(frame["classes"])
    K = int(stage.ensemble.offsets[-1])
    assert frame["owners"] and len(Said(stage).array(Said(stage).frame(stage.run.id, "", 6)["owners"])) == K


# --- dials, ghosts, pins ----------------------------------------------------------------------------------------------


def test_a_dial_moved_in_the_view_starts_a_new_run_and_is_told_to_the_page():
    stage = ended()
    before = stage.run
    asked = {"runs": {before.id: {"rows": 7, "see": ["S"]}}, "dial": {"run": before.id, "name": "by", "value": 3.0}}
    stage.hear(parsed({**asked, "data": stage.ensemble.fingerprint}))
    assert stage.run is not before and stage.run.method == Halving(k=3, by=3.0)
    assert stage.dialled == {"by": 3.0}
    wait(lambda: stage.stopped and not stage.live)
    run = Said(stage, asked | {"dial": None}).header["runs"][0]
    assert run["id"] == stage.run.id and run["about"]["settings"] == "k = 3, β = 3"
    # the run before is a grey line, named by where it stood elsewhere
    assert [ghost["title"] for ghost in run["ghosts"]] == ["β = 2"]
    assert run["ghosts"][0]["f"] == before.history.objective
    # the page says the same now: nothing begins anew
    assert stage.follow([Halving(k=3, by=3.0)])[0] is stage.run


def test_dials_are_the_methods_own_numbers_and_how_many_clusters():
    dials = presented(Halving(k=3), an_ensemble(), 3)["dials"]
    assert [dial["name"] for dial in dials] == ["by", "k"]
    assert dials[0]["stops"] == [1, 1.5, 2, 2.5, 3, 3.5, 4] and dials[0]["at"] == 2
    assert dials[1]["stops"] == list(map(float, range(1, len(dials[1]["stops"]) + 1)))
    for cls in METHODS.values():
        for dial in presented(cls(k=3), an_ensemble(), 3)["dials"]:
            assert dial["stops"] == sorted(set(dial["stops"])) and dial["stops"][dial["at"]] == dial["value"]
            for stop in (dial["stops"][0], dial["stops"][-1]):
                assert getattr(cls(**{"k": 3, dial["name"]: stop}), dial["name"]) == stop


def test_what_is_pinned_is_told_at_full_precision():
    stage = ended()
    run = stage.run
    where = {run.id: {"S": [3, 7], "w": [3], "size": [], "R": [0, 2], "nothing": [1], "A": [0, 999]}}
    told = Said(stage, {"pin": {"id": "p", "at": 4, "where": where}}).header["pinned"]
    state = run.at(4).state
    values = told["values"][run.id]
    for name, place in (("S", (3, 7)), ("w", (3,)), ("size", ())):
        assert values[name] == run.method.entry(run.ensemble, state, name, *place)
    # cluster by cluster: off the diagonal, once silently another entry's
    assert values["R"] == 2.0 != run.method.entry(run.ensemble, state, "R", 0, 0)
    assert set(values) == {"S", "w", "size", "R"} and told["i"] == 4


def test_why_is_told_in_terms_that_lead_on_to_the_base_labels():
    stage = ended()
    ask = lambda **more: Said(stage, {"why": {"run": stage.run.id, **more}}).header["why"]  # noqa: E731
    told = ask(name="S", where=[3, 7], iteration=4)["told"]
    assert told["value"] == stage.run.at(4).entry("S", 3, 7)
    assert [term["symbol"] for term in told["terms"]] == ["S", "β"]
    assert [term["when"] for term in told["terms"]] == ["before", "always"]
    back = ask(**told["terms"][0]["to"])  # the trail leads to the iteration before
    assert back["iteration"] == 3 and back["told"]["value"] == pytest.approx(2 * told["value"])
    start = ask(name="S", where=[3, 7], iteration=0)["told"]["terms"][0]["to"]
    votes = ask(**ask(**start)["told"]["terms"][0]["to"])  # a quantity that has no picture
    assert votes["name"] == "together" and "labels" in {term["kind"] for term in votes["told"]["terms"]}
    # a refusal is a sentence, not a fault
    assert "no explanation" in ask(name="w", where=[3], iteration=4)["told"]["words"][0]
    assert ask(name="S", where=[3], iteration=4)["told"]["words"]
    assert ask(name="S", where=[3, 9999], iteration=4)["told"]["words"]
    assert ask(name="none", where=[], iteration=99)["told"]["words"]


def test_whatever_is_shown_can_be_asked_why_and_what_stands_between():
    for cls in METHODS.values():
        about = presented(cls(k=3), an_ensemble(), 3)
        assert all(one["explained"] for one in (*about["pictures"], *about["curves"], *about["between"]))
        assert "cluster" in {one["name"] for one in about["between"]}


def test_what_is_no_answer_is_said_so():
    stage = ended(Halving(k=3, steps=200, max_iter=4))
    row = Said(stage).header["runs"][0]["rows"][-1]
    assert (row["stop"], row["answer"]) == ("max_iter", False) and "not converged" in row["because"]
    row = Said(ended()).header["runs"][0]["rows"][-1]
    assert (row["because"], row["answer"]) == ("Converged after 6 steps.", True)


# --- long work --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "seconds, size, begins, words",
    [(1, 10, True, ""), (59, 10, True, "59 s"), (7200, 10, False, "2 h"), (7200, 10**15, True, "TB")],
)
def test_hours_of_work_wait_to_be_asked_for_and_what_cannot_be_done_is_refused_at_once(
    monkeypatch, seconds, size, begins, words
):
    monkeypatch.setattr(Halving, "cost", lambda self, ensemble: Cost(bytes=size, seconds=seconds))
    ensemble = an_ensemble(30, seed=int(seconds + size % 97))  # estimates are remembered
    assert light(Halving(k=3), ensemble) is begins
    said = presented(Halving(k=3), ensemble)
    assert words in said["cost"] and bool(said["cost"]) == bool(words)
    assert bool(said["quicker"]) == (seconds >= 10)
    stage = a_stage(Halving(k=3), ensemble=ensemble)
    assert (stage.run.watchers.until > NOTHING) is begins
    stage.leave()


def test_what_takes_its_time_begins_when_it_has_been_answered_what_it_is(monkeypatch):
    """LWEA on 20,000 objects kept its own first answer waiting for seconds: the page was blank."""
    monkeypatch.setattr(Halving, "cost", lambda self, ensemble: Cost(bytes=10, seconds=5.0))
    stage = Stage(Objects(an_ensemble(32), "title"))
    stage.follow([Halving(k=3)])
    assert not stage.live and not stage.objects.placed
    header = Said(stage).header
    assert header["runs"][0]["about"]["cost"] == "about 10 B and 5 s"
    # it once was said to pause: the view rested, and showed nothing of what came
    assert header["live"] and header["runs"][0]["state"] == "waiting"
    stage.begin_waiting()
    wait(lambda: stage.stopped and not stage.live and stage.objects.placed)


def test_time_left_is_said_while_it_runs(monkeypatch):
    monkeypatch.setattr(Halving, "cost", lambda self, ensemble: Cost(bytes=10, seconds=50.0))
    stage = a_stage(Halving(k=3, pause=0.05, steps=200, max_iter=100_000), ensemble=an_ensemble(31))
    wait(lambda: len(stage.run.moments) > 3)
    left = Said(stage).header["runs"][0]["left"]
    assert left.startswith("about ") and left.endswith(" s left") and 40 < float(left.split()[1]) <= 50
    stage.leave()
    wait(lambda: not stage.live)
    assert Said(stage).header["runs"][0]["left"] == ""


# --- two runs side by side --------------------------------------------------------------------------------------------


def test_two_runs_share_one_transport_and_their_difference_is_a_picture():
    short, long = Halving(k=3, steps=4), Halving(k=3, by=4.0, steps=9)
    stage = ended(short, long)
    one = stage.run
    assert stage.reach == 10 and [iteration(one, at) for at in (0, 4, 9)] == [0, 4, 4]
    (pair,) = stage.pairs
    see = {run.id: {"rows": 0, "see": ["S"]} for run in stage.runs} | {pair.id: {"see": ["partition", "S", "w"]}}
    said = Said(stage, {"shown": 0, "runs": see})
    assert [p["name"] for p in said.header["pairs"][0]["pictures"]] == ["partition", "S", "A", "R", "w"]
    for at in (0, 3, 9):
        member = stage.ensemble.member_of[said.order(at)]
        S = [run.at(iteration(run, at)).state.S[np.ix_(member, member)] for run in stage.runs]
        for run, value in zip(stage.runs, S, strict=True):
            np.testing.assert_allclose(said.values(run.id, "S", at), value, atol=value.max() / 500)
        difference = S[1] - S[0]
        np.testing.assert_allclose(said.values(pair.id, "S", at), difference, atol=np.ptp(difference) / 500 + 1e-12)
        labels = [run.moments[iteration(run, at)].labels[member] for run in stage.runs]
        before, after = (np.equal.outer(each, each).astype(int) for each in labels)
        np.testing.assert_allclose(said.values(pair.id, "partition", at), after - before, atol=2 / 500)
        w = [run.method.value(stage.ensemble, run.at(iteration(run, at)).state, "w") for run in stage.runs]
        np.testing.assert_allclose(said.values(pair.id, "w", at)[0], (w[1] - w[0])[member], rtol=1e-5, atol=1e-6)
    entry = Said(stage, {"pin": {"id": "", "at": 3, "where": {pair.id: {"S": [1, 2], "partition": [1, 2]}}}}).header[
        "pinned"
    ]
    told = [run.method.entry(stage.ensemble, run.at(3).state, "S", 1, 2) for run in stage.runs]
    assert entry["values"][pair.id]["S"] == told[1] - told[0]
    labels = [stage.ensemble.expand(run.moments[3].labels) for run in stage.runs]
    together = [float(each[1] == each[2]) for each in labels]
    assert entry["values"][pair.id]["partition"] == together[1] - together[0]
    scale = said.header["pairs"][0]["scales"]["S"]
    assert scale["lo"] == -scale["hi"]


def test_runs_that_go_on_are_shown_as_far_as_all_of_them_are():
    stage = a_stage(Halving(k=3, steps=3), Halving(k=3, steps=500, pause=0.02))
    wait(lambda: stage.runs[0].stopped and len(stage.runs[1].moments) > 0)
    while len(stage.runs[1].moments) < 8:
        count = len(stage.runs[1].moments)
        assert count <= stage.reach <= len(stage.runs[1].moments)
    stage.leave()


def test_a_run_that_ends_while_it_is_told_of_is_told_whole(monkeypatch):
    """Two runs of one step each once rested at iteration 0: the answer said that they had ended, and counted before."""
    stage = a_stage(Halving(k=3, steps=1, pause=0.3), Halving(k=3, steps=1, pause=0.3))
    wait(lambda: all(run.moments for run in stage.runs))
    whole = frames.frames

    def slowly(*args):
        wait(lambda: stage.stopped and not stage.live)
        return whole(*args)

    monkeypatch.setattr("consensus_core.live.compose.frames", slowly)
    header = Said(stage).header
    assert header["live"] and header["count"] == 1
    assert [(run["state"], run["count"], len(run["rows"])) for run in header["runs"]] == [("running", 1, 1)] * 2


def test_equal_clusters_of_two_runs_have_equal_numbers():
    stage = ended(Halving(k=3), Halving(k=3, steps=5))
    one, other = stage.runs
    assert np.array_equal(one.moments[0].labels, other.moments[0].labels)


def test_only_what_is_equal_is_compared():
    """Equal names are not enough: a walk's A is no share, LWEA's a similarity."""
    ensemble = an_ensemble()
    stage = a_stage(METHODS["lwea"](k=3), METHODS["eac"](k=3), Walking(k=3), ensemble=ensemble, begin=False)
    shared = [{quantity.name for quantity in pair.quantities()} for pair in stage.pairs]
    assert "A" in shared[0] and "A" not in shared[1]
    stage.leave()


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
    stage = ended(method, ensemble=ensemble)
    run, last = stage.run, stage.reach - 1
    names = [quantity.name for quantity in drawn(method)]
    said = Said(stage, {"shown": last, "runs": {run.id: {"rows": 0, "see": names}}})
    there = {(frame["n"], frame["i"]) for frame in said.header["frames"]}
    assert {(name, last) for name in names} <= there
    for quantity in method.quantities():
        scale = stage.sight.scale(run, quantity)
        figure = figures.of(
            method, ensemble, run.at(last), quantity.name, stage.sight.arrangement(last), dark=True, scale=scale
        )
        assert figure is not None
        json.loads(figure.to_json())


def test_figures_show_the_numbers():
    ensemble = an_ensemble(20)
    stage = ended(ensemble=ensemble)
    run, arrangement = stage.run, stage.sight.arrangement(1)
    figure = figures.of(run.method, ensemble, run.at(1), "S", arrangement)
    member = ensemble.member_of[arrangement.rows]
    np.testing.assert_allclose(figure.data[0].z, run.at(1).state.S[np.ix_(member, member)], rtol=1e-6)
    curve = figures.curves({"objective": run.history.objective}, marker=2)
    assert curve.data[0].y == tuple(run.history.objective)
    places = figures.object_map(ensemble, run.moments[-1].labels)
    assert sum(len(trace.x) for trace in places.data) == 20


def test_the_stretches_of_a_curve_begin_where_its_values_cannot_be_compared():
    """SPCE's objective falls while λ stays and is another one when λ moves: the curve is parted there."""
    ensemble = load("iris").ensemble
    marked = presented(METHODS["spce"](k=3), ensemble, 3)["stretches"]
    path = list(iterate(METHODS["spce"](k=3), ensemble))
    marks = [METHODS["spce"](k=3).value(ensemble, step.state, marked) for step in path]
    assert len(set(marks)) > 2
    for (before, now), (one, other) in zip(itertools.pairwise(path), itertools.pairwise(marks), strict=True):
        assert (now.state.r != before.state.r) == (one != other)
    assert not presented(METHODS["ec_cms"](k=3), ensemble, 3)[
        "stretches"
    ]  # one objective from the first step to the last
