"""Methods, settings and runs side by side: what each comes to, where they differ, and whether it was luck."""

from .comparison import CANNOT_CHOOSE, Comparison, compare
from .disagreement import Crossed, Flow, crossed, disagreed, flows
from .outcome import Outcome, solved
from .plan import Entry, Plan, planned, within
from .repeats import MEASURES, Repeats, Trial
from .script import comparison_script, repeats_script, table_name
from .significance import Tested, friedman, mean_ranks, paired_t, signed_rank
from .table import Column, Spread, Table, in_latex, sorted_rows

__all__ = [
    "CANNOT_CHOOSE",
    "MEASURES",
    "Column",
    "Comparison",
    "Crossed",
    "Entry",
    "Flow",
    "Outcome",
    "Plan",
    "Repeats",
    "Spread",
    "Table",
    "Tested",
    "Trial",
    "compare",
    "comparison_script",
    "crossed",
    "disagreed",
    "flows",
    "friedman",
    "in_latex",
    "mean_ranks",
    "paired_t",
    "planned",
    "repeats_script",
    "signed_rank",
    "solved",
    "sorted_rows",
    "table_name",
    "within",
]
