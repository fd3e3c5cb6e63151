"""A method's sheet on the page."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from consensus_core.data.sheets import SAMPLE, K, Letter, Lettered, Sheet, displayed, growth
from consensus_core.numbers import bytes_in_words, number, seconds_in_words

from .clicks import pressed
from .pieces import slot
from .presets import known_effects
from .words import Marked, plain, prose, said

ROLES = {"common": "of every method", "method": "the method's own", "ablation": "a switch", "schedule": "a constant"}
TABS = ["Problem", "Equations", "Dials", "Pictures", "Laws", "Cost", "Switches", "In use"]
KINDS = {"dial": "a dial", "labels": "from the base labels", "start": "a start value", "constant": "a constant"}


def show_sheet(sheet: Sheet, asked: str) -> None:
    method = sheet.method
    with st.container(horizontal=True, vertical_alignment="center"):
        st.header(said("{name} · {title}", name=method.name(), title=method.title), anchor=False)
        here = {"method": method.key}
        st.page_link("watch.py", label="Watch it", icon=":material/play_circle:", query_params=here)
        small = {**here, "data": SAMPLE, "p_k": str(K)}
        st.page_link("learn.py", label="Words and letters", icon=":material/abc:", query_params={"learn": "words"})
        st.page_link("watch.py", label="on five objects", icon=":material/pinch:", query_params=small)
    st.caption(plain(method.reference))
    with slot():
        if asked:
            _asked_for(sheet, asked)
    for tab, show in zip(
        st.tabs(TABS), (_problem, _equations, _dials, _pictures, _laws, _cost, _switches, _notes), strict=True
    ):
        with tab:
            show(sheet)


def _asked_for(sheet: Sheet, name: str) -> None:
    found = next((one for one in sheet.equations if one.name == name), None)
    if found is None:
        st.info(said("{method} has no equation of “{name}”.", method=sheet.method.name(), name=name))
        return
    with st.container(border=True, key="asked"):
        _equation(sheet.method.key, found, linked=False)  # the others may stand in a tab that is not open


def _problem(sheet: Sheet) -> None:
    st.markdown(said("**{summary}**", summary=sheet.summary))
    for paragraph in sheet.problem:
        lines = displayed(paragraph)
        if lines is None:
            st.markdown(prose(paragraph))
        else:
            st.code(lines, language=None, wrap_lines=False)


def _equations(sheet: Sheet) -> None:
    st.caption("Each is what the program computes: the same formula stands in *Why this value?* with its numbers.")
    for one in sheet.equations:
        with st.container(border=True, key=f"equation-{one.name}"):
            _equation(sheet.method.key, one)


def _equation(method: str, one: Lettered, linked: bool = True) -> None:
    told = one.equation
    where = said(":gray[{over} {number}]", over=one.over, number=told.number)
    if linked:
        st.html(f'<span id="{_place(one.name)}"></span>')
    st.markdown(said("**{letter}**, {meaning} {where}", letter=told.letter, meaning=told.meaning, where=where))
    for form in one.forms:
        st.latex(form.latex, help=plain(f"special case: {form.case}") if form.case else None)
    if one.letters:
        st.markdown(Marked("  \n".join(_letter(letter, linked) for letter in one.letters)))
    met = [form for form in one.forms if form.at_work]
    if met:
        with st.expander("With numbers, on five objects", key=f"fold-numbers-{method}-{one.name}-{linked}"):
            for form in met:
                st.markdown(
                    said("{place}, iteration {at}", place=form.at_work.place, at=form.at_work.told.address.iteration)
                )
                st.latex(form.filled)
                st.markdown(plain(form.at_work.words))
                address = form.at_work.outward(form.at_work.told.address)
                st.page_link(
                    "watch.py",
                    label="This entry in Watch",
                    icon=":material/play_circle:",
                    query_params=_entry_in_watch(method, address),
                )


def _entry_in_watch(method: str, address) -> dict[str, str]:
    pin = ".".join([address.name, *map(str, address.where)])
    return {"method": method, "data": SAMPLE, "p_k": str(K), "it": str(address.iteration), "pin": pin}


def _letter(letter: Letter, linked: bool) -> Marked:
    where = KINDS.get(letter.kind, "")
    ending = said(" :gray[({where})]", where=where) if where else ""
    name = Marked(f"[{plain(letter.text)}](#{_place(letter.name)})") if letter.name and linked else plain(letter.text)
    return said(":small[**{name}** {meaning}{ending}]", name=name, meaning=letter.meaning, ending=ending)


def _place(name: str) -> str:
    """Where on the page an equation stands."""
    return f"eq-{name}"


def _dials(sheet: Sheet) -> None:
    _table(
        {
            "dial": dial.title,
            "in programs": dial.name,
            "what it does": dial.meaning,
            "values": dial.range_in_words,
            "default": "wanted" if dial.required else str(dial.default),
            "equation": dial.equation,
            "kind": ROLES[dial.role],
        }
        for dial in sheet.dials
    )


def _pictures(sheet: Sheet) -> None:
    _table(
        {
            "letter": quantity.letter,
            "in programs": quantity.name,
            "what it shows": quantity.meaning,
            "of": " × ".join(quantity.axes) or "one number",
            "equation": quantity.equation,
        }
        for quantity in sheet.method.quantities()
    )


def _laws(sheet: Sheet) -> None:
    missing = sheet.method.handles_missing
    st.markdown(
        said("* **Missing labels:** {how}", how=missing or "have to be filled first; the page does it as you say")
    )
    for _, says, why_not in sheet.laws:
        if why_not:
            st.markdown(said("* :orange[not kept:] {says}. Why: {why}.", says=says, why=why_not))
        else:
            st.markdown(said("* :green[kept:] {says}", says=says))
    st.caption("Laws that are kept are tested on hundreds of hard draws, with ties, gaps and equal objects.")


def _cost(sheet: Sheet) -> None:
    st.markdown(
        "How long it takes on this machine as the number of different rows of labels grows, 20 base clusterings."
    )
    measured = st.session_state.setdefault("measured_costs", {})
    if pressed(st.button, "Measure", key=f"measure-{sheet.method.key}", icon=":material/timer:"):
        with st.status("Measuring", expanded=False) as status:
            rows = []
            for row in growth(sheet.method):
                rows.append(row)
                status.update(label=said("{groups:,} different rows", groups=row.groups))
            measured[sheet.method.key] = rows
    if rows := measured.get(sheet.method.key):
        _table(
            {
                "different rows": f"{row.groups:,}",
                "taken": seconds_in_words(row.seconds),
                "estimated": seconds_in_words(row.estimated),
                "memory, estimated": bytes_in_words(row.bytes),
            }
            for row in rows
        )
        if len(rows) > 1 and rows[0].seconds > 0:
            times, more = rows[-1].seconds / rows[0].seconds, rows[-1].groups / rows[0].groups
            words = "{times} times the time for {rows} times the rows: twice the rows take about {twice} times as long."
            twice = number(times ** (math.log(2) / math.log(more)), 2)
            st.caption(said(words, times=number(times, 2), rows=number(more, 2), twice=twice))


def _switches(sheet: Sheet) -> None:
    known_effects(sheet.method)


def _notes(sheet: Sheet) -> None:
    for heading, text in sheet.notes.items():
        st.subheader(plain(heading), anchor=False)
        for paragraph in text.split("\n"):
            if paragraph.strip():
                st.markdown(prose(paragraph))
    if not sheet.notes:
        st.caption("Nothing is written of it yet.")


def _table(rows) -> None:
    """Columns in which nothing is said are left out."""
    frame = pd.DataFrame(list(rows)).astype(str)
    frame = frame.loc[:, (frame != "").any()]
    st.dataframe(frame, hide_index=True, width="stretch")
