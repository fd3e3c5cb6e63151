"""Every method played to its end in Watch, and why asked at entries of each of its pictures: what the core says.

One method on each of three samples, a few entries; all of them on all three with QUORUM_WALK=all.
"""

from __future__ import annotations

import os
import random

import pytest

from consensus_core import METHODS
from consensus_core.drawing.kinds import drawn
from tests.browser.steps import WAIT, told, until, view_of, watched
from tests.browser.test_trace import SAMPLES, lengths, prepared

ALL = os.environ.get("QUORUM_WALK") == "all"
ENTRIES = 10 if ALL else 2  # of a picture, half of them at the end and half on the way
EVERY = [(key, sample) for key in METHODS for sample in SAMPLES]
SOME = [("hbgf", "iris"), ("bce", "wine"), ("drec", "missing")]
# Asked in one go: to ask from here, one after the other, takes ten times as long.
ASKED = """async (root, [questions, patience]) => {
  const view = root.api, said = [], until = Date.now() + patience;
  for (const [name, where, at] of questions) {
    const told = () => view.told?.name === name && String(view.told.where) === String(where) &&
      view.told.iteration === at;
    view.pin({ quantity: name, where: view.pinAt(name, where) });
    while (!told()) {
      if (Date.now() > until) throw new Error(`${name} ${where} at ${at} was never told: ${JSON.stringify(view.told)}`);
      await new Promise(requestAnimationFrame);
    }
    said.push(view.told);
  }
  view.pin(null);
  return said;
}"""


@pytest.mark.parametrize(("key", "sample"), EVERY if ALL else SOME)
def test_it_plays_to_its_end_and_says_why_as_the_core_does(open_page, key, sample):
    run = prepared(sample, key).run
    last, rng = len(run.moments) - 1, random.Random(0)
    page = watched(open_page(f"/?data={sample}&method={key}&p_k=3"))
    page.get_by_label("Speed").select_option("0")
    told(page, "(window.turns = [], view.on('turned', ({ to }) => window.turns.push(to)), 0)")
    page.get_by_role("button", name="Restart (Home)", exact=True).click()
    until(page, f"String(window.turns) === 'playing,resting' && view.finished && view.shown === {last}")
    assert told(page, "[view.method, view.last, view.error]") == [METHODS[key].name(), last, ""]
    assert told(page, "view.labels") == run.at(last).labels.tolist()
    shown = {picture["name"] for picture in told(page, "view.pictures")}
    assert {quantity.name for quantity in drawn(run.method)} <= shown
    for at in dict.fromkeys((last, rng.randrange(last + 1))):
        told(page, f"(view.scrub({at}), 0)")
        until(page, f"view.shown === {at} && !view.busy")
        questions = [
            (quantity.name, where, at)
            for quantity in drawn(run.method)
            for where in entries(rng, lengths(run, quantity), ENTRIES // 2)
        ]
        answers = view_of(page).evaluate(ASKED, [questions, WAIT])
        for (name, where, _), said in zip(questions, answers, strict=True):
            core = run.at(at).why(name, *where)
            assert said == core.json(), (name, where)
            assert core.value == pytest.approx(run.at(at).entry(name, *where), rel=1e-9, abs=1e-12), (name, where)


def entries(rng, sizes, count):
    """So many different ones by chance, or all where there are fewer."""
    found = {tuple(rng.randrange(size) for size in sizes) for _ in range(count)}
    return sorted(found)
