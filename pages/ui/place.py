"""Where somebody is: data, method, every parameter, iteration. A value that is kept, and that a link leads back to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from consensus_core import METHODS, InputError, Method
from consensus_core.data.samples import FIRST, SAMPLES
from consensus_core.methods import SHOWN_FIRST
from consensus_core.numbers import number

from .parameters import understood
from .settings import key_of, value_in_words


@dataclass(frozen=True)
class Place:
    data: str  # a sample's key, or the id of data that are kept
    method: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    iteration: int | None = None  # None: where the run ends
    more: Mapping[str, str] = field(default_factory=dict)  # what else a link says of the screen: order, fill

    @classmethod
    def of(cls, data: str, method: Method, iteration: int | None = None, **more: str) -> Place:
        return cls(data, method.key, method.parameters(), iteration, {key: text for key, text in more.items() if text})

    def method_there(self) -> Method:
        """With its parameters."""
        return METHODS[self.method](**self.parameters)

    @property
    def is_first(self) -> bool:
        """What a first visit shows anyway."""
        cls = METHODS[self.method]
        usual = {param.name: SAMPLES[FIRST].k if param.name == "k" else param.default for param in cls.params()}
        moved = [name for name, value in usual.items() if self.parameters.get(name, value) != value]
        return self.data == FIRST and self.method == SHOWN_FIRST and self.iteration is None and not moved

    def query(self) -> dict[str, str]:
        """The same screen, with every parameter that is not today's default."""
        cls = METHODS[self.method]
        query = {"data": self.data, "method": self.method, **self.more}
        for param in cls.params():
            value = self.parameters.get(param.name)
            if value is not None and (param.required or value != param.default):
                query[key_of(param)] = value_in_words(param, value)
        if self.iteration is not None:
            query["it"] = str(self.iteration)
        return understood({key: [text] for key, text in query.items()})[0]

    def link(self, page: str = "") -> str:
        """ "./?data=…", on the first page or the one named."""
        return f"./{page}?" + urlencode(self.query())

    def settings(self) -> str:
        """ "k = 7, θ = 0.2": how many clusters, and what was moved."""
        words = []
        for param in METHODS[self.method].params():
            value = self.parameters.get(param.name)
            if value is not None and (param.required or value != param.default):
                shown = number(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)
                words.append(f"{param.letter or param.name} = {shown}")
        return ", ".join(words)

    def sentence(self, title: str) -> str:
        """ "SPCE on votes.csv, iteration 12"."""
        where = "" if self.iteration is None else f", iteration {self.iteration:,}"
        return f"{METHODS[self.method].name()} on {title}{where}"

    def as_meta(self) -> dict[str, Any]:
        return {
            "data": self.data,
            "method": self.method,
            "parameters": dict(self.parameters),
            "iteration": self.iteration,
            "more": dict(self.more),
        }

    @classmethod
    def from_meta(cls, meta: Any) -> Place | None:
        """None where it is none: of an older form, or damaged. Parameters that are none any more are left out."""
        try:
            method, data, iteration, more = meta["method"], meta["data"], meta.get("iteration"), meta.get("more", {})
            known = {param.name: param for param in METHODS[method].params()}
            parameters = {}
            for name, value in meta["parameters"].items():
                if name in known:
                    parameters[name] = known[name].check(method, value)
            texts = all(isinstance(text, str) for text in (data, *more, *more.values()))
            right = type(iteration) in (int, type(None)) and texts
            return cls(data, method, parameters, iteration, dict(more)) if right else None
        except (KeyError, TypeError, AttributeError, InputError):
            return None
