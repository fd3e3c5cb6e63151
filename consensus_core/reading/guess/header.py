"""Is the first row a header, and what are the columns called? The same answer for text, Excel and JSON."""

from __future__ import annotations

import re

from ..wording import fault, numbered, shown

WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?inf(?:inity)?", re.IGNORECASE)
COMMA_NUMBER = re.compile(r"[+-]?(?:[0-9]+,?[0-9]*|,[0-9]+)(?:[eE][+-]?[0-9]+)?", re.IGNORECASE)


def is_number(text: str, decimal: str = ".") -> bool:
    text = text.strip()
    if decimal == ",":
        return bool(COMMA_NUMBER.fullmatch(text)) or text.lower().lstrip("+-") in ("inf", "infinity")
    return bool(NUMBER.fullmatch(text))


def as_number(text: str, decimal: str = ".") -> float:
    return float(text.replace(",", ".") if decimal == "," else text)


def find_header(first: list[str], rest: list[list[str]], decimal: str, missing) -> tuple[bool, str]:
    """(is the first row a header, why) from the texts of the first row and of some rows below it."""
    if not rest:
        found = not any(is_number(cell, decimal) for cell in first)
        return found, "there is only one row" + (" and it holds no number" if found else "")
    width = len(first)
    below = [[row[j].strip() for row in rest if j < len(row) and not _absent(row[j], missing)] for j in range(width)]
    numeric = [bool(cells) and sum(is_number(c, decimal) for c in cells) > 0.5 * len(cells) for cells in below]
    named = [not is_number(cell, decimal) and not _absent(cell, missing) for cell in first]
    if any(numeric):
        # a name above numbers; one odd cell among numbers is a fault, not a header
        over = sum(1 for j in range(width) if numeric[j] and named[j])
        if over and over >= 0.5 * sum(numeric):
            return True, "the first row holds names above columns of numbers"
    if _counts_up(first, below):
        return True, "the first row only counts the columns"
    if any(numeric[j] and is_number(first[j], decimal) for j in range(width)):
        return False, "the first row holds numbers like the rows below"
    begin = 1 if width > 1 and not first[0].strip() and below[0] else 0  # above row names there often is no name
    fresh = all(named[j] and first[j].strip() not in below[j] for j in range(begin, width))
    if fresh and len({cell.strip() for cell in first[begin:]}) == width - begin:
        repeated = any(len(set(cells)) < len(cells) for cells in below)
        if repeated or len(rest) == 1:
            return True, "the texts of the first row are all different and do not occur below"
    return False, "the first row looks like the rows below"


def _counts_up(first, below) -> bool:
    """0 1 2 ... or 1 2 3 ..., perhaps after a blank or named first cell, as programs write without names."""
    for skipped in (0, 1):
        cells = [cell.strip() for cell in first[skipped:]]
        for start in ("0", "1"):
            if len(cells) < 3 or cells[0] != start:
                continue
            if cells == [str(int(start) + j) for j in range(len(cells))]:
                unseen = any(cell not in seen for cell, seen in zip(cells, below[skipped:], strict=True))
                blank = skipped and not first[0].strip()
                return bool(unseen or blank)
    return False


def _absent(cell: str, missing) -> bool:
    return cell.strip().casefold() in missing - {"-1"}


def column_names(file: str, header: list[str], row: int) -> tuple[list[str], frozenset[str]]:
    """Tidy, different names; blank ones are numbered. Returns the names and which were blank."""
    names = [" ".join(cell.replace("\ufeff", "").split()).strip("\"'") for cell in header]
    plain = numbered(len(names))
    seen: dict[str, int] = {}
    for j, name in enumerate(names):
        if name and name in seen:
            raise fault(
                file,
                f"columns {seen[name] + 1} and {j + 1} are both called {shown(name)}",
                "give every column a name of its own",
                row=row,
            )
        seen[name] = j
    filled = [name or (plain[j] if plain[j] not in seen else f"{plain[j]} (no name)") for j, name in enumerate(names)]
    return filled, frozenset(filled[j] for j, name in enumerate(names) if not name)
