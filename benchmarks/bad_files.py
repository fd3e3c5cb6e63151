"""Every deliberately bad file of the tests with the sentence a person gets for it; or files mutated at random.

python -m benchmarks.bad_files              the sentences
python -m benchmarks.bad_files 20000        so many mutated files (and a seed, if one is given behind it)
"""

import sys
import time
from collections import Counter
from pathlib import Path

from consensus_core.errors import InputError
from consensus_core.reading import read

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from bad_files import bad_files
from mutated_files import mutated, seeds, sentence_of


def sentence(bad) -> str:
    """What reading the file says; for a table of features also what asking for the numbers says."""
    try:
        reading = read(bad.data, bad.name, bad.choices, **bad.limits)
        reading.features() if reading.kind == "features" else reading.ensemble()
    except InputError as fault:
        return str(fault)
    return f"NO FAULT FOUND: {reading.kind}, {reading.frame.shape}"


def sentences() -> None:
    for bad in bad_files():
        print(f"{bad.kind:<26} {sentence(bad)}")
    kinds = Counter(bad.kind for bad in bad_files())
    print(f"\n{len(bad_files())} files of {len(kinds)} kinds")


def mutations(count: int, seed: int) -> bool:
    """Whether nothing but our own sentences came out; what else came is printed with what makes it come again."""
    began, refused, foreign, slowest = time.monotonic(), 0, [], 0.0
    for number in range(count):
        name, content = mutated(number, seed)
        start = time.process_time()
        try:
            refused += bool(sentence_of(name, content))
        except Exception as trouble:
            foreign.append(f"mutated({number}, {seed}) as {name}: {type(trouble).__name__}: {trouble}")
        slowest = max(slowest, time.process_time() - start)
    print(
        f"{count:,} mutated files from {len(set(seeds()))}, seed {seed}: {refused:,} refused in a sentence, "
        f"{count - refused - len(foreign):,} read, {len(foreign):,} foreign exceptions, slowest {slowest:.1f} s, "
        f"{time.monotonic() - began:.0f} s in all"
    )
    print("\n".join(foreign))
    return not foreign


if __name__ == "__main__":
    if len(sys.argv) == 1:
        sentences()
    else:
        asked = [int(number) for number in sys.argv[1:3]]
        sys.exit(not mutations(asked[0], asked[1] if len(asked) > 1 else 0))
