"""A table in an Excel workbook: which sheet holds it, where it begins, what its columns are called."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...errors import InputError
from ...numbers import counted
from ..choices import Choices, missing_texts
from ..coded import cells_of
from ..column import classify
from ..file import File
from ..guess.header import column_names, find_header, is_number
from ..limits import check_size
from ..table import Part, Table, doubtful
from ..wording import fault, listed, numbered, shown
from .archive import Archive
from .sheet import Sheet
from .workbook import Workbook

_LOOKED_AT = 60  # rows of every sheet, to tell which holds a table
_GLANCE = 50_000  # cells of every sheet: three of the widest rows
_GLANCES = 300_000  # cells of all sheets; those that come later are not looked at


def read_excel(source: File, archive: Archive, choices: Choices, max_cells: int) -> Table:
    book = Workbook(source, archive)
    glances = _glances(book, choices, max_cells)
    parts = tuple(
        Part(title, glances[title].shape, "sheet", bool(glances[title].rows))
        if title in glances
        else Part(title, (), "sheet")
        for title in book.sheets
    )
    try:
        title, why = _choose(book, glances, choices)
        sheet = glances[title] if glances[title].whole else book.sheet(title, max_cells)
        sheet.refuse_traps()
        table = _table(sheet, choices, max_cells)
    except InputError as trouble:
        trouble.parts = parts
        raise
    return replace(table, because=(f"Sheet {shown(title)} is read: {why}.", *table.because), parts=parts)


def _glances(book: Workbook, choices: Choices, max_cells: int) -> dict[str, Sheet]:
    found, seen = {}, 0
    for title in book.sheets:
        if seen < _GLANCES or title == choices.sheet:
            found[title] = book.sheet(title, max_cells, (_LOOKED_AT, _GLANCE))
            seen += found[title].seen
    return found


def _choose(book: Workbook, glances: dict[str, Sheet], choices: Choices) -> tuple[str, str]:
    """(the sheet that is read, why)."""
    file, titles = book.file, book.sheets
    if choices.sheet is not None:
        if choices.sheet not in titles:
            raise fault(file, f"there is no sheet {shown(choices.sheet)}", f"choose among {listed(titles)}")
        if not glances[choices.sheet].rows:
            raise fault(file, f"sheet {shown(choices.sheet)} is empty", f"choose among {listed(titles)}")
        return choices.sheet, "as chosen"
    filled = [title for title in glances if glances[title].rows]
    if not filled:
        raise fault(file, "all its sheets are empty", "check that the right workbook was saved")
    if len(titles) == 1:
        return titles[0], "it is the only one"
    tables = [title for title in filled if _holds_a_table(glances[title], choices)]
    if not tables:
        return filled[0], "it is the first that is not empty"
    before = [title for title in filled[: filled.index(tables[0])]]
    but = f", {listed(before, 3)} {'does' if len(before) == 1 else 'do'} not" if before else ""
    return tables[0], f"it is the first that holds a table{but}"


def _holds_a_table(sheet: Sheet, choices: Choices) -> bool:
    """Rows that are filled alike, and at least one column of numbers or of texts that repeat."""
    rows = [row for row in sheet.rows if any(cell is not None for cell in row)]
    if len(rows) < 3 or sheet.width < 2:
        return False
    body = rows[1:]
    usual = sorted(sum(cell is not None for cell in row) for row in body)[len(body) // 2]
    if usual < 2:
        return False
    for j in range(sheet.width):
        cells = [str(row[j]) for row in body if j < len(row) and row[j] is not None]
        if 2 * len(cells) > len(body):
            if sum(map(is_number, cells)) > 0.5 * len(cells) or len(set(cells)) < 0.8 * len(cells):
                return True
    return False


def _table(sheet: Sheet, choices: Choices, max_cells: int) -> Table:
    file = sheet.book.file
    filled = [i for i, row in enumerate(sheet.rows) if any(cell is not None for cell in row)]
    above = _titles(sheet, filled)
    blank = len(sheet.rows) - filled[0] - len(filled)
    places = filled[above:]
    rows = [sheet.rows[i] + [None] * (sheet.width - len(sheet.rows[i])) for i in places]
    texts = [["" if cell is None else str(cell) for cell in row] for row in rows[:400]]
    header, why = find_header(texts[0], texts[1:], ".", missing_texts(choices))
    if choices.header is not None:
        header, why = choices.header, "as chosen"
    if header:
        names, unnamed = column_names(file, texts[0], places[0] + 1)
        rows, places = rows[1:], places[1:]
    else:
        names, unnamed = numbered(sheet.width), frozenset()
    check_size(file, len(rows), len(names), max_cells)
    missing = missing_texts(choices)
    columns = tuple(classify(name, cells_of([row[j] for row in rows]), missing) for j, name in enumerate(names))
    notes = [f"{counted(blank, 'blank row was', 'blank rows were')} passed over."] if blank else []
    if above:
        said = counted(above, "row of titles above the table was", "rows of titles above the table were")
        notes.append(f"{said} passed over.")
    return Table(
        file,
        "xlsx",
        columns,
        len(rows),
        replace(choices, sheet=sheet.title, header=header),
        rows=_numbers(places),
        letters={(i, j): "" if rows[i][j] is None else str(rows[i][j]) for i, j in doubtful(columns)},
        because=(f"{'The first row is a header' if header else 'There is no header'}: {why}.",),
        notes=tuple(notes),
        unnamed=unnamed,
        has_header=header,
    )


def _titles(sheet: Sheet, filled: list[int]) -> int:
    """How many of the first rows hold a title only: one cell, where the rows below hold three or more."""
    counts = [sum(cell is not None for cell in sheet.rows[i]) for i in filled[:_LOOKED_AT]]
    usual = sorted(counts)[len(counts) // 2]
    above = next((k for k, count in enumerate(counts) if count > 1), 0)
    return above if usual >= 3 else 0


def _numbers(places: list[int]):
    """The sheet's row of the first object, or of every one where blank rows stand between."""
    if not places or places[-1] - places[0] == len(places) - 1:
        return places[0] + 1 if places else 1
    return np.array(places, dtype=np.int64) + 1
