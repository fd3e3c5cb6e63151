"""Files made to hang a reader or to fill its memory: each format's ways to claim more than it holds.

Every file is made here, when it is asked for, from a few bytes; none is kept.
"""

import gzip
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable
from typing import NamedTuple

import h5py
import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet


class Hostile(NamedTuple):
    what: str
    name: str
    make: Callable[[], bytes]
    words: tuple[str, ...]  # of its sentence; none: it is no lie after all, and is read
    rare: str = ""  # why it is tried with QUORUM_HOSTILE=all only: it takes seconds, and this beside it


MB = 2**20
TEXT, PACKED, EXCEL, NUMPY, MATLAB, HDF5, COLUMNS, JSON = (
    "text", "packed", "Excel", "NumPy", "MATLAB 5", "HDF5", "Parquet and Feather", "JSON"
)  # fmt: skip


# ---------------------------------------------------------------------------------------------------------- text


def _text():
    yield Hostile("two empty quoted cells, 14.7 million times", "x.csv", lambda: b'"",""\n' * 14_700_000, ("number",))
    yield Hostile("one cell of 180 MB", "x.csv", lambda: b"a,b\n1," + b"x" * (180 * MB) + b"\n2,1\n", ("row 2", "8 MB"))
    yield Hostile("blanks and quotes, 10 MB", "x.txt", lambda: b'"a b" 1  2\n' * 1_000_000, ())
    yield Hostile("100 MB of commas", "x.csv", lambda: b"," * (100 * MB), ("row 1", "8 MB"))
    yield Hostile(
        "60 MB of semicolons in rows",
        "x.csv",
        lambda: (b";" * 7 * MB + b"\n") * 8,
        ("columns", "50,000"),
        rare="too many names are tried in 100,000 columns",
    )
    yield Hostile("a quotation that is never closed, 120 MB", "x.csv", _unclosed, ("row 5002", "never closed"))
    yield Hostile("100,000 different names", "x.csv", lambda: _names(100_000), ("100,000 columns", "50,000 allowed"))
    yield Hostile(
        "1,000,000 names",
        "x.csv",
        lambda: _names(1_000_000),
        ("columns", "50,000 allowed"),
        rare="a tenth of them is tried",
    )
    yield Hostile("60 MB of digits without a line end", "x.txt", lambda: b"7" * (60 * MB), ("row 1", "8 MB"))
    yield Hostile(
        "a quoted cell over 60 MB of lines",
        "x.csv",
        lambda: b'a,b\n1,"' + b"x\n" * (30 * MB) + b'"\n2,1\n',
        ("row 2", "8 MB"),
    )
    yield Hostile("100 MB of line ends", "x.csv", lambda: b"\n" * (100 * MB), ("the file is empty",))
    yield Hostile("80 MB of comments", "x.csv", lambda: b"#\n" * (40 * MB) + b"a,b\n1,2\n2,1\n", ("no row of data",))
    yield Hostile("50 MB of quotation marks", "x.csv", lambda: b'"' * (50 * MB), ("x.csv",))
    digits = b"a,b\n1," + b"7" * MB + b"\n2,1\n3,1\n"
    yield Hostile("a number of a million digits", "x.csv", lambda: digits, ("is infinite",))
    yield Hostile(
        "a byte that is no letter after 40 MB",
        "x.csv",
        lambda: b"a,b\n" + b"1,2\n" * (10 * MB) + b"\0,1\n",
        ("NUL",),
        rare="test_reading.py has it in 9 MB",
    )
    yield Hostile(
        "the last of 16 million rows is too long",
        "x.csv",
        lambda: b"a,b\n" + b"1,2\n2,1\n" * (8 * MB) + b"1,2,3\n",
        ("row 16777218", "3 cells"),
        rare="test_reading.py has it in 350,000 rows",
    )
    yield Hostile(
        "the same with quotation marks",
        "x.csv",
        lambda: b"a,b\n" + b'"1",2\n2,1\n' * (4 * MB) + b'1,"2",3\n',
        ("row 8388610", "3 cells"),
        rare="test_reading.py has it in 350,000 rows",
    )
    yield Hostile(
        "20 MB of UTF-16 without an end", "x.csv", lambda: b"\xff\xfe" + b"1\0,\0" * (5 * MB), ("row 1", "8 MB")
    )
    yield Hostile(
        "a surrogate at the end of UTF-16", "x.csv", lambda: "a,b\n1,2\n".encode("utf-16-le") + b"\0\xd8", ("x.csv",)
    )


def _unclosed() -> bytes:
    return b"a,b\n" + b"1,2\n" * 5_000 + b'"1,2\n' + b"1,2\n" * (30 * MB)


def _names(count: int) -> bytes:
    return b",".join(b"c%d" % i for i in range(count)) + b"\n" + b",".join([b"1"] * count) + b"\n"


# --------------------------------------------------------------------------------------------------------- packed


def _packed():
    member = gzip.compress(b"1,2\n", mtime=0)
    yield Hostile("300,000 pieces", "x.csv.gz", lambda: member * 300_000, ("packed pieces",))
    empty = gzip.compress(b"", mtime=0)
    yield Hostile("2 million empty pieces", "x.csv.gz", lambda: empty * 2_000_000, ("packed pieces",))
    yield Hostile("zeros a thousandfold", "x.csv.gz", lambda: _zeros(1024 * MB), ("unpacked it would be larger",))
    yield Hostile(
        "a name of 60 MB in the gzip head", "x.csv.gz",
        lambda: b"\x1f\x8b\x08\x08" + bytes(6) + b"n" * (60 * MB), ("x.csv", "gzip"),
    )  # fmt: skip
    yield Hostile("70,000 entries", "x.npz", lambda: _entries(70_000), ("packed files",))
    yield Hostile("5,000 entries that are one", "x.npz", _overlapping, ("unpacked it would be larger",))
    yield Hostile("an entry larger than it says", "x.npz", _understated, ("damaged",))
    yield Hostile("packed in a way with a dictionary of 1 GB", "x.npz", _lzma, ("unusual way",))


def _zeros(count: int) -> bytes:
    check = 0
    for _ in range(count // MB):
        check = zlib.crc32(bytes(MB), check)
    return b"\x1f\x8b\x08" + bytes(7) + _deflated(b"", count, 9) + struct.pack("<II", check, count)


def _deflated(begin: bytes, zeros: int, level: int) -> bytes:
    """What begins so and goes on in zeros, one megabyte packed and written again and again."""
    packer = zlib.compressobj(level, zlib.DEFLATED, -15)
    first = packer.compress(begin) + packer.flush(zlib.Z_FULL_FLUSH)
    again = packer.compress(bytes(MB)) + packer.flush(zlib.Z_FULL_FLUSH)
    return first + again * (zeros // MB) + packer.flush()


def _entries(count: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for i in range(count):
            archive.writestr(f"array number {i:06d} of many, with a long name.npy", b"")
    return out.getvalue()


def _overlapping() -> bytes:
    """One packed entry of 10 MB that the list of contents names 5,000 times."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("00000.npy", bytes(10 * MB))
    data = out.getvalue()
    begin = data.index(b"PK\x01\x02")
    end = data.rindex(b"PK\x05\x06")
    one = data[begin:end]
    many = b"".join(one.replace(b"00000.npy", b"%05d.npy" % i) for i in range(5_000))
    tail = bytearray(data[end:])
    struct.pack_into("<HHI", tail, 8, 5_000, 5_000, len(many))
    return data[:begin] + many + bytes(tail)


def _understated() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", _npy_head("<f8", (10**7, 2)) + bytes(160 * 10**6))
    data = bytearray(out.getvalue())
    struct.pack_into("<I", data, bytes(data).index(b"PK\x01\x02") + 24, 1000)
    return bytes(data)


def _lzma() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.npy", _npy(np.eye(3)))
    data = bytearray(out.getvalue())
    begin = bytes(data).index(b"a.npy") + 5
    struct.pack_into("<I", data, begin + 5, 2**30)  # the dictionary it asks for
    return bytes(data)


# ---------------------------------------------------------------------------------------------------------- Excel


def _excel():
    yield Hostile("row number a billion", "x.xlsx", lambda: _sheet(_row(1) + _row(10**9)), ("more than Excel allows",))
    yield Hostile("row number a trillion", "x.xlsx", lambda: _sheet(_row(10**12)), ("more than Excel allows",))
    yield Hostile("a row without a cell there", "x.xlsx", lambda: _sheet(_row(1) + '<row r="99999999"/>'), ("allows",))
    yield Hostile("5,999 rows, each one cell further right", "x.xlsx", lambda: _sheet(_stairs(5_999)), ("cells",))
    corner = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    yield Hostile("a cell in the far corner", "x.xlsx", lambda: _sheet(_row(1) + corner), ("cells",))
    yield Hostile(
        "300,000 rows",
        "x.xlsx",
        lambda: _sheet("".join(map(_row, range(1, 300_001)))),
        (),
        rare="no lie: it is long, and is read",
    )
    yield Hostile("column ZZZ", "x.xlsx", lambda: _sheet('<row r="1"><c r="ZZZ1"><v>1</v></c></row>'), ("allows",))
    yield Hostile("2 million cells in one row", "x.xlsx", lambda: _sheet("<row>" + "<c/>" * 2_000_000), ("allows",))
    yield Hostile("row number 1e400", "x.xlsx", lambda: _sheet('<row r="1e400"/>'), ("damaged",))
    yield Hostile("a text that is not there", "x.xlsx", lambda: _sheet(_text_cell(10**9)), ("damaged",))
    yield Hostile(
        "6 million empty texts",
        "x.xlsx",
        lambda: _sheet(_text_cell(0), {"sharedStrings": "<sst>" + "<si/>" * 6_000_000 + "</sst>"}),
        ("cells",),
    )
    yield Hostile("a text of 30 MB", "x.xlsx", lambda: _sheet(_inline("x" * (30 * MB))), ("letters", "allowed"))
    yield Hostile("2 million styles", "x.xlsx", _styles, ("damaged",))
    yield Hostile(
        "an attribute of 30 MB",
        "x.xlsx",
        lambda: _sheet(f'<row r="1" x="{"y" * 30 * MB}"/>'),
        ("empty",),
        rare="a text of 30 MB is tried",
    )
    yield Hostile("a million elements deep", "x.xlsx", lambda: _sheet("<a>" * 1_000_000), ("damaged",))
    yield Hostile("20,000 sheets that are one", "x.xlsx", lambda: _sheets(20_000), ("20,000 sheets",))
    yield Hostile(
        "900 sheets of a million cells",
        "x.xlsx",
        lambda: _sheets(900, _broad()),
        (),
        rare="no lie: it is long, and is read; 20,000 sheets are tried",
    )
    laughs = '<!DOCTYPE a [<!ENTITY b "' + "ha" * 50 + '">' + "".join(
        f'<!ENTITY {chr(99 + i)} "{f"&{chr(98 + i)};" * 10}">' for i in range(9)
    )  # fmt: skip
    hidden = '<?xml version="1.0"?>' + " " * 6_000 + laughs + "]><sst><si><t>&k;</t></si></sst>"
    yield Hostile("a billion laughs", "x.xlsx", lambda: _sheet(_text_cell(0), {"sharedStrings": hidden}), ("entities",))
    said = '<dimension ref="A1:XFD1048576"/>'
    yield Hostile(
        "a sheet that says it is full", "x.xlsx", lambda: _sheet("".join(map(_row, (1, 2, 3))), said=said), ()
    )


def _styles() -> bytes:
    styles = "<styleSheet><cellXfs>" + "<xf/>" * 2_000_000 + "</cellXfs></styleSheet>"
    return _sheet('<row r="1"><c r="A1" s="1"><v>1</v></c></row>', {"styles": styles})


def _row(number: int) -> str:
    cells = "".join(f'<c r="{letter}{number}"><v>{number % 3 + place}</v></c>' for place, letter in enumerate("ABC"))
    return f'<row r="{number}">{cells}</row>'


def _stairs(count: int) -> str:
    from openpyxl.utils import get_column_letter

    return "".join(f'<row r="{i}"><c r="{get_column_letter(i)}{i}"><v>1</v></c></row>' for i in range(1, count + 1))


def _broad() -> str:
    return "".join("<row>" + "<c><v>1</v></c>" * 16_384 + "</row>" for _ in range(59))


def _text_cell(number: int) -> str:
    return f'<row r="1"><c r="A1" t="s"><v>{number}</v></c></row>'


def _inline(text: str) -> str:
    return f'<row r="1"><c r="A1" t="inlineStr"><is><t>{text}</t></is></c></row>'


def _workbook(parts: dict[str, str], sheets=(("Sheet", "sheet1"),)) -> bytes:
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    relation = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    listed = "".join(f'<sheet name="{name}" sheetId="{i}" r:id="r{i}"/>' for i, (name, _) in enumerate(sheets, 1))
    targets = "".join(
        f'<Relationship Id="r{i}" Type="worksheet" Target="worksheets/{path}.xml"/>'
        for i, (_, path) in enumerate(sheets, 1)
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", f"<workbook {space} {relation}><sheets>{listed}</sheets></workbook>")
        archive.writestr("xl/_rels/workbook.xml.rels", f"<Relationships>{targets}</Relationships>")
        for path, text in parts.items():
            archive.writestr(f"xl/{path}.xml", text)
    return out.getvalue()


def _sheet(rows: str, more: dict[str, str] | None = None, said: str = "") -> bytes:
    text = f"<worksheet>{said}<sheetData>{rows}</sheetData></worksheet>"
    return _workbook({"worksheets/sheet1": text} | (more or {}))


def _sheets(count: int, rows: str | None = None) -> bytes:
    text = f"<worksheet><sheetData>{rows or _row(1) + _row(2)}</sheetData></worksheet>"
    return _workbook({"worksheets/sheet1": text}, [(f"s{i}", "sheet1") for i in range(count)])


# ---------------------------------------------------------------------------------------------------------- NumPy


def _numpy():
    yield Hostile("texts without a letter", "x.npy", lambda: _npy_head("<U0", (50_000_000, 2)), ("without a letter",))
    yield Hostile("bytes of no length", "x.npy", lambda: _npy_head("|S0", (10**12, 2)), ("without a letter",))
    yield Hostile("a shape without the data", "x.npy", lambda: _npy_head("<f8", (2**40, 2)), ("ends too early",))
    yield Hostile("a shape beyond 64 bits", "x.npy", lambda: _npy_head("|i1", (2**40, 2**40)), ("ends too early",))
    yield Hostile("a text of a billion letters", "x.npy", lambda: _npy_head("<U1000000000", (1, 2)), ("header",))
    yield Hostile(
        "texts of 2 million letters", "x.npy", lambda: _npy_head("<U2000000", (2, 2)) + bytes(32 * 10**6), ("letters",)
    )
    yield Hostile("a head of 4 GB", "x.npy", lambda: b"\x93NUMPY\x02\x00" + struct.pack("<I", 2**32 - 1), ("header",))
    deep = "[('a', " * 900 + "'f8'" + ")]" * 900
    yield Hostile("a type a thousand deep", "x.npy", lambda: _npy_head(deep, (2, 2), quoted=False), ("header",))
    yield Hostile("no rows of ten million columns", "x.npy", lambda: _npy_head("<f8", (0, 10**7)), ("empty",))
    yield Hostile("5,000 arrays", "x.npz", lambda: _npz(**{f"a{i}": np.eye(2) for i in range(5_000)}), ("arrays",))
    yield Hostile("zeros, 100 million", "x.npz", lambda: _npz(labels=np.zeros((10**7, 10), np.int8)), ("larger",))
    yield Hostile("6 million texts", "x.npy", lambda: _npy(np.full((3_000_000, 2), "a")), ("cells",))


def _npy(array) -> bytes:
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def _npz(**arrays) -> bytes:
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)
    return out.getvalue()


def _npy_head(dtype: str, shape, quoted=True) -> bytes:
    head = f"{{'descr': {dtype!r}, 'fortran_order': False, 'shape': {shape}, }}"
    head = head if quoted else head.replace(repr(dtype), dtype)
    return b"\x93NUMPY\x02\x00" + struct.pack("<I", len(head) + 1) + head.encode() + b"\n"


# --------------------------------------------------------------------------------------------------- MATLAB, HDF5


def _matlab():
    yield Hostile("200,000 matrices", "x.mat", lambda: _mat() + _matrices(200_000), ("arrays",))
    yield Hostile("zeros a thousandfold", "x.mat", lambda: _mat() + _packed_zeros(1024 * MB), ("memory",))
    yield Hostile("an element of 4 GB", "x.mat", lambda: _mat() + struct.pack("<II", 14, 2**32 - 8), ("middle",))
    yield Hostile(
        "a billion rows of no letters", "x.mat", lambda: _mat() + _matrix(4, (2**30, 0), b"", 4), ("one column only",)
    )
    yield Hostile("a billion rows of no numbers", "x.mat", lambda: _mat() + _matrix(6, (2**30, 0), b"", 9), ("empty",))
    yield Hostile("5 million sides", "x.mat", lambda: _mat() + _matrix(6, (1,) * 5_000_000, bytes(8), 9), ("damaged",))
    yield Hostile("an almost empty matrix of 100 million", "x.mat", _sparse, ("larger",))
    yield Hostile(
        "6 million letters",
        "x.mat",
        lambda: _mat() + _matrix(4, (6 * 10**6, 1), b"a" * 6 * 10**6, 16),
        ("one column only",),
    )
    yield Hostile("5,000 data sets", "x.h5", lambda: _hdf(_many), ("arrays",))
    yield Hostile("a data set of 10 million million", "x.h5", lambda: _hdf(_huge), ("larger",))
    yield Hostile(
        "zeros, 60 million",
        "x.h5",
        lambda: _hdf(_zeros_in_hdf),
        ("larger",),
        rare="a larger data set is tried that is quickly made",
    )
    yield Hostile("one text of 10 MB, 1,000 times", "x.h5", _pointing, ("letters",))
    yield Hostile("an almost empty matrix in HDF5", "x.mat", lambda: _hdf(_sparse_in_hdf), ("larger",))
    yield Hostile("its parts in another file", "x.mat", lambda: _hdf(_linked), ("outside this file",))
    yield Hostile("a group in itself", "x.h5", lambda: _hdf(_circle), ("struct or group",))
    yield Hostile("a million letters of a class", "x.h5", lambda: _hdf(_long_class), ())


def _mat() -> bytes:
    return b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM"


def _element(kind: int, data: bytes) -> bytes:
    return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)


def _matrix(cls: int, shape, data: bytes, kind: int, name=b"a") -> bytes:
    inside = _element(6, struct.pack("<II", cls, 0)) + _element(5, np.array(shape, "<i4").tobytes())
    return _element(14, inside + _element(1, name) + _element(kind, data))


def _matrices(count: int) -> bytes:
    return b"".join(_matrix(6, (2, 2), bytes(32), 9, b"m%06d" % i) for i in range(count))


def _packed_zeros(count: int) -> bytes:
    head, check = struct.pack("<II", 14, count), 1
    for data in (head, *[bytes(MB)] * (count // MB)):
        check = zlib.adler32(data, check)
    packed = b"\x78\x01" + _deflated(head, count, 1) + struct.pack(">I", check)
    return struct.pack("<II", 15, len(packed)) + packed


def _sparse() -> bytes:
    inside = _element(6, struct.pack("<II", 5, 1)) + _element(5, struct.pack("<ii", 10**7, 10)) + _element(1, b"a")
    inside += (
        _element(5, struct.pack("<i", 3))
        + _element(5, np.array([0] + [1] * 10, "<i4").tobytes())
        + _element(9, bytes(8))
    )
    return _mat() + _element(14, inside)


def _hdf(fill) -> bytes:
    out = io.BytesIO()
    with h5py.File(out, "w") as file:
        fill(file)
    return out.getvalue()


def _many(file):
    for i in range(5_000):
        file[f"a{i}"] = 1


def _huge(file):
    file.create_dataset("x", (10**7, 10**6), "f8", chunks=(1000, 1000))


def _zeros_in_hdf(file):
    file.create_dataset("x", data=np.zeros((6 * 10**6, 10)), compression="gzip", chunks=(10**5, 10))


def _pointing() -> bytes:
    """A column of texts whose entries all point to the first one."""
    texts, at = io.BytesIO(), 0
    with h5py.File(texts, "w") as file:
        column = file.create_dataset("x", (1000, 2), dtype=h5py.string_dtype())
        column[0, 0] = "y" * (10 * MB)
        column[1:] = "z"
        at = column.id.get_offset()
    data = bytearray(texts.getvalue())
    data[at : at + 16 * 2000] = data[at : at + 16] * 2000
    return bytes(data)


def _sparse_in_hdf(file):
    group = file.create_group("x")
    group.attrs["MATLAB_class"] = np.bytes_("double")
    group.attrs["MATLAB_sparse"] = np.uint64(4 * 10**7)
    group["jc"], group["ir"], group["data"] = np.array([0, 1, 1]), np.array([1]), np.array([1.5])


def _linked(file):
    group = file.create_group("x")
    group.attrs["MATLAB_sparse"] = np.uint64(3)
    for part in ("jc", "ir", "data"):
        group[part] = h5py.ExternalLink("/etc/other.h5", "/a")


def _circle(file):
    group = file.create_group("x")
    group["x"] = group


def _long_class(file):
    file["x"] = np.eye(3)
    file["x"].attrs.create("MATLAB_class", np.bytes_("c" * 60_000))


# -------------------------------------------------------------------------------------------- Parquet and Feather


def _columns():
    yield Hostile(
        "one text of 10 MB in 1,000 rows", "x.parquet", lambda: _parquet(_repeated(10 * MB, 1000)), ("letters",)
    )
    yield Hostile(
        "one text of a million letters in a million rows", "x.parquet", lambda: _parquet(_repeated(10**6, 10**6)), ()
    )
    yield Hostile("99 million rows of one number", "x.parquet", _run, ("does not fit into memory",))
    yield Hostile(
        "50,001 columns",
        "x.parquet",
        lambda: _parquet(_wide()),
        ("columns", "50,000"),
        rare="the same check meets 100,000 names in a text and 200,000 in JSON",
    )
    yield Hostile(
        "2,000 groups, each with a text of a million",
        "x.parquet",
        _groups,
        ("larger",),
        rare="one text in 1,000 rows is tried",
    )
    yield Hostile("lists in lists, 20 deep", "x.parquet", lambda: _parquet(_lists(20)), ("'a'", "list"))
    yield Hostile("an end of 2 GB", "x.parquet", lambda: b"PAR1" + bytes(99) + b"\xff\xff\xff\x7fPAR1", ("damaged",))
    yield Hostile(
        "a text of 300 MB",
        "x.parquet",
        lambda: _parquet(pa.table({"a": ["y" * (300 * MB), "n"], "b": [1, 2]})),
        ("larger",),
        rare="one of 10 MB in a million rows is tried",
    )
    yield Hostile(
        "one text of 10 MB in a million rows", "x.feather", lambda: _feather(_repeated(10 * MB, 10**6)), ("larger",)
    )
    yield Hostile(
        "a billion rows of nothing", "x.feather", lambda: _feather(pa.table({"a": pa.nulls(10**9)})), ("cells",)
    )
    yield Hostile("a run of two billion", "x.feather", _run_end, ("'a' holds a run_end_encoded",))
    yield Hostile("a buffer that says it is 1 TB", "x.feather", _overstated, ("damaged",))


def _repeated(letters: int, rows: int) -> pa.Table:
    codes = pa.array(np.zeros(rows, dtype=np.int32))
    texts = pa.DictionaryArray.from_arrays(codes, pa.array(["y" * letters]))
    return pa.table({"a": texts, "b": np.arange(rows) % 3, "c": np.arange(rows) % 2, "d": np.arange(rows) % 4})


def _parquet(table: pa.Table, **how) -> bytes:
    out = io.BytesIO()
    pyarrow.parquet.write_table(table, out, **{"compression": "zstd", **how})
    return out.getvalue()


def _feather(table: pa.Table) -> bytes:
    out = io.BytesIO()
    pyarrow.feather.write_feather(table, out, compression="zstd")
    return out.getvalue()


def _run() -> bytes:
    table = pa.table({"a": pa.array(np.zeros(99_000_000, dtype=np.int8))})
    return _parquet(table, use_dictionary=True)


def _wide() -> pa.Table:
    return pa.Table.from_arrays([pa.array([1, 2], pa.int8())] * 50_001, names=[f"c{i}" for i in range(50_001)])


def _groups() -> bytes:
    out, table = io.BytesIO(), pa.table({"a": ["y" * 10**6] * 2, "b": [1, 2]})
    with pyarrow.parquet.ParquetWriter(out, table.schema, compression="zstd") as writer:
        for _ in range(2_000):
            writer.write_table(table)
    return out.getvalue()


def _lists(depth: int) -> pa.Table:
    kind = pa.int64()
    for _ in range(depth):
        kind = pa.list_(kind)
    return pa.table({"a": pa.array([None, None], kind), "b": [1, 2]})


def _run_end() -> bytes:
    column = pa.RunEndEncodedArray.from_arrays(pa.array([2**31 - 1], pa.int32()), pa.array([1]))
    out = io.BytesIO()
    with pa.ipc.new_file(out, pa.schema([("a", column.type)])) as writer:
        writer.write_batch(pa.record_batch([column], ["a"]))
    return out.getvalue()


def _overstated() -> bytes:
    """The packed numbers begin with how many bytes they are unpacked."""
    data = _feather(pa.table({"a": np.arange(10_000), "b": np.arange(10_000)}))
    at = data.index(struct.pack("<q", 80_000))
    return data[:at] + struct.pack("<q", 2**40) + data[at + 8 :]


# ------------------------------------------------------------------------------------------------------------ JSON


def _json():
    yield Hostile(
        "2 million records",
        "x.json",
        lambda: b"[" + b'{"a":1,"b":2},' * 2_000_000 + b'{"a":2,"b":1}]',
        (),
        rare="no lie: it is long, and is read; 5 million rows are tried",
    )
    yield Hostile("5 million rows", "x.json", lambda: b"[" + b"[1,2]," * 5_000_000 + b"[2,1]]", ("cells",))
    yield Hostile("20 million empty lists", "x.json", lambda: b"[" + b"[]," * 20_000_000 + b"[]]", ("cells",))
    late = b'[{"a": "' + b"x" * 70_000 + b'", "b": ' + b"[" * 1_000_000
    yield Hostile("a million deep, later on", "x.json", lambda: late, ("nested",))
    yield Hostile(
        "a number of 10 million digits", "x.json", lambda: b"[[1, " + b"7" * 10**7 + b"], [2, 1]]", ("digits",)
    )
    yield Hostile(
        "a text of 150 MB",
        "x.json",
        lambda: b'[["' + b"x" * (150 * MB) + b'", 1], ["y", 2]]',
        ("letters",),
        rare="a number of 10 million digits is tried",
    )
    wide = json.dumps([dict.fromkeys(map(str, range(200_000)), 1)] * 2).encode()
    yield Hostile("200,000 entries in a record", "x.json", lambda: wide, ("columns", "50,000"))
    yield Hostile("half a letter", "x.json", lambda: b'[{"a": "\\ud800", "b": 1}, {"a": "x", "b": 2}]', ("half",))
    twice = b"{" + b'"a": 1, ' * 1_000_000 + b'"a": 2}'
    yield Hostile("a million entries of one name", "x.json", lambda: b"[" + twice + b"]", ("two entries called 'a'",))
    yield Hostile("300 MB", "x.json", lambda: b"[" + b" " * (300 * MB) + b"]", ("256 MB",))


def hostile_files() -> tuple[Hostile, ...]:
    makers = (_text, _packed, _excel, _numpy, _matlab, _columns, _json)
    return tuple(file for make in makers for file in make())
