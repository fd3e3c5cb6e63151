"""Twenty visitors at once, each with a run of their own, over the browser's own protocol.

    python -m benchmarks.clients            20 clients
    python -m benchmarks.clients --clients 5

A client opens Watch with a parameter nobody else has, then asks and acknowledges as the live view does (past the page
while the run plays, through it at the end), at the pace it is told, until its run has ended. Then one client leaves an
endless run alone, to see when the server stops it.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import statistics
import threading
import time
from pathlib import Path

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from benchmarks.measure import table
from consensus_core.keep.store import new_id
from tests.browser.server import Server

TICK = os.sysconf("SC_CLK_TCK")


class Client:
    """One browser's worth of messages."""

    def __init__(self, server: Server, query: str, desk: str = ""):
        address = server.url.replace("http", "ws") + "/_stcore/stream"
        self._open = contextlib.ExitStack()
        cookie = {"Cookie": f"quorum_desk={desk or new_id()}"}  # each a visitor whose runs are kept
        how = dict(max_size=None, subprotocols=["streamlit"], compression=None, close_timeout=0.2,
                   max_queue=None)  # a browser always reads: pings are answered while nobody looks  # fmt: skip
        self.socket = self._open.enter_context(connect(address, additional_headers=cookie, **how))
        self.aside = http.client.HTTPConnection("localhost", server.port, timeout=120)
        self._open.callback(self.aside.close)
        self.seq, self.polls, self.bytes = 0, [], 0
        self.header: dict = {}
        self.rows, self.have, self.orders, self.run, self.placed = 0, {}, set(), "", False
        self.data = self.door = self.widget = self.fragment = self.page = ""
        self.began = time.perf_counter()
        first = BackMsg()
        first.rerun_script.query_string = query
        self.socket.send(first.SerializeToString())
        self._answer()
        self.first = time.perf_counter() - self.began

    def watch(self, until=lambda header: not header["live"]) -> None:
        """Asks until the run is over, or `until` says so."""
        while not (until(self.header) and self.rows >= self.header["count"]):
            asked = time.perf_counter()
            self._ask_aside()
            self.polls.append(time.perf_counter() - asked)
            time.sleep(max(0.0, self.header["pace"] / 1000 - self.polls[-1]))
        if not self.header["live"]:
            self._ask()
            self._answer()

    def close(self) -> None:
        self._open.close()

    def _ask_aside(self) -> None:
        headers = {"Content-Type": "application/json", "X-Quorum-Door": self.door}
        self.aside.request("POST", "/live", json.dumps(self._asked()), headers)
        answer = self.aside.getresponse()
        content = answer.read()
        assert answer.status == 200, f"answered {answer.status}"
        self.bytes += len(content)
        self._hear(content)

    def _asked(self) -> dict:
        self.seq += 1
        have = {name: _spans(seen) for name, seen in self.have.items()}
        return {
            "seq": self.seq,
            "data": self.data,
            "placed": self.placed,
            "order": self.header["standing"],
            "orders": _spans(self.orders),
            "runs": {self.run: {"rows": self.rows, "see": [name for name in have if name], "have": have}},
            "shown": max(self.rows - 1, 0),
            "mode": "play",
            "newest": True,
            "do": [],
        }

    def _ask(self) -> None:
        message = BackMsg()
        message.rerun_script.fragment_id = self.fragment
        message.rerun_script.page_script_hash = self.page
        state = message.rerun_script.widget_states.widgets.add()
        state.id, state.json_value = self.widget, json.dumps({"ask": self._asked()})
        self.socket.send(message.SerializeToString())

    def _answer(self) -> None:
        """Reads on until the live view has got something new."""
        while True:
            content = self.socket.recv(timeout=120)
            self.bytes += len(content)
            message = ForwardMsg()
            message.ParseFromString(content)
            element = message.delta.new_element
            if message.WhichOneof("type") != "delta" or not element.bidi_component.component_name.endswith("live"):
                continue
            self.widget, self.fragment = element.bidi_component.id, message.delta.fragment_id
            self.page = message.metadata.active_script_hash
            self._hear(element.bidi_component.bytes)
            self.door = self.header["door"]
            return

    def _hear(self, data: bytes) -> None:
        self.header = json.loads(data[4 : 4 + int.from_bytes(data[:4], "little")])
        if self.header.get("data"):
            self.data = self.header["data"]["id"]
        self.placed = self.placed or "placed" in self.header
        run = self.header["runs"][0]
        if run["id"] != self.run:
            self.run, self.rows, self.orders = run["id"], 0, set()
            self.have = {name: set() for name in self.header["visible"].get(run["id"], ())} | {"": set()}
        self.rows += len(run["rows"])
        self.orders |= {order["i"] for order in self.header["orders"]}
        for frame in self.header["frames"]:
            self.have.setdefault(frame["n"], set()).add(frame["i"])

    @property
    def state(self) -> str:
        return self.header["runs"][0]["state"]


def together(server: Server, clients: int, query: str):
    """All at once; each client's times, or why it failed."""
    seen, wrong = [], []

    def one(number: int):
        try:
            client = Client(server, query.format(theta=f"{0.05 + 0.03 * number:.2f}"))
            client.watch()
            seen.append((client.state, client.first, client.polls, client.bytes))
            client.close()
        except Exception as fault:
            wrong.append(f"client {number}: {type(fault).__name__}: {fault}")

    threads = [threading.Thread(target=one, args=(number,)) for number in range(clients)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return seen, wrong, time.perf_counter() - began


def abandoned(server: Server) -> float:
    """Seconds from the closing of a tab to the end of its endless run: until the server computes no more."""
    client = Client(server, "data=blobs&method=ec_cms&p_max_iter=100000&p_tol=0")
    client.watch(until=lambda header: header["count"] > 20)
    client.close()
    began, idle_since, before = time.monotonic(), None, cpu_of(server.pid)
    while time.monotonic() - began < 60:
        time.sleep(0.25)
        used, before = cpu_of(server.pid) - before, cpu_of(server.pid)
        if used > 0.05:
            idle_since = None
        elif idle_since is None:
            idle_since = time.monotonic()
        elif time.monotonic() - idle_since > 3:
            return idle_since - began
    return float("inf")


def cpu_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def threads_of(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/task"))


def settled_threads(pid: int, at_most: int, patience: float = 40.0) -> int:
    until = time.monotonic() + patience
    while threads_of(pid) > at_most and time.monotonic() < until:
        time.sleep(0.5)
    return threads_of(pid)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=20)
    asked = parser.parse_args()
    with Server() as server:
        # a round that does not count: the server's pools of threads grow to the size they keep
        together(server, asked.clients, "data=shapes&method=spce&p_theta={theta}")
        abandoned(server)
        idle = settled_threads(server.pid, 0, patience=15)
        cpu = cpu_of(server.pid)
        seen, wrong, took = together(server, asked.clients, "data=blobs&method=spce&p_theta={theta}")
        cpu = cpu_of(server.pid) - cpu
        polls = sorted(poll for _, _, each, _ in seen for poll in each)
        finished = sum(state == "finished" for state, *_ in seen)
        stopped = abandoned(server)
        after = settled_threads(server.pid, idle)
        rows = [
            ["runs finished", f"{finished} of {asked.clients}", "all"],
            ["all together", f"{took:.1f} s, server CPU {cpu:.1f} s", ""],
            ["request to first answer, median and worst", _two([first for _, first, _, _ in seen]), ""],
            ["polls", f"{len(polls):,}", ""],
            [
                "poll, median and 95%",
                f"{1000 * statistics.median(polls):.0f} / {1000 * _share(polls, 0.95):.0f} ms",
                "",
            ],
            ["polls answered within 500 ms", f"{sum(poll <= 0.5 for poll in polls) / len(polls):.1%}", ">= 95%"],
            ["sent to each client", f"{statistics.median(size for *_, size in seen) / 1e6:.2f} MB", ""],
            ["closed tab: its endless run ends after", f"{stopped:.1f} s", "<= 20 s"],
            ["threads of the server, idle before and after", f"{idle} and {after}", "equal"],
            ["tracebacks in the server's log", str(server.said().count("Traceback")), "0"],
        ]
    table(
        f"{asked.clients} clients at once, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}",
        ["", "", "target"],
        rows,
    )
    for sentence in wrong:
        print(sentence)


def _two(values: list[float]) -> str:
    return f"{statistics.median(values):.2f} / {max(values):.2f} s"


def _spans(numbers) -> str:
    """Whole numbers as the live view writes them: 0-37,40."""
    parts, numbers = [], sorted(numbers)
    for k, number in enumerate(numbers):
        if k and number == numbers[k - 1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(f"{a}-{b}" for a, b in parts)


def _share(values: list[float], share: float) -> float:
    return values[min(int(share * len(values)), len(values) - 1)]


if __name__ == "__main__":
    main()
