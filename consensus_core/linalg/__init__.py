"""Arrays in, arrays out: projections, polar factor, smallest eigenvectors, components, small quadratic programs.

Nothing here knows an ensemble. Where rows stand for several equal objects, `counts` says how many, and every sum, norm
and orthogonality is the one of the repeated rows.
"""

from .distances import squared_distances
from .graph import bipartite_components, components
from .huge import is_huge
from .orthonormal import canonical_signs, polar_factor, ranged_polar, unit_rows
from .programs import box_qp, simplex_qp
from .reciprocal import reciprocal_root
from .simplex import project_simplex, shares_of_roots
from .spectrum import leading_by_columns, smallest_eigenvectors
from .stiefel import orthonormaliser, stiefel_minimum
from .tiles import mirrored, row_tiles, symmetrise

__all__ = [
    "bipartite_components",
    "box_qp",
    "canonical_signs",
    "components",
    "is_huge",
    "leading_by_columns",
    "mirrored",
    "orthonormaliser",
    "polar_factor",
    "project_simplex",
    "ranged_polar",
    "reciprocal_root",
    "row_tiles",
    "shares_of_roots",
    "simplex_qp",
    "smallest_eigenvectors",
    "squared_distances",
    "stiefel_minimum",
    "symmetrise",
    "unit_rows",
]
