"""The README of this folder, written from the same entries as samples.json."""

from __future__ import annotations

HEAD = """# Samples

Small data sets and ensembles to try things on; the dashboard offers each in one click and
`consensus_core.data.samples.load("shapes")` gives one in a script. All files here are written by

    python -m sample_data.make_samples

which, run again, writes the same bytes. It keeps data, not only seeds: the files are what counts, whatever a later
version of a library would draw.

* A *features* sample has a table of features and, beside it, twenty ready base clusterings, so that nothing has to be
  computed before something can be seen. A *labels* sample has base labels only.
* In label files a column is a base clustering, an empty cell (or −1) a missing label; `object` holds names, `class`
  the truth where there is one. `.npz` files hold arrays `features`, `labels`, `class`, `feature_names` and `names`.
* **Scores a right program gets** are computed by other people's code (`outside_scores.py`): matrices written out object
  by object, scipy's linkage, scikit-learn's ARI and NMI (arithmetic mean). A score is listed only where equally high
  merges do not matter: shuffled rows give the same clusters. Seeds of base clusterings are the first for which this
  holds; nobody chose them for their scores.
* *Base* is the mean ARI of a single base clustering with the truth, *agreement* that of two base clusterings.
"""


def readme(entries: list[dict]) -> str:
    return HEAD + "".join(map(_section, entries))


def _section(entry: dict) -> str:
    features = f", {entry['p']} features" if entry["p"] else ""
    size = f"{entry['n']:,} objects{features}, {entry['m']} base clusterings, k = {entry['k']}"
    base = "" if entry["base_ari"] is None else f"base {entry['base_ari']:.3f}, "
    lines = [
        f"\n## {entry['title']} (`{entry['key']}`)\n",
        entry["teaches"] + "\n",
        f"* Files: {', '.join(f'`{name}`' for name in dict.fromkeys(entry['files'].values()))}: {size}",
        f"* Base clusterings: {entry['recipe']}; {base}agreement {entry['agreement']:.3f}",
        *(f"* {_score(score)}" for score in entry["scores"]),
        f"* Origin: {entry['origin']}. Licence: {entry['licence']}.",
    ]
    if entry["answer"]:
        lines.insert(4, f"* Answer: {' '.join(map(str, entry['answer']))}")
    return "\n".join(lines) + "\n"


def _score(score: dict) -> str:
    name = score["method"].upper() + (" single" if score["params"].get("linkage") == "single" else "")
    return f"{name}: ARI {score['ari']:.4f}, NMI {score['nmi']:.4f} ({score['how']})"
