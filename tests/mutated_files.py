"""Good, bad and hostile files changed at random: bytes, pieces and numbers, inside of packings too. The same number and
seed give the same file."""

from __future__ import annotations

import gzip
import io
import random
import zipfile
import zlib
from functools import cache

from bad_files import GOOD_FEATURES, GOOD_LABELS, bad_files, feather, hdf, mat, mat_class, npy, npz, parquet, xlsx

from consensus_core.errors import InputError
from consensus_core.reading import Choices, look, read

SMALL = {"max_bytes": 2**22, "max_cells": 10**6}
LARGEST = 200_000  # bytes of a file that is changed
NUMBERS = (0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 2**40, 2**63 - 1, 2**64 - 1)
WORDS = (b'"', b",", b";", b"\n", b"\r", b"\0", b"-1", b"1e999", b"nan", b"\xff\xfe", b"'", b"9" * 50, b"<", b"]", b"{")


@cache
def seeds() -> tuple[tuple[str, bytes], ...]:
    import numpy as np

    table = np.array([[1, 2, 1], [2, 2, 1], [1, 1, 2], [2, 1, 2], [3, 1, 1]])
    good = [
        ("a.csv", GOOD_LABELS),
        ("b.csv", GOOD_FEATURES),
        ("c.csv", "größe;y;art\n1,5;2;rot\n2,5;3;blau\n".encode("utf-16")),
        ("d.txt", b'"a" "b"\n"x" 1.5 2\n"y" 2.5 3\n'),
        ("e.xlsx", xlsx([["a", "b", "c"], [1, 2, "x"], [2, 1, "y"], [1, 1, "x"]], sheets=["more"])),
        ("f.parquet", parquet({"a": [1, 2, 1, 2], "b": ["x", "y", None, "x"], "c": [1.5, None, 2, 3]})),
        ("g.feather", feather({"a": [1.5, 2, 1], "b": ["u", "v", "u"]})),
        ("h.npy", npy(table)),
        ("i.npz", npz(labels=table, truth=table[:, 0], names=np.array(["a", "b", "c", "d", "e"]))),
        ("j.mat", mat(members=table, gt=table[:, :1])),
        ("k.mat", mat(members=table.astype(float), packed=True)),
        ("l.h5", hdf(lambda file: mat_class(file, "members", table.T, "double"))),
        ("m.json", b'[{"a": 1, "b": "x"}, {"a": 2, "b": null}, {"a": 1, "b": "y"}]'),
        ("n.json", b'{"a": {"0": 1, "1": 2}, "b": {"0": 2, "1": 1}}'),
        ("o.csv.gz", gzip.compress(GOOD_LABELS, mtime=0)),
    ]
    bad = [(one.name, one.data) for one in bad_files() if 0 < len(one.data) <= LARGEST]
    return (*good * 20, *bad)  # about half of each


def mutated(number: int, seed: int = 0) -> tuple[str, bytes]:
    draw = random.Random(1_000_003 * seed + number)
    name, content = draw.choice(seeds())
    if draw.random() < 0.4:
        content = _inside(draw, content)
    else:
        content = _changed(draw, content)
    if draw.random() < 0.05:
        name = draw.choice(seeds())[0]
    return name, content


def _changed(draw: random.Random, content: bytes) -> bytes:
    data = bytearray(content)
    for _ in range(draw.choice((1, 1, 2, 4, 16))):
        at = draw.randrange(len(data) + 1)
        length = draw.choice((1, 2, 4, 8, 50))
        match draw.randrange(8):
            case 0:
                data[at : at + 1] = bytes([draw.randrange(256)])
            case 1:
                del data[at : at + length]
            case 2:
                data[at:at] = data[at : at + length] * draw.choice((1, 2, 30))
            case 3:
                data[at:at] = draw.choice(WORDS)
            case 4:
                width = draw.choice((1, 2, 4, 8))
                number = draw.choice(NUMBERS) % 256**width
                data[at : at + width] = number.to_bytes(width, draw.choice(("little", "big")))
            case 5:
                del data[at:]
            case 6:
                other = draw.choice(seeds())[1]
                begin = draw.randrange(len(other))
                data[at : at + length] = other[begin : begin + draw.choice((8, 100, 1000))]
            case 7:
                data[at : at + length] = bytes(draw.randrange(256) for _ in range(length))
        if not data:
            return b""
    return bytes(data)


def _inside(draw: random.Random, content: bytes) -> bytes:
    """What is packed is changed before it is packed again, so that the change comes through."""
    try:
        if content[:2] == b"\x1f\x8b":
            return gzip.compress(_changed(draw, gzip.decompress(content)), mtime=0)
        if content[:4] == b"PK\x03\x04":
            return _rezipped(draw, content)
        if (at := content.find(b"\x78\x9c")) > 0:  # an element of a MAT file
            opened = zlib.decompressobj()
            plain = opened.decompress(content[at:])
            return content[:at] + zlib.compress(_changed(draw, plain)) + opened.unused_data
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError):
        pass
    return _changed(draw, content)


def _rezipped(draw: random.Random, content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > 2**22:
            return _changed(draw, content)
        entries = {entry.filename: archive.read(entry) for entry in archive.infolist()}
    chosen = draw.choice(list(entries))
    entries[chosen] = _changed(draw, entries[chosen])
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, inside in entries.items():
            archive.writestr(zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0)), inside)
    return out.getvalue()


def sentence_of(name: str, content: bytes) -> str:
    """What is said of the file, "" where it is read. Anything but an InputError comes through, as does what nobody
    foresaw."""
    said = ""
    try:
        reading = read(content, name, **SMALL)
        reading.features() if reading.kind == "features" else reading.ensemble()
        assert reading.n >= 2 and reading.columns
    except InputError as fault:
        said = str(fault)
        assert said.endswith(".") and "\n" not in said, said
        assert "foresaw" not in said, f"{said} {fault.__cause__!r}"
    seen = look(content, name, Choices(), **SMALL)
    assert seen.fault or seen.columns
    return said
