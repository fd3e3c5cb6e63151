"""The rooms of the house: what a module needs lies below it, and nothing needs itself round a corner."""

from benchmarks.house import cycles, graph, upwards


def test_every_edge_goes_down_and_none_comes_back():
    edges = graph()
    assert len(edges) > 300
    assert not cycles(edges)
    assert not upwards(edges)
