"""Every column has a role one can see and change: proposed with a reason, doubted before use, kept after any error."""

from __future__ import annotations

import numpy as np
import openpyxl
import pandas as pd
import pytest
from bad_files import bad_files, npz, xlsx
from hypothesis import given
from hypothesis import strategies as st

from consensus_core.errors import InputError
from consensus_core.reading import ROLES, Choices, Reading, look, read
from consensus_core.reading.guess.strangers import _median_without


def text(table: pd.DataFrame, **how) -> bytes:
    return table.to_csv(index=False, **how).encode()


def roles(reading: Reading) -> dict[str, str]:
    return {column.name: column.role for column in reading.columns}


def clusterings(n=120, m=12, seed=7, names="abcd") -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 4, n)
    columns = {}
    for j in range(m):
        labels = np.where(rng.random(n) < 0.15, rng.integers(0, 4, n), kind)
        columns[f"run {j + 1}"] = np.array([f"{names[x]}{x + 1}" for x in labels], dtype=object)
    return pd.DataFrame(columns | {"_kind": kind})


def with_class(name="subtype", **more) -> pd.DataFrame:
    table = clusterings(**more)
    kind = table.pop("_kind")
    table.insert(0, "patient", [f"P{i:03d}" for i in range(len(table))])
    table[name] = np.array(["Basal", "Her2", "LumA", "LumB"])[kind]
    return table


def applied(choices: Choices, offer) -> Choices:
    return choices.changed(**offer.changes)


# --- a column with other texts than the rest ------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["subtype", "outcome 2019", "histology"])
def test_a_class_column_is_never_silently_a_base_clustering(name):
    """Its texts are unlike the others'. It was counted as a base clustering: the consensus knew the answer."""
    data = text(with_class(name))
    reading = read(data, "patients.csv")
    assert reading.truth_name == name and reading.id_name == "patient" and len(reading.label_columns) == 12
    (suspicion,) = reading.suspicions
    assert (
        f"'{name}' holds other texts" in suspicion.sentence and "takes no part in the consensus" in suspicion.sentence
    )
    offers = {offer.label: offer for offer in suspicion.offers}
    assert list(offers) == ["It is the truth", "Keep it beside, unused", "It is a base clustering", "Leave it out"]
    as_label = read(data, "patients.csv", applied(Choices(), offers["It is a base clustering"]))
    assert len(as_label.label_columns) == 13 and as_label.truth is None and not as_label.suspicions
    aside = read(data, "patients.csv", applied(Choices(), offers["Keep it beside, unused"]))
    assert list(aside.covariates) == [name] and aside.truth is None
    assert set(aside.covariates[name]) == {"Basal", "Her2", "LumA", "LumB"}


@given(st.lists(st.integers(0, 9), min_size=2).flatmap(lambda many: st.tuples(st.sampled_from(many), st.just(many))))
def test_the_median_of_the_others(drawn):
    """Taken of all others for each column, it took minutes of tens of thousands of columns."""
    one, many = drawn
    others = sorted(many)
    others.remove(one)
    assert _median_without(one, sorted(many)) == np.median(others)


def test_of_two_strange_columns_neither_is_taken_for_the_truth():
    table = with_class()
    table["stage"] = np.where(np.arange(len(table)) % 2, "early", "late")
    reading = read(text(table), "patients.csv")
    assert reading.truth is None and len(reading.label_columns) == 12
    assert {"subtype", "stage"} <= set(reading.names("covariate"))
    assert len(reading.suspicions) == 2


def test_where_a_truth_is_known_a_strange_column_is_kept_beside():
    table = with_class()
    table["class"] = table["run 1"]
    reading = read(text(table), "patients.csv")
    assert reading.truth_name == "class" and reading.names("covariate") == ["subtype"]


@pytest.mark.parametrize("how", ["each its own words", "numbers", "two kinds of many"])
def test_base_clusterings_whose_texts_differ_are_no_strangers(how):
    """Nothing is doubted where all differ from each other, or where none does."""
    table = clusterings(m=6).drop(columns="_kind")
    if how == "each its own words":
        table = pd.DataFrame({name: f"{name}:" + table[name] for name in table})
    elif how == "numbers":
        table = table.apply(lambda column: pd.factorize(column)[0])
    else:
        table.iloc[:, :3] = table.iloc[:, :3].map(lambda label: {"a1": "red", "b2": "blue"}.get(label, "green"))
    reading = read(text(table), "v.csv")
    assert len(reading.label_columns) == 6 and not reading.suspicions


# --- numbers among labels -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("numbers", ["fractions", "many whole numbers"])
def test_one_column_of_numbers_among_labels_is_kept_beside(numbers):
    """The table was read as features, and failed on its labels; forced to labels it failed on this column."""
    table = clusterings(m=6).drop(columns="_kind")
    rng = np.random.default_rng(3)
    age = rng.normal(50, 12, len(table)).round(1) if numbers == "fractions" else rng.integers(18, 95, len(table))
    table["age"] = age
    reading = read(text(table), "v.csv")
    assert reading.kind == "labels" and len(reading.label_columns) == 6
    np.testing.assert_array_equal(reading.covariates["age"], age)
    (suspicion,) = reading.suspicions
    assert "Column 'age' holds numbers" in suspicion.sentence
    labels = [offer.label for offer in suspicion.offers]
    assert "Leave it out" in labels and ("It is a base clustering" in labels) == (numbers != "fractions")
    chosen = read(text(table), "v.csv", Choices(kind="labels"))
    assert chosen.kind == "labels" and chosen.names("covariate") == ["age"]


def test_a_second_column_of_ids_is_kept_beside():
    table = with_class()
    table.insert(3, "bar code", [f"X-{17 * i}" for i in range(len(table))])
    reading = read(text(table), "v.csv")
    assert reading.id_name == "patient" and "bar code" in reading.names("covariate")
    assert any("a value of its own for nearly every object" in s.sentence for s in reading.suspicions)


# --- which way round ------------------------------------------------------------------------------------------------


def expression(called="gene_symbol", genes=None, samples=None) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    names = samples or [f"TCGA-{i:02d}-{1000 + i}" for i in range(120)]
    table = pd.DataFrame(rng.normal(size=(300, 120)).round(3), columns=names)
    table.insert(0, called, genes or [f"G{'ABC'[i % 3]}{i}" for i in range(300)])
    return table


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"samples": [f"S{i}" for i in range(1, 121)]},
        {"called": "probe", "genes": [f"{1000 + i}_at" for i in range(300)]},
        {"called": "", "genes": [f"ENSG{i:011d}" for i in range(300)], "samples": [f"patient_{i}" for i in range(120)]},
    ],
    ids=["symbols", "plain samples", "probes", "ensembl"],
)
def test_a_table_as_of_gene_expression_is_asked_about(change):
    """300 genes of 120 samples: which are the objects was taken for granted under a green tick."""
    data = text(expression(**change))
    reading = read(data, "expression.csv")
    (suspicion,) = [s for s in reading.suspicions if s.must]
    assert "Which are the objects to cluster?" in suspicion.sentence
    columns, rows = suspicion.offers
    turned = read(data, "expression.csv", applied(Choices(), columns))
    assert (turned.n, len(turned.feature_columns)) == (120, 300) and not turned.suspicions
    assert turned.ids.tolist() == list(expression(**change).columns[1:])
    kept = read(data, "expression.csv", applied(Choices(), rows))
    assert (kept.n, len(kept.feature_columns)) == (300, 120) and not kept.suspicions


@pytest.mark.parametrize(
    "change",
    [
        {"called": "plot", "genes": [f"plot {i}" for i in range(300)], "samples": [f"height {i}" for i in range(120)]},
        {"called": "id", "genes": list(range(300)), "samples": [f"pixel {i}" for i in range(120)]},
    ],
)
def test_other_wide_tables_are_not_asked_about(change):
    assert not read(text(expression(**change)), "x.csv").suspicions


# --- as other programs write tables ---------------------------------------------------------------------------------


@pytest.mark.parametrize("separator", [" ", "\t", ","])
@pytest.mark.parametrize("quoted", [True, False])
def test_what_r_writes_by_default_is_read(separator, quoted):
    """write.table(x): the header is one cell shorter than the rows, which begin with their names."""
    quote = '"{}"'.format if quoted else str
    lines = [separator.join(quote(f"run{j}") for j in range(4))]
    for i in range(30):
        labels = ["NA" if (i + j) % 13 == 0 else quote("abc"[(i + (i % 7 == j)) % 3]) for j in range(4)]
        lines.append(separator.join([quote(f"tree{i}"), *labels]))
    for end in ("\n", "\r\n"):
        for mark in (b"", b"\xef\xbb\xbf"):
            reading = read(mark + (end.join(lines) + end).encode(), "trees.txt")
            assert reading.kind == "labels" and list(reading.label_columns) == [f"run{j}" for j in range(4)]
            assert reading.id_name == "row names" and reading.ids[:2].tolist() == ["tree0", "tree1"]
            assert any("as R writes" in because for because in reading.because)
            assert reading.ensemble().has_missing


def workbook(**sheets) -> bytes:
    import io

    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


README = [["Clusterings of 40 plots"], ["by Ana"], ["Sheet votes: one row for every plot"], ["Questions: ask Ana"]]
VOTES = [["plot", *(f"sorter {j}" for j in range(4))]]
VOTES += [[f"plot {i}", *(1 + (i + (i % 7 == j)) % 3 for j in range(4))] for i in range(40)]


def test_the_sheet_that_holds_the_table_is_found():
    """The first sheet was taken though another held the table."""
    reading = read(workbook(README=README, votes=VOTES, more=[]), "survey.xlsx")
    assert reading.n == 40 and reading.choices.sheet == "votes"
    said = "Sheet 'votes' is read: it is the first that holds a table, 'README' does not."
    assert said in reading.because
    assert [part.name for part in reading.parts] == ["README", "votes", "more"]


def test_sentences_fit_the_kind_of_file():
    """Of Excel nobody wants to hear about separators."""
    fault = look(workbook(README=README, votes=VOTES), "survey.xlsx", Choices(sheet="README")).fault
    assert "only one column" in fault and "separator" not in fault
    assert "separator" in look(b"a\n1\n2\n1\n", "x.csv").fault


# --- through every error --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data, name, columns",
    [
        (b"id,a,b\nx,1,2\ny,oops,1\nz,1,1\nw,2,2\n", "v.csv", ["id", "a", "b"]),
        (b"u,v,colour,shape\n1.5,2,red,x\n2.5,3,blue,y\n1,4.5,red,x\n", "x.csv", ["u", "v", "colour", "shape"]),
        (b"name,a,b\nx,1,2\ny,1\nz,2,1\n", "ragged.csv", ["name", "a", "b"]),
        (b'a,b\n1,2\n1,1\n"x,3\n', "open.csv", ["a", "b"]),
        (b"a,b\n1,2\n", "one.csv", ["a", "b"]),
        (b"id,a\nx,1\ny,2\nz,1\n", "few.csv", ["id", "a"]),
        (xlsx([["id", "a", "b"], ["x", 1, 2], ["y", "oops", 1], ["z", 1, 1]]), "v.xlsx", ["id", "a", "b"]),
        (b'[{"id": "x", "a": 1.5, "b": 2}, {"id": "y", "a": "red", "b": 1.5}, {"id": "z", "a": 1, "b": 2}]', "v.json",
         ["id", "a", "b"]),
    ],
)  # fmt: skip
def test_after_an_error_every_column_is_still_there_with_its_role(data, name, columns):
    reading = look(data, name)
    assert reading.fault and [column.name for column in reading.columns] == columns
    assert all(column.head for column in reading.columns)
    with pytest.raises(InputError):
        read(data, name)
    with pytest.raises(InputError):
        reading.ensemble()
    chosen = look(data, name, reading.choices.changed(roles={columns[0]: "left out"}) if reading.n else
                  Choices(roles={columns[0]: "left out"}))  # fmt: skip
    assert roles(chosen)[columns[0]] == "left out"


@pytest.mark.parametrize("bad", bad_files()[::3], ids=lambda bad: bad.kind)
def test_what_is_seen_of_a_bad_file_is_never_a_fault_of_its_own(bad):
    reading = look(bad.data, bad.name, bad.choices, **bad.limits)
    assert reading.fault or reading.gap
    assert all(column.role in (*ROLES, "") for column in reading.columns)
    for offer in reading.remedies:
        again = look(bad.data, bad.name, applied(bad.choices, offer), **bad.limits)
        assert again.fault != reading.fault or again.gap != reading.gap  # a click changes something


def test_a_fault_in_a_column_comes_with_what_one_click_does_about_it():
    data = b"id,a,b,c\nx,1,1,2\ny,2,oops,1\nz,1,1,2\nw,2,2,2\n"
    reading = look(data, "v.csv")
    assert "row 3, column 'b'" in reading.fault
    assert [offer.label for offer in reading.remedies] == ["Keep 'b' beside, unused", "Leave 'b' out"]
    for offer in reading.remedies:
        assert len(read(data, "v.csv", applied(Choices(), offer)).label_columns) == 2
    assert read(data, "v.csv", applied(Choices(), reading.remedies[0])).covariates["b"].tolist() == [
        "1",
        "oops",
        "1",
        "2",
    ]


# --- what is kept ---------------------------------------------------------------------------------------------------


def test_every_role_is_given_with_its_reason_and_can_be_chosen():
    reading = read(text(with_class()), "v.csv")
    assert all(column.why.endswith(".") for column in reading.columns)
    assert {"id", "label", "truth"} == set(roles(reading).values())
    chosen = reading.choices.changed(
        roles={"run 1": "truth", "patient": "covariate", "run 2": "id", "run 3": "left out"}
    )
    again = read(text(with_class()), "v.csv", chosen)
    assert roles(again) | {"subtype": ""} == {
        **dict.fromkeys((f"run {j}" for j in range(4, 13)), "label"),
        "patient": "covariate", "run 1": "truth", "run 2": "id", "run 3": "left out", "subtype": "",
    }  # fmt: skip
    assert all(column.chosen for column in again.columns if column.name.startswith("run"))


def test_one_column_only_is_the_truth_and_one_the_ids():
    choices = Choices(roles={"a": "truth"}).with_role("b", "truth").with_role("c", "id").with_role("d", "id")
    assert dict(choices.roles) == {"b": "truth", "d": "id"}
    for both in ({"a": "id", "b": "id"}, {"a": "truth", "b": "truth"}):
        with pytest.raises(InputError, match="columns 'a', 'b' were all chosen as"):
            read(b"a,b,c\n1,2,1\n2,1,1\n", "v.csv", Choices(roles=both))


@pytest.mark.parametrize(
    "data, name",
    [
        (text(with_class()), "v.csv"),
        (text(with_class(), sep=";").replace(b"a1", b""), "v.csv"),
        (xlsx([list(with_class()), *with_class().to_numpy().tolist()]), "v.xlsx"),
    ],
)
def test_the_names_people_gave_are_kept(data, name):
    """The id column was called "id" and labels by numbers."""
    reading = read(data, name)
    ensemble = reading.ensemble()
    assert reading.id_name == "patient" and reading.ids[0] == "P000"
    for j, column in enumerate(ensemble.names):
        texts = reading.label_texts[column]
        assert len(texts) == ensemble.k_each[j]
        stood = reading.frame[column]
        codes = ensemble.labels()[:, j]
        assert [texts[code] if code >= 0 else None for code in codes] == [
            x if isinstance(x, str) else None for x in stood
        ]


def test_whole_numbers_have_their_own_digits_as_texts():
    reading = read(npz(labels=np.array([[3, 10], [3, 7], [5, 10], [5, -1]])), "v.npz")
    assert list(reading.label_texts.values()) == [("3", "5"), ("7", "10")]
