"""The example notebooks run from top to bottom, and the widget's channel answers what the view asks."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from consensus_core import METHODS, InputError
from consensus_core.data import Origin, build

ROOT = Path(__file__).resolve().parents[1]
BOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.stem)
def test_a_notebook_runs(book, tmp_path, monkeypatch):
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    pytest.importorskip("anywidget")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    nb = nbformat.read(book, as_version=4)
    assert not any(cell.get("outputs") for cell in nb.cells), "a notebook is kept without what it puts out"
    nbclient.NotebookClient(
        nb, timeout=300, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    ).execute()
    shown = [output for cell in nb.cells if cell.cell_type == "code" for output in cell.outputs]
    kinds = {kind for output in shown for kind in output.get("data", {})}
    wanted = {"1_first_steps": "text/html", "2_watch_it": "application/vnd.jupyter.widget-view+json"}
    assert wanted.get(book.stem, "image/svg+xml") in kinds, kinds
    assert not [output for output in shown if output.output_type == "error"]


def test_there_are_three():
    assert len(BOOKS) == 3


class Heard:
    """What the widget sends, instead of a notebook."""

    def __init__(self, widget):
        self.said = []
        widget.send = lambda content, buffers=None: self.said.append((content, buffers))


@pytest.fixture
def widget():
    pytest.importorskip("anywidget")
    from consensus_core.notebook import watch

    made = watch(METHODS["spce"](k=3), build(Origin(sample="nine")), title="nine")
    yield made
    made.close()


def test_the_widget_answers_with_the_frames_of_the_run(widget):
    heard = Heard(widget)
    widget.stage.run.wait_beyond(0, 20)
    widget._asked(widget, {"ask": 1, "question": {}}, [])
    (content, [packed]) = heard.said[0]
    assert content == {"answer": 1}
    length = int.from_bytes(packed[:4], "little")
    header = json.loads(bytes(packed[4 : 4 + length]))
    assert header["data"]["id"] == widget.stage.ensemble.fingerprint
    widget._asked(widget, {"ask": 2, "question": {"runs": "nonsense"}}, [])
    assert heard.said[1] == ({"answer": 2}, None)  # not from the live view
    widget._asked(widget, "nonsense", [])
    assert len(heard.said) == 2
    assert widget.step.run.method == METHODS["spce"](k=3)


def test_what_cannot_be_watched_is_refused_before_anything_is_shown():
    pytest.importorskip("anywidget")
    from consensus_core.notebook import watch

    data = build(Origin(sample="nine"))
    for call, sentence in [
        (lambda: watch([], data), "nothing to watch"),
        (lambda: watch(METHODS["eac"](k=99), data), "k = 99"),
        (lambda: watch(METHODS["trce"](k=3), data), "missing labels"),
    ]:
        with pytest.raises(InputError, match=sentence):
            call()
