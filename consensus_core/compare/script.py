"""The same table in Python: a program that runs the methods compared and writes their table as CSV."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..data import Origin
from ..data.script import classes, code, method_code
from ..method import Method
from ..sweep import Made
from ..text import python_string, python_words
from .repeats import Repeats


def table_name(title: str, what: str) -> str:
    """ "iris_compared.csv"."""
    plain = re.sub(r"[^A-Za-z0-9]+", "_", title).strip("_").lower() or "data"
    return f"{plain}_{what}"


def comparison_script(origin: Origin, methods: Sequence[Method]) -> str:
    """A program that stands beside the data and overwrites nothing. Times are those of the machine it runs on; every
    other number of the table is the same."""
    name = table_name(origin.title, "compared.csv")
    used = {
        "consensus_core": {type(method).__name__ for method in methods},
        "consensus_core.compare": {"compare"},
        "consensus_core.data": {"build"},
        "consensus_core.data.exports": {"write_new"},
    }
    for cls in classes(origin):
        used.setdefault(f"consensus_core.{'reading' if cls == 'Choices' else 'data'}", set()).add(cls)
    beside = f"Put beside this program: {python_words(', '.join(origin.files))}. " if origin.files else ""
    return "\n".join(
        [
            f'"""Methods compared on {python_words(origin.title)}: the table of Quorum, in Python.',
            "",
            "Quorum has to be installed: `python -m pip install .` in its folder, where pyproject.toml is.",
            f"{beside}It writes {name}, and refuses to if there is a file of that name. Times are this machine's.",
            '"""',
            "",
            *(["from pathlib import Path", ""] if origin.files else []),
            *(f"from {room} import {', '.join(sorted(names))}" for room, names in sorted(used.items())),
            "",
            f"origin = {code(origin)}",
            f"data = build(origin{', [Path(name).read_bytes() for name in origin.files]' if origin.files else ''})",
            "methods = [",
            *(f"    {method_code(method, '    ')}," for method in methods),
            "]",
            "table = compare(data.ensemble, methods).table()",
            "for row in table.cells():",
            '    print("  ".join(row))',
            f'print("Written:", write_new({python_string(name)}, table.csv()))',
            "",
        ]
    )


def repeats_script(repeats: Repeats, measure: str) -> str:
    """A program that draws the same base clusterings and comes to the same table."""
    name = table_name(repeats.trials[0].name, f"repeated_{measure}.csv")
    used = {
        "consensus_core": {type(method).__name__ for method in repeats.methods},
        "consensus_core.compare": {"Repeats", "Trial"},
        "consensus_core.data": {"build"},
        "consensus_core.data.exports": {"write_new"},
        "consensus_core.sweep": set(),
    }
    lines, files = [], []
    for trial in repeats.trials:
        for cls in classes(trial.origin):
            used.setdefault(f"consensus_core.{'reading' if cls == 'Choices' else 'data'}", set()).add(cls)
        names = trial.origin.files
        files += names
        lines += [
            f"origin = {code(trial.origin)}",
            f"data = build(origin{', [Path(name).read_bytes() for name in origin.files]' if names else ''})",
        ]
        if isinstance(trial.source, Made):
            used["consensus_core.sweep"].add("Made")
            used["consensus_core.data"].add("Generation")
            source = f"Made(data.features, {code(trial.source.generation)}, data.truth)"
        elif trial.source.orders is not None:
            used["consensus_core.sweep"] |= {"Pool", "published_orders"}
            source = f"Pool(data.ensemble, published_orders(data.ensemble.m, {len(trial.source.orders)}))"
        else:
            used["consensus_core.sweep"].add("Pool")
            source = "Pool(data.ensemble)"
        truth = "data.ensemble.truth is not None"
        lines += [f"trials.append(Trial({code(trial.name)}, {source}, k={trial.k}, m={trial.m}, truth={truth}))", ""]
    beside = f"Put beside this program: {python_words(', '.join(files))}. " if files else ""
    return "\n".join(
        [
            f'"""Methods repeated over {repeats.draws} draws of base clusterings: the table of Quorum, in Python.',
            "",
            "Quorum has to be installed: `python -m pip install .` in its folder, where pyproject.toml is.",
            f"{beside}It writes {name}, and refuses to if there is a file of that name.",
            '"""',
            "",
            *(["from pathlib import Path", ""] if files else []),
            *(f"from {room} import {', '.join(sorted(names))}" for room, names in sorted(used.items())),
            "",
            "methods = [",
            *(f"    {method_code(method, '    ')}," for method in repeats.methods),
            "]",
            "trials = []",
            *lines,
            'if __name__ == "__main__":',
            f"    table = Repeats(methods, trials, draws={repeats.draws}).wait().table({code(measure)})",
            "    for row in table.cells():",
            '        print("  ".join(row))',
            f'    print("Written:", write_new({python_string(name)}, table.csv()))',
            "",
        ]
    )
