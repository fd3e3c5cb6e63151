"""The store as pages see it: the same questions, and never a fault.

What cannot be kept is not kept, what cannot be read is not there, and `trouble` says why in one sentence. A store that
failed is left alone for a while, so that no page waits for it again and again; then it is asked once more.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from .fault import StoreFault
from .store import SETTINGS, Kept, Store, data_folder

AGAIN = 15.0  # seconds after which a store that failed is asked again
T = TypeVar("T")


class Shelf:
    """`desk` is a visitor's id; "" is a browser that takes no cookies, for which nothing can be kept."""

    def __init__(self, folder: Path | None = None, ticks=time.monotonic, **more):
        self.folder = Path(folder) if folder else data_folder()
        self._more, self._ticks = more, ticks
        self._store: Store | None = None
        self._next = 0.0
        self._opening = threading.Lock()
        self._trouble = self._repaired = ""

    # --- what a page says -------------------------------------------------------------------------------------------

    @property
    def trouble(self) -> str:
        """Why nothing can be kept just now, "" where things can."""
        if self._store is None or (self._trouble and self._ticks() >= self._next):
            self._ask(Store.probe, None)
        return self._trouble

    @property
    def repaired(self) -> str:
        """That a damaged index was replaced, until somebody has been told."""
        said, self._repaired = self._repaired, ""
        return said

    # --- what a visitor keeps ---------------------------------------------------------------------------------------

    def keeps(self, desk: str) -> bool:
        """Whether this visitor's things are kept; on unless switched off, or nobody can tell."""
        return bool(desk) and self._ask(lambda store: _keeps(store, desk), False, changing=False)

    def put(
        self, desk: str, kind: str, key: str, title: str = "", meta: dict | None = None, files: dict | None = None
    ) -> Kept | None:
        """The thing kept; None where this visitor wants nothing kept, or nothing can be."""

        def put(store: Store) -> Kept | None:
            # a run in another tab goes on after its visitor has switched keeping off in this one
            wanted = kind == SETTINGS or _keeps(store, desk)
            return store.put(desk, kind, key, title, meta, files) if wanted else None

        return self._ask(put, None) if desk else None

    def rename(self, id: str, title: str) -> None:
        self._ask(lambda store: store.rename(id, title), None)

    def note(self, id: str, **meta) -> None:
        self._ask(lambda store: store.note(id, **meta), None)

    def remove(self, id: str) -> None:
        self._ask(lambda store: store.remove(id), None)

    def forget(self, desk: str) -> int | None:
        """How many things were removed; None where they could not be."""
        return self._ask(lambda store: store.forget(desk), None) if desk else 0

    # --- what there is ----------------------------------------------------------------------------------------------

    def get(self, id: str) -> Kept | None:
        return self._ask(lambda store: store.get(id), None, changing=False)

    def find(self, desk: str, kind: str, key: str) -> Kept | None:
        return self._ask(lambda store: store.find(desk, kind, key), None, changing=False) if desk else None

    def all(self, desk: str, kind: str) -> list[Kept]:
        return self._ask(lambda store: store.all(desk, kind), [], changing=False) if desk else []

    def file(self, id: str, name: str) -> bytes | None:
        return self._ask(lambda store: store.file(id, name), None, changing=False)

    def used_bytes(self, desk: str) -> int:
        return self._ask(lambda store: store.used_bytes(desk), 0, changing=False) if desk else 0

    # --- inside -----------------------------------------------------------------------------------------------------

    def _ask(self, what: Callable[[Store], T], otherwise: T, changing: bool = True) -> T:
        """What the store answers, or `otherwise` where it cannot."""
        if self._trouble and changing and self._ticks() < self._next:
            return otherwise
        try:
            answer = what(self._opened())
        except StoreFault as fault:
            self._failed(fault)
            return otherwise
        if changing:
            self._trouble = ""
        return answer

    def _opened(self) -> Store:
        with self._opening:
            late = self._ticks() >= self._next
            if self._store is None and not late:
                raise StoreFault("other", self._trouble)
            if self._store is None or (not self._store.writable and late):
                self._next = self._ticks() + AGAIN
                self._store = None
                self._store = Store(self.folder, **self._more)
                if not self._store.writable:
                    self._failed(self._store.closed())
            if self._store.was_repaired and not self._store.told:
                self._store.told = True
                self._repaired = (
                    f"The index of what is kept in {self.folder} was damaged. It was set aside and made again from the "
                    "files beside it."
                )
            return self._store

    def _failed(self, fault: StoreFault) -> None:
        self._trouble = str(fault)
        self._next = self._ticks() + AGAIN


def _keeps(store: Store, desk: str) -> bool:
    said = store.find(desk, SETTINGS, "keeping")
    return said is None or bool(said.meta.get("on", True))
