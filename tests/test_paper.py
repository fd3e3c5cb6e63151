"""Figures for a paper: text is text, millimetres are millimetres, colours can be told apart."""

from __future__ import annotations

import io
import re
import struct
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from consensus_core import METHODS, History, InputError, solve
from consensus_core.data import Origin, build
from consensus_core.drawing import paper

pypdf = pytest.importorskip("pypdf")
pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def run():
    data = build(Origin(sample="votes"))
    history = History(METHODS["lwea"](k=4), data.ensemble)
    return data, solve(METHODS["lwea"](k=4), data.ensemble, history=history), history


def sheets(run, style):
    data, result, history = run
    half = {"ä <b>&amp;</b> σ": np.arange(data.ensemble.n) % 2, "age": np.linspace(0, 1, data.ensemble.n)}
    return {
        "heat": paper.heatmap(result.step, style=style, title="Consensus θ", covariates=half),
        "plain heat": paper.heatmap(result.step, style=style, dendrogram=False, borders=False, legend=False),
        "tracks": paper.tracks(result.step, style, "Tracks"),
        "curves": paper.curves(
            {"objective": history.objective, "x <i>": [1, 2, np.nan, 3]}, style, "Course", y="value"
        ),
        "map": paper.object_map(data.ensemble, result.raw, data.features, style, "Map"),
        "bars": paper.bars([1, -2, np.nan], ["a", "b & c", "d"], style, "Bars", "objects"),
    }


@pytest.mark.parametrize("width", [85.0, 174.0])
def test_svg_has_text_as_text_and_is_as_wide_as_asked(run, width):
    for name, sheet in sheets(run, paper.Style(width=width)).items():
        root = ET.fromstring(sheet.svg())
        assert root.get("width") == f"{width:g}mm" and root.get("height") == f"{sheet.height:.3f}".rstrip("0") + "mm", (
            name
        )
        assert root.get("viewBox").split()[2] == f"{width:g}"
        ns = "{http://www.w3.org/2000/svg}"
        told = [element.text for element in root.iter(f"{ns}text")]
        assert told == sheet.texts and len(told) > 3, name
        assert root.find(f"{ns}title").text and root.get("role") == "img"
        for element in root.iter(f"{ns}text"):  # everything stands on the sheet
            assert -1 <= float(element.get("x")) <= width + 1 and -1 <= float(element.get("y")) <= sheet.height + 1, (
                name
            )


def test_pdf_has_text_as_text_and_is_as_wide_as_asked(run):
    for name, sheet in sheets(run, paper.Style(width=85, size=7)).items():
        page = pypdf.PdfReader(io.BytesIO(paper.written(sheet, "pdf"))).pages[0]
        size = np.array([float(page.mediabox.width), float(page.mediabox.height)]) * 25.4 / 72
        assert size == pytest.approx([85, sheet.height], abs=0.02), name
        found = re.sub(r"\s", "", page.extract_text())
        for text in sheet.texts:
            assert re.sub(r"\s", "", text) in found, (name, text)


def test_png_has_the_dots_asked_for(run):
    sheet = sheets(run, paper.Style(width=100, dpi=150))["bars"]
    content = paper.written(sheet, "png")
    assert struct.unpack(">II", content[16:24]) == pytest.approx((100 / 25.4 * 150, sheet.height / 25.4 * 150), abs=1.1)
    at = content.index(b"pHYs") + 4  # what a text program goes by when it places the picture: dots per metre
    across, down, unit = struct.unpack(">IIB", content[at : at + 9])
    assert across == down == pytest.approx(150 / 0.0254, abs=1) and unit == 1


def test_the_heat_map_shows_the_numbers_of_the_step(run):
    """A pixel's colour is that of its value: read back from the picture inside the file."""
    data, result, _ = run
    style = paper.Style(palette="greys")
    sheet = paper.heatmap(result.step, "A", style, order="given", dendrogram=False)
    [image] = [mark for mark in sheet.marks if getattr(mark, "pixels", np.zeros((1, 1, 3))).shape[:2] == (300, 300)]
    shown = image.pixels[..., 0] / 255
    at = data.ensemble.member_of
    values = np.asarray(result.value("A"))[at][:, at]
    slope, start = np.polyfit(values.ravel(), shown.ravel(), 1)  # the scale need not begin at 0 nor end at 1
    assert slope > 0 and np.abs(shown - (slope * values + start)).max() <= 1 / 255


def test_a_name_is_nothing_but_text(run):
    sheet = sheets(run, paper.Style())["heat"]
    assert "<b>" not in sheet.svg() and "&lt;b&gt;" in sheet.svg()


def lightness(colour):
    rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


# what eyes without the sense for one of the colours see (Machado, Oliveira, Fernandes 2009, severity 1)
BLIND = {
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
}


def test_palettes_rise_in_lightness():
    for name, stops in paper.PALETTES.items():
        assert (np.diff([lightness(stop) for stop in stops]) > 0).all(), name


@pytest.mark.parametrize("eyes", BLIND)
def test_the_first_clusters_can_be_told_apart(eyes):
    for name in ("okabe-ito", "tol"):
        colours = paper.CLUSTER_COLOURS[name]
        rgb = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in colours[:6]]) / 255
        linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
        seen = np.clip(linear @ np.array(BLIND[eyes]).T, 0, 1) ** (1 / 2.4)
        apart = np.linalg.norm(seen[:, None] - seen, axis=2)[np.triu_indices(len(seen), 1)]
        assert apart.min() > 0.05, (name, apart.min())


def test_nothing_is_overwritten_and_wrong_styles_are_refused(run, tmp_path):
    sheet = sheets(run, paper.Style())["bars"]
    assert paper.save(sheet, tmp_path / "bars.svg").read_text() == sheet.svg()
    with pytest.raises(InputError, match="is not overwritten"):
        paper.save(sheet, tmp_path / "bars.svg")
    for call, sentence in [
        (lambda: paper.save(sheet, tmp_path / "bars.gif"), "svg, pdf, png"),
        (lambda: paper.Style(width=3), "width must be between"),
        (lambda: paper.Style(palette="jet"), "palette is one of"),
        (lambda: paper.heatmap(run[1].step, "ECI"), "no matrix over two objects|no quantity"),
        (lambda: paper.heatmap(run[1].step, covariates={"age": [1, 2]}), "has 2 values for 300 objects"),
    ]:
        with pytest.raises(InputError, match=sentence):
            call()
