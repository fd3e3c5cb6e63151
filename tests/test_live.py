"""The live view's way past the page: who is answered there, and what nonsense gets."""

import gc
import json
import time
from collections import Counter

import numpy as np
from asking import run
from starlette.requests import Request

from consensus_core.live.parse import parsed
from pages.ui import links, server
from pages.ui.live import awaited, heard_aside
from pages.ui.session import Session, opened, session_behind
from tests.stand_ins import Changing, ended, wait


def a_session() -> Session:
    mine = Session()
    mine.stage = ended(door=mine.door)
    return mine


def asked_by(mine, **more):
    known = {"rows": 2, "see": ["S"], "have": {"": "0-6"}}
    return {
        "data": mine.stage.ensemble.fingerprint,
        "order": mine.stage.sight.standing,
        "runs": {mine.run.id: known},
        **more,
    }


def posted(body, door=""):
    """The answer to what is sent: bytes, or an object."""
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = [(b"x-quorum-door", door.encode()), (b"content-type", b"application/json")]

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    request = Request({"type": "http", "method": "POST", "headers": headers}, receive)
    return run(server._live(request))


def test_only_who_knows_the_door_of_a_session_is_answered_past_the_page():
    mine = a_session()
    said = asked_by(mine)
    assert posted(said, mine.door).status_code == 404  # not open yet
    opened(mine)
    answer = posted(said, mine.door)
    length = int.from_bytes(answer.body[:4], "little")
    header = json.loads(answer.body[4 : 4 + length])
    assert [row["i"] for row in header["runs"][0]["rows"]] == [2, 3, 4, 5, 6]
    assert {frame["n"] for frame in header["frames"]} == {"S"}
    assert posted(said, "somebody else's").status_code == 404
    assert posted({**said, "data": "other data"}, mine.door).status_code == 204
    mine.opened = "somewhere else"  # a click chose it, and the page has not come there yet: to be asked in a moment
    assert posted(said, mine.door).status_code == 202
    mine.opened = None
    assert posted(said, mine.door).status_code == 200
    assert len({Session().door for _ in range(100)}) == 100
    assert not awaited(mine.stage, parsed(said))  # the run is over: what there is can be told at once
    door = mine.door
    del mine  # its tab is gone for good
    gc.collect()
    assert session_behind(door) is None


def test_nonsense_with_ones_own_door_changes_nothing():
    """It once answered 500, and the visitor's own page was a traceback from then on."""
    mine = opened(a_session())
    for wrong in (
        {"runs": {"r": {"rows": None}}},
        {"pin": 5},
        {"runs": 5},
        {"seq": "x"},
        {"dial": {"run": mine.run.id, "name": "by", "value": 99}},
    ):
        before = mine.stage.question
        assert posted({**asked_by(mine), **wrong}, mine.door).status_code == 400
        assert mine.stage.question is before


JUNK = [
    None, True, -1, 0, 1, 3, 2**31, 10**18, -0.5, 0.3, 1e300, "", "x", "S", "0-6", "0-99999999", "6-0", "²", "play",
    "step", "a" * 300, "<img src=x>", [], [0], [0, 1], [3, 7], [-1, 10**9], [0, 5, 0, 5], [1e9] * 4, [[[]]], {},
    {"S": [3, 7]}, {"": "0"}, {"x": {"x": {"x": 1}}},
]  # fmt: skip


def mutated(said, rng):
    """A question with one to three of its values, at any depth, replaced."""
    said = json.loads(json.dumps(said))
    for _ in range(rng.integers(1, 4)):
        at, key = said, rng.choice(list(said))
        while isinstance(at[key], dict) and at[key] and rng.random() < 0.7:
            at, key = at[key], rng.choice(list(at[key]))
        at[key] = JUNK[rng.integers(len(JUNK))]
    return said


def test_a_thousand_questions_are_answered_or_change_nothing():
    mine, rng, found = opened(a_session()), np.random.default_rng(0), Counter()
    id = mine.run.id
    for _ in range(1000):
        whole = asked_by(
            mine, seq=1, placed=True, orders="0-3", shown=2, mode="play", newest=True, full=False, settled=2,
            do=["pause"], point={"id": "p", "at": 2, "where": {id: {"S": [3, 7]}}},
            pin={"id": "q", "at": 2, "where": {id: {"S": [3, 7]}}},
            why={"run": id, "name": "S", "where": [3, 7], "iteration": 6}, look={"pin": "S.3.7"}, scene="",
            detail={"key": "k", "at": 2, "window": [0, 5, 0, 5], "see": {id: ["S"]}},
            dial={"run": id, "name": "by", "value": 2.0},
        )  # fmt: skip
        if rng.random() < 0.9:
            del whole["dial"]  # else every other question would be of a run of its own
        before, run = mine.stage.question, mine.run
        status = posted(mutated(whole, rng), mine.door).status_code
        found[status] += 1
        if status != 200:
            assert mine.stage.question is before and mine.run is run
    assert set(found) <= {200, 204, 400} and min(found[200], found[400]) > 100, found
    mine.stage.leave()
    wait(lambda: not mine.stage.live)


def test_a_dial_moved_past_the_page_is_answered_with_the_first_picture():
    mine = opened(a_session())
    before = mine.run
    dial = {"run": before.id, "name": "by", "value": 3.0}
    answer = posted(asked_by(mine, dial=dial, shown=0, mode="play"), mine.door)
    length = int.from_bytes(answer.body[:4], "little")
    header = json.loads(answer.body[4 : 4 + length])
    (run,) = header["runs"]
    assert run["id"] == mine.run.id != before.id and run["about"]["dials"][0]["value"] == 3.0
    assert {(frame["n"], frame["i"]) for frame in header["frames"]} >= {("S", 0), ("", 0)}
    assert mine.stage.dialled == {"by": 3.0}
    wait(lambda: not mine.stage.live)


def test_what_is_asked_through_the_page_is_the_same_question():
    mine = a_session()
    opened(mine)
    stage = heard_aside(mine.door, parsed(asked_by(mine, settled=3)))
    assert stage is mine.stage and stage.shown == 3


def test_a_click_is_not_undone_by_what_the_page_said_before_it(monkeypatch):
    """The view asks in the same moment, and brings along how the widgets stood; a choice of another value stands."""
    monkeypatch.setattr(links.st, "session_state", state := {"method": "spce"})
    mine = Session()
    monkeypatch.setattr(links, "session", lambda: mine)
    links.turn(method="lwea")
    for said, then in (("lwea", "lwea"), ("spce", "lwea"), ("eac", "eac")):
        state["method"] = said
        links._hold_on(mine)
        assert state["method"] == then
    links.turn(method="lwea")  # from eac
    state["method"] = "eac"
    monkeypatch.setattr(links, "heard_of", lambda: {"method", "strip"})  # because of something else
    links._hold_on(mine)
    assert state["method"] == "lwea"
    state["method"] = "eac"
    monkeypatch.setattr(links, "heard_of", lambda: {"method"})  # nothing else is said: somebody has chosen it again
    links._hold_on(mine)
    assert state["method"] == "eac" and not mine.turned
    links.turn(method="lwea")
    monkeypatch.setattr(links, "AT_MOST", -1.0)
    state["method"] = "eac"  # some time later
    links._hold_on(mine)
    assert state["method"] == "eac" and not mine.turned


def test_a_click_holds_until_the_browser_has_the_page_that_came_of_it(monkeypatch):
    """On a busy machine that took longer than the two seconds, and a preset's switch went back to where it had been."""
    monkeypatch.setattr(links.st, "session_state", state := {"p_pace": True})
    monkeypatch.setattr(links, "HELD", -1.0)
    mine = a_session()
    monkeypatch.setattr(links, "session", lambda: mine)
    links.turn(p_pace=False)

    def stale():
        state["p_pace"] = True
        links._hold_on(mine)
        return state["p_pace"]

    assert stale() is False, "the page has not come there yet"
    mine.stage.follow([Changing(k=4)])
    mine.followed = time.monotonic()
    assert stale() is False, "and the browser does not ask for the new run yet"
    mine.stage.hear(parsed(asked_by(mine)))
    assert stale() is True, "now it is a person's choice"
    links.turn(p_pace=False)
    monkeypatch.setattr(links, "AT_MOST", -1.0)
    assert stale() is True and not mine.turned, "not for good"
    mine.stage.leave()
    wait(lambda: not mine.stage.live)
