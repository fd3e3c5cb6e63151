"""What the class has answered, while it answers: for all who have the same lesson open, and without a name."""

from __future__ import annotations

import streamlit as st

from consensus_core.lessons.facts import Facts
from consensus_core.lessons.lesson import Question
from consensus_core.lessons.tally import Tally
from consensus_core.lessons.telling import reply
from consensus_core.lessons.telling import said as told
from consensus_core.numbers import counted

from .links import hold
from .pieces import piece
from .session import session
from .visitor import desk
from .words import Marked, plain, said

EVERY = 2.0  # seconds between two looks
LISTED = 8  # different numbers or entries that are listed
KEY = "show_class"


@st.cache_resource(show_spinner=False)
def _tally() -> Tally:
    """Of this server; nothing of it is kept."""
    return Tally()


def count(place: tuple[str, int], answer: str) -> None:
    """This visitor's answer; the first one counts."""
    _tally().heard(place, desk() or session().door, answer)


def class_answers(place: tuple[str, int], question: Question, facts: Facts, shown: bool) -> None:
    """`shown`: the right answer is known on this screen."""
    hold(KEY, st.session_state.get(KEY, False))
    if st.toggle("Show the class's answers", key=KEY, help="Of everybody who has answered here; no names are kept."):
        piece(_shown, EVERY)(place, question, facts, shown)


def _shown(place: tuple[str, int], question: Question, facts: Facts, shown: bool) -> None:
    counts = _tally().counts(place)
    total = counts.total()
    if not total:
        st.caption("Nobody has answered yet.")
        return
    st.caption(said("{people} answered; first answers count.", people=counted(total, "person has", "people have")))
    if question.kind == "choice":
        lines = [(str(at), Marked(told(facts, one.text))) for at, one in enumerate(question.options)]
    else:
        lines = [(answer, plain(answer)) for answer, _ in counts.most_common(LISTED)]
    for answer, words in lines:
        mark = Marked(" :material/check_circle:") if shown and reply(facts, question, answer).right else Marked("")
        share = said("{words}{mark} · **{count}**", words=words, mark=mark, count=counts[answer])
        st.progress(counts[answer] / total, share)
    rest = total - sum(counts[answer] for answer, _ in lines)
    if rest:
        st.caption(said("{rest} more, each another answer.", rest=rest))
