"""Questions are parsed once, and nonsense changes nothing; answers hold what was put into them."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consensus_core.live.parse import MOST, parsed
from consensus_core.live.protocol import Answer, Body, NotAQuestion, Question, Spans
from tests.stand_ins import ended, wait

SANE = {
    "seq": 3, "data": "abc", "placed": True, "order": "consensus", "orders": "0-3,7",
    "runs": {"r": {"rows": 4, "see": ["S"], "have": {"S": "0-3,5", "": "0"}}},
    "shown": 2, "mode": "play", "newest": True, "full": False, "settled": 2, "do": ["play"],
    "dial": {"run": "r", "name": "theta", "value": 0.3},
    "point": {"id": "p", "at": 2, "where": {"r": {"S": [3, 7]}}},
    "pin": {"id": "p", "at": 2, "where": {"r": {"S": [3, 7], "size": []}}},
    "why": {"run": "r", "name": "S", "where": [3, 7], "iteration": 6},
    "detail": {"key": "k", "at": 2, "window": [0, 5, 0, 5], "see": {"r": ["S"]}},
    "look": {"pin": "S.3.7"},
}  # fmt: skip


def test_a_question_is_a_value():
    asked = parsed(SANE)
    assert asked.runs["r"].rows == 4 and asked.runs["r"].see == ("S",)
    assert 3 in asked.runs["r"].have["S"] and 4 not in asked.runs["r"].have["S"]
    assert asked.playing and asked.do == ("play",) and asked.dial.value == 0.3
    assert asked.pin.where["r"] == {"S": (3, 7), "size": ()} and asked.why.iteration == 6
    assert parsed({}) == Question()


def test_numbers_are_held_to_what_they_can_be():
    asked = parsed({**SANE, "seq": -5, "shown": 1e300, "settled": 2.9, "do": ["play", "sudo"]})
    assert (asked.seq, asked.shown, asked.settled, asked.do) == (0, MOST, 2, ("play",))


# each of these was once answered by a traceback, or by a page that was one from then on
@pytest.mark.parametrize("said", [
    {"runs": {"r": {"rows": None}}}, {"runs": []}, {"runs": {"r": {"have": "x"}}}, {"runs": {"r": {"see": 5}}},
    {"runs": {"r": {"have": {"S": "0-x"}}}}, {"runs": {"r": {"have": {"S": "²"}}}}, {"orders": "1--2"}, {"pin": 5},
    {"pin": {"id": "p", "at": 0, "where": {"r": {"S": [1, None]}}}}, {"pin": {"id": 1, "at": 0, "where": {}}},
    {"detail": {"key": "k", "at": 1, "window": [0, 2], "see": {}}}, {"shown": math.nan}, {"shown": "2"},
    {"seq": True}, {"dial": {"run": "r", "name": "theta", "value": "much"}}, {"do": "play"}, {"order": "x" * 1000},
    {"why": {"run": "r", "name": "S", "where": [1] * 9, "iteration": 0}}, {"look": {"pin": 3}},
    {"runs": {str(k): {"rows": 0} for k in range(1000)}}, {"dial": {"run": "r", "name": "k", "value": math.inf}},
    {"dial": {"run": "r", "name": "k", "value": 10**400}},
])  # fmt: skip
def test_nonsense_is_refused(said):
    with pytest.raises(NotAQuestion):
        parsed({**SANE, **said})


def test_a_number_longer_than_any_float_is_held_to_what_it_can_be():
    """It was a 500, with everything else that asked through the same worker."""
    assert parsed({**SANE, "settled": 10**400}).settled == parsed({**SANE, "settled": 2**40}).settled


@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from([*SANE, "other"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
            lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
            max_leaves=12,
        ),
    )
)
def test_whatever_is_asked_is_a_question_or_refused_in_words(said):
    try:
        assert isinstance(parsed({**SANE, **said}), Question)
    except NotAQuestion as refusal:
        assert str(refusal)


def test_what_is_refused_has_changed_nothing():
    """A question was once taken over before it was looked at: the visitor's own page was a traceback from then on."""
    stage = ended()
    asked = parsed({"runs": {stage.run.id: {"rows": 2}}, "settled": 1})
    stage.hear(asked)
    for dial in ({"name": "none", "value": 1}, {"name": "by", "value": 99}, {"name": "k", "value": 0}):
        said = {"runs": {stage.run.id: {"rows": 0}}, "settled": 5, "dial": {"run": stage.run.id, **dial}}
        with pytest.raises(NotAQuestion):
            stage.hear(parsed(said))
    assert stage.question is asked and stage.shown == 1 and not stage.dialled
    wait(lambda: not stage.live)


def test_an_answer_is_a_header_and_arrays():
    body = Body()
    said = {"a": body.array([1.5, 2.5], "f4"), "o": body.order(np.arange(5)), "big": body.order(np.arange(70_000))}
    data = Answer(said, body.content()).bytes()
    length = int.from_bytes(data[:4], "little")
    header = json.loads(data[4 : 4 + length])
    assert header == said and header["o"]["k"] == "u2" and header["big"]["k"] == "i4"
    assert len(data) == 4 + length + body.length


def test_spans():
    assert [k for k in range(9) if k in Spans(((0, 2), (5, 5)))] == [0, 1, 2, 5]
