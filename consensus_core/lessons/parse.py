"""A text file -> a Lesson, as it was written; every line that means nothing is told with its number.

# Title of the lesson
order: 20
data: five
method: eac

What it is about, in a sentence or two.

## Title of a screen
show: A, tracks
pin: A(x3,x5)

Text, with numbers that are computed when it is shown: {together(x3,x5)} of {m}.

### Ask
The question?
(x) the right answer
    what is said to it
( ) a wrong one
    why it tempts

### Show
at: end

What is said with the answer.

### Break: what the switch says
with: learn_alpha off

### Claims
A(x3,x5) = .333
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from .lesson import END, Break, Claim, Lesson, LessonError, Look, Option, Question, Screen, Wanted

_SETTING = re.compile(r"([a-z]+):(?:\s+(.*))?$")
_TAUGHT = re.compile(r"(.*?)(?:\s*→\s*(\d{1,3}))?")
_OPTION = re.compile(r"\(( |x|X)\)\s*(.*)$")
LOOK = ("show", "at", "pin", "hide", "rows", "until", "caption")
RUN = ("data", "method")
HEADER = ("order", "minutes", "teaches", *RUN)
SCREEN = (*RUN, "controls", "tool", *LOOK)
PARTS = {"Ask": ("number", "tap", "other"), "Show": LOOK, "Break": ("with", "data", *LOOK), "Claims": ()}


def parsed(text: str, path: Path) -> Lesson:
    return _Reader(path).lesson(text.splitlines())


class _Block:
    """A heading, the settings under it, and the lines of its text, each with its number."""

    def __init__(self, title: str, line: int):
        self.title, self.line = title, line
        self.settings: dict[str, tuple[str, int]] = {}
        self.lines: list[tuple[int, str]] = []
        self.parts: list[_Block] = []

    def text(self, *without: int) -> str:
        return "\n".join(text for at, text in self.lines if at not in without).strip()

    def said(self, name: str, usual: str = "") -> str:
        return self.settings.get(name, (usual, 0))[0]


class _Reader:
    def __init__(self, path: Path):
        self.path, self.faults = path, []

    def fault(self, line: int, words: str) -> None:
        self.faults.append(f"{self.path.name}, line {line}: {words}")

    def lesson(self, lines: list[str]) -> Lesson:
        head = self._blocks(lines)
        if head is None:
            raise LessonError([f"{self.path.name}, line 1: a lesson begins with “# ” and its title."])
        head.settings.setdefault("data", ("five", 0))
        screens = tuple(self._screen(block, head) for block in head.parts)
        if not screens:
            self.fault(head.line, "a lesson has at least one screen, which begins with “## ” and its title.")
        order = self._number(head, "order", "100")
        minutes = self._number(head, "minutes", str(max(1, 2 * len(screens))))
        told = [_TAUGHT.fullmatch(part.strip()) for part in head.said("teaches").split("|") if part.strip()]
        facts, seen_on = tuple(one[1] for one in told), tuple(int(one[2]) if one[2] else None for one in told)
        if any(at is not None and not 1 <= at <= len(screens) for at in seen_on):
            there = f"“teaches:” names a screen that there is not; there are {len(screens)}"
            self.fault(head.settings["teaches"][1], f"{there}.")
        if self.faults:
            raise LessonError(self.faults)
        return Lesson(
            self.path.stem, head.title, head.text(), facts, seen_on, round(minutes), order, self.path, screens
        )  # fmt: skip

    # --- blocks -----------------------------------------------------------------------------------------------

    def _blocks(self, lines: list[str]) -> _Block | None:
        head: _Block | None = None
        block: _Block | None = None
        settings = False  # still right under the heading
        for at, line in enumerate(lines, start=1):
            level = len(line) - len(line.lstrip("#"))
            if 0 < level <= 3 and line[level : level + 1] == " ":
                block = self._heading(head, level, line[level:].strip(), at)
                head = head or block
                settings = True
            elif block is None:
                if line.strip():
                    return None
            elif settings and (found := _SETTING.match(line)):
                self._setting(block, found[1], (found[2] or "").strip(), at)
            elif settings and line.startswith("  ") and block.settings and line.strip():
                name = list(block.settings)[-1]  # a setting goes on in the next line
                said, where = block.settings[name]
                block.settings[name] = (f"{said} {line.strip()}", where)
            else:
                settings = settings and not line.strip() and not block.lines and not block.settings
                block.lines.append((at, line.rstrip()))
        return head

    def _heading(self, head: _Block | None, level: int, title: str, at: int) -> _Block:
        block = _Block(title, at)
        if head is None:
            if level != 1:
                self.fault(at, "a lesson begins with “# ” and its title.")
            block.allowed = HEADER + LOOK
            return block
        if level == 1:
            self.fault(at, "there is a second title; a screen begins with “## ”.")
        if level == 3 and head.parts:
            kind = title.split(":")[0].strip()
            if kind not in PARTS:
                self.fault(at, f"“### {kind}” is no part of a screen; there are {', '.join(PARTS)}.")
            elif kind in [part.title.split(":")[0].strip() for part in head.parts[-1].parts]:
                self.fault(at, f"there is a second “### {kind}” on this screen; one is enough.")
            block.allowed = PARTS.get(kind, ())
            head.parts[-1].parts.append(block)
        else:
            if level == 3:
                self.fault(at, "a part belongs to a screen, which begins with “## ” and its title.")
            block.allowed = SCREEN
            head.parts.append(block)
        return block

    def _setting(self, block: _Block, name: str, said: str, at: int) -> None:
        if name not in block.allowed:
            known = f"there are {', '.join(block.allowed)}" if block.allowed else "none is expected here"
            self.fault(at, f"“{name}:” is no setting of “{block.title}”; {known}. Text begins after an empty line.")
        elif name in block.settings:
            self.fault(at, f"“{name}:” stands there twice.")
        else:
            block.settings[name] = (said, at)

    def _number(self, block: _Block, name: str, usual: str) -> float:
        said, at = block.settings.get(name, (usual, 0))
        try:
            return float(said)
        except ValueError:
            self.fault(at, f"“{name}:” must be a number, not “{said}”.")
            return 0.0

    # --- screens ----------------------------------------------------------------------------------------------

    def _screen(self, block: _Block, head: _Block) -> Screen:
        parts = {part.title.split(":")[0].strip(): part for part in block.parts}
        methods = block.settings.get("method") or head.settings.get("method") or ("eac", block.line)
        usual = self._look(head, Look())
        look = self._look(block, usual)
        shown, broken, asked = parts.get("Show"), parts.get("Break"), parts.get("Ask")
        if asked is None and "hide" not in block.settings:  # there is nothing to be found out
            look = replace(look, hide=())
        bare = Look(look.show, look.at, look.pin, (), look.rows)
        reveal = self._look(shown, bare) if shown else bare if asked else None
        return Screen(
            block.title, block.text(), block.said("data", head.said("data")), self._methods(*methods), look,
            tuple(self._list(block.said("controls"))), self._question(asked) if asked else None, reveal,
            shown.text() if shown else "", self._break(broken, bare) if broken else None,
            tuple(Claim(text.strip(" *-"), at) for at, text in parts["Claims"].lines if text.strip())
            if "Claims" in parts else (), block.said("tool"), block.line,
        )  # fmt: skip

    def _look(self, block: _Block, usual: Look) -> Look:
        show = tuple(self._list(block.said("show"))) if "show" in block.settings else usual.show
        hide = tuple(self._list(block.said("hide"))) if "hide" in block.settings else usual.hide
        at = self._place(block, "at", usual.at)
        until = self._place(block, "until", usual.until)
        pin, rows, caption = (block.said(name, getattr(usual, name)) for name in ("pin", "rows", "caption"))
        return Look(show, at, pin, hide, rows, None if until == END else until, caption)

    def _place(self, block: _Block, name: str, usual: int | None) -> int | None:
        if name not in block.settings:
            return usual
        said, at = block.settings[name]
        if said == "end":
            return END
        if said.isdecimal() and len(said) < 8:
            return int(said)
        self.fault(at, f"“{name}:” is an iteration (0, 1, 2, …) or “end”, not “{said}”.")
        return usual

    def _methods(self, said: str, at: int) -> tuple[Wanted, ...]:
        found = []
        for part in said.split("|"):
            key, _, dials = part.strip().partition(" with ")
            found.append(Wanted(key.strip(), self._dials(dials, at) if dials else {}))
        return tuple(found)

    def _dials(self, said: str, at: int) -> dict[str, str]:
        """ "theta .2, learn_alpha off" """
        found = {}
        for part in self._list(said):
            name, _, value = part.partition(" ")
            if not value.strip():
                self.fault(at, f"“{part}” should be a dial and where it stands, like “theta .2” or “learn_alpha off”.")
            found[name] = value.strip()
        return found

    def _break(self, block: _Block, look: Look) -> Break:
        _, _, title = block.title.partition(":")
        if not title.strip():
            self.fault(block.line, "a switch has words: “### Break: what it says”.")
        dials, at = block.settings.get("with", ("", block.line))
        if not dials and "data" not in block.settings:
            self.fault(block.line, "a switch moves something: “with: learn_alpha off”, or “data:” and another sample.")
        found = self._dials(dials, at) if dials else {}
        return Break(title.strip(), found, self._look(block, look), block.text(), block.said("data"))

    # --- questions --------------------------------------------------------------------------------------------

    def _question(self, block: _Block) -> Question:
        options: list[list] = []  # text, right, lines of the why, line
        words: list[str] = []
        for at, line in block.lines:
            if found := _OPTION.match(line):
                options.append([found[2].strip(), found[1] != " ", [], at])
            elif options and (line.startswith(" ") or not line.strip()):
                options[-1][2].append(line.strip())
            elif options:
                self.fault(at, "what is said to an answer stands under it, set in by blanks.")
            else:
                words.append(line)
        made = tuple(Option(text, right, " ".join(filter(None, why)), at) for text, right, why, at in options)
        kinds = [kind for kind in ("number", "tap") if kind in block.settings]
        kind, wanted = (kinds[0], block.said(kinds[0])) if kinds else ("choice", "")
        rights = sum(option.right for option in made)
        if len(kinds) > 1:
            self.fault(block.line, "a question asks for a number or for an entry, not for both.")
        elif kind == "choice" and (len(made) < 2 or rights != 1):
            expected = "a question has two answers or more, one of them “(x)”, the others “( )”"
            self.fault(block.line, f"{expected}; here are {len(made)}, {rights} of them right.")
        for option in made:
            if not option.why:
                self.fault(
                    option.line, f"“{option.text}”: under each answer stands, set in by blanks, what is said to it."
                )
        if not "\n".join(words).strip():
            self.fault(block.line, "“### Ask” begins with the question.")
        return Question("\n".join(words).strip(), kind, made, wanted, block.said("other"), block.line)

    @staticmethod
    def _list(said: str) -> list[str]:
        """Commas part things, those within brackets do not."""
        return [part.strip() for part in re.split(r",(?![^(]*\))", said) if part.strip()]
