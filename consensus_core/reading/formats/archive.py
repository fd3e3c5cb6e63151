"""Packed files (gzip, and the ZIP containers XLSX and NPZ), looked at before anything is unpacked."""

from __future__ import annotations

import io
import zipfile
import zlib

from ..file import File
from ..limits import allowed_growth, bomb
from ..progress import tell
from ..wording import fault, shown, too_large

_MOST_ENTRIES = 10_000
_MOST_TITLES = 4 * 2**20  # bytes of a ZIP file's own list of contents
_MOST_MEMBERS = 100_000  # of a gzip file: one for every 64 KB where it was packed in blocks
_CHUNK = 2**14
_MOST_AT_ONCE = 2**20
_BROKEN = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError, KeyError)


class Archive:
    """The entries of a ZIP file, with their unpacked sizes added up beforehand."""

    def __init__(self, source: File, max_bytes: int):
        self.file = source.name
        if _listed_bytes(source.data) > _MOST_TITLES:
            raise too_large(self.file, f"it holds more than {_MOST_ENTRIES:,} packed files", "give the table alone")
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
        if any(entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for entry in entries):
            raise fault(self.file, "it is packed in an unusual way", "save it again in the program it comes from")
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

    def open(self, name: str):
        try:
            return self._zip.open(name)
        except _BROKEN:
            raise self._damaged() from None

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


def _listed_bytes(data: bytes) -> int:
    """How long a ZIP file says that its list of contents is; it is read whole before it can be counted."""
    end = data.rfind(b"PK\x05\x06", -(2**16 + 22))
    return int.from_bytes(data[end + 12 : end + 16], "little") if end >= 0 else 0


def gunzipped(source: File, max_bytes: int) -> File:
    """The content of a gzip file, given up as soon as it grows suspiciously."""
    limit = allowed_growth(len(source.data), max_bytes)
    inner = source.name[:-3] if source.name.lower().endswith(".gz") else source.name
    parts, total, at, members = [], 0, 0, 0
    data = memoryview(source.data)
    while data[at : at + 2] == b"\x1f\x8b":  # several gzip members may follow each other
        unpacker = zlib.decompressobj(31)
        members += 1
        if members > _MOST_MEMBERS:
            what = f"it is made of more than {_MOST_MEMBERS:,} packed pieces"
            raise too_large(source.name, what, "unpack it yourself and give the table alone")
        while not unpacker.eof:
            piece = unpacker.unconsumed_tail or data[at : at + _CHUNK]
            at += 0 if unpacker.unconsumed_tail else len(piece)
            try:
                part = unpacker.decompress(piece, _MOST_AT_ONCE)
            except zlib.error:
                raise fault(source.name, "the gzip packing is damaged", "pack or send the file again") from None
            total += len(part)
            tell("unpacking", at / len(data))
            if total > limit:
                raise bomb(source.name, limit)
            if not part and not piece and not unpacker.eof:
                raise fault(source.name, "the gzip packing ends too early", "send the whole file again")
            parts.append(part)
        at -= len(unpacker.unused_data)
    return File(inner, b"".join(parts))
