"""The parts of an Excel workbook (XLSX): its sheets, texts and cells, one XML element at a time.

Read here rather than by a general reader, because a row number or a reference can claim any size: everything is
checked before memory is taken for it, and what would be misread (merged cells, formulas that were never computed) is
noticed on the way.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from functools import cached_property
from xml.parsers import expat

from ...errors import InputError
from ..file import File
from ..limits import LONGEST_TEXT, MOST_PARTS, OBJECT_CELLS, check_cells, endless
from ..progress import tell
from ..wording import fault, shown
from .archive import Archive
from .sheet import SAVE, Enough, Sheet

_CHUNK = 2**21
_ROOT = re.compile(rb"<([^\s<>?!/]+)")  # the first element


class Workbook:
    def __init__(self, source: File, archive: Archive):
        self.file, self._archive = source.name, archive
        if any(b"<!DOCTYPE" in archive.head(name, 4096) for name in archive.names if name.endswith((".xml", ".rels"))):
            raise self._harmful()
        self._ids: list[tuple[str, str]] = []  # (title, id of its file)
        self._targets: dict[str, str] = {}
        self._early = False  # dates count from 1904
        self._parse("xl/workbook.xml", self._of_workbook)
        self._parse("xl/_rels/workbook.xml.rels", self._of_relations)
        self._paths = {title: self._path(id) for title, id in self._ids if "chartsheet" not in self._path(id)}
        self.sheets = list(self._paths)
        if not self.sheets:
            raise fault(self.file, "there is no sheet with cells in this workbook", SAVE)
        if len(self.sheets) > MOST_PARTS:
            raise fault(
                self.file,
                f"it has {len(self.sheets):,} sheets, {MOST_PARTS:,} are allowed",
                "save the sheet that holds the table as a workbook of its own",
            )

    def sheet(self, title: str, max_cells: int, glance: tuple[int, int] | None = None) -> Sheet:
        """A sheet's cells; at a `glance` no more than so many rows and cells."""
        found = Sheet(self, title, min(max_cells, OBJECT_CELLS), glance)
        path = self._paths[title]
        if path not in self._archive.names:
            raise self._damaged(f"sheet {shown(title)} is damaged")
        try:
            self._parse(path, *found.handlers(), f"sheet {shown(title)} is damaged")
        except Enough:
            pass
        found.close()
        return found

    @cached_property
    def strings(self) -> list[str]:
        """The texts that cells refer to by number."""
        found = _Strings(self.file)
        if "xl/sharedStrings.xml" in self._archive.names:
            check_cells(self.file, self._archive.read("xl/sharedStrings.xml").count(b"<si"), OBJECT_CELLS)
            self._parse("xl/sharedStrings.xml", found.begin, found.end, found.text)
        return found.all

    @cached_property
    def date_styles(self) -> frozenset[int]:
        """The numbers of the cell styles that show a number as a date."""
        from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format

        formats, styles, inside = dict(BUILTIN_FORMATS), [], [False]

        def begin(name, attributes):
            if name == "numFmt":
                formats[int(attributes["numFmtId"])] = attributes.get("formatCode", "")
            elif name in ("cellXfs", "cellStyleXfs"):
                inside[0] = name == "cellXfs"
            elif name == "xf" and inside[0]:
                styles.append(int(attributes.get("numFmtId", 0)))
                if len(styles) > 2**16:
                    raise ValueError("more styles than Excel allows")

        if "xl/styles.xml" in self._archive.names:
            self._parse("xl/styles.xml", begin)
        dates = {id for id, format in formats.items() if is_date_format(format[:1000])}
        return frozenset(style for style, id in enumerate(styles) if id in dates)

    def date(self, number: float):
        from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900, from_excel

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return from_excel(number, CALENDAR_MAC_1904 if self._early else CALENDAR_WINDOWS_1900)
        except (OverflowError, ValueError):
            return "#VALUE!"

    def _of_workbook(self, name, attributes) -> None:
        if name == "sheet":
            id = next((value for key, value in attributes.items() if key.endswith(":id")), "")
            self._ids.append((attributes.get("name", ""), id))
        elif name == "workbookPr":
            self._early = attributes.get("date1904") in ("1", "true")

    def _of_relations(self, name, attributes) -> None:
        if name == "Relationship":
            self._targets[attributes.get("Id", "")] = attributes.get("Target", "")

    def _path(self, id: str) -> str:
        target = self._targets.get(id, "")
        return target.lstrip("/") if target.startswith("/") else f"xl/{target}"

    def _parse(self, path: str, begin: Callable, end=None, text=None, damaged="this Excel workbook is damaged") -> None:
        """Every element of one of the workbook's files, as it comes; names without their prefix."""

        def local(handler):
            return lambda name, *more: handler(name.rpartition(":")[2], *more)

        root = _ROOT.search(self._archive.head(path, 4096))
        prefixed = root is not None and b":" in root[1]
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = local(begin) if prefixed else begin
        parser.EndElementHandler = local(end) if prefixed and end else end
        parser.CharacterDataHandler = text
        parser.StartDoctypeDeclHandler = self._refuse_entities
        try:
            with self._archive.open(path) as entry:
                done, size = 0, max(1, self._archive.size(path))
                while chunk := entry.read(_CHUNK):
                    parser.Parse(chunk, False)
                    done += len(chunk)
                    tell("reading the workbook", min(1.0, done / size))
            parser.Parse(b"", True)
        except (InputError, Enough):
            raise
        except Exception:  # whatever a damaged part causes
            raise self._damaged(damaged) from None

    def _refuse_entities(self, *_) -> None:
        raise self._harmful()

    def _harmful(self) -> InputError:
        return fault(self.file, "its XML declares entities, as harmful files do", SAVE)

    def _damaged(self, what: str) -> InputError:
        return fault(self.file, what, SAVE)


class _Strings:
    """The texts of a workbook; how they are pronounced (rPh) is no part of them."""

    def __init__(self, file: str):
        self.file, self.all, self._parts, self._letters = file, [], [], 0
        self._in_text = self._aside = False

    def begin(self, name, attributes) -> None:
        if name == "t":
            self._in_text = not self._aside
        elif name == "rPh":
            self._aside = True

    def text(self, data: str) -> None:
        if self._in_text:
            self._parts.append(data)
            self._letters += len(data)
            if self._letters > LONGEST_TEXT:
                raise endless(self.file, self._letters, None, None)

    def end(self, name) -> None:
        if name == "t":
            self._in_text = False
        elif name == "rPh":
            self._aside = False
        elif name == "si":
            self.all.append("".join(self._parts))
            self._parts, self._letters = [], 0
