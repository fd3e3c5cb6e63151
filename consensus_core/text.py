"""Text that somebody else wrote, as nothing but text: names, ids, cells and file names, wherever they are written.

Each place has signs of its own that mean something: here each has one way to take their meaning away. `visible` comes
before all of them: control characters, and those that turn the direction of writing, become a sign that can be seen.
"""

from __future__ import annotations

import html as _html
import re
import unicodedata
from typing import Any

UNSEEN = "\ufffd"
JOINERS = "\u200c\u200d"  # parts of emoji and of scripts that need them
FORMULA = "=+-@\t\r\n＝＋－＠"  # a spreadsheet takes a cell that begins so for a formula; some the wide ones too
# a number as people and programs write it: not a formula, whatever it begins with
_NUMBER = re.compile(r"[+-]?(\d{1,3}([ ,.']\d{3})+|\d+)?([.,]\d*)?([eE][+-]?\d{1,4})?%?")
_DIGIT = re.compile(r"\d")
_PLOTLY_TEX = re.compile(r"\$")
_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
}  # fmt: skip


def visible(text: Any, most: int | None = None) -> str:
    """On one line, with nothing in it that cannot be seen or turns what stands beside it; cut after `most` signs."""
    line = " ".join(str(text).split())
    if most is not None and len(line) > most:
        line = line[: most - 1] + "…"
    if line.isascii() and line.isprintable():
        return line
    return "".join(sign if _shows(sign) else UNSEEN for sign in line)


def _shows(sign: str) -> bool:
    return sign in JOINERS or unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Zl", "Zp")


def turns(text: str) -> bool:
    """It is written from right to left, at least in part: beside other text it needs a place of its own."""
    return not text.isascii() and any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in text)


def isolated(text: str) -> str:
    """So that its direction stays its own."""
    return f"\u2068{text}\u2069" if turns(text) else text


def html(text: Any) -> str:
    """In an element or a quoted attribute."""
    return _html.escape(isolated(visible(text)), quote=True)


def latex(text: Any) -> str:
    r"""Within \text{…}, for KaTeX and LaTeX alike."""
    return "".join(_LATEX.get(sign, sign) for sign in visible(text))


def plotly(text: Any) -> str:
    """In a title, a tick, a legend or a hover: Plotly reads a little HTML there, and TeX where MathJax is loaded."""
    return _PLOTLY_TEX.sub("&#36;", _html.escape(isolated(visible(text)), quote=False))


def from_plotly(text: Any) -> str:
    """What `plotly` was given, but for what cannot be seen."""
    return _html.unescape(str(text)).strip("\u2068\u2069")


def csv_cell(value: Any) -> Any:
    """A cell no spreadsheet computes: text that looks like a formula gets an apostrophe in front; numbers stay."""
    if not isinstance(value, str) or value[:1] not in FORMULA or not value:
        return value
    if value[0] in "+-" and _NUMBER.fullmatch(value) and _DIGIT.search(value):
        return value
    return "'" + value


def python_string(text: Any) -> str:
    """A literal of this text for a generated program, on one line and in ASCII quotes whatever is in it."""
    return ascii(str(text)) if any(not _shows(sign) for sign in str(text)) else repr(str(text))


def python_words(text: Any) -> str:
    """Within a docstring or a comment of a generated program: no quote ends it, no backslash begins anything."""
    return visible(text).replace("\\", "/").replace('"', "'")
