"""What choosing segments for judges would have saved, on sets that people have judged already.

``python -m experiments.sample [--threads N]`` with METAPHRASE_DATA set. No way to choose has a parameter that
was set on these data, and no metric here has learnt from judgements.
"""

from __future__ import annotations

import argparse
import os
import pickle
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from experiments.frame import Data, replace_section
from metaphrase import __version__
from metaphrase.meta import Judgements, signed_rank_test
from metaphrase.metrics import create
from metaphrase.report.terminal.sample_view import needed_text
from metaphrase.sampling import Simulation, simulate

DATA = tuple(Data(f"{name}.en.tsv.gz") for name in ("wmt21da", "nt21mqm", "tedmqm", "biomqm"))
METRICS = ("bleu", "chrf", "cobalt", "tesla-m")
SIZES = (25, 50, 100)
HALVES = 100


def _is_human(system: str) -> bool:
    return system.lower().startswith("ref")


def kept(judged: Judgements, threads: int, folder: Path | None) -> Simulation:
    """The simulation on a set, from the folder if it is there."""
    path = (folder or Path()) / f"{judged.name}.{judged.language_pair}.pickle"
    if folder is not None and path.exists():
        found: Simulation = pickle.loads(path.read_bytes())
        return found
    found = simulate(
        judged,
        [create(name, lang=judged.target) for name in METRICS],
        sizes=SIZES,
        halves=HALVES,
        threads=threads,
        leave_out=_is_human,
    )
    if folder is not None:
        path.write_bytes(pickle.dumps(found))
    return found


def table(found: Simulation) -> Iterator[str]:
    """One set: how much better than random, and how many random segments that is."""
    title = f"**{found.name} {found.language_pair}**"
    yield f"{title}: {found.systems} systems, {found.segments:,} segments"
    yield ""
    columns = [f"{size} segments | random needs | in words" for size, _ in found.random]
    yield f"| by | {' | '.join(columns)} | words |"
    yield f"| --- |{' ---: |' * (3 * len(columns) + 1)}"
    random = " | ".join(f"{agreement:.3f} | {size} | " for size, agreement in found.random)
    yield f"| random | {random} | 1.00 |"
    for way in dict.fromkeys(one.way for one in found.outcomes):
        cells = []
        for one in (one for one in found.outcomes if one.way == way):
            low, high = one.interval
            text = f"{one.beside_random:+.3f} ({low:+.3f} to {high:+.3f})"
            cells += [f"**{text}**" if one.beats_random else text, needed_text(one.needed)]
            cells.append(f"{one.beside_words:+.3f}")
        words = np.mean([one.words for one in found.outcomes if one.way == way])
        yield f"| {way} | {' | '.join(cells)} | {words:.2f} |"
    yield ""


def p_value(values: Sequence[float]) -> float:
    """Of a way that is better than random on sets of this kind, a set being one observation."""
    return signed_rank_test(values, [0.0] * len(values))


def summary(found: Sequence[Simulation]) -> Iterator[str]:
    """All sets: the mean difference to random with a test over sets, and what is significant within one."""
    columns = " | ".join(f"{size} segments | ahead in | p | in words (p)" for size in SIZES)
    yield f"| by | {columns} | better | worse |"
    yield f"| --- |{' ---: |' * (4 * len(SIZES) + 2)}"
    for way in dict.fromkeys(one.way for each in found for one in each.outcomes):
        outcomes = [one for each in found for one in each.outcomes if one.way == way]
        cells = []
        for size in SIZES:
            values = [one.beside_random for one in outcomes if one.segments == size]
            ahead = sum(value > 0 for value in values)
            cells.append(f"{np.mean(values):+.3f} ({min(values):+.3f} to {max(values):+.3f})")
            cells.append(f"{ahead} of {len(values)} | {p_value(values):.3f}")
            words = [one.beside_words for one in outcomes if one.segments == size]
            cells.append(f"{np.mean(words):+.3f} ({p_value(words):.3f})")
        better = sum(one.interval[0] > 0 for one in outcomes)
        worse = sum(one.interval[1] < 0 for one in outcomes)
        counts = f"{better} of {len(outcomes)} | {worse} of {len(outcomes)}"
        yield f"| {way} | {' | '.join(cells)} | {counts} |"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--keep", type=Path, help="folder with what was simulated already")
    parser.add_argument("--only", help="this set alone, which goes to the folder, not to the page")
    options = parser.parse_args()
    found: list[Simulation] = []
    lines: list[str] = []
    for data in DATA:
        if options.only not in (None, data.file.partition(".")[0]):
            continue
        for judged in data.judgements():
            print(judged.name, judged.language_pair, file=sys.stderr, flush=True)
            one = kept(judged, options.threads, options.keep)
            found.append(one)
            section = list(table(one))
            print("\n".join(section), flush=True)
            lines += section
    if options.only:
        return
    total = list(summary(found))
    print("\n".join(total), flush=True)
    files = ", ".join(f"{one.file} ({one.fingerprint})" for one in DATA)
    about = f"metaphrase {__version__}; metrics: {', '.join(METRICS)}; data: {files}."
    replace_section("sample accuracy summary", total)
    replace_section("sample accuracy", [*lines, about])


if __name__ == "__main__":
    main()
