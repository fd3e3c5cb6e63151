"""The papers' figures that move a dial, on pools of real base clusterings: mean and scatter of each value.

python -m benchmarks.presets [draws] [preset ...]

Uses Ecoli, Aggregation and UMIST of the optional data, and the sample on which the shape of the figure is seen; as many
draws as the papers' figures have, where no number is given. Writes presets.html to the folder it is called in.
"""

from __future__ import annotations

import sys

import numpy as np

from benchmarks.measure import table
from benchmarks.trust import pools
from consensus_core.data.samples import SAMPLES, load
from consensus_core.drawing import tuned
from consensus_core.sweep import Pool, grid
from consensus_core.sweep.conductor import Sweep
from consensus_core.sweep.crew import crew
from consensus_core.sweep.curves import MEASURES, Point, curve
from consensus_core.sweep.dials import is_log, taken, title_of
from consensus_core.sweep.presets import PRESETS, Preset

DATA = ("Ecoli", "Aggregation", "UMIST")


def drawn(preset: Preset, source: Pool, draws: int) -> list[Point]:
    method = preset.method_for(len(np.unique(source.ensemble.truth)))
    m = {} if preset.m is None else {"m": taken(source.most, preset.m)}
    hidden = {} if preset.dial == "missing" else {"missing": preset.missing}
    fill = "" if method.handles_missing or not (preset.missing or preset.dial == "missing") else "nearest"
    values = {preset.dial: preset.values_for(source.ensemble)}
    under_way = Sweep(grid(method, draws=draws, fill=fill, **m, **hidden, **values), source)
    crew().work_on(under_way)
    dict(under_way)
    return curve(under_way, preset.measure)


def main() -> None:
    words = sys.argv[1:]
    asked = int(words.pop(0)) if words and words[0].isdigit() else None
    found = {name: pool for name, pool in pools().items() if name in DATA}
    figures = []
    for preset in (PRESETS[key] for key in (words or PRESETS)):
        rows = []
        here = found | {SAMPLES[preset.sample].title: Pool(load(preset.sample).ensemble)}
        for name, source in here.items():
            points = drawn(preset, source, asked or preset.draws)
            cells = [f"{point.mean:.3f}±{point.std:.3f}" for point in points]
            rows.append([name, *cells, *[""] * (len(preset.values) - len(cells))])  # some have fewer base clusterings
            values, mean, std = zip(*((point.values[0], point.mean, point.std) for point in points), strict=True)
            title = f"{preset.title}, {name}: {MEASURES[preset.measure]}"
            method = preset.method_for(2)
            axis = title_of(method, preset.dial)
            figures.append(tuned.curve(values, mean, std, title, axis, is_log(method, preset.dial)))
        more = f"; with {preset.setting}" if preset.params else ""
        shown = ["data", *map("{:g}".format, preset.values)]
        table(f"{preset.title}{more}\nthe paper's: {preset.shape}\nhere: {preset.seen}", shown, rows)
        sys.stdout.flush()
    pages = [figure.to_html(full_html=False, include_plotlyjs=at == 0) for at, figure in enumerate(figures)]
    with open("presets.html", "w", encoding="utf-8") as file:
        file.write("<!doctype html><meta charset=utf-8><title>Presets</title>" + "".join(pages))
    print("Drawn: presets.html")


if __name__ == "__main__":
    main()
