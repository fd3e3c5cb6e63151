"""How numbers are written: one table of cases for Python and, in tests/view, for the browser."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consensus_core.numbers import bytes_in_words, counted, finite, number, seconds_in_words

CASES = json.loads(Path(__file__).with_name("number_cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("value", "digits", "written"), CASES)
def test_a_number_is_written_as_the_table_says(value, digits, written):
    assert number(value, digits) == written


def test_kinds_of_numbers():
    assert number(np.float32(0.25)) == number(np.float64(0.25)) == "0.25"
    assert number(np.int64(-1234)) == number(-1234) == "−1,234"
    assert number(10**400) == "10⁴⁰⁰"
    assert [number(x) for x in (math.nan, math.inf, -math.inf, None)] == ["–"] * 4
    assert [finite(x) for x in (math.nan, math.inf, None, np.float32(0.5), 3)] == [None, None, None, 0.5, 3.0]


def read_again(text: str) -> float:
    plain = text.replace("−", "-").replace(",", "")
    front, ten, raised = plain.rpartition("10")
    if not ten or not set(raised) & set("⁰¹²³⁴⁵⁶⁷⁸⁹"):
        return float(plain)
    front = {"": "1", "-": "-1"}.get(front, front.rstrip("·"))
    return float(f"{front}e{raised.translate(str.maketrans('⁻⁰¹²³⁴⁵⁶⁷⁸⁹', '-0123456789'))}")


@given(st.floats(-1e12, 1e12, allow_nan=False), st.integers(1, 8))
def test_what_is_written_is_the_number_to_so_many_digits(value, digits):
    written = number(value, digits)
    assert "e" not in written and "-" not in written
    assert abs(read_again(written) - value) <= abs(value) * 0.5 * 10 ** (1 - digits) * (1 + 1e-9) + 5e-324


def test_counts_bytes_and_seconds():
    assert [counted(1, "object"), counted(1200, "object"), counted(2, "entry", "entries")] == [
        "1 object", "1,200 objects", "2 entries"]  # fmt: skip
    # 999.6 MB was once "1e+03 MB", and 119.6 s "1.2e+02 s"
    assert [bytes_in_words(x) for x in (0, 999, 999.6, 1234567, 999.6e6, 5e13)] == [
        "0 B", "999 B", "1 kB", "1.23 MB", "1 GB", "50 TB"]  # fmt: skip
    assert [seconds_in_words(x) for x in (0.01, 0.52, 59, 119.6, 130, 7100, 9000, 1e5)] == [
        "under 0.1 s", "0.52 s", "59 s", "120 s", "2 min", "118 min", "2.5 h", "28 h"]  # fmt: skip
