"""How a text table is laid out: where it begins, separator, decimal sign, header. Looks at a sample only."""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import dataclass

from ...numbers import counted
from ..choices import Choices, missing_texts
from ..limits import check_columns
from ..wording import fault, numbered, shown
from .header import COMMA_NUMBER, NUMBER, column_names, find_header, is_number

SEPARATORS = (",", ";", "\t", "|", " ")
_WORDS = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar", " ": "blanks"}
_LINES = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_LOOKED_AT = 400  # rows that are weighed cell by cell


@dataclass(frozen=True)
class Layout:
    separator: str
    decimal: str
    header: bool
    names: list[str]
    unnamed: frozenset[str]
    row_names: bool  # the header is one cell short: the first column, which has no name, holds names of the rows
    skipped: int  # lines before the first row of data
    sample: list[tuple[int, list[str]]]  # (line from 0, cells) of the first rows of data
    because: list[str]

    @property
    def cells(self) -> list[list[str]]:
        return [cells for _, cells in self.sample]


def records(lines, separator: str):
    """(line number from 0, cells) of every line that is not blank. Blanks separate in runs."""
    if separator == " ":
        for number, line in enumerate(lines):
            if line.strip():
                quoted = '"' in line
                yield (
                    number,
                    next(csv.reader([re.sub(r"[ \t]+", " ", line.strip())], delimiter=" ")) if quoted else line.split(),
                )
        return
    reader = csv.reader(lines, delimiter=separator)
    while True:
        begins = reader.line_num
        cells = next(reader, None)
        if cells is None:
            return
        if cells:
            yield begins, cells


def find_layout(file: str, sample: str, whole: bool, choices: Choices) -> Layout:
    lines = _LINES.findall(sample)
    if not whole and len(lines) > 1:
        lines.pop()  # cut in the middle
    because: list[str] = []
    begin, said = _preamble(lines)
    comment = lines[begin - 1].lstrip("#% \t") if begin and lines[begin - 1].lstrip()[:1] in ("#", "%") else None
    body = lines[begin:]
    if not any(line.strip() for line in body):
        raise fault(file, "there is no row of data", "save it again and check that it has rows")
    separator = choices.separator or said or _best_separator(body, choices.decimal)
    rows = _rows(file, body, separator)
    width = Counter(len(cells) for _, cells in rows).most_common(1)[0][0]
    check_columns(file, width)
    because.append(f"The separator is {_WORDS.get(separator, shown(separator))}: {_why(choices, said, rows, width)}.")
    decimal, why = _decimal(rows, separator, choices)
    because.append(f"The decimal sign is {'a comma' if decimal == ',' else 'a point'}: {why}.")
    head = _head(rows, len(body), comment, separator, width, begin, decimal, choices)
    because.append(f"{'The first row is a header' if head.titles is not None else 'There is no header'}: {head.why}.")
    row = begin + rows[0][0] + 1
    titles = head.titles
    if titles is not None and len(titles) != width:
        raise fault(
            file,
            f"there {'is' if len(titles) == 1 else 'are'} {counted(len(titles), 'cell')} where the other rows have "
            f"{width:,}, it begins with {shown(separator.join(titles))}",
            "remove titles above the table, and give every row the same number of cells",
            row=row,
        )
    names, unnamed = column_names(file, titles, row) if titles else (numbered(width), frozenset())
    if head.short and titles is not None and "row names" not in names:
        names, unnamed = ["row names", *names[1:]], unnamed - {names[0]} | {"row names"}
    data = [(begin + line, cells) for line, cells in rows[head.rows_used :]]
    row_names = head.short and titles is not None
    return Layout(separator, decimal, titles is not None, names, unnamed, row_names, head.skipped, data, because)


@dataclass(frozen=True)
class _Head:
    titles: list[str] | None
    why: str
    skipped: int  # lines above the data
    rows_used: int = 0  # rows of the sample that are no data
    short: bool = False


def _head(rows, length: int, comment, separator, width, begin, decimal, choices) -> _Head:
    """The header: a comment line, the first row, or none."""
    first, rest = rows[0][1], [cells for _, cells in rows[1:_LOOKED_AT]]
    if comment and len(first) > 1 and choices.header is not False:
        cells = next((cells for _, cells in records([comment], separator)), [])
        if len(cells) == width and not all(is_number(cell, decimal) for cell in cells):
            return _Head(cells, "the comment line above the data holds a name for each column", begin)
    # R leaves the cell above the row names out
    short = len(first) == width - 1 and len(rows) > 1 and (width > 2 or is_number(rows[1][1][-1], decimal))
    found, why = find_header([""] * short + first, rest, decimal, missing_texts(choices))
    if short and (found or "numbers" not in why):
        found, why = True, "the first row has one cell less than the others, as R writes a table with row names"
    if choices.header is not None:
        found, why = choices.header, "as chosen"
    if not found:
        return _Head(None, why, begin)
    skipped = begin + (rows[1][0] if len(rows) > 1 else length)
    return _Head([""] * short + first, why, skipped, 1, short)


def _preamble(lines) -> tuple[int, str | None]:
    """How many blank and comment lines come first, and the separator a line 'sep=;' names."""
    begin, said = 0, None
    for line in lines:
        text = line.strip("\r\n")
        if (named := re.fullmatch(r'"?sep=([,;|\t ])"?', text)) and said is None:
            said = named[1]
        elif text.strip() and text.lstrip()[0] not in "#%":
            break
        begin += 1
    return begin, said


def _rows(file, body, separator):
    try:
        rows = list(records(body, separator))
    except csv.Error as trouble:
        raise fault(file, f"the rows cannot be told apart ({trouble})", "check the quotation marks") from None
    if not rows:
        raise fault(file, "there is no row of data", "save it again and check that it has rows")
    return rows


def _best_separator(body, decimal) -> str:
    """The one that cuts most rows into the same number of cells, and cells into clean numbers and words."""
    candidates = [separator for separator in SEPARATORS if separator != decimal]
    best, best_score = candidates[0], (0.0, 0)
    for separator in candidates:
        try:
            rows = [cells for _, cells in records(body[:_LOOKED_AT], separator)]
        except csv.Error:
            continue
        if not rows:
            continue
        width, often = Counter(map(len, rows)).most_common(1)[0]
        if width < 2:
            continue
        cells = [cell for row in rows for cell in row][:20_000]
        clean = sum(_clean(cell, separator) for cell in cells) / len(cells)
        score = (round(often / len(rows) * clean, 3), width)
        if score > best_score:
            best, best_score = separator, score
    return best


def _clean(cell: str, separator: str) -> bool:
    text = cell.strip()
    if NUMBER.fullmatch(text) or (separator != "," and COMMA_NUMBER.fullmatch(text)):
        return True
    return not any(other in text for other in ",;\t|")


def _why(choices, said, rows, width) -> str:
    if choices.separator:
        return "as chosen"
    if said:
        return "the file says so in its first line"
    if width == 1:
        return "no separator cuts the rows alike, so there is one column"
    even = sum(1 for _, cells in rows if len(cells) == width)
    return f"it cuts {even:,} of the first {counted(len(rows), 'row')} into {width:,} cells"


def _decimal(rows, separator, choices) -> tuple[str, str]:
    if choices.decimal:
        return choices.decimal, "as chosen"
    cells = [cell.strip() for _, row in rows[:_LOOKED_AT] for cell in row]
    points = sum(1 for cell in cells if "." in cell and NUMBER.fullmatch(cell))
    commas = sum(1 for cell in cells if "," in cell and COMMA_NUMBER.fullmatch(cell)) if separator != "," else 0
    if commas > points:
        return ",", f"there are numbers like {next(c for c in cells if ',' in c and COMMA_NUMBER.fullmatch(c))}"
    if points:
        return ".", f"there are numbers like {next(c for c in cells if '.' in c and NUMBER.fullmatch(c))}"
    return ".", "no number in the first rows has decimals"
