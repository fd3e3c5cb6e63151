"""Small pieces of HTML: a figure with what it means and the line that makes it, a table, a warning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from ..drawing import paper
from ..text import html
from .told import made

STYLE = paper.Style(width=110, size=8, clusters="quorum")  # clusters as on the screen


def figure(make: Callable[[], paper.Sheet], means: str, code: str) -> str:
    """Where it cannot be drawn, that is said in its place."""

    def drawn(_) -> str:
        return f"{make().svg()}<figcaption>{html(means)}<code>{html(code)}</code></figcaption>"

    return f"<figure>{made(drawn, None)}</figure>"


def figures(*each: str) -> str:
    return f'<div class="figures">{"".join(each)}</div>'


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[object]], numbers: Sequence[int] = ()) -> str:
    """`numbers`: the columns that hold numbers, set to the right."""
    kind = lambda i: ' class="n"' if i in numbers else ""  # noqa: E731
    top = "".join(f'<th scope="col"{kind(i)}>{html(text)}</th>' for i, text in enumerate(head))
    lines = []
    for row in rows:
        first = f'<th scope="row">{html(row[0])}</th>'
        rest = "".join(f"<td{kind(i)}>{html(cell)}</td>" for i, cell in enumerate(row[1:], 1))
        lines.append(f"<tr>{first}{rest}</tr>")
    inside = (
        f"<table><caption>{html(title)}</caption><thead><tr>{top}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    )
    return f'<div class="wide" tabindex="0" role="group" aria-label="{html(title)}">{inside}</div>'


def words(*sentences: object) -> str:
    return "".join(f"<p>{html(sentence)}</p>" for sentence in sentences if sentence)


def listed(sentences: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{html(one)}</li>' for one in sentences)}</ul>" if sentences else ""


def code(text: str, what: str) -> str:
    """Of ours, or written in ASCII: its lines and blanks stay."""
    return f'<pre tabindex="0" role="group" aria-label="{html(what)}"><code>{escape(text)}</code></pre>'
