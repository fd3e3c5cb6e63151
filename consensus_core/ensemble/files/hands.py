"""Who reads the pieces: this process, a few processes of this machine, or the workers of a Dask cluster."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ...errors import InputError

TRIES = 4  # of a piece whose process has died
PATIENCE = 10  # seconds in which a scheduler must answer


def each(
    work: Callable, pieces: Sequence, more: tuple, client=None, processes: int | None = None, told=None
) -> Iterator:
    """(piece, work(piece, *more)) as they come. `client`: a Dask client or its scheduler's address.

    A piece whose process or worker dies is done again; `told(done, all)` may raise Cancelled.
    """
    done = 0
    for found in _found(work, pieces, more, client, processes):
        done += 1
        if told is not None:
            told(done, len(pieces))
        yield found


def _found(work, pieces, more, client, processes) -> Iterator:
    if client is not None:
        with _connected(client) as cluster:
            yield from _by_cluster(cluster, work, pieces, more)
        return
    processes = min(processes or os.cpu_count() or 1, len(pieces))
    if processes < 2:  # also where nothing is left to do
        yield from ((piece, work(piece, *more)) for piece in pieces)
    else:
        yield from _by_processes(work, pieces, more, processes)


def _by_processes(work, pieces, more, processes: int) -> Iterator:
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    left = list(pieces)
    for _ in range(TRIES):
        done = set()
        try:
            how = {"backend": "loky", "return_as": "generator_unordered", "pre_dispatch": "2*n_jobs"}
            with Parallel(n_jobs=processes, **how) as crew:
                coming = crew(delayed(_performed)(work, piece, more) for piece in left)
                try:
                    for piece, result in coming:
                        done.add(piece)
                        yield piece, result
                finally:
                    with warnings.catch_warnings():  # whoever stops knows that tasks are left
                        warnings.simplefilter("ignore", UserWarning)
                        coming.close()
            return
        except TerminatedWorkerError:
            left = [piece for piece in left if piece not in done]
    raise InputError(
        f"{left[0].name}: {TRIES} times a process ended while it read this; perhaps there is too little memory."
    )


def _performed(work, piece, more):
    return piece, work(piece, *more)


def _by_cluster(client, work, pieces, more) -> Iterator:
    from distributed import KilledWorker, as_completed

    waiting, window = list(pieces)[::-1], 4 * max(1, len(client.scheduler_info()["workers"]))

    def begun(count: int) -> list:
        some = [waiting.pop() for _ in range(min(count, len(waiting)))]
        return [client.submit(_performed, work, piece, more, pure=False, retries=TRIES - 1) for piece in some]

    under_way = as_completed(begun(window), loop=client.loop)
    try:
        for future in under_way:
            try:
                found = future.result()
            except KilledWorker:
                raise InputError("Worker after worker of the cluster ended while it read a piece; perhaps there is too "
                                 "little memory on them.") from None  # fmt: skip
            under_way.update(begun(1))
            yield found
            future.release()
    finally:
        client.cancel(list(under_way.futures))


@contextmanager
def _connected(client):
    if not isinstance(client, str):
        yield client
        return
    try:
        from distributed import Client
    except ImportError:
        raise InputError("To count on a cluster, Dask is needed: pip install 'dask[distributed]'.") from None
    try:
        connected = Client(client, timeout=PATIENCE, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as fault:
        said = fault or "no answer"
        raise InputError(f"No Dask scheduler answers at {client}: {said}. Is the address right?") from None
    try:
        yield connected
    finally:
        connected.close()
