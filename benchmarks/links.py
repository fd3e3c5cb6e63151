"""A thousand links as a hostile hand would write them, on a live server: no traceback, and nothing kept is touched.

python -m benchmarks.links             1,000 links
python -m benchmarks.links --links 50  fewer
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

from tests.browser.server import Server

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))


def main() -> None:
    from test_parameters import random_link

    from tests.browser.test_any_link import KNOWN_BAD, PAGES, looked_at

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--links", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    rng = random.Random(asked.seed)
    links = [(random_link(rng), rng.choice(PAGES)) for _ in range(asked.links)]
    links += [(link, page) for link in KNOWN_BAD for page in PAGES]
    began = time.perf_counter()
    with Server() as server:
        said = looked_at(server, links, lambda at: at % 100 or print(f"{at} of {len(links)}", flush=True))
    print(
        f"{len(links)} links in {time.perf_counter() - began:.0f} s: no traceback; {said} said in one sentence why not"
    )


if __name__ == "__main__":
    main()
