"""How a number is written for people, once for everything that says one. `live/view/numbers.js` is its twin in the
browser; tests/number_cases.json holds both."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal

NOT_A_NUMBER = "–"
MINUS = "−"
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_DIGITS_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_LARGE, _SMALL = Decimal(1_000_000), Decimal("0.001")  # from here on, and below here, in powers of ten


def number(x, digits: int = 3) -> str:
    """Three significant digits, but every digit before the point: 0.0123, 4.5, 1,234, 4.1·10⁸, −2.3·10⁻⁶.

    A half is rounded away from zero; "–" stands for what is no finite number.

    >>> number(0.01234), number(1234.4), number(-2.346e-6), number(float("nan"))
    ('0.0123', '1,234', '−2.35·10⁻⁶', '–')
    """
    if not _is_finite(x):
        return NOT_A_NUMBER
    size = Decimal(abs(x) if isinstance(x, int) else abs(float(x)))
    if not size:
        return "0"
    sign = MINUS if x < 0 else ""
    leading = size.adjusted()  # of the first digit: 10^leading
    if -4 <= leading <= 6:
        rounded = _rounded(size, min(leading - digits + 1, 0))
        if _SMALL <= rounded < _LARGE:
            return f"{sign}{_without_zeros(f'{rounded:,f}')}"
    rounded = _rounded(size, leading - digits + 1)
    power = rounded.adjusted()
    front = _without_zeros(f"{rounded.scaleb(-power):f}")
    ten = f"10{str(power).translate(_RAISED)}"
    return f"{sign}{ten if front == '1' else f'{front}·{ten}'}"


def read(text: str) -> float:
    """The number that `number` wrote."""
    if text == NOT_A_NUMBER:
        return math.nan
    plain = text.replace(MINUS, "-").replace(",", "")
    if plain[-1] not in _DIGITS_RAISED:
        return float(plain)
    front, _, power = plain.rpartition("10")
    front = front.rstrip("·")
    return float(f"{'-1' if front == '-' else front or '1'}e{power.translate(_LOWERED)}")


def finite(x) -> float | None:
    """A number as JSON knows it: None where it is not finite."""
    return float(x) if _is_finite(x) else None


def counted(count: int, one: str, many: str | None = None) -> str:
    """ "1 object", "3 objects", "1,200 entries"."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def bytes_in_words(count: float) -> str:
    """ "12.3 MB"."""
    for unit in ("B", "kB", "MB", "GB"):
        if count < 999.5:
            return f"{number(count)} {unit}"
        count /= 1000
    return f"{number(count)} TB"


def seconds_in_words(seconds: float) -> str:
    """ "45 s", "12 min", "2.5 h"."""
    if seconds < 0.1:
        return "under 0.1 s"
    if seconds < 120:
        return f"{number(seconds, 2)} s"
    if seconds < 7200:
        return f"{number(seconds / 60, 1)} min"
    return f"{number(seconds / 3600, 2)} h"


def about_seconds(seconds: float) -> str:
    """ "about 45 s"; "under 0.1 s", which is no round number."""
    return seconds_in_words(seconds) if seconds < 0.1 else f"about {seconds_in_words(seconds)}"


def _is_finite(x) -> bool:
    if x is None:
        return False
    try:
        return math.isfinite(x)
    except OverflowError:  # a whole number beyond all floats
        return True


def _rounded(size: Decimal, place: int) -> Decimal:
    """To a multiple of 10^place, halves up."""
    return size.scaleb(-place).to_integral_value(ROUND_HALF_UP).scaleb(place)


def _without_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text
