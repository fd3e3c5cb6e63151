"""EC-CMS: the time of an iteration beside that of its block products alone, measured turn by turn in one run.

A step of ADMM must multiply by (2Φ + (γ₁+γ₂) I)⁻¹, block by block over the components of the sure pairs: large sparse
blocks by factors within an envelope, the others by their inverse. Everything else (right-hand side, E, F, multipliers,
five residuals, the check for NaN) passes over the pairs a few times, and takes as long as it takes. CPU seconds,
medians over the steps.
"""

from __future__ import annotations

import os

os.environ.update({"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"})

from statistics import median
from time import process_time

import numpy as np

from benchmarks.linkage import ensembles
from benchmarks.measure import table
from consensus_core import ECCMS, advance, begin
from consensus_core.linalg.blocks import CHUNK
from consensus_core.method import speed

STEPS = 7


def block_products(inverse, width):
    """Seconds of the products alone, operands and room at hand."""
    operands = [(W, np.random.default_rng(0).random((len(W), min(CHUNK, width)))) for W in inverse.inverses]
    start = process_time()
    for W, right in operands:
        W @ right
    return (process_time() - start) * width / min(CHUNK, width)


def turns(method, ensemble):
    step = advance(method, ensemble, begin(method, ensemble))
    iterations, products = [], []
    for _ in range(STEPS):
        products.append(block_products(step.state.inverse, ensemble.q))
        start = process_time()
        step = advance(method, ensemble, step)
        iterations.append(process_time() - start)
    return median(iterations), median(products), step.state.inverse.work / ensemble.q**2


def main():
    rows = []
    for name, ensemble in ensembles():
        for variant in ("paper", "released"):
            method = ECCMS(k=6, tol=0.0, variant=variant)
            iteration, products, share = turns(method, ensemble)
            rows.append(
                [name, variant, f"{ensemble.n:,}", f"{ensemble.q:,}", f"{share:.2f}", f"{iteration * 1e3:.1f}",
                 f"{products * 1e3:.1f}", f"{iteration / products:.2f}"]
            )  # fmt: skip
    print(f"2,000 x 2,000 product on this machine: {2000**3 / speed().products:.2f} s")
    table(
        "One iteration and its block products",
        ["ensemble", "variant", "n", "q", "share of q³", "iteration, ms", "products, ms", "ratio"],
        rows,
    )


if __name__ == "__main__":
    main()
