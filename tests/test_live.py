"""The live view's way past the page: who is answered there, and what nonsense gets."""

import gc
import json

from asking import run
from starlette.requests import Request

from consensus_core.live.parse import parsed
from pages.ui import server
from pages.ui.live import awaited, heard_aside
from pages.ui.session import Session, opened, session_behind
from tests.stand_ins import ended, wait


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
