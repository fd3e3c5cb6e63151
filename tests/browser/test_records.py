"""A record that the command wrote is opened on the Data page, and Watch shows that very run; and back."""

import io
import json

import numpy as np
import pytest

from consensus_core import METHODS, iterate
from consensus_core.command import main
from consensus_core.data import Origin, build
from consensus_core.data.exports import as_json, labels_csv, matrices_npz, run_record
from tests.browser.steps import WAIT, give, settled, taken, unfold, until, watched


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
    unfold(page, "Take it home", page.get_by_role("button", name="Run record"))
    given, _ = taken(page, "Run record")
    (tmp_path / "back.json").write_bytes(given)
    labels, _ = taken(page, "Labels (CSV)")
    assert json.loads(given)["run"]["iteration"] == 4
    assert main(["run", "--record", "back.json", "--out", "again"]) == 0
    assert (
        (tmp_path / "again" / "labels.csv").read_bytes() == labels == labels_csv(step, data.ids, data.id_name or "id")
    )


def test_what_is_taken_home_after_going_back_is_what_stands_on_the_screen(open_page):
    """Iteration 2 was shown, and the last one came: in the matrices, the labels and the record."""
    method, data = METHODS["spce"](k=3, theta=0.3), build(Origin(sample="iris"))
    steps = list(iterate(method, data.ensemble))
    page = watched(open_page("/?data=iris&method=spce&p_k=3&p_theta=0.3"))
    back = page.locator(".quorum").get_by_role("button", name="Back (left arrow)")
    for gone in (1, 2):
        back.click()
        until(page, f"view.shown === {len(steps) - 1 - gone}")
    at = len(steps) - 3
    page.wait_for_url(f"**it={at}**")
    unfold(page, "Take it home", page.get_by_role("button", name="Matrices (NPZ)"))
    content, name = taken(page, "Matrices (NPZ)")
    assert f"_it{at}_" in name
    with np.load(io.BytesIO(content), allow_pickle=False) as found:
        with np.load(io.BytesIO(matrices_npz(steps[at])), allow_pickle=False) as wanted:
            assert sorted(found) == sorted(wanted)
            assert all(np.array_equal(found[one], wanted[one]) for one in wanted)
        last = matrices_npz(steps[-1])
        with np.load(io.BytesIO(last), allow_pickle=False) as end:
            assert not all(np.array_equal(found[one], end[one]) for one in wanted), "another one would not be seen"
    assert taken(page, "Labels (CSV)")[0] == labels_csv(steps[at], data.ids, data.id_name or "id")
    assert json.loads(taken(page, "Run record")[0])["run"]["iteration"] == at
