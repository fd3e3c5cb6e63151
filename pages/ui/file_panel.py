"""One file on the page: what it was taken for, what is doubtful, its columns with their roles, and every correction."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from consensus_core.reading import MISSING_TEXTS, Choices, FoundColumn, Offer, Reading

from .clicks import does
from .columns import MOST, TITLES, columns_table
from .pieces import slot
from .reading import STOPPED, Given
from .words import listed, plain, said

FOUND = "as found"
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", " ": "blanks", "|": "bar"}
KINDS = {"labels": "base labels: a column is a clustering", "features": "features: a column is a measurement"}
HEADERS = {True: "names of the columns", False: "already data"}
OBJECTS = {False: "a row", True: "a column"}
DECIMALS = {".": "point", ",": "comma"}
WIDGETS = {"part": ("sheet", "variable")}  # a widget for several choices; the others are called like the choice


def asked(given: Given) -> Choices:
    """The corrections of this file as they stand."""
    key = given.key

    def of(name):
        value = st.session_state.get(f"u_{name}_{key}", FOUND)
        return None if value == FOUND else value

    missing = tuple((st.session_state.get(f"u_missing_{key}") or "").split())
    part = of("part")
    not_objects = st.session_state.get(f"u_not_objects_{key}")
    return Choices(
        kind=of("kind"),
        header=of("header"),
        transposed=of("transposed"),
        separator=of("separator"),
        decimal=of("decimal"),
        sheet=part,
        variable=part,
        missing=("", *missing) if missing else None,
        roles=st.session_state.get(f"u_roles_{key}", {}),
        names_in=of("names_in"),
        not_objects=tuple(not_objects) if not_objects else None,
    )


def change(given: Given, changes: dict) -> None:
    """A callback: what one click chooses, as if it had been chosen in the widgets."""
    changes = dict(changes)
    roles = changes.pop("roles", None)
    if roles:
        st.session_state[f"u_roles_{given.key}"] = dict(asked(given).changed(roles=roles).roles)
    for name, value in changes.items():
        widget = next((widget for widget, names in WIDGETS.items() if name in names), name)
        st.session_state[f"u_{widget}_{given.key}"] = value


def _as_found(given: Given) -> None:
    for name in [key for key in st.session_state if str(key).startswith("u_") and str(key).endswith(given.key)]:
        del st.session_state[name]


def file_panel(given: Given, reading: Reading, in_use: bool = False) -> None:
    with slot():
        if reading.fault:
            _refused(given, reading)
        else:
            _understood(given, reading, in_use)
    with slot():
        if reading.columns:
            _columns(given, reading)


def _refused(given: Given, reading: Reading) -> None:
    if reading.fault == STOPPED:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.info(said("{name}: reading was stopped.", name=given.name), icon=":material/stop_circle:")
            st.button("Read it again", key=f"again_{given.key}", on_click=given.again)
        return
    st.error(plain(reading.fault), icon=":material/error:")
    _offers(given, reading.remedies, "mend")
    for suspicion in reading.suspicions:
        _suspected(given, suspicion.sentence, suspicion.offers, suspicion.must)


def _understood(given: Given, reading: Reading, in_use: bool) -> None:
    if any(suspicion.must for suspicion in reading.suspicions):
        st.info(plain(summary(reading)), icon=":material/help:")
    elif reading.suspicions:
        st.info(plain(summary(reading)), icon=":material/visibility:")
    else:
        st.success(plain(summary(reading)), icon=":material/check:")
    for suspicion in reading.suspicions:
        _suspected(given, suspicion.sentence, suspicion.offers, suspicion.must)
    if reading.gap:
        st.error(plain(reading.gap), icon=":material/error:")
        _offers(given, reading.remedies, "mend")
    for note in () if in_use else reading.notes:  # in use, they stand with the data
        st.warning(plain(note), icon=":material/info:")


def summary(reading: Reading) -> str:
    """What the file holds, in one sentence."""
    counts = [
        (len(reading.label_columns), "base clustering"),
        (len(reading.feature_columns), "feature"),
    ]
    said_of = [f"{n:,} {what}{'s' * (n != 1)}" for n, what in counts if n]
    besides = [f"ids in “{reading.id_name}”"] if reading.ids is not None else []
    besides += [f"the truth in “{reading.truth_name}”"] if reading.truth is not None else []
    besides += [f"{len(reading.covariates):,} kept beside"] if reading.covariates else []
    parts = [f"{reading.n:,} objects", *said_of]
    if besides:
        parts.append(besides[0] if len(besides) == 1 else ", ".join(besides[:-1]) + " and " + besides[-1])
    return f"{reading.source}: {', '.join(parts)}."


def _suspected(given: Given, sentence: str, offers: tuple[Offer, ...], must: bool) -> None:
    with st.container(border=True, gap="small"):
        st.markdown(said(":material/help: {sentence}", sentence=sentence))
        _offers(given, offers, f"offer {sentence}", first="primary" if must else "secondary")


def _offers(given: Given, offers: tuple[Offer, ...], key: str, first: str = "secondary") -> None:
    if not offers:
        return
    with st.container(horizontal=True, gap="small"):
        for offer in offers:
            st.button(
                plain(offer.label),
                key=f"{key} {offer.label} {given.key}",
                type=first,
                on_click=change,
                args=(given, offer.changes),
            )


def _columns(given: Given, reading: Reading) -> None:
    columns = reading.columns
    if len(columns) > MOST:
        wanted = st.text_input(
            "Find a column",
            key=f"find_{given.key}",
            placeholder="a column by part of its name",
            label_visibility="collapsed",
            width=260,
        )
        columns = _some(columns, wanted, reading)
        st.caption(said("{shown:d} of {n:,} columns are shown.", shown=len(columns), n=len(reading.columns)))
    doubted = {
        name
        for suspicion in reading.suspicions
        for offer in suspicion.offers
        for name in offer.changes.get("roles", {})
    }
    label = f"Columns of {given.name} and their roles"
    columns_table(columns, label, f"columns_{given.key}", lambda roles: change(given, {"roles": roles}), doubted)
    if asked(given) != Choices():
        st.button(
            "Take all corrections back",
            key=f"back_{given.key}",
            type="tertiary",
            icon=":material/undo:",
            on_click=_as_found,
            args=(given,),
        )


def _some(columns: tuple[FoundColumn, ...], wanted: str, reading: Reading) -> list[FoundColumn]:
    """Those whose names hold what is looked for; else those that are no plain data, and the first."""
    if wanted:
        return [column for column in columns if wanted.casefold() in column.name.casefold()][:MOST]
    plain_role = {"labels": "label", "features": "feature"}.get(reading.kind)
    special = [column.name for column in columns if column.role != plain_role or column.chosen][: MOST // 2]
    first = [column.name for column in columns if column.name not in special][: MOST - len(special)]
    return [column for column in columns if column.name in {*special, *first}]


def corrections(given: Given, reading: Reading) -> None:
    """Every guess can be overruled; what is left alone is found out anew."""
    key, corrected = given.key, replace(asked(given), roles=()) != Choices()
    with st.expander("Not right? Correct it", key=f"fold-correct-{key}", expanded=corrected or bool(reading.fault)):
        with st.container(horizontal=True):
            parts = [part for part in given.parts if part.usable]
            if len(parts) > 1:
                word = "sheet" if parts[0].dtype == "sheet" else "array"
                _choice(key, "part", word, {part.name: part.name for part in parts})
            _choice(key, "kind", "the table holds", KINDS)
            if reading.form in ("", "text", "xlsx", "json"):
                _choice(key, "header", "first row", HEADERS)
            _choice(key, "transposed", "an object is", OBJECTS)
            if reading.form in ("", "text"):
                _choice(key, "separator", "separator", SEPARATORS)
                _choice(key, "decimal", "decimal sign", DECIMALS)
        if reading.choices.transposed and given.table is not None and not given.table.oriented:
            _turned(key, given.table.names)
        _several(given, reading)
        st.text_input(
            "texts that count as missing, besides empty cells (separated by blanks)",
            key=f"u_missing_{key}",
            placeholder=" ".join(text for text in MISSING_TEXTS if text),
        )
    with st.expander("Why it was understood like this", key=f"fold-why-{key}"):
        st.markdown(listed(reading.because or ("The file could not be read so far.",)))
        whys = [f"{column.name}: {column.why}" for column in reading.columns[:MOST] if column.role]
        if whys:
            st.markdown("**Column by column**")
            st.markdown(listed(whys))


def _turned(key: str, names: list[str]) -> None:
    """Where an object is a column of the file, some of its columns may be none."""
    _choice(key, "names_in", "names of the rows are in", {"": "no column", **{name: name for name in names}})
    st.multiselect("columns that are no objects", names, key=f"u_not_objects_{key}")


def _several(given: Given, reading: Reading) -> None:
    names = [column.name for column in reading.columns]
    if len(names) < 3:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.multiselect("several columns at once", names, key=f"several_{given.key}", width=420)
        role = st.selectbox("become", list(TITLES), format_func=TITLES.get, key=f"become_{given.key}", width=180)
        changes = {"roles": dict.fromkeys(chosen, role)}
        does(plain("Change them"), change, given, changes, key=f"change_{given.key}", disabled=not chosen)


def _choice(key: str, name: str, label: str, options: dict) -> None:
    st.selectbox(
        plain(label),
        [FOUND, *options],
        format_func=lambda x: FOUND if x is FOUND else options[x],
        key=f"u_{name}_{key}",
        width=196,
    )
