"""A table as a value: the same columns and cells on a page, in a CSV, in LaTeX and in HTML."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..equations.symbols import GREEK
from ..numbers import bytes_in_words, number, seconds_in_words
from ..text import csv_cell, html, latex, visible

_SIGNS = {"±": r"\pm", "−": "-", "≤": r"\le", "≥": r"\ge", "·": r"\cdot", "×": r"\times", "√": r"\surd"}
_HIGH = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-", strict=True))
_LOW = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))


@dataclass(frozen=True)
class Spread:
    """Mean and standard deviation (of a sample) over repeats."""

    mean: float
    std: float
    count: int

    def __str__(self) -> str:
        return NOTHING if not math.isfinite(self.mean) else f"{self.mean:.3f} ± {self.std:.3f}"


NOTHING = "–"
WRITTEN: dict[str, Callable[[Any], str]] = {
    "text": str,
    "score": lambda x: f"{x:.3f}",
    "count": lambda x: f"{x:,.0f}",
    "share": lambda x: f"{x:.0%}",
    "number": number,
    "seconds": seconds_in_words,
    "bytes": bytes_in_words,
    "spread": str,
}


@dataclass(frozen=True)
class Column:
    key: str
    title: str
    meaning: str  # one sentence
    kind: str = "score"  # of WRITTEN
    better: str = ""  # "more", "less" or "": neither

    def written(self, value: Any) -> str:
        if value is None or (isinstance(value, float) and not math.isfinite(value)):
            return NOTHING
        return WRITTEN[self.kind](value)


@dataclass(frozen=True)
class Table:
    """`bold`: the cells (row, column) that stand out, and `notes` say why."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[dict[str, Any], ...]
    notes: tuple[str, ...] = ()
    bold: frozenset[tuple[int, str]] = field(default_factory=frozenset)

    def cells(self) -> list[list[str]]:
        return [[column.written(row.get(column.key)) for column in self.columns] for row in self.rows]

    def csv(self) -> bytes:
        """Numbers with all their digits; a mean and its standard deviation in two columns."""
        header: list[str] = []
        for column in self.columns:
            spread = column.kind == "spread"
            header += [f"{column.title} mean", f"{column.title} std"] if spread else [column.title]
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(map(csv_cell, header))
        for row in self.rows:
            line: list[Any] = []
            for column in self.columns:
                line += _plain(row.get(column.key), column.kind == "spread")
            writer.writerow(map(csv_cell, line))
        return out.getvalue().encode()

    def latex(self) -> str:
        """A tabular that needs no package; bold as on the page."""
        sides = "".join("l" if column.kind == "text" else "r" for column in self.columns)
        lines = [" & ".join(in_latex(column.title) for column in self.columns) + r" \\ \hline"]
        for i, cells in enumerate(self.cells()):
            told = [
                rf"\textbf{{{in_latex(cell)}}}" if (i, column.key) in self.bold else in_latex(cell)
                for column, cell in zip(self.columns, cells, strict=True)
            ]
            lines.append(" & ".join(told) + r" \\")
        caption = " ".join(in_latex(text) for text in (self.title, *self.notes))
        body = "\n".join(lines)
        return (
            f"\\begin{{table}}\n\\caption{{{caption}}}\n\\centering\n\\begin{{tabular}}{{{sides}}}\n\\hline\n{body}\n"
            "\\hline\n\\end{tabular}\n\\end{table}\n"
        )

    def html(self) -> str:
        """A page of its own that needs nothing else."""
        head = "".join(f'<th scope="col" title="{html(c.meaning)}">{html(c.title)}</th>' for c in self.columns)
        body = []
        for i, cells in enumerate(self.cells()):
            line = "".join(
                _html_cell(cell, column, (i, column.key) in self.bold, first)
                for first, (column, cell) in enumerate(zip(self.columns, cells, strict=True))
            )
            body.append(f"<tr>{line}</tr>")
        notes = "".join(f"<p>{html(note)}</p>" for note in self.notes)
        return (
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{html(self.title)}</title>\n'
            f"<style>{_STYLE}</style></head><body>\n<table><caption>{html(self.title)}</caption>\n"
            f"<thead><tr>{head}</tr></thead>\n<tbody>\n{chr(10).join(body)}\n</tbody></table>\n{notes}\n</body></html>\n"
        )


def in_latex(text: Any) -> str:
    """Text for LaTeX without packages: Greek letters and signs of mathematics by their commands."""
    out = []
    for sign in visible(text):
        if sign in GREEK:
            out.append(rf"\ensuremath{{\{GREEK[sign]}}}")
        elif sign in _SIGNS:
            out.append(rf"\ensuremath{{{_SIGNS[sign]}}}")
        elif sign in _HIGH:
            out.append(rf"\textsuperscript{{{_HIGH[sign]}}}")
        elif sign in _LOW:
            out.append(rf"\ensuremath{{_{_LOW[sign]}}}")
        else:
            out.append("--" if sign == NOTHING else latex(sign) if not sign.isspace() else " ")
    return "".join(out)


def sorted_rows(table: Table, key: str, falling: bool | None = None) -> list[int]:
    """The places of the rows in the order of a column, the better first unless said otherwise; what is not there comes
    last, and among equals those above stay above."""
    column = next(one for one in table.columns if one.key == key)
    falling = column.better == "more" if falling is None else falling

    def sense(i: int) -> tuple:
        value = table.rows[i].get(key)
        value = value.mean if isinstance(value, Spread) else value
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return (1, 0)
        return (0, value.casefold()) if isinstance(value, str) else (0, -value if falling else value)

    places = sorted(range(len(table.rows)), key=sense)
    if falling and column.kind == "text":
        there = [i for i in places if table.rows[i].get(key)]
        return [*reversed(there), *(i for i in places if not table.rows[i].get(key))]
    return places


def _plain(value: Any, spread: bool) -> Sequence[Any]:
    if spread:
        return ("", "") if value is None else (_plain(value.mean, False)[0], _plain(value.std, False)[0])
    return ("" if value is None or (isinstance(value, float) and math.isnan(value)) else value,)


def _html_cell(cell: str, column: Column, bold: bool, place: int) -> str:
    told = f"<b>{html(cell)}</b>" if bold else html(cell)
    if place == 0:
        return f'<th scope="row">{told}</th>'
    return f'<td class="{"text" if column.kind == "text" else "number"}">{told}</td>'


_STYLE = (
    "body{font:16px/1.5 sans-serif;margin:2rem;color:#11141b;background:#fff}table{border-collapse:collapse}"
    "caption{text-align:left;font-weight:600;padding:.5rem 0}th,td{padding:.25rem .7rem;border-bottom:1px solid #ccd}"
    "th{text-align:left;font-weight:500}thead th{border-bottom:2px solid #889}"
    "td.number{text-align:right;font-variant-numeric:tabular-nums}"
)
