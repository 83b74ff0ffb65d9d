"""A metrics task of WMT with thirty metrics and all its tests, on a tree as large as WMT 2023's.

``python -m benchmarks.shared_task [TASK…]``; the numbers are made up, the sizes are those of
2023 (Freitag et al., WMT 2023): en-de has paragraphs, and people judged a part of each test set.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from metaphrase.corpus.formats.mtme.test_set import read_mtme
from metaphrase.corpus.formats.mtme.tree import reference_files
from metaphrase.meta.shared_tasks import shared_task
from metaphrase.meta.task_data import TaskData
from metaphrase.meta.task_table import task_table

METRICS, RESAMPLES = 30, 1000
#: Of each language pair: segments, those that were judged, systems.
SIZES = {"en-de": (557, 460, 13), "he-en": (1910, 820, 13), "zh-en": (1976, 1177, 15)}
#: The best score of MQM is 0, the worst -25.
_WORST = -25.0


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = write_tree(Path(folder) / "wmt23")
        for name in sys.argv[1:] or ("wmt23", "wmt24-on-wmt23"):
            measure(root, name)


def measure(root: Path, name: str) -> None:
    """Read the tree and compute a task, by the clock and by what both cores were busy."""
    start, busy = perf_counter(), process_time()
    shared = shared_task(name)
    data = {}
    for pair, rules in shared.pairs.items():
        mtme = read_mtme(root, language_pair=pair, references=[rules.reference])
        data[pair] = TaskData.of(mtme, rules, list(reference_files(root, pair)), {})
    read = process_time() - busy
    names = {metric: metric for one in data.values() for metric, _ in one.metrics}
    table = task_table(shared, data, names, name="made up", resamples=RESAMPLES)
    print(f"{name}: {len(table.metrics)} metrics, {RESAMPLES:,} resamples")
    print(
        f"{perf_counter() - start:.1f} s; {process_time() - busy:.1f} CPU seconds, {read:.1f} of them reading"
    )


def write_tree(root: Path) -> Path:
    """Scores of metrics follow those of people, with more noise from one metric to the next."""
    random = np.random.default_rng(1)
    for pair, (segments, judged, count) in SIZES.items():
        used = shared_task("wmt23").pairs[pair].reference
        systems = [f"system{number}" for number in range(count)]
        _write(root / f"sources/{pair}.txt", [f"source {row}" for row in range(segments)])
        documents = [f"news\tdocument{row // 8}" for row in range(segments)]
        _write(root / f"documents/{pair}.docs", documents)
        _write(root / f"references/{pair}.{used}.txt", [f"text {row}" for row in range(segments)])
        for name in systems:
            texts = [f"{name} {row}" for row in range(segments)]
            _write(root / f"system-outputs/{pair}/{name}.txt", texts)
        # Most translations have few errors, and an error costs whole points.
        spread = 2 + 2 * random.random((count, 1)) + 2 * random.random(segments)
        human = np.maximum(-np.floor(random.exponential(spread)), _WORST)
        seen = np.arange(segments) < judged
        rows = [
            f"{name}\t{score if known else None}"
            for name, scores in zip(systems, human, strict=True)
            for score, known in zip(scores, seen, strict=True)
        ]
        _write(root / f"human-scores/{pair}.mqm.seg.score", rows)
        means = human[:, seen].mean(axis=1)
        rows = [f"{name}\t{mean}" for name, mean in zip(systems, means, strict=True)]
        _write(root / f"human-scores/{pair}.mqm.sys.score", rows)
        for number in range(METRICS):
            scores = human + (2 + number) * random.normal(size=human.shape)
            # Some metrics have few different scores, as language models give them.
            if number % 5 == 0:
                scores = np.round(scores)
            stem = root / "metric-scores" / pair / f"metric{number}-{used}"
            rows = [
                f"{name}\t{score}"
                for name, own in zip(systems, scores.tolist(), strict=True)
                for score in own
            ]
            _write(Path(f"{stem}.seg.score"), rows)
            means = scores.mean(axis=1)
            rows = [f"{name}\t{mean}" for name, mean in zip(systems, means, strict=True)]
            _write(Path(f"{stem}.sys.score"), rows)
    return root


def _write(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    main()
