"""How methods stand among each other on the pools at hand: ARI with the classes, and from it their average rank.

    python -m benchmarks.ranks                     what is not measured yet; the rest is kept
    python -m benchmarks.ranks --anew lwea eac     these once more
    python -m benchmarks.ranks --show              the table alone

Each method as it stands, with its defaults, and k the number of classes; on the first draws of twenty base clusterings
of the published protocol. What is measured is kept in `consensus_core/methods/measured.json`, with how; ranks are
computed from it where they are shown, and change with every method and every pool that is added.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path

import numpy as np
from scipy.io import loadmat

from benchmarks.measure import table
from consensus_core import METHODS, Ensemble, solve
from consensus_core.data.standing import MEASURED, standing
from consensus_core.scores import ari

SHARED = Path(os.environ.get("QUORUM_SHARED", Path(__file__).resolve().parents[2] / "shared"))
POOLS = ("Lung", "Ecoli", "Aggregation", "UMIST")
DRAWS = 2
ABOUT = {
    "command": "python -m benchmarks.ranks",
    "score": "adjusted Rand index with the classes, defaults, k = number of classes",
    "draws": f"the first {DRAWS} draws of 20 of 100 base clusterings by the EC-CMS paper's protocol",
    "pools": list(POOLS),
}


def draws():
    stream = np.random.RandomState(1)
    return [np.argsort(stream.random_sample(100))[:20] for _ in range(DRAWS)]


def measured(key: str) -> dict[str, list[float]]:
    found, began = {}, time.process_time()
    for name in POOLS:
        file = loadmat(SHARED / "pools" / f"{name}.mat")
        members, truth = np.asarray(file["members"], dtype=np.int64), np.asarray(file["gt"]).ravel()
        method = METHODS[key](k=len(np.unique(truth)))
        labels = [solve(method, Ensemble.from_labels(members[:, draw])).labels for draw in draws()]
        found[name] = [round(float(ari(one, truth)), 6) for one in labels]
    found["seconds"] = [round(time.process_time() - began, 2)]
    return found


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--anew", nargs="*", default=[], metavar="KEY")
    asked.add_argument("--show", action="store_true")
    options = asked.parse_args()
    if not (SHARED / "pools").is_dir():
        raise SystemExit(
            f"What methods are measured on is not there: {SHARED / 'pools'} (or where QUORUM_SHARED points)."
        )
    lung = Ensemble.from_labels(loadmat(SHARED / "pools" / "Lung.mat")["members"][:, :20].astype(np.int64))
    quick_first = sorted(METHODS, key=lambda key: METHODS[key](k=5).cost(lung).seconds)
    for key in [] if options.show else quick_first:
        kept = json.loads(MEASURED.read_text()) if MEASURED.exists() else {"about": ABOUT, "ari": {}, "seconds": {}}
        if key in kept["ari"] and key not in options.anew:
            continue
        found = measured(key)
        kept["seconds"][key] = found.pop("seconds")[0]
        kept["ari"][key] = found
        kept["about"] = ABOUT | {"measured": time.strftime("%Y-%m-%d", time.gmtime())}
        for part in ("ari", "seconds"):
            kept[part] = dict(sorted(kept[part].items()))
        MEASURED.write_text(json.dumps(kept, indent=1) + "\n")
        print(f"{key}: {np.mean(list(found.values())):.3f}", flush=True)
    standings = sorted(((standing(key), key) for key in METHODS if standing(key)), key=lambda one: one[0].rank)
    rows = [[key, f"{one.rank:.1f}", *(f"{one.ari[name]:.3f}" for name in POOLS)] for one, key in standings]
    table("ARI, mean of the draws, and average rank", ["method", "rank", *POOLS], rows)


if __name__ == "__main__":
    main()
