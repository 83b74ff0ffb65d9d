"""Our METEOR beside the Java program METEOR 1.5, which people compare with, and where the jar of that is.

``python -m benchmarks.meteor``, with METAPHRASE_DATA set to the directory of the judgements. The jar comes
with ``pip install pycocoevalcap``. The program's start-up is most of a short run, so two numbers are given:
whole runs on 3,000 segments, and the rate of the 9,000 segments by which a run on 12,000 is longer. No pair
of hypothesis and reference comes twice, so that nobody gains by remembering; only without METAPHRASE_DATA
the bundled examples are repeated.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from benchmarks.real_text import read_different_pairs
from metaphrase import create
from metaphrase.lexicon import ParaphraseTable
from metaphrase.lexicon.phrase_trie import phrase_trie

MISSING = (
    "METEOR is not there: it needs Java and `pip install pycocoevalcap`, which carries its jar."
)
SHORT, LONG = 3_000, 12_000
IN_PYTHON = 20_000
#: Of files with hypotheses and references.
Command = Callable[[Path, Path], list[str]]


def meteor_jar() -> Path | None:
    """The jar inside pycocoevalcap, if both it and Java are installed."""
    package = find_spec("pycocoevalcap")
    for place in (package.submodule_search_locations or ()) if package else ():
        jar = Path(place) / "meteor" / "meteor-1.5.jar"
        if jar.is_file() and shutil.which("java"):
            return jar
    return None


def java_command(jar: Path) -> Command:
    """The program on one core."""
    return lambda hypotheses, references: [
        *("java", "-Xmx2G", "-XX:ActiveProcessorCount=1", "-jar", str(jar)),
        *(str(hypotheses), str(references), "-l", "en", "-norm"),
    ]


def our_command(metric: str) -> Command:
    """One of our metrics, on one core."""
    return lambda hypotheses, references: [
        *(sys.executable, "-m", "metaphrase", "score", str(references), "-i", str(hypotheses)),
        *("-m", metric, "--level", "segment", "--threads", "1", "-o", f"{hypotheses}.out"),
    ]


def whole_runs(pairs: Sequence[tuple[str, str]], commands: Mapping[str, Command]) -> None:
    """Whole programs on files, in turns; the CPU time of all their threads."""
    runs: dict[str, dict[int, list[float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for size in (SHORT, LONG):
            rows = [pairs[i % len(pairs)] for i in range(size)]
            for side, name in enumerate(("hypothesis", "reference")):
                text = "".join(f"{row[side]}\n" for row in rows)
                (Path(folder) / f"{name}-{size}").write_text(text, encoding="utf-8")
        for _ in range(3):
            for size in (SHORT, LONG):
                files = [Path(folder) / f"{name}-{size}" for name in ("hypothesis", "reference")]
                for name, command in commands.items():
                    started = _children_seconds()
                    subprocess.run(command(*files), check=True, stdout=subprocess.DEVNULL)
                    taken = _children_seconds() - started
                    runs.setdefault(name, {}).setdefault(size, []).append(taken)
    for name, times in runs.items():
        short, long = median(times[SHORT]), median(times[LONG])
        rate = (LONG - SHORT) / max(long - short, 1e-9)
        print(
            f"{name}: {short:.2f} s of CPU time for {SHORT:,} segments, then {rate:,.0f} segments/s"
        )


def within_one_process(pairs: Sequence[tuple[str, str]]) -> None:
    """Opening the table with its trie, and scoring once everything is open."""
    phrase_trie(ParaphraseTable.meteor())  # compiles them, if they never were
    started = time.process_time()
    phrase_trie(ParaphraseTable.meteor())
    print(f"opening the compiled table: {time.process_time() - started:.3f} s of CPU time")
    pairs = pairs[:IN_PYTHON]
    hypotheses, references = (list(side) for side in zip(*pairs, strict=True))
    for name in ("meteor", "meteor:paraphrases=none"):
        metric = create(name)
        metric.corpus_score(hypotheses[:10], [references[:10]])
        seconds = []
        for _ in range(5):
            started = time.process_time()
            metric.corpus_score(hypotheses, [references])
            seconds.append(time.process_time() - started)
        print(f"{name}, in Python: {len(pairs) / median(seconds):,.0f} segments/s on one core")


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    jar = meteor_jar()
    if jar is None:
        print(MISSING)
        return
    pairs = read_different_pairs()
    print(f"{len(set(pairs)):,} different pairs")
    within_one_process(pairs)
    whole_runs(pairs, {"our METEOR": our_command("meteor"), "METEOR 1.5": java_command(jar)})


if __name__ == "__main__":
    main()
