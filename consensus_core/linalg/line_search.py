"""A step length that lowers a smooth function enough and lets its slope flatten (Moré and Thuente 1994)."""

from dataclasses import dataclass, replace

import numpy as np

ENOUGH = 1e-3  # share of the promised decrease that must be had
FLAT = 0.9  # share of the first slope that may be left
NARROW = 0.1  # relative width of the bracket that is narrow enough
TRIES = 20


@dataclass(frozen=True)
class Point:
    step: float
    value: float
    slope: float


def line_search(at, value, slope, longest):
    """A step in (0, longest()], tried first at 1, by the rules of MINPACK-2 as L-BFGS-B has them.

    at(step) -> (value, slope); value and slope are those at 0; longest() >= 1 is asked only where 1 is not good enough.
    Returns the step, or None where none was found.
    """
    new = Point(1.0, *at(1.0))
    if new.value <= value + ENOUGH * slope and abs(new.slope) <= FLAT * -slope:
        return 1.0
    longest = longest()
    start = Point(0.0, value, slope)
    best, other = start, start
    enough, bracketed, first_stage = ENOUGH * slope, False, True
    width, width_before = longest, 2 * longest
    step, low, high = 1.0, 0.0, 5.0
    for tries in range(TRIES):
        new = Point(step, *at(step)) if tries else new
        promised = value + step * enough
        if first_stage and new.value <= promised and new.slope >= 0:
            first_stage = False
        if new.value <= promised and abs(new.slope) <= FLAT * -slope:
            return step
        if bracketed and (not low < step < high or high - low <= NARROW * high):
            return step
        if step == longest and new.value <= promised and new.slope <= enough:
            return step
        if step == 0:
            return None
        if first_stage and promised < new.value <= best.value:
            # the auxiliary function: what is gained beyond the promise
            tilt = [replace(p, value=p.value - p.step * enough, slope=p.slope - enough) for p in (best, other, new)]
            best, other, step, bracketed = _next(*tilt, bracketed, low, high)
            best, other = (replace(p, value=p.value + p.step * enough, slope=p.slope + enough) for p in (best, other))
        else:
            best, other, step, bracketed = _next(best, other, new, bracketed, low, high)
        if bracketed:
            apart = abs(other.step - best.step)
            if apart >= 0.66 * width_before:
                step = best.step + 0.5 * (other.step - best.step)
            width_before, width = width, apart
            low, high = sorted((best.step, other.step))
        else:
            low, high = step + 1.1 * (step - best.step), step + 4 * (step - best.step)
        step = min(max(step, 0.0), longest)
        if bracketed and (not low < step < high or high - low <= NARROW * high):
            step = best.step
    return None


def _next(best, other, new, bracketed, low, high):
    """The next trial from cubic and quadratic models, and the interval that holds a minimiser."""
    opposite = new.slope * np.sign(best.slope) < 0
    if new.value > best.value:
        cubic, quadratic = _cubic(best, new, new.step < best.step), _parabola(best, new)
        nearer = abs(cubic - best.step) < abs(quadratic - best.step)
        step, bracketed = cubic if nearer else cubic + (quadratic - cubic) / 2, True
    elif opposite:
        cubic, secant = _cubic(new, best, new.step > best.step), _secant(new, best)
        step, bracketed = cubic if abs(cubic - new.step) > abs(secant - new.step) else secant, True
    elif abs(new.slope) < abs(best.slope):
        cubic = _cubic_beyond(best, new, low, high)
        secant = _secant(new, best)
        if bracketed:
            step = cubic if abs(cubic - new.step) < abs(secant - new.step) else secant
            bound = new.step + 0.66 * (other.step - new.step)
            step = min(bound, step) if new.step > best.step else max(bound, step)
        else:
            step = cubic if abs(cubic - new.step) > abs(secant - new.step) else secant
            step = min(max(step, low), high)
    elif bracketed:
        step = _cubic(new, other, new.step > other.step)
    else:
        step = high if new.step > best.step else low
    if new.value > best.value:
        return best, new, step, bracketed
    return new, (best if opposite else other), step, bracketed


def _cubic_parts(a, b):
    theta = 3 * (a.value - b.value) / (b.step - a.step) + a.slope + b.slope
    size = max(abs(theta), abs(a.slope), abs(b.slope))
    inside = (theta / size) ** 2 - (a.slope / size) * (b.slope / size)
    return theta, size * np.sqrt(max(inside, 0.0))


def _cubic(a, b, turned):
    """The minimiser of the cubic through values and slopes of a and b, counted from a."""
    theta, gamma = _cubic_parts(a, b)
    gamma = -gamma if turned else gamma
    ratio = ((gamma - a.slope) + theta) / (((gamma - a.slope) + gamma) + b.slope)
    return a.step + ratio * (b.step - a.step)


def _cubic_beyond(best, new, low, high):
    """The same where it lies beyond the new point, or the end it runs off to."""
    theta, gamma = _cubic_parts(best, new)
    gamma = -gamma if new.step > best.step else gamma
    ratio = ((gamma - new.slope) + theta) / ((gamma + (best.slope - new.slope)) + gamma)
    if ratio < 0 and gamma != 0:
        return new.step + ratio * (best.step - new.step)
    return high if new.step > best.step else low


def _parabola(a, b):
    return a.step + (a.slope / ((a.value - b.value) / (b.step - a.step) + a.slope)) / 2 * (b.step - a.step)


def _secant(new, best):
    return new.step + new.slope / (new.slope - best.slope) * (best.step - new.step)
