"""The papers' figures that move a dial, on pools of real base clusterings: mean and scatter of each value.

python -m benchmarks.presets [draws] [preset ...]

Uses Ecoli, Aggregation and UMIST of the optional data, else the samples shapes and iris; writes presets.html.
"""

from __future__ import annotations

import sys

import numpy as np

from benchmarks.measure import table
from benchmarks.trust import pools
from consensus_core import METHODS
from consensus_core.data.samples import load
from consensus_core.drawing import tuned
from consensus_core.sweep import Pool, grid
from consensus_core.sweep.conductor import Sweep
from consensus_core.sweep.crew import crew
from consensus_core.sweep.curves import MEASURES, curve
from consensus_core.sweep.dials import is_log, title_of
from consensus_core.sweep.presets import PRESETS

DATA = ("Ecoli", "Aggregation", "UMIST")


def sources() -> dict[str, Pool]:
    found = {name: pool for name, pool in pools().items() if name in DATA}
    return found or {name: Pool(load(name).ensemble) for name in ("shapes", "iris")}


def main() -> None:
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    figures = []
    for preset in (PRESETS[key] for key in (sys.argv[2:] or PRESETS)):
        rows = []
        for name, source in sources().items():
            method = METHODS[preset.method](k=len(np.unique(source.ensemble.truth)))
            values = [value for value in preset.values if preset.dial != "m" or value <= source.most]
            drawn = {} if preset.m is None else {"m": min(preset.m, source.most)}
            hidden = {} if preset.dial == "missing" else {"missing": preset.missing}
            fill = "" if method.handles_missing or not (preset.missing or preset.dial == "missing") else "nearest"
            under_way = Sweep(grid(method, draws=draws, fill=fill, **drawn, **hidden, **{preset.dial: values}), source)
            crew().work_on(under_way)
            dict(under_way)
            points = curve(under_way, preset.measure)
            rows.append([name, *(f"{point.mean:.3f}±{point.std:.3f}" for point in points)])
            mean, std = [point.mean for point in points], [point.std for point in points]
            title = f"{preset.title}, {name}: {MEASURES[preset.measure]}"
            log = is_log(method, preset.dial)
            figures.append(tuned.curve(values, mean, std, title, title_of(method, preset.dial), log))
        seen = f"; {preset.seen}" if preset.seen else ""
        table(f"{preset.title} ({preset.shape}{seen})", ["data", *map("{:g}".format, preset.values)], rows)
    pages = [figure.to_html(full_html=False, include_plotlyjs=at == 0) for at, figure in enumerate(figures)]
    with open("presets.html", "w", encoding="utf-8") as file:
        file.write("<!doctype html><meta charset=utf-8><title>Presets</title>" + "".join(pages))
    print("Drawn: presets.html")


if __name__ == "__main__":
    main()
