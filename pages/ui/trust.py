"""How far to trust what is on screen: whether sound methods agree, what is wrong with it, what it hangs on."""

from __future__ import annotations

import streamlit as st

from consensus_core.compare.alarms import alarms
from consensus_core.compare.outcome import Outcome
from consensus_core.data.samples import SAMPLES
from consensus_core.ensemble import Ensemble
from consensus_core.live.run import Run
from consensus_core.method import available_bytes, conclude
from consensus_core.method.cost import in_words
from consensus_core.numbers import counted, number
from consensus_core.scores import agreement
from consensus_core.sweep import Plan, Pool, Sweep, sweep
from consensus_core.sweep.inquiry import Agreeing, Hanging
from consensus_core.trust.agreement import EVIDENCE, Trust, cost
from consensus_core.trust.stability import CARRIES

from .data_choice import use_without
from .pieces import piece
from .session import Session, session
from .visitor import cells, desk
from .words import listed, plain, said

SOON = 20.0  # seconds up to which the sound methods run without being asked
COLOURS = {"high": "green", "middling": "orange", "low": "red", "unknown": "gray"}
TOLD = 6  # groups of base clusterings that are listed


def begun(plan: Plan, source: Pool) -> Sweep:
    """A sweep of this visitor's, on this machine."""
    own = session().dataset.key not in SAMPLES
    return sweep(plan, source, cells(own), visitor=desk())


def trust_panel() -> None:
    mine = session()
    run = mine.run
    with st.container(border=True, key="trust"):
        _taken_back(mine)
        if run is None or not run.stopped:
            st.caption("Whether sound methods agree on these data is said when the run has ended.")
            return
        _agreeing(mine, run.ensemble, run.method.k)
        _hanging(mine, run)
        busy = any(asked and not asked[1].over for asked in (mine.agreeing, mine.hanging))
        piece(_shown, 0.4 if busy else None)(busy)


def agreement_line(ensemble: Ensemble, k: int) -> None:
    """The same where there is no run to speak of."""
    mine = session()
    _agreeing(mine, ensemble, k)
    if mine.agreeing:
        busy = not mine.agreeing[1].over
        piece(_line_shown, 0.4 if busy else None)(busy)


# --- asking -------------------------------------------------------------------------------------------------------


def _agreeing(mine: Session, ensemble: Ensemble, k: int) -> None:
    asked = (ensemble.fingerprint, k)
    if mine.agreeing and mine.agreeing[0] == asked:
        return
    _dropped(mine.agreeing)
    mine.agreeing = ()
    if k < 2 or ensemble.m < 2:
        return
    takes = cost(ensemble, k)
    if takes.bytes < available_bytes() and (takes.seconds <= SOON or st.session_state.get("trust_ask")):
        mine.agreeing = asked, Agreeing(ensemble, k, begun)
        return
    if takes.bytes >= available_bytes():
        st.caption(said("Whether sound methods agree would take {cost}: more than is free.", cost=in_words(takes)))
    else:
        st.button(said("Do sound methods agree? {cost}", cost=in_words(takes)), key="trust_ask")


def _hanging(mine: Session, run: Run) -> None:
    """Kept as long as it is about the run on screen."""
    if mine.hanging and mine.hanging[0] != _about(run):
        _dropped(mine.hanging)
        mine.hanging = ()


def _about(run: Run) -> tuple:
    return run.ensemble.fingerprint, run.method


def _dropped(asked: tuple) -> None:
    if asked:
        asked[1].cancel()


def _ask_what_it_hangs_on() -> None:
    mine = session()
    run = mine.run  # read once: a dial moved in the view begins another at any moment
    if run is None or not run.stopped or not run.moments:
        return
    labels = run.ensemble.expand(run.moments[-1].labels)
    mine.hanging = _about(run), Hanging(run.method, run.ensemble, labels, begun)


# --- showing --------------------------------------------------------------------------------------------------------


def _shown(looking: bool) -> None:
    """`looking`: it is drawn anew again and again."""
    mine = session()
    if st.session_state.get("data", mine.dataset.key) != mine.dataset.key:
        st.rerun()  # a base clustering was left out in here: the whole page follows
    run = mine.run
    if run is None or not run.stopped or not run.moments:
        return
    if mine.agreeing:
        _told_agreement(run, mine.agreeing[1])
    if mine.hanging:
        _told_hanging(mine, mine.hanging[1])
    else:
        st.button(
            "What does it hang on?",
            key="hang",
            icon=":material/rule:",
            on_click=_ask_what_it_hangs_on,
            help="Runs the method without each base clustering, and on ten random halves of them.",
        )
    if not looking and any(asked and not asked[1].over for asked in (mine.agreeing, mine.hanging)):
        st.rerun()  # somebody has just asked: from now on it is looked at again and again
    if any(asked and asked[1].over and not getattr(asked[1], "told", False) for asked in (mine.agreeing, mine.hanging)):
        for asked in (mine.agreeing, mine.hanging):
            if asked and asked[1].over:
                asked[1].told = True
        st.rerun()  # nothing more to wait for


def _line_shown(looking: bool) -> None:
    mine = session()
    if mine.agreeing:
        _told_line(mine.agreeing[1])
        if looking and mine.agreeing[1].over:
            st.rerun()  # nothing more to wait for


def _told_agreement(run: Run, asked: Agreeing) -> None:
    if _told_line(asked):
        _told_alarms(run, asked)


def _told_line(asked: Agreeing) -> bool:
    """Whether there was something to tell."""
    trust = asked.trust()
    if trust is not None:
        told_trust(trust)
    elif asked.over:
        st.caption(said("Sound methods could not be held to each other: {why}", why=" ".join(asked.errors())))
    else:
        st.caption(said("Do sound methods agree? {done} of {all} have run.", done=asked.done, all=len(asked.sweeps)))
    return trust is not None


def told_trust(trust: Trust) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge(
            said("Methods agree: {level} ({value})", level=trust.level, value=number(trust.value, 2)),
            color=COLOURS[trust.level],
        )
        st.markdown(plain(trust.meaning), width="stretch")
        with st.popover("Why this number", key="fold-trust"):
            _explained(trust)


def _explained(trust: Trust) -> None:
    words = "The mean adjusted Rand index between {names}, each on these base clusterings with its recommended setting:"
    st.markdown(said(words, names=", ".join(trust.names)))
    st.dataframe(
        {"": trust.names} | {name: trust.pairs[:, i] for i, name in enumerate(trust.names)},
        column_config={name: st.column_config.NumberColumn(format="%.3f") for name in trust.names},
        hide_index=True,
    )
    if trust.odd:
        st.markdown(said("{name} differs from the two others, which agree.", name=trust.odd))
    st.caption(plain(EVIDENCE))


def _told_alarms(run: Run, asked: Agreeing) -> None:
    ensemble = run.ensemble
    outcome = Outcome.of(conclude(run.method, ensemble, run.at(len(run.moments) - 1)), run.spent)
    agrees = agreement(outcome.labels, ensemble.rows, ensemble.counts).mean_ari
    usual = asked.sweeps[0].of(())
    held_up = (asked.methods[0].name(), usual[0].agreement_ari) if usual else None
    for sentence in alarms(ensemble, outcome, agrees, held_up):
        st.warning(plain(sentence), icon=":material/notification_important:")


def _told_hanging(mine: Session, asked: Hanging) -> None:
    if not asked.over:
        st.progress(asked.done / max(asked.total, 1), said("{done} of {all} runs", done=asked.done, all=asked.total))
        st.button("Cancel", key="hang_cancel", on_click=asked.cancel)
    if stable := asked.redrawn():
        unsure = int((stable.objects < 0.5).sum())
        weakest = int(stable.clusters.argmin())
        words = (
            "On halves of the base clusterings that share none two results agree to {between} (ARI; from 0.9 on a "
            "result is called stable here). {unsure} of {n} change company more than they keep it; least stable is "
            "cluster {weakest} ({least})."
        )
        st.markdown(
            said(
                words,
                between=number(stable.between, 2),
                unsure=f"{unsure:,}",
                n=counted(len(stable.objects), "object"),
                weakest=weakest + 1,
                least=number(float(stable.clusters[weakest]), 2),
            )
        )
    found = asked.left_out()
    if found and asked.over:
        _told_left_out(mine, asked, found)


def _told_left_out(mine: Session, asked: Hanging, found: list) -> None:
    carrying = [group for group, moved in found if moved >= CARRIES]
    copies = [group for group in asked.groups.copies]
    names = asked.ensemble.names
    if copies:
        told = [f"{', '.join(names[i] for i in group)}: {len(group)} that say the same" for group in copies]
        st.markdown(listed(told))
    if carrying:
        words = "**{count} the result**: without it, it becomes another one. Whether a better one, look and judge."
        many = "one of the base clusterings carries" if len(carrying) == 1 else f"each of {len(carrying)} carries"
        st.markdown(said(words, count=many.capitalize()))
    else:
        st.markdown("No base clustering carries the result: it stays much the same without any one of them.")
    # whoever carries most, and all that are copies: these are one voice that counts several times
    for group, moved in [one for at, one in enumerate(found) if at < TOLD or one[0] in copies]:
        with st.container(horizontal=True, vertical_alignment="center"):
            called = ", ".join(names[i] for i in group)
            st.button(
                said("Leave out {names}", names=called),
                key=f"without {group}",
                on_click=use_without,
                args=(mine.dataset.key, tuple(names[i] for i in group)),
                disabled=mine.dataset.origin is None,  # counted from files: its columns are chosen where it is counted
            )
            st.markdown(said("without it the result moves by {moved} (1 − ARI)", moved=number(moved, 2)))


def _taken_back(mine: Session) -> None:
    origin = mine.dataset.origin if mine.dataset is not None else None
    if origin is not None and origin.left_out:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(said("Left out: {names}.", names=", ".join(origin.left_out)))
            st.button("Use all again", key="use_all", on_click=use_without, args=(mine.dataset.key, ()))
