"""Which data there are to work on, and the data behind a key in a link."""

from __future__ import annotations

import collections
import dataclasses
import hashlib

import streamlit as st

from consensus_core import InputError
from consensus_core.data import Data, Origin, build, filled, represented
from consensus_core.data.samples import FIRST, SAMPLES
from consensus_core.keep import data_file
from consensus_core.keep.store import Kept
from consensus_core.text import visible

from .links import linked_choice, turn
from .reading import read_again
from .session import Dataset, session
from .tables import dataset_of_table, is_table, titles_of_tables
from .visitor import desk, keeping, store
from .words import Marked

GONE = Marked("The data of this link are no longer kept on this machine.")
UNREADABLE = Marked("These data were kept, but can no longer be read. They can be deleted under Data, Kept.")


def choose_data() -> Dataset:
    """The data widget, the same on every page; the link says what it shows."""
    mine = session()
    key = linked_choice(st.selectbox, "Data", titles(), "data", FIRST)
    if mine.lost_link:
        st.warning(mine.lost_link, icon=":material/link_off:")
    try:
        mine.dataset = dataset(key)
    except InputError:
        # lost alone: everything else stays as it is, and it may still be deleted under Kept
        mine.unreadable.add(key)
        mine.lost_link = UNREADABLE
        st.rerun()
    return mine.dataset


def use(key: str) -> None:
    """A callback: from the next run on, these are the data."""
    turn(data=key)


def titles() -> dict[str, str]:
    """What this visitor has given, which nobody wants to look for below all samples; these; what a link names."""
    mine = session()
    titles = titles_of_kept(store().all(desk(), "data"))
    titles |= _apart({key: origin.title for key, (origin, _) in mine.unkept.items()})
    titles |= titles_of_tables()
    titles |= {key: sample.title for key, sample in SAMPLES.items()}
    named = st.session_state.get("data") or st.query_params.get("data") or mine.linked.get("data", "")
    if named not in titles and (kept := store().get(named)) and kept.kind == "data":
        titles[kept.id] = visible(kept.title)
    titles = {key: title for key, title in titles.items() if key not in mine.unreadable}
    if named in titles:
        mine.lost_link = Marked("")
    elif named and named not in mine.unreadable:
        mine.lost_link = GONE
    return titles


def titles_of_kept(things: list[Kept]) -> dict[str, str]:
    """By their ids, the last used first; equal titles are numbered as they came."""
    told = _apart({kept.id: kept.title for kept in sorted(things, key=lambda kept: kept.created)})
    return {kept.id: told[kept.id] for kept in things}


def _apart(titles: dict[str, str]) -> dict[str, str]:
    """Equal titles told apart by a number."""
    seen = collections.Counter()
    told = {}
    for key, title in ((key, visible(title)) for key, title in titles.items()):
        seen[title] += 1
        told[key] = title if seen[title] == 1 else f"{title} ({seen[title]})"
    return told


def stay_in_this_session(key: str, origin: Origin, contents: list[bytes]) -> None:
    """Data that shall no longer be kept, and yet last as long as the tab is open."""
    session().unkept[key] = (origin, contents)


def dataset(key: str) -> Dataset:
    if key in SAMPLES:
        return _built(key, None, [])
    if is_table(key):
        return dataset_of_table(key)
    if key in session().unkept:
        return _built(key, *session().unkept[key])
    kept = store().get(key)
    if kept is None or kept.kind != "data":
        raise InputError(str(GONE))
    return _kept(key, kept.title, kept)


@st.cache_resource(show_spinner="Reading the data again …", max_entries=16)
def _kept(key: str, title: str, _kept: Kept) -> Dataset:
    """Of the local store; whoever has the unguessable key may see it."""
    data = data_file.from_bytes(store().file(key, "built"))
    if data is None:
        try:
            origin = Origin.from_json(_kept.meta["origin"])
        except (KeyError, ValueError, TypeError, AttributeError) as damage:
            raise InputError("Where these data come from is not known any more.") from damage
        data = _build(origin, contents_behind(key))
    return dataclasses.replace(Dataset.of(key, data), title=title)


@st.cache_resource(show_spinner=False, max_entries=32)
def _built(key: str, _origin: Origin | None, _contents: list[bytes]) -> Dataset:
    return Dataset.of(key, _build(_origin or Origin(sample=key), _contents))


def _build(origin: Origin, contents: list[bytes]) -> Data:
    return build(origin, read_again(origin, contents) if origin.file else None)


def add(data: Data, contents: list[bytes]) -> str:
    """Takes data in; returns their key. Kept on this machine where the visitor wants it, else for this session.

    `contents`: the files a person gave, none for a sample.
    """
    origin = data.origin
    if origin.sample and origin == origin.plain:
        return origin.sample
    name = hashlib.blake2b(b"\0".join([origin.to_json().encode(), *contents]), digest_size=16).hexdigest()
    if keeping():
        files = {"built": data_file.as_bytes(data)} | {_file(i): content for i, content in enumerate(contents)}
        files = {name: kept for name, kept in files.items() if kept is not None}
        if kept := store().put(desk(), "data", name, origin.title, {"origin": origin.to_json()}, files):
            return kept.id
    session().unkept[name] = (origin, contents)
    return name


def use_without(key: str, names: tuple[str, ...]) -> None:
    """A callback: from the next run on the data are those behind this key without these base clusterings; with none
    named, with all there are."""
    mine, contents = session(), contents_behind(key)
    before = dataset(key)
    left_out = (*before.origin.left_out, *names) if names else ()
    try:
        data = _build(dataclasses.replace(before.origin, left_out=left_out), contents)
    except InputError as refusal:
        mine.refusal = str(refusal)
        return
    new = add(data, contents)
    mine.clusters[new] = mine.clusters.get(key, before.k)  # they are the same groups that one looks for
    use(new)


def contents_behind(key: str) -> list[bytes]:
    """The files a person gave, as they were given; none behind a sample."""
    if key in session().unkept:
        return session().unkept[key][1]
    found: list[bytes] = []
    while (content := store().file(key, _file(len(found)))) is not None:
        found.append(content)
    return found


def _file(place: int) -> str:
    return f"content-{place}" if place else "content"


def without_gaps(dataset: Dataset, how: str, seed: int = 0) -> Dataset:
    """The same data with missing labels filled, for methods that cannot take them; the badge is the page's business."""
    return _filled(dataset, dataset.ensemble.fingerprint, how, seed)


@st.cache_resource(show_spinner="Filling missing labels …", max_entries=8)
def _filled(_dataset: Dataset, fingerprint: str, how: str, seed: int) -> Dataset:
    found = Dataset.of(_dataset.key, filled(_dataset.data, how, seed))
    return dataclasses.replace(found, title=_dataset.title)


def by_fewer_rows(dataset: Dataset, rows: int) -> Dataset:
    """The same objects under so many distinct rows; the badge is the page's business here too."""
    return _represented(dataset, dataset.ensemble.fingerprint, rows)


@st.cache_resource(show_spinner="Choosing rows that stand for all …", max_entries=8)
def _represented(_dataset: Dataset, fingerprint: str, rows: int) -> Dataset:
    found = Dataset.of(_dataset.key, represented(_dataset.data, rows))
    return dataclasses.replace(found, title=_dataset.title, k=_dataset.k)
