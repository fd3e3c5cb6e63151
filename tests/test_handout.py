"""The sheet to print: what is asked is answered by the core, and no answer stands on the first page."""

import re

import pytest

from consensus_core.lessons import all_lessons
from consensus_core.lessons.handout import FEW, exercises, handout
from consensus_core.lessons.telling import facts_of
from consensus_core.numbers import number

LESSONS = {lesson.key: lesson for lesson in all_lessons()[0]}
BY_HAND = [key for key in ("coassociation", "spce", "ec_cms", "trce", "ceshl") if key in LESSONS]


@pytest.mark.parametrize("key", BY_HAND)
def test_entries_to_compute_have_the_answers_of_the_core(key):
    lesson = LESSONS[key]
    found = exercises(lesson)
    assert found
    for one in found:
        values = set()
        for screen in lesson.screens:
            facts = facts_of(lesson, screen)
            if facts.data.ensemble.n <= FEW and one.fact in " ".join(claim.text for claim in screen.claims):
                values.add(number(facts.value(one.fact)))
        assert one.told.said in values, one.fact
        assert one.asked and one.filled


@pytest.mark.parametrize("key", BY_HAND[:2])
def test_answers_stand_on_another_page_and_nothing_is_fetched(key):
    lesson = LESSONS[key]
    page = handout(lesson).decode()
    front, answers = page.split('<section class="answers">')
    assert "break-before: page" in front
    assert not re.search(r"(src|href)\s*=", page) and "<script" not in page and "http" not in page
    for one in exercises(lesson):
        assert f"= {one.told.said}</b>" in answers and f"= {one.told.said}</b>" not in front
    for screen in lesson.screens:
        if screen.question is not None and screen.question.kind == "choice":
            assert front.count("<ul class") and "☐" in front
    assert answers.count("<li>") >= len(exercises(lesson))
