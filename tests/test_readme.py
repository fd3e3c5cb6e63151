"""What the README says of Python runs as it stands, in the order it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from contract import planted
from sklearn.datasets import make_blobs

from consensus_core import METHODS, Ensemble

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
    X, truth = make_blobs(300, centers=7, cluster_std=0.4, random_state=0)
    return {"table": table, "X": X, "truth": truth}


def test_the_python_of_the_readme_runs(notebook, capsys):
    blocks = snippets("python")
    assert len(blocks) == 3
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
    rows = re.findall(r"^\| `(\w+)` \| [^|]* \| ([^|]*) \|", README, flags=re.MULTILINE)
    assert sorted(key for key, _ in rows) == sorted(METHODS)
    for key, missing in rows:
        assert missing.strip() == ("natively" if METHODS[key].handles_missing else "filled first"), key


def test_the_commands_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    shell = "\n".join(snippets("sh"))
    for target in re.findall(r"^make (\w+)", shell, flags=re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE), target
    modules = re.findall(r"-m benchmarks\.(\w+)", shell)
    assert len(modules) >= 6
    for name in modules:
        assert (ROOT / "benchmarks" / f"{name}.py").is_file(), name
