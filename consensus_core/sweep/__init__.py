"""Many runs: over dials, numbers of clusters, draws of base clusterings; on this machine's processors or a cluster's.

plan = grid(SPCE(k=7), theta=[0, 0.1, 0.2], draws=20, m=20)      # or at_random(SPCE(k=7), 50, theta=None)
for task, outcome in sweep(plan, Pool(ensemble), cells=Cells("results")):
    print(task.method.theta, task.draw.number, outcome.value("agreement_ari"))

What is kept in the cells is never computed again, whoever stopped or was killed.
"""

from __future__ import annotations

from .conductor import Sweep
from .outcome import Outcome
from .plan import Plan, Task, at_random, grid
from .source import Draw, Made, Pool, Source, published_orders

__all__ = ["Draw", "Made", "Outcome", "Plan", "Pool", "Source", "Sweep", "Task", "at_random", "grid",
           "published_orders", "sweep"]  # fmt: skip


def sweep(plan: Plan, source: Source, cells=None, where: str = "", processes: int | None = None, visitor: str = "",
          first=None) -> Sweep:  # fmt: skip
    """The sweep, begun; iterate over it, or look at it from time to time.

    cells       a keep.cells.Cells: outcomes are kept there as they come, and those that are there are taken
    where       "" for processes of this machine, or the address of a Dask scheduler like "tcp://10.0.0.5:8786"
    processes   so many of this machine, for this sweep alone; None: those all sweeps of this program share
    first       task -> number: the smallest is computed first
    """
    begun = Sweep(plan, source, cells, visitor)
    if first is not None:
        begun.first(first)
    if begun.over:
        return begun
    if where:
        from .remote import work_on

        work_on(begun, where)
        return begun
    from .crew import Crew, crew

    (crew() if processes is None else Crew(processes, idle=1.0)).work_on(begun)
    return begun
