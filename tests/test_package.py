"""The wheel: the core, the command and the dashboard with its samples, usable without the repository."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from consensus_core.version import VERSION

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built from a copy, so that nothing is left in the project's folder."""
    folder = tmp_path_factory.mktemp("wheel")
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    if listed.returncode:
        pytest.skip("the project is not in a git repository here: which files belong to it is not known")
    source = folder / "source"
    for name in listed.stdout.splitlines():
        if not name.startswith(("tests/", "benchmarks/")) and (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--disable-pip-version-check", "--no-deps"]
    done = subprocess.run(
        [*build, "--no-build-isolation", "-w", ".", "./source"], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    [path] = folder.glob("*.whl")
    return path


def test_a_wheel_has_everything_and_nothing_else(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    assert wheel.name == f"quorum_consensus-{VERSION}-py3-none-any.whl"
    for folder, inside in [("consensus_core", "consensus_core"), ("pages", "consensus_core/dashboard/pages")]:
        files = [path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
        here = {f"{inside}/{path.relative_to(ROOT / folder).as_posix()}" for path in files}
        assert here <= names, sorted(here - names)
    data = {f"consensus_core/sample_data/{p.name}" for p in (ROOT / "sample_data").iterdir() if p.suffix != ".py"}
    assert {name for name in data if "__pycache__" not in name} <= names
    assert "consensus_core/docs/serving.md" in names
    assert {"consensus_core/dashboard/app.py", "consensus_core/dashboard/.streamlit/config.toml"} <= names
    assert {name.split("/")[0] for name in names} == {"consensus_core", f"quorum_consensus-{VERSION}.dist-info"}
    assert not [name for name in names if "setup.py" in name or "make_samples" in name or "__pycache__" in name]
    assert any(name.endswith("LICENSE") for name in names)


def test_it_works_where_there_is_no_repository(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}
    words = ["run", "--sample", "nine", "--method", "eac", "--k", "3", "--out", "result"]
    run = [sys.executable, "-m", "consensus_core", *words]
    done = subprocess.run(run, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "result" / "labels.csv").is_file()
    serve = "from consensus_core.command.main import _parser; from consensus_core.command.serve import asked;"
    ask = "print(asked(_parser(None)[0].parse_args(['serve', '--port', '8931']))[0][4])"
    done = subprocess.run(
        [sys.executable, "-c", serve + ask], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.stdout.strip() == str(tmp_path / "installed" / "consensus_core" / "dashboard" / "app.py"), done.stderr


def test_what_is_said_of_the_package_agrees():
    """One version, one licence, and the oldest libraries that are promised are those that are tested."""
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {VERSION}\n" in citation and "\nlicense: MIT\n" in citation
    assert PROJECT["name"] != "quorum" and list(PROJECT["scripts"]) == ["quorum"]
    assert (ROOT / "LICENSE").read_text().startswith("MIT License")
    oldest = _pinned("requirements-oldest.txt")
    extras = PROJECT["optional-dependencies"]
    promised = _least(
        [*PROJECT["dependencies"], *(line for name in ("figures", "notebook", "dask") for line in extras[name])]
    )
    assert promised == oldest
    # what a browser is needed for is tested at one version, the newest: no older one is promised
    newest, dashboard = _pinned("requirements.txt"), _least(extras["dashboard"])
    assert dashboard["streamlit"] == newest["streamlit"]


def _pinned(file: str) -> dict[str, tuple[int, ...]]:
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    return dict(_version(line, "==") for line in lines if "==" in line.split("#")[0])


def _least(lines: list[str]) -> dict[str, tuple[int, ...]]:
    return dict(_version(line, ">=") for line in lines)


def _version(line: str, sign: str) -> tuple[str, tuple[int, ...]]:
    """ "pandas>=2.2; of Linux" -> pandas, (2, 2, 0)."""
    name, number = line.split(";")[0].split("#")[0].split(sign)
    parts = [int(part) for part in number.strip().split(".")]
    return name.strip(), tuple([*parts, 0, 0][:3])
