"""Learn: lessons, one idea a screen: a text, the live picture, a question, its answer, a switch that breaks it."""

import streamlit as st

from consensus_core.lessons import all_lessons
from pages.ui.glossary import glossary
from pages.ui.lessons import asked_for, list_of_lessons, show_screen
from pages.ui.links import linked_choice
from pages.ui.parameters import SHELVES
from pages.ui.words import said

lessons, faults = all_lessons()
lesson, number = asked_for(lessons)
if lesson is None:
    shelf = linked_choice(
        st.segmented_control, "What", SHELVES, "learn", "lessons", label_visibility="collapsed", required=True
    )
    if shelf == "words":
        glossary()
    else:
        list_of_lessons(lessons)
        for fault in faults:
            st.warning(said("A lesson is left out. {fault}", fault=fault), icon=":material/edit_off:")
else:
    show_screen(lesson, number)
