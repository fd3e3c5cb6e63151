"""Sixty in the room: one link followed by all, a setting each, and one visitor who opens twelve tabs of heavy runs.

    python -m benchmarks.classroom                 all three
    python -m benchmarks.classroom --clients 20    a smaller class
    python -m benchmarks.classroom --only tabs     one of: link, settings, tabs

Clients speak the browser's own protocol (`benchmarks.clients`). The first picture comes with the first answer that
holds a frame, the end with the one that holds the last picture of a run that has finished.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import threading
import time
from pathlib import Path

import numpy as np

from benchmarks.clients import Client, _share
from benchmarks.measure import table
from consensus_core.keep.store import Store, new_id
from tests.browser.server import Server

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

LINK = "data=digits&method=spce&p_theta=0.2"
EACH = "data=blobs&method=spce&p_theta={theta:.3f}"
LIGHT = "data=blobs&method=spce&p_theta={theta:.3f}"
ENDLESS = "data={id}&method=ec_cms&p_max_iter=100000&p_tol=0&p_k={k}"
TABS = 12


class Attendee(Client):
    """One of the class, who notes when the first picture came."""

    picture = ended = float("nan")

    def _hear(self, data: bytes) -> None:
        super()._hear(data)
        now = time.perf_counter() - self.began
        if self.picture != self.picture and self.header["frames"]:
            self.picture = now
        if self.ended != self.ended and self.state == "finished" and self.header["count"] - 1 in self.have[""]:
            self.ended = now  # the last picture is here; the server may still be writing the run down


def at_once(server: Server, queries: list[str]):
    """All open their links in the same moment: first answer, picture, end and polls of each; and what went wrong."""
    seen, wrong = [], []

    def one(query: str) -> None:
        try:
            client = Attendee(server, query)
            client.watch()
            assert client.state == "finished", client.state
            seen.append((client.first, client.picture, client.ended, client.polls))
            client.close()
        except Exception as fault:
            wrong.append(f"{query}: {type(fault).__name__}: {fault}")

    threads = [threading.Thread(target=one, args=(query,)) for query in queries]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(*wrong[:3], sep="\n")
    return seen, wrong


def of_a_link(clients: int) -> list[list]:
    with Server() as server:
        at_once(server, [EACH.format(theta=0.5)] * 4)  # a round that does not count: everything is loaded then
        seen, wrong = at_once(server, [LINK] * clients)
        late, wrong_late = at_once(server, [LINK])
        rows = [
            [f"one link, {clients} clients: finished", f"{len(seen)}", "all"],
            ["  first picture, median and last", _spread([one[1] for one in seen]), "<= 4 s"],
            ["  end, median and last", _spread([one[2] for one in seen]), "<= 15 s"],
            ["  a late comer: end", _spread([one[2] for one in late]), "at once"],
            ["  tracebacks, faults", f"{server.said().count('Traceback')}, {len(wrong) + len(wrong_late)}", "0, 0"],
        ]
    return rows


def of_settings(clients: int) -> list[list]:
    with Server() as server:
        at_once(server, [EACH.format(theta=0.5)] * 4)
        seen, wrong = at_once(server, [EACH.format(theta=0.02 + 0.01 * number) for number in range(clients)])
        polls = sorted(poll for *_, each in seen for poll in each)
        rows = [
            [f"{clients} settings: finished", f"{len(seen)}", "all"],
            ["  first answer, 95%", f"{_share(sorted(one[0] for one in seen), 0.95):.2f} s", "<= 2 s"],
            ["  polls, 95%", f"{1000 * _share(polls, 0.95):.0f} ms of {len(polls):,}", "<= 250 ms"],
            ["  end, median and last", _spread([one[2] for one in seen]), ""],
            ["  tracebacks, faults", f"{server.said().count('Traceback')}, {len(wrong)}", "0, 0"],
        ]
    return rows


def large_table(n: int = 6435, m: int = 20, groups: int = 6) -> bytes:
    """As large as LS, with as many distinct rows."""
    rng = np.random.default_rng(0)
    spot = rng.normal(size=(n, 2)) + 3 * rng.normal(size=(groups, 2))[rng.integers(groups, size=n)]
    columns = []
    for _ in range(m):
        middles = spot[rng.choice(n, rng.integers(4, 30), replace=False)]
        columns.append(((spot[:, None] - middles) ** 2).sum(axis=2).argmin(axis=1))
    rows = [",".join(f"c{x}" for x in row) for row in np.column_stack(columns)]
    return (",".join(f"run {j}" for j in range(m)) + "\n" + "\n".join(rows)).encode()


def of_tabs() -> list[list]:
    from visiting import Visitor

    with Server() as server:
        heavy = new_id()
        with Visitor(server, heavy) as me:
            me.open("from=upload", "data")
            me.give("large.csv", large_table())
            me.click("Use these labels")
        kept = Store(server.folder / "data").all(heavy, "data")[0].id
        alone = [_light(server, 0.30 + 0.001 * number) for number in range(3)]
        before = memory_of(server.pid)
        tabs = [Attendee(server, ENDLESS.format(id=kept, k=3 + number), heavy) for number in range(TABS)]
        stop = threading.Event()
        asking = [threading.Thread(target=_kept_open, args=(tab, stop)) for tab in tabs]
        for thread in asking:
            thread.start()
        time.sleep(15)
        beside, peak = [], 0
        for number in range(5):
            beside.append(_light(server, 0.40 + 0.001 * number))
            peak = max(peak, memory_of(server.pid))
        stop.set()
        for thread in asking:
            thread.join()
        for tab in tabs:
            tab.close()
        closed, after, took = time.monotonic(), float("inf"), float("nan")
        while time.monotonic() - closed < 90:
            time.sleep(1)
            after = memory_of(server.pid)
            if took != took and after <= before + 0.25 * (peak - before):
                took = time.monotonic() - closed
        return [
            [f"another's light run beside {TABS} tabs of endless ones", "", ""],
            ["  alone, median", f"{statistics.median(alone):.2f} s", ""],
            ["  beside, median and worst", _spread(beside), ""],
            ["  ratio of medians", f"{statistics.median(beside) / statistics.median(alone):.1f}", "<= 3"],
            ["  memory before, at most, 90 s after", f"{before:,.0f}, {peak:,.0f}, {after:,.0f} MB", ""],
            ["  three quarters given back after the tabs were closed", f"{took:.0f} s", "<= 60 s"],
            ["  tracebacks", str(server.said().count("Traceback")), "0"],
        ]


def _kept_open(tab: Attendee, stop: threading.Event) -> None:
    """A tab that is looked at, and plays."""
    while not stop.is_set():
        tab._ask_aside()
        stop.wait(max(tab.header["pace"] / 1000, 0.5))


def _light(server: Server, theta: float) -> float:
    client = Attendee(server, LIGHT.format(theta=theta))
    client.watch()
    took = time.perf_counter() - client.began
    client.close()
    return took


def memory_of(pid: int) -> float:
    """Megabytes in memory."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


def _spread(values: list[float]) -> str:
    return f"{statistics.median(values):.2f} / {max(values):.2f} s" if values else "none"


PARTS = {"link": lambda asked: of_a_link(asked.clients), "settings": lambda asked: of_settings(asked.clients),
         "tabs": lambda asked: of_tabs()}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=60)
    parser.add_argument("--only", choices=PARTS)
    asked = parser.parse_args()
    rows = [row for name, part in PARTS.items() if asked.only in (None, name) for row in part(asked)]
    table(f"A class, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}", ["", "", "target"], rows)


if __name__ == "__main__":
    main()
