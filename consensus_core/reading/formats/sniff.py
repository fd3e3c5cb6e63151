"""What a file is by its content, whatever it is called; and a sentence for everything that is no table."""

from __future__ import annotations

import re

from ..file import File
from ..wording import fault, shown

# (first bytes, at which place, what it is, what to do)
_SAVE_AS = "save the table as CSV, Excel, Parquet, NPZ, MAT or JSON"
_NO_PROGRAMS = "programs are never opened; give a table"
_UNPACK = "unpack it and give the table alone"
_REFUSED = (
    (b"\x7fELF", 0, "a program (ELF)", _NO_PROGRAMS),
    (b"\xcf\xfa\xed\xfe", 0, "a program (Mach-O)", _NO_PROGRAMS),
    (b"\xfe\xed\xfa\xcf", 0, "a program (Mach-O)", _NO_PROGRAMS),
    (b"\xca\xfe\xba\xbe", 0, "a program (Java or Mach-O)", _NO_PROGRAMS),
    (b"\0asm", 0, "a program (WebAssembly)", _NO_PROGRAMS),
    (b"#!", 0, "a script", _NO_PROGRAMS),
    (b"<?php", 0, "a script (PHP)", _NO_PROGRAMS),
    (b"%PDF-", 0, "a PDF document", "copy its table into a spreadsheet and save that as CSV"),
    (b"%!PS", 0, "a PostScript document", _SAVE_AS),
    (b"{\\rtf", 0, "a text document (RTF)", _SAVE_AS),
    (b"\x89PNG", 0, "a picture (PNG)", "give the table behind it"),
    (b"\xff\xd8\xff", 0, "a picture (JPEG)", "give the table behind it"),
    (b"GIF89a", 0, "a picture (GIF)", "give the table behind it"),
    (b"II*\0", 0, "a picture (TIFF)", "give the table behind it"),
    (b"MM\0*", 0, "a picture (TIFF)", "give the table behind it"),
    (b"ftyp", 4, "a film (MP4)", "give a table"),
    (b"ID3\x03", 0, "a sound (MP3)", "give a table"),
    (b"OggS\0", 0, "a sound (Ogg)", "give a table"),
    (b"BZh91AY", 0, "packed with bzip2", _UNPACK),
    (b"\xfd7zXZ\0", 0, "packed with xz", _UNPACK),
    (b"\x28\xb5\x2f\xfd", 0, "packed with zstd", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c", 0, "a 7-Zip archive", _UNPACK),
    (b"Rar!\x1a", 0, "a RAR archive", _UNPACK),
    (b"ustar", 257, "a TAR archive", _UNPACK),
    (b"SQLite format 3\0", 0, "a database (SQLite)", "export one table of it as CSV"),
    (
        b"\xd0\xcf\x11\xe0",
        0,
        "an old Excel workbook (.xls) or one with a password",
        "save it as .xlsx without password",
    ),
    (b"RDX3\n", 0, "an R data file", "write the table with write.csv(x, row.names = FALSE)"),
    (b"RDX2\n", 0, "an R data file", "write the table with write.csv(x, row.names = FALSE)"),
    (b"X\n\0\0\0", 0, "an R data file", "write the table with write.csv(x, row.names = FALSE)"),
    (b"<stata_dta>", 0, "a Stata file", "export it as CSV"),
    (b"$FL2", 0, "an SPSS file", "export it as CSV"),
    (b"FEA1", 0, "a Feather file of the old kind (version 1)", "write it again with pandas.DataFrame.to_feather"),
    (b"Obj\x01", 0, "an Avro file", _SAVE_AS),
    (b"DICM", 128, "a medical picture (DICOM)", "give a table"),
    (b"SIMPLE  =", 0, "an astronomical picture (FITS)", "give a table"),
    (b"version https://git-lfs", 0, "only a pointer to a file kept by Git LFS", "fetch the file itself (git lfs pull)"),
)
_REFUSED_IF_BINARY = (
    (b"RIFF", "a picture, sound or film (RIFF)", "give a table"),
    (b"BM", "a picture (BMP)", "give the table behind it"),
    (b"GIF8", "a picture (GIF)", "give the table behind it"),
    (b"ID3", "a sound (MP3)", "give a table"),
    (b"ORC", "an ORC file", "write it as Parquet"),
)
_PICKLE_NAMES = (".pkl", ".pickle", ".joblib", ".pt", ".pth", ".dill")
_PROGRAM_NAMES = (".exe", ".dll", ".so", ".bat", ".cmd", ".sh", ".py", ".js", ".vbs", ".ps1", ".jar", ".com", ".msi")
_TEXT_PICKLE = re.compile(rb"(?:c[A-Za-z_][\w.]*\n[\w.]+\n|\((?:lp|dp|i)\d*\n?)")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")

NAMES = {
    "text": "a text table",
    "xlsx": "an Excel workbook",
    "parquet": "a Parquet file",
    "feather": "a Feather file",
    "npy": "a NumPy array (NPY)",
    "npz": "NumPy arrays (NPZ)",
    "mat5": "a MATLAB file",
    "mat73": "a MATLAB 7.3 file",
    "json": "JSON records",
    "gzip": "packed with gzip",
}
_EXTENSIONS = {
    ".csv": "text",
    ".tsv": "text",
    ".tab": "text",
    ".txt": "text",
    ".dat": "text",
    ".data": "text",
    ".xlsx": "xlsx",
    ".xls": "xls",
    ".xlsm": "xlsm",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".feather": "feather",
    ".arrow": "feather",
    ".npy": "npy",
    ".npz": "npz",
    ".mat": "mat5 mat73",
    ".h5": "mat73",
    ".hdf5": "mat73",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
    ".gz": "gzip",
}


def sniff(source: File) -> str:
    """One of the keys of NAMES, or an InputError that says what it is and what to do."""
    file, head = source.name, source.head[:1024]
    if not head.strip(b"\0 \t\r\n") and not source.data.strip(b"\0 \t\r\n"):
        what = "the file holds nothing but NUL bytes" if b"\0" in head else "the file is empty"
        raise fault(file, what, "save it again and check that it has rows")
    extension = extension_of(file)
    if extension in _PICKLE_NAMES or is_pickle(source):
        raise fault(
            file, "this is a Python pickle, which can run programs", "save the array with numpy.savez or as CSV"
        )
    for first, place, what, do in _REFUSED:
        if head[place : place + len(first)] == first:
            raise fault(file, f"this is {what}, not a table", do)
    for first, what, do in _REFUSED_IF_BINARY:
        if head.startswith(first) and b"\0" in head:
            raise fault(file, f"this is {what}, not a table", do)
    if head[:9].lower() == b"@echo off":
        raise fault(file, "this is a script (batch), not a table", _NO_PROGRAMS)
    if head[:2] == b"MZ" and (b"\0" in head or source.size < 64):
        raise fault(file, "this is a program (Windows), not a table", _NO_PROGRAMS)
    if extension in _PROGRAM_NAMES:
        raise fault(file, f"its name says it is a program ({extension})", _NO_PROGRAMS)
    _refuse_markup(file, head)
    return _known(file, source.head, head)


def _known(file, data, head) -> str:
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return "zip"
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"ARROW1"):
        return "feather"
    if head.startswith(b"\x93NUMPY"):
        return "npy"
    if head[126:128] in (b"IM", b"MI") and head[124:126] in (b"\x00\x01", b"\x01\x00"):
        return "mat5"
    if any(data[place : place + 8] == b"\x89HDF\r\n\x1a\n" for place in (0, 512, 1024, 2048)):
        return "mat73"
    if extension_of(file) == ".mat":
        raise fault(
            file,
            "this is no MATLAB file of version 5 or 7.3 (or it is cut off)",
            "save it again in MATLAB with save('data.mat', '-v7')",
        )
    if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"[", b"{"):
        return "json"
    return "text"


def _refuse_markup(file, head) -> None:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype html", b"<html", b"<table", b"<head", b"<body", b"<script")):
        raise fault(
            file,
            "this is a web page (HTML), not a table",
            "download the file itself instead of the page that shows it",
        )
    if start.startswith((b"<?xml", b"<!doctype", b"<svg")):
        raise fault(file, "this is XML, not a table", _SAVE_AS)
    if start.startswith(b"@relation"):
        raise fault(file, "this is a Weka file (ARFF)", "save it as CSV")


def is_pickle(source: File) -> bool:
    head = source.head[:200]
    if head[:1] == b"\x80" and len(head) > 2 and head[1] in (2, 3, 4, 5):
        return True
    return bool(_TEXT_PICKLE.match(head)) and source.data.rstrip()[-1:] == b"."


def refuse_binary(file: str, text: str) -> None:
    """Text that is not text: too many control characters in its beginning."""
    odd = len(_CONTROL.findall(text[:4096]))
    if odd > 0.02 * min(len(text), 4096) + 1:
        raise fault(
            file, f"this is no text and none of the known kinds of file, it begins with {shown(text, 12)}", _SAVE_AS
        )


def extension_of(file: str) -> str:
    dot = file.rfind(".")
    return file[dot:].lower() if dot >= 0 else ""


def contradiction(file: str, found: str) -> str | None:
    """A remark where the name promises something else than the content is."""
    promised = _EXTENSIONS.get(extension_of(file))
    if promised is None or found in promised.split():
        return None
    return f"The name ends in {extension_of(file)}, but by its content it is {NAMES[found]}, so it was read as one."
