"""Which data there are to work on, and the data behind a key in a link."""

from __future__ import annotations

import collections
import dataclasses
import hashlib

import numpy as np
import streamlit as st

from consensus_core import InputError
from consensus_core.data import Data, Origin, build
from consensus_core.data.samples import FIRST, SAMPLES
from consensus_core.keep import data_file
from consensus_core.keep.store import Kept
from consensus_core.text import visible

from .links import linked_choice
from .session import Dataset, session
from .visitor import desk, keeping, store
from .words import Marked

GONE = Marked("The data of this link are no longer kept on this machine.")
UNREADABLE = Marked("These data were kept, but can no longer be read. They can be deleted under Data, Kept.")


def choose_data() -> Dataset:
    """The data widget, the same on every page; the link says what it shows."""
    mine = session()
    key = linked_choice(st.selectbox, "Data", _titles(), "data", FIRST)
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
    st.session_state["data"] = key


def _titles() -> dict[str, str]:
    """Samples, then what this visitor has given, then what a link names."""
    mine = session()
    titles = {key: sample.title for key, sample in SAMPLES.items()}
    titles |= titles_of_kept(store().all(desk(), "data"))
    titles |= _apart({key: _title(origin) for key, (origin, _) in mine.unkept.items()})
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


def stay_in_this_session(key: str, origin: Origin, content: bytes | None) -> None:
    """Data that shall no longer be kept, and yet last as long as the tab is open."""
    session().unkept[key] = (origin, content)


def _title(origin: Origin) -> str:
    name = origin.file or SAMPLES[origin.sample].title
    made = origin.generation
    filled = f", filled ({origin.filling})" if origin.filling else ""
    return f"{name} · {made.m} made anew{filled}" if made else f"{name}{filled}"


def dataset(key: str) -> Dataset:
    if key in SAMPLES:
        return _built(key, None, None)
    if key in session().unkept:
        origin, content = session().unkept[key]
        return _built(key, origin, content)
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
        data = build(origin, store().file(key, "content"))
    return dataclasses.replace(_shown(key, data), title=title)


@st.cache_resource(show_spinner=False, max_entries=32)
def _built(key: str, _origin: Origin | None, _content: bytes | None) -> Dataset:
    return _shown(key, build(_origin or Origin(sample=key), _content))


def _shown(key: str, data: Data) -> Dataset:
    return Dataset(
        key=key,
        title=_title(data.origin),
        ensemble=data.ensemble,
        ids=data.ids,
        features=data.features,
        origin=data.origin,
        k=_proposed_k(data.origin, data.ensemble),
        because=data.because,
        notes=data.notes,
    )


def _proposed_k(origin: Origin, ensemble) -> int:
    """As many clusters as the truth has, or the sample says; else the middle number the base clusterings have."""
    if origin.sample:
        k = SAMPLES[origin.sample].k
    elif ensemble.truth is not None:
        k = len(np.unique(ensemble.truth.astype(str)))
    else:
        k = int(np.median(ensemble.k_each))
    return max(1, min(k, ensemble.q))


def add(data: Data, content: bytes | None) -> str:
    """Takes data in; returns their key. Kept on this machine where the visitor wants it, else for this session.

    `content` is the file a person gave, None for a sample.
    """
    origin = data.origin
    blank = dataclasses.replace(origin, generation=None, filling="")
    if origin.sample and origin == blank:
        return origin.sample
    name = hashlib.blake2b(origin.to_json().encode() + (content or b""), digest_size=16).hexdigest()
    if keeping():
        files = {"built": data_file.as_bytes(data), "content": content}
        files = {name: kept for name, kept in files.items() if kept is not None}
        if kept := store().put(desk(), "data", name, _title(origin), {"origin": origin.to_json()}, files):
            return kept.id
    session().unkept[name] = (origin, content)
    return name


def bytes_behind(key: str) -> bytes | None:
    """The file a person gave, as it was given."""
    if key in session().unkept:
        return session().unkept[key][1]
    return store().file(key, "content")


def without_gaps(dataset: Dataset, how: str, seed: int = 0) -> Dataset:
    """The same data with missing labels filled, for methods that cannot take them; the badge is the page's business."""
    return _filled(dataset, dataset.ensemble.fingerprint, how, seed)


@st.cache_resource(show_spinner="Filling missing labels …", max_entries=8)
def _filled(_dataset: Dataset, fingerprint: str, how: str, seed: int) -> Dataset:
    origin = dataclasses.replace(_dataset.origin, filling=how, filling_seed=seed)
    return dataclasses.replace(_dataset, ensemble=_dataset.ensemble.filled(how, seed), origin=origin)
