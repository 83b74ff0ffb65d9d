"""Time and memory of ``metaphrase score`` as the corpus grows: time linear, memory flat.

``python -m benchmarks.streaming [SEGMENTS…]`` (default: 10,000 100,000 1,000,000). Two files of made-up
sentences are written for each size; a tenth of their words occur only once, as names and numbers do in
real text, so that anything that remembers words would show.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.real_text import EXAMPLES

SIZES = (10_000, 100_000, 1_000_000)
SCORE = """
import re, resource, sys
from metaphrase.cli import main
code = main(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_SELF)
# Not ru_maxrss, which a process inherits from the one that started it.
peak = re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]
print(used.ru_utime + used.ru_stime, peak, file=sys.stderr)
sys.exit(code)
"""


def write_corpus(folder: Path, segments: int) -> tuple[Path, Path]:
    words = [word for file in sorted(EXAMPLES.glob("*.txt")) for word in file.read_text().split()]
    chance = random.Random(2010)
    paths = folder / "reference.txt", folder / "hypothesis.txt"
    with paths[0].open("w") as references, paths[1].open("w") as hypotheses:
        for number in range(segments):
            reference = chance.choices(words, k=chance.randint(8, 30))
            reference[::10] = (f"N{number}x{k}" for k in range(len(reference[::10])))
            hypothesis = [word for word in reference if chance.random() > 0.2]
            references.write(" ".join(reference) + "\n")
            hypotheses.write(" ".join(hypothesis) + "\n")
    return paths


def measure(segments: int) -> tuple[float, float]:
    """CPU seconds and the largest resident memory in MB of scoring a corpus of that size."""
    with tempfile.TemporaryDirectory() as folder:
        reference, hypothesis = write_corpus(Path(folder), segments)
        arguments = ["score", str(reference), "-i", str(hypothesis), "-m", "tesla-m"]
        done = subprocess.run(
            [sys.executable, "-c", SCORE, *arguments, "--threads", "1"],
            check=True,
            capture_output=True,
            text=True,
            env=os.environ | {"METAPHRASE_DEBUG": "1"},
        )
    seconds, kilobytes = done.stderr.split()[-2:]
    return float(seconds), int(kilobytes) / 1024


def main() -> None:
    sizes = [int(size.replace(",", "")) for size in sys.argv[1:]] or list(SIZES)
    table = Table("segments", "CPU, s", "µs a segment", "peak memory, MB", title="Streamed scoring")
    for size in sizes:
        seconds, megabytes = measure(size)
        table.add_row(
            f"{size:,}", f"{seconds:.1f}", f"{seconds / size * 1e6:.1f}", f"{megabytes:.0f}"
        )
    Console().print(table)


if __name__ == "__main__":
    main()
