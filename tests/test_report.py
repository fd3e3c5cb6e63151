"""The report: whole, small, quick, and every line of code under a figure makes that figure."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from dataclasses import replace
from html import unescape
from pathlib import Path

import numpy as np
import pytest

from consensus_core import METHODS, Ensemble, InputError, begin, solve
from consensus_core.command import main
from consensus_core.compare import compare
from consensus_core.data import Naming, Origin, build
from consensus_core.report import citing, document, parts, report

ROOT = Path(__file__).resolve().parents[1]


def reported(sample, key, **more):
    data = build(Origin(sample=sample))
    step = solve(METHODS[key](k=data.k), data.ensemble).step
    return data, step, report(data, step, **more).decode()


@pytest.fixture(scope="module")
def votes():
    data = build(Origin(sample="votes"))
    comparison = compare(data.ensemble, [METHODS["eac"](k=4), METHODS["lwea"](k=4)])
    return reported("votes", "spce", comparison=comparison)


def test_everything_is_told_and_nothing_comes_from_elsewhere(votes):
    data, step, page = votes
    assert "could not be made" not in page
    for title, _ in parts.PARTS:
        assert f">{title}</h2>" in page
    for word in ("dbscan", "SPCE", "<math", "[1] ", "Do sound methods agree?", "How stable?", "others ARI", "quorum"):
        assert word in page, word
    assert step.run.method.reference.split(",")[0] in page
    links = re.findall(r"""(?:href|src)=["']([^"']+)""", page)
    assert links and all(link.startswith(("#", "data:image/png;base64,")) for link in links)
    assert not re.findall(r"url\(|@import|<link|<iframe", page)
    assert len(page) < 5e6 and data.ensemble.fingerprint in page


def test_what_is_read_first_is_drawn_first(votes):
    """What the method ends with is among the matrices that there is room for, and a citation has its title."""
    page = votes[2]
    assert "heatmap(step, &#x27;S&#x27;" in page and "Not drawn for room: B;" in page
    assert "[1] P. Zhou, L. Du, X. Liu, Y.-D. Shen, M. Fan, X. Li: Self-paced clustering ensemble. IEEE" in page
    for method in METHODS.values():
        cited = citing.cited(method(k=2))
        assert cited == method.reference if method.key == "kc" else ": " in cited, (method.key, cited)


def test_the_line_under_a_figure_makes_it(votes):
    data, step, page = votes
    scope = {"data": data, "step": step}
    exec("from consensus_core.report.lines import *", scope)
    drawn = re.findall(r"<figure>(.*?)<figcaption>(.*?)<code>(.*?)</code>", page, flags=re.DOTALL)
    assert len(drawn) >= 8
    for svg, means, line in drawn:
        assert len(unescape(means)) > 20
        *before, last = unescape(line).split("; ")
        exec("; ".join(before), scope)
        sheet = eval(last, scope)
        images = re.findall(r"base64,([^\"]+)", svg)
        assert sheet.marks, line
        if "heatmap" in last:  # the same numbers in the same colours, whatever the width
            assert max(images, key=len) in sheet.svg(), line


def test_clusters_are_called_as_a_person_calls_them():
    """Named, merged and coloured: in the tables, on the maps, in the lines and the program."""
    clusters = Naming(((0, "ash <b>"),), ((2, 1),), ((0, "#123456"),))
    data, step, page = reported("votes", "lwea", clusters=clusters, budget=0.0)
    assert "could not be made" not in page and "ash &lt;b&gt;" in page and "#123456" in page
    assert "into 3 clusters" in page and "Of the 4 clusters it came to some were merged by hand" in page
    table = re.search(r"<caption>Clusters</caption>.*?</table>", page, flags=re.DOTALL)[0]
    named = re.findall(r'<th scope="row">(.*?)</th><td class="n">(.*?)</td>', table)
    _, sizes = np.unique(clusters.applied(step.labels), return_counts=True)
    assert [name for name, _ in named] == ["ash &lt;b&gt;", "2", "4"] and [int(size) for _, size in named] == [*sizes]
    scope = {"data": data, "step": step, "clusters": clusters}
    exec("from consensus_core.report.lines import *", scope)
    for line in re.findall(r"<figure>.*?<figcaption>.*?<code>(.*?)</code>", page, flags=re.DOTALL):
        *before, last = unescape(line).split("; ")
        exec("; ".join(before), scope)
        assert eval(last, scope).marks, line


@pytest.mark.parametrize("key", METHODS)
def test_a_report_of_every_method(key):
    """Small ones, begun and ended; every part is made."""
    data = build(Origin(sample="five", filling="" if METHODS[key].handles_missing else "nearest"))
    for step in (solve(METHODS[key](k=2), data.ensemble).step, begin(METHODS[key](k=2), data.ensemble)):
        page = report(data, step, budget=0.2).decode()
        assert "could not be made" not in page, re.findall("could not be made.{0,200}", page)


def test_a_part_that_cannot_be_made_says_so_in_its_place(monkeypatch):
    def broken(told):
        raise ZeroDivisionError("wings <b>")

    def refused(told):
        raise InputError("There are no wings.")

    listed = [("First", broken), ("Second", refused), *parts.PARTS[:1]]
    monkeypatch.setattr(document, "PARTS", listed)
    page = reported("nine", "eac")[2]
    assert "could not be made (ZeroDivisionError: wings &lt;b&gt;)" in page
    assert "This part could not be made. There are no wings." in page and "Nothing to warn of" in page


def test_hostile_names_are_nothing_but_text():
    bad = "<script>alert(1)</script>"
    table = np.random.default_rng(0).integers(0, 3, (40, 6))
    ensemble = Ensemble.from_labels(table, names=[bad, "a&b", '"', "'", "\u202e", "c"], truth=[bad, "x"] * 20)
    data = build(Origin(sample="nine"))
    data = replace(data, ensemble=ensemble, ids=np.array([bad] * 40), id_name=bad, truth_name=bad, covariates={})
    page = report(data, solve(METHODS["lwea"](k=3), ensemble).step, budget=0.0).decode()
    assert bad not in page and "&lt;script&gt;alert" in page
    assert page.count("<script>") == 1  # our own, which opens what is folded when it is printed


def test_large_data_stay_small_and_quick():
    """Ten seconds and five megabytes for ten thousand objects."""
    began = time.process_time()
    page = reported("ten_thousand", "lwea")[2]
    assert len(page) < 5e6 and time.process_time() - began < 10 and "could not be made" not in page


def test_what_takes_long_is_left_out_and_said():
    page = reported("shapes", "lwea", budget=0.0)[2]
    assert "was left out" in page and "could not be made" not in page


def test_a_step_without_its_run_is_refused():
    data = build(Origin(sample="nine"))
    with pytest.raises(InputError, match="has lost its run"):
        report(data, replace(begin(METHODS["eac"](k=3), data.ensemble), run=None))
    assert document.BUDGET <= 5


def test_from_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = ["report", "--sample", "nine", "--method", "eac", "--k", "3"]
    assert main([*words, "--compare", "lwea", "--budget", "0"]) == 0
    [page] = tmp_path.glob("*.html")
    assert page.name.endswith("_eac_it1_report.html") and "LWEA" in page.read_text()
    assert main(words) == 3 and main([*words, "--compare", "wings"]) == 2 and main([*words, "--budget", "x"]) == 2
    assert "knows no 'wings'" in capsys.readouterr().err


def test_the_script_in_it_runs(votes, tmp_path):
    _, step, page = votes
    program = unescape(re.findall(r'aria-label="The same in Python"><code>(.*?)</code>', page, flags=re.DOTALL)[0])
    environment = {"PYTHONPATH": str(ROOT), "PATH": "", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    [labels] = tmp_path.glob("*.csv")
    assert [int(line.split(",")[1]) for line in labels.read_text().splitlines()[1:]] == (step.labels + 1).tolist()
