"""What is read as what, and why: kind, header, separator, decimal sign, encoding, ids, truth, orientation."""

import functools
import io
import pickle
import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from bad_files import gz, hdf, mat, mat_class, npy, npz, parquet, repacked, xlsx
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_digits, load_iris, load_wine

from consensus_core.errors import InputError
from consensus_core.reading import Choices, parts, read
from consensus_core.reading.coded import ArrowTexts
from consensus_core.reading.formats import quick_text

TABLE = np.array([[1, 2, 1], [2, 2, 1], [1, 1, 2], [2, 1, 2], [3, 1, 1]])


def told(reading, *words):
    """Is there a sentence that holds all of these words?"""
    return any(all(word in sentence for word in words) for sentence in reading.because)


# ---------------------------------------------------------------------------------------------- features or labels


@pytest.mark.parametrize("load", [load_iris, load_wine, load_digits])
def test_real_features_are_features_with_their_truth(load):
    data = load(as_frame=True)
    reading = read(data.frame.to_csv(index=False).encode(), "data.csv")
    assert reading.kind == "features"
    np.testing.assert_array_equal(reading.features(), data.data.to_numpy())
    np.testing.assert_array_equal(reading.truth, data.target.to_numpy())
    assert reading.truth_name == "target" and told(reading, "'target'", "truth", "called so")


def test_a_label_table_is_labels():
    reading = read(b"a,b,c\n1,2,1\n2,2,1\n1,1,2\n", "votes.csv")
    assert reading.kind == "labels" and told(reading, "base labels", "without gaps")
    assert reading.ensemble().m == 3 and reading.ensemble().names == ("a", "b", "c")


def test_names_and_texts_tell_labels_too():
    assert read(b"kmeans 1,ward\n10,7\n30,7\n10,9\n", "v.csv").kind == "labels"
    reading = read(b"first,second\nred,x\nblue,x\nred,y\n", "v.csv")
    assert reading.kind == "labels" and told(reading, "texts that repeat")
    assert read(b"age,height\n31,170\n45,181\n31,165\n", "p.csv").kind == "features"
    assert read(b"u,v,w\n0,1,0\n1,1,0\n0,0,1\n", "bits.csv").kind == "features"


def test_the_callers_choice_of_kind_wins():
    table = b"a,b,c\n1,2,1\n2,2,1\n1,1,2\n"
    reading = read(table, "v.csv", Choices(kind="features"))
    assert reading.kind == "features" and told(reading, "features", "as chosen")
    np.testing.assert_array_equal(reading.features(), [[1, 2, 1], [2, 2, 1], [1, 1, 2]])
    with pytest.raises(InputError, match="these are features"):
        reading.ensemble()
    with pytest.raises(InputError, match="base labels"):
        read(table, "v.csv").features()


# ------------------------------------------------------------------------------------------------------ text layout


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " ", "   "])
@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_separator_and_header_are_found(separator, header, end):
    rows = [["x", "y", "z"]] * header + [["1.5", "2", "-3e2"], ["0.25", "4", "5"], ["7", "8.125", "9"]]
    data = end.join(separator.join(row) for row in rows).encode()
    reading = read(data, "x.txt")
    np.testing.assert_array_equal(reading.features(), [[1.5, 2, -300], [0.25, 4, 5], [7, 8.125, 9]])
    assert list(reading.frame.columns) == (["x", "y", "z"] if header else ["column 1", "column 2", "column 3"])
    assert reading.choices.separator == separator[0] and reading.choices.header is header


@pytest.mark.parametrize("separator", [";", "\t", " ", "|"])
def test_decimal_commas_are_found(separator):
    data = separator.join(["a", "b"]) + f"\n1,5{separator}2\n-2,25{separator}3,5\n4{separator}1,125\n"
    reading = read(data.encode(), "x.csv")
    np.testing.assert_array_equal(reading.features(), [[1.5, 2], [-2.25, 3.5], [4, 1.125]])
    assert reading.choices.decimal == "," and told(reading, "decimal sign is a comma", "1,5")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "utf-32"])
def test_encodings_are_found(encoding):
    data = "größe;höhe;art\n1,5;2;süß\n2,5;3;herb\n3;4;süß\n".encode(encoding)
    reading = read(data, "x.csv")
    assert list(reading.frame.columns) == ["größe", "höhe"]
    assert list(reading.truth) == ["süß", "herb", "süß"] and reading.truth_name == "art"
    assert reading.choices.encoding == encoding


def test_a_foreign_byte_far_below_changes_the_encoding():
    data = b"x,name\n" + b"1.5,plain\n" * 40_000 + "2.5,Müller\n".encode("cp1252")
    reading = read(data, "x.csv", Choices(roles={"name": "truth"}))
    assert reading.truth[-1] == "Müller" and told(reading, "cp1252", "row 40002")


def test_comments_blank_lines_and_the_separator_line_of_excel():
    out = io.BytesIO()
    np.savetxt(out, TABLE / 4, header="x y z")
    reading = read(out.getvalue(), "x.txt")
    assert list(reading.frame.columns) == ["x", "y", "z"]
    np.testing.assert_array_equal(reading.features(), TABLE / 4)
    reading = read(b"sep=|\r\na|b\r\n1.5|2\r\n\r\n3|4\r\n", "x.csv")
    np.testing.assert_array_equal(reading.features(), [[1.5, 2], [3, 4]])
    assert told(reading, "a bar", "says so")


def test_headers_that_only_count_are_headers():
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(6, 4)))
    for index in (True, False):
        reading = read(frame.to_csv(index=index).encode(), "x.csv")
        np.testing.assert_array_equal(reading.features(), frame.to_numpy())
        assert (reading.ids is not None) == index
    labels = pd.DataFrame(np.random.default_rng(0).integers(3, size=(30, 8)))
    np.testing.assert_array_equal(read(labels.to_csv(index=False).encode(), "v.csv").frame.to_numpy(), labels)


def test_the_header_of_r_has_one_cell_less():
    reading = read(b'"x" "y"\n"one" 1.5 2\n"two" 2.5 3\n"three" 3 1\n', "x.txt")
    assert list(reading.ids) == ["one", "two", "three"] and list(reading.frame.columns) == ["x", "y"]


@pytest.mark.parametrize("last", ["05999", "05998"])
def test_a_header_longer_than_what_is_looked_at_first(last):
    """It was cut in the middle, and two cut names were said to be the same."""
    names = [f"a rather long name of the base clustering number {i:05d}" for i in range(6000)]
    rows = [[(i * j + i) % 3 for j in range(6000)] for i in range(30)]
    data = "\n".join([",".join(names).replace("05999", last), *(",".join(map(str, row)) for row in rows)]).encode()
    if last == "05999":
        assert len(read(data, "v.csv", Choices(transposed=False)).frame.columns) == 6000
    else:
        with pytest.raises(InputError, match="columns 5999 and 6000 are both called"):
            read(data, "v.csv")


def test_quotes_line_breaks_and_separators_in_cells():
    data = b'id,"first, half",second\n"a\nb",1,2\n"c ""d""",2,1\ne,1,1\n'
    reading = read(data, "v.csv")
    assert list(reading.ids) == ["a\nb", 'c "d"', "e"]
    assert list(reading.frame.columns) == ["first, half", "second"]


def test_an_empty_last_column_and_blank_names():
    reading = read(b"a,,b,\n1,2,1,\n2,1,1,\n1,1,2,\n", "v.csv")
    assert list(reading.frame.columns) == ["a", "column 2", "b"]
    assert any("'column 4' was left out" in note for note in reading.notes)


def test_floats_are_read_to_the_last_digit():
    values = np.random.default_rng(1).normal(size=(500, 2)) * 10.0 ** np.arange(-249, 251)[:, None]
    data = "\n".join(f"{a!r};{b!r}".replace("np.float64", "") for a, b in values.tolist()).encode()
    np.testing.assert_array_equal(read(data, "x.csv").features(), values)


# ------------------------------------------------------------------------------------------- ids, truth, orientation


def test_ids_and_truth_by_name():
    reading = read(b"id,km1,km2,truth\n007,1,1,x\n008,2,1,x\n009,1,2,y\n", "v.csv")
    assert list(reading.ids) == ["007", "008", "009"]  # the noughts stay
    assert list(reading.truth) == ["x", "x", "y"] and list(reading.ensemble().truth) == ["x", "x", "y"]
    assert list(reading.frame.columns) == ["km1", "km2"]
    assert told(reading, "'id'", "ids") and told(reading, "'truth'", "truth")


def test_ids_and_truth_without_names():
    out = load_iris()
    names = np.array(out.target_names)[out.target]
    lines = [",".join(map(str, row)) + f",{name}" for row, name in zip(out.data, names, strict=True)]
    reading = read("\n".join(lines).encode(), "iris.data")
    assert reading.features().shape == (150, 4) and list(reading.truth) == list(names)
    reading = read(b"\n".join(b"%d\t%d.5\t%d.25\t%d" % (i, i, 3 * i, i % 3) for i in range(30)), "shape.txt")
    assert list(reading.ids) == list(range(30)) and list(reading.truth) == [i % 3 for i in range(30)]


def test_coordinates_are_not_a_truth():
    reading = read(b"x,y\n1,2\n5,2\n9,7\n", "points.csv")
    assert list(reading.frame.columns) == ["x", "y"] and reading.truth is None


def test_roles_can_be_overruled():
    data = b"id,km1,km2,class\n1,1,1,1\n2,2,1,1\n3,1,2,2\n"
    reading = read(data, "v.csv", Choices(roles={"*": "label"}))
    assert list(reading.frame.columns) == ["id", "km1", "km2", "class"] and reading.ids is reading.truth is None
    reading = read(data, "v.csv", Choices(roles={"class": "id", "km1": "truth", "id": "left out"}, kind="features"))
    assert list(reading.frame.columns) == ["km2"] and list(reading.truth) == [1, 2, 1]
    assert dict(reading.choices.roles) == {"class": "id", "km1": "truth", "id": "left out", "*": "feature"}


@pytest.mark.parametrize("name", ["v.csv", "v.npy", "v.mat", "v.xlsx"])
def test_base_clusterings_in_rows_are_turned(name):
    table = np.random.default_rng(0).integers(1, 5, size=(40, 6))
    write = {
        "v.csv": lambda t: pd.DataFrame(t).to_csv(index=False, header=False).encode(),
        "v.npy": npy,
        "v.mat": lambda t: mat(E=t),
        "v.xlsx": lambda t: xlsx(t.tolist()),
    }[name]
    reading = read(write(table.T), name)
    np.testing.assert_array_equal(reading.frame.to_numpy(), table)
    assert reading.choices.transposed and told(reading, "Objects stand in columns")
    straight = read(write(table), name)
    np.testing.assert_array_equal(straight.frame.to_numpy(), table)
    assert straight.choices.transposed is False and told(straight, "Objects stand in rows")
    forced = read(write(table.T), name, Choices(transposed=False, roles={"*": "label"}))
    np.testing.assert_array_equal(forced.frame.to_numpy(), table.T)


def test_turned_tables_keep_their_names_and_places():
    objects = ",".join(f"o{i}" for i in range(12))
    rows = [f"run{j}," + ",".join(str(1 + (i * (j + 2)) % 3) for i in range(12)) for j in range(3)]
    reading = read(("name," + objects + "\n" + "\n".join(rows)).encode(), "v.csv")
    assert list(reading.frame.columns) == ["run0", "run1", "run2"]
    assert list(reading.ids) == [f"o{i}" for i in range(12)]
    broken = ("name," + objects + "\n" + "\n".join(rows)).replace("run1,1", "run1,1.5")
    with pytest.raises(InputError, match=r"v\.csv, row 3, column 'o0': '1\.5' is not a label"):
        read(broken.encode(), "v.csv", Choices(kind="labels", transposed=True))


# ------------------------------------------------------------------------------------------------------- missing


def test_missing_labels_in_all_their_spellings():
    data = b"km1,km2,km3\n1,a,1.0\n,b,2.0\nNaN,n/a,NA\n?,a,-1\n2,None,1.0\nnan,b,1\n"
    reading = read(data, "v.csv")
    np.testing.assert_array_equal(reading.frame["km1"], [1, -1, -1, -1, 2, -1])
    np.testing.assert_array_equal(reading.frame["km3"], [1, 2, -1, -1, 1, 1])
    assert reading.frame["km2"].isna().tolist() == [False, False, True, False, True, False]
    assert reading.ensemble().missing.sum() > 0 and any("missing" in note for note in reading.notes)


def test_the_texts_for_missing_can_be_chosen():
    data = b"km1,km2\n1,a\n-1,gone\n99,b\n2,a\n"
    reading = read(data, "v.csv", Choices(missing=("99", "Gone"), kind="labels"))
    assert reading.frame["km1"].isna().tolist() == [False, False, True, False]  # -1 is a label now
    assert reading.frame["km1"].tolist()[1] == "-1"
    assert reading.frame["km2"].isna().tolist() == [False, True, False, False]
    assert reading.ensemble().k_each.tolist() == [3, 2]


def test_odd_things_are_told():
    reading = read(b"km1,km2,km3\n1,1,1\n2,1,2\n1,1,1\n,,\n2,1,2\n", "v.csv", Choices(kind="labels"))
    notes = " ".join(reading.notes)
    assert "one value only" in read(b"x,y\n1.5,1\n2.5,1\n1.5,1\n", "x.csv").notes[0]
    assert "'km1' and 'km3' are equal" in notes and "no label at all" in notes and "object 4" in notes
    assert "1 object repeats" in " ".join(read(b"x,y\n1.5,1\n2.5,1\n1.5,1\n", "x.csv").notes)
    twice = read(b"id,x,y\na,1.5,2\nb,2,2\na,3,1\n", "x.csv")
    assert "1 id occurs more than once" in " ".join(twice.notes)


# ------------------------------------------------------------------------------------------------- named arrays


def test_pools_are_labels_with_truth(shared):
    """The base clusterings of the papers: `members` (n, 100) and `gt`."""
    from scipy.io import loadmat

    files = sorted((shared / "pools").glob("*.mat"))
    assert files
    for file in files:
        reading, plain = read(file), loadmat(file)
        assert reading.kind == "labels" and reading.truth_name == "gt" and reading.choices.variable == "members"
        np.testing.assert_array_equal(reading.frame.to_numpy(), plain["members"])
        np.testing.assert_array_equal(reading.truth, plain["gt"].ravel())


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("dtype", ["u1", "i4", "f4", "f8", "u8"])
def test_a_small_pool_of_our_own(packed, dtype):
    data = mat(members=TABLE.astype(dtype), gt=np.array([[1, 1, 2, 2, 2]]), packed=packed)
    reading = read(data, "pool.mat")
    np.testing.assert_array_equal(reading.frame.to_numpy(), TABLE)
    np.testing.assert_array_equal(reading.truth, [1, 1, 2, 2, 2])
    assert told(reading, "'gt'", "truth") and reading.kind == "labels"
    assert [(a.name, a.shape, a.usable) for a in parts(data, "pool.mat")] == [
        ("members", (5, 3), True),
        ("gt", (1, 5), True),
    ]


@pytest.mark.parametrize("by_matlab", [True, False])
def test_matlab_73_counts_down_the_columns(by_matlab):
    def fill(file):
        mat_class(file, "members", TABLE.T, "double")
        mat_class(file, "gt", np.ones((1, 5)), "double")
        mat_class(file, "remark", np.array([[104], [105]], dtype="u2"), "char")

    reading = read(hdf(fill, by_matlab), "pool.mat")
    assert reading.kind == "labels" and reading.truth_name == "gt"
    np.testing.assert_array_equal(reading.frame.to_numpy(), TABLE)
    plain = read(hdf(lambda file: file.create_dataset("members", data=TABLE)), "pool.h5")
    np.testing.assert_array_equal(plain.frame.to_numpy(), TABLE)


def test_sparse_and_text_arrays_of_matlab():
    import scipy.sparse

    data = mat(x=scipy.sparse.csc_matrix(TABLE * 1.5), names=np.array(["one", "two", "three", "four", "five"]))
    reading = read(data, "x.mat")
    np.testing.assert_array_equal(reading.features(), TABLE * 1.5)
    assert list(reading.ids) == ["one", "two", "three", "four", "five"]
    assert any("sparse" in note for note in reading.notes)


def test_npz_with_a_choice():
    data = npz(first=TABLE * 0.5, second=TABLE, y=np.array([0, 0, 1, 1, 1]))
    reading = read(data, "x.npz", Choices(variable="first"))
    assert reading.kind == "features" and list(reading.truth) == [0, 0, 1, 1, 1]
    assert [a.name for a in parts(data, "x.npz")] == ["first", "second", "y"]
    vectors = read(npz(kmeans=TABLE[:, 0], ward=TABLE[:, 1], truth=TABLE[:, 2]), "v.npz")
    assert list(vectors.frame.columns) == ["kmeans", "ward"] and vectors.truth_name == "truth"


def test_structured_arrays_have_named_columns():
    rows = np.array([(1.5, 2, b"a"), (2.5, 1, b"b"), (3.5, 1, b"a")], dtype=[("x", "f8"), ("z", "i4"), ("class", "S1")])
    reading = read(npy(rows), "x.npy")
    assert list(reading.frame.columns) == ["x", "z"] and list(reading.truth) == ["a", "b", "a"]


def test_sheets_of_a_workbook():
    data = xlsx([["x", "y"], [1.5, 2], [2.5, 3], [None, None], [3.5, 1]], sheets=["empty"])
    assert [(a.name, a.shape) for a in parts(data, "x.xlsx")] == [("Sheet", (5, 2)), ("empty", (0, 0))]
    reading = read(data, "x.xlsx")
    np.testing.assert_array_equal(reading.features(), [[1.5, 2], [2.5, 3], [3.5, 1]])
    assert reading.choices.sheet == "Sheet" and any("blank" in note for note in reading.notes)


def test_a_workbook_whose_elements_have_prefixes():
    """Some programs write <x:row> instead of <row>."""
    prefixed = repacked(
        xlsx([["x", "y"], [1.5, 2], [2.5, 3], [3.5, 1]]),
        lambda entries: (
            entries
            | {
                name: re.sub(rb"<(/?)(?=[A-Za-z])", rb"<\1x:", entries[name]).replace(b"xmlns=", b"xmlns:x=")
                for name in ("xl/worksheets/sheet1.xml", "xl/workbook.xml")
            }
        ),
    )
    np.testing.assert_array_equal(read(prefixed, "x.xlsx").features(), [[1.5, 2], [2.5, 3], [3.5, 1]])


def test_content_counts_more_than_the_name():
    reading = read(xlsx([["x", "y"], [1.5, 2], [2.5, 3]]), "table.csv")
    assert told(reading, ".csv", "Excel workbook") and reading.features().shape == (2, 2)
    assert told(read(gz(b"x,y\n1.5,2\n2,3\n"), "t.csv"), "gzip")
    assert told(read(b"x,y\n1.5,2\n2,3\n", "t.xlsx"), ".xlsx", "text table")


def test_categories_booleans_and_the_index_of_pandas():
    frame = pd.DataFrame(
        {"x": [1.5, 2.5, 3.5], "yes": [True, False, True], "species": pd.Categorical(["u", "v", "u"])},
        index=["a", "b", "c"],
    )
    reading = read(frame.to_parquet(), "x.parquet")
    assert list(reading.ids) == ["a", "b", "c"] and list(reading.truth) == ["u", "v", "u"]
    np.testing.assert_array_equal(reading.features(), [[1.5, 1], [2.5, 0], [3.5, 1]])
    nullable = pd.DataFrame({"km1": pd.array([1, None, 2], dtype="Int64"), "km2": pd.array([1, 1, 2], dtype="Int8")})
    np.testing.assert_array_equal(read(nullable.to_parquet(), "v.parquet").frame.to_numpy(), [[1, 1], [-1, 1], [2, 2]])


# ------------------------------------------------------------------------------------ the whole, again, and large


CASES = {
    "a.csv": b"id;km1;km2;truth\na;1;1;x\nb;2;1;y\nc;1;2;x\n",
    "b.txt": b"1.5 2\n2.5 3\n3.5 4\n",
    "c.xlsx": xlsx([["x", "y"], [1.5, 2], [2.5, 3]]),
    "d.mat": mat(members=TABLE.T, gt=np.arange(5) % 2),
    "e.npz": npz(labels=TABLE, truth=np.arange(5) % 2),
    "f.json": b'[{"a": 1, "b": 1}, {"a": 2, "b": 1}]',
    "g.parquet": parquet({"x": [1.5, 2.5], "y": [1, 2]}),
}


@pytest.mark.parametrize("name", CASES)
def test_the_choices_used_give_the_same_reading_again(name):
    first = read(CASES[name], name)
    second = read(CASES[name], name, first.choices)
    pd.testing.assert_frame_equal(first.frame, second.frame)
    assert first.kind == second.kind and first.truth_name == second.truth_name and first.choices == second.choices
    assert (first.ids is None) == (second.ids is None)
    again = pickle.loads(pickle.dumps(first))
    pd.testing.assert_frame_equal(first.frame, again.frame)


@functools.cache
def large_lines(separator: bytes) -> list[bytes]:
    return [separator.join([b"%d" % i, b"%d.25" % (i % 977), b"o%d" % (i % 5), b"-1.5e-3"]) for i in range(350_000)]


def large_text(separator=b",", end=b"\n", bad=None, at=0):
    """About 9 MB, so that the quick reader takes it."""
    lines = list(large_lines(separator))
    if bad:
        lines[at] = bad
    return end.join([separator.join([b"n", b"x", b"class", b"z"]), *lines]) + end


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_large_files_give_what_the_thorough_reader_gives(tmp_path, end, monkeypatch):
    path = tmp_path / "large.csv"
    path.write_bytes(large_text(end=end))
    quick = read(path)
    assert any("nothing in the file contradicts it" in why for why in quick.because)  # it was the quick one
    uploaded = read(path.read_bytes(), "large.csv")
    pd.testing.assert_frame_equal(quick.frame, uploaded.frame)
    assert uploaded.because == quick.because
    monkeypatch.setattr(quick_text, "LARGE", 2**40)
    thorough = read(path)
    assert thorough.because != quick.because
    pd.testing.assert_frame_equal(quick.frame, thorough.frame)
    np.testing.assert_array_equal(quick.truth, thorough.truth)
    assert quick.truth_name == thorough.truth_name == "class" and quick.choices == thorough.choices


@pytest.mark.parametrize(
    "bad,words",
    [
        (b"7,abc,o1,1", "row 340002, column 'x': 'abc' is not a number"),
        (b"7,1.5,o1", "row 340002: there are 3 cells where the other rows have 4"),
        (b"7,1.5,o1,2,9", "row 340002: there are 5 cells where the other rows have 4"),
        (b"7,1.5\0,o1,2", "row 340002: a NUL byte"),
        (b"7,1.5,o\0,2", "row 340002: a NUL byte"),
        (b"7,inf,o1,2", "row 340002, column 'x': 'inf' is infinite"),
        (b'7,"1.5,o1,2', "row 340002: a quotation mark"),
        (b"7,0x1F,o1,2", "row 340002, column 'x': '0x1F'"),
        (b"7,True,o1,2", "row 340002, column 'x': 'True' is not a number"),
        (b"7,1.5,o1,", "row 340002, column 'z': there is no number"),
        (b"7,n/a,o1,1", "row 340002, column 'x': 'n/a' is no number but means missing"),
    ],
)
def test_a_fault_far_down_a_large_file_is_named_by_its_row(tmp_path, bad, words):
    path = tmp_path / "large.csv"
    path.write_bytes(large_text(bad=bad, at=340_000))
    with pytest.raises(InputError) as raised:
        read(path).features()
    assert words in str(raised.value)


def test_counts_of_words_are_not_turned():
    counts = np.random.default_rng(0).poisson(0.2, size=(12, 300))
    reading = read(pd.DataFrame(counts).to_csv(index=False, header=False).encode(), "words.csv")
    assert not reading.choices.transposed and reading.frame.shape == (12, 300)


def test_a_turned_table_is_turned_again_by_its_own_choices():
    objects = ",".join(f"o{i}" for i in range(12))
    rows = [f"run{j}," + ",".join(str(1 + (i * (j + 2)) % 3) for i in range(12)) for j in range(3)]
    rows.append("truth," + ",".join("xy"[i % 2] for i in range(12)))
    data = ("name," + objects + "\n" + "\n".join(rows)).encode()
    first = read(data, "v.csv", Choices(transposed=True))
    assert list(first.frame.columns) == ["run0", "run1", "run2"] and first.truth_name == "truth"
    assert list(first.truth) == list("xy" * 6) and list(first.ids) == [f"o{i}" for i in range(12)]
    second = read(data, "v.csv", first.choices)
    pd.testing.assert_frame_equal(first.frame, second.frame)
    assert first.choices == second.choices and list(second.ids) == list(first.ids)
    assert first.choices.names_in == "name"


def test_features_can_be_turned_by_choice():
    reading = read(b"gene,s1,s2,s3\nA,1.5,2,3\nB,4,5,6.5\n", "genes.csv", Choices(transposed=True))
    np.testing.assert_array_equal(reading.features(), [[1.5, 4], [2, 5], [3, 6.5]])
    assert list(reading.frame.columns) == ["A", "B"] and list(reading.ids) == ["s1", "s2", "s3"]
    broken = b"gene,s1,s2,s3\nA,1.5,2,3\nB,4,abc,6.5\n"
    with pytest.raises(InputError, match=r"row 3, column 's2': 'abc' is"):
        read(broken, "genes.csv", Choices(transposed=True))


def test_ids_of_an_npz_by_choice():
    data = npz(labels=TABLE, who=np.array(list("abcde")), extra=np.arange(5))
    reading = read(data, "v.npz", Choices(roles={"who": "id"}))
    assert list(reading.ids) == list("abcde") and reading.id_name == "who"
    assert list(read(data, "v.npz", reading.choices).ids) == list("abcde")


def test_a_repeated_long_text_is_not_written_out():
    import pyarrow as pa

    long = pa.DictionaryArray.from_arrays(pa.array(np.zeros(50_000, dtype=np.int32)), pa.array(["x" * 200_000]))
    data = parquet(pa.table({"a": long, "km": np.arange(50_000) % 3, "km2": np.arange(50_000) % 2}))
    assert len(data) < 2**20
    assert read(data, "v.parquet", Choices(roles={"a": "left out"}, kind="labels")).n == 50_000


# --- texts of large files -----------------------------------------------------------------------------------------


@given(
    st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=5), max_size=40), st.integers(0, 3)
)
def test_fingerprints_never_take_a_repeated_text_for_two(texts, skipped):
    cells = ArrowTexts(pa.array(["gone"] * skipped + texts, pa.large_string()).slice(skipped))
    assert cells.all_differ == (len(set(texts)) == len(texts))


@pytest.mark.parametrize("length", [1, 1000, 300_000])
def test_fingerprints_of_many_and_of_long_texts(length):
    """More than one block of bytes, and one text longer than a block."""
    texts = [f"{'x' * length}{i}" for i in range(max(2, 600_000 // length))]
    assert ArrowTexts(pa.array(texts)).all_differ
    assert not ArrowTexts(pa.array([*texts, texts[-2]])).all_differ


@pytest.mark.parametrize("cells", ["object-{}", "{:07d}", "true", "x"])
def test_columns_of_text_are_the_same_by_the_quick_reader(monkeypatch, tmp_path, cells):
    """Whether pandas is told that a column is text or finds it out: as the thorough reader has it."""
    path = tmp_path / "large.csv"
    rows = [f"{cells.format(i)},{i % 3},{i}.5" for i in range(3000)]
    path.write_text("name,a,b\n" + "\n".join(rows) + "\n")
    thorough = read(path)
    monkeypatch.setattr(quick_text, "LARGE", 0)
    quick = read(path)
    pd.testing.assert_frame_equal(quick.frame, thorough.frame)
    assert (quick.ids is None) == (thorough.ids is None) and quick.choices == thorough.choices
    if quick.ids is not None:
        np.testing.assert_array_equal(quick.ids, thorough.ids)
