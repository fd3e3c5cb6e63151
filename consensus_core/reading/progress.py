"""How far reading is: said by those who know it, to whoever wants to hear."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_listener: ContextVar[Callable[[str, float | None], None] | None] = ContextVar("listener", default=None)


def tell(what: str, share: float | None = None) -> None:
    """What is being done; `share` of it that is done, where that is known."""
    listener = _listener.get()
    if listener is not None:
        listener(what, share)


@contextmanager
def heard_by(listener: Callable[[str, float | None], None]) -> Iterator[None]:
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
