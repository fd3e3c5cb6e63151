"""What the README says of Python runs as it stands, in the order it stands there."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

import contract
import contract_told
import label_tables
import numpy as np
import pandas as pd
import pytest
from label_tables import planted
from sklearn.datasets import make_blobs

from consensus_core import METHODS, Ensemble, InputError, Method, State, iterate
from consensus_core.equations.formula import FormulaError
from consensus_core.method import Weights, shown, tells
from consensus_core.method.checked import faults

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def snippets(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)


@pytest.fixture
def notebook(tmp_path, monkeypatch):
    """What a reader has at hand: a label table of several hundred objects, features, their truth, and a file."""
    monkeypatch.chdir(tmp_path)
    table = planted(n=300, m=8, k=7, wrong=0.05)
    np.savetxt("votes.csv", table, fmt="%d", delimiter=",", header=",".join(f"run {j}" for j in range(8)), comments="")
    (tmp_path / "runs").mkdir()
    some = pd.DataFrame(table, columns=[f"run {j}" for j in range(8)])
    some.assign(name=[f"object {i}" for i in range(300)]).to_parquet("runs/all.parquet", index=False)
    X, truth = make_blobs(300, centers=7, cluster_std=0.4, random_state=0)
    return {"table": table, "X": X, "truth": truth}


def test_the_python_of_the_readme_runs(notebook, capsys):
    blocks = [block for block in snippets("python") if "class Halfway" not in block]
    assert len(blocks) >= 4
    for number, block in enumerate(blocks, 1):
        code = compile(block, f"README.md, block {number}", "exec")
        exec(code, notebook)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("0 ") and len(lines) > 1, "the loop prints every step"
    result = notebook["result"]
    assert len(set(result.labels.tolist())) == 7 and result.stop == "converged"
    mates = (notebook["table"][:, None] == notebook["table"][None]).mean(axis=2) > 0.5
    assert ((result.labels[:, None] == result.labels) == mates).mean() > 0.95, "the planted groups are found"
    for name in re.search(r"# result\.labels, (.*)", blocks[0])[1].split(", "):
        assert hasattr(result, name.lstrip(".")), name
    assert isinstance(notebook["ensemble"], Ensemble) and notebook["ensemble"].m == 20


def test_the_table_of_methods_is_true():
    """What it says is so; a method need not stand in it."""
    rows = re.findall(r"^\| `(\w+)` \| [^|]* \| ([^|]*) \|", README, flags=re.MULTILINE)
    assert {"spce", "ec_cms", "trce", "pce", "ceshl", "lwea", "eac"} <= {key for key, _ in rows}
    for key, missing in rows:
        assert missing.strip() == ("natively" if METHODS[key].handles_missing else "filled first"), key


@pytest.fixture
def halfway(tmp_path, monkeypatch):
    """The README's method, as a file that is found."""
    import consensus_core.methods as methods

    [block] = [block for block in snippets("python") if "class Halfway" in block]
    (tmp_path / "halfway.py").write_text(block, encoding="utf-8")
    monkeypatch.setattr(methods, "__path__", [str(tmp_path)])
    yield methods._find()["halfway"]
    sys.modules.pop("consensus_core.methods.halfway", None)


def test_the_method_of_the_readme_keeps_every_law(halfway):
    [template] = [block for block in snippets("python") if "class Halfway" in block]
    assert 40 <= len([line for line in template.splitlines() if line.strip()]) <= 60
    assert faults(halfway) == []
    table = label_tables.planted(wrong=0.3)
    ensemble, method = Ensemble.from_labels(table), halfway(k=3)
    for law in (
        contract.objective_never_rises, contract.same_seed_same_path, contract.resumes_from_a_pickle,
        contract.steps_are_values, contract.labels_are_labels, contract_told.shown_is_explained,
        contract_told.explanations_do_not_read_off, contract_told.trails_end, contract_told.printed_numbers_compute,
        contract.cost_is_said,
    ):  # fmt: skip
        law(method, ensemble)
    contract.order_decides_nothing(method, table)
    contract.rows_are_exact(method, label_tables.planted(wrong=0.08))
    contract.obvious_consensus_is_found(method)
    contract.parameters_are_guarded(halfway)
    contract.every_dial_moves_something(halfway)


@pytest.mark.parametrize(
    ("term", "said"),
    [
        ('B=at.now("A")', "At Halfway.why_T, which tells T: A if A >= θ else 0 needs A; the terms given are B, θ."),
        ('A=at.now("Q")', "Halfway has no explanation for Q, of which that of T speaks."),
    ],
)
def test_what_is_wrong_in_an_equation_says_where(halfway, monkeypatch, term, said):
    """A term's misspelt name was said without the equation, and without what was there."""
    [block] = [block for block in snippets("python") if "class Halfway" in block]
    names = {}
    exec(block.replace('A=at.now("A"), θ', f"{term}, θ"), {**sys.modules[halfway.__module__].__dict__}, names)
    ensemble = Ensemble.from_labels(label_tables.planted(wrong=0.3))
    step = list(iterate(names["Halfway"](k=3), ensemble))[-1]
    with pytest.raises((FormulaError, InputError), match=f"^{re.escape(said)}$"):
        step.why("T", 0, 1)


def test_what_a_screen_calls_by_its_letter_can_be_asked_for_by_it():
    [step] = list(iterate(METHODS["spce"](k=3), Ensemble.from_labels(label_tables.planted(wrong=0.3))))[:1]
    assert str(step.why("Ŝ", 0, 3)) == str(step.why("S_hat", 0, 3))
    assert METHODS["spce"].called("S") == "S" and METHODS["spce"].called("no such thing") == "no such thing"


class Half(Method):
    pass


def test_what_a_method_forgot_is_said_all_at_once():
    said = "\n".join(faults(Half))
    for word in ("init", "step", "terms", "labels", "converged", "cost", "title", "family", "reference", "State"):
        assert word in said


def test_a_misspelt_axis_is_named_when_the_method_is_found():
    """It was silently no axis of objects: its laws were not looked at."""
    with pytest.raises(TypeError, match=r"there is no axis 'objct'; there are "):

        @dataclass(frozen=True, kw_only=True, eq=False)
        class OddState(State):
            y: Weights = shown("y", "a number for each object", axes=("objct",))

        class Odd(Half):
            State = OddState

        Odd.quantities()
    with pytest.raises(TypeError, match="there is no axis 'objct'"):

        class OddAgain(Half):
            @tells("u", "2", letter="u", meaning="two", axes=("objct",))
            def why_u(self, at):
                return at.terms(words="")

        OddAgain.equations()


def test_the_commands_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    shell = "\n".join(snippets("sh"))
    for target in re.findall(r"^make (\w+)", shell, flags=re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE), target
    modules = re.findall(r"-m benchmarks\.(\w+)", shell)
    assert len(modules) >= 6
    for name in modules:
        assert (ROOT / "benchmarks" / f"{name}.py").is_file(), name
