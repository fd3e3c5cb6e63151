"""A record that the command wrote is opened on the Data page, and Watch shows that very run; and back."""

import json

import pytest

from consensus_core import METHODS, iterate
from consensus_core.command import main
from consensus_core.data import Origin, build
from consensus_core.data.exports import as_json, labels_csv, run_record
from tests.browser.steps import WAIT, give, settled, taken, until, watched


@pytest.mark.xdist_group("records")
def test_a_record_goes_from_the_command_to_the_dashboard_and_back(open_page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = build(Origin(sample="iris"))
    step = list(iterate(METHODS["spce"](k=3, theta=0.3), data.ensemble))[4]
    record = as_json(run_record(step, data.origin))
    page = settled(open_page("/data?from=upload"))
    page.locator("input[type=file]").wait_for(state="attached", timeout=WAIT)
    give(page, "run.json", record)
    page.get_by_text("A run's record").wait_for()
    page.get_by_role("link", name="Watch this run").click()
    page.wait_for_selector(".quorum.ready")
    watched(page)
    until(page, "view.shown === 4")
    page.get_by_text("Take it home").click()
    given, _ = taken(page, "Run record")
    (tmp_path / "back.json").write_bytes(given)
    labels, _ = taken(page, "Labels (CSV)")
    assert json.loads(given)["run"]["iteration"] == 4
    assert main(["run", "--record", "back.json", "--out", "again"]) == 0
    assert (
        (tmp_path / "again" / "labels.csv").read_bytes() == labels == labels_csv(step, data.ids, data.id_name or "id")
    )
