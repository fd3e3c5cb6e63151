"""Base clusterings made from features: asked for, estimated, made in a thread of their own, cancelled at once."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import streamlit as st

from consensus_core import Cancelled, InputError
from consensus_core.data import Data, Generation, Origin, build, made_anew
from consensus_core.generate import RECIPES, SCALINGS, estimate
from consensus_core.method import available_bytes
from consensus_core.method.cost import in_words
from consensus_core.numbers import bytes_in_words, seconds_in_words
from consensus_core.reading import Reading

from .clicks import does
from .controls import param_widget
from .data_choice import add, use
from .pieces import piece
from .session import session
from .words import plain, said

PATIENCE = 20.0  # seconds without anybody asking after which the work stops
SCALED = {
    "raw": "as they are",
    "unit rows": "rows of length one",
    "z-score": "mean 0, deviation 1",
    "min-max": "from 0 to 1",
}


class Making:
    """One piece of work in one thread; nothing here touches Streamlit.

    `features`: the files as they were read, or data that are there already. `contents`: the files, to be kept.
    """

    def __init__(self, origin: Origin, features: list[Reading] | Data, contents: list[bytes]):
        self.origin, self.features, self.contents = origin, features, contents
        self.done, self.total, self.name = 0, origin.generation.m, ""
        self.data: Data | None = None
        self.error = ""
        self._cancelled = False
        self._began = time.monotonic()
        self.touch()
        self._thread = threading.Thread(target=self._make, name="making base clusterings", daemon=True)
        self._thread.start()

    @property
    def live(self) -> bool:
        return self._thread.is_alive()

    @property
    def left(self) -> float:
        """Seconds still to go, by the pace so far."""
        return (time.monotonic() - self._began) / self.done * (self.total - self.done) if self.done else float("nan")

    def touch(self) -> None:
        self._deadline = time.monotonic() + PATIENCE

    def cancel(self) -> None:
        self._cancelled = True

    def _over(self) -> bool:
        return self._cancelled or time.monotonic() > self._deadline

    def _progress(self, done: int, total: int, name: str) -> None:
        self.done, self.total, self.name = done, total, name

    def _make(self) -> None:
        try:
            if isinstance(self.features, Data):
                self.data = made_anew(self.features, self.origin.generation, self._progress, self._over)
            else:
                self.data = build(self.origin, self.features, self._progress, self._over)
        except Cancelled:
            self.error = "Cancelled. Nothing was changed."
        except InputError as refusal:
            self.error = str(refusal)
        except MemoryError:
            self.error = "There is not enough memory for it. Nothing was changed."


def making_panel(
    origin: Origin,
    features: list[Reading] | Data,
    contents: list[bytes],
    shape: tuple[int, int],
    k: int,
    title: str,
) -> None:
    """Asks how base clusterings shall be made from these features, and makes them."""
    n, p = shape
    words = "**{title}** has {n:,} objects with {p:,} features. Combine many different clusterings of them:"
    st.markdown(said(words, title=title, n=n, p=p))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        recipe = st.selectbox(
            "Recipe", list(RECIPES), format_func=lambda key: RECIPES[key].title, key="g_recipe", width=260
        )
        m = st.number_input("base clusterings m", 1, 500, 20, key="g_m", width=150)
        scaling = st.selectbox("features", SCALINGS, format_func=SCALED.get, key="g_scaling", width=190)
        seed = st.number_input("seed", 0, 2**31 - 1, 0, key="g_seed", width=110)
    kind = type(RECIPES[recipe])
    asked = {}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        drawn = not kind.takes_k or (
            not kind.needs_k and st.toggle("draw k for each, from 2 to √n", True, key="g_draw")
        )
        clusters = None if drawn else st.number_input("clusters k in each", 1, n, min(k, n), key="g_k", width=150)
        for param in kind.params():
            value = param_widget(param, f"g_{recipe}_{param.name}", width=190)
            if value != param.default:
                asked[param.name] = value
    st.caption(plain(RECIPES[recipe].what + (f" As in {kind.paper}." if kind.paper else "")))
    made = Generation(recipe, int(m), clusters and int(clusters), int(seed), scaling, tuple(asked.items()))
    cost = estimate(shape, replace(RECIPES[recipe], **asked), made.m, made.k)
    fits = cost.bytes <= available_bytes()
    if not fits:
        st.error(
            said(
                "This needs about {needed}, and {free} are free. "
                "k-means needs far less than spectral or agglomerative clustering.",
                needed=bytes_in_words(cost.bytes),
                free=bytes_in_words(available_bytes()),
            )
        )
    busy = session().making is not None and session().making.live
    with st.container(horizontal=True, vertical_alignment="center"):
        wanted, look = replace(origin, generation=made), {"type": "primary", "disabled": busy or not fits}
        does(plain("Make base clusterings"), _begin, wanted, features, contents, key="g_make", **look)
        st.caption(said("It will take {cost}.", cost=in_words(cost)))


def _begin(origin: Origin, features: list[Reading] | Data, contents: list[bytes]) -> None:
    session().making = Making(origin, features, contents)


def making_followed() -> None:
    """How far it is, once on a page."""
    making = session().making
    if making is not None:
        piece(_follow, 0.3 if making.live else None)()


def _follow() -> None:
    making = session().making
    if making is None:
        return
    making.touch()
    if not making.live:
        st.rerun()
    left = f", {seconds_in_words(making.left)} left" if making.done else ""
    done = said("{done} of {m} made{left}: {name}", done=making.done, m=making.total, left=left, name=making.name)
    st.progress(making.done / making.total, done)
    st.button("Cancel", key="g_cancel", on_click=making.cancel, shortcut="Esc")


def take_in_what_was_made() -> None:
    """First thing on the Data page: what has been made in the meantime are the data from now on."""
    mine = session()
    if mine.making is None or mine.making.live:
        return
    made, mine.making = mine.making, None
    mine.refusal = made.error
    if made.data is not None:
        use(add(made.data, made.contents))


def making_elsewhere() -> None:
    """On other pages: the work goes on, and says so."""
    if session().making is not None:
        with st.sidebar:
            piece(_elsewhere, 1.0)()


def _elsewhere() -> None:
    making = session().making
    if making is None:
        return
    making.touch()
    if making.live:
        done = said(":small[{done} of {m} base clusterings made]", done=making.done, m=making.total)
        st.progress(making.done / making.total, done)
    else:
        st.page_link("data.py", label="Base clusterings are ready", icon=":material/table:")
