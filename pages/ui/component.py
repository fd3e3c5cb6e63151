"""Components of our own (Streamlit's v2), whose messages keep their order.

Streamlit's browser loads a component's script for every message anew and calls it when it is there: of two messages in
one breath the later one may be drawn first, and the earlier one over it, for good. (Seen: "4 of 4 done" above a table
in which two still run.) So every message says since when it is said, and one that was overtaken is let pass.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable

import streamlit as st

_EXPORTED = "export default function ("
_IN_ORDER = """
const later = (one, other) => {
  const at = one.findIndex((part, i) => part !== other[i]);
  return at >= 0 && one[at] > other[at];
};
export default function (given) {
  const { parentElement, data: { said } } = given;
  if (parentElement.said && later(parentElement.said, said)) return undefined;
  parentElement.said = said;
  return drawn(given);
}
"""


def in_order(js: str) -> str:
    """A component's script that lets messages pass which were overtaken."""
    if js.count(_EXPORTED) != 1:
        raise ValueError(f"A component's script has one {_EXPORTED}…), which draws what it is given.")
    return js.replace(_EXPORTED, "const drawn = function (") + _IN_ORDER


def component(name: str, html: str, js: str, css: str | None = None) -> Callable:
    """`component(…)(key=…, data={…}, on_x_change=…)`. Data may say themselves since when they are said (a list of
    numbers in `said`), where looking through them for what is new would cost too much."""
    made = st.components.v2.component(name, html=html, css=css, js=in_order(js))

    def draw(*, key: str, data: dict, **hearing):
        return made(key=key, data=data if "said" in data else {**data, "said": _since(key, data)}, **hearing)

    return draw


def _since(key: str, data: dict) -> list[float]:
    """The same as long as the data are: they are not sent again."""
    name, digest = f"said {key}", hashlib.blake2b(json.dumps(data, sort_keys=True).encode()).hexdigest()
    known, since = st.session_state.get(name, ("", 0.0))
    if known != digest:
        since = max(time.time(), since + 0.001)  # clocks are put back
        st.session_state[name] = digest, since
    return [since]
