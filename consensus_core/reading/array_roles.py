"""The arrays beside the table: truth, ids, and which way round the table is because of them."""

from __future__ import annotations

import numpy as np

from .orientation import looks_transposed
from .recognise import is_id_name, is_truth_name
from .sentences import fault, listed, shown
from .stored import Stored


def turn(values, main, others, choices, hint) -> tuple[bool, str]:
    """Whether base clusterings stand in rows. A truth whose length fits only one way settles it."""
    if choices.transposed is not None:
        swap, why = choices.transposed, "as chosen"
    else:
        rows, columns = values.shape
        lengths = {a.size for a in others if is_truth_name(a.name)}
        if rows != columns and columns in lengths and rows not in lengths:
            swap, why = True, "the truth has as many entries as there are columns"
        elif rows in lengths:
            swap, why = False, "the truth has as many entries as there are rows"
        elif choices.kind == "features" or (hint and hint[0] == "features") or values.dtype.kind not in "iufb":
            swap, why = False, "features and texts are read so"
        else:
            swap, why = looks_transposed(values)
    return swap, f"Objects stand in {'columns' if swap else 'rows'}: {why}."


def beside_of(file, others, n, names, choices) -> dict:
    """Truth and ids that are arrays of their own."""
    fitting = [a for a in others if a.size == n]
    found, why = {}, []
    truth = _role(file, others, fitting, choices.truth_column, names, "truth", is_truth_name)
    reason = "as chosen" if choices.truth_column else "it is called so and fits the objects"
    if truth is None and choices.truth_column is None:
        whole = [a for a in fitting if a.kind in "iu" and not is_id_name(a.name)]
        truth = whole[0] if len(whole) == 1 and len(fitting) == 1 else None
        reason = "it is the only other array that fits the objects"
    if truth is not None:
        found["truth"] = (truth.name, truth.load().ravel())
        why.append((truth.name, "truth", reason))
    ids = _role(file, others, [a for a in fitting if a is not truth], choices.id_column, names, "ids", is_id_name)
    if ids is not None:
        values = ids.load().ravel()
        found["ids"] = values if values.dtype.kind in "iu" else np.array([str(x) for x in values], dtype=object)
        why.append((ids.name, "ids", "as chosen" if choices.id_column else "it is called so and fits the objects"))
    return {**found, "why": why}


def _role(file, others, fitting, chosen, names, role, named) -> Stored | None:
    if chosen == "" or chosen in names:
        return None
    if chosen is None:
        return next((a for a in fitting if named(a.name)), None)
    array = next((a for a in fitting if a.name == chosen), None)
    if array is None:
        wrong = next((a for a in others if a.name == chosen), None)
        what = f"array {wrong.described()} does not fit the objects" if wrong else f"there is no array {shown(chosen)}"
        raise fault(
            file, f"{what}, so it cannot be the {role}", f"choose among {listed(a.name for a in fitting) or 'none'}"
        )
    return array
