"""Everything a browser session remembers, in one typed object with one door."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import streamlit as st

from consensus_core import Ensemble


@dataclass(frozen=True, eq=False)
class Dataset:
    key: str
    title: str
    ensemble: Ensemble
    ids: np.ndarray | None = None
    features: np.ndarray | None = None
    origin: str = ""
    k: int = 2  # what is proposed


@dataclass
class Session:
    dataset: Dataset | None = None
    run: object | None = None  # the LiveRun on screen
    film: object | None = None
    ghosts: list = field(default_factory=list)  # curves of earlier runs, newest first
    ask: dict = field(default_factory=dict)  # what the live view last said
    goto: int | None = None  # the iteration a link asked for


def session() -> Session:
    return st.session_state.setdefault("session", Session())
