"""Clusters of a run as a person calls them: renamed, merged, recoloured; kept with the run, whatever else is kept."""

from __future__ import annotations

import numpy as np
import streamlit as st

from consensus_core import Method
from consensus_core.data import Naming
from consensus_core.data.naming import LONGEST
from consensus_core.drawing.palettes import cluster_colour
from consensus_core.keep.run_file import run_key
from consensus_core.numbers import counted

from .session import session
from .visitor import remember, remembered
from .words import said

MOST = 40  # clusters that can be named on the page


def naming_of(method: Method) -> Naming:
    """How the clusters of this method on these data are called."""
    return Naming.from_meta(remembered(_key(method)), method.k if method.exact_k else 10**6)


def _key(method: Method) -> str:
    return f"clusters {run_key(method, session().dataset.ensemble)}"


def naming_panel(method: Method, labels: np.ndarray) -> None:
    """`labels`: (n,) clusters 0, 1, … by the one numbering."""
    sizes = np.bincount(labels)
    clusters, key = naming_of(method), _key(method)
    st.caption(
        "Names, mergers and colours are shown in the live view, and go into the labels (CSV), all figures, the film, "
        "the report, the record and the program. What the method computed, and why, stays as it is."
    )
    if len(sizes) > MOST:
        st.caption(said("Only up to {most} clusters can be named here.", most=MOST))
        return
    called = [f"{label + 1}" for label in range(len(sizes))]
    names, merged, colours = {}, {}, {}
    for label, size in enumerate(sizes):
        with st.container(horizontal=True, vertical_alignment="bottom", key=f"cluster-{label}"):
            usual = cluster_colour(label)
            colours[label] = st.color_picker(
                said("Colour of cluster {number}", number=label + 1),
                clusters.colour(label, usual),
                key=f"colour {key} {label}",
                label_visibility="collapsed",
            )
            names[label] = st.text_input(
                said("Cluster {number}, {size}", number=label + 1, size=counted(int(size), "object")),
                dict(clusters.names).get(label, ""),
                max_chars=LONGEST,
                placeholder=f"cluster {label + 1}",
                key=f"called {key} {label}",
            )
            merged[label] = st.selectbox(
                said("Cluster {number} is part of", number=label + 1),
                range(len(sizes)),
                dict(clusters.merged).get(label, label),
                format_func=lambda other, label=label: "itself" if other == label else f"cluster {called[other]}",
                key=f"merged {key} {label}",
                width=150,
            )
    now = Naming.from_meta(
        {
            "names": [[label, name] for label, name in names.items()],
            "merged": [[label, into] for label, into in merged.items() if into != label],
            "colours": [[label, colour] for label, colour in colours.items() if colour != cluster_colour(label)],
        }
    )
    if now != clusters:
        remember(key, **now.as_meta())
        st.rerun()
