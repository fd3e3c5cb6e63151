"""The rooms of the house: what a module needs lies below it, and nothing needs itself round a corner."""

import re
from pathlib import Path

from benchmarks.house import cycles, graph, upwards

ROOT = Path(__file__).resolve().parents[1]


def test_every_edge_goes_down_and_none_comes_back():
    edges = graph()
    assert len(edges) > 300
    assert not cycles(edges)
    assert not upwards(edges)


def test_the_browser_alone_changes_pages():
    """What `pages/ui/leaving.py` counts on."""
    pages = [*(ROOT / "pages").rglob("*.py"), ROOT / "app.py"]
    assert len(pages) > 50
    assert [str(page) for page in pages if re.search(r"\bswitch_page\(", page.read_text(encoding="utf-8"))] == []
