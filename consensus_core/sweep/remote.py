"""The same on a Dask cluster: its scheduler hands the tasks out, and runs again what a lost worker had."""

from __future__ import annotations

import sys
import threading
import traceback

from ..errors import InputError
from ..keep.program import program
from .conductor import Sweep
from .outcome import ROOMS, Outcome, perform
from .plan import Task
from .source import Source

PATIENCE = 5.0  # seconds for a scheduler to answer
AHEAD = 3  # tasks for each thread of the cluster that are handed over before they can begin


def connected(address: str):
    """A client of the scheduler at this address; a sentence where there is none."""
    try:
        from distributed import Client
    except ImportError:
        raise InputError(
            "Working on a Dask cluster needs Dask: pip install 'dask[distributed]', or work on this machine."
        ) from None
    try:
        return Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError, TimeoutError) as problem:
        raise InputError(
            f"No Dask scheduler answers at {address}. Start one (dask scheduler) and workers, check the address, or "
            "work on this machine."
        ) from problem


def work_on(sweep: Sweep, address: str) -> None:
    """Returns when the scheduler has answered; the work goes on in a thread."""
    client = connected(address)
    threading.Thread(target=_work, args=(sweep, client, address), name="a sweep on a cluster", daemon=True).start()


def _work(sweep: Sweep, client, address: str) -> None:
    try:
        _lead(sweep, client, address)
    except Exception as problem:
        traceback.print_exc(file=sys.stderr)
        sweep.fail(f"The Dask cluster at {address} is gone ({type(problem).__name__}). What was done is kept.")
    finally:
        client.close()


def _lead(sweep: Sweep, client, address: str) -> None:
    from distributed import as_completed

    # computed there, so that it is computed again where the worker that held it is lost
    source = client.submit(_held, sweep.source, key=f"source-{sweep.source.fingerprint}", pure=True)
    told = {}
    coming = as_completed(loop=client.loop)
    sweep.when_cancelled(lambda _: client.cancel(list(told), force=True))  # they come at once, then
    while not sweep.over or told:
        threads = sum(worker["nthreads"] for worker in client.scheduler_info(n_workers=-1)["workers"].values())
        while len(told) < AHEAD * max(1, threads) and (found := sweep.take()) is not None:
            name, task = found
            future = client.submit(_perform, source, task, key=f"cell-{name}", pure=False, retries=2)
            told[future] = found
            coming.add(future)
        if not told:
            break
        future = next(coming)
        _heard(sweep, *told.pop(future), future)
        if sweep.over:
            client.cancel(list(told), force=True)
            return


def _heard(sweep: Sweep, name: str, task: Task, future) -> None:
    if future.status == "finished":
        version, outcome = future.result()
        if version != program(*ROOMS):
            sweep.fail("The workers of the Dask cluster run another version of Quorum. Give them this one.")
        else:
            sweep.give(name, task, outcome)
    else:  # the workers that had it ended, or the scheduler gave it up
        sweep.lost(name, task)
    future.release()


def _held(source: Source) -> Source:
    return source


def _perform(source: Source, task: Task) -> tuple[str, Outcome]:
    return program(*ROOMS), perform(source, task)
