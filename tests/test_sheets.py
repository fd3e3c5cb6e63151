"""A method's sheet says what its class says, and every equation on it is what ran."""

import unicodedata

import numpy as np
import pytest

from consensus_core import METHODS, InputError, iterate
from consensus_core.data import sheets
from consensus_core.data.samples import load
from consensus_core.data.sheets import NOTES, SAMPLE, K, displayed, growth, letter_in_latex, sheet
from consensus_core.equations.tree import evaluate


@pytest.mark.parametrize("key", METHODS)
def test_every_equation_is_there_and_is_what_ran(key):
    cls, ensemble = METHODS[key], load(SAMPLE).ensemble
    steps = list(iterate(cls(k=K), ensemble))
    told = sheet(cls).equations
    assert [one.name for one in told] == list(cls.equations())
    shown = {quantity.name for quantity in cls.quantities()}
    seen = 0
    for one in told:
        computed = [case for case, formula in one.equation.formulas.items() if formula.text() != "it"]
        assert [form.case for form in one.forms] == computed
        assert (one.quantity is not None) == (one.name in shown)
        for form in one.forms:
            if form.at_work is None:
                continue
            seen += 1
            why = form.at_work.told
            assert why.case == form.case and form.filled
            if not why.formula.is_condition:
                assert evaluate(why.formula.tree, why.numbers) == pytest.approx(why.value, rel=1e-9, abs=1e-12)
            if one.quantity is not None:
                outward = form.at_work.outward(why.address)
                assert steps[outward.iteration].entry(one.name, *outward.where) == pytest.approx(why.value, abs=1e-12)
    assert seen >= len(told) / 2


@pytest.mark.parametrize("key", METHODS)
def test_letters_have_meanings_and_lead_to_equations_of_the_sheet(key):
    cls = METHODS[key]
    for one in sheet(cls).equations:
        for letter in one.letters:
            assert letter.meaning or letter.kind != "entry", (one.name, letter)
            assert not letter.name or letter.name in cls.equations(), (one.name, letter)


@pytest.mark.parametrize("key", METHODS)
def test_notes_dials_and_laws(key):
    cls, one = METHODS[key], sheet(METHODS[key])
    wanted = f"consensus_core/methods/notes/{key}.md must say, under these headings, more than a word: {NOTES}"
    assert tuple(one.notes) == NOTES and all(len(text) > 40 for text in one.notes.values()), wanted
    assert one.dials == cls.params()
    for law, _, why_not in one.laws:
        kept = getattr(cls(k=K), law)
        assert bool(kept) == (not why_not) and str(kept) == (why_not or "True")


def test_a_search_finds_letters_words_and_numbers_of_equations():
    assert sheet(METHODS["spce"]).says("trust pair (13)")
    assert not sheet(METHODS["eac"]).says("multiplier")
    assert all(sheet(cls).says("") for cls in METHODS.values())


def test_a_heading_nobody_knows_is_a_fault(tmp_path, monkeypatch):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "eac.md").write_text("## What for\n\nThis.\n")
    monkeypatch.setattr(sheets, "METHODS_FILE", str(tmp_path / "__init__.py"))
    with pytest.raises(InputError, match="no heading “What for”; there are When to take it"):
        sheets.notes(METHODS["eac"])


def test_a_method_without_notes_has_none(tmp_path, monkeypatch):
    monkeypatch.setattr(sheets, "METHODS_FILE", str(tmp_path / "__init__.py"))
    assert sheets.notes(METHODS["eac"]) == {}


def test_mathematics_is_told_from_words():
    assert displayed("In words.") is None
    assert displayed("    a = b            (1)\n    c") == "a = b    (1)\nc"


@pytest.mark.parametrize(
    ("letter", "latex"),
    [
        ("W", "W"),
        ("σ(L)", r"\sigma (L)"),
        ("‖S‖₀", r"\Vert S\Vert _{0}"),
        ("Ŝ", r"\hat{S}"),
        ("components", r"\mathrm{components}"),
        ("y_p", "y_{p}"),
        ("Y⁽ⁱ⁾", "Y^{(i)}"),
        ("J⁽ᶜ⁾", "J^{(c)}"),
        ("T⁺A", "T^{+}A"),
    ],
)
def test_letters_in_latex(letter, latex):
    assert letter_in_latex(letter) == latex


@pytest.mark.parametrize("key", METHODS)
def test_all_that_is_raised_in_a_letter_is_written_so(key):
    """KaTeX raises a small high letter too: x^{(}ᶜ^{)} is raised twice, an error."""
    for one in METHODS[key].equations().values():
        left = [sign for sign in letter_in_latex(one.letter) if unicodedata.decomposition(sign).startswith("<super>")]
        assert not left, f"{one.letter}: {left}"


def test_growth_is_measured_beside_what_was_estimated():
    rows = list(growth(METHODS["eac"], sizes=(20, 40)))
    assert [row.groups for row in rows] == [sheets.planted(20).q, sheets.planted(40).q]
    assert all(row.seconds >= 0 and row.estimated > 0 and row.bytes > 0 for row in rows)
    assert np.diff([row.bytes for row in rows]) > 0
    assert not list(growth(METHODS["eac"], sizes=(20,), longest=0.0))
