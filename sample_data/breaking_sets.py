"""The recipes on which a switch matters as samples: one draw each, its story and what to try on it."""

from __future__ import annotations

import numpy as np
import pandas as pd

from consensus_core.ensemble import MISSING
from sample_data.breaking import BREAKING
from sample_data.data_set import FREE, OURS, DataSet, counted_from_one

KINDS = ("ash", "birch", "cedar", "oak")
GROUP = "breaking"


def breaking(key, seed, title, recipe, teaches, *, truth=KINDS, column="sorter", scored=("eac", "lwea")) -> DataSet:
    """`seed`: not the luckiest, but one of which what is said of the recipe holds (benchmarks/break_it.py, --seeds)."""
    draw = BREAKING[key](seed)
    points = draw.X is not None
    columns = [f"{'k-means' if points else column} {j}" for j in range(1, draw.labels.shape[1] + 1)]
    table = pd.DataFrame(counted_from_one(draw.labels), columns=columns)
    return DataSet(
        key=key,
        title=title,
        k=draw.k,
        labels=lambda _: table,
        seed=seed,
        features=pd.DataFrame(np.round(draw.X, 4), columns=["x", "y"]) if points else None,
        truth=np.array([truth[t] if t != MISSING else "" for t in draw.truth]),
        recipe=recipe,
        origin=OURS + ", so that a switch is seen to matter",
        licence=FREE,
        teaches=teaches,
        scored=scored,
        group=GROUP,
    )


def island():
    return breaking(
        "island", 4, "Island", "k-means, k drawn from 2 to 15",
        "A disc inside a ring, and a number that decides: at θ = .2 SPCE sees both, at .5 a third of the ring goes "
        "with "
        "the disc. Can you repair it without touching θ? The place to begin.", truth=("disc", "ring"),
    )  # fmt: skip


def stories() -> list[DataSet]:
    """All but the island, which stands first of all samples."""
    return [
        breaking(
            "lazy", 2, "Four lazy sorters", "six guess a fifth of 120 leaves; four put nine of ten on one pile",
            "Six careful sorters and four lazy ones, who put nine of ten leaves on one pile: nearly every pair is "
            "together somewhere. Nearly every method has a switch that decides whether that counts.",
        ),
        breaking(
            "half", 0, "Half guessed", "ten sorters, each guesses half of 120 leaves",
            "Ten sorters who guess half of the time. The signal is there, but thin: what cuts a little too much leaves "
            "single leaves, what cuts a little too little leaves one pile.",
        ),
        breaking(
            "riddle", 0, "A riddle to all", "ten sorters; three leaves of ten are guessed by all, the others rarely",
            "Three leaves of ten are a riddle to everybody and have no right answer; they are not scored. Object "
            "weights are made for this: look whether they change anything.",
        ),
        breaking(
            "copied", 1, "Copied sheets", "six guess a fifth of 120 leaves; three have copied one wrong sheet",
            "Six honest sheets and three copies of a wrong one. Weights that are learned from agreement take the "
            "copies "
            "for the most trustworthy of all.",
        ),
        breaking(
            "copied_unsure", 0, "Copied sheets, unsure others", "seven guess three of ten leaves; three have copied",
            "As copied sheets, but the seven honest ones are less sure: now local weighting, too, believes the copies.",
        ),
        breaking(
            "coins", 0, "Three who know", "three guess a tenth of 120 leaves; seventeen throw a coin for each",
            "Three sorters know, seventeen toss coins. Here the same learned weights that fall for copies find the "
            "three who agree.",
        ),
        breaking(
            "coins_few", 0, "Three who half know", "three guess a fifth of 120 leaves; twelve throw a coin for each",
            "Three sorters who guess a fifth against twelve coins: the price of noise λ and the price ρ of too many "
            "components decide together.",
        ),
        breaking(
            "lots", 0, "Two who know", "two guess a tenth of 120 leaves; eight draw lots for one of eight piles",
            "Two know, eight draw lots. Graph weights matter only where λ is so high that the run takes long to cut.",
        ),
        breaking(
            "two_piles", 1, "Two or three piles", "ten sorters who twice put two of their piles together",
            "Everyone throws kinds together until two or three piles are left, each others: what is together in "
            "half of "
            "the sheets is not sure at all.",
        ),
        breaking(
            "uneven", 4, "One big, three small", "k-means, k drawn from 2 to 14",
            "One large loose group and three small tight ones. k-means cuts the large one up; what is spread along "
            "sure "
            "pairs can put it together again.", truth=("big", "east", "north", "west"),
        ),
        breaking(
            "even", 0, "Four alike", "k-means, k drawn from 2 to 14",
            "Four round groups of fifty: easy, until the term that asks for four components is switched off.",
            truth=("east", "north", "west", "south"),
        ),
        breaking(
            "many", 0, "Many small clusters", "k-means, k drawn from 16 to 30",
            "Four round groups, cut into sixteen to thirty pieces each time: most pairs of one group are never "
            "together, and complete linkage asks that of all.", truth=("east", "north", "west", "south"),
        ),
        breaking(
            "big_island", 0, "Big island", "k-means, k drawn from 2 to 15",
            "The island with a hundred points inside and a hundred and forty around: the weights of hyperedges decide.",
            truth=("disc", "ring"),
        ),
        breaking(
            "dust", 0, "Dust", "k-means, k drawn from 2 to 15",
            "Three groups and eighty stray points, which are not scored: stepping stones for single linkage.",
            truth=("one", "two", "three"),
        ),
        breaking(
            "holes", 0, "Three kinds unseen", "ten sorters who each know one kind of four; one leaf in ten is guessed",
            "Each sorter labels one kind of leaf only, or nearly: filled like their nearest rows the gaps lie. See how "
            "PCE leaves them out at the start.", scored=("eac",),
        ),
        breaking(
            "holes_random", 0, "Seven of ten unseen", "ten sorters, 70% of the labels missing at random",
            "Seven labels of ten are missing at random. Fill them at random, and the noise decides; leave them out, "
            "and "
            "three of ten are enough.", scored=("eac",),
        ),
        breaking(
            "holes_window", 0, "A window each", "ten sorters, each sees a fifth of a list that is in order of kinds",
            "Each sorter sees a stretch of the list: most pairs were never seen together. Not seen together is not "
            "apart.", scored=("eac",),
        ),
    ]  # fmt: skip
