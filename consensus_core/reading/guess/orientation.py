"""Which way round a table is: do objects stand in rows or in columns? And turning it."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from ...numbers import counted
from ..choices import ID, Choices, missing_texts
from ..coded import Coded
from ..column import Column, classify, labels_without_gap
from ..findings import Offer, Suspicion
from ..limits import OBJECT_CELLS, check_cells, check_size
from ..table import Table, Turn
from ..wording import fault, listed, numbered, shown
from .kind import MOST
from .roles import find_ids

HEADER_IDS = "object"  # what the ids are called that stood in the header
_GENES = re.compile(
    r"(?:.*[_ .-])?(?:genes?|symbols?|probes?|probesets?|transcripts?|proteins?|peptides?|metabolites?|otus?|asvs?|"
    r"taxa|taxon|cpgs?|snps?|markers?|features?|variables?|ensembl|entrez|refseq|hgnc)"
    r"(?:[_ .-]?(?:ids?|names?|symbols?))?",
    re.IGNORECASE,
)
_GENE_IDS = re.compile(r"ENS[A-Z]*[GTP]\d{6,}(?:\.\d+)?|[A-Z][A-Z0-9]{1,9}\d[A-Z0-9]*|cg\d{6,}|rs\d{3,}|\d+_at|NM_\d+")
_SAMPLES = re.compile(
    r"(?:samples?|patients?|pat|pt|subjects?|donors?|cases?|cells?|mouse|mice|rats?|tumou?rs?|normals?|controls?|ctrl|"
    r"treated|treatments?|wt|ko|gsm|srr|err|tcga|individuals?|replicates?|rep|s|p)[_ .-]?[A-Z0-9]*\d[A-Z0-9_.-]*",
    re.IGNORECASE,
)
_SEEN = 200  # names that are looked at


def orientation(table: Table, kind: str, data: list[Column], truth: bool, choices: Choices) -> tuple[bool, str]:
    """(is the table to be turned, the sentence that says why or why not)."""
    if choices.transposed is not None:
        return False, "Objects stand in rows: as chosen."
    if kind != "labels" or truth:
        why = "features are read so" if kind != "labels" else "there is a truth for each row"
        return False, f"Objects stand in rows: {why}."
    if not is_wide(table, data):
        return False, "Objects stand in rows: there are no more columns than rows."
    swap, why = looks_transposed(np.column_stack([c.numbers for c in data]))
    return swap, f"Objects stand in {'columns' if swap else 'rows'}: {why}."


def is_wide(table: Table, data: list[Column]) -> bool:
    """More columns than rows, and whole numbers throughout: base clusterings may stand in rows."""
    return len(data) > table.n and all(c.sort in ("whole", "empty") for c in data)


def looks_transposed(table: np.ndarray) -> tuple[bool, str]:
    """Do base clusterings stand in rows? (r, c) whole numbers, NaN where missing."""
    r, c = table.shape
    if c <= r or r == 0:
        return False, "there are at least as many rows as columns"
    rows = np.mean([labels_without_gap(row) and not _mostly_one_value(row) for row in table[:200]])
    step = max(1, c // 200)
    columns = np.mean([labels_without_gap(column) for column in table.T[::step]])
    if rows > columns + 0.2:
        return True, "there are more columns than rows, and the rows, not the columns, hold labels without gaps"
    if rows >= 0.9 and c >= 3 * r:
        return True, "there are many more columns than rows, and the rows hold labels without gaps"
    return False, "the columns hold labels at least as well as the rows"


def _mostly_one_value(row: np.ndarray) -> bool:
    """Counts of words and the like are mostly zero; clusters are seldom so uneven."""
    given = row[~np.isnan(row)] if row.dtype.kind == "f" else row
    return bool(np.unique(given, return_counts=True)[1].max(initial=0) > 0.7 * len(given))


def doubt(table: Table, kind: str, data: list[Column], ids: Column | None, choices: Choices) -> Suspicion | None:
    """Measurements that look like those of biology: a row for every gene, a column for every sample."""
    if kind != "features" or table.turn is not None or choices.transposed is not None or len(data) < 3:
        return None
    names = [column.name for column in data[:_SEEN]]
    samples = table.has_header and _share(_SAMPLES, names) >= 0.8
    genes = ids is not None and table.has_header and bool(_GENES.fullmatch(ids.name.strip()))
    gene_ids = ids is not None and _share(_GENE_IDS, [ids.cell(i) for i in range(min(len(ids), _SEEN))]) >= 0.6
    if not genes and not (samples and (gene_ids or (ids is not None and table.n > len(data)))):
        return None
    rows = f"{table.n:,} rows" + (f" called {_first(ids)}" if ids is not None else "")
    return Suspicion(
        f"There are {rows} and {len(data):,} columns called {listed(names[:2])} …, as in tables with a row for every "
        "gene and a column for every sample. Which are the objects to cluster?",
        (
            Offer(f"The {len(data):,} columns ({shown(names[0])} …)", {"transposed": True, "kind": "features"}),
            Offer(f"The {table.n:,} rows" + (f" ({shown(ids.cell(0))} …)" if ids else ""), {"transposed": False}),
        ),
        must=True,
    )


def _first(ids: Column) -> str:
    return f"{listed(ids.cell(i) for i in range(min(2, len(ids))))} …"


def _share(pattern: re.Pattern, names: list[str]) -> float:
    return sum(bool(pattern.fullmatch(name.strip())) for name in names) / max(1, len(names))


def turned(table: Table, choices: Choices, because: str) -> Table:
    """Rows and columns exchanged: the column that names the rows gives the names, the header gives the ids."""
    columns = [c for c in table.columns if not (c.sort == "empty" and c.name in table.unnamed)]
    naming, why_naming = _naming(table, columns, choices)
    aside, why_aside = _aside(table, [c for c in columns if c is not naming], choices)
    data = [c for c in columns if c is not naming and c not in aside]
    if not data:
        raise table.fault(
            "no column of data is left besides ids and truth", "add columns, or choose ids and truth anew"
        )
    check_size(table.file, len(data), table.n, max_cells=len(data) * table.n)  # every row becomes a column
    names = [str(name) for name in naming.names()] if naming is not None else numbered(table.n)
    if len(set(names)) < len(names) or not all(name.strip() for name in names):
        names = numbered(table.n)
    judged = _judged(table, data, names, choices)
    rows = {name: i for i, name in enumerate(names)}
    said = [because, *why_naming, *why_aside]
    presets = {}
    if table.has_header:
        header = next(name for name in (HEADER_IDS, "object (header)", "(header)") if name not in rows)
        judged.insert(0, classify(header, Coded.of([c.name for c in data]), frozenset({""})))
        presets = {header: (ID, "the header names the columns, which are the objects")}
    else:
        said.append("The objects have no ids: there is no header above the columns they stand in.")
    return replace(
        table,
        used=replace(
            table.used,
            names_in=naming.name if naming is not None else "",
            not_objects=tuple(c.name for c in aside),
        ),
        columns=tuple(judged),
        n=len(data),
        because=(*table.because, *said),
        unnamed=frozenset(),
        has_header=naming is not None,
        presets=presets,
        turn=Turn(rows, tuple(table.names.index(c.name) for c in data), tuple(c.name for c in data)),
        oriented=True,
    )


def _naming(table: Table, columns: list[Column], choices: Choices) -> tuple[Column | None, list[str]]:
    if choices.names_in == "":
        return None, []
    if choices.names_in is None:
        preset = next((name for name, (role, _) in table.presets.items() if role == ID), None)
        name, why = (preset, table.presets[preset][1]) if preset else find_ids(columns, table.unnamed, table.has_header)
        if not name:
            return None, []
    else:
        name, why = choices.names_in, "as chosen"
    found = next((c for c in columns if c.name == name), None)
    if found is None:
        raise fault(
            table.file,
            f"there is no column {shown(name)} that could name the rows",
            f"choose among {listed(table.names)}",
        )
    return found, [f"The names of the columns are taken from {shown(name)}: {why}."]


def _aside(table: Table, columns: list[Column], choices: Choices) -> tuple[list[Column], list[str]]:
    """Columns that are no objects: those chosen, or texts that describe the rows among columns of numbers."""
    if choices.not_objects is not None:
        unknown = next((name for name in choices.not_objects if name not in table.names), None)
        if unknown is not None:
            raise fault(
                table.file,
                f"there is no column {shown(unknown)} to leave out",
                f"choose among {listed(table.names)}",
            )
        return [c for c in columns if c.name in choices.not_objects], []
    texts = [c for c in columns if c.sort == "text"]
    if not texts or len(columns) - len(texts) < MOST * len(columns) or len(columns) < 4:
        return [], []
    named = listed((c.name for c in texts), 4)
    verb = "is left out: it describes" if len(texts) == 1 else "are left out: they describe"
    return texts, [f"{counted(len(texts), 'column')} of text ({named}) {verb} the rows and no object."]


def _judged(table: Table, data: list[Column], names: list[str], choices: Choices) -> list[Column]:
    missing, decimal = missing_texts(choices), table.used.decimal or "."
    if all(c.numbers is not None and c.sort != "mixed" for c in data):
        rows = list(np.column_stack([c.numbers for c in data]))
    else:
        check_cells(table.file, table.n * len(data), OBJECT_CELLS)
        rows = [Coded.of([c.cell(i) for c in data]) for i in range(table.n)]
    return [classify(name, row, missing, decimal) for name, row in zip(names, rows, strict=True)]
