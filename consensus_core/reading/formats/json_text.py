"""JSON text to Python values: depth, double entries and lines are judged here."""

from __future__ import annotations

import json
import re

from ..wording import fault, shown

MOST_DEEP = 20
SHAPE = 'give a list of records such as [{"a": 1, "b": 2}, ...]'
_HALF = re.compile(  # of a letter that takes two escapes
    r"(?<!\\)\\u(?:d[89ab][0-9a-f]{2}(?!\\ud[c-f][0-9a-f]{2})|"
    r"(?<!\\ud[89ab][0-9a-f]{2}\\u)d[c-f][0-9a-f]{2})",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', re.DOTALL)


def parsed(file: str, text: str):
    _refuse_depth(file, text[: 1 << 16])
    if half := _HALF.search(text):
        row = text.count("\n", 0, half.start()) + 1
        raise fault(file, f"{half[0]} is half of a letter", "write letters as UTF-8", row=row)
    try:
        return json.loads(text, object_pairs_hook=_once)
    except RecursionError:
        raise fault(file, "brackets are nested far too deep", SHAPE) from None
    except _Twice as twice:
        raise fault(
            file, f"a record has two entries called {shown(str(twice))}", "give every entry its own name"
        ) from None
    except json.JSONDecodeError as trouble:
        lines = [line for line in text.splitlines() if line.strip()]
        if trouble.msg.startswith("Extra data") and len(lines) > 1:
            return _parsed_lines(file, text)
        raise fault(
            file, f"this is not valid JSON ({trouble.msg.lower()})", "write it again, or send the whole file",
            row=trouble.lineno,
        ) from None  # fmt: skip
    except ValueError:
        raise fault(file, "a number has too many digits", "write numbers of usual length") from None


def _parsed_lines(file, text):
    found = []
    for row, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            found.append(json.loads(line, object_pairs_hook=_once))
        except _Twice as twice:
            raise fault(
                file, f"two entries are called {shown(str(twice))}", "give every entry its own name", row=row
            ) from None
        except (ValueError, RecursionError):
            raise fault(
                file, f"{shown(line)} is not valid JSON", "write one record per line, or a list of records", row=row
            ) from None
    return found


def _refuse_depth(file: str, beginning: str) -> None:
    depth = 0
    for found in _BRACKETS.finditer(beginning):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        if depth > MOST_DEEP:
            raise fault(file, f"brackets are nested more than {MOST_DEEP} deep", SHAPE)


class _Twice(Exception):
    pass


def _once(pairs):
    found = dict(pairs)
    if len(found) < len(pairs):
        seen = set()
        for key, _ in pairs:
            if key in seen:
                raise _Twice(key)
            seen.add(key)
    return found


def called(value) -> str:
    names = {dict: "record", list: "list", str: "text", bool: "truth value", int: "number", float: "number"}
    return names.get(type(value), "null")
