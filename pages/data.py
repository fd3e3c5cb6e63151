"""Data: a sample or a file, features or base labels; what is in it, and what is odd about it."""

import streamlit as st

from consensus_core.data.samples import SAMPLES
from pages.ui.data_choice import choose_data, contents_behind
from pages.ui.kept import keeping_panel
from pages.ui.links import linked_choice, part
from pages.ui.making import making_followed, making_panel, take_in_what_was_made
from pages.ui.parameters import WAYS
from pages.ui.pieces import slot
from pages.ui.samples import sample_cards
from pages.ui.session import session
from pages.ui.summary import arrived
from pages.ui.tables import tables, tables_panel, take_in_what_was_counted
from pages.ui.upload import upload_panel
from pages.ui.words import plain, said

mine = session()
take_in_what_was_made()
take_in_what_was_counted()
with st.sidebar, part("data"):
    dataset = choose_data()

with slot():
    if mine.refusal:
        st.error(plain(mine.refusal), icon=":material/error:")
        mine.refusal = ""
ways = {way: title for way, title in WAYS.items() if way != "tables" or tables() is not None}
way = linked_choice(
    st.segmented_control, "Where from", ways, "from", "sample", label_visibility="collapsed", required=True
)
match way:
    case "upload":
        upload_panel()
    case "make" if dataset.features is not None:
        making_panel(
            dataset.origin.plain,
            dataset.data,
            contents_behind(dataset.key),
            dataset.features.shape,
            dataset.k,
            dataset.title,
        )
    case "make":
        words = "“{title}” is a table of base labels: there are no features to make others from."
        st.info(said(words, title=dataset.title))
    case "tables":
        tables_panel()
    case "kept":
        keeping_panel()
    case _:
        sample_cards(SAMPLES, dataset.key)
making_followed()
# what stands below would be taken for a file that is looked at above
looked_at = mine.upload if way == "upload" else None
if looked_at is None or (dataset.origin and dataset.origin.file == looked_at.name):
    st.divider()
    arrived(dataset)
