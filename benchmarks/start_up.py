"""What a user waits for before the first number: import, first score, command line.

``python -m benchmarks.start_up``. Each line is a process of its own; seconds are CPU time of the process
tree, medians over rounds in which all lines take turns.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from statistics import median

from rich.console import Console
from rich.table import Table

from benchmarks.real_text import EXAMPLES

ROUNDS = 9
FIRST_SCORE = "import metaphrase; metaphrase.TeslaM().sentence_score('A cat.', ['The cat.'])"
COMMANDS = {
    "python alone": ["-c", "pass"],
    "import numpy": ["-c", "import numpy"],
    "import sacrebleu": ["-c", "import sacrebleu"],
    "import metaphrase": ["-c", "import metaphrase"],
    "first TESLA-M score": ["-c", FIRST_SCORE],
    "metaphrase --version": ["-m", "metaphrase", "--version"],
    "metaphrase score -m tesla-m": [
        *("-m", "metaphrase", "score", str(EXAMPLES / "reference.txt")),
        *("-i", str(EXAMPLES / "system-a.txt"), "-m", "tesla-m"),
    ],
}


def cpu_seconds(arguments: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    samples: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(ROUNDS):
        for name, arguments in COMMANDS.items():
            samples[name].append(cpu_seconds(arguments))
    table = Table("process", "median, s", "beyond python alone, s", title="Start-up")
    alone = median(samples["python alone"])
    for name, seconds in samples.items():
        table.add_row(name, f"{median(seconds):.3f}", f"{median(seconds) - alone:.3f}")
    Console().print(table)


if __name__ == "__main__":
    main()
