"""Runs kernels against their oracles on random bytes: ``python -m fuzz.kernels [SECONDS [NAME …]]``."""

from __future__ import annotations

import sys
import time
from random import Random

from fuzz.kernels import TARGETS

#: Bytes of a case, at most: short ones end where the case has to go on, and say nothing.
LONGEST = 4096


def main() -> int:
    """Say of each kernel how many cases agreed, or the bytes of the first that did not."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    names = sys.argv[2:] or list(TARGETS)
    failed = 0
    for name in names:
        target, chance = TARGETS[name], Random(name)
        target(b"")  # whatever is loaded for the first case
        start, cases = time.monotonic(), 0
        while time.monotonic() - start < seconds:
            data = chance.randbytes(chance.randrange(LONGEST))
            try:
                target(data)
            except Exception as error:
                print(f"{name}: {type(error).__name__} {error}, bytes {data.hex()}")
                failed += 1
                break
            cases += 1
        print(
            f"{name}: {cases:,} cases, {cases / (time.monotonic() - start):,.0f} a second",
            flush=True,
        )
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
