"""The report from the disk in a real browser: wide and narrow, by axe's rules, and on paper."""

import io

import pytest

from consensus_core import METHODS, solve
from consensus_core.compare import compare
from consensus_core.data import Origin, build
from consensus_core.report import report


@pytest.mark.parametrize(("sample", "key"), [("votes", "spce"), ("iris", "ec_cms"), ("missing", "pce")])
def test_a_report_opened_from_the_disk(chromium, tmp_path, sample, key):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    pypdf = pytest.importorskip("pypdf")
    data = build(Origin(sample=sample))
    method = METHODS[key](k=data.k)
    file = tmp_path / "report.html"
    comparison = compare(data.ensemble, [method, METHODS["eac"](k=data.k)])
    file.write_bytes(report(data, solve(method, data.ensemble).step, comparison=comparison, budget=1.0))
    wrong, asked = [], []
    for width in (1280, 390):
        context = chromium.new_context(viewport={"width": width, "height": 900})
        page = context.new_page()
        page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri())
        page.get_by_role("heading", name="The same in Python").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= width  # nothing runs off the side
        found = axe.Axe().run(page)
        assert not found.response["violations"], found.generate_report()
        assert page.locator("figure svg").count() >= 7
    pdf = page.pdf(format="A4")
    text = " ".join(sheet.extract_text() for sheet in pypdf.PdfReader(io.BytesIO(pdf)).pages)
    for words in ("For a paper", data.ensemble.names[0][:8], "fingerprint"):  # what was folded away stands open
        assert words in text, words
    page.set_viewport_size({"width": 688, "height": 900})  # between the margins of an A4 sheet
    page.emulate_media(media="print")
    parts = page.locator(".wide, .equation, pre, figure")
    assert parts.count() > 20
    cut = parts.evaluate_all(
        "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.innerText)"
    )
    assert not cut, cut  # no column of a table is lost on paper, where nothing can be scrolled
    context.close()
    assert not wrong, wrong
    assert {url.split(":")[0] for url in asked} <= {"file", "data"}
