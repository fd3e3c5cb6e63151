"""The Data page in a real browser: samples, files, what was understood, corrections, base clusterings from features."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pytest
from playwright.sync_api import TimeoutError, expect

from consensus_core.scores import ari
from tests.bad_files import repacked
from tests.browser.steps import TRIES, as_csv, choose, give, label_table, make, read_csv, settled, shows, taken, watched

ROOT = Path(__file__).resolve().parents[2]


def large_workbook(rows=60_000, columns=20) -> bytes:
    """Written by hand: a program that writes a million cells takes longer than the test."""
    letters = [chr(65 + j) for j in range(columns)]
    lines = (
        f'<row r="{i}">' + "".join(f'<c r="{x}{i}"><v>{i % 7}.5</v></c>' for x in letters) + "</row>"
        for i in range(1, rows + 1)
    )
    book = openpyxl.Workbook()
    book.active.append([1.5])
    out = BytesIO()
    book.save(out)
    sheet = f"<worksheet><sheetData>{''.join(lines)}</sheetData></worksheet>"
    return repacked(out.getvalue(), lambda entries: entries | {"xl/worksheets/sheet1.xml": sheet.encode()})


def points(n=90, seed=4):
    rng = np.random.default_rng(seed)
    places = np.vstack([rng.normal(centre, 0.5, (n // 3, 2)) for centre in ((0, 0), (3, 0), (0, 3))])
    lines = [f"{x:.4f},{y:.4f},{'abc'[i // (n // 3)]}" for i, (x, y) in enumerate(places)]
    return "\n".join(["x,y,truth", *lines])


def test_first_visit_shows_a_finished_run_and_a_hint_that_can_be_dismissed_for_good(open_page):
    page = watched(open_page("/"))
    shows(page, "Data", "Island")
    expect(page.locator(".quorum")).to_contain_text("Converged")
    page.get_by_role("button", name="Got it").click()
    page.get_by_role("button", name="Got it").wait_for(state="detached")
    again = page.context.new_page()
    again.goto(page.url)
    watched(again)
    assert not again.get_by_role("button", name="Got it").is_visible()


def test_a_sample_is_one_click_away(open_page):
    page = settled(open_page("/data"))
    page.locator(".st-key-card-iris").get_by_role("button", name="Open").click()
    page.get_by_role("heading", name="Iris").wait_for()
    page.wait_for_url("**data=iris**")
    shows(page, "Data", "Iris")
    page.get_by_role("figure").nth(1).wait_for()


def test_own_labels_and_every_download(open_page, tmp_path):
    table = label_table(gaps=3)
    page = open_page("/data?from=upload")
    give(page, "trees.csv", as_csv(table))
    page.get_by_text("60 objects, 6 base clusterings").wait_for()
    page.get_by_text("ids in “name” and the truth in “truth”").wait_for()
    page.get_by_text("6 labels are missing").first.wait_for()
    page.get_by_role("button", name="Use these labels").click()
    page.get_by_text("trees.csv is in use now").wait_for()
    page.get_by_role("link", name="Watch a method on it").click()
    watched(page)
    shows(page, "Data", "trees.csv")
    page.get_by_text("Take it home").click()

    content, name = taken(page, "Labels (CSV)")
    labels = read_csv(content)
    assert labels["name"].tolist() == table["name"].tolist()
    assert re.search(rf"_it{labels['iteration'][0]}_labels\.csv$", name)
    assert labels["truth"].tolist() == table["truth"].tolist()
    assert ari(labels["cluster"], table["truth"]) > 0.8

    arrays, _ = taken(page, "Matrices (NPZ)")
    with np.load(BytesIO(arrays), allow_pickle=False) as arrays:
        assert (arrays["labels"] == labels["cluster"]).all()
        assert arrays["counts"].sum() == len(table) and len(arrays.files) > 8

    record, _ = taken(page, "Run record (JSON)")
    record = json.loads(record)
    assert record["method"]["key"] == "spce" and record["data"]["origin"]["file"] == "trees.csv"
    assert record["data"]["objects"] == 60 and record["run"]["stop"] == "converged"

    program, name = taken(page, "Python (PY)")
    assert name.endswith(".py")
    (tmp_path / "again.py").write_bytes(program)
    (tmp_path / "trees.csv").write_text(as_csv(table))
    subprocess.run(
        [sys.executable, "again.py"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True, timeout=120
    )
    (written,) = tmp_path.glob("*_labels.csv")
    assert written.read_bytes() == content


def test_features_become_base_clusterings_with_progress_and_cancel(open_page):
    page = open_page("/data?from=upload")
    give(page, "points.csv", points(3000))
    page.get_by_text("3,000 objects, 2 features").wait_for()
    make(page, 500, page.get_by_text("of 500 made"))
    expect(page.get_by_role("progressbar")).not_to_have_count(0)
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("Cancelled. Nothing was changed.").wait_for()
    settled(page)
    make(page, 5, page.get_by_role("heading", name="points.csv · 5 made anew"))
    shows(page, "Data", "points.csv · 5 made anew")


def test_base_clusterings_go_on_while_one_looks_at_another_page(open_page):
    page = settled(open_page("/data?data=digits&from=make"))
    make(page, 250, page.get_by_text("of 250 made"))  # enough that leaving comes before the end
    page.get_by_role("link", name="Watch", exact=True).click()
    page.get_by_role("link", name="Base clusterings are ready").click()
    page.get_by_role("heading", name="Handwritten digits · 250 made anew").wait_for()


def role_of(page, column):
    """The role of a column, in the header of the preview."""
    return page.get_by_role("combobox", name=f"role of column {column}", exact=True)


def heard(page, column, role):
    """The page has it so, and the header shows it, beyond what the hand has just chosen there."""
    expect(role_of(page, column)).to_have_attribute("data-role", role)
    expect(role_of(page, column)).to_have_value(role)


def test_every_guess_can_be_overruled(open_page):
    """Objects in columns, no header, an id row, a truth row, and a word of its own for a missing label."""
    table = label_table(40, gaps=2).replace({"": "unseen"})
    turned = "\n".join(";".join(table[name]) for name in table)
    page = open_page("/data?from=upload")
    give(page, "turned.csv", turned)
    page.get_by_text("Not right? Correct it").click()
    choose(page, "the table holds", "base labels: a column is a clustering")
    choose(page, "an object is", "a column")
    page.get_by_text("turned.csv: 40 objects").wait_for()
    settled(page)
    page.get_by_role("textbox", name="texts that count as missing").fill("unseen")
    page.get_by_role("textbox", name="texts that count as missing").press("Enter")
    page.get_by_text("4 labels are missing").first.wait_for()
    role_of(page, "column 7").select_option("truth")
    page.get_by_text("40 objects, 6 base clusterings, ids in “object” and the truth in “column 7”").wait_for()
    page.get_by_role("button", name="Use these labels").click()
    page.get_by_role("heading", name="turned.csv").wait_for()


def test_roles_are_changed_by_a_click_or_by_keys(open_page):
    page = open_page("/data?from=upload")
    give(page, "trees.csv", as_csv(label_table()))
    page.get_by_text("60 objects, 6 base clusterings, ids in “name” and the truth in “truth”.").wait_for()
    role_of(page, "truth").select_option("base clustering")
    page.get_by_text("7 base clusterings").wait_for()
    run = role_of(page, "run 1")
    run.focus()
    run.press("t")  # the first title that begins so
    page.get_by_text("6 base clusterings, ids in “name” and the truth in “run 1”").wait_for()
    role_of(page, "run 2").select_option("left out")
    page.get_by_text("5 base clusterings").wait_for()
    page.get_by_role("button", name="Take all corrections back").click()
    page.get_by_text("60 objects, 6 base clusterings, ids in “name” and the truth in “truth”.").wait_for()


@pytest.mark.parametrize(
    "name, text, column, role, then",
    [
        ("mixed.csv", "id,a,b,c\nx,1,1,2\ny,2,oops,1\nz,1,1,2\nw,2,2,2\n", "b", "left out", "2 base clusterings"),
        (
            "words.csv",
            "u,v,colour,shape\n1.5,2,red,x\n2.5,3,blue,y\n1,4.5,red,x\n",
            "colour",
            "kept beside",
            "2 features",
        ),
    ],
)
def test_after_an_error_the_columns_are_there_with_their_roles(open_page, name, text, column, role, then):
    page = open_page("/data?from=upload")
    give(page, name, text)
    page.get_by_role("alert").filter(has_text=name).first.wait_for()
    role_of(page, column).select_option(role)
    if name == "words.csv":
        role_of(page, "shape").select_option("truth")
    page.get_by_text(then).first.wait_for()


def test_of_two_roles_chosen_at_once_none_is_lost(open_page):
    """The second is chosen before the page has heard of the first, as on any slow machine."""
    page = open_page("/data?from=upload")
    give(page, "words.csv", "u,v,colour,shape\n1.5,2,red,x\n2.5,3,blue,y\n1,4.5,red,x\n")
    page.get_by_role("alert").filter(has_text="words.csv").first.wait_for()
    role_of(page, "shape").wait_for()  # the preview's frame comes before its columns
    settled(page)
    page.locator(".columns").evaluate(
        """place => { for (const [name, role] of [["colour", "covariate"], ["shape", "truth"]]) {
             const roles = [...place.querySelectorAll("select")].find((one) => one.ariaLabel.endsWith(` ${name}`));
             roles.value = role; roles.onchange(); } }"""
    )
    page.get_by_text("2 features").first.wait_for()
    settled(page)
    for name, role in (("colour", "covariate"), ("shape", "truth")):
        heard(page, name, role)


def test_a_file_that_cannot_be_read_still_shows_its_columns(open_page):
    """Once everything but the sentence was gone: neither ids nor columns to leave out could be chosen."""
    page = open_page("/data?from=upload")
    give(page, "ragged.csv", "name,a,b\nx,1,2\ny,1\nz,2,1\n")
    page.get_by_text("ragged.csv, row 3: there are 2 cells where the other rows have 3").wait_for()
    role_of(page, "name").select_option("ids")
    heard(page, "name", "id")


def test_a_bad_file_gets_a_sentence_and_nothing_else_changes(open_page):
    page = open_page("/data?from=upload")
    give(page, "bad.csv", 'a,b\n1,2\n1,1\n"x,3\n')
    page.get_by_text("bad.csv, row 4: a quotation mark is opened and never closed").wait_for()
    shows(settled(page), "Data", "Island")
    assert not page.get_by_role("button", name="Use these labels").is_visible()


@pytest.mark.parametrize("how", ["nearest", "random"])
def test_missing_labels_are_filled_as_asked_where_a_method_needs_them(open_page, how):
    page = watched(open_page(f"/?data=missing&method=trce&fill={how}"))
    page.get_by_text(f"30% of the labels filled: {how}").first.wait_for()


def test_missing_labels_are_taken_as_they_are_where_a_method_can(open_page):
    page = watched(open_page("/?data=missing&method=pce"))
    page.get_by_text("missing labels taken as they are").first.wait_for()


def test_wide_and_long_tables_stay_usable(open_page):
    """200 clusterings; and 100,000 objects, of which the track plot says how many it draws."""
    rng = np.random.default_rng(5)
    wide = rng.integers(0, 4, 300)[:, None] ^ (rng.random((300, 200)) < 0.05)
    page = open_page("/data?from=upload")
    give(page, "wide.csv", "\n".join(",".join(map(str, row)) for row in wide))
    page.get_by_role("button", name="Use these labels").click()
    page.get_by_role("heading", name="wide.csv").wait_for()
    long = rng.integers(0, 5, 100_000)[:, None] ^ (rng.random((100_000, 6)) < 0.02)
    give(page, "long.csv", "\n".join(",".join(map(str, row)) for row in long))
    page.get_by_text("long.csv: 100,000 objects").wait_for()
    page.get_by_role("button", name="Use these labels").click()
    page.get_by_text("800 of 100,000 objects drawn").wait_for()


# --- files as people have them ----------------------------------------------------------------------------------------


def patients(n=600):
    """Twelve clusterings in texts, with ids and gaps, and a class column that is called neither class nor truth."""
    rng = np.random.default_rng(7)
    kind = rng.integers(0, 4, n)
    table = {"patient": [f"P{i:04d}" for i in rng.permutation(n)]}
    for j in range(12):
        labels = np.array(
            [f"c{x + 1}" for x in np.where(rng.random(n) < 0.15, rng.integers(0, 4, n), kind)], dtype=object
        )
        labels[rng.random(n) < 0.03] = ""
        table[f"run {j + 1}"] = labels
    return pd.DataFrame(table | {"subtype": np.array(["Basal", "Her2", "LumA", "LumB"])[kind]})


def test_a_class_column_among_text_labels_is_no_base_clustering(open_page):
    """Its texts are unlike the others'. Once it was the thirteenth base clustering, under a green tick."""
    page = open_page("/data?from=upload")
    give(page, "patients.csv", as_csv(patients()))
    page.get_by_text("600 objects, 12 base clusterings, ids in “patient” and the truth in “subtype”").wait_for()
    page.get_by_text("Column 'subtype' holds other texts").wait_for()
    expect(role_of(page, "subtype")).to_be_in_viewport(ratio=1)  # the thirteenth of fourteen columns
    page.get_by_role("button", name="It is a base clustering").click()
    page.get_by_text("13 base clusterings, ids in “patient”.").wait_for()
    role_of(page, "subtype").select_option("truth")
    page.get_by_role("button", name="Use these labels").click()
    page.get_by_text("patients.csv is in use now").wait_for()
    page.get_by_text("EC-CMS is advised").wait_for()
    page.get_by_text("k = 4 is proposed: as many as the truth has classes.").wait_for()
    page.get_by_role("link", name="Watch EC-CMS on it").click()
    watched(page)
    shows(page, "Data", "patients.csv")
    shows(page, "Method", re.compile("^EC-CMS"))


def test_a_click_in_one_breath_with_a_choice_acts_on_that_choice(open_page):
    """It once took the labels as they had been read before the choice, under a sentence that said otherwise."""
    page = open_page("/data?from=upload")
    give(page, "patients.csv", as_csv(patients()))
    page.get_by_role("button", name="It is a base clustering").click()
    page.get_by_text("13 base clusterings, ids in “patient”.").wait_for()
    use = settled(page).get_by_role("button", name="Use these labels").element_handle()
    role_of(page, "subtype").evaluate(
        """(choice, use) => {
            choice.value = "truth";
            choice.dispatchEvent(new Event("change", { bubbles: true }));
            use.click();
        }""",
        use,
    )
    page.get_by_text("patients.csv is in use now").wait_for()
    page.get_by_text("k = 4 is proposed: as many as the truth has classes.").wait_for()
    # what is corrected afterwards is not in use yet
    role_of(page, "subtype").select_option("base clustering")
    page.get_by_text("13 base clusterings, ids in “patient”.").wait_for()
    page.get_by_text("patients.csv is in use now").wait_for(state="detached")
    page.get_by_role("button", name="Use these labels").wait_for()


def expression(genes=300, samples=120):
    rng = np.random.default_rng(3)
    group = rng.integers(0, 3, samples)
    values = rng.normal(size=(genes, samples)) + 1.5 * rng.normal(size=(genes, 3))[:, group]
    table = pd.DataFrame(values.round(3), columns=[f"TCGA-{i:02d}-{1000 + i}" for i in range(samples)])
    table.insert(0, "gene_symbol", [f"G{'ABCDE'[i % 5]}{i}" for i in range(genes)])
    return table


def test_an_expression_table_is_asked_about_before_it_is_used(open_page):
    page = open_page("/data?from=upload")
    give(page, "expression.csv", as_csv(expression()))
    page.get_by_text("Which are the objects to cluster?").wait_for()
    assert not settled(page).get_by_role("button", name="Make base clusterings").is_visible()
    page.get_by_role("button", name="The 120 columns").click()
    page.get_by_text("expression.csv: 120 objects, 300 features, ids in “object”.").wait_for()
    make(page, 5, page.get_by_role("heading", name="expression.csv · 5 made anew"))


def survey() -> bytes:
    """A workbook whose first sheet is a README."""
    book = openpyxl.Workbook()
    for line in ("Clusterings of 40 plots", "by Ana", "Sheet votes: a row for every plot", "Questions: ask Ana"):
        book.active.append([line])
    book.active.title = "README"
    votes = book.create_sheet("votes")
    votes.append(["plot", *(f"sorter {j}" for j in range(5))])
    for i in range(40):
        votes.append([f"plot {i}", *(1 + (i + (i % 7 == j)) % 3 for j in range(5))])
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def test_the_sheet_with_the_table_is_found(open_page):
    page = open_page("/data?from=upload")
    give(page, "survey.xlsx", survey())
    page.get_by_text("survey.xlsx: 40 objects, 5 base clusterings, ids in “plot”.").wait_for()
    page.get_by_text("Why it was understood like this").click()
    page.get_by_text("it is the first that holds a table, 'README' does not").wait_for()
    page.get_by_text("Not right? Correct it").click()
    choose(page, "sheet", "README")
    fault = page.get_by_role("alert").filter(has_text="survey.xlsx: there is only one column").first
    assert "separator" not in fault.inner_text()
    choose(page, "sheet", "votes")
    page.get_by_text("survey.xlsx: 40 objects").wait_for()


def written_by_r() -> str:
    """write.table(x, sep = "\\t"): the header is one cell shorter, texts are quoted, gaps are NA."""
    rng = np.random.default_rng(2)
    rows = ["\t".join(f'"run{j}"' for j in range(5))]
    for i in range(40):
        labels = ["NA" if rng.random() < 0.05 else f'"{"abc"[(i + (rng.random() < 0.1)) % 3]}"' for _ in range(5)]
        rows.append("\t".join([f'"tree {i}"', *labels]))
    return "\n".join(rows) + "\n"


def test_what_r_writes_by_default_is_read(open_page):
    page = open_page("/data?from=upload")
    give(page, "trees.txt", written_by_r())
    page.get_by_text("trees.txt: 40 objects, 5 base clusterings, ids in “row names”.").wait_for()
    page.get_by_text("Why it was understood like this").click()
    page.get_by_text("one cell less than the others, as R writes a table with row names").first.wait_for()


def with_ages():
    table = label_table(80)[[f"run {j}" for j in range(1, 7)]]
    return table.assign(age=np.random.default_rng(5).normal(50, 12, 80).round(1))


def test_one_numeric_column_among_labels_is_kept_beside(open_page):
    page = open_page("/data?from=upload")
    give(page, "labels.csv", as_csv(with_ages()))
    page.get_by_text("labels.csv: 80 objects, 6 base clusterings, 1 kept beside.").wait_for()
    page.get_by_text("Column 'age' holds numbers").wait_for()
    page.get_by_role("button", name="Use these labels").click()
    page.get_by_text("labels.csv is in use now").wait_for()


def test_a_truth_in_another_file_is_joined_by_ids(open_page):
    table = label_table(60)
    truth = table[["name", "truth"]].sample(58, random_state=1)
    truth.loc[len(truth) + 60] = ["nobody", "ash"]
    page = open_page("/data?from=upload")
    give(page, "votes.csv", as_csv(table.drop(columns="truth")))
    page.get_by_text("votes.csv: 60 objects, 6 base clusterings, ids in “name”.").wait_for()
    page.get_by_role("button", name="Add a file about the same objects").click()
    page.locator("input[type=file]").nth(1).set_input_files(
        {"name": "truth.csv", "mimeType": "text/csv", "buffer": as_csv(truth).encode()}
    )
    page.get_by_text("58 of 60 objects are in it").wait_for()
    page.get_by_text("1 id only in truth.csv: 'nobody'").wait_for()
    settled(page).get_by_role("button", name="Use these labels").click()
    page.get_by_role("heading", name="votes.csv with truth.csv").wait_for()
    page.get_by_text("k = 3 is proposed: as many as the truth has classes.").wait_for()


def test_the_same_file_may_be_given_twice(open_page):
    """Its widgets were called alike, and the page was a traceback."""
    table = as_csv(label_table(60))
    page = open_page("/data?from=upload")
    give(page, "votes.csv", table)
    page.get_by_text("60 objects, 6 base clusterings").first.wait_for()
    page.get_by_role("button", name="Add a file about the same objects").click()
    page.locator("input[type=file]").nth(1).set_input_files(
        {"name": "again.csv", "mimeType": "text/csv", "buffer": table.encode()}
    )
    page.get_by_text("60 of 60 objects are in it").wait_for()
    settled(page).get_by_role("button", name="Use these labels").click()
    page.get_by_role("heading", name="votes.csv with again.csv").wait_for()
    page.get_by_text("“run 1 (again.csv)” is the same clustering as “run 1”: it counts twice.").wait_for()


def test_reading_can_be_stopped(open_page):
    """A workbook of a million cells; the click that stops it ends the process that reads."""
    page = open_page("/data?from=upload")
    stopped, book = page.get_by_text("large.xlsx: reading was stopped."), large_workbook()
    for patience in TRIES:  # it may have been read before this test comes to its click
        page.locator("input[type=file]").set_input_files(
            {"name": "large.xlsx", "mimeType": "application/vnd.ms-excel", "buffer": book}
        )
        with contextlib.suppress(TimeoutError):
            page.get_by_role("button", name="Stop").click(timeout=patience)
            stopped.wait_for(timeout=patience)
            break
    page.get_by_role("button", name="Read it again").wait_for()
