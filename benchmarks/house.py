"""The house, drawn: which room imports which (no cycle, no edge upwards), and what each method's file is made of.

python -m benchmarks.house
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from pathlib import Path

from benchmarks.measure import table

ROOT = Path(__file__).resolve().parents[1]
CORE = "consensus_core"
# from the ground up: a room may import from its own floor and from those below
FLOORS = (
    ("errors", "numbers", "version", "text", "machine", "beside", "showing"),
    ("equations", "linalg"),
    ("ensemble",),
    ("similarity", "partition", "scores"),
    ("method",),
    ("methods",),
    ("trust",),
    ("generate", "reading", "estimators"),
    ("data",),
    ("drawing",),
    ("keep", "sweep", "compare", "live"),
    ("report", "neighbours", "notebook"),
    ("command",),
    ("pages.ui",),
    ("pages", "app"),
)


def room_of(module: str) -> str:
    parts = module.split(".")
    if parts[0] == CORE:
        return parts[1] if len(parts) > 1 else "(public names)"
    return "pages.ui" if parts[:2] == ["pages", "ui"] else parts[0]


def modules() -> dict[str, Path]:
    found = {}
    for top in (CORE, "pages"):
        for path in sorted((ROOT / top).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            found[name.removesuffix(".__init__")] = path
    found["app"] = ROOT / "app.py"
    return found


def imports(module: str, path: Path, known: dict[str, Path]) -> set[str]:
    """The modules a module imports, lazily or not, under the names of files."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            full = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                found.add(f"{full}.{alias.name}" if f"{full}.{alias.name}" in known else full)
    return {name for name in found if name in known and name != module}


def graph() -> dict[str, set[str]]:
    known = modules()
    return {name: imports(name, path, known) for name, path in known.items()}


def cycles(edges: dict[str, set[str]]) -> list[list[str]]:
    """Groups of modules that import each other in a circle (Tarjan's strongly connected components)."""
    index, low, stack, on, found, count = {}, {}, [], set(), [], [0]

    def visit(v):
        index[v] = low[v] = count[0]
        count[0] += 1
        stack.append(v)
        on.add(v)
        for w in edges.get(v, ()):
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in on:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            group = []
            while True:
                w = stack.pop()
                on.discard(w)
                group.append(w)
                if w == v:
                    break
            if len(group) > 1:
                found.append(sorted(group))

    sys.setrecursionlimit(10_000)
    for v in edges:
        if v not in index:
            visit(v)
    return found


def upwards(edges: dict[str, set[str]]) -> list[str]:
    floor = {room: k for k, rooms in enumerate(FLOORS) for room in rooms}
    found = []
    for module, others in edges.items():
        for other in others:
            one, two = room_of(module), room_of(other)
            if one in ("(public names)",) or one == two:
                continue
            if two == "(public names)" and one in floor and not one.startswith("pages"):
                found.append(f"{module} -> {other}")
            elif floor.get(two, 0) > floor.get(one, 99):
                found.append(f"{module} -> {other}")
    return sorted(found)


KINDS = ("mathematics", "equations", "dials", "state", "docstring", "cost and remarks", "names and imports", "blank")


def composition(path: Path) -> dict[str, int]:
    """Lines of a method's file by what they are."""
    text = path.read_text(encoding="utf-8")
    kinds = ["names and imports"] * (len(text.splitlines()) + 1)

    def mark(node, kind):
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        kinds[first : node.end_lineno + 1] = [kind] * (node.end_lineno - first + 1)

    tree = ast.parse(text)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            mark(node, "mathematics")
        if isinstance(node, ast.ClassDef):
            is_state = node.name.endswith("State") or any(
                getattr(base, "id", "").endswith("State") for base in node.bases
            )
            mark(node, "state" if is_state else "mathematics")
            if not is_state:
                _mark_class(node, mark)
    if tree.body and isinstance(tree.body[0], ast.Expr):
        mark(tree.body[0], "docstring")
    lines = text.splitlines()
    total = defaultdict(int)
    for number, line in enumerate(lines, start=1):
        total["blank" if not line.strip() else kinds[number]] += 1
    return dict(total)


def _mark_class(node: ast.ClassDef, mark) -> None:
    for part in node.body:
        if isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant):
            mark(part, "docstring")
        elif isinstance(part, ast.AnnAssign):
            mark(part, "dials")
        elif isinstance(part, ast.Assign):
            mark(part, "names and imports")
        elif isinstance(part, ast.FunctionDef):
            names = {getattr(getattr(d, "func", d), "id", "") for d in part.decorator_list}
            told = "tells" in names
            said = part.name in ("cost", "remarks", "stage", "order_free", "exact_on_rows", "monotone", "scale_free")
            mark(part, "equations" if told else "cost and remarks" if said else "mathematics")


def main() -> None:
    known, edges = modules(), graph()
    lines, files = defaultdict(int), defaultdict(int)
    rooms = defaultdict(set)
    for name, path in known.items():
        lines[room_of(name)] += len(path.read_text(encoding="utf-8").splitlines())
        files[room_of(name)] += 1
        rooms[room_of(name)] |= {room_of(other) for other in edges[name]} - {room_of(name)}
    order = [room for floor in FLOORS for room in floor if room in lines]
    rows = [
        [room, str(files[room]), f"{lines[room]:,}", ", ".join(r for r in order if r in rooms[room])] for room in order
    ]
    table("rooms, from the ground up, and what they import", ["room", "files", "lines", "imports from"], rows)
    print("\ncycles:", "; ".join(" <-> ".join(group) for group in cycles(edges)) or "none")
    print("edges upwards:", "; ".join(upwards(edges)) or "none")
    rows = []
    for path in sorted((ROOT / CORE / "methods").glob("*.py")):
        if path.name != "__init__.py":
            parts = composition(path)
            total = sum(parts.values())
            share = (parts.get("mathematics", 0) + parts.get("equations", 0)) / (total - parts.get("blank", 0))
            rows.append([path.stem, str(total), *(str(parts.get(kind, 0)) for kind in KINDS), f"{share:.0%}"])
    print()
    table("lines of each method's file", ["method", "all", *KINDS, "mathematics + equations"], rows)


if __name__ == "__main__":
    main()
