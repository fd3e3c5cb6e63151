"""A report in one HTML file: what the data are, what was done, what came out, and how far it can be trusted.

from consensus_core.report import report
Path("report.html").write_bytes(report(data, step))

It needs no network and prints well; a part that cannot be made says so in its place.
"""

from .document import report

__all__ = ["report"]
