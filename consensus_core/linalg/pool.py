"""Memory that is used again: fresh pages cost more than the arithmetic that fills them.

A method whose every step makes new large matrices asks for them here. When the last array on a piece of memory is gone,
the piece waits for the next request of its size; when the room itself is gone, all of it goes back to the system.
"""

from __future__ import annotations

import math
import weakref

import numpy as np


class Room:
    """Float64 arrays for one run. A state may carry it; a pickle of it is empty."""

    def __init__(self):
        self._idle: dict[int, _Waiting] = {}
        self._beside: dict[int, tuple[weakref.ref, np.ndarray]] = {}

    def array(self, *shape: int) -> np.ndarray:
        """An array of any content, on memory that nothing else uses."""
        size = math.prod(shape)
        waiting = self._idle.setdefault(size, _Waiting())
        try:
            memory = waiting.pop()
        except IndexError:
            memory = np.empty(size)
        return np.asarray(_Lease(memory, waiting)).reshape(shape)

    def give(self, array: np.ndarray) -> None:
        """Memory for requests to come: a whole array of its own that the caller looks at no more."""
        self._idle.setdefault(array.size, _Waiting()).append(array.reshape(-1))

    def keep(self, made: np.ndarray, of: np.ndarray) -> None:
        """What was computed of an array, for whoever asks for it first; one at a time, the latest."""
        self._beside = {id(of): (weakref.ref(of), made)}

    def taken(self, of: np.ndarray) -> np.ndarray | None:
        """What was kept of this very array, from now on the caller's alone; None where it must be computed anew."""
        source, made = self._beside.pop(id(of), (None, None))
        return made if source is not None and source() is of else None

    def __reduce__(self):
        return Room, ()


class _Waiting(list):
    """Pieces of one size; a list that can be referred to weakly, so that no array keeps the room alive."""


class _Lease:
    """Holds a piece of memory for the arrays upon it, and gives it back when the last of them is gone."""

    def __init__(self, memory: np.ndarray, waiting: _Waiting):
        self.memory, self.waiting = memory, weakref.ref(waiting)
        self.__array_interface__ = memory.__array_interface__

    def __del__(self):
        waiting = self.waiting()
        if waiting is not None:
            waiting.append(self.memory)
