"""One file per method, found by looking: METHODS maps a file's name to its class."""

from __future__ import annotations

import importlib
import pkgutil

from ..method import Method
from ..method.checked import faults


def _find() -> dict[str, type[Method]]:
    found = {}
    for module_info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{module_info.name}")
        for thing in vars(module).values():
            if isinstance(thing, type) and issubclass(thing, Method) and thing.__module__ == module.__name__:
                if module_info.name in found:
                    raise TypeError(f"{module.__file__} holds two methods, {found[module_info.name].__name__} and "
                                    f"{thing.__name__}: each has a file of its own.")  # fmt: skip
                if wrong := faults(thing):
                    raise TypeError(f"{thing.__name__} ({module.__file__}) must still\n  " + "\n  ".join(wrong))
                thing.key = module_info.name
                found[module_info.name] = thing
    return dict(sorted(found.items(), key=lambda item: (item[1].family, item[0])))


METHODS: dict[str, type[Method]] = _find()

# On 26 pools of real base clusterings no choice among methods beat a fixed one; EC-CMS and LWEA lead (README).
RECOMMENDED = next((key for key in ("ec_cms", "lwea") if key in METHODS), "")

# What is said first where a method is chosen, and why; measured on those pools too.
ADVISED = {
    "ec_cms": "first on 26 pools of real base clusterings: nothing that chose among methods did better",
    "lwea": "close behind it there, and done in a moment",
}

# The methods of the five papers that this program grew around.
PAPERS = ("spce", "ec_cms", "trce", "pce", "ceshl")

# Methods whose mutual agreement follows the true quality across data sets, with the settings evidence has for them.
SOUND = (("lwea", {}), ("ec_cms", {"alpha": 0.8, "lam": 0.4}), ("ecpcs_hc", {}))

# What a first visit watches: the method with the most to see.
SHOWN_FIRST = next((key for key in ("spce", *METHODS) if key in METHODS), "")
