"""The reference is made without a warning: every public name told, every example run, every link leading somewhere."""

from __future__ import annotations

import re

from docs import make


def test_the_pages_are_made_without_a_warning(tmp_path, capsys):
    assert make.main(str(tmp_path / "pages")) == 0, capsys.readouterr().err
    said = capsys.readouterr()
    assert said.err == "" and re.search(r"[5-9]|\d\d examples run, 0 warnings", said.out)
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (tmp_path / "pages").glob("*.html")}
    assert len(pages) == 6 + len(make.MODULES)
    assert "class Halfway" in pages["adding"] and "quorum why" in pages["commands"] and "nginx" in pages["serving"]
    for page in pages.values():
        assert page.count("<h1>") == 1 and "http-equiv" not in page
        assert not re.findall(r"""(?:src|href)=["']//|<script""", page)


def test_a_fault_is_said(tmp_path, monkeypatch, capsys):
    def undocumented():
        pass

    monkeypatch.setattr("consensus_core.neighbours.undocumented", undocumented, raising=False)
    undocumented.__module__ = "consensus_core.neighbours"
    monkeypatch.setattr(make, "MODULES", {"consensus_core.neighbours": "Neighbours"})
    monkeypatch.setattr(make, "lessons", lambda docs: '<a href="nowhere.html">nowhere</a>')
    monkeypatch.setattr(make, "examples", lambda docs: 0)
    assert make.main(str(tmp_path / "pages")) == 1
    said = capsys.readouterr().err
    assert "consensus_core.neighbours.undocumented has no docstring" in said and "nowhere.html leads nowhere" in said
