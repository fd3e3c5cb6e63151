"""Deliberately bad files: what is wrong, how the file is made, and words its sentence must hold.

`python -m benchmarks.bad_files` prints the whole table with the sentences. Every file is made here, from a few bytes.
"""

import datetime
import gzip
import io
import pickle
import struct
import zipfile
import zlib
from functools import cache
from typing import NamedTuple

import h5py
import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import scipy.io

from consensus_core.reading import Choices


class Bad(NamedTuple):
    kind: str  # what sort of badness
    name: str
    data: bytes
    words: tuple[str, ...]  # all must be in the sentence
    choices: Choices = Choices()
    limits: dict = {}  # noqa: RUF012  read only


GOOD_LABELS = b"a,b,c\n1,2,1\n1,2,2\n2,1,1\n2,1,2\n1,1,1\n"
GOOD_FEATURES = b"x,y\n1.5,2\n2.5,3\n3.5,4\n0.5,1\n"


def npy(array, **how) -> bytes:
    out = io.BytesIO()
    np.save(out, array, **how)
    return out.getvalue()


def npz(**arrays) -> bytes:
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def zipped(entries: dict[str, bytes], packing=zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packing) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return out.getvalue()


def mat(**arrays) -> bytes:
    out = io.BytesIO()
    scipy.io.savemat(out, arrays, do_compression=arrays.pop("packed", False))
    return out.getvalue()


def hdf(fill, by_matlab=False) -> bytes:
    """An HDF5 file; by MATLAB it begins with half a kilobyte of text."""
    out = io.BytesIO()
    with h5py.File(out, "w", userblock_size=512 if by_matlab else 0) as file:
        fill(file)
    return b"MATLAB 7.3 MAT-file".ljust(512) + out.getvalue()[512:] if by_matlab else out.getvalue()


def mat_class(file, name, data, cls):
    file[name] = data
    file[name].attrs["MATLAB_class"] = np.bytes_(cls)


def xlsx(rows, change=None, sheets=()) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in rows:
        sheet.append(row)
    if change:
        change(sheet)
    for title in sheets:
        book.create_sheet(title)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def repacked(data: bytes, change) -> bytes:
    """A ZIP container with its entries changed: change(dict) -> dict."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    return zipped(change(entries))


def parquet(table) -> bytes:
    out = io.BytesIO()
    pyarrow.parquet.write_table(table if isinstance(table, pa.Table) else pa.table(table), out)
    return out.getvalue()


def feather(table, **how) -> bytes:
    out = io.BytesIO()
    pyarrow.feather.write_feather(table if isinstance(table, pa.Table) else pa.table(table), out, **how)
    return out.getvalue()


def gz(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def corrupted(data: bytes, place: int, length: int = 8) -> bytes:
    return data[:place] + bytes(byte ^ 0xFF for byte in data[place : place + length]) + data[place + length :]


def many_rows(line: bytes, count: int, at: int, bad: bytes, header=b"x,y\n") -> bytes:
    return header + line * at + bad + line * (count - at - 1)


PROGRAM, PICKLE, PICTURE, ARCHIVE, MARKUP = "program", "pickle", "picture or sound", "archive", "markup"
EMPTY, BOMB, SIZE, NAMES, RAGGED = "empty", "bomb", "too large", "column names", "ragged rows"
TEXT_CELL, MIXED, INFINITE, FRACTION = "text among features", "mixed types", "infinite", "fraction as label"
CUT, DAMAGED, ENCODING, NUL, QUOTE = "cut off", "damaged", "encoding", "NUL bytes", "quotation mark"
COMPLEX, DIMENSIONS, OBJECTS, NESTED = "complex numbers", "dimensions", "objects, cells, structs", "nested"
ONE_COLUMN, ONE_ROW, NO_ROWS, OTHER = "one column", "one row", "no rows", "a format that is not read"
MERGED, FORMULA, DATE, CHOICE, MISSING = "merged cells", "formula", "date", "impossible choice", "missing feature"
AMBIGUOUS, JSON_SYNTAX, BINARY, WRONG_NAME, OLD = "several tables", "JSON syntax", "binary", "wrong name", "old Excel"


def _programs():
    for name, data, word in (
        ("run.csv", b"\x7fELF\x02\x01\x01" + bytes(60), "ELF"),
        ("run.xlsx", b"MZ\x90\0\x03" + bytes(90), "Windows"),
        ("tool.dat", b"\xcf\xfa\xed\xfe" + bytes(40), "Mach-O"),
        ("A.class", b"\xca\xfe\xba\xbe" + bytes(40), "Java"),
        ("m.wasm", b"\0asm\1\0\0\0", "WebAssembly"),
        ("votes.csv", b"#!/bin/sh\nrm -rf x\n", "script"),
        ("votes.txt", b"#!/usr/bin/env python\nprint(1)\n", "script"),
        ("page.csv", b"<?php echo 1; ?>\n", "PHP"),
        ("start.txt", b"@ECHO OFF\r\ndel x\r\n", "batch"),
        ("table.py", b"import os\nos.system('x')\n", ".py"),
        ("table.exe", GOOD_LABELS, ".exe"),
        ("lib.jar", zipped({"META-INF/MANIFEST.MF": b"x", "A.class": b"y"}), ".jar"),
        ("lib.zip", zipped({"META-INF/MANIFEST.MF": b"x", "A.class": b"y"}), "Java"),
    ):
        yield Bad(
            PROGRAM, name, data, ("program", word) if word not in ("script", "PHP", "batch") else ("script", word)
        )
    with_macros = repacked(xlsx([[1, 2], [2, 1]]), lambda e: {**e, "xl/vbaProject.bin": b"\0macro"})
    yield Bad(PROGRAM, "votes.xlsm", with_macros, ("macros", "save it as .xlsx"))
    yield Bad(PROGRAM, "votes.xlsx", with_macros, ("macros", "save it as .xlsx"))


def _pickles():
    table = [[1, 2], [2, 1]]
    for protocol in (0, 2, 3, 4, 5):
        yield Bad(PICKLE, "votes.csv", pickle.dumps(table, protocol), ("Python pickle", "numpy.savez"))
    yield Bad(PICKLE, "votes.pkl", GOOD_LABELS, ("Python pickle",))
    yield Bad(PICKLE, "model.joblib", b"\x80\x04\x95" + bytes(20), ("Python pickle",))
    yield Bad(PICKLE, "model.txt", b"cos\nsystem\n(S'ls'\ntR.", ("Python pickle",))
    objects = np.array([[1, None], ["a", 2]], dtype=object)
    yield Bad(PICKLE, "votes.npy", npy(objects, allow_pickle=True), ("Python objects", "save it again"))
    yield Bad(PICKLE, "votes.npz", npz(labels=objects), ("'labels'", "Python objects"))
    yield Bad(PICKLE, "model.pt", zipped({"archive/data.pkl": pickle.dumps(1)}), ("Python pickle",))
    yield Bad(PICKLE, "model.zip", zipped({"archive/data.pkl": pickle.dumps(1)}), ("Python pickle",))
    raw = pa.table({"a": pa.array([pickle.dumps(1), pickle.dumps(2)]), "b": [1, 2]})
    yield Bad(PICKLE, "votes.parquet", parquet(raw), ("'a'", "raw bytes", "pickles"))
    yield Bad(PICKLE, "votes.feather", feather(raw), ("'a'", "raw bytes"))


def _other_formats():
    for kind, name, data, word in (
        (PICTURE, "table.csv", b"\x89PNG\r\n\x1a\n" + bytes(30), "PNG"),
        (PICTURE, "table.xlsx", b"\xff\xd8\xff\xe0" + bytes(30), "JPEG"),
        (PICTURE, "table.txt", b"GIF89a" + bytes(30), "GIF"),
        (PICTURE, "table.tif", b"II*\0" + bytes(30), "TIFF"),
        (PICTURE, "table.bmp", b"BM\x36\0\0\0" + bytes(30), "BMP"),
        (PICTURE, "x.wav", b"RIFF\x24\0\0\0WAVE" + bytes(30), "RIFF"),
        (PICTURE, "x.mp3", b"ID3\x03\0" + bytes(30), "MP3"),
        (PICTURE, "x.mp4", b"\0\0\0\x18ftypmp42" + bytes(30), "MP4"),
        (PICTURE, "scan.dcm", bytes(128) + b"DICM" + bytes(9), "DICOM"),
        (OTHER, "paper.csv", b"%PDF-1.7\n%\xe2\xe3\n", "PDF"),
        (OTHER, "paper.txt", b"%!PS-Adobe-3.0\n", "PostScript"),
        (OTHER, "notes.txt", b"{\\rtf1\\ansi a table}", "RTF"),
        (OTHER, "base.db", b"SQLite format 3\0" + bytes(80), "SQLite"),
        (OTHER, "x.rds", gz(b"X\n\0\0\0\3" + bytes(30)), "R data"),
        (OTHER, "x.rda", b"RDX3\nX\n\0\0" + bytes(30), "R data"),
        (OTHER, "x.dta", b"<stata_dta><header>", "Stata"),
        (OTHER, "x.sav", b"$FL2@(#) SPSS", "SPSS"),
        (OTHER, "x.arff", b"@RELATION iris\n@DATA\n1,2\n", "ARFF"),
        (OTHER, "old.feather", b"FEA1" + bytes(30) + b"FEA1", "version 1"),
        (OTHER, "x.orc", b"ORC\0\0\0" + bytes(30), "ORC"),
        (OTHER, "big.csv", b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n", "Git LFS"),
        (OLD, "votes.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "save it as .xlsx"),
        (OLD, "locked.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "password"),
        (ARCHIVE, "t.csv.bz2", b"BZh91AY&SY" + bytes(20), "bzip2"),
        (ARCHIVE, "t.csv.xz", b"\xfd7zXZ\0" + bytes(20), "xz"),
        (ARCHIVE, "t.csv.zst", b"\x28\xb5\x2f\xfd" + bytes(20), "zstd"),
        (ARCHIVE, "t.7z", b"7z\xbc\xaf\x27\x1c" + bytes(20), "7-Zip"),
        (ARCHIVE, "t.rar", b"Rar!\x1a\x07" + bytes(20), "RAR"),
        (ARCHIVE, "t.tar", b"t.csv" + bytes(252) + b"ustar" + bytes(200), "TAR"),
        (ARCHIVE, "t.zip", zipped({"t.csv": GOOD_LABELS}), "unpack"),
        (ARCHIVE, "t.csv", zipped({"t.csv": GOOD_LABELS}), "ZIP archive"),
        (OTHER, "t.docx", zipped({"word/document.xml": b"<x/>"}), "Word"),
        (OTHER, "t.ods", zipped({"mimetype": b"application/vnd.oasis.opendocument.spreadsheet"}), "OpenDocument"),
        (OTHER, "t.xlsb", zipped({"xl/workbook.bin": b"x"}), ".xlsb"),
        (EMPTY, "t.zip", zipped({}), "nothing"),
        (MARKUP, "votes.csv", b"<!DOCTYPE html>\n<html><body>Sign in</body></html>", "web page"),
        (MARKUP, "votes.xls", b"\n <table><tr><td>1</td></tr></table>", "web page"),
        (MARKUP, "votes.tsv", b"\xef\xbb\xbf<HTML><head></head></HTML>", "web page"),
        (MARKUP, "votes.txt", b"<?xml version='1.0'?><rows/>", "XML"),
        (MARKUP, "figure.csv", b"<svg xmlns='x'></svg>", "XML"),
        (BINARY, "x.bin", bytes(range(1, 31)) * 20, "no text"),
        (BINARY, "x.csv", b"\x01\x02\x03\x04\x05\x06" * 30, "no text"),
        (WRONG_NAME, "x.mat", GOOD_LABELS, "no MATLAB file"),
        (WRONG_NAME, "x.mat", b"MATLAB 5.0 MAT-file, Platform", "no MATLAB file"),
    ):
        yield Bad(kind, name, data, (name.removesuffix(".gz"), word))


def _empty_and_small():
    yield Bad(EMPTY, "votes.csv", b"", ("the file is empty",))
    yield Bad(EMPTY, "votes.csv", b" \n\n\t\n", ("the file is empty",))
    yield Bad(EMPTY, "votes.xlsx", bytes(3000), ("NUL bytes",))
    yield Bad(EMPTY, "votes.csv", b"\xef\xbb\xbf\n", ("no row of data",))
    yield Bad(EMPTY, "votes.csv.gz", gz(b""), ("votes.csv: the file is empty",))
    yield Bad(EMPTY, "votes.json", b"[]", ("empty list",))
    yield Bad(EMPTY, "votes.json", b"[{}, {}]", ("records are empty",))
    yield Bad(EMPTY, "votes.npy", npy(np.zeros((0, 5))), ("is empty",))
    yield Bad(EMPTY, "votes.npz", npz(a=np.zeros((5, 0))), ("'a' is empty",))
    yield Bad(EMPTY, "votes.xlsx", xlsx([]), ("all its sheets are empty",))
    yield Bad(EMPTY, "votes.xlsx", xlsx([[1, 2], [2, 1]], sheets=["more"]), ("'more' is empty",), Choices(sheet="more"))
    yield Bad(EMPTY, "votes.mat", mat(), ("no array",))
    yield Bad(NO_ROWS, "votes.csv", b"a,b,c\n", ("a header but no row",))
    yield Bad(NO_ROWS, "votes.csv", b"# made by a program\n\n", ("no row of data",))
    yield Bad(NO_ROWS, "votes.xlsx", xlsx([["a", "b"]]), ("a header but no row",))
    yield Bad(NO_ROWS, "votes.parquet", parquet({"a": pa.array([], pa.int64())}), ("no row",))
    yield Bad(NO_ROWS, "votes.feather", feather({"a": pa.array([], pa.int64())}), ("no row",))
    yield Bad(NO_ROWS, "votes.json", b'{"a": [], "b": []}', ("no row",))
    yield Bad(ONE_ROW, "votes.csv", b"a,b,c\n1,2,3\n", ("only one object",))
    yield Bad(ONE_ROW, "votes.json", b'[{"a": 1, "b": 2}]', ("only one object",))
    yield Bad(ONE_ROW, "x.parquet", parquet({"a": [1.5], "b": [2.5]}), ("only one object",))
    yield Bad(ONE_COLUMN, "votes.csv", b"kmeans\n1\n2\n1\n", ("only one column", "'kmeans'", "separator"))
    yield Bad(ONE_COLUMN, "votes.txt", b"1\n2\n1\n2\n", ("only one column",))
    yield Bad(ONE_COLUMN, "x.csv", b"height\n1.5\n2.5\n", ("only one column", "'height'"))
    yield Bad(ONE_COLUMN, "votes.csv", b"a:b\n1:2\n2:1\n", ("only one column", "separator"))
    yield Bad(ONE_COLUMN, "votes.npy", npy(np.arange(5)), ("one column only",))
    yield Bad(ONE_COLUMN, "votes.mat", mat(labels=np.arange(5)), ("'labels'", "one column only"))
    yield Bad(ONE_COLUMN, "votes.csv", b"id,truth,km\na,1,1\nb,2,2\nc,1,2\n", ("only one column", "'km'"))
    yield Bad(ONE_COLUMN, "votes.csv", b"id,truth\na,1\nb,2\nc,1\n", ("no column of data",))
    yield Bad(ONE_COLUMN, "votes.xlsx", xlsx([["a"], [1], [2], [1]]), ("only one column",))


def _names():
    yield Bad(NAMES, "votes.csv", b"a,b,a\n1,2,1\n2,1,2\n", ("row 1", "columns 1 and 3", "'a'"))
    yield Bad(NAMES, "votes.csv", b"\n\na;b; b \n1;2;1\n2;1;2\n", ("row 3", "columns 2 and 3"))
    yield Bad(NAMES, "votes.xlsx", xlsx([["x", "x"], [1, 2], [2, 1]]), ("row 1", "both called 'x'"))
    yield Bad(NAMES, "votes.json", b'[{"a": 1, "a": 2}, {"a": 2, "a": 1}]', ("two entries called 'a'",))
    twice = pa.Table.from_arrays([pa.array([1, 2]), pa.array([2, 1])], names=["a", "a"])
    yield Bad(NAMES, "votes.parquet", parquet(twice), ("two columns are called 'a'",))
    yield Bad(NAMES, "votes.json", b'{"columns": ["a", "a"], "data": [[1, 2], [2, 1]]}', ("both called 'a'",))
    double = zipped({"a.npy": npy(np.eye(3)), "b.npy": npy(np.eye(4))})
    yield Bad(NAMES, "votes.npz", double.replace(b"b.npy", b"a.npy"), ("'a.npy' is in it twice",))
    yield Bad(ARCHIVE, "votes.npz", zipped({"a.npy": npy(np.eye(3)), "b.txt": b"1"}), ("'b.txt'", "no NumPy array"))


def _ragged():
    yield Bad(RAGGED, "votes.csv", b"a,b,c\n1,2,1\n1,2\n2,1,1\n", ("row 3", "2 cells", "other rows have 3", "'1,2'"))
    yield Bad(RAGGED, "votes.csv", b"a,b,c\n1,2,1\n\n1,2,1,4\n2,1,1\n", ("row 4", "4 cells", "other rows have 3"))
    yield Bad(RAGGED, "votes.tsv", b"a\tb\n1\t2\n1\n2\t2\n", ("row 3", "is 1 cell"))
    yield Bad(RAGGED, "x.txt", b" 1.5   2\n 1 2 3\n 2 2\n", ("row 2", "3 cells"))
    yield Bad(RAGGED, "x.csv", many_rows(b"1.5,2\n", 60_000, 50_000, b"1.5\n"), ("row 50002", "1 cell"))
    yield Bad(RAGGED, "x.csv", many_rows(b"1.5,2\n", 60_000, 59_999, b"1.5,2,3\n"), ("row 60001", "3 cells"))
    yield Bad(RAGGED, "x.csv", b'a,b\n"1\n2",x\n3,y,z\n4,x\n', ("row 4", "3 cells"))
    yield Bad(RAGGED, "x.csv", b"My measurements\nx,y\n1.5,2\n2,3\n", ("row 1", "1 cell"))
    yield Bad(RAGGED, "x.csv", b"1;2;3\n1;2;3\n1,2,3\n", ("row 3", "1 cell"))
    yield Bad(RAGGED, "x.json", b"[[1, 2], [1, 2, 3], [2, 1]]", ("row 2", "3 cells"))
    yield Bad(RAGGED, "x.json", b'{"a": [1, 2, 3], "b": [1, 2]}', ("'b' has 2 values", "'a' has 3"))
    yield Bad(RAGGED, "x.json", b'[{"a": 1, "b": 2}, {"a": 1, "c": 2}]', ("record 2", "'c'"))
    yield Bad(RAGGED, "x.jsonl", b'{"a": 1, "b": 2}\n{"a": 1, "b": 2}\n{"a": 1, "d": 2}\n', ("record 3", "'d'"))


def _cells():
    yield Bad(MIXED, "votes.csv", b"km1,km2\n1,1\n2,abc\n1,2\n2,2\n", ("row 3", "column 'km2'", "'abc' is not a label"))
    yield Bad(MIXED, "votes.csv", b"km1;km2\n\n1;1\n2;2\n1;x 7\n2;2\n", ("row 5", "column 'km2'", "'x 7'"))
    yield Bad(MIXED, "votes.txt", b"1 1\n2 1\n1 2\none 2\n2 2\n", ("row 4", "column 'column 1'", "'one'"))
    yield Bad(MIXED, "x.csv", b"x,y\n1.5,2\n2.5,abc\n1,2\n", ("row 3", "column 'y'", "'abc' is not a number"))
    yield Bad(MIXED, "x.csv", b'x,y\n1.5,"1,234"\n2.5,2\n1,2\n', ("row 2", "'1,234'", "thousands mark"))
    yield Bad(MIXED, "x.csv", b"x;y\n1,5;2,5\n2,5;2.5\n1,1;2,1\n", ("row 3", "column 'y'", "'2.5'"))
    yield Bad(MIXED, "x.csv", b"x,y\n1.5,10%\n2.5,2\n1,2\n", ("row 2", "'10%'", "per cent"))
    yield Bad(MIXED, "x.csv", b"x,y\n1.5,0x1F\n2.5,2\n1,2\n", ("row 2", "'0x1F'", "hexadecimal"))
    yield Bad(MIXED, "x.csv", b"x,y\n1.5,1_000\n2.5,2\n1,2\n", ("row 2", "'1_000' is not a number"))
    yield Bad(MIXED, "x.csv", "x,y\n1.5,١٢\n2.5,2\n1,2\n".encode(), ("row 2", "'١٢' is not a number"))
    yield Bad(MIXED, "x.csv", "x,y\n1.5,3\u00b5\n2.5,2\n1,2\n".encode("cp1252"), ("row 2", "'3µ'"))
    yield Bad(MIXED, "x.csv", many_rows(b"1.5,2\n", 60_000, 55_555, b"1.5,oops\n"), ("row 55557", "'y'", "'oops'"))
    yield Bad(MIXED, "v.csv", many_rows(b"1,2\n2,1\n", 40_000, 39_000, b"1,q\n"), ("row 78002", "'q'"))
    yield Bad(MIXED, "x.xlsx", xlsx([["x", "y"], [1.5, 2], [2.5, "abc"], [1, 2]]), ("row 3", "column 'y'", "'abc'"))
    yield Bad(MIXED, "x.json", b'[{"x":1.5,"y":1},{"x":2.5,"y":"abc"},{"x":1,"y":2}]', ("record 2", "'y'", "'abc'"))
    yield Bad(MIXED, "x.parquet", parquet({"x": [1.5, 2.5, 1.0], "y": ["1", "2", "b"]}), ("row 3", "'y'", "'b'"))
    yield Bad(TEXT_CELL, "x.csv", b"x,c,d\n1.5,a,q\n2.5,b,r\n3.5,a,q\n4.5,a,r\n", ("column 'c'", "'a' is text"))
    red = b"x,colour\n1,red\n2,blue\n1,red\n2,red\n"
    yield Bad(TEXT_CELL, "x.csv", red, ("row 2", "'red' is text"), Choices(roles={"*": "feature"}))
    texts = npy(np.array([["a", "b"], ["b", "a"], ["a", "b"]]))
    yield Bad(TEXT_CELL, "x.npy", texts, ("row 1", "'a' is text"), Choices(kind="features"))
    yield Bad(INFINITE, "x.csv", b"x,y\n1.5,2\n-inf,3\n2,2\n", ("row 3", "'x'", "'-inf' is infinite"))
    yield Bad(INFINITE, "x.csv", b"x,y\n1.5,2\n1e999,3\n2,2\n", ("row 3", "'1e999' is infinite"))
    yield Bad(INFINITE, "x.npy", npy(np.array([[1.5, 2], [np.inf, 2]])), ("row 2", "'inf' is infinite"))
    yield Bad(INFINITE, "x.json", b'[{"x":1.5,"y":Infinity},{"x":2.5,"y":1}]', ("record 1", "'y'", "infinite"))
    yield Bad(INFINITE, "x.feather", feather({"x": [1.5, float("-inf")], "y": [1.0, 2.0]}), ("row 2", "infinite"))
    yield Bad(INFINITE, "v.csv", b"km1,km2\n1,1\ninf,2\n2,1\n1,1\n", ("row 3", "'inf' is not a label"))
    yield Bad(FRACTION, "v.csv", b"km1,km2\n1,1\n2.5,2\n1,2\n2,1\n", ("row 3", "'km1'", "'2.5' is not a label"))
    yield Bad(FRACTION, "v.csv", GOOD_FEATURES, ("row 2", "'1.5' is not a label"), Choices(kind="labels"))
    part = np.array([[1, 2.0], [1, 2.25], [2, 1]])
    yield Bad(FRACTION, "v.npz", npz(labels=part), ("row 2", "'column 2'", "'2.25'"), Choices(kind="labels"))
    yield Bad(
        FRACTION,
        "v.csv",
        b"km1,km2,truth\n1,1,1\n2,2,1.5\n",
        ("row 3", "column 'truth'", "1.5 is not a class"),
        Choices(roles={"truth": "truth"}),
    )
    date = datetime.date(2024, 5, 1)
    yield Bad(DATE, "x.xlsx", xlsx([["x", "y"], [1.5, 2], [2.5, date], [1, 2]]), ("row 3", "'y'", "a date"))
    days = pa.table({"x": [1.5, 2.5], "d": pa.array([date, date])})
    yield Bad(DATE, "x.parquet", parquet(days), ("row 1", "'d'", "a date"))
    yield Bad(DATE, "x.npy", npy(np.array([["2024-01-01"] * 2] * 2, dtype="M8[D]")), ("dates",))
    yield Bad(
        DATE,
        "x.csv",
        b"x,day\n1.5,2024-01-01\n2.5,2024-01-02\n1,2024-01-03\n",
        ("'day'", "is text"),
        Choices(roles={"day": "feature"}),
    )
    yield Bad(FORMULA, "x.csv", b"x,y\n1.5,2\n2.5,=A1+B1\n1,2\n", ("row 3", "'=A1+B1'", "formula"))
    yield Bad(FORMULA, "x.csv", b"x,y\n1.5,2\n2.5,#DIV/0!\n1,2\n", ("row 3", "'#DIV/0!'", "error of the spreadsheet"))
    sums = xlsx([["x", "y"], [1.5, 2], [2.5, "=A2+B2"]])
    yield Bad(FORMULA, "x.xlsx", sums, ("row 3", "cell B3", "no computed value"))
    yield Bad(
        MERGED, "x.xlsx", xlsx([["x", "y"], [1, 2], [2, 1]], lambda s: s.merge_cells("A2:A3")), ("merged", "A2:A3")
    )
    yield Bad(MISSING, "x.csv", b"x,y\n1.5,2\n,3\n2,2\n", ("row 3", "'x'", "no number", "fill it in"))
    yield Bad(MISSING, "x.csv", b"x,y\n1.5,2\n\n1,NA\n2,2\n,1\n", ("row 4", "'y'", "'NA'", "1 more cell"))
    yield Bad(MISSING, "x.npy", npy(np.array([[1.5, 2], [2, np.nan]])), ("row 2", "'column 2'", "no number"))
    yield Bad(MISSING, "x.xlsx", xlsx([["x", "y"], [1.5, None], [2.5, 1]]), ("row 2", "'y'", "no number"))
    yield Bad(MISSING, "x.json", b'[{"x":1.5,"y":1},{"x":2.5,"y":null}]', ("record 2", "'y'"))


def _encodings():
    yield Bad(ENCODING, "x.csv", "x,y\n1,é\n".encode("cp1252"), ("row 2", "utf-8"), Choices(encoding="utf-8"))
    yield Bad(ENCODING, "x.csv", GOOD_LABELS, ("'klingon'", "encoding"), Choices(encoding="klingon"))
    yield Bad(ENCODING, "x.csv", GOOD_LABELS, ("'base64'",), Choices(encoding="base64"))
    yield Bad(ENCODING, "x.csv", b"\xff\xfea\0,\0b\0\n\0\x00\xd8", ("x.csv",))
    yield Bad(ENCODING, "x.csv", b"a,b\n1,2\n\xe9,2\n", ("row 3", "ascii"), Choices(encoding="ascii"))
    yield Bad(NUL, "x.csv", b"x,y\n1.5,2\n2\x00,3\n1,1\n", ("row 3", "NUL"))
    yield Bad(NUL, "x.csv", GOOD_FEATURES * 1 + bytes(1), ("NUL",))
    yield Bad(NUL, "x.csv", many_rows(b"1.5,2\n", 60_000, 50_000, b"1.5,\x00\n"), ("row 50002", "NUL"))
    yield Bad(QUOTE, "x.csv", b'a,b\n1,x\n2,"y\n1,x\n2,y\n1,x\n', ("row 3", "quotation mark"))
    yield Bad(QUOTE, "x.csv", b'a,b\n"1,x\n2,y\n1,x\n2,y\n', ("quotation mark",))


def _damaged():
    book = xlsx([["x", "y"], [1.5, 2], [2.5, 1], [1, 1]])
    yield Bad(CUT, "x.xlsx", book[: len(book) // 2], ("damaged or cut off",))
    yield Bad(CUT, "x.npy", npy(np.arange(2000.0).reshape(500, 4))[:5000], ("ends too early",))
    yield Bad(CUT, "x.npz", npz(a=np.eye(30))[:3000], ("damaged or cut off",))
    yield Bad(CUT, "x.mat", mat(a=np.eye(30))[:3000], ("middle of an array",))
    whole = parquet({"a": list(range(500)), "b": [1.5] * 500})
    yield Bad(CUT, "x.parquet", whole[: len(whole) - 100], ("Parquet", "cut off"))
    yield Bad(CUT, "x.parquet", b"PAR1", ("Parquet", "cut off"))
    yield Bad(CUT, "x.feather", feather({"a": [1, 2], "b": [2, 1]})[:-40], ("Feather", "cut off"))
    yield Bad(CUT, "x.csv.gz", gz(GOOD_LABELS * 50)[:-30], ("gzip", "too early"))
    h5 = hdf(lambda f: mat_class(f, "a", np.eye(30), "double"))
    yield Bad(CUT, "x.mat", h5[:1000], ("HDF5", "cut off"))
    yield Bad(CUT, "x.json", b'[{"a": 1, "b": 2}, {"a": 1, ', ("JSON", "row 1"))
    yield Bad(DAMAGED, "x.csv.gz", corrupted(gz(GOOD_LABELS * 50), 20, 6), ("gzip",))
    yield Bad(DAMAGED, "x.xlsx", repacked(book, lambda e: {**e, "xl/worksheets/sheet1.xml": b"<a><b>"}), ("damaged",))
    yield Bad(DAMAGED, "x.xlsx", repacked(book, lambda e: {**e, "xl/workbook.xml": b"junk"}), ("damaged",))
    yield Bad(DAMAGED, "x.npy", b"\x93NUMPY\x01\x00\x10\x00{'descr': '<f8' ", ("header", "damaged"))
    yield Bad(DAMAGED, "x.npy", b"\x93NUMPY\x09\x00\x10\x00" + bytes(20), ("header", "damaged"))
    minus = npy(np.eye(4)).replace(b"(4, 4)", b"(-4,4)")
    yield Bad(DAMAGED, "x.npy", minus, ("x.npy", "'x'"))
    packed = mat(a=np.eye(40), packed=True)
    for order in "<>":  # NumPy turns any four bytes into a character
        beyond = np.full((4, 3), 0x110000, f"{order}u4").view(f"{order}U1")
        yield Bad(DAMAGED, "x.npy", npy(beyond), ("'x'", "characters that do not exist"))
        yield Bad(DAMAGED, "x.npz", zipped({"a.npy": npy(beyond)}), ("'a'", "characters that do not exist"))
    yield Bad(DAMAGED, "x.mat", corrupted(packed, 150), ("packing", "damaged"))
    yield Bad(DAMAGED, "x.mat", corrupted(mat(a=np.eye(4)), 136, 4), ("x.mat",))
    yield Bad(DAMAGED, "x.parquet", corrupted(whole, len(whole) - 60, 30), ("Parquet", "damaged"))
    yield Bad(DAMAGED, "x.npz", corrupted(npz(a=np.eye(30)), 300, 4), ("damaged",))
    locked = bytearray(zipped({"a.npy": npy(np.eye(3))}))
    central = bytes(locked).rfind(b"PK\x01\x02")
    locked[central + 8] |= 1
    yield Bad(DAMAGED, "x.npz", bytes(locked), ("password",))


def _bombs():
    yield Bad(BOMB, "x.csv.gz", gz(bytes(90 * 2**20)), ("unpacked it would be larger",))
    yield Bad(BOMB, "x.csv.gz", gz(b"1,2\n" * 300_000), ("larger",), limits={"max_bytes": 2**20})
    yield Bad(BOMB, "x.csv.gz.gz", gz(gz(GOOD_LABELS)), ("packed twice",))
    yield Bad(BOMB, "x.npz", zipped({"a.npy": bytes(90 * 2**20)}), ("unpacked it would be larger",))
    book = xlsx([["x", "y"], [1.5, 2], [2.5, 1]])
    fat = repacked(book, lambda e: {**e, "xl/media/x.bin": bytes(90 * 2**20)})
    yield Bad(BOMB, "x.xlsx", fat, ("unpacked it would be larger",))
    entity = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><worksheet/>'
    yield Bad(BOMB, "x.xlsx", repacked(book, lambda e: {**e, "xl/worksheets/sheet1.xml": entity}), ("entities",))
    yield Bad(BOMB, "x.npz", zipped({f"{i}.npy": b"" for i in range(10_001)}, zipfile.ZIP_STORED), ("packed files",))
    inner = struct.pack("<II", 14, 90 * 2**20) + bytes(90 * 2**20)
    element = zlib.compress(inner)
    yield Bad(BOMB, "x.mat", mat()[:128] + struct.pack("<II", 15, len(element)) + element, ("larger",))
    yield Bad(BOMB, "x.mat", hdf(lambda f: f.create_dataset("x", (10**5, 10**5), "f8", chunks=True)), ("larger",))
    run = parquet(pa.table({"a": pa.array(np.zeros(20_000_000, dtype=np.int64)).dictionary_encode()}))
    yield Bad(BOMB, "x.parquet", run, ("cells",), limits={"max_cells": 10**7})


def _sizes():
    yield Bad(SIZE, "x.csv", GOOD_LABELS, ("larger than 10 bytes",), limits={"max_bytes": 10})
    yield Bad(SIZE, "x.csv", GOOD_LABELS, ("cells", "more than the 10"), limits={"max_cells": 10})
    yield Bad(SIZE, "x.npy", npy(np.eye(9)), ("cells",), limits={"max_cells": 10})
    yield Bad(SIZE, "x.mat", mat(a=np.eye(9)), ("cells",), limits={"max_cells": 10})
    yield Bad(SIZE, "x.json", b"[[1,2],[2,1],[1,1]]", ("cells",), limits={"max_cells": 5})
    yield Bad(SIZE, "x.xlsx", xlsx([[1, 2], [2, 1], [1, 1]]), ("cells",), limits={"max_cells": 5})
    yield Bad(SIZE, "x.parquet", parquet({"a": [1, 2, 1], "b": [1, 2, 2]}), ("cells",), limits={"max_cells": 5})
    yield Bad(SIZE, "x.feather", feather({"a": [1, 2, 1], "b": [1, 2, 2]}), ("cells",), limits={"max_cells": 5})
    far = xlsx([["x", "y"], [1.5, 2], [2.5, 1]], lambda s: s.cell(50_000, 200, 1.0))
    yield Bad(SIZE, "x.xlsx", far, ("cells",), limits={"max_cells": 10**6})
    wide = b",".join([b"1"] * 60_000) + b"\n"
    yield Bad(SIZE, "x.csv", wide * 2, ("60,000 columns",))
    yield Bad(SIZE, "x.csv", b"1,2\n2,1\n" * 30_000, ("60,000 columns",), Choices(transposed=True))


def _arrays():
    cube = np.zeros((2, 3, 4))
    yield Bad(DIMENSIONS, "x.npy", npy(cube), ("3 dimensions (2 x 3 x 4)",))
    yield Bad(DIMENSIONS, "x.npz", npz(x=cube), ("'x'", "3 dimensions"))
    yield Bad(DIMENSIONS, "x.mat", mat(x=cube + 1), ("3 dimensions (2 x 3 x 4)",))
    yield Bad(DIMENSIONS, "x.npy", npy(np.float64(3)), ("single value",))
    yield Bad(DIMENSIONS, "x.mat", hdf(lambda f: mat_class(f, "x", cube, "double")), ("3 dimensions",))
    yield Bad(COMPLEX, "x.npy", npy(np.eye(3) * 1j), ("complex",))
    yield Bad(COMPLEX, "x.mat", mat(x=np.eye(3) * 1j), ("complex", "abs"))
    yield Bad(COMPLEX, "x.mat", hdf(lambda f: mat_class(f, "x", np.eye(3) * 1j, "double")), ("complex",))
    yield Bad(OBJECTS, "x.mat", mat(x=np.array([[1, "a"], ["b", 2]], dtype=object)), ("cell array", "cell2mat"))
    yield Bad(OBJECTS, "x.mat", mat(s={"labels": np.eye(3)}), ("struct", "-struct"))
    yield Bad(OBJECTS, "x.mat", hdf(lambda f: f.create_group("s").create_dataset("a", data=np.eye(3))), ("struct",))
    reference = hdf(lambda f: f.create_dataset("c", (2, 2), dtype=h5py.ref_dtype))
    yield Bad(OBJECTS, "x.mat", reference, ("cell array",))
    yield Bad(OBJECTS, "x.mat", hdf(lambda f: f.__setitem__("a", h5py.ExternalLink("other.h5", "/a"))), ("link",))
    yield Bad(OBJECTS, "x.mat", hdf(lambda f: f.__setitem__("a", h5py.SoftLink("/b"))), ("link",))
    yield Bad(OBJECTS, "x.npy", npy(np.zeros((3, 2), dtype="V5")), ("raw bytes",))
    deep = np.zeros(3, dtype=[("a", "f8"), ("b", "f8", (2,))])
    yield Bad(OBJECTS, "x.npy", npy(deep), ("field 'b'",))
    lists = pa.table({"a": [[1, 2], [3]], "b": [1, 2]})
    yield Bad(NESTED, "x.parquet", parquet(lists), ("'a'", "list"))
    yield Bad(NESTED, "x.feather", feather(pa.table({"a": [{"x": 1}, {"x": 2}], "b": [1, 2]})), ("'a'", "struct"))
    two = npz(first=np.eye(3), second=np.eye(4))
    yield Bad(AMBIGUOUS, "x.npz", two, ("2 tables", "'first' (3 x 3)", "'second' (4 x 4)", "variable"))
    yield Bad(AMBIGUOUS, "x.mat", mat(one=np.eye(3), two=np.eye(5)), ("2 tables", "'one'", "'two'"))
    yield Bad(AMBIGUOUS, "x.mat", hdf(lambda f: f.update(a=np.eye(3), b=np.eye(4))), ("2 tables",))


def _json():
    deep = b"[" * 100_000
    yield Bad(NESTED, "x.json", deep, ("nested",))
    yield Bad(NESTED, "x.json", b'{"a":' * 5_000 + b"1" + b"}" * 5_000, ("nested",))
    yield Bad(NESTED, "x.json", b'[{"a": 1, "b": [1]}, {"a": 2, "b": [2]}]', ("record 1", "'b'", "is a list"))
    yield Bad(NESTED, "x.json", b'[{"a": {"c": 1}, "b": 1}, {"a": 2, "b": 1}]', ("record 1", "'a'", "is a record"))
    yield Bad(NESTED, "x.json", b"[[1, [2]], [2, 1]]", ("[2]", "is a list"))
    yield Bad(JSON_SYNTAX, "x.json", b"[{'a': 1}]", ("JSON", "row 1"))
    yield Bad(JSON_SYNTAX, "x.json", b'[{"a": 1},\n {"a": 2},\n {"a": }]', ("JSON", "row 3"))
    yield Bad(JSON_SYNTAX, "x.jsonl", b'{"a": 1, "b": 2}\n{"a": 1, "b": }\n', ("row 2", "not valid JSON"))
    yield Bad(JSON_SYNTAX, "x.json", b"[1, 2, 3]", ("list of numbers",))
    yield Bad(JSON_SYNTAX, "x.json", b'["a", "b"]', ("list of texts",))
    yield Bad(JSON_SYNTAX, "x.json", b'{"a": 1, "b": 2}', ("one record only",))
    yield Bad(JSON_SYNTAX, "x.json", b'{"a": [1, 2], "b": 3}', ("'b' is a number",))
    yield Bad(JSON_SYNTAX, "x.json", b'[{"a": 1, "b": 2}, 3]', ("record 2", "'3' is no record"))
    yield Bad(JSON_SYNTAX, "x.json", b"[[1, 2], 3]", ("row 2", "no list"))
    digits = b"9" * 5000
    yield Bad(JSON_SYNTAX, "x.json", b'[{"a": ' + digits + b', "b": 1}, {"a": 1, "b": 2}]', ("too many digits",))
    huge = b"9" * 400
    yield Bad(JSON_SYNTAX, "x.json", b'[{"a": ' + huge + b', "b": 1.5}, {"a": 1, "b": 2}]', ("record 1", "too large"))


def _choices():
    for choices, word in (
        (Choices(kind="votes"), "'votes' was chosen as kind"),
        (Choices(decimal=";"), "chosen as decimal"),
        (Choices(separator=",,"), "chosen as separator"),
        (Choices(separator=",", decimal=","), "another character"),
        (Choices(header="yes"), "True or False"),
        (Choices(roles={"nobody": "id"}), "no column 'nobody' to take as ids"),
        (Choices(roles={"nobody": "truth"}), "no column 'nobody' to take as truth"),
        (Choices(roles={"a": "id", "b": "id"}), "all chosen as ids"),
        (Choices(roles={"z": "left out"}), "no column 'z' to leave out"),
        (Choices(roles={"*": "left out"}), "no column of data"),
        (Choices(missing="NA"), "a tuple of texts"),
        (Choices(transposed=True, not_objects=("b", "c"), names_in="a"), "no column of data"),
        (Choices(sheet=3), "a text"),
    ):
        yield Bad(CHOICE, "votes.csv", GOOD_LABELS, ("votes.csv", word), choices)
    yield Bad(CHOICE, "v.xlsx", xlsx([[1, 2], [2, 1]]), ("no sheet 'May'", "'Sheet'"), Choices(sheet="May"))
    yield Bad(CHOICE, "v.npz", npz(a=np.eye(3)), ("no array 'b'", "'a'"), Choices(variable="b"))
    short = npz(members=np.ones((4, 2), int), gt=np.ones(3, int))
    yield Bad(CHOICE, "v.npz", short, ("'gt'", "does not fit"), Choices(roles={"gt": "truth"}))


@cache
def bad_files() -> tuple[Bad, ...]:
    makers = (_programs, _pickles, _other_formats, _empty_and_small, _names, _ragged, _cells, _encodings, _damaged,
              _bombs, _sizes, _arrays, _json, _choices)  # fmt: skip
    return tuple(bad for make in makers for bad in make())
