"""What a link says: choices by their short keys, parts of the page it hides, and how to copy it."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from .session import session

PARTS = {
    "nav": "the other pages",
    "sidebar": "the whole sidebar",
    "data": "the choice of data",
    "method": "the choice of method",
    "parameters": "the method's parameters",
    "switches": "switches, schedule and seed",
    "order": "the order of rows",
    "home": "downloads and sharing",
    "hint": "the three steps for a first visit",
}
_WHERE = {
    "nav": "[data-testid=stTopNavLinkContainer],[data-testid=stSidebarNav],[data-testid=stToolbar]",
    "sidebar": "[data-testid=stSidebar],[data-testid=stSidebarCollapsedControl],[data-testid=stExpandSidebarButton]",
}


def linked_choice(widget, label: str, titles: Mapping[str, str], key: str, default: str, **more):
    """A selectbox or segmented control whose place in the link is the key of what is chosen, not its title.

    (Streamlit's own binding would write the title.) The link is read once; from then on the widget writes it.
    """
    remembered = session().linked
    asked = st.query_params.get(key, remembered.get(key, default))
    hold(key, st.session_state.get(key, asked), titles, default)
    chosen = widget(label, list(titles), format_func=titles.get, key=key, **more) or default
    remembered[key] = chosen  # a page switch forgets widgets, not what was chosen
    if chosen != st.query_params.get(key, default):
        if chosen == default:
            del st.query_params[key]
        else:
            st.query_params[key] = chosen
    return chosen


def hold(key: str, value, allowed=None, default=None) -> None:
    """A widget's value, set anew in every run: one that is merely left standing does not survive a page switch."""
    st.session_state[key] = value if allowed is None or value in allowed else default


def part(name: str):
    """A container that a link may hide: what is in it keeps working, unseen."""
    return st.container(key=f"part-{name}")


def hide_parts() -> None:
    """From the frame around every page: a teacher's link ?hide=method,parameters shows the rest only."""
    named = [name for name in st.query_params.get("hide", "").split(",") if name in PARTS]
    if named:
        where = ",".join(_WHERE.get(name, f".st-key-part-{name}") for name in named)
        st.html(f"<style>{where}{{display:none!important}}</style>")


_copy = st.components.v2.component(
    "quorum_copy_link",
    html='<div><input readonly aria-label="Link to this screen"><button type="button">Copy</button></div>',
    css="""
div { display: flex; gap: .5rem; font: inherit }
input { flex: 1; min-width: 0; padding: .4rem .6rem; font: inherit; color: var(--st-text-color);
  background: var(--st-secondary-background-color); border: 1px solid var(--st-border-color); border-radius: 8px }
button { padding: .4rem .9rem; font: inherit; cursor: pointer; color: var(--st-text-color);
  background: var(--st-background-color); border: 1px solid var(--st-border-color); border-radius: 8px }
button:focus-visible, input:focus-visible { outline: 2px solid var(--st-primary-color) }
""",
    js="""
export default function ({ data, parentElement }) {
  const field = parentElement.querySelector('input'), button = parentElement.querySelector('button');
  const link = () => {
    const url = new URL(location.href);
    url.searchParams.delete('hide');
    if (data.hide.length) url.searchParams.set('hide', data.hide.join(','));
    return url.href.replaceAll('%2C', ',');
  };
  const show = () => { field.value = link(); };
  show();
  field.onfocus = () => { show(); field.select(); };
  button.onclick = async () => {
    show();
    field.select();
    try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand('copy'); }
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  };
}
""",
)


def share() -> None:
    """The link to this screen, with what it shall hide."""
    hide = st.multiselect("For a class: hide", list(PARTS), format_func=PARTS.get, key="share_hide")
    _copy(key="share", data={"hide": hide})
    st.caption(
        "Whoever opens the link sees this data, method, parameters, seed and iteration. Your own data are shown only "
        "to those who have the link, and only by this server."
    )
