"""What `make test` looks at most closely, for it has minutes and the methods are many; what is named here says how to
look at all of them."""

from __future__ import annotations

import os

HEART = ("spce", "ec_cms", "trce", "pce", "ceshl", "lwea", "eac")  # the five papers' methods, and the trees
WHOLE, SOME = 20, 3  # hard draws for every law: of these methods, and of the others; QUORUM_DRAWS=200 for all
OTHERS = 4  # of the other methods every so-many-th is walked through in the browser; QUORUM_WALK=all for all


def draws_of(key: str) -> int:
    return int(os.environ.get("QUORUM_DRAWS") or (WHOLE if key in HEART else SOME))


def walked(keys) -> list[str]:
    """The methods that are walked through in the browser."""
    if os.environ.get("QUORUM_WALK") == "all":
        return list(keys)
    others = [key for key in keys if key not in HEART]
    return [key for key in keys if key in HEART or others.index(key) % OTHERS == 0]
