"""The finished result of every value of a dial, to be dragged through: a map, the matrices, one slider for all.

Everything is in the browser when it is dragged, so a picture costs a few milliseconds.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import streamlit as st

from consensus_core.drawing.palettes import CLUSTERS, SEQUENTIAL
from consensus_core.drawing.places import map_of
from consensus_core.numbers import number
from consensus_core.sweep import Outcome
from consensus_core.sweep.pictures import pictured
from consensus_core.text import visible

from .component import component
from .session import Dataset

KEY = "strip"
MOST = 3000  # objects on the map
_HERE = Path(__file__).with_name("strip_view")
_component = component(
    "quorum_strip",
    html='<div class="strip"></div>',
    css=(_HERE / "strip.css").read_text(encoding="utf-8"),
    js=(_HERE / "strip.js").read_text(encoding="utf-8"),
)


@st.cache_data(show_spinner=False, max_entries=16)
def _places(_dataset: Dataset, fingerprint: str) -> tuple[np.ndarray, np.ndarray]:
    """Which objects are drawn, and where: whole numbers from 0 to 1000."""
    places = map_of(_dataset.ensemble, _dataset.features)
    n = len(places)
    some = np.arange(n) if n <= MOST else np.sort(np.random.default_rng(0).permutation(n)[:MOST])
    low, span = places.min(axis=0), np.ptp(places, axis=0).max() or 1.0
    return some, np.round(1000 * (places[some] - low) / span).astype(np.int16)


def strip(dataset: Dataset, method, title: str, values: Sequence, outcomes: Sequence[Outcome | None], at: int,
          since: float, looked: Callable[[int], None]) -> None:  # fmt: skip
    """`since`: when this was asked; `outcomes`: of each value, None where it is not there yet; `at`: the place of the
    value the dial stands at; `looked` hears of a place where it was dragged to and nothing is yet."""

    def heard() -> None:
        place = (st.session_state[KEY].get("look") or {}).get("at")
        if type(place) is int and 0 <= place < len(values):
            looked(place)

    some, places = _places(dataset, dataset.ensemble.fingerprint)
    known = [one.pictures for one in outcomes if one is not None and one.pictures is not None]
    low = min((float(one.min()) for one in known), default=0.0)
    high = max((float(one.max()) for one in known), default=1.0)
    quantity = pictured(method)
    seen = len(some) < dataset.ensemble.n
    data = {
        "said": [since, sum(one is not None for one in outcomes)],
        "title": title,
        "letter": quantity.letter if quantity else "",
        "meaning": quantity.meaning if quantity else "",
        "values": [_said(value) for value in values],
        "at": at,
        "places": _packed(places),
        "note": f"{len(some):,} of {dataset.ensemble.n:,} objects are drawn." if seen else "",
        "colours": list(CLUSTERS),
        "scale": list(SEQUENTIAL),
        "results": [_result(one, some, low, high) for one in outcomes],
    }
    _component(key=KEY, data=data, on_look_change=heard)


def _result(one: Outcome | None, some: np.ndarray, low: float, high: float) -> dict | None:
    if one is None:
        return None
    if one.error or one.labels is None:
        return {"error": visible(one.error), "words": "", "labels": "", "frames": []}
    truth = [f"{name} {number(one.scores[key], 3)}" for key, name in _SCORES.items() if key in one.scores]
    words = [f"{one.clusters} clusters", *truth, f"agreement with the base clusterings {number(one.agreement_ari, 3)}"]
    if one.found != one.clusters:
        words.insert(1, f"{one.found} found by the method itself")
    frames = [] if one.pictures is None else [_pixels(picture, low, high) for picture in one.pictures]
    size = [] if one.pictures is None else [int(side) for side in one.pictures.shape[1:]]
    labels = _packed(one.labels[some].astype(np.uint8))
    return {"error": "", "words": " · ".join(words), "labels": labels, "frames": frames, "size": size}


_SCORES = {"ari": "ARI", "nmi": "NMI", "acc": "ACC", "f1": "F"}


def _pixels(picture: np.ndarray, low: float, high: float) -> str:
    codes = np.round(255 * (picture.astype(float) - low) / ((high - low) or 1.0))
    return _packed(np.clip(codes, 0, 255).astype(np.uint8))


def _packed(array: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()


def _said(value) -> str:
    return f"{value:g}" if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)
