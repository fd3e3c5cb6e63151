"""Work shared out over threads: progress told from the caller's thread, cancelled at once, the same whatever n_jobs."""

from __future__ import annotations

import functools
import os
import queue
import threading
from collections.abc import Callable

from threadpoolctl import ThreadpoolController

from ..errors import Cancelled, InputError

POLL_SECONDS = 0.05


def checked_jobs(n_jobs: int) -> int:
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, int) or (n_jobs < 1 and n_jobs != -1):
        raise InputError(f"n_jobs must be a whole number of at least 1, or −1 for every core, got {n_jobs!r}.")
    return (os.cpu_count() or 1) if n_jobs == -1 else n_jobs


def share_out(count: int, work: Callable, n_jobs=1, progress=None, cancel=None) -> list:
    """[work(0, stopped), …, work(count − 1, stopped)], in this order.

    work       returns (result, name); looks at stopped() now and then and may raise Cancelled
    progress   progress(done, total, name), called in the caller's thread
    cancel     looked at twenty times a second in the caller's thread; when true, Cancelled is raised at once and work
               under way ends by itself, at its next look at stopped()
    """
    crew = _Crew(count, work)
    if n_jobs == 1 and cancel is None:
        with one_numerical_thread():
            for index in range(count):
                crew.results[index], name = work(index, crew.stop.is_set)
                if progress:
                    progress(index + 1, count, name)
        return crew.results
    for _ in range(min(n_jobs, count)):
        threading.Thread(target=crew.labour, daemon=True, name="base clusterings").start()
    try:
        return crew.gather(progress, cancel or (lambda: False))
    finally:
        crew.stop.set()  # whatever ended the gathering: nobody begins anything new


class _Crew:
    def __init__(self, count, work):
        self.work, self.count = work, count
        self.todo, self.done = queue.SimpleQueue(), queue.SimpleQueue()
        for index in range(count):
            self.todo.put(index)
        self.stop = threading.Event()
        self.results = [None] * count

    def labour(self):
        with one_numerical_thread():
            while not self.stop.is_set():
                try:
                    index = self.todo.get_nowait()
                except queue.Empty:
                    return
                try:
                    self.done.put((index, *self.work(index, self.stop.is_set), None))
                except BaseException as failure:  # carried over to the caller's thread
                    self.done.put((index, None, "", failure))
                    return

    def gather(self, progress, cancel):
        done = 0
        while done < self.count:
            if cancel():
                raise Cancelled
            try:
                index, result, name, failure = self.done.get(timeout=POLL_SECONDS)
            except queue.Empty:
                continue
            if failure is not None:
                raise failure
            self.results[index] = result
            done += 1
            if progress:
                progress(done, self.count, name)
        return self.results


@functools.lru_cache(maxsize=1)
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


class one_numerical_thread:
    """BLAS keeps to one thread while anybody is inside: last bits do not depend on n_jobs, and cores are not fought
    over. The limit belongs to the process, so the first in sets it and the last out lifts it."""

    _door, _inside, _limit = threading.Lock(), 0, None

    def __enter__(self):
        shared = one_numerical_thread
        with shared._door:
            if shared._inside == 0:
                shared._limit = _controller().limit(limits=1, user_api="blas")
            shared._inside += 1

    def __exit__(self, *failure):
        shared = one_numerical_thread
        with shared._door:
            shared._inside -= 1
            if shared._inside == 0:
                shared._limit.restore_original_limits()
