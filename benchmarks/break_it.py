"""Switches that matter, measured again: each on fifty draws of its recipe, against what is said of it.

    python -m benchmarks.break_it              50 draws each: some minutes
    python -m benchmarks.break_it 6 theta      6 draws of those whose key or recipe contains a word
    python -m benchmarks.break_it --write      and write what was found to sample_data/effects.json
    python -m benchmarks.break_it --seeds      the first draw of each recipe of which all that is said of it holds:
                                               the samples are these, but for the island, which is told by hand

The draws are those on which the statements were made. With all fifty the mean difference has to lie within the
interval said (and .005 for its rounding); with fewer, within three standard errors of the few beside.
"""

from __future__ import annotations

import argparse
import functools
import json
import sys
from pathlib import Path

import numpy as np
from scipy.stats import t as student

from benchmarks.measure import table
from consensus_core import METHODS, Ensemble, scores, solve
from consensus_core.ensemble import MISSING
from sample_data.breaking import BREAKING
from sample_data.breaking_sets import GROUP
from sample_data.data_sets import all_sets
from sample_data.switches import SWITCHES, Side, Switch

FILE = Path(__file__).parents[1] / "sample_data" / "effects.json"
DRAWS = 50
ROUNDING = 0.005  # what is said has two decimals
STRONG = 0.2


@functools.lru_cache(maxsize=512)
def draw(recipe: str, seed: int):
    made = BREAKING[recipe](seed)
    return made, Ensemble.from_labels(made.labels)


@functools.cache
def outcome(recipe: str, seed: int, method: str, params: tuple, fill: str) -> tuple[float, int, bool]:
    """(ARI of what is scored, components or clusters found, whether the method ended with k by itself)."""
    made, ensemble = draw(recipe, seed)
    if fill:
        ensemble = ensemble.filled(fill, seed)
    result = solve(METHODS[method](k=made.k, **dict(params)), ensemble)
    scored = made.truth != MISSING
    return float(scores.ari(result.labels[scored], made.truth[scored])), result.found, result.found == made.k


def measured(switch: Switch, draws: int) -> dict:
    """Everything effects.json says of a switch."""
    tried = range(switch.since, switch.since + draws)
    one, other = (np.array([outcome(switch.recipe, seed, *_asked(side)) for seed in tried])
                  for side in (switch.first, switch.second))  # fmt: skip
    gaps = one[:, 0] - other[:, 0]
    error = gaps.std(ddof=1) / np.sqrt(draws)
    mean, reach = gaps.mean(), error * student.ppf(0.975, draws - 1)
    sign = 1 if switch.said[0] >= 0 else -1
    return {
        "key": switch.key,
        "sample": switch.recipe,
        "name": switch.name,
        "first": _side(switch.recipe, switch.first, one),
        "second": _side(switch.recipe, switch.second, other),
        "difference": _rounded(mean),
        "interval": [_rounded(mean - reach), _rounded(mean + reach)],
        "sign": _rounded(np.mean(sign * gaps > 1e-9)),
        "strong": _rounded(np.mean(sign * gaps >= STRONG)),
        "seeds": [tried[0], tried[-1]],
        "why": switch.why,
        "opposite": switch.opposite,
    }


def _asked(side: Side) -> tuple:
    return side.method, tuple(sorted(side.params.items())), side.fill


def _side(recipe: str, side: Side, found: np.ndarray) -> dict:
    return {
        "method": side.method,
        "params": side.params,
        "fill": side.fill,
        "ari": _rounded(found[:, 0].mean()),
        "found": _rounded(found[:, 1].mean()),
        "exact": _rounded(found[:, 2].mean()),
        "here": _rounded(outcome(recipe, seed_of(recipe), *_asked(side))[0]),
    }


@functools.lru_cache(maxsize=1)
def seeds() -> dict[str, int]:
    return {made.key: made.seed for made in all_sets() if made.group == GROUP}


def seed_of(recipe: str) -> int:
    """The draw that is the sample."""
    return seeds()[recipe]


def _rounded(value) -> float:
    return round(float(value), 3) + 0.0  # no −0


def holds(switch: Switch, found: dict, draws: int) -> bool:
    _, low, high = switch.said
    if draws >= DRAWS:
        return low - ROUNDING <= found["difference"] <= high + ROUNDING
    reach = 3 * (found["interval"][1] - found["interval"][0]) / (2 * student.ppf(0.975, draws - 1))
    return low - ROUNDING - reach <= found["difference"] <= high + ROUNDING + reach


def main(words: list[str]) -> None:
    asked = argparse.ArgumentParser(prog="python -m benchmarks.break_it")
    asked.add_argument("draws", nargs="?", type=int, default=DRAWS)
    asked.add_argument("word", nargs="?", default="")
    asked.add_argument("--write", action="store_true")
    asked.add_argument("--seeds", action="store_true")
    asked = asked.parse_args(words)
    if asked.seeds:
        return fitting()
    wanted = [one for one in SWITCHES if asked.word in f"{one.key} {one.recipe} {one.first.method}"]
    rows, every, missed = [], [], []
    for switch in wanted:
        found = measured(switch, asked.draws)
        every.append(found)
        right = holds(switch, found, asked.draws)
        missed += [] if right else [switch.key]
        rows.append(_row(switch, found, right))
        print(".", end="", flush=True, file=sys.stderr)
    print(file=sys.stderr)
    header = ["switch", "recipe", "first | second", "ARI", "difference", "said", "sign", "≥ .2", "found", ""]
    table(f"Switches on {asked.draws} draws each", header, rows)
    print(
        f"\n{len(wanted) - len(missed)} of {len(wanted)} within what is said."
        + f" Not: {', '.join(missed)}" * bool(missed)
    )
    if asked.write:
        kept = {one["key"]: one for one in json.loads(FILE.read_text(encoding="utf-8"))}
        kept |= {one["key"]: one for one in every}
        found = [kept[switch.key] for switch in SWITCHES]
        FILE.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if missed:
        raise SystemExit(1)


def fitting() -> None:
    for recipe in BREAKING:
        mine = [switch for switch in SWITCHES if switch.recipe == recipe]
        found = next((seed for seed in range(DRAWS) if all(_shows(switch, seed) for switch in mine)), "none")
        print(f"{recipe:15} {found}", flush=True)


def _shows(switch: Switch, seed: int) -> bool:
    """At least half of the mean difference where there is one, little where there is none."""
    one, other = (outcome(switch.recipe, seed, *_asked(side))[0] for side in (switch.first, switch.second))
    mean = switch.said[0]
    return (one - other) * np.sign(mean) >= abs(mean) / 2 if abs(mean) >= 0.1 else abs(one - other) <= 0.1


def _row(switch: Switch, found: dict, right: bool) -> list[str]:
    one, other = found["first"], found["second"]
    low, high = found["interval"]
    said = "{:+.2f} [{:.2f}, {:.2f}]".format(*switch.said)
    return [
        f"{switch.first.method} {switch.key}",
        switch.recipe,
        f"{_words(switch.first)} | {_words(switch.second)}",
        f"{one['ari']:.2f} | {other['ari']:.2f}",
        f"{found['difference']:+.2f} [{low:.2f}, {high:.2f}]",
        said,
        f"{found['sign']:.0%}",
        f"{found['strong']:.0%}",
        f"{one['found']:.1f} | {other['found']:.1f}",
        "" if right else "NOT as said",
    ]


def _words(side: Side) -> str:
    return ", ".join([*(f"{name} {value}" for name, value in side.params.items()), *([side.fill] if side.fill else [])])


if __name__ == "__main__":
    main(sys.argv[1:])
