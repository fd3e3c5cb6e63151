"""Any link at all, on a live server: no traceback, no 500, nothing kept is touched.

`python -m benchmarks.links` tries a thousand.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from test_parameters import random_link
from visiting import Visitor

from consensus_core.keep.store import Store, new_id

PAGES = ("", "data")
KNOWN_BAD = (
    "it=" + "9" * 4301,
    "method=eac&seed=1e999",
    "method=eac&seed=" + "9" * 400,
    "method=eac&seed=-inf",
    "method=trce&p_max_iter=1e999",
    "method=spce&p_text_cap=1e999",
    "hide=" + "nav," * 2000,
    "data=" + "x" * 3000,
    "data=../../etc/passwd&from=kept",
    "embed=true&embed_options=x&foo=%00",
    "order=base:999999",
    "p_k=0&p_theta=-1&p_variant=none",
    "%ff=%fe&=&&==",
)  # fmt: skip


def looked_at(server, links, say=lambda *_: None) -> int:
    """Opens every one of them as one visitor; says how many were not understood in full."""
    desk, store = new_id(), Store(server.folder / "data")
    store.put(desk, "data", "d", "mine.csv", {"origin": "{}"}, {"content": b"1"})
    store.put(desk, "settings", "hint", meta={"seen": True})
    said = 0
    for at, (link, page) in enumerate(links):
        with Visitor(server, desk) as visitor:
            seen = visitor.open(link, page)
            assert not seen.faults, (page, link[:300], seen.faults)
            spoken = [words for words in seen.warnings if "Not everything in this link" in words]
            assert len(spoken) <= 1, (page, link[:300], spoken)
            said += len(spoken)
        say(at)
    (kept,) = store.all(desk, "data")
    assert kept.title == "mine.csv" and store.file(kept.id, "content") == b"1"
    assert store.find(desk, "settings", "hint").meta == {"seen": True} and not store.find(desk, "settings", "keeping")
    assert "Traceback" not in server.said()
    return said


def test_sixty_random_links_and_those_that_were_tracebacks(server):
    rng = random.Random(1)
    links = [(random_link(rng), rng.choice(PAGES)) for _ in range(60)]
    assert looked_at(server, links + [(link, page) for link in KNOWN_BAD for page in PAGES]) > 60
