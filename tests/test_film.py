"""A film as a value: what is in it, how large it may be, what is refused."""

import base64
import json
import re

import numpy as np
import pytest

from consensus_core import METHODS, Ensemble
from consensus_core.data.samples import load
from consensus_core.errors import InputError
from consensus_core.live import reel
from consensus_core.live.captions import captions_in, pinned_in
from consensus_core.live.reel import expected, film, of_stage
from tests.stand_ins import Halving, an_ensemble, ended


def test_a_film_of_two_runs_holds_every_iteration_and_asks_nobody():
    ensemble = load("five").ensemble
    page = film([METHODS["spce"](k=2), METHODS["eac"](k=2)], ensemble, pins=[("S_hat", 2, 3)], title="<five> & co")
    text = page.page.decode()
    assert "&lt;five&gt; &amp; co" in text and "<five>" not in text
    assert not re.search(r"""(src|href)\s*=\s*["']""", text) and "http" not in text.replace("http://www.w3.org", "")
    about = json.loads(re.search(r'id="about">(.*?)</script>', text, re.DOTALL)[1])
    content = base64.b64decode(re.search(r'id="reel">(.*?)</script>', text, re.DOTALL)[1])
    assert sum(about["answers"]) + about["told"][0] + about["told"][1] == len(content)
    assert page.left_out == () and {"S", "W", "S_hat"} <= set(page.exact) and page.whys > 10


def test_the_size_is_said_before_and_kept():
    ensemble = an_ensemble(60)
    stage = ended(Halving(k=3), ensemble=ensemble)
    whole = of_stage(stage)
    assert 0.5 * whole.size < expected(stage) < 4 * whole.size
    tight = of_stage(stage, most=whole.size - 1000)
    assert tight.size <= whole.size - 1000 and len(tight.exact) < len(whole.exact)  # digits go before pictures
    with pytest.raises(InputError, match="Take fewer iterations"):
        of_stage(stage, most=len(reel._page(stage, {}, b"", {})) + 4096)


def test_what_does_not_fit_is_left_out_and_said():
    rng = np.random.default_rng(0)
    ensemble = Ensemble.from_labels(rng.integers(4, size=(150, 8)))
    stage = ended(METHODS["spce"](k=3, max_iter=3), ensemble=ensemble)
    whole = of_stage(stage)
    bare = len(reel._page(stage, {}, b"", {}))
    tight = of_stage(stage, most=bare + (whole.size - bare) // 8)
    assert tight.left_out and not set(tight.left_out) & set(tight.pictures)
    assert tight.size <= bare + (whole.size - bare) // 8


def test_nothing_is_overwritten(tmp_path):
    page = of_stage(ended())
    path = page.save(tmp_path / "film.html")
    assert path.read_bytes() == page.page
    with pytest.raises(InputError, match="nothing is overwritten"):
        page.save(path)


def test_a_pin_that_is_none_is_refused():
    with pytest.raises(InputError, match="has the axes"):
        film(METHODS["eac"](k=2), load("five").ensemble, pins=[("A", 1)])


def test_captions_are_read_or_refused_by_the_line():
    assert captions_in("0: first\n\n 12 : then: more") == {0: "first", 12: "then: more"}
    for text, why in (("x: no", "line 1"), ("0: a\n0: b", "line 2: iteration 0"), ("0: " + "a" * 400, "at most 300")):
        with pytest.raises(InputError, match=why):
            captions_in(text)
    run = ended().run
    assert pinned_in("S.1.2", run) == [("S", 1, 2)]
    assert pinned_in("S.1", run) == pinned_in("nothing.1.2", run) == pinned_in("", run) == []
