"""A thousand questions to the live view's own door as a hostile hand would write them: no 500, nothing changed.

python -m benchmarks.questions                   1,000 questions
python -m benchmarks.questions --questions 50    fewer

A sane question is altered in one to three places, or something else is sent in its stead. What was refused has changed
nothing: the next sane one is answered as the one before.
"""

from __future__ import annotations

import argparse
import collections
import json
import random
import time

from benchmarks.clients import Client
from tests.browser.server import Server

LINK = "data=iris&method=spce&p_theta=0.3"
NONSENSE = (
    None, True, -1, 5, 10**400, 1e308, "", "x", "²", "0-x", "x" * 5000, [], [None], [[[]]], {}, {"": None},
    {"a": {"b": []}}, [1] * 500, {str(k): {} for k in range(300)}, "\ud800", "__proto__", "../../etc/passwd",
    {"rows": None}, {"have": "x"},
)  # fmt: skip
BODIES = (
    b"", b"{", b"[" * 100_000, b'{"a":' * 100_000, b"\xff\xfe", b"null", b"[]", b'"x"', b"NaN", b'{"seq": Infinity}',
    b'{"seq": 1e999}', b'{"seq":' + b"9" * 5000 + b"}", b"x" * (300 << 10),
)  # fmt: skip
FIELDS = ("seq", "data", "placed", "order", "orders", "runs", "shown", "mode", "newest", "full", "do", "look", "scene",
          "pin", "point", "why", "detail", "settled", "dial", "other")  # fmt: skip
ALLOWED = {200, 202, 204, 400, 413, 429}


def altered(rng: random.Random, sane: dict) -> bytes:
    if rng.random() < 0.1:
        return rng.choice(BODIES)
    said = dict(sane)
    for _ in range(rng.randint(1, 3)):
        said[rng.choice(FIELDS)] = rng.choice(NONSENSE)
    if rng.random() < 0.3:
        run = next(iter(sane["runs"]))
        said["runs"] = {run: {**sane["runs"][run], rng.choice(("rows", "see", "have")): rng.choice(NONSENSE)}}
    return json.dumps(said).encode()


def posted(client: Client, body: bytes) -> tuple[int, bytes]:
    headers = {"Content-Type": "application/json", "X-Quorum-Door": client.door}
    client.aside.request("POST", "/live", body, headers)
    answer = client.aside.getresponse()
    return answer.status, answer.read()


def stands(client: Client) -> list:
    """How things stand, as a sane question is told."""
    status, content = posted(client, json.dumps(client._asked()).encode())
    assert status == 200, status
    header = json.loads(content[4 : 4 + int.from_bytes(content[:4], "little")])
    return [(run["id"], run["count"], run["state"]) for run in header["runs"]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    rng, answers, slowest = random.Random(asked.seed), collections.Counter(), 0.0
    with Server() as server:
        client = Client(server, LINK)
        client.watch()
        before = stands(client)
        for _ in range(asked.questions):
            body, began = altered(rng, client._asked()), time.perf_counter()
            try:
                status, _ = posted(client, body)
            except OSError:  # refused while it was still being sent: the door is shut behind it
                client.aside.close()
                status = 413
            slowest = max(slowest, time.perf_counter() - began)
            answers[status] += 1
            assert status in ALLOWED, (status, body[:300])
            if status == 400:
                assert stands(client) == before, body[:300]
        assert stands(client) == before
        client.close()
        said = server.said()
        assert "Traceback" not in said, said[-3000:]
    told = ", ".join(f"{count} x {status}" for status, count in sorted(answers.items()))
    print(f"{asked.questions} questions ({told}), the slowest {1000 * slowest:.0f} ms: no 500, nothing changed")


if __name__ == "__main__":
    main()
