"""Files on the machine that runs it, offered by its owner: counted, watched, compared, labels written beside them."""

from __future__ import annotations

import pandas as pd
import pytest
from playwright.sync_api import expect

from tests.browser.server import Server
from tests.browser.steps import WAIT, barriers, choose, label_table, settled, told, unfold, watched


@pytest.fixture
def offered(chromium, tmp_path, monkeypatch):
    """(a page of a server that offers two tables, its folder)"""
    folder = tmp_path / "tables"
    (folder / "runs").mkdir(parents=True)
    table = label_table(n=90, seed=4, gaps=2).drop(columns="truth")
    for at in range(2):
        table.iloc[45 * at : 45 * (at + 1)].to_parquet(folder / "runs" / f"part {at}.parquet", index=False)
    table.iloc[:40].to_csv(folder / "few.csv", index=False)
    monkeypatch.setenv("QUORUM_TABLES", str(folder))
    (tmp_path / "server").mkdir()
    with Server(tmp_path / "server") as server:
        context = chromium.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        page.set_default_timeout(WAIT)
        yield page, server, folder
        context.close()
        assert "Traceback" not in server.said()


def test_a_table_on_the_machine_is_counted_watched_compared_and_its_labels_written(offered):
    page, server, folder = offered
    page.goto(f"{server.url}/data?from=tables")
    settled(page)
    choose(page, "Table", "runs/*.parquet · 2 files, " + _size(folder / "runs"))
    page.get_by_text("90 objects").wait_for()
    assert not (grave := barriers(page)), grave
    settled(page).get_by_role("button", name="Count and use").click()
    page.wait_for_url("**data=files-*")
    page.get_by_role("heading", name="runs/*.parquet").wait_for()
    link = page.url[page.url.index("data=") :]
    settled(page).get_by_role("link", name="Watch a method on these data").click()
    watched(page)
    assert told(page, "view.objects") == 90
    for label in ("Report (HTML)", "Python (PY)"):
        unfold(page, "Take it home", page.get_by_role("button", name=label))
    expect(page.get_by_role("button", name="Labels (CSV)")).to_have_count(0)  # objects have no place in a table here
    unfold(page, "The same as a command", page.get_by_text("quorum write 'runs/*.parquet'"))
    field = page.get_by_role("textbox", name="New folder beside the files")
    for name, said in [
        ("../away", "cannot be the name"),
        ("runs", "there already"),
        ("mine", "2 files in mine, 90 obj"),
    ]:
        field.fill(name)
        field.press("Enter")
        settled(page).get_by_role("button", name="Write labels").click()
        page.get_by_text(said).wait_for()
        settled(page)
    written = pd.concat([pd.read_parquet(path) for path in sorted((folder / "mine").glob("*.parquet"))])
    assert written["name"].tolist() == label_table(n=90, seed=4, gaps=2)["name"].tolist()
    assert sorted(path.name for path in folder.iterdir()) == ["few.csv", "mine", "runs"]
    page.get_by_role("link", name="Compare", exact=True).click()
    page.wait_for_function(r"() => /(\d+) of \1 done:/.test(document.body.innerText)", timeout=WAIT)
    server.kill()  # counts outlive the server
    server.start()
    page.goto(f"{server.url}/?{link}&method=trce")
    assert told(watched(page), "view.objects") == 90
    settled(page).get_by_text("of the labels filled: nearest").first.wait_for()
    unfold(page, "Take it home", page.get_by_role("button", name="Write labels"))
    settled(page).get_by_role("button", name="Write labels").click()
    page.get_by_text("2 files in labels trce k").wait_for()


def test_nobody_is_offered_files_unless_the_owner_does(open_page):
    page = settled(open_page("/data?from=tables"))
    page.get_by_text("“from” cannot be").wait_for()
    page.get_by_text("Kept", exact=True).wait_for()
    assert page.get_by_text("Files on this machine").count() == 0


def _size(folder) -> str:
    from consensus_core.numbers import bytes_in_words

    return bytes_in_words(sum(path.stat().st_size for path in folder.iterdir()))
