"""Every deliberately bad file of the tests, with the sentence a person gets for it.

python -m benchmarks.bad_files
"""

import sys
from collections import Counter
from pathlib import Path

from consensus_core.errors import InputError
from consensus_core.reading import read

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from bad_files import bad_files


def sentence(bad) -> str:
    """What reading the file says; for a table of features also what asking for the numbers says."""
    try:
        reading = read(bad.data, bad.name, bad.choices, **bad.limits)
        reading.features() if reading.kind == "features" else reading.ensemble()
    except InputError as fault:
        return str(fault)
    return f"NO FAULT FOUND: {reading.kind}, {reading.frame.shape}"


def main():
    for bad in bad_files():
        print(f"{bad.kind:<26} {sentence(bad)}")
    kinds = Counter(bad.kind for bad in bad_files())
    print(f"\n{len(bad_files())} files of {len(kinds)} kinds")


if __name__ == "__main__":
    main()
