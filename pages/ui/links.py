"""Links on a page: read before anything else, written by the widgets, hidden parts, and how to copy one."""

from __future__ import annotations

import time
from collections.abc import Mapping

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

from consensus_core.methods import SHOWN_FIRST

from .address import for_others, how_others_come
from .component import component
from .fold import fold
from .parameters import PARTS, in_one_sentence, understood
from .pieces import heard_of
from .session import Session, session
from .settings import is_a_setting, quoted
from .words import plain

HELD = 2.0  # seconds within which a page may still say what its widgets said before
AT_MOST = 20.0  # where the browser has not been seen to know better, on a busy machine
_WHERE = {
    # the button that opens the sidebar stands among the links: it stays
    "nav": "[data-testid=stTopNavLinkContainer],[data-testid=stSidebarNav],[data-testid=stToolbarActions],"
    "[data-testid=stMainMenu]",
    "sidebar": "[data-testid=stSidebar],[data-testid=stSidebarCollapsedControl],[data-testid=stExpandSidebarButton]",
}


# --- reading --------------------------------------------------------------------------------------------------------


def read_link() -> None:
    """Takes out of the link what means nothing, before a widget can stumble over it, and remembers what to say."""
    mine = session()
    _hold_on(mine)
    query = {key: st.query_params.get_all(key) for key in st.query_params}
    chosen = st.session_state.get("method")
    if mine.link_read and chosen is not None and chosen != st.query_params.get("method", SHOWN_FIRST):
        # the parameters are those of the method before: a widget of the same name would take its value from there
        rest = {key: texts[-1] for key, texts in query.items() if key != "method" and not is_a_setting(key)}
        _rewrite(rest if chosen == SHOWN_FIRST else {**rest, "method": chosen})
        st.rerun()
    right, wrong = understood(query)
    first, mine.link_read = not mine.link_read, True
    if wrong:
        mine.link_wrong = wrong
    # later on the widgets write it, each in a way of its own
    if wrong or (first and right != {key: texts[-1] for key, texts in query.items()}):
        _rewrite(right)
        st.rerun()


def turn(**chosen) -> None:
    """Widgets that stand elsewhere from now on, by a click on something else."""
    since = time.monotonic()
    for key, value in chosen.items():
        session().turned[key] = (st.session_state.get(key), value, since)
        st.session_state[key] = value


def _hold_on(mine: Session) -> None:
    """What the live view asks in the same moment brings along how the widgets stood before the click, and would undo
    it: no widget has told the page yet. Likewise a piece that comes by itself, or the strip of Tune."""
    now, spoken = time.monotonic(), heard_of()
    mine.turned = {key: held for key, held in mine.turned.items() if now - held[2] < _patience(mine, held[2])}
    for key, (before, value, _) in list(mine.turned.items()):
        if st.session_state.get(key) != before:
            continue
        if spoken == {key}:  # a message has a reason: this one is a choice, back again
            del mine.turned[key]
        else:
            st.session_state[key] = value


def _patience(mine: Session, since: float) -> float:
    """Who asks for the run that came of the click has the page that came with it, and its widgets. Where nobody asks
    for runs nothing says that the browser knows."""
    stage = mine.stage
    if stage is None:
        return AT_MOST
    there = not stage.runs or (mine.followed > since and stage.run.id in stage.question.runs)
    return HELD if there else AT_MOST


def _rewrite(right: dict[str, str]) -> None:
    try:
        st.query_params.from_dict(right)
    except StreamlitAPIException:
        # one leads back in the browser's history to a link whose widgets are there by now: these alone may write it,
        # and would stumble first
        context = get_script_run_ctx()
        with context.session_state.query_params() as query:
            for key in [key for key in query if key not in right]:
                query.remove_param(key)
            for key, text in right.items():
                query.set_corrected_value(key, text, "string_value")


def note(why: str) -> None:
    """What only a page can know to be wrong with a link."""
    if why not in session().link_wrong:
        session().link_wrong = [*session().link_wrong, why]


def link_notice() -> None:
    """What was not understood, until it is acknowledged."""
    wrong = session().link_wrong
    if wrong:
        with st.container(horizontal=True, vertical_alignment="center", key="link-notice"):
            st.warning(plain(in_one_sentence(wrong)), icon=":material/link_off:")
            st.button("OK", key="link_acknowledged", on_click=_acknowledged)


def _acknowledged() -> None:
    session().link_wrong = []


# --- writing --------------------------------------------------------------------------------------------------------


def linked_choice(widget, label: str, titles: Mapping[str, str], key: str, default: str, **more):
    """A selectbox or segmented control whose place in the link is the key of what is chosen, not its title.

    (Streamlit's own binding would write the title.) The link is read once; from then on the widget writes it.
    """
    remembered = session().linked
    asked = st.query_params.get(key, remembered.get(key, default))
    if key not in st.session_state and asked not in titles and key != "data":  # of lost data the page says more
        note(f"“{key}” cannot be {quoted(asked)} here")
    hold(key, st.session_state.get(key, asked), titles, default)
    chosen = widget(plain(label), list(titles), format_func=titles.get, key=key, **more) or default
    remembered[key] = chosen  # a page switch forgets widgets, not what was chosen
    if chosen != st.query_params.get(key, default):
        if chosen == default:
            del st.query_params[key]
        else:
            st.query_params[key] = chosen
    return chosen


def remember_choices() -> None:
    """From the frame around every page, before a page is drawn: what was chosen in the same breath in which the page
    was left was said to a run that never came to the widget."""
    remembered = session().linked
    remembered.update({key: st.session_state[key] for key in remembered if st.session_state.get(key) is not None})


def hold(key: str, value, allowed=None, default=None, *, made_of=None, sure: bool = True) -> None:
    """Where a widget stands. One that is merely left alone does not survive a page switch; but one that is set again
    while it stands there is drawn anew in the browser, and undoes what a hand has done to it in the same moment. So it
    is set when it comes and when it shall stand elsewhere.

    `made_of`: what makes it another widget (the range of a slider); `sure`: the link would not say otherwise.
    """
    value = value if allowed is None or value in allowed else default
    there = session().standing.hold(key, value, made_of)
    if not (there and sure and key in st.session_state and st.session_state[key] == value):
        st.session_state[key] = value


def said_by_the_browser() -> dict:
    """The widgets of which the browser has said, in asking for this run, where they stand. Streamlit does not tell
    that to a script: it is looked up where it keeps it, and where it is kept no longer, nothing was said."""
    context = get_script_run_ctx()
    state = getattr(getattr(context, "session_state", None), "_state", None)
    heard, keys = getattr(state, "_new_widget_state", ()), getattr(state, "_key_id_mapper", None)
    named = getattr(keys, "id_key_mapping", {})
    return {key: st.session_state[key] for widget, key in list(named.items()) if widget in heard}


# --- hiding ---------------------------------------------------------------------------------------------------------


def part(name: str):
    """A container that a link may hide: what is in it keeps working, unseen."""
    return st.container(key=f"part-{name}")


def hide_parts() -> None:
    """From the frame around every page: a teacher's link ?hide=method,parameters shows the rest only."""
    named = [name for name in st.query_params.get("hide", "").split(",") if name in PARTS]
    if named:
        where = ",".join(_WHERE.get(name, f".st-key-part-{name}") for name in named)
        st.html(f"<style>{where}{{display:none!important}}</style>")


# --- passing on -----------------------------------------------------------------------------------------------------

_copy = component(
    "quorum_copy_link",
    html="""<div class="line"><input readonly aria-label="Link to this screen"><button type="button">Copy</button></div>
<p class="here" hidden></p>""",
    css="""
.line { display: flex; gap: .5rem; font: inherit }
input { flex: 1; min-width: 0; padding: .4rem .6rem; font: inherit; color: var(--st-text-color);
  background: var(--st-secondary-background-color); border: 1px solid var(--st-border-color); border-radius: 8px }
button { padding: .4rem .9rem; font: inherit; cursor: pointer; color: var(--st-text-color);
  background: var(--st-background-color); border: 1px solid var(--st-border-color); border-radius: 8px }
.here { margin: .5rem 0 0; font-size: .875rem; line-height: 1.5 }
.here button { padding: .1rem .6rem }
button:focus-visible, input:focus-visible { outline: 2px solid var(--st-primary-color) }
""",
    js="""
const HERE = /^(localhost|127\\\\.[0-9.]+|\\\\[::1\\\\])$/;
export default function ({ data, parentElement }) {
  const field = parentElement.querySelector('input'), button = parentElement.querySelector('.line button');
  const words = parentElement.querySelector('.here');
  const link = () => {
    const url = new URL(location.href);
    if (parentElement.others) { url.hostname = new URL(data.others).hostname; url.port = new URL(data.others).port; }
    url.searchParams.delete('hide');
    if (data.hide.length) url.searchParams.set('hide', data.hide.join(','));
    return url.href.replaceAll('%2C', ',');
  };
  const show = () => {
    field.value = link();
    const local = HERE.test(new URL(field.value).hostname);
    words.hidden = !local;
    words.textContent = local ? 'Only this machine can open this link. ' : '';
    if (local && data.others) {
      const other = document.createElement('button');
      other.type = 'button';
      other.textContent = `Use ${new URL(data.others).host} instead`;
      other.onclick = () => { parentElement.others = true; show(); };
      words.append(other);
    } else if (local) words.append(data.how);
  };
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
    with fold("Share this screen", key="fold-share", icon=":material/link:") as is_open:
        if is_open:
            _share()


def _share() -> None:
    hide = st.multiselect("For a class: hide", list(PARTS), format_func=PARTS.get, key="share_hide")
    _copy(key="share", data={"hide": hide, "others": for_others(), "how": how_others_come()})
    st.caption(
        "Whoever opens the link sees this data, method, parameters, seed and iteration. Your own data are shown only "
        "to those who have the link, and only by this server."
    )
