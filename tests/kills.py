"""Kills a live server at a random moment of what somebody is doing, starts it again, and looks at what is left.

What was acknowledged is there, nothing is half there, every run goes on where it had been kept. Which moment it is
decides nothing about what has to hold.
"""

from __future__ import annotations

import io
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from visiting import Visitor

from consensus_core import METHODS
from consensus_core.data import Origin, build
from consensus_core.data.samples import SAMPLES
from consensus_core.keep import data_file, run_file
from consensus_core.keep.store import Store, new_id

ENDLESS = "data=blobs&method=ec_cms&p_max_iter=100000&p_tol=0"
PATIENCE = 120.0


def label_table(seed: int, n: int = 400) -> bytes:
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 4, n)
    rows = [f"obj{i}," + ",".join(f"c{x}" for x in np.where(rng.random(6) < 0.1, 0, g)) for i, g in enumerate(group)]
    return ("name," + ",".join(f"run {j}" for j in range(6)) + "\n" + "\n".join(rows)).encode()


def feature_table(seed: int, n: int = 300) -> bytes:
    rng = np.random.default_rng(seed)
    out = io.StringIO()
    np.savetxt(out, rng.normal(size=(n, 5)) + 4 * rng.integers(0, 3, (n, 1)), delimiter=",", fmt="%.4f")
    return ("a,b,c,d,e\n" + out.getvalue()).encode()


@dataclass
class Told:
    """What a visitor was told before the server was killed."""

    kept: set[str] = field(default_factory=set)  # names of data said to be in use
    forgetting: bool = False  # asked that everything be forgotten
    forgotten: bool = False  # told that it is
    failed: str = ""  # what went wrong while the server was alive


@dataclass(frozen=True)
class Deed:
    """Something a visitor does, and how long to let him at most before the power goes."""

    name: str
    do: Callable[[Visitor, Told, int], None]
    seconds: float


def upload(me: Visitor, told: Told, number: int) -> None:
    name = f"upload{number}.csv"
    me.open("from=upload", "data")
    me.give(name, label_table(number))
    page = me.click("Use these labels")
    if page.says(f"{name} is in use now"):
        told.kept.add(name)


def reading(me: Visitor, told: Told, number: int) -> None:
    """A larger file, killed while it is read: nothing of it may be kept."""
    me.open("from=upload", "data")
    me.give(f"large{number}.csv", label_table(number, 60_000))


def generation(me: Visitor, told: Told, number: int) -> None:
    name = f"features{number}.csv"
    me.open("from=upload", "data")
    me.give(name, feature_table(number))
    page = me.click("Make base clusterings")
    until = time.monotonic() + PATIENCE
    while not page.says(f"{name} · 20 made anew") and time.monotonic() < until:
        page = me.again()
    if page.says(f"{name} · 20 made anew"):
        told.kept.add(f"{name} · 20 made anew")


def run(me: Visitor, told: Told, number: int) -> None:
    """A short one, to its end."""
    me.open(f"data=moons&method=spce&p_theta={0.1 + number % 16 / 20:.2f}")


def keeping(me: Visitor, told: Told, number: int) -> None:
    """An endless one, kept now and then."""
    me.open(ENDLESS)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        me.again()
        time.sleep(0.2)


def forgetting(me: Visitor, told: Told, number: int) -> None:
    upload(me, told, number)
    with Visitor(me.server, me.desk) as another_tab:
        another_tab.open("from=kept", "data")
        told.forgetting = True
        if another_tab.click("Yes, forget everything").says("Nothing is kept so far"):
            told.forgotten = True


DEEDS = (
    Deed("upload", upload, 3.0),
    Deed("reading", reading, 4.0),
    Deed("generation", generation, 5.0),
    Deed("run", run, 3.0),
    Deed("keeping", keeping, 9.0),
    Deed("forgetting", forgetting, 3.0),
)


def killed_once(server, deed: Deed, rng: random.Random, number: int) -> str:
    """One life of the server; says what was found, or fails."""
    desk, told, killed = new_id(), Told(), threading.Event()

    def live():
        try:
            with Visitor(server, desk) as me:
                deed.do(me, told, number)
        except Exception as fault:  # of the connection, once the server is gone
            if not killed.is_set():
                told.failed = f"{type(fault).__name__}: {fault}"

    doing = threading.Thread(target=live)
    doing.start()
    doing.join(rng.uniform(0.05, deed.seconds))
    killed.set()
    server.kill()
    doing.join(PATIENCE)
    assert not told.failed, told.failed
    store = Store(server.folder / "data")
    progress = {kept.id: kept.meta["iteration"] for kept in store.all(desk, "run")}
    found = looked_over(store, desk, told)
    server.start()
    with Visitor(server, desk) as me:
        for kept in store.all(desk, "data"):
            page = me.open(f"data={kept.id}", "data")
            assert not page.faults and page.says(kept.title), page.faults
        assert not me.open("", "data").faults
    goes_on(server, store, desk, progress)
    assert "Traceback" not in server.said(), server.said()[-3000:]
    return found


def looked_over(store: Store, desk: str, told: Told) -> str:
    """Everything acknowledged is there, and everything there is whole."""
    data, runs = store.all(desk, "data"), store.all(desk, "run")
    titles = {kept.title for kept in data}
    if told.forgotten:
        assert not data and not runs and not store.all(desk, "settings"), "it came back"
    elif not told.forgetting:
        assert told.kept <= titles, f"lost: {told.kept - titles}"
    for kept in data:
        built = data_file.from_bytes(store.file(kept.id, "built"))
        again = build(Origin.from_json(kept.meta["origin"]), store.file(kept.id, "content"))
        assert built is not None and built.ensemble == again.ensemble, "half there"
    for kept in runs:
        assert kept.meta["data"] in SAMPLES or store.get(kept.meta["data"]) is not None
        if kept.meta["data"] in SAMPLES:
            ensemble = build(Origin(sample=kept.meta["data"])).ensemble
            method = METHODS[kept.meta["method"]](**kept.meta["parameters"])
            taken_up = run_file.from_bytes(store.file(kept.id, "run"), method, ensemble)
            assert taken_up is not None, "half there"
            assert len(taken_up[1]) - 1 == kept.meta["iteration"], "said and file are of two moments"
    acknowledged = ", ".join([*sorted(told.kept), *(["everything forgotten"] if told.forgotten else [])])
    return f"{len(data)} data, {len(runs)} runs; told before: {acknowledged or 'nothing'}"


def goes_on(server, store: Store, desk: str, progress: dict[str, int]) -> None:
    """A run that was not at its end is taken up where it was kept, and gets further."""
    waiting = {id: at for id, at in progress.items() if store.get(id) and not store.get(id).meta["stop"]}
    for id, at in waiting.items():
        meta = store.get(id).meta
        if meta["method"] != "ec_cms":
            continue
        with Visitor(server, desk) as me:
            until = time.monotonic() + PATIENCE
            page = me.open(ENDLESS)
            assert not page.faults, page.faults
            while (now := store.get(id).meta["iteration"]) <= at and time.monotonic() < until:
                assert now >= at, "it began anew"
                me.again()
                time.sleep(0.2)
            assert now > at, "it did not go on"
