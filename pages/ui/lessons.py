"""Lessons on the page: the list, and a screen with its pictures, controls, question and switch."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import streamlit as st

from consensus_core.data import Data
from consensus_core.errors import InputError
from consensus_core.lessons.handout import handout
from consensus_core.lessons.lesson import Lesson
from consensus_core.lessons.staging import staged
from consensus_core.lessons.telling import all_told, facts_of
from consensus_core.lessons.telling import said as told
from consensus_core.numbers import counted

from .component import component
from .learning import answered, ask, broken, controls, is_new, noted, progress_of
from .links import note, part, share
from .live import follow_scene, live_view
from .own import own_data
from .session import Dataset, Session
from .words import Marked, plain, said

BACK, NEXT, ALL = ":material/arrow_back:", ":material/arrow_forward:", ":material/menu_book:"
SEEN = ":material/visibility:"
BIG, WORDS = ":material/fit_screen:", "For a projector: larger letters, and only the lesson."
_AHEAD = ThreadPoolExecutor(1, thread_name_prefix="lessons")
OF_A_SCREEN = ("it", "pin", "zoom", "answer", "broken", "dials", "caption", "contrast")  # in the link
LOOKS = """<style>
.st-key-lesson > div { display: contents }
.st-key-lesson { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 8fr); column-gap: 2.25rem;
  grid-template-areas: "text view" "ask view" ". view"; grid-template-rows: auto auto 1fr; align-items: start }
.st-key-lesson > :has(> .st-key-lesson_text), .st-key-lesson_text { grid-area: text }
.st-key-lesson > :has(> .st-key-lesson_view), .st-key-lesson_view { grid-area: view }
.st-key-lesson > :has(> .st-key-lesson_ask), .st-key-lesson_ask { grid-area: ask }
.st-key-lesson h2 { padding-top: 0; font-size: 1.6rem }
.st-key-lesson_text p, .st-key-lesson_ask p { line-height: 1.55 }
.st-key-question .stButton button > div { justify-content: flex-start }
.st-key-question .stButton button { justify-content: flex-start; text-align: left; min-height: 44px }
.st-key-lesson_ask [class*="st-key-fact-"] button { justify-content: flex-start; text-align: left }
.st-key-lesson_bar [data-testid=stMarkdownContainer], .st-key-lesson_bar p { margin: 0 }
@media (max-width: 860px) { .st-key-lesson { grid-template-columns: minmax(0, 1fr);
  grid-template-areas: "text" "view" "ask"; grid-template-rows: none }
  .st-key-lesson_bar kbd, .st-key-lesson_ask kbd { display: none } }
</style>"""
BY_HAND = """<style>@media (max-width: 860px) {
.st-key-lesson { grid-template-areas: "text" "ask" "view" } }</style>"""
LARGE = """<style>
.st-key-lesson_text p, .st-key-lesson_text li, .st-key-lesson_ask p, .st-key-lesson_ask button p { font-size: 20px }
[data-testid=stHeader] { display: none } [data-testid=stMainBlockContainer] { padding-top: 1rem }
</style>"""


def asked_for(lessons: Sequence[Lesson]) -> tuple[Lesson | None, int]:
    """What the link names: a lesson and one of its screens, counted from 0."""
    key = st.query_params.get("lesson", "")
    lesson = next((lesson for lesson in lessons if lesson.key == key), None)
    if lesson is None:
        if key:
            note(f"there is no lesson “{key}”")
            st.query_params.pop("lesson")
        return None, 0
    screen = int(st.query_params.get("screen", "1"))
    if screen > len(lesson.screens):
        note(f"“{lesson.title}” has {counted(len(lesson.screens), 'screen')}, not {screen}")
        st.query_params["screen"] = str(len(lesson.screens))
    return lesson, min(screen, len(lesson.screens)) - 1


def go(lesson: Lesson | None, number: int = 0) -> None:
    """A callback: to this screen, or to the list."""
    for name in OF_A_SCREEN:
        st.query_params.pop(name, None)
    if lesson is None:
        for name in ("lesson", "screen"):
            st.query_params.pop(name, None)
    else:
        st.query_params["lesson"] = lesson.key
        st.query_params["screen"] = str(number + 1)


_top = component(
    "quorum_top",
    html="<i></i>",
    js="""let shown;
export default function ({ data }) {
  if (shown !== undefined && shown !== data.screen) document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
  shown = data.screen;
}""",
)


# --- the list -------------------------------------------------------------------------------------------------------


def list_of_lessons(lessons: Sequence[Lesson]) -> None:
    words = "{count}, each a few screens: a picture that is alive, a question, and a switch that breaks it."
    st.markdown(said(words, count=counted(len(lessons), "lesson")))
    for row in range(0, len(lessons), 2):
        for lesson, place in zip(lessons[row : row + 2], st.columns(2), strict=False):
            with place:
                _card(lesson)


def _card(lesson: Lesson) -> None:
    done, at = progress_of(lesson)
    with st.container(border=True, height="stretch", key=f"lesson-card-{lesson.key}"):
        st.markdown(said("#### {title}", title=Marked(lesson.title)))
        st.markdown(Marked(lesson.about))
        st.markdown(Marked("\n".join(f"- {fact}" for fact in lesson.teaches)))
        label = "Begin" if not done else "Go on" if done < len(lesson.screens) else "Once more"
        with st.container(horizontal=True, vertical_alignment="center"):
            start = at if 0 < done < len(lesson.screens) else 0
            st.button(label, key=f"open-{lesson.key}", on_click=go, args=(lesson, start), type="primary")
            far = "{done} of {all} screens" if done else "{all} screens"
            length = "about {minutes} minutes"
            st.caption(said(f"{far}, {length}", done=done, all=len(lesson.screens), minutes=lesson.minutes))
            st.space("stretch")
            st.download_button(
                "Sheet to print",
                lambda: handout(lesson),
                f"{lesson.key}.html",
                "text/html",
                key=f"sheet-{lesson.key}",
                on_click="ignore",
                type="tertiary",
                icon=":material/print:",
                help="entries to compute and questions; the answers on another page",
            )


# --- a screen -------------------------------------------------------------------------------------------------------


def show_screen(lesson: Lesson, number: int) -> None:
    screen = lesson.screens[number]
    _bar(lesson, number)
    large = st.query_params.get("large") == "1"
    st.html(LOOKS + (LARGE if large else "") + (BY_HAND if screen.tool else ""))
    _top(key="top", data={"screen": f"{lesson.key} {number}"})
    warm(lesson)
    facts = facts_of(lesson, screen)
    with st.container(key="lesson"):
        with st.container(key="lesson_text"):
            st.header(Marked(screen.title), anchor=False)
            st.markdown(Marked(told(facts, screen.text)))
        with st.container(key="lesson_ask"):
            made = own_data(screen) if screen.tool else None
            with part("controls"):
                dials = controls(lesson, number)
            ask(lesson, number, facts)
            is_broken = broken(lesson, number, facts)
            _further(lesson, number)
        with st.container(key="lesson_view"):
            if made is not None or not screen.tool:
                _pictures(lesson, number, dials, is_broken, large, made)
    with part("home"):
        share()
    if is_new(lesson, number):
        noted(lesson, number)


@functools.lru_cache(maxsize=64)
def warm(lesson: Lesson) -> None:
    """The runs that this lesson speaks of, computed before somebody comes to their screens; once."""
    _AHEAD.submit(all_told, lesson)


def _bar(lesson: Lesson, number: int) -> None:
    last = len(lesson.screens) - 1
    large = st.query_params.get("large") == "1"
    with st.container(horizontal=True, vertical_alignment="center", key="lesson_bar"):
        st.button("All lessons", key="all_lessons", on_click=go, args=(None,), icon=ALL, type="tertiary")
        back, further = number - 1, number + 1
        st.button("Back", key="back", on_click=go, args=(lesson, back), icon=BACK, disabled=back < 0, shortcut="b")
        more = {"disabled": further > last, "shortcut": "n", "icon_position": "right"}
        st.button("Next", key="next", on_click=go, args=(lesson, further), icon=NEXT, **more)
        st.progress((number + 1) / (last + 1), width=120)
        words = "{number} of {all} · **{title}**"
        st.markdown(said(words, title=Marked(lesson.title), number=number + 1, all=last + 1), width="content")
        how = {"key": "large", "type": "tertiary", "icon": BIG, "help": WORDS}
        st.button("Leave" if large else "Big", on_click=_enlarge, args=(not large,), **how)


def _enlarge(on: bool) -> None:
    if on:
        st.query_params["large"] = "1"
    else:
        st.query_params.pop("large", None)


def _further(lesson: Lesson, number: int) -> None:
    screen = lesson.screens[number]
    if screen.question is not None and not answered(lesson, number):
        return
    if number + 1 < len(lesson.screens):
        title = said("Next: {title}", title=Marked(lesson.screens[number + 1].title))
        st.button(title, key="further", on_click=go, args=(lesson, number + 1), icon=NEXT, type="primary")
    else:
        st.markdown("**What you have seen**")
        for fact, seen_on in zip(lesson.teaches, lesson.seen_on, strict=True):
            if seen_on is None:
                st.markdown(Marked(fact))
            else:
                st.button(
                    Marked(fact),
                    key=f"fact-{fact}",
                    on_click=go,
                    args=(lesson, seen_on - 1),
                    icon=SEEN,
                    type="tertiary",
                )
        st.button("Done: all lessons", key="further", on_click=go, args=(None,), icon=ALL, type="primary")


def _pictures(
    lesson: Lesson, number: int, dials: dict[str, str], is_broken: bool, large: bool, made: Data | None
) -> None:
    how = {"answered": answered(lesson, number), "broken": is_broken, "large": large}
    try:
        on_stage = staged(lesson, number, dials=dials, data=made, **how)
    except InputError as refusal:
        st.error(plain(refusal), icon=":material/error:")
        return
    caption = st.query_params.get("caption", "")
    if caption:
        st.info(plain(caption), icon=":material/campaign:")
    elif on_stage.look.caption:
        st.markdown(Marked(told(facts_of(lesson, lesson.screens[number]), on_stage.look.caption)))
    if on_stage.filled_for:
        words = "{name} needs every label: these pictures are of the table filled like the rows that agree best."
        st.caption(said(words, name=on_stage.filled_for))
    follow_scene(on_stage.methods, _dataset(on_stage.data), on_stage.scene, "learn")
    live_view(on_stage.look.rows, functools.partial(_heard, (lesson.key, number)))


@functools.lru_cache(maxsize=64)
def _dataset(data) -> Dataset:
    return Dataset.of(f"lesson {data.title}", data)


def _heard(place: tuple[str, int], mine: Session) -> None:
    """An entry was tapped where one is asked for."""
    stage = mine.stage
    asked, scene = stage.question, stage.scene
    if scene is None or not scene.tap or asked.scene != scene.key or not asked.look:
        return
    entry = asked.look.get("pin", "")
    if entry and (place, entry) != mine.tapped:
        mine.tapped = (place, entry)
        st.rerun()
