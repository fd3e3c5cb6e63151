"""Random bytes, mutilated files and random tables: nothing but our own sentences, and what was written is read back."""

import gzip
import io
import json

import numpy as np
import pandas as pd
import pytest
from bad_files import GOOD_FEATURES, GOOD_LABELS, feather, gz, hdf, mat, mat_class, npy, npz, parquet, xlsx
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from mutated_files import mutated, sentence_of

from consensus_core.ensemble import MISSING
from consensus_core.errors import InputError
from consensus_core.reading import ROLES, Choices, parts, read

EXTENSIONS = (
    "csv",
    "tsv",
    "txt",
    "xlsx",
    "xls",
    "parquet",
    "feather",
    "npy",
    "npz",
    "mat",
    "json",
    "jsonl",
    "csv.gz",
    "",
)
RELAXED = settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
SMALL = {"max_bytes": 2**22, "max_cells": 10**6}
TABLE = np.array([[1, 2, 1], [2, 2, 1], [1, 1, 2], [2, 1, 2], [3, 1, 1]])
FRAME = pd.DataFrame(TABLE, columns=["a", "b", "c"])
VALID = {
    "a.csv": GOOD_LABELS,
    "b.csv": GOOD_FEATURES + b'"1,5",2\n',
    "c.csv": "größe;y\n1,5;2\n2,5;3\n".encode("utf-16"),
    "d.txt": b"# x y\n 1.5  2\n 2.5 3\n",
    "e.xlsx": xlsx([["a", "b"], [1, 2], [2, 1], [1, 1]]),
    "f.parquet": parquet({"a": [1, 2, 1], "b": ["x", "y", "x"]}),
    "g.feather": feather({"a": [1.5, 2, 1], "b": [1, 2, 3]}),
    "g2.feather": feather({"a": [1.5, 2, 1], "b": ["u", "v", "u"]}, compression="uncompressed"),
    "h.npy": npy(TABLE),
    "i.npz": npz(labels=TABLE, truth=np.array([1, 1, 2, 2, 2])),
    "j.mat": mat(members=TABLE, gt=np.arange(5)[:, None]),
    "k.mat": mat(members=TABLE.astype(float), packed=True),
    "m.json": b'[{"a": 1, "b": 2}, {"a": 2, "b": null}, {"a": 1, "b": 1}]',
    "n.json": b'{"a": {"0": 1, "1": 2}, "b": {"0": 2, "1": 1}}',
    "o.csv.gz": gz(GOOD_LABELS),
}
HDF5 = hdf(lambda file: mat_class(file, "members", TABLE.T, "double"))


def only_sentences(data: bytes, name: str, choices=None):
    """Read, and use what was read: anything but an InputError fails the test, as does the sentence of last resort."""
    choices = choices or Choices()
    for action in (lambda: used(read(data, name, choices, **SMALL)), lambda: parts(data, name, 2**22)):
        try:
            action()
        except InputError as fault:
            assert str(fault).endswith(".") and "\n" not in str(fault)
            assert "foresaw" not in str(fault), str(fault)


def used(reading):
    assert reading.frame.shape[0] == reading.n >= 2
    assert reading.ids is None or len(reading.ids) == reading.n
    assert reading.truth is None or len(reading.truth) == reading.n
    assert all(because.endswith(".") for because in reading.because)
    if reading.kind == "labels":
        assert reading.ensemble().n == reading.n
    else:
        assert reading.features().shape == reading.frame.shape


@given(st.binary(max_size=400), st.sampled_from(EXTENSIONS))
@RELAXED
def test_random_bytes(data, extension):
    only_sentences(data, f"x.{extension}")


@given(st.data(), st.sampled_from(EXTENSIONS))
@RELAXED
def test_random_bytes_behind_a_known_beginning(data, extension):
    begin = data.draw(st.sampled_from([content[:200] for content in VALID.values()]))
    only_sentences(
        begin[: data.draw(st.integers(1, len(begin)))] + data.draw(st.binary(max_size=200)), f"x.{extension}"
    )


@given(st.text(alphabet="0123456789.,;\t|\"' \n\r-+eENAnaif#=xé\x00[]{}:", max_size=200), st.sampled_from(EXTENSIONS))
@RELAXED
def test_random_text(text, extension):
    only_sentences(text.encode(), f"x.{extension}")


@given(
    st.text(alphabet='012.,; \t\nab"', max_size=120),
    st.builds(
        Choices,
        kind=st.sampled_from([None, "features", "labels"]),
        header=st.sampled_from([None, True, False]),
        separator=st.sampled_from([None, ",", ";", " ", "\t", "a"]),
        decimal=st.sampled_from([None, ".", ","]),
        encoding=st.sampled_from([None, "utf-8", "utf-16", "cp1252", "utf-7", "idna", "punycode", "cp037"]),
        transposed=st.sampled_from([None, True, False]),
        roles=st.dictionaries(
            st.sampled_from(["a", "b", "column 1", "column 2", "column 3"]), st.sampled_from(list(ROLES)), max_size=3
        ),
        names_in=st.sampled_from([None, "", "a", "column 1"]),
        not_objects=st.sampled_from([None, (), ("column 2",)]),
        missing=st.sampled_from([None, (), ("1",), ("a", "0")]),
    ),
)
@RELAXED
def test_random_text_with_random_choices(text, choices):
    only_sentences(text.encode(), "x.csv", choices)


ROWS = st.integers(2, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.sampled_from(["1", "2", "3", "1.5", "a", "b", "", "NA", "0"]), min_size=width, max_size=width),
        min_size=2,
        max_size=9,
    )
)


@given(
    ROWS,
    st.sampled_from([",", ";", "\t", "|"]),
    st.builds(
        Choices,
        kind=st.sampled_from([None, "features", "labels"]),
        header=st.sampled_from([None, True, False]),
        decimal=st.sampled_from([None, ".", ","]),
        transposed=st.sampled_from([None, True, False]),
        missing=st.sampled_from([None, (), ("1",), ("-1",)]),
    ),
)
@RELAXED
def test_the_choices_used_read_the_same_again(rows, separator, choices):
    """What a Reading says it used can be shown, kept and given back: nothing changes."""
    data = "\n".join(separator.join(row) for row in rows).encode()
    try:
        first = read(data, "x.csv", choices)
    except InputError:
        return
    second = read(data, "x.csv", first.choices)
    pd.testing.assert_frame_equal(first.frame, second.frame)
    assert first.choices == second.choices
    for before, after in ((first.ids, second.ids), (first.truth, second.truth)):
        assert (before is None and after is None) or list(before) == list(after)


@given(st.data())
@settings(RELAXED, max_examples=500)
def test_mutilated_files(data):
    name = data.draw(st.sampled_from(sorted(VALID)))
    content = bytearray(VALID[name])
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        how = data.draw(st.sampled_from(["flip", "cut", "double", "insert", "zero"]))
        if how == "flip":
            content[place] ^= 1 << data.draw(st.integers(0, 7))
        elif how == "cut":
            del content[place : place + data.draw(st.integers(1, 60))]
        elif how == "double":
            content[place:place] = content[place : place + 40]
        elif how == "insert":
            content[place:place] = data.draw(st.binary(min_size=1, max_size=8))
        else:
            content[place : place + 4] = bytes(4)
        if not content:
            break
    only_sentences(bytes(content), name)


# Tables written in every format and read back.

CELLS = st.floats(allow_nan=False, allow_infinity=False, width=64)
MATRICES = hnp.arrays(np.float64, st.tuples(st.integers(2, 8), st.integers(2, 5)), elements=CELLS)


def as_json(frame):
    return json.dumps(frame.to_dict("records")).encode()


def as_excel(frame):
    return xlsx([list(frame.columns), *frame.to_numpy().tolist()])


def as_text(separator, decimal=".", encoding="utf-8", end="\n", packed=False):
    def write(frame):
        text = frame.to_csv(index=False, sep=separator, decimal=decimal, lineterminator=end).encode(encoding)
        return gzip.compress(text) if packed else text

    return write


def as_hdf5(frame):
    def fill(file):
        mat_class(file, "x", frame.to_numpy().T, "double")

    return hdf(fill, by_matlab=True)


WRITERS = {
    "a.csv": as_text(","),
    "b.tsv": as_text("\t", end="\r\n"),
    "c.csv": as_text(";", ","),
    "d.csv": as_text(";", ",", "utf-16"),
    "e.txt": as_text("|", encoding="utf-8-sig", end="\r"),
    "f.txt": as_text(" "),
    "g.csv.gz": as_text(",", packed=True),
    "h.xlsx": as_excel,
    "i.parquet": lambda frame: frame.to_parquet(),
    "j.feather": lambda frame: feather({name: frame[name].to_numpy() for name in frame}),
    "k.json": as_json,
    "l.jsonl": lambda frame: frame.to_json(orient="records", lines=True, double_precision=15).encode(),
    "m.npy": lambda frame: npy(frame.to_numpy()),
    "n.npz": lambda frame: npz(x=np.asfortranarray(frame.to_numpy())),
    "o.mat": lambda frame: mat(x=frame.to_numpy()),
    "p.mat": lambda frame: mat(x=frame.to_numpy(), packed=True),
    "q.h5": as_hdf5,
}
EXPLICIT = Choices(kind="features", roles={"*": "feature"}, transposed=False)


@pytest.mark.parametrize("name", WRITERS)
@given(matrix=MATRICES)
@settings(RELAXED, max_examples=30)
def test_features_come_back_to_the_digit(name, matrix):
    if name in ("h.xlsx", "l.jsonl"):
        matrix = np.round(np.clip(matrix, -1e6, 1e6), 3)  # openpyxl writes 16 digits, pandas' JSON 15
    names = [f"feature {j}" for j in range(matrix.shape[1])]
    reading = read(WRITERS[name](pd.DataFrame(matrix, columns=names)), name, EXPLICIT)
    np.testing.assert_array_equal(reading.features(), matrix)
    if not name.endswith((".npy", ".npz", ".mat", ".h5")):
        assert list(reading.frame.columns) == names


LABELS = hnp.arrays(np.int64, st.tuples(st.integers(2, 12), st.integers(2, 5)), elements=st.integers(-1, 4))


@pytest.mark.parametrize("name", [name for name in WRITERS if name not in ("c.csv", "d.csv")])
@given(table=LABELS)
@settings(RELAXED, max_examples=30)
def test_labels_come_back(name, table):
    names = [f"kmeans {j}" for j in range(table.shape[1])]
    choices = Choices(kind="labels", roles={"*": "label"}, transposed=False)
    reading = read(WRITERS[name](pd.DataFrame(table, columns=names)), name, choices)
    np.testing.assert_array_equal(reading.frame.to_numpy(dtype=np.int64), table)
    assert reading.ensemble().m == table.shape[1]


TEXT_LABELS = st.lists(
    st.tuples(*[st.sampled_from(["red", "blue", "dark green", "naïve", "x,y", 'a"b', "", "c;d"])] * 3),
    min_size=2,
    max_size=9,
)


@pytest.mark.parametrize("name", ["a.csv", "b.tsv", "e.txt", "d.csv", "h.xlsx", "i.parquet", "k.json"])
@given(rows=TEXT_LABELS)
@settings(RELAXED, max_examples=30)
def test_text_labels_come_back(name, rows):
    frame = pd.DataFrame(rows, columns=["one", "two", "three"])
    blank = (frame == "").all(axis=1)
    assume(not blank.all())  # of a table in which nothing is written it is said that there is no row of data
    separator = {"b.tsv": "\t", "e.txt": "|", "d.csv": ";"}.get(name, ",")
    text = name.endswith((".csv", ".tsv", ".txt"))
    choices = Choices(
        kind="labels",
        roles={"*": "label"},
        transposed=False,
        header=True,
        separator=separator if text else None,
    )
    file = WRITERS[name](frame)
    if name == "h.xlsx":  # a sheet's blank rows are no objects; those before its last row are counted in a note
        frame = frame[~blank]
        assume(len(frame) >= 2)
    reading = read(file, name, choices)
    if name == "h.xlsx":
        between = blank[: int(np.flatnonzero(~blank).max())].sum()
        assert any("passed over" in note for note in reading.notes) == (between > 0)
    for column in frame:
        got = reading.frame[column]
        expected = [None if cell == "" else cell for cell in frame[column]]
        assert [None if cell is None or cell != cell or cell == MISSING else cell for cell in got] == expected


@pytest.mark.parametrize("place", range(0, len(HDF5), 61))
def test_mutilated_hdf5(place):
    """Its library is not ours to trust: one flipped byte at many places, and every cut."""
    broken = bytearray(HDF5)
    broken[place] ^= 0xFF
    only_sentences(bytes(broken), "x.mat")
    only_sentences(HDF5[: place + 1], "x.mat")


@pytest.mark.parametrize("part", range(20))
def test_files_changed_at_random_get_a_sentence_or_are_read(part):
    """500 of them; `python -m benchmarks.bad_files 20000` tries more."""
    for number in range(25 * part, 25 * part + 25):
        sentence_of(*mutated(number))


def test_a_stream_is_read_from_its_beginning():
    stream = io.BytesIO(GOOD_LABELS)
    stream.read(5)
    assert read(stream, "a.csv").frame.shape == (5, 3)
