"""What a report says, part by part; each takes what is told and gives HTML."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np

from .. import scores, trust
from ..data.advice import advised
from ..data.exports import run_record
from ..data.oddities import portrait
from ..data.record import as_called
from ..data.script import program
from ..data.sheets import displayed, sheet
from ..drawing import paper
from ..drawing.kinds import curves as scalars
from ..ensemble import Ensemble
from ..ensemble.truth import truth_codes
from ..method import Matrix, Quantity, Weights, solve, stopped_because
from ..method.settings import settings_in_words, value_in_words
from ..numbers import about_seconds, counted, finite, number
from ..partition import linkage
from ..similarity import coassociation
from ..text import html, visible
from ..trust.agreement import cost as panel_cost
from .citing import paragraph, references
from .marks import STYLE, code, figure, figures, listed, table, words
from .told import Told, timed, within

MOST_MATRICES = 4
MOST_ROWS = 40  # of a table
UNSURE = 12  # objects that are named
DRAWS, SHARE = 10, 0.8  # how often base clusterings are drawn again, and how many of them each time
MOST_TREE = 3000  # distinct rows of which a tree is made


def summary(told: Told) -> str:
    data, method, ensemble = told.data, told.method, told.ensemble
    because, answer = _ending(told)
    found = method.found(ensemble, told.step.state)
    made = (
        f"{method.name()} ({settings_in_words(method)}) put {counted(ensemble.n, 'object')} of {data.title} into "
        f"{counted(len(told.there), 'cluster')}, from {counted(ensemble.m, 'base clustering')}. {because}"
    )
    if told.k > len(told.there):
        made += f" Of the {counted(told.k, 'cluster')} it came to some were merged by hand."
    alike = scores.headline(ensemble, told.labels)
    scored = ", ".join(f"{name} {number(value)}" for name, value in alike.items())
    against = "with the truth given" if ensemble.truth is not None else "with the base clusterings (mean NMI)"
    says = words(made, f"{scored} {against}; mean certainty {number(_mean(told, told.sure.margin))}.")
    warnings = _warnings(told, answer, found)
    head = f'<div class="box">{says}</div>'
    if warnings:
        return f'{head}<div class="box warn"><h3>Warnings</h3>{listed(warnings)}</div>'
    return f"{head}<p>Nothing to warn of was found.</p>"


def _warnings(told: Told, answer: bool, found: int) -> list[str]:
    method, ensemble = told.method, told.ensemble
    said = list(method.remarks(ensemble, told.step.state))
    if not answer:
        said.append(f"The run has not come to an answer: {_ending(told)[0]}")
    if not told.step.stop:
        said.append(f"This is iteration {told.step.iteration:,}, before the end of the run.")
    if found != told.k and not said:
        said.append(f"The method itself ended with {counted(found, 'cluster')}.")
    if told.filling:
        said.append(f"Missing labels were filled ({told.filling}): part of what is shown is a guess.")
    return [*said, *portrait(ensemble).odd]


def _ending(told: Told) -> tuple[str, bool]:
    if not told.step.stop:
        return f"Looked at in iteration {told.step.iteration:,}.", True
    return stopped_because(told.method, told.step, told.method.found(told.ensemble, told.step.state))


def the_data(told: Told) -> str:
    data, seen = told.data, portrait(told.ensemble)
    rows = [
        ["objects", f"{seen.n:,}"],
        ["base clusterings", f"{seen.m:,}"],
        ["distinct rows of labels", f"{seen.q:,} ({number(100 * seen.q / seen.n)} % of the objects)"],
        ["clusters in each", f"{seen.k_each.min():,} to {seen.k_each.max():,}"],
        ["missing labels", f"{number(100 * seen.missing)} %"],
        ["agreement of two of them", f"NMI {number(seen.mean_nmi)}, ARI {number(seen.mean_ari)} on average"],
        ["ids, truth", f"{data.id_name or 'none'}, {data.truth_name or 'none'}"],
    ]
    if made := told.generation:
        rows.append(["made from features", f"{made.recipe}, m = {made.m}, seed {made.seed}, {made.scaling}"])
    every = range(seen.m) if seen.m <= MOST_ROWS else np.argsort(seen.nmi_with_others)[:MOST_ROWS]
    each = [
        [visible(told.ensemble.names[i], 60), f"{seen.k_each[i]:,}", f"{number(100 * seen.missing_each[i])} %",
         number(seen.nmi_with_others[i])]
        for i in every
    ]  # fmt: skip
    least = "" if len(each) == seen.m else f", the {MOST_ROWS} that agree least of {seen.m:,}"
    odd = listed(seen.odd) if seen.odd else "<p>Nothing odd was found.</p>"
    read = f"<h3>How the file was read</h3>{listed([*data.because, *data.notes])}" if data.because or data.notes else ""
    drawn = figures(
        figure(
            lambda: paper.tracks(told.step, STYLE, "Consensus and base clusterings", clusters=told.clusters),
            "Each column is a clustering, each row an object; a column that looks torn disagrees with the consensus.",
            f"paper.tracks(step{_called(told)})",
        ),
        figure(
            lambda: paper.bars(
                seen.nmi_with_others, told.ensemble.names, STYLE, "Agreement with the others", "mean NMI"
            ),
            "A base clustering far below the others is a stranger: see whether the consensus is better without it.",
            "paper.bars(portrait(data.ensemble).nmi_with_others, data.ensemble.names)",
        ),
    )
    return (
        table("What there is", ["what", "how much"], rows)
        + f"<h3>What is odd</h3>{odd}{read}{drawn}"
        + table(f"Base clusterings{least}", ["name", "clusters", "missing", "NMI with the others"], each, (1, 2, 3))
    )


def the_method(told: Told) -> str:
    method = told.method
    found = sheet(type(method))
    said = [f"<p><strong>{html(method.name())}</strong>, {html(method.title)}. {html(method.reference)}</p>"]
    for text in (found.summary, *found.problem):
        lines = displayed(text)
        said.append(code(lines, "The problem") if lines else words(text))
    rows = [
        [
            dial.title,
            value_in_words(getattr(method, dial.name)),
            "wanted" if dial.required else value_in_words(dial.default),
            dial.meaning,
        ]
        for dial in method.params()
    ]
    said.append(table("Settings", ["dial", "value", "default", "what it does"], rows))
    said.append("<h3>Equations</h3><p>Each is what the program computes.</p>")
    for one in method.equations().values():
        said.append(f"<p><strong>{html(one.letter)}</strong>, {html(one.meaning)} {html(one.number)}</p>")
        for case, formula in one.formulas.items():
            left = "" if formula.is_condition else f"<mi>{html(one.letter)}</mi><mo>=</mo>"
            when = f" <span>({html(case)})</span>" if case else ""
            math = f'<math displaystyle="true"><mrow>{left}{formula.mathml()}</mrow></math>'
            said.append(
                f'<div class="equation" tabindex="0" role="group" aria-label="{html(one.meaning)}">{math}{when}</div>'
            )
    return "".join(said)


def the_run(told: Told) -> str:
    method, history, at = told.method, told.history, told.step.iteration
    course, terms = history.objective[: at + 1], {name: v[: at + 1] for name, v in history.terms.items()}
    gone = "[s.{} for s in iterate(step.run.method, data.ensemble) if s.iteration <= step.iteration]"
    drawn = []
    if len(course) > 2:  # of one step there is no course
        drawn.append(
            figure(
                lambda: paper.curves({"objective": course}, STYLE, "Objective", y="objective"),
                f"The objective over the iterations. {_ending(told)[0]}",
                f"paper.curves({{'objective': {gone.format('objective')}}})",
            )
        )
    if len(terms) > 1 and len(course) > 2:
        drawn.append(
            figure(
                lambda: paper.curves(terms, STYLE, "Terms of the objective", y="value"),
                "Their sum is the objective: which of them gives way to which.",
                f"paper.curves({{name: [t[name] for t in {gone.format('terms')}] for name in step.terms}})",
            )
        )
    for quantity in scalars(method):
        values = history.scalars.get(quantity.name, [])[: at + 1]
        if len(values) > 2:
            drawn.append(
                figure(
                    lambda q=quantity, v=values: paper.curves({q.letter: v}, STYLE, q.meaning, y=q.letter, log=q.log),
                    f"{quantity.letter}, {quantity.meaning}, over the iterations.",
                    f"paper.curves({{{quantity.letter!r}: {gone.format(f'value({quantity.name!r})')}}})",
                )
            )
    drawn += _pictures(told)
    return words(f"Objective {number(told.step.objective)} at iteration {at:,}. {_ending(told)[0]}") + figures(*drawn)


def _pictures(told: Told) -> list[str]:
    """Every quantity of the last step that has a picture: matrices first, those that are asked for seldom last."""
    quantities = told.method.quantities()
    matrices = [
        q
        for q in sorted(quantities, key=lambda q: q.minor)
        if q.kind is Matrix and q.axes == ("object", "object") and told.step.value(q.name) is not None
    ]
    drawn = [_matrix(told, quantity) for quantity in matrices[:MOST_MATRICES]]
    drawn += [_bars(told, q) for q in quantities if q.kind is Weights and q.axes == ("clustering",)]
    if left_out := [quantity.letter for quantity in matrices[MOST_MATRICES:]]:
        drawn.append(f"<p>Not drawn for room: {html(', '.join(left_out))}; paper.heatmap(step, name) draws them.</p>")
    return drawn


def _matrix(told: Told, quantity: Quantity) -> str:
    return figure(
        lambda: paper.heatmap(
            told.step,
            quantity.name,
            STYLE,
            f"{quantity.letter}: {quantity.meaning}",
            order="consensus",
            dendrogram=False,
            clusters=told.clusters,
        ),
        f"{quantity.letter}, {quantity.meaning}: objects against objects by cluster. Blocks on the diagonal are "
        "clusters; what shines outside of them ties clusters together.",
        f"paper.heatmap(step, {quantity.name!r}, order='consensus', dendrogram=False{_called(told)})",
    )


def _bars(told: Told, quantity: Quantity) -> str:
    """Whether much is good or bad, its meaning says: a weight by which is divided is small where a clustering fits."""
    values = lambda: np.asarray(told.step.value(quantity.name), dtype=float)  # noqa: E731
    return figure(
        lambda: paper.bars(values(), told.ensemble.names, STYLE, quantity.meaning, quantity.letter),
        f"{quantity.letter}, {quantity.meaning}: a bar a base clustering; one unlike the others is worth a look.",
        f"paper.bars(step.value({quantity.name!r}), data.ensemble.names)",
    )


def the_clusters(told: Told) -> str:
    ensemble, data = told.ensemble, told.data
    sizes = np.bincount(told.labels, weights=ensemble.counts, minlength=told.k).astype(int)
    sure = np.bincount(told.labels, weights=ensemble.counts * told.sure.margin, minlength=told.k) / np.maximum(sizes, 1)
    truth = _mostly(told) if ensemble.truth is not None else [""] * told.k
    shown, colours = told.there[:MOST_ROWS], replace(STYLE, own=told.clusters.colours)
    rows = [[told.cluster_name(c), f"{sizes[c]:,}", number(float(sure[c])), truth[c]] for c in shown]
    head = ["cluster", "objects", "mean certainty", "mostly (truth)" if ensemble.truth is not None else ""]
    rows = rows if ensemble.truth is not None else [row[:3] for row in rows]
    names = [told.cluster_name(c) for c in told.there]
    line = "paper.bars(np.bincount(step.labels), range(1, step.labels.max() + 2))"
    if told.clusters:
        line = (
            "there, sizes = np.unique(clusters.applied(step.labels), return_counts=True); "
            "paper.bars(sizes, [clusters.name(label) for label in there])"
        )
    drawn = figures(
        figure(
            lambda: paper.bars(sizes[told.there], names, colours, "Sizes of the clusters", "objects", told.there),
            "How many objects each cluster has; one that has nearly all is a bad sign.",
            line,
        ),
        figure(
            lambda: paper.object_map(
                ensemble, told.own, data.features, STYLE, "Map of the objects", clusters=told.clusters
            ),
            "Objects where their features, or without them the base clusterings, put them, coloured by cluster.",
            "paper.object_map(data.ensemble, step.run.method.labels(data.ensemble, step.state), data.features"
            f"{_called(told)})",
        ),
    )
    most = "" if len(told.there) <= MOST_ROWS else f", the first {MOST_ROWS} of {len(told.there):,}"
    return table(f"Clusters{most}", head[: len(rows[0])], rows, (1, 2)) + drawn


def _mostly(told: Told) -> list[str]:
    truth, names = truth_codes(told.ensemble)
    mine, found = told.ensemble.expand(told.labels), []
    for c in range(told.k):
        here = truth[(mine == c) & (truth >= 0)]
        most = np.bincount(here, minlength=max(len(names), 1))
        share = f"{visible(names[most.argmax()], 40)} ({number(100 * most.max() / len(here))} %)" if len(here) else "–"
        found.append(share)
    return found


def how_many(told: Told) -> str:
    """The number of clusters, and whether the result would stand under other base clusterings."""
    said = [words(told.data.k_why)]
    q = told.ensemble.q
    if 3 < q <= MOST_TREE:
        tree = linkage(coassociation(told.ensemble), told.ensemble.counts)
        lives = tree.lifetimes()[: max(12, told.k + 4) - 1]
        ks = [str(k) for k in range(2, 2 + len(lives))]
        said.append(
            figures(
                figure(
                    lambda: paper.bars(lives, ks, STYLE, "How long each number of clusters lasts", "range of heights"),
                    "Average linkage of the co-association cut ever lower: a number that lasts long is marked by the "
                    "base clusterings. It is a hint; no rule tried reads the number of clusters off reliably.",
                    "lives = linkage(coassociation(data.ensemble), data.ensemble.counts).lifetimes()[:11]; "
                    "paper.bars(lives, range(2, 2 + len(lives)))",
                )
            )
        )
    said += [_agreement(told), _stability(told)]
    return "".join(said)


def _agreement(told: Told) -> str:
    needs = panel_cost(told.ensemble, told.k).seconds
    if told.k < 2 or not within(told, needs):
        return words(f"Whether sound methods agree was left out: it would take {about_seconds(needs)}.")
    found = trust.agreement(told.ensemble, told.k)
    return words(
        f"Do sound methods agree? {found.level.capitalize()}: mean ARI {number(found.value)} between "
        f"{', '.join(found.names)}. {found.meaning}",
        f"{found.odd} differs from the two others." if found.odd else "",
    )


def _stability(told: Told) -> str:
    ensemble, method = told.ensemble, told.method
    keep = max(1, round(SHARE * ensemble.m))
    if ensemble.m < 4:
        return words("With fewer than four base clusterings stability cannot be tried by leaving some out.")
    once = max(method.cost(ensemble).seconds, 1e-3)
    if not within(told, 3 * once):
        return words(
            f"Stability was left out: one run takes {about_seconds(once)}. In Python: solve the method on "
            "ensembles of some of the base clusterings, and give their labels to consensus_core.trust.stable."
        )
    rng = np.random.default_rng(0)
    draws = [np.sort(rng.choice(ensemble.m, keep, replace=False)) for _ in range(DRAWS)]
    mine = ensemble.expand(told.own)

    def again(columns) -> np.ndarray:
        return solve(method, Ensemble.from_labels(ensemble.labels()[:, columns])).labels

    others = timed(again, told.budget, draws)
    found = trust.stable(mine, others)
    rows = [[f"{c + 1}", number(float(value))] for c, value in enumerate(found.clusters[:MOST_ROWS])]
    return words(
        f"How stable? With {keep} of {ensemble.m} base clusterings drawn at random, {counted(len(others), 'time')}, "
        f"the result moves by 1 − ARI = {number(float(found.changes.mean()))} on average (at most "
        f"{number(float(found.changes.max()))}). Stability says how much hangs on the draw, not whether it is true."
    ) + table("Stability of each cluster (1: nothing moves)", ["cluster", "element-centric similarity"], rows, (1,))


def certain(told: Told) -> str:
    margin, ensemble = told.ensemble.expand(told.sure.margin), told.ensemble
    order = np.argsort(margin, kind="stable")
    mine, second = ensemble.expand(told.labels), ensemble.expand(told.sure.second)
    rows = [
        [told.object_name(i), told.cluster_name(mine[i]), told.cluster_name(second[i]), number(float(margin[i]))]
        for i in order[:UNSURE]
    ]
    shown = margin[order[np.linspace(0, len(order) - 1, min(len(order), 500)).round().astype(int)]]
    share = np.linspace(0, 100, len(shown))
    drawn = figures(
        figure(
            lambda: paper.curves({"certainty": shown}, STYLE, "Certainty of the objects", x="% of the objects",
                                 y="certainty", along=share),
            "Objects from the least to the most certain. Certainty: how much more of the base clusterings put an "
            "object with its own cluster than with any other; below 0 it would rather be elsewhere.",
            "paper.curves({'certainty': np.sort(data.ensemble.expand(certainty(data.ensemble, "
            "step.run.method.labels(data.ensemble, step.state)).margin))}, x='objects')",
        )
    )  # fmt: skip
    doubtful = int((margin < 0).sum())
    head = ["object", "cluster", "second choice", "certainty"]
    words_ = words(f"{counted(doubtful, 'object')} would rather be in another cluster (certainty below 0).")
    return words_ + drawn + table(f"The {len(rows)} least certain objects", head, rows, (1, 2, 3))


def compared(told: Told) -> str:
    if told.comparison is None:
        key, because = advised(told.ensemble, told.k)
        return words(
            "No other method was run for this report. On the page Compare, or by quorum report --compare eac lwea, "
            f"others stand beside it here. ({key} is advised for these data: {because})"
        )
    found = told.comparison.table()
    numbers = [i for i, column in enumerate(found.columns) if column.kind != "text"]
    return table(found.title, [column.title for column in found.columns], found.cells(), numbers) + words(*found.notes)


def to_cite(told: Told) -> str:
    return (
        "<p>To paste into a paper, and to correct:</p>"
        f'<div class="box">{words(paragraph(told))}</div><h3>References</h3>{listed(references(told))}'
    )


def record(told: Told) -> str:
    found = run_record(
        told.step,
        told.data.origin,
        told.history.objective[: told.step.iteration + 1],
        scores={name: finite(value) for name, value in scores.headline(told.ensemble, told.own).items()},
        **as_called(told.clusters),
    )
    text = json.dumps(found, indent=1, allow_nan=False)
    shown = f"<details><summary>Show it</summary>{code(text, 'Record')}</details>"
    return f"<p>Everything needed to do it again, and to check it.</p>{shown}"


def the_script(told: Told) -> str:
    return (
        "<p>It gives the same labels. The lines under the figures go on from it, after "
        "<code>from consensus_core.report.lines import *</code>.</p>"
    ) + code(program(told.data.origin, told.data.title, told.step, told.clusters), "The same in Python")


PARTS = [
    ("In short", summary),
    ("The data", the_data),
    ("The method", the_method),
    ("The run", the_run),
    ("The clusters", the_clusters),
    ("How many, and how stable", how_many),
    ("How certain", certain),
    ("Compared", compared),
    ("For a paper", to_cite),
    ("The record", record),
    ("The same in Python", the_script),
]


def _called(told: Told) -> str:
    """In a line that goes on from the script."""
    return ", clusters=clusters" if told.clusters else ""


def _mean(told: Told, values: np.ndarray) -> float:
    return float(told.ensemble.counts @ values / told.ensemble.n)
