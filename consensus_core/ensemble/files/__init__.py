"""Label tables that do not fit in memory: counted piece by piece, solved on the counts, written back piece by piece.

ensemble = Ensemble.from_files("runs/*.parquet", ids="name")   # distinct rows and counts, no array over objects
result = solve(method, ensemble)
result.write("labels/")                                        # ids and clusters, a file per piece
"""

from __future__ import annotations

from .count import count_files
from .foresee import Foreseen, foresee
from .pieces import Files, find_files
from .write import write_beside

__all__ = ["Files", "Foreseen", "count_files", "find_files", "foresee", "write_beside"]
