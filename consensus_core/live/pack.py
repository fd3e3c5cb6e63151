"""The live view as one script: its modules, each in a function of its own, in the order in which they need each other.

What is packed are plain ES modules: every import on a line of its own (or a few), named, from "./file.js"; every export
before what it exports. Cards are found by looking: each registers itself, nobody need import it.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

VIEW = Path(__file__).with_name("view")
CARDS = "cards"
_IMPORT = re.compile(r'^import\s*(?:\{([^}]*)\}\s*from\s*)?"(\.[^"]+)";\n', re.M)
_REMARK = re.compile(r"^\s*(?://.*)?\n|^[ \t]+", re.M)  # lines of remarks, empty lines, and how far lines are set in
_EXPORT = re.compile(r"^export (default )?((?:async )?(?:function\*?|class|const|let)\s+(\w+))", re.M)


@functools.lru_cache
def packed(entry: str) -> str:
    """A module that exports what the module `entry` of the view exports."""
    order: dict[str, str] = {}
    for card in sorted((VIEW / CARDS).glob("*.js")):
        _visit(card, order, ())
    last = _visit(VIEW / entry, order, ())
    exports = [name for default, _, name in _EXPORT.findall((VIEW / entry).read_text(encoding="utf-8")) if not default]
    lines = [*order.values(), f"export default {last}.default;"]
    return "\n".join([*lines, *(f"export const {name} = {last}.{name};" for name in exports)])


def style() -> str:
    return (VIEW / "style.css").read_text(encoding="utf-8")


def _visit(file: Path, order: dict[str, str], path: tuple[Path, ...]) -> str:
    """The name of a module's content, after those it imports are in the order."""
    if file in path:
        raise ValueError(f"modules import each other in a circle: {' -> '.join(one.name for one in (*path, file))}")
    name = "$" + re.sub(r"\W", "_", str(file.relative_to(VIEW).with_suffix("")))
    if name in order:
        return name
    text = file.read_text(encoding="utf-8")

    def imported(found: re.Match) -> str:
        other = _visit((file.parent / found[2]).resolve(), order, (*path, file))
        names = ", ".join(filter(None, (part.strip().replace(" as ", ": ") for part in (found[1] or "").split(","))))
        return f"const {{ {names} }} = {other};\n" if names else ""

    body = _IMPORT.sub(imported, text)
    exported = [f"default: {name}" if default else name for default, _, name in _EXPORT.findall(body)]
    body = _REMARK.sub("", _EXPORT.sub(r"\2", body))
    order[name] = f"const {name} = (() => {{\n{body}return {{ {', '.join(exported)} }};\n}})();"
    return name
