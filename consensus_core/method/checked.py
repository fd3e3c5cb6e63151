"""What a method has forgotten to say: looked at when it is found, all at once."""

from __future__ import annotations

import inspect

from .method import Method, State

MUST = {
    "init": "iteration 0, from the ensemble",
    "step": "the next state",
    "terms": "the objective, split into named terms",
    "labels": "the cluster of each microcluster",
    "converged": "whether its own criterion is met",
    "cost": "bytes and seconds before anything is allocated",
}
SAYS = {
    "title": "what it is called in full",
    "family": "which methods it stands beside in lists",
    "reference": "the paper",
}


def faults(cls: type[Method]) -> list[str]:
    """A sentence for each thing that is missing or does not fit."""
    found = [f"define {name}: {what}" for name, what in MUST.items() if getattr(cls, name) is getattr(Method, name)]
    found += [f"set {name}: {what}" for name, what in SAYS.items() if not getattr(cls, name)]
    if not (cls.__doc__ or "").strip() or cls.__doc__ == inspect.getdoc(Method):
        found.append("begin with a docstring: the problem, numbered as in the paper, and what each letter is")
    if cls.State is State:
        found.append("set State: a frozen dataclass of what is kept and shown")
        return found
    try:
        quantities, equations = cls.quantities(), cls.equations()
        cls.params()
    except (TypeError, ValueError) as fault:
        return [*found, str(fault)]
    if not quantities:
        found.append("show something: a field of State with shown(...)")
    for quantity in quantities:
        if quantity.name not in equations:
            found.append(f"tell the equation of {quantity.name}: a function with @tells({quantity.name!r}, …)")
        if not quantity.letter or not quantity.meaning:
            found.append(f"give {quantity.name} a letter and a meaning")
    found += [f"say what {declared.name} means" for declared in cls.params() if not declared.meaning]
    return found
