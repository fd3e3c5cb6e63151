"""Data made by hand on a screen of a lesson: a table whose labels change by a tap, and points that are painted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from consensus_core.data import Data
from consensus_core.errors import InputError
from consensus_core.lessons.lesson import Screen
from consensus_core.lessons.own import (
    FEWEST_POINTS,
    MOST_COLUMNS,
    MOST_LABELS,
    MOST_OBJECTS,
    MOST_POINTS,
    by_hand,
    by_points,
    first_table,
    points_of,
    table_of,
)

from ..component import component
from ..links import hold
from ..session import session
from ..words import plain, said

_HERE = Path(__file__).parent
_STYLE = (_HERE / "own.css").read_text(encoding="utf-8")


def _component(name: str):
    js = "".join((_HERE / part).read_text(encoding="utf-8") for part in ("newest.js", f"{name}.js"))
    return component(f"quorum_own_{name}", html='<div class="own"></div>', css=_STYLE, js=js)


_table, _points = _component("table"), _component("points")


def own_data(screen: Screen) -> Data | None:
    """What was made on this screen, or one begins with; None where there is too little yet."""
    return _own_table(screen) if screen.tool == "table" else _own_points()


def _own_table(screen: Screen) -> Data:
    mine = session()
    table = mine.made.setdefault("table", first_table(screen.data))
    say = {"labels": MOST_LABELS, "objects": MOST_OBJECTS, "columns": MOST_COLUMNS}
    _table(
        key="own_table",
        data={"table": table, **_known("table"), **say},
        on_table_change=_heard("own_table", "table", table_of),
    )
    k = _clusters(len(table))
    st.button("Begin again", key="own_again", on_click=lambda: mine.made.pop("table", None))
    return by_hand(mine.made.get("table", table), k)


def _own_points() -> Data | None:
    points = session().made.setdefault("points", ())
    _points(
        key="own_points",
        data={"points": points, **_known("points"), "most": MOST_POINTS},
        on_points_change=_heard("own_points", "points", points_of),
    )
    if len(points) < FEWEST_POINTS:
        st.info(said("Paint {count} more points or drag to paint many.", count=FEWEST_POINTS - len(points)))
        return None
    return by_points(points, _clusters(len(points)))


def _known(what: str) -> dict[str, int]:
    """How far the page has heard of what was made in the browser: what came after that stays there."""
    return {"heard": session().heard.get(what, 0)}


def _heard(key: str, what: str, understood: Callable) -> Callable[[], None]:
    def heard() -> None:
        told = st.session_state[key].get(what)
        try:
            session().made[what], session().heard[what] = understood(told["made"]), int(told["number"])
        except (InputError, TypeError, KeyError, ValueError, OverflowError):  # not from our page
            return

    return heard


def _clusters(most: int) -> int:
    most = min(most, 6)
    hold("own_k", min(st.session_state.get("own_k", 2), most), made_of=most)
    return st.slider(plain("clusters wanted k"), 1, most, key="own_k")
