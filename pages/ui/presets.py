"""Settings to go to and back: the switches that are known to matter on a sample, one click each."""

from __future__ import annotations

import streamlit as st

from consensus_core import METHODS, Method
from consensus_core.data.effects import Effect, Side, effects, of_method, of_sample
from consensus_core.data.samples import SAMPLES
from consensus_core.method.settings import difference_in_words, setting
from consensus_core.numbers import number

from .links import turn
from .place import Place
from .session import session
from .words import Marked, plain, said

REPAIRED = Marked(" :gray[One of them mostly ends with another number of clusters: its answer is the repair's.]")


def presets(key: str) -> None:
    """On Watch: what changes everything on these data. Nothing where nothing is known."""
    known = [effect for effect in of_sample(key) if _can_be_shown(effect)]
    if not known:
        return
    with st.expander("Break it, repair it", key="fold-presets", icon=":material/handyman:"):
        st.caption(
            "This sample was made so that switches are seen to matter. Guess what each will do before you press; the "
            "earlier run stays as a grey curve."
        )
        for effect in known:
            with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"preset-{effect.key}"):
                words = said("**{name}** {method}", name=effect.name, method=_where(effect))
                st.markdown(words, width=300)
                for side in (effect.first, effect.second):
                    st.button(
                        plain(_setting(effect, side)),
                        key=f"preset {effect.key} {'first' if side is effect.first else 'second'}",
                        on_click=_go,
                        args=(place_of(effect, side),),
                        help=said("ARI {here} on this sample", here=number(side.here, 2)),
                    )


def known_effects(method: type[Method]) -> None:
    """On a method's sheet: each switch with its size over many draws, a link to either setting, and its opposite."""
    mine = [effect for effect in of_method(method.key) if _can_be_shown(effect)]
    if not mine:
        st.caption("No sample was looked for on which a switch of this method decides.")
        return
    st.caption(
        "Made so that you see it: these samples were searched for, and each difference was then measured on draws that "
        "no search had seen (python -m benchmarks.break_it)."
    )
    nothing = [effect for effect in mine if not effect.matters]
    for effect in sorted(mine, key=lambda one: -abs(one.difference)):
        if effect.matters:
            with st.container(border=True, key=f"effect-{effect.key}"):
                _effect(effect)
    if nothing:
        st.markdown("**Makes no difference**, as far as anybody has looked:")
        for effect in nothing:
            with st.container(border=True, key=f"effect-{effect.key}"):
                _effect(effect)


def _effect(effect: Effect) -> None:
    title = SAMPLES[effect.sample].title
    words = {"name": effect.name, "where": _where(effect), "title": title, "size": effect.size}
    st.markdown(said("**{name}** {where} on *{title}*: {size}", **words))
    st.markdown(said(":small[{why}{more}]", why=effect.why, more=REPAIRED if effect.repaired else Marked("")))
    with st.container(horizontal=True, gap="small"):
        for side in (effect.first, effect.second):
            place = place_of(effect, side)
            st.page_link("watch.py", label=plain(_setting(effect, side)), icon=":material/play_circle:",
                         query_params=place.query())  # fmt: skip
        if other := effects().get(effect.opposite):
            where = said("the opposite on {title}", title=SAMPLES[other.sample].title)
            place = place_of(other, other.first)
            st.page_link("watch.py", label=where, icon=":material/swap_horiz:", query_params=place.query())


def place_of(effect: Effect, side: Side) -> Place:
    params = {**method_of(effect, side).parameters()}
    return Place(effect.sample, side.method, params)


def method_of(effect: Effect, side: Side) -> Method:
    return METHODS[side.method](k=SAMPLES[effect.sample].k, **side.params)


def _setting(effect: Effect, side: Side) -> str:
    """ "θ = 0.2": where this side stands that the other does not."""
    other = effect.second if side is effect.first else effect.first
    words = difference_in_words(method_of(effect, side), method_of(effect, other))
    return words if side.method == other.method else f"{METHODS[side.method].name()} ({words})"


def _where(effect: Effect) -> str:
    """ "in SPCE with θ = 0.5": what both sides share, where it is not the default."""
    one, other = method_of(effect, effect.first), method_of(effect, effect.second)
    if type(one) is not type(other):
        return f"in {one.name()} and {other.name()}"
    shared = {name for name, value in effect.first.params.items() if effect.second.params.get(name) == value}
    with_ = ", ".join(setting(one, param) for param in one.params() if param.name in shared)
    return f"in {one.name()}" + (f" with {with_}" if with_ else "")


def _can_be_shown(effect: Effect) -> bool:
    """A link says how labels are filled only for methods that need it; and a method may be missing."""
    sides = (effect.first, effect.second)
    return effect.sample in SAMPLES and all(side.method in METHODS and not side.fill for side in sides)


def _go(place: Place) -> None:
    """A callback: the same page with these settings; on the same data the run before stays as a grey curve."""
    session().opened = place
    turn(data=place.data, method=place.method)
