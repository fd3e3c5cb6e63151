"""What somebody does on a screen of a lesson: controls, answers, the switch; and how far they have come."""

from __future__ import annotations

import streamlit as st

from consensus_core import METHODS
from consensus_core.lessons.facts import Facts
from consensus_core.lessons.lesson import Lesson, Question, Screen
from consensus_core.lessons.material import dial, material
from consensus_core.lessons.telling import Reply, as_counted, entry_named, reply
from consensus_core.lessons.telling import said as told
from consensus_core.live.dials import most_clusters

from .classroom import class_answers, count
from .clicks import pressed
from .controls import param_widget
from .links import hold
from .session import session
from .settings import value_in_words
from .visitor import remember, remembered
from .words import Marked, said

RIGHT, WRONG = ":material/check_circle:", ":material/cancel:"


# --- controls and switch --------------------------------------------------------------------------------------------


def controls(lesson: Lesson, number: int) -> dict[str, str]:
    """The screen's controls; where they stand, as a lesson writes it, of those that were moved."""
    screen, moved = lesson.screens[number], {}
    switch = screen.breaks if _is_on(lesson, number) else None
    asked = dict(part.split(":", 1) for part in st.query_params.get("dials", "").split(",") if ":" in part)
    for name in screen.controls:
        wanted = next(one for one in screen.methods if any(p.name == name for p in METHODS[one.key].params()))
        cls = METHODS[wanted.key]
        param = cls.param(name)
        usual = dial(cls, name, wanted.dials[name]) if name in wanted.dials else _usual(screen, lesson, param)
        key = f"control {lesson.key} {number} {name}"
        if switch is not None and name in switch.dials and not switch.data:
            value = dial(cls, name, switch.dials[name])
            value = ("off", "on")[value] if param.kind == "switch" else value_in_words(param, value)
            st.markdown(said("{title}: **{value}**, by the switch", title=param.title, value=value))
            continue
        value = st.session_state.get(key, dial(cls, name, asked[name]) if name in asked else usual)
        hold(key, value)
        value = _clusters(screen, lesson, key) if name == "k" else param_widget(param, key)
        if value != usual:
            moved[name] = value_in_words(param, value)
    _write("dials", ",".join(f"{name}:{value}" for name, value in moved.items()))
    return moved


def _usual(screen: Screen, lesson: Lesson, param):
    return material(screen.data, lesson.path.parent).k if param.name == "k" else param.default


def _clusters(screen: Screen, lesson: Lesson, key: str) -> int:
    data = material(screen.data, lesson.path.parent)
    return st.slider("clusters wanted k", 1, most_clusters(data.ensemble, data.k), key=key)


def _is_on(lesson: Lesson, number: int) -> bool:
    """The switch, which stands below the controls and works on them."""
    may = answered(lesson, number) or lesson.screens[number].question is None
    return may and bool(st.session_state.get(_switch(lesson, number), st.query_params.get("broken") == "1"))


def _switch(lesson: Lesson, number: int) -> str:
    return f"switch {lesson.key} {number}"


def broken(lesson: Lesson, number: int, facts: Facts) -> bool:
    switch = lesson.screens[number].breaks
    if switch is None or not (answered(lesson, number) or lesson.screens[number].question is None):
        return False
    key = _switch(lesson, number)
    hold(key, _is_on(lesson, number))
    on = st.toggle(Marked(told(facts, switch.title)), key=key)
    _write("broken", "1" if on else "")
    if on:
        st.markdown(Marked(told(facts, switch.text)))
    return on


def _write(name: str, value: str) -> None:
    if value and st.query_params.get(name) != value:
        st.query_params[name] = value
    elif not value:
        st.query_params.pop(name, None)


# --- questions ------------------------------------------------------------------------------------------------------


def answered(lesson: Lesson, number: int) -> bool:
    return st.query_params.get("answer") == "shown"


def ask(lesson: Lesson, number: int, facts: Facts) -> None:
    question = lesson.screens[number].question
    if question is None:
        return
    place = (lesson.key, number)
    with st.container(border=True, key="question"):
        st.markdown(Marked(told(facts, question.text)))
        if question.kind == "tap":
            _take_tap(lesson, number, facts)
        given = session().answers.get(place)
        if question.kind == "choice":
            _choices(question, facts, place, given)
        elif question.kind == "number" and not answered(*place):
            _number(place, facts, question)
        shown = answered(*place)
        if given is not None:
            _said(reply(facts, question, given), facts, given if question.kind != "choice" else "")
        if shown and question.right is not None and (given is None or not reply(facts, question, given).right):
            _said(Reply(True, question.right.why), facts, "")
        if not shown:
            st.button("Show the answer", key="show_answer", on_click=_show, type="tertiary")
        class_answers(place, question, facts, shown)
    if answered(*place) and lesson.screens[number].answer:
        st.markdown(Marked(told(facts, lesson.screens[number].answer)))


def _choices(question: Question, facts: Facts, place: tuple, given: str | None) -> None:
    shown = answered(*place)
    for number, option in enumerate(question.options):
        mine = given == str(number)
        icon = RIGHT if option.right and (mine or shown) else WRONG if mine else None
        st.button(
            Marked(told(facts, option.text)), key=f"option {number}", icon=icon, width="stretch", on_click=_answer,
            args=(place, facts, question, str(number)), type="primary" if mine else "secondary",
        )  # fmt: skip


def _number(place: tuple, facts: Facts, question: Question) -> None:
    with st.form("number", border=False):
        typed = st.text_input("Your number", key="typed", max_chars=20)
        if pressed(st.form_submit_button, "Answer", key="answer") and typed.strip():
            _answer(place, facts, question, typed)
            st.rerun()


def _take_tap(lesson: Lesson, number: int, facts: Facts) -> None:
    """The entry that was tapped on this screen is the answer."""
    mine, place, question = session(), (lesson.key, number), lesson.screens[number].question
    if mine.tapped and mine.tapped[0] == place and not answered(*place):
        _answer(place, facts, question, entry_named(facts, question, mine.tapped[1]))


def _answer(place: tuple, facts: Facts, question: Question, given: str) -> None:
    session().answers[place] = given
    count(place, as_counted(question, given))
    if reply(facts, question, given).right:
        _show()


def _show() -> None:
    st.query_params["answer"] = "shown"
    for name in ("it", "pin", "zoom"):  # they spoke of the picture before the answer
        st.query_params.pop(name, None)


def _said(heard: Reply, facts: Facts, given: str) -> None:
    words = Marked(told(facts, heard.why))
    lead = said("**{given}** ", given=given) if given else Marked("")
    if heard.right:
        st.success(Marked(lead + words), icon=RIGHT)
    else:
        st.warning(Marked(lead + words), icon=WRONG)


# --- progress -------------------------------------------------------------------------------------------------------


def progress() -> dict:
    """lesson -> the screens seen, and the one seen last."""
    return remembered("lessons")


def progress_of(lesson: Lesson) -> tuple[int, int]:
    known = progress().get(lesson.key) or {}
    seen = [at for at in known.get("seen", []) if at < len(lesson.screens)]
    return len(seen), min(known.get("at", 0), len(lesson.screens) - 1)


def is_new(lesson: Lesson, number: int) -> bool:
    known = progress().get(lesson.key) or {}
    return number not in known.get("seen", []) or known.get("at") != number


def noted(lesson: Lesson, number: int) -> None:
    known = progress().get(lesson.key) or {}
    seen = sorted({*known.get("seen", []), number})
    remember("lessons", **{**progress(), lesson.key: {"seen": seen, "at": number}})
