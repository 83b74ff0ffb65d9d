"""Time and size of a report of 5,000 segments × 10 systems, and of one explanation of each metric.

``python -m benchmarks.report [SEGMENTS]``. Systems are references with a growing share of words that are left
out, replaced or moved. Sizes are those of the page: compressed and in base64.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence
from math import ceil

from rich.console import Console
from rich.table import Table

from benchmarks.real_text import read_pairs
from metaphrase import Corpus, score
from metaphrase.errors import ResourceError
from metaphrase.metrics import registry
from metaphrase.report.dataset import ReportData, build
from metaphrase.report.page import report_page

SEGMENTS, SYSTEMS = 5000, 10
METRICS = ["tesla-m", "bleu", "chrf", "cobalt"]
#: Segments of which a hundred are explained by each metric.
FEW = 300


def main() -> None:
    arguments = [int(size.replace(",", "")) for size in sys.argv[1:]] or [SEGMENTS]
    corpus = made_up(arguments[0])
    whole(corpus)
    explanations(corpus[:FEW])


def made_up(segments: int) -> Corpus:
    chance = random.Random(2010)
    known = [reference for _, reference in read_pairs()]
    references = [known[i % len(known)] for i in range(segments)]
    words = [word for reference in known for word in reference.split()]
    systems = {
        f"system-{number + 1:02}": [
            " ".join(_noisy(text.split(), words, 0.04 + 0.02 * number, chance))
            for text in references
        ]
        for number in range(SYSTEMS)
    }
    documents = [f"document-{i // 20}" for i in range(segments)]
    return Corpus(systems, [references], documents=documents)


def whole(corpus: Corpus) -> None:
    """The report with the default number of explanations: what takes time, and what takes space."""
    started = time.perf_counter()
    scores = score(corpus, METRICS, levels=["system", "segment"], keep_statistics=True)
    scored = time.perf_counter()
    data = build(corpus, scores, METRICS)
    built = time.perf_counter()
    size = sum(map(len, report_page(data, script="", style="")))
    written = time.perf_counter()
    table = Table("part", "blocks", "MB", "MB in the page")
    for kind, names in _kinds(data).items():
        raw = sum(len(data.block(name)) for name in names)
        table.add_row(kind, str(len(names)), f"{raw / 1e6:.2f}", f"{_embedded(data, names):.2f}")
    table.add_row("whole page, without script and style", "", "", f"{size / 1e6:.2f}")
    title = f"{len(corpus):,} segments × {len(corpus.systems)} systems, {' '.join(METRICS)}"
    console = Console()
    console.print(title)
    console.print(
        f"scoring {scored - started:.1f} s, tests and explanations {built - scored:.1f} s, "
        f"page {written - built:.1f} s"
    )
    console.print(table)


def explanations(corpus: Corpus) -> None:
    """What one embedded explanation takes, by metric."""
    table = Table("metric", "explained", "ms each", "kB each", "kB in the page")
    for name, metric in registry.available().items():
        if not metric.explains():
            continue
        lang = "zh" if name == "celab" else "en"
        try:
            scores = score(corpus, [name], levels=["system", "segment"], lang=lang)
        except ResourceError as error:
            print(f"{name} is left out: {error}")
            continue
        started = time.perf_counter()
        data = build(corpus, scores, [name], lang=lang, resamples=0)
        seconds = time.perf_counter() - started
        names = _kinds(data)["explanations"]
        raw = sum(len(data.block(block)) for block in names)
        table.add_row(
            name,
            "100",
            f"{seconds * 10:.1f}",
            f"{raw / 1e5:.1f}",
            f"{_embedded(data, names) * 10:.2f}",
        )
    Console().print(table)


def _noisy(
    reference: Sequence[str], words: Sequence[str], share: float, chance: random.Random
) -> list[str]:
    result: list[str] = []
    for word in reference:
        turn = chance.random() / share
        if turn < 1 / 3:
            continue
        if turn < 2 / 3:
            result.append(chance.choice(words))
        elif turn < 1 and result:
            result.insert(-1, word)
        else:
            result.append(word)
    return result


def _kinds(data: ReportData) -> dict[str, list[str]]:
    kinds: dict[str, list[str]] = {}
    for name in data.packed:
        kinds.setdefault(name.partition("/")[0], []).append(name)
    return kinds


def _embedded(data: ReportData, names: Sequence[str]) -> float:
    """MB of base64."""
    return sum(4 * ceil(len(data.packed[name]) / 3) for name in names) / 1e6


if __name__ == "__main__":
    main()
