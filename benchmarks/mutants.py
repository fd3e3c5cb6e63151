"""A test of the tests: lines that tell or estimate something are altered one at a time, and the suite must turn red.

    python -m benchmarks.mutants 100            # a hundred by chance, of all kinds
    python -m benchmarks.mutants 40 spce        # of one method
    python -m benchmarks.mutants 20 exports     # of one kind

Altered are formulas (an operator, an exponent, two terms exchanged), terms (this step for the one before), conditions
of words, estimates of cost, the certainty and the second choice, what is written into files, and defaults of dials.
Each mutant is tried in a copy of the tree by the tests that are about it, in two processes. Survivors are listed.
"""

from __future__ import annotations

import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import table

ROOT = Path(__file__).resolve().parents[1]
CORE = ROOT / "consensus_core"
SECONDS = 900  # after which a mutant counts as caught: it has made something endless
GREEN, RED = 0, 1  # what pytest says at its end
OF_LABELS = ("seen", "together", "XX")  # of base labels alone: this step for the one before says the same
SWAPS = [
    ("+", "-"), ("-", "+"), ("*", "/"), ("/", "*"), ("**2", "**3"), ("min(", "max("), ("max(", "min("),
    ("sqrt(", "abs("), (">=", ">"), ("<=", "<"), (" > ", " >= "), (" < ", " <= "), ("argmin", "argmax"),
    ("exp(", "abs("), ("log2(", "abs("),
    ("2*", "3*"), ("1 -", "2 -"), ("/ 2", "/ 3"), (" == ", " == 1 + "),
]  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    kind: str
    path: str  # in the tree
    line: int
    before: str
    after: str
    start: int  # in bytes
    end: int

    def __str__(self):
        return f"{self.path}:{self.line} {self.before.strip()!r} -> {self.after.strip()!r}"


def all_mutants() -> list[Mutant]:
    found: list[Mutant] = []
    tell = [
        *sorted((CORE / "methods").glob("*.py")),
        *(CORE / "method" / f"{x}.py" for x in ("method", "schedule", "evidence")),
    ]
    for path in tell:
        found += _of_file(path)
    for path, kind in ((CORE / "scores" / "margins.py", "certainty"), (CORE / "data" / "exports.py", "exports"),
                       (CORE / "partition" / "numbering.py", "numbering")):  # fmt: skip
        found += _of_arithmetic(path, kind)
    return found


class _Source:
    def __init__(self, path: Path):
        self.path, self.text = path, path.read_bytes()
        self.lines = [0]
        for line in self.text.split(b"\n"):
            self.lines.append(self.lines[-1] + len(line) + 1)
        self.tree = ast.parse(self.text)

    def span(self, node) -> tuple[int, int]:
        return self.lines[node.lineno - 1] + node.col_offset, self.lines[node.end_lineno - 1] + node.end_col_offset

    def mutant(self, kind, node, change) -> Mutant | None:
        start, end = self.span(node)
        before = self.text[start:end].decode()
        after = change(before)
        if after is None or after == before:
            return None
        return Mutant(kind, str(self.path.relative_to(ROOT)), node.lineno, before, after, start, end)


def _of_file(path: Path) -> list[Mutant]:
    source, found = _Source(path), []
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "tells":
            formulas = [
                node.args[1],
                *(k.value for k in node.keywords if k.arg not in ("letter", "meaning", "axes", "number")),
            ]
            for text in formulas:
                found += _of_formula(source, text, "formulas")
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("now", "then"):
            start, end = source.span(node.func)
            swap = {"at.now": "at.then", "at.then": "at.now"}
            of_labels = node.args and getattr(node.args[0], "value", "") in OF_LABELS
            if (before := source.text[start:end].decode()) in swap and not of_labels:
                found.append(source.mutant("terms", node.func, lambda _, after=swap[before]: after))
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "terms":
            terms = [k for k in node.keywords if k.arg and isinstance(k.value, ast.Call) and k.arg not in ("words",)]
            if len(terms) >= 2:
                one, two = terms[0].value, terms[1].value
                other = source.text[slice(*source.span(two))].decode()
                found.append(source.mutant("terms", one, lambda _, other=other: other))
        if isinstance(node, ast.Dict) and node.keys and all(isinstance(k, ast.Constant) for k in node.keys):
            for key in node.keys:
                if isinstance(key.value, str) and re.search(r"[<>]=?|==", key.value):
                    found += _of_formula(source, key, "conditions of words")
        if isinstance(node, ast.FunctionDef) and node.name == "cost":
            found += _of_cost(source, node)
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Call) and node.value.args:
            name = getattr(node.value.func, "id", "")
            if name in ("param", "common", "ablation", "schedule"):
                found.append(source.mutant("defaults", node.value.args[0], _another_default))
    return [mutant for mutant in found if mutant]


def _of_formula(source, node, kind) -> list[Mutant]:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return []
    found = []
    whole = re.search(r"[<>]=? \d+\.5$", node.value)  # a count beside a half is never equal: > says what >= says
    for old, new in SWAPS:
        if old in node.value and not (whole and old.strip() in (">", "<", ">=", "<=")):
            found.append(source.mutant(kind, node, lambda text, old=old, new=new: text.replace(old, new, 1)))
    names = re.findall(r"(?<![\w'])[^\W\d]\w*(?=\s*[-+*/)\[\],<>]|$)", node.value)
    names = [
        name for name in dict.fromkeys(names) if name not in ("min", "max", "sum", "sqrt", "exp", "log2", "norm", "dot")
    ]
    if kind == "formulas" and len(names) >= 2 and not _commute(*names[:2], node.value):
        one, two = names[:2]
        pattern = re.compile(rf"(?<!\w)({re.escape(one)}|{re.escape(two)})(?!\w)")
        found.append(source.mutant(kind, node, lambda text: pattern.sub(lambda m: two if m[1] == one else one, text)))
    return found


def _commute(one: str, two: str, text: str) -> bool:
    """Factors that stand side by side and nowhere else: exchanged they say the same."""
    once = all(len(re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", text)) == 1 for name in (one, two))
    return once and bool(re.search(rf"(?<![\w/^]){re.escape(one)}\*{re.escape(two)}(?![\w\[(*])", text))


def _of_cost(source, function) -> list[Mutant]:
    found = []
    for node in ast.walk(function):
        if isinstance(node, ast.keyword) and node.arg in ("bytes", "seconds"):
            times = (100, 0.01) if node.arg == "bytes" else (1000, 0.001)
            for factor in times:
                wrap = "int" if node.arg == "bytes" else "float"
                found.append(source.mutant("cost", node.value, lambda text, f=factor, w=wrap: f"{w}({f} * ({text}))"))
    return found


def _another_default(text: str) -> str | None:
    swaps = {"True": "False", "False": "True"}
    if text in swaps:
        return swaps[text]
    try:
        value = ast.literal_eval(text)
    except ValueError:
        return None
    return repr(type(value)(value * 1.5 + 1)) if isinstance(value, (int, float)) else None


def _of_arithmetic(path: Path, kind: str) -> list[Mutant]:
    source, found = _Source(path), []
    signs = {ast.Add: " - ", ast.Sub: " + ", ast.Mult: " / ", ast.Div: " * "}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.BinOp) and type(node.op) in signs:
            left, right = (source.text[slice(*source.span(side))].decode() for side in (node.left, node.right))
            sign = signs[type(node.op)]
            found.append(source.mutant(kind, node, lambda _, x=(left, right), s=sign: f"({x[0]}{s}{x[1]})"))
        if isinstance(node, ast.Attribute) and node.attr in ("argmax", "second", "margin", "own", "other"):
            swap = {"argmax": "argmin", "second": "own", "margin": "own", "own": "other", "other": "own"}[node.attr]
            found.append(source.mutant(kind, node, lambda text, a=node.attr, b=swap: text[: -len(a)] + b))
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Gt, ast.GtE, ast.Eq)):
            new = {ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!="}[type(node.ops[0])]
            old = {ast.Gt: ">", ast.GtE: ">=", ast.Eq: "=="}[type(node.ops[0])]
            found.append(source.mutant(kind, node, lambda text, o=old, n=new: text.replace(f" {o} ", f" {n} ", 1)))
    return [mutant for mutant in found if mutant]


def tests_of(mutant: Mutant) -> list[list[str]]:
    """The tests that are about a mutant, those that are soonest done first."""
    path = Path(mutant.path)
    if path.parent.name == "methods":
        key = path.stem
        return [
            ["tests/test_defaults.py", "tests/test_sentences.py"],
            ["tests/test_contract.py", "-k", f"[{key}] or [{key}-"],
            [f"tests/{_own_test(key)}", "tests/test_goldens.py"],
            ["tests/test_equations.py"],
        ]
    if path.parent.name == "method":
        return [["tests/test_contract.py", "-k", "lwea or trce or ec_cms or spce"],
                ["tests/test_equations.py", "tests/test_sentences.py", "tests/test_goldens.py"]]  # fmt: skip
    return [["tests/test_scores.py", "tests/test_record.py", "tests/test_numbering.py", "tests/test_estimators.py"],
            ["tests/test_contract.py", "-k", "lwea"], ["tests/test_provenance.py"]]  # fmt: skip


def _own_test(key: str) -> str:
    return f"test_{key}.py" if (ROOT / "tests" / f"test_{key}.py").exists() else "test_evidence.py"


def survives(mutant: Mutant) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(
            ROOT, tree, ignore=shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis")
        )
        path = tree / mutant.path
        text = path.read_bytes()
        path.write_bytes(text[: mutant.start] + mutant.after.encode() + text[mutant.end :])
        here = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1",
                "QUORUM_SHARED": os.environ.get("QUORUM_SHARED", str(ROOT.parent / "shared"))}  # fmt: skip
        for chosen in tests_of(mutant):
            command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *chosen]
            try:
                done = subprocess.run(command, cwd=tree, env=here, capture_output=True, timeout=SECONDS, check=False)
            except subprocess.TimeoutExpired:
                return False
            if done.returncode == RED:
                return False
            if done.returncode != GREEN:  # no such file, nothing chosen: that would count every mutant as caught
                raise RuntimeError(f"{' '.join(chosen)} could not be run:\n{done.stdout.decode()[-2000:]}")
        return True


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    every = [m for m in all_mutants() if wanted in ("", m.kind) or f"/{wanted}.py" in m.path]
    by_kind: dict[str, list[Mutant]] = {}
    for mutant in every:
        by_kind.setdefault(mutant.kind, []).append(mutant)
    rng, chosen = random.Random(int(os.environ.get("QUORUM_SEED", 0))), []
    for mutants in by_kind.values():
        rng.shuffle(mutants)
    while len(chosen) < min(count, len(every)):  # all kinds alike, as long as there are some
        for mutants in by_kind.values():
            if mutants and len(chosen) < count:
                chosen.append(mutants.pop())
    print(f"{len(every)} mutants are possible, {len(chosen)} are tried", flush=True)
    alive = []
    with ThreadPoolExecutor(2) as pool:
        for mutant, survived in zip(chosen, pool.map(survives, chosen), strict=True):
            if survived:
                alive.append(mutant)
                print(f"SURVIVED  {mutant.kind}: {mutant}", flush=True)
    tried, lost = Counter(m.kind for m in chosen), Counter(m.kind for m in alive)
    rows = [[kind, str(tried[kind]), str(tried[kind] - lost[kind])] for kind in sorted(tried)]
    rows.append(["all", str(len(chosen)), str(len(chosen) - len(alive))])
    table("mutants", ["kind", "tried", "caught"], rows)


if __name__ == "__main__":
    main()
