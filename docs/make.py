"""The reference as static pages: python -m docs.make [FOLDER]        (make docs)

Every public name with its signature and docstring, the command line, the methods, how a method is added, serving, the
lessons. Examples in docstrings are run; whatever is wrong is said, and the program then ends with 1.
"""

from __future__ import annotations

import dataclasses
import doctest
import html
import importlib
import inspect
import re
import shutil
import sys
from pathlib import Path

from consensus_core import METHODS
from consensus_core.command.main import COMMANDS, _parser
from consensus_core.data.sheets import displayed, sheet
from consensus_core.lessons import all_lessons
from consensus_core.lessons.telling import facts_of, said
from consensus_core.version import VERSION

ROOT = Path(__file__).resolve().parents[1]
# what a user's program imports, in the order it is needed
MODULES = {
    "consensus_core": "Ensembles, methods, runs",
    "consensus_core.data": "Where data come from",
    "consensus_core.data.record": "A run's record",
    "consensus_core.data.exports": "What a run leaves behind",
    "consensus_core.reading": "Reading files",
    "consensus_core.generate": "Base clusterings from features",
    "consensus_core.scores": "Scores",
    "consensus_core.compare": "Comparing",
    "consensus_core.sweep": "Many runs",
    "consensus_core.trust": "Can I trust it?",
    "consensus_core.drawing.figures": "Figures to zoom",
    "consensus_core.drawing.paper": "Figures for a paper",
    "consensus_core.report": "Reports",
    "consensus_core.notebook": "Notebooks",
    "consensus_core.neighbours": "Frames, AnnData",
    "consensus_core.method": "For a method of one's own",
    "consensus_core.numbers": "Numbers in words",
}
LOOKS = """
:root { color-scheme: light dark; --ink: light-dark(#10141f, #e9ecf2); --paper: light-dark(#fff, #11141b);
  --soft: light-dark(#f4f5f8, #1a1f29); --line: light-dark(#d5d8de, #333a48); --accent: light-dark(#1d4f91, #8cb8f2) }
body { margin: 0; color: var(--ink); background: var(--paper); font: 16px/1.6 system-ui, "DejaVu Sans", sans-serif }
.page { display: grid; grid-template-columns: 16rem minmax(0, 1fr); max-width: 76rem; margin: 0 auto; gap: 2rem }
nav { padding: 1.5rem 0 1.5rem 1.25rem; font-size: .9rem }
nav ul { list-style: none; padding: 0 } nav li { margin: .15rem 0 }
main { padding: 1.5rem 1.25rem 5rem; overflow-wrap: break-word }
@media (max-width: 800px) { .page { grid-template-columns: 1fr; gap: 0 } main { padding-top: 0 } }
a { color: var(--accent) } h1 { line-height: 1.2 }
h2 { margin-top: 2.4rem; border-top: 1px solid var(--line); padding-top: 1rem }
h3 { margin-bottom: .2rem } code, pre { font: .85rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace }
pre { background: var(--soft); padding: .8rem 1rem; overflow: auto; border-radius: 6px }
code { background: var(--soft); padding: 0 .2em }
pre code { background: none; padding: 0 } table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .7rem; text-align: left; vertical-align: top }
.of { border-left: 3px solid var(--line); padding-left: 1rem; margin: .8rem 0 }
:focus-visible { outline: 2px solid var(--accent) }
"""


class Docs:
    def __init__(self, folder: Path):
        self.folder, self.pages, self.wrong = folder, {}, []

    def add(self, name: str, title: str, body: str) -> None:
        self.pages[name] = (title, body)

    def write(self) -> None:
        if self.folder.exists():
            shutil.rmtree(self.folder)
        self.folder.mkdir(parents=True)
        links = "".join(
            f'<li><a href="{name}.html">{html.escape(title)}</a></li>' for name, (title, _) in self.pages.items()
        )
        for name, (title, body) in self.pages.items():
            page = (
                f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
                f"<title>{html.escape(title)} · Quorum</title>"
                f'<meta name="viewport" content="width=device-width, initial-scale=1">'
                f"<style>{LOOKS}</style></head><body>"
                f'<div class="page"><nav aria-label="Chapters"><strong>Quorum {VERSION}</strong><ul>{links}</ul></nav>'
                f"<main><h1>{html.escape(title)}</h1>{body}</main></div></body></html>\n"
            )
            (self.folder / f"{name}.html").write_text(page, encoding="utf-8")
        self.check_links()

    def check_links(self) -> None:
        """Every link within the pages leads somewhere."""
        texts = {path.name: path.read_text(encoding="utf-8") for path in self.folder.glob("*.html")}
        for name, text in texts.items():
            for target in re.findall(r'href="([^":]+)"', text):
                file, _, place = target.partition("#")
                there = texts.get(file or name)
                if there is None or (place and f'id="{place}"' not in there):
                    self.wrong.append(f"{name}: the link {target} leads nowhere")


# --- Python ---------------------------------------------------------------------------------------------------------


def public(module) -> list[str]:
    """The names a module offers: __all__, or what it defines itself."""
    if hasattr(module, "__all__"):
        return list(module.__all__)
    mine = [n for n, thing in vars(module).items() if getattr(thing, "__module__", "") == module.__name__]
    return [name for name in mine if not name.startswith("_")]


def told(text: str | None) -> str:
    """A docstring: paragraphs as they are, what is set in as code."""
    parts = []
    for part in re.split(r"\n\s*\n", inspect.cleandoc(text or "")):
        lines = part.split("\n")
        if part.startswith(">>>") or any(line.startswith("  ") for line in lines) or "  " in part.strip():
            parts.append(f"<pre><code>{html.escape(part)}</code></pre>")
        elif part.strip():
            parts.append(f"<p>{_inline(' '.join(lines))}</p>")
    return "".join(parts)


def _inline(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


def signature(name: str, thing) -> str:
    try:
        text = str(inspect.signature(thing))
    except (TypeError, ValueError):
        text = ""
    text = re.sub(
        r"<factory>|<object object at 0x[0-9a-f]+>|<dataclasses\._MISSING_TYPE object at 0x[0-9a-f]+>", "…", text
    )
    return f"<pre><code>{html.escape(name + text)}</code></pre>"


def name_told(docs: Docs, module: str, name: str, thing) -> str:
    lines = [f'<h2 id="{name}">{html.escape(name)}</h2>']
    if inspect.isclass(thing) or inspect.isfunction(thing):
        lines.append(signature(name, thing))
        own = inspect.getdoc(thing) if thing.__doc__ else ""
        if not own or (dataclasses.is_dataclass(thing) and own.startswith(f"{name}(")):
            own = (
                "" if dataclasses.is_dataclass(thing) else docs.wrong.append(f"{module}.{name} has no docstring") or ""
            )
        lines.append(told(own))
    elif inspect.ismodule(thing):
        return ""
    else:
        shown = ", ".join(map(str, thing)) if isinstance(thing, (dict, tuple, list)) else repr(thing)
        lines.append(f"<pre><code>{html.escape(shown[:2000])}</code></pre>")
    if inspect.isclass(thing):
        for member, value in vars(thing).items():
            inner = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
            inner = inner.fget if isinstance(inner, property) else getattr(inner, "func", inner)
            if member.startswith("_") or not inspect.isfunction(inner) or not inner.__doc__:
                continue
            kind = "" if inspect.isfunction(value) else f" ({type(value).__name__})"
            inside = signature(member, inner) + told(inner.__doc__)
            lines.append(f'<div class="of"><h3>{html.escape(member)}{kind}</h3>{inside}</div>')
    return "".join(lines)


def reference(docs: Docs) -> None:
    for module_name, title in MODULES.items():
        module = importlib.import_module(module_name)
        names = [name for name in public(module) if not inspect.ismodule(getattr(module, name))]
        body = told(module.__doc__) + "".join(
            name_told(docs, module_name, name, getattr(module, name)) for name in names
        )
        docs.add(module_name.replace(".", "-"), f"{title}: {module_name}", body)


def examples(docs: Docs) -> int:
    """Those in docstrings, run."""
    count = 0
    for path in sorted((ROOT / "consensus_core").rglob("*.py")):
        if ">>>" not in path.read_text(encoding="utf-8"):
            continue
        module = importlib.import_module(
            ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        )
        outcome = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
        count += outcome.attempted
        if outcome.failed:
            docs.wrong.append(f"{module.__name__}: {outcome.failed} of {outcome.attempted} examples fail")
    return count


# --- the other chapters ---------------------------------------------------------------------------------------------


def markdown(text: str) -> str:
    """As much of it as our own pages use: headings, paragraphs, lists, tables, code, emphasis, links."""
    out, lines, i = [], text.split("\n"), 0
    while i < len(lines):
        line = lines[i]
        if line.startswith("```"):
            end = next(j for j in range(i + 1, len(lines)) if lines[j].startswith("```"))
            out.append(f"<pre><code>{html.escape(chr(10).join(lines[i + 1 : end]))}</code></pre>")
            i = end + 1
        elif found := re.match(r"(#+) (.*)", line):
            level = min(len(found[1]), 4)
            out.append(f"<h{level}>{_marked(found[2])}</h{level}>" if level > 1 else "")
            i += 1
        elif line.startswith("|"):
            rows = []
            while i < len(lines) and lines[i].startswith("|"):
                rows.append([cell.strip() for cell in lines[i].strip("|").split("|")])
                i += 1
            head = "".join(f'<th scope="col">{_marked(cell)}</th>' for cell in rows[0])
            body = "".join("<tr>" + "".join(f"<td>{_marked(cell)}</td>" for cell in row) + "</tr>" for row in rows[2:])
            out.append(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")
        elif line.startswith("* "):
            items = []
            while i < len(lines) and (lines[i].startswith("* ") or (lines[i].startswith("  ") and items)):
                if lines[i].startswith("* "):
                    items.append(lines[i][2:])
                else:
                    items[-1] += " " + lines[i].strip()
                i += 1
            out.append("<ul>" + "".join(f"<li>{_marked(item)}</li>" for item in items) + "</ul>")
        elif line.strip():
            start = i
            while i < len(lines) and lines[i].strip() and not lines[i].startswith(("```", "#", "|", "* ")):
                i += 1
            out.append(f"<p>{_marked(' '.join(lines[start:i]))}</p>")
        else:
            i += 1
    return "".join(out)


def _marked(text: str) -> str:
    kept: list[str] = []

    def code(found) -> str:
        kept.append(f"<code>{html.escape(found[1])}</code>")
        return f"\x00{len(kept) - 1}\x00"

    text = html.escape(re.sub(r"`([^`]+)`", code, text), quote=False)
    text = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", text)
    text = re.sub(r"(?<![\w*])\*([^*]+)\*(?![\w*])", r"<em>\1</em>", text)
    text = re.sub(r"!?\[([^\]]+)\]\((https?://[^)\s]+)\)", r'<a href="\2">\1</a>', text)
    text = re.sub(r"!?\[([^\]]+)\]\(([^)]+)\)", r"\1", text)
    return re.sub(r"\x00(\d+)\x00", lambda found: kept[int(found[1])], text)


def section(heading: str) -> str:
    """A chapter of the README."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL)[1]


def commands() -> str:
    body = []
    for name, parser in _parser(None)[1].items():
        body.append(f'<h2 id="{name}">quorum {name}</h2><pre><code>{html.escape(parser.format_help())}</code></pre>')
    assert len(body) == len(COMMANDS)
    return "".join(body)


def methods() -> str:
    body = []
    for key, cls in METHODS.items():
        found = sheet(cls)
        body.append(f'<h2 id="{key}">{html.escape(cls.name())} · {html.escape(cls.title)}</h2>')
        body.append(f"<p>{html.escape(cls.reference)}</p>")
        for part in (found.summary, *found.problem):
            lines = displayed(part)
            body.append(f"<pre><code>{html.escape(lines)}</code></pre>" if lines else f"<p>{_inline(part)}</p>")
        rows = "".join(
            f"<tr><td><code>{dial.name}</code></td><td>{html.escape(dial.letter)}</td><td>"
            f"{'' if dial.required else html.escape(str(dial.default))}</td><td>{html.escape(dial.meaning)}</td></tr>"
            for dial in found.dials
        )
        head = "".join(f'<th scope="col">{text}</th>' for text in ("dial", "letter", "default", "what it does"))
        body.append(f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>")
        for heading, text in found.notes.items():
            body.append(f"<h3>{html.escape(heading)}</h3>{markdown(text)}")
    return "".join(body)


def lessons(docs: Docs) -> str:
    """Their texts with every number computed, as a teacher reads them before the class; the gallery is one of them."""
    body = ["<p>On the page Learn every lesson has live pictures; here is what it says.</p>"]
    found, faults = all_lessons()
    docs.wrong += faults
    for lesson in found:
        body.append(f"<h2>{html.escape(lesson.title)}</h2><p>{html.escape(lesson.about)} {lesson.minutes} minutes.</p>")
        for screen in lesson.screens:
            text = said(facts_of(lesson, screen), screen.text) if screen.methods else screen.text
            body.append(f"<h3>{html.escape(screen.title)}</h3>{markdown(text)}")
            if screen.question is not None:
                body.append(f"<p><em>{html.escape(screen.question.text)}</em></p>")
    return "".join(body)


def main(folder: str = "docs/pages") -> int:
    docs = Docs(ROOT / folder)
    docs.add(
        "index", "Quorum", markdown((ROOT / "README.md").read_text(encoding="utf-8").split("## Adding a method")[0])
    )
    docs.add("commands", "The command line", commands())
    docs.add("methods", "The methods", methods())
    docs.add("adding", "Adding a method", markdown(section("Adding a method")))
    docs.add("lessons", "Lessons", lessons(docs))
    docs.add("serving", "Serving", markdown((ROOT / "docs" / "serving.md").read_text(encoding="utf-8")))
    reference(docs)
    count = examples(docs)
    docs.write()
    for wrong in docs.wrong:
        print(f"docs: {wrong}", file=sys.stderr)
    print(f"{len(docs.pages)} pages in {folder}, {count} examples run, {len(docs.wrong)} warnings.")
    return 1 if docs.wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
