"""Further drawings of a quantity: what they show, and what is hovered in them, is what the core has."""

import numpy as np
import pytest

from consensus_core import METHODS, Ensemble
from consensus_core.data.samples import load
from consensus_core.drawing.further import BINS
from consensus_core.drawing.palettes import CLUSTERS
from consensus_core.linalg import components
from tests.stand_ins import ended

KEY = "view.further.find((one) => one.key.endsWith('{}'))"


def opened(bare, method, sample, **more):
    stage = ended(method, ensemble=load(sample).ensemble)
    return stage.run, bare(stage, height=2400, **more)


def drawing(view, name):
    view.until(f"{KEY.format(name)}?.drawn && !view.busy")
    return view.ask(KEY.format(name))


def matrix(run, at, name):
    ensemble = run.ensemble
    value = np.asarray(run.method.value(ensemble, run.at(at).state, name))
    return value[np.ix_(ensemble.member_of, ensemble.member_of)]


@pytest.mark.parametrize("sample", ["five", "island"])
def test_the_graph_the_points_and_the_histogram_are_the_cores(bare, sample):
    run, view = opened(bare, METHODS["spce"](k=2), sample)
    n = run.ensemble.n
    pairs = np.tril_indices(n, -1)
    for at in (0, 1, 5, len(run.moments) - 1):
        view.say(f"view.scrub({at})")
        view.until(f"view.shown === {at} && !view.busy")
        S, W = matrix(run, at, "S"), matrix(run, at, "W")
        graph = drawing(view, "S~graph")["drawn"]
        assert graph["links"] == int((S[pairs] > 0).sum())
        _, member = components(S > 0)
        assert sorted(graph["components"]) == sorted(np.bincount(member).tolist())
        assert len(graph["components"]) == run.at(at).state.components or at == 0
        points = drawing(view, "S~against")["drawn"]
        assert points["linked"] == graph["links"] and points["bar"] == pytest.approx(run.at(at).state.bar)
        counted = np.histogram(np.clip(W[pairs], 0, 1), bins=BINS, range=(0, 1))[0]
        assert drawing(view, "W~histogram")["drawn"] == counted.tolist()


def test_nothing_lies_below_the_line_and_hovering_a_link_tells_the_cores_value(bare):
    run, view = opened(bare, METHODS["spce"](k=2), "five")
    last = len(run.moments) - 1
    S = matrix(run, last, "S")
    off = S[np.tril_indices(5, -1)]
    assert (off[off > 0] >= run.at(last).state.bar - 1e-12).all()
    card = view.page.locator("figure.points", has_text="as a graph")
    card.scroll_into_view_if_needed()
    spots = view.page.evaluate("() => view.spots('S~graph')")
    box = card.locator("canvas").bounding_box()
    (x3, y3), (x4, y4) = spots[4:6], spots[6:8]
    view.page.mouse.move(box["x"] + (x3 + x4) / 2, box["y"] + (y3 + y4) / 2)
    view.until(f"view.pointed && view.pointed.values['{run.id}'].S === {float(S[2, 3])!r}")
    assert card.locator(".readout").inner_text() == view.ask(f"view.number({float(S[2, 3])!r})")


def test_the_hypergraph_of_five_objects_is_figure_1(bare):
    """Six hyperedges of the CESHL paper's example, first as given, at the end as learned, as wide as they weigh."""
    run, view = opened(bare, METHODS["ceshl"](k=2), "five")
    for at in (0, len(run.moments) - 1):
        view.say(f"view.scrub({at})")
        view.until(f"view.shown === {at} && !view.busy")
        Y, w = (np.asarray(run.method.value(run.ensemble, run.at(at).state, name)) for name in ("Y", "w"))
        for curve in drawing(view, "Y~hypergraph")["drawn"]:
            e = curve["e"]
            inside = [i for i in range(5) if run.method.entry(run.ensemble, run.at(at).state, "Y", i, e) > 0.005]
            assert curve["members"] == inside and curve["weight"] == pytest.approx(
                run.method.entry(run.ensemble, run.at(at).state, "w", e), abs=1e-6
            )
        assert len(w) == 6 and Y.shape[1] == 6


def test_the_costs_of_a_hole_stand_as_bars_in_its_why(bare):
    run, view = opened(bare, METHODS["pce"](k=3, scale="paper"), "nine")
    view.say("view.pin({ quantity: 'base', where: { object: [2], clustering: [0] } })")
    view.until("view.told?.choice")
    told, last = view.ask("view.told.choice"), len(run.moments) - 1
    why = run.at(last).why("base", 2, 0)
    assert told["values"] == pytest.approx(why.told.numbers["cost"].tolist()) and told["names"] == ["1", "2", "3"]
    assert told["best"] == 2 and told["least"] and int(np.argmin(told["values"])) == 2
    bars = view.page.locator(".why .choice li")
    assert bars.count() == 3 and "the least" in bars.nth(2).inner_text()


def test_the_track_plot_parts_base_clusters_of_one_colour_by_a_line(bare):
    """Base clusters had the colour of the consensus and no border: 46 of them looked like 5 in perfect agreement."""
    truth = np.repeat([0, 1, 2], 8)
    many, gaps = np.arange(24) // 2, np.where(np.arange(24) % 5 == 0, -1, truth)
    table = np.column_stack([truth, truth, truth, many, gaps])
    stage = ended(METHODS["eac"](k=3), ensemble=Ensemble.from_labels(table))
    view = bare(stage)
    card = view.page.locator("figure.tracks")
    card.scroll_into_view_if_needed()
    view.until("view.order !== undefined && !view.busy")
    run = stage.run
    consensus = run.ensemble.expand(run.moments[-1].labels)
    # down the middle of a column, left of where its labels would be written: (columns + a gap) from left to right
    read = """(canvas, [c, columns]) => {
      const x = Math.round(((c + (c ? .5 : 0) + .12) / (columns + .5)) * canvas.width);
      return [canvas.height, [...canvas.getContext('2d').getImageData(x, 0, 1, canvas.height).data]];
    }"""
    order = view.ask("view.rows")
    for column, labels in enumerate([consensus, *table.T]):
        height, data = card.locator("canvas").first.evaluate(read, [column, 6])
        pixels = np.array(data).reshape(height, 4)
        ends = np.round(np.arange(25) * height / 24).astype(int)
        for place, object in enumerate(order):
            inside = pixels[ends[place] + 2 : ends[place + 1] - 2]
            label = labels[object]
            if label < 0:
                assert (inside[:, 3] == 0).all(), "no label, no colour"
                continue
            owner = np.bincount(consensus[labels == label]).argmax() if column else label
            assert (inside == [*_rgb(CLUSTERS[owner]), 255]).all(), (column, object)
            before = labels[order[place - 1]] if place else label
            edge = pixels[max(ends[place] - 1, 0) : ends[place] + 2, 3]
            if before >= 0 and before != label and column and consensus[order[place - 1]] == consensus[object]:
                assert 0 < edge.min() < 255, f"clusters {before} and {label} of one colour have no line between them"
            elif before == label:
                assert edge.min() == 255, "a line where none ends"


def _rgb(colour):
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
