"""The Data page in a real browser: samples, files, what was understood, corrections, base clusterings from features."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from consensus_core.scores import ari
from tests.browser.steps import as_csv, choose, give, label_table, make, read_csv, settled, shown, taken, watched

ROOT = Path(__file__).resolve().parents[2]


def points(n=90, seed=4):
    rng = np.random.default_rng(seed)
    places = np.vstack([rng.normal(centre, 0.5, (n // 3, 2)) for centre in ((0, 0), (3, 0), (0, 3))])
    lines = [f"{x:.4f},{y:.4f},{'abc'[i // (n // 3)]}" for i, (x, y) in enumerate(places)]
    return "\n".join(["x,y,truth", *lines])


def test_first_visit_shows_a_finished_run_and_a_hint_that_can_be_dismissed_for_good(open_page):
    page = watched(open_page("/"))
    assert shown(page, "Data") == "Seven shapes"
    assert "Converged" in page.locator(".quorum").inner_text()
    page.get_by_role("button", name="Got it").click()
    page.get_by_role("button", name="Got it").wait_for(state="detached")
    again = page.context.new_page()
    again.goto(page.url)
    watched(again)
    assert not again.get_by_role("button", name="Got it").is_visible()


def test_a_sample_is_one_click_away(open_page):
    page = settled(open_page("/data"))
    page.locator(".st-key-card-iris").get_by_role("button", name="Open").click()
    page.get_by_role("heading", name="Iris").wait_for()
    settled(page)
    assert "data=iris" in page.url and shown(page, "Data") == "Iris"
    page.get_by_role("figure").nth(1).wait_for()


def test_own_labels_and_every_download(open_page, tmp_path):
    table = label_table(gaps=3)
    page = open_page("/data?from=upload")
    give(page, "trees.csv", as_csv(table))
    page.get_by_text("60 objects, 6 base clusterings").wait_for()
    assert page.get_by_text("ids in “name”").is_visible() and page.get_by_text("the truth in “truth”").is_visible()
    assert page.get_by_text("6 labels are missing").first.is_visible()
    page.get_by_role("button", name="Use these labels").click()
    page.get_by_text("trees.csv is in use now").wait_for()
    page.get_by_role("link", name="Watch a method on it").click()
    watched(page)
    assert shown(page, "Data") == "trees.csv"
    page.get_by_text("Take it home").click()

    labels, _ = taken(page, "Labels (CSV)")
    labels = read_csv(labels)
    assert labels["id"].tolist() == table["name"].tolist()
    assert labels["truth"].tolist() == table["truth"].tolist()
    assert ari(labels["cluster"], table["truth"]) > 0.8

    arrays, _ = taken(page, "Matrices (NPZ)")
    with np.load(BytesIO(arrays), allow_pickle=False) as arrays:
        assert (arrays["labels"] == labels["cluster"]).all()
        assert arrays["counts"].sum() == len(table) and len(arrays.files) > 8

    record, _ = taken(page, "Run record (JSON)")
    record = json.loads(record)
    assert record["method"]["key"] == "spce" and record["data"]["origin"]["file"] == "trees.csv"
    assert record["data"]["objects"] == 60 and record["run"]["stop"] == "converged"

    program, name = taken(page, "Python (PY)")
    assert name.endswith(".py")
    (tmp_path / "again.py").write_bytes(program)
    (tmp_path / "trees.csv").write_text(as_csv(table))
    subprocess.run(
        [sys.executable, "again.py"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True, timeout=120
    )
    again = read_csv((tmp_path / "labels.csv").read_bytes())
    assert again["id"].tolist() == labels["id"].tolist() and again["cluster"].tolist() == labels["cluster"].tolist()


def test_features_become_base_clusterings_with_progress_and_cancel(open_page):
    page = open_page("/data?from=upload")
    give(page, "points.csv", points(3000))
    page.get_by_text("3,000 objects, 2 features").wait_for()
    make(page, 500, page.get_by_text("of 500 made"))
    assert page.get_by_role("progressbar").count() >= 1
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("Cancelled. Nothing was changed.").wait_for()
    settled(page)
    make(page, 5, page.get_by_role("heading", name="points.csv · 5 made anew"))
    settled(page)
    assert shown(page, "Data") == "points.csv · 5 made anew"


def test_base_clusterings_go_on_while_one_looks_at_another_page(open_page):
    page = settled(open_page("/data?data=digits&from=make"))
    make(page, 250, page.get_by_text("of 250 made"))  # enough that leaving comes before the end
    page.get_by_role("link", name="Watch", exact=True).click()
    page.get_by_role("link", name="Base clusterings are ready").click(timeout=120_000)
    page.get_by_role("heading", name="Handwritten digits · 250 made anew").wait_for()


def test_every_guess_can_be_overruled(open_page):
    """Objects in columns, no header, an id row, a truth row, and a word of its own for a missing label."""
    table = label_table(40, gaps=2).replace({"": "unseen"})
    turned = "\n".join(";".join(table[name]) for name in table)
    page = open_page("/data?from=upload")
    give(page, "turned.csv", turned)
    page.get_by_text("Not right? Correct it").click()
    choose(page, "the table holds", "base labels: a column is a clustering")
    choose(page, "an object is", "a column")
    page.get_by_text("turned.csv: 40 objects, 7 base clusterings").wait_for()
    settled(page)
    page.get_by_role("textbox", name="texts that count as missing").fill("unseen")
    page.get_by_role("textbox", name="texts that count as missing").press("Enter")
    page.get_by_text("4 labels are missing").first.wait_for()
    choose(page, "truth", "column 7")
    page.get_by_text("turned.csv: 40 objects, 6 base clusterings").wait_for()
    page.get_by_role("button", name="Use these labels").click()
    page.get_by_role("heading", name="turned.csv").wait_for()


def test_ids_and_truth_can_be_given_or_taken_away(open_page):
    page = open_page("/data?from=upload")
    give(page, "trees.csv", as_csv(label_table()))
    page.get_by_text("60 objects, 6 base clusterings, ids in “name” and the truth in “truth”.").wait_for()
    page.get_by_text("Not right? Correct it").click()
    choose(page, "truth", "none")
    page.get_by_text("7 base clusterings").wait_for()
    choose(page, "truth", "run 1")
    page.get_by_text("6 base clusterings, ids in “name” and the truth in “run 1”").wait_for()


def test_a_bad_file_gets_a_sentence_and_nothing_else_changes(open_page):
    page = open_page("/data?from=upload")
    give(page, "bad.csv", 'a,b\n1,2\n1,1\n"x,3\n')
    page.get_by_text("bad.csv, row 4: a quotation mark is opened and never closed").wait_for()
    assert shown(page, "Data") == "Seven shapes"
    assert not page.get_by_role("button", name="Use these labels").is_visible()


@pytest.mark.parametrize("how", ["nearest", "random"])
def test_missing_labels_are_filled_as_asked_where_a_method_needs_them(open_page, how):
    page = watched(open_page(f"/?data=missing&method=trce&fill={how}"))
    page.get_by_text(f"30% of the labels filled: {how}").first.wait_for()


def test_missing_labels_are_taken_as_they_are_where_a_method_can(open_page):
    page = watched(open_page("/?data=missing&method=pce"))
    page.get_by_text("missing labels taken as they are").first.wait_for()


def test_wide_and_long_tables_stay_usable(open_page):
    """200 clusterings; and 100,000 objects, of which the track plot says how many it draws."""
    rng = np.random.default_rng(5)
    wide = rng.integers(0, 4, 300)[:, None] ^ (rng.random((300, 200)) < 0.05)
    page = open_page("/data?from=upload")
    give(page, "wide.csv", "\n".join(",".join(map(str, row)) for row in wide))
    page.get_by_role("button", name="Use these labels").click()
    page.get_by_role("heading", name="wide.csv").wait_for()
    long = rng.integers(0, 5, 100_000)[:, None] ^ (rng.random((100_000, 6)) < 0.02)
    give(page, "long.csv", "\n".join(",".join(map(str, row)) for row in long))
    page.get_by_text("long.csv: 100,000 objects").wait_for(timeout=60_000)
    page.get_by_role("button", name="Use these labels").click()
    page.get_by_text("800 of 100,000 objects drawn").wait_for(timeout=60_000)
