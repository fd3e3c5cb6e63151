"""What somebody else wrote stays text: for HTML, LaTeX, Plotly, spreadsheets, programs and Markdown."""

from __future__ import annotations

import ast
import csv
import html as html_room
import io
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consensus_core.text import (
    csv_cell,
    from_plotly,
    html,
    isolated,
    latex,
    plotly,
    python_string,
    python_words,
    visible,
)
from pages.ui.words import JOIN, Marked, plain, said

HOSTILE = (
    "![b](http://evil.example/x.png)",
    "[click](javascript:alert(1))",
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "http://evil.example?1",
    "www.evil.example",
    "a@evil.example",
    ":red[x] :material/home: :smile: :streamlit:",
    "$\\href{http://evil.example}{x}$",
    "`code` **bold** _it_ ~~gone~~ # h",
    "1. one\n\n* two\n> three",
    "a -> b <-> c -- d >= e",
    "abc\u202egpj.exe",
    "\u2067\u05d0\u2069",
    "a\0b\x07\x1b[31m",
    "\ud800",
    "name\\x.csv",
    '""" + __import__(\'os\').system(\'x\') + """',
    "=cmd|calc!A1",
    "{0.__class__} {{x}} %(x)s %s",
    "| a | b |\n|---|---|",
    "&lt;b&gt; &amp; &#x41;",
    "\U0001f9d1\u200d\U0001f52c emoji",
    "שלום world",
)


# --- seen -----------------------------------------------------------------------------------------------------------


@given(st.text())
def test_what_is_shown_can_be_seen_and_turns_nothing(text):
    for sign in visible(text):
        assert sign in "\u200c\u200d" or unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Zl", "Zp")


def test_ordinary_names_stay_as_they_are():
    for name in ("kmeans 3", "Ärzte & Söhne", "x_1 (copy)", "日本語", "α = 0.8", "\U0001f9d1\u200d\U0001f52c", "naïve"):
        assert visible(name) == name == isolated(name)
        assert visible(plain(name).replace("\\", "").replace(JOIN, "")) == name
    assert visible("a\nb\t c") == "a b c" and visible("x" * 50, most=10) == "x" * 9 + "…"
    assert isolated("שלום") == "\u2068שלום\u2069"


# --- each place -----------------------------------------------------------------------------------------------------


@given(st.text() | st.sampled_from(HOSTILE))
def test_html(text):
    written = html(text)
    assert not re.search(r"[<>\"']", written)
    assert html_room.unescape(written).strip("\u2068\u2069") == visible(text)


@given(st.text() | st.sampled_from(HOSTILE))
def test_plotly(text):
    written = plotly(text)
    assert "<" not in written and "$" not in written
    assert from_plotly(written) == visible(text).strip("\u2068\u2069")


@given(st.text() | st.sampled_from(HOSTILE))
def test_latex(text):
    bare = re.sub(r"\\textbackslash\{\}|\\textasciicircum\{\}|\\textasciitilde\{\}|\\[{}$&#%_]", "", latex(text))
    assert not re.search(r"[\\{}$&#%_^~]", bare)


@pytest.mark.parametrize(
    "cell", ["=1+1", "+cmd|calc!A1", "@SUM(A1)", "-2+3", "\t=1", "\r=1", "-", "+", "=", "-x", "+.", "-1-1"]
)
def test_a_formula_is_no_formula_any_more(cell):
    assert csv_cell(cell) == "'" + cell


@pytest.mark.parametrize(
    "cell",
    ["", "a=b", "x", "-1", "+1", "-1.5e-3", "-1,234.5", "-1.234,5", "+50%", "-.5", "-5.", " =1", 3, -2.5, None, True],
)
def test_numbers_and_other_cells_stay(cell):
    assert csv_cell(cell) is cell


@given(st.text() | st.sampled_from(HOSTILE))
def test_no_cell_begins_like_a_formula_unless_it_is_a_number(text):
    cell = csv_cell(text)
    assert not cell or (cell[0] not in "=@\t\r\n" and (cell[0] not in "+-" or re.fullmatch(r"[\d.,' eE%+-]+", cell)))
    out = io.StringIO()
    csv.writer(out).writerow([cell])
    assert "\0" in cell or next(csv.reader(io.StringIO(out.getvalue(), newline=""))) == [cell]


@given(st.text() | st.sampled_from(HOSTILE))
def test_generated_programs_say_what_was_meant(text):
    """A backslash in a file name made the docstring a syntax error; a quote would have ended it."""
    assert ast.literal_eval(python_string(text)) == text
    program = f'"""On {python_words(text)}: a run."""\n# {python_words(text)}\nx = {python_string(text)}\n'
    tree = ast.parse(program.encode("utf-8"))
    assert len(tree.body) == 2 and "\n" not in python_string(text)


# --- Markdown -------------------------------------------------------------------------------------------------------


@given(st.text() | st.sampled_from(HOSTILE))
def test_in_markdown_every_sign_that_means_something_is_escaped(text):
    written = plain(text)
    assert re.sub(r"\\(.)", r"\1", written).replace(JOIN, "").strip("\u2068\u2069") == visible(text).strip(
        "\u2068\u2069"
    )
    bare = re.sub(r"\\[!-/:-@\[-`{-~]", "", written)
    assert not re.search(r"[!-/:-@\[-`{-~]", bare)
    # what is looked for in the text after the escapes are gone: links, icons, emoji, arrows
    shown = re.sub(r"\\(.)", r"\1", written)
    assert not re.search(r"https?://|www\.|\w@\w|:[\w+-]+:|:material/", shown)
    assert not re.search(r"(^|\s)(<->|->|<-|--|>=|<=|~=)(\s|$)", shown)


def test_sentences_escape_what_is_put_into_them():
    sentence = said("**{title}** has {n:,} objects, {share:.0%}", title="a*b", n=1234, share=0.25)
    assert sentence == "**a\\*b** has 1,234 objects, 25%"
    assert said("{a} and {b}", a=sentence, b=plain("x_y")) == "**a\\*b** has 1,234 objects, 25% and x\\_y"
    assert isinstance(sentence, Marked) and plain(sentence) is sentence
    assert said("{x!r:>6}", x="_") == "\\'\\_\\'" or "_" in said("{x!r:>6}", x="_")


def test_what_is_put_in_is_no_template():
    assert said("{a}", a="{b} {0.__class__}", b=1) == "\\{b\\} \\{0\\.\\_\\_class\\_\\_\\}"
    with pytest.raises(TypeError):
        said("{a.__class__}", a="x")
