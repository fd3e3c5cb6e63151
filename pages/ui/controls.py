"""Param -> widget. Every widget has a short key that is also its place in the link."""

from __future__ import annotations

import numpy as np
import streamlit as st

from consensus_core import METHODS, Method, Param


def choose_method(k: int, most: int) -> Method:
    """The method and all its parameters, as the widgets stand."""
    keys = list(METHODS)
    key = st.selectbox(
        "Method",
        keys,
        index=keys.index("spce") if "spce" in keys else 0,
        format_func=lambda key: f"{METHODS[key].name()} · {METHODS[key].title}",
        key="method",
        bind="query-params",
    )
    cls = METHODS[key]
    chosen = {}
    groups = {
        role: [p for p in cls.params() if p.role == role] for role in ("method", "ablation", "schedule", "common")
    }
    chosen["k"] = st.slider("clusters wanted, k", 1, min(max(30, 2 * k), most), k, key="p_k", bind="query-params")
    for param in groups["method"]:
        chosen[param.name] = widget(param, key)
    with st.expander("Switches, schedule, seed"):
        for role in ("ablation", "schedule", "common"):
            for param in groups[role]:
                if param.name != "k" and not (param.low is not None and param.low == param.high):
                    chosen[param.name] = widget(param, key)
    return cls(**chosen)


def widget(param: Param, method: str):
    """A method's parameter, bound to the link."""
    return param_widget(param, "seed" if param.name == "seed" else f"p_{param.name}", bind="query-params")


def param_widget(param: Param, key: str, **more):
    label = f"{param.name} {param.letter}".strip() if param.letter != param.name else param.name
    common = {"key": key, "help": param.meaning, **more}
    if param.kind == "choice":
        return st.selectbox(label, param.choices, index=param.choices.index(param.default), **common)
    if param.kind == "switch":
        return st.toggle(label, param.default, **common)
    if param.kind == "integer":
        return st.number_input(label, param.low, param.high, param.default, 1, **common)
    if param.log and param.low and param.high:
        stops = 10 ** np.arange(np.log10(param.low), np.log10(param.high) + 0.05, 0.1)
        stops = sorted({float(f"{x:.3g}") for x in stops} | {param.default})
        return st.select_slider(label, stops, param.default, **common)
    if param.low is not None and param.high is not None:
        step = param.step or (param.high - param.low) / 100
        return st.slider(label, float(param.low), float(param.high), float(param.default), float(step), **common)
    return st.number_input(label, param.low, param.high, param.default, **common)
