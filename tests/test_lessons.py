"""Lessons: every claim of every lesson against the core, and sentences for a file that is none."""

from __future__ import annotations

import pytest

from consensus_core.lessons import LessonError, all_lessons
from consensus_core.lessons.checking import BRACES, checked
from consensus_core.lessons.facts import Facts
from consensus_core.lessons.lesson import Wanted
from consensus_core.lessons.material import material
from consensus_core.lessons.parse import parsed
from consensus_core.lessons.tally import HOURS, LONGEST, MOST_PEOPLE, MOST_QUESTIONS, Tally
from consensus_core.lessons.telling import as_counted, claims_of, entry_named, facts_of, judged, reply

LESSONS, FAULTS = all_lessons()
KEYS = [lesson.key for lesson in LESSONS]


def test_every_lesson_of_ours_can_be_read():
    assert FAULTS == () and len(KEYS) >= 2


@pytest.mark.parametrize("lesson", LESSONS, ids=KEYS)
def test_every_claim_holds(lesson):
    wrong = [f"line {claim.line}: {claim.text}: {said.found}" for claim, said in judged(lesson) if not said.holds]
    assert not wrong, "\n".join(wrong)
    assert len(claims_of(lesson)) >= len(lesson.screens) / 2


@pytest.mark.parametrize("lesson", LESSONS, ids=KEYS)
def test_every_number_in_a_text_can_be_computed(lesson):
    for screen in lesson.screens:
        facts = facts_of(lesson, screen)
        for text in screen.texts:
            for fact in BRACES.findall(text):
                assert facts.said(fact), fact


@pytest.mark.parametrize("lesson", LESSONS, ids=KEYS)
def test_every_question_knows_its_answer_and_why_the_others_tempt(lesson):
    for screen in lesson.screens:
        asked, facts = screen.question, facts_of(lesson, screen)
        if asked is None:
            continue
        assert asked.right is not None, f"{screen.title}: nothing is said to the right answer"
        for at, option in enumerate(asked.options):
            given = (
                str(at) if asked.kind == "choice" else option.text if asked.kind == "tap" else facts.said(option.text)
            )
            heard = reply(facts, asked, given)
            assert (heard.right, heard.why) == (option.right, option.why), f"{screen.title}: {option.text}"


def test_answers_written_differently_are_counted_as_one():
    numbers = next(s.question for one in LESSONS for s in one.screens if s.question and s.question.kind == "number")
    assert {as_counted(numbers, text) for text in (".5", "0.5", " 0,5", "+.5", "00.5")} == {"0.5"}
    assert as_counted(numbers, "0,50") == "0.50"  # which may be wrong where 0.5 is right
    assert as_counted(numbers, "−3") == as_counted(numbers, "-3") == "-3"
    assert as_counted(numbers, " a third ") == "a third"
    choices = next(s.question for one in LESSONS for s in one.screens if s.question and s.question.kind == "choice")
    assert as_counted(choices, "1") == "1"


def test_a_fraction_is_a_number():
    lesson = next(lesson for lesson in LESSONS if lesson.key == "trce")
    screen = lesson.screens[0]
    facts, asked = facts_of(lesson, screen), screen.question
    assert (
        reply(facts, asked, "1/9").right and reply(facts, asked, " 1 / 9 ").right and reply(facts, asked, ".111").right
    )
    assert not reply(facts, asked, "1/8").right
    assert reply(facts, asked, "1/3").why == reply(facts, asked, ".333").why != asked.other
    for text in ("1/0", "1/", "/9", "a/b", "1/2/3"):
        assert "This is no number" in reply(facts, asked, text).why


def test_several_entries_may_be_right():
    lesson = next(lesson for lesson in all_lessons()[0] if lesson.key == "ceshl")
    screen = lesson.screens[2]
    facts, asked = facts_of(lesson, screen), screen.question
    for pinned, right in [("H.2.0", True), ("H.4.2", True), ("H.0.0", False), ("H.3.0", False), ("Y.2.0", False)]:
        assert reply(facts, asked, entry_named(facts, asked, pinned)).right == right, pinned


def test_a_class_is_counted_once_each_and_forgotten():
    now = [0.0]
    tally = Tally(lambda: now[0])
    for who, answer in [("a", "1"), ("b", "1"), ("a", "0"), ("c", "2" * 99)]:
        tally.heard(("spce", 2), who, answer)
    assert tally.counts(("spce", 2)) == {"1": 2, "2" * LONGEST: 1} and not tally.counts(("spce", 3))
    for at in range(MOST_QUESTIONS):
        tally.heard(("other", at), "a", "1")
    assert not tally.counts(("spce", 2)) and len(tally.counts(("other", 1))) == 1
    for at in range(MOST_PEOPLE + 5):
        tally.heard(("other", 1), f"{at}", "1")
    assert tally.counts(("other", 1)).total() == MOST_PEOPLE
    now[0] = HOURS * 3600 + 1
    assert not tally.counts(("other", 1))


def test_facts_are_what_the_core_computes():
    facts = Facts(material("five"), Wanted("spce"))
    assert facts.value("S(x3,x5) @ 5") == 0 and round(facts.value("S(3,5) @ 6"), 3) == 0.577
    assert facts.value("found with theta .6") == 4 and facts.value("groups") == "1 1 2 2 2"
    assert facts.value("w(C1:2) with method ceshl") == facts.value("w(2) with method ceshl")
    assert facts.said("alpha(C3) @ 6 - alpha(C3) @ 5").startswith("−0.046")
    assert facts.value("count(W < 1) with r_first .5") == 0 < facts.value("count(W < 1) @ 1")


GOOD = """# A title
order: 3
data: five
method: spce

About.

## First
show: S

Text {S(x3,x5) @ 6}.

### Ask
What?
(x) this
    since
( ) that
    it tempts

### Claims
S(x3,x5) @ 6 = .577
"""


def test_a_lesson_in_one_text(tmp_path):
    lesson = checked(parsed(GOOD, tmp_path / "mine.md"))
    assert lesson.key == "mine" and lesson.screens[0].question.right.text == "this"
    assert [said.holds for _, said in judged(lesson)] == [True]


BROKEN = {
    "no title": ("# A title", "A title", 1, "begins with “# ”"),
    "a fact seen nowhere": ("order: 3", "order: 3\nteaches: This. → 7", 3, "names a screen that there is not"),
    "no such sample": ("data: five", "data: fife", 8, "“fife” is neither a sample"),
    "no such method": ("method: spce", "method: spice", 8, "“spice” is no method"),
    "no such dial": ("method: spce", "method: spce with thta .3", 8, "“thta” is no dial of SPCE"),
    "a dial out of range": ("method: spce", "method: spce with theta 3", 8, "theta must be a number in [0, 0.9]"),
    "no such picture": ("show: S", "show: Q", 8, "“Q”, which SPCE does not draw"),
    "no such setting": ("show: S", "shows: S", 9, "“shows:” is no setting"),
    "no such part": ("### Claims", "### Claim", 20, "“### Claim” is no part of a screen"),
    "no such object": ("{S(x3,x5) @ 6}", "{S(x3,x9) @ 6}", 8, "“x9” is none of the 5 objects"),
    "no such quantity": ("{S(x3,x5) @ 6}", "{Q(x3,x5) @ 6}", 8, "SPCE has no “Q”"),
    "no fact": ("{S(x3,x5) @ 6}", "{S(x3,x5 @ 6}", 8, "is no fact"),
    "two right answers": ("( ) that", "(x) that", 13, "2 of them right"),
    "no why": ("    it tempts\n", "", 17, "what is said to it"),
    "no claim": ("S(x3,x5) @ 6 = .577", "S(x3,x5) @ 6 is .577", 21, "is no claim"),
    "too few places": ("S(x3,x5) @ 6 = .577", "S(x3) @ 6 = .577", 21, "1 places are named"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_lesson_gets_a_sentence_that_says_where_and_what(name, tmp_path):
    right, wrong, line, words = BROKEN[name]
    assert right in GOOD
    with pytest.raises(LessonError) as refused:
        checked(parsed(GOOD.replace(right, wrong, 1), tmp_path / "mine.md"))
    told = [fault for fault in refused.value.faults if words in fault]
    assert told and told[0].startswith(f"mine.md, line {line}: "), refused.value.faults


def test_a_claim_that_does_not_hold_is_found(tmp_path):
    lesson = checked(parsed(GOOD.replace(".577", ".578"), tmp_path / "mine.md"))
    ((claim, said),) = judged(lesson)
    assert not said.holds and "0.57697" in said.found and claim.line == 21


def test_a_teachers_own_folder_is_found_and_a_broken_file_is_told(tmp_path, monkeypatch):
    (tmp_path / "mine.md").write_text(GOOD)
    (tmp_path / "broken.md").write_text("nothing")
    monkeypatch.setenv("QUORUM_LESSONS", str(tmp_path))
    lessons, faults = all_lessons()
    assert "mine" in [lesson.key for lesson in lessons] and faults[0].startswith("broken.md, line 1: ")
    monkeypatch.setenv("QUORUM_LESSONS", str(tmp_path / "nowhere"))
    assert "is no folder" in all_lessons()[1][0]
