"""A film of what is on the stage: how large it will be, what is explained in it, the captions, and the download."""

from __future__ import annotations

import streamlit as st

from consensus_core.data.exports import file_name
from consensus_core.errors import InputError
from consensus_core.live.captions import captions_in, pinned_in
from consensus_core.live.reel import MOST, expected, of_stage
from consensus_core.numbers import bytes_in_words

from .session import Dataset, session
from .words import plain, said

EXAMPLE = "0: Look at x3 and x5.\n6: Now they are linked."


def film_panel(dataset: Dataset) -> None:
    """One page with all iterations, that plays anywhere without a network."""
    live = session().stage
    stage = live.as_it_is()  # a dial moved in the view begins another run at any moment
    if stage.going or not stage.run.moments:
        st.caption("A film can be taken when the run has come to rest.")
        return
    st.caption(
        "One HTML page with every iteration, which plays without a server and without a network, on a telephone too. "
        "What is pinned is explained in it at every iteration, with what its terms lead to."
    )
    text = st.text_area("Captions: from which iteration on, and what", placeholder=EXAMPLE, key="captions", height=100)
    try:
        captions = captions_in(text)
    except InputError as wrong:
        st.warning(plain(wrong), icon=":material/info:")
        return
    linked = st.query_params.get("pin", "")

    def pinned() -> list[tuple]:
        """What is pinned when the film is taken: the page need not have been drawn since."""
        look = live.question.look
        return pinned_in(linked if look is None else look.get("pin", ""), live.run)

    pins = pinned_in(linked, stage.run)
    about = said(
        "About {size}, at most {most}; {pins}.",
        size=bytes_in_words(expected(stage)),
        most=bytes_in_words(MOST),
        pins=f"{pins[0][0]} of the pinned entry is explained" if pins else "no entry is pinned",
    )
    st.download_button(
        "Film (HTML)",
        lambda: of_stage(live, pins=pinned(), captions=captions).page,
        file_name(dataset.title, stage.run.at(len(stage.run.moments) - 1), "film.html"),
        "text/html",
        key="download film",
        on_click="ignore",
        help=plain("plays anywhere"),
        icon=":material/movie:",
    )
    st.caption(about)
