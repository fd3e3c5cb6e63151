"""ZIP containers (XLSX, NPZ), looked at before anything is unpacked."""

from __future__ import annotations

import io
import zipfile
import zlib

from .sentences import fault, shown, too_large
from .source import Source, allowed_growth, bomb

_MOST_ENTRIES = 10_000
_BROKEN = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError, KeyError)


class Archive:
    """The entries of a ZIP file, with their unpacked sizes added up beforehand."""

    def __init__(self, source: Source, max_bytes: int):
        self.file = source.name
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(source.data))
            entries = self._zip.infolist()
        except (*_BROKEN, UnicodeDecodeError, IndexError):
            raise self._damaged() from None
        if len(entries) > _MOST_ENTRIES:
            raise too_large(self.file, f"it holds {len(entries):,} packed files", "give the table alone")
        self._limit = allowed_growth(len(source.data), max_bytes)
        if sum(entry.file_size for entry in entries) > self._limit:
            raise bomb(self.file, self._limit)
        if any(entry.flag_bits & 1 for entry in entries):
            raise fault(self.file, "it is locked with a password", "save it without one")
        self.names = [entry.filename for entry in entries if not entry.filename.endswith("/")]
        if len(set(self.names)) < len(self.names):
            twice = next(name for name in self.names if self.names.count(name) > 1)
            raise fault(self.file, f"{shown(twice)} is in it twice", "save it again")
        self._sizes = {entry.filename: entry.file_size for entry in entries}

    def kind(self) -> str:
        """ "xlsx" or "npz"; anything else is refused by its name."""
        names = set(self.names)
        if any(name.lower().endswith("vbaproject.bin") for name in names):
            raise fault(self.file, "this Excel workbook contains macros (programs)", "save it as .xlsx without macros")
        if "xl/workbook.xml" in names:
            return "xlsx"
        if "xl/workbook.bin" in names:
            raise fault(self.file, "this is a binary Excel workbook (.xlsb)", "save it as .xlsx")
        if names and all(name.endswith(".npy") for name in names):
            return "npz"
        if "mimetype" in names and b"opendocument" in self.head("mimetype", 200):
            raise fault(self.file, "this is an OpenDocument file", "save it as .xlsx or CSV")
        if any(name.startswith(("word/", "ppt/")) for name in names):
            raise fault(
                self.file, "this is a Word or PowerPoint file", "copy its table into a spreadsheet and save that"
            )
        if any(name.startswith("META-INF/") for name in names):
            raise fault(self.file, "this is a program (Java archive)", "programs are never opened; give a table")
        if any(name.endswith(("data.pkl", ".pkl", ".pickle")) for name in names):
            raise fault(self.file, "there is a Python pickle in it, which can run programs", "save it with numpy.savez")
        if not names:
            raise fault(self.file, "there is nothing in this ZIP archive", "save the table again")
        if any(name.endswith(".npy") for name in names):
            return "npz"
        raise fault(
            self.file,
            f"this is a ZIP archive of {len(names)} files, such as {shown(self.names[0])}",
            "unpack it and give the table alone",
        )

    def size(self, name: str) -> int:
        return self._sizes[name]

    def head(self, name: str, length: int) -> bytes:
        try:
            with self._zip.open(name) as entry:
                return entry.read(length)
        except _BROKEN:
            raise self._damaged() from None

    def read(self, name: str) -> bytes:
        try:
            return self._zip.read(name)
        except _BROKEN:
            raise self._damaged() from None

    def _damaged(self):
        return fault(self.file, "the packed file is damaged or cut off", "save or send it again")
