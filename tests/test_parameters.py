"""Any link at all: taken, clipped, or said to be not understood."""

from __future__ import annotations

import math
import random
from urllib.parse import parse_qs, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consensus_core import METHODS
from pages.ui.parameters import PARAMETERS, in_one_sentence, understood
from pages.ui.settings import heard_by, is_stepped, key_of, stops, value_in_words

KEYS = [*PARAMETERS, "seed", "p_k", "p_theta", "p_max_iter", "p_tol", "p_lam", "p_variant", "p_exact_k", "foo", ""]
TEXTS = [
    "", "1e999", "-1e999", "inf", "nan", "9" * 4301, "-1", "0", "1", "1.5", "true", "x" * 500, "\0", "\u202e", "a,b",
    "../..", "<b>", "%", "١٢", "1_000", " 1", "1e3", "0x10", "spce", "iris", "truth", "nav,parameters", "nav,foo",
]  # fmt: skip
QUERIES = st.dictionaries(
    st.sampled_from(KEYS) | st.text(max_size=8),
    st.lists(st.sampled_from(TEXTS) | st.text(max_size=20), min_size=1, max_size=3),
    max_size=8,
)


def heard(query: str):
    return understood(parse_qs(query, keep_blank_values=True))


@given(QUERIES)
def test_whatever_comes_is_made_right_or_said(query):
    right, wrong = understood(query)
    assert set(right) <= set(query)
    for key in query:
        assert key in right or wrong, key
    assert understood({key: [text] for key, text in right.items()}) == (right, []), "what is right stays as it is"
    said = in_one_sentence(wrong)
    assert bool(said) == bool(wrong) and "\n" not in said and len(said) < 700


@pytest.mark.parametrize("key", METHODS)
def test_every_parameter_of_every_method_takes_its_own_values_and_no_nonsense(key):
    """19 pairs of method and whole-number parameter, each with ?p_…=1e999, were a page with a traceback."""
    cls = METHODS[key]
    for param in cls.params():
        values = [] if param.required else [param.default]
        values += [bound for bound in (param.low, param.high) if bound is not None] + list(param.choices or ())
        for value in values:
            text = value_in_words(param, value)
            asked = {"method": key, key_of(param): text}
            assert understood({name: [said] for name, said in asked.items()}) == (asked, []), param.name
        for text in ("1e999", "-1e999", "nan", "9" * 4301, "x", "", "1,5", "None"):
            right, wrong = understood({"method": [key], key_of(param): [text]})
            assert len(wrong) == 1
            if (said := right.get(key_of(param))) is not None:
                assert math.isfinite(float(said))


def test_what_is_too_much_is_clipped_and_said():
    right, wrong = heard("method=spce&p_theta=7&it=5")
    assert right == {"method": "spce", "p_theta": "0.9", "it": "5"}
    assert in_one_sentence(wrong) == (
        "Not everything in this link was understood: sparsity threshold θ was set to 0.9, the most there is, not “7”."
    )
    right, wrong = heard("method=pce&seed=-3")
    assert right == {"method": "pce", "seed": "0"}
    assert in_one_sentence(wrong).endswith(": seed was set to 0, the least there is, not “-3”.")


def test_a_value_between_two_stops_is_moved_to_the_nearest_and_said():
    param = next(p for cls in METHODS.values() for p in cls.params() if is_stepped(p))
    between = (stops(param)[3] * stops(param)[4]) ** 0.5 * 0.999
    text, why = heard_by(param)(repr(float(between)))
    assert float(text) == stops(param)[3] and "nearest" in why


def test_unknown_and_repeated_ones_are_named():
    right, wrong = heard("foo=1&data=iris&data=moons&p_nonsense=3&method=eac&p_theta=0.3")
    assert right == {"data": "moons", "method": "eac"}
    assert in_one_sentence(wrong) == (
        "Not everything in this link was understood: “foo” is not known; “data” stands there 2 times, and the last "
        "counts; “p_nonsense” is not known; and 1 more."
    )


def test_hide_keeps_what_it_knows():
    assert heard("hide=method,foo,nav") == (
        {"hide": "method,nav"},
        [
            "“hide” knows no “foo”: it knows nav, sidebar, data, method, parameters, switches, "
            "order, trust, presets, home, hint"
        ],
    )


def test_nothing_in_a_link_is_nothing_to_say():
    assert heard("") == ({}, []) and in_one_sentence([]) == ""


def random_link(rng: random.Random) -> str:
    """As a hostile hand would write it."""
    pairs = [(rng.choice(KEYS), rng.choice(TEXTS)) for _ in range(rng.randint(1, 6))]
    return urlencode(pairs)


def test_a_thousand_links():
    rng = random.Random(0)
    for _ in range(1000):
        right, _ = heard(random_link(rng))
        assert understood({key: [text] for key, text in right.items()}) == (right, [])


def test_a_second_method_may_have_settings_of_its_own():
    right, wrong = understood({"beside": ["eac~linkage:single"]})
    assert right == {"beside": "eac~linkage:single"} and not wrong
    right, wrong = understood({"beside": ["eac,lwea"]})
    assert right == {"beside": "eac"} and "names one method" in wrong[0]
    right, wrong = understood({"beside": ["eac~wings:2"]})
    assert right == {"beside": "eac"} and "EAC has no setting “wings”" in wrong[0]
    right, wrong = understood({"beside": ["nobody"]})
    assert right == {} and "there is no method “nobody”" in wrong[0]
