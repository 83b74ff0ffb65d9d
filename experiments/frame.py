"""The frame of an experiment: data sets, metrics, a measure; a table on the screen and in docs/results.

Data are read from the directory METAPHRASE_DATA. A metric's scores of a data set are kept in the cache
directory under the signature of the metric and the fingerprint of the file, so that a second table costs
nothing.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from metaphrase import __version__
from metaphrase.analysis.cache import default_directory
from metaphrase.corpus.writing import atomic_writer
from metaphrase.meta import (
    AgreementTable,
    JudgedScores,
    Judgements,
    Measure,
    agreement_table,
    mean_over,
    read_judgements,
    score_judged,
)
from metaphrase.metrics import Metric
from metaphrase.report import agreement_view

Floats = NDArray[np.float64]

RESULTS = Path(__file__).parents[1] / "docs" / "results"


@dataclass(frozen=True)
class Data:
    """A judgement file and the language pairs wanted of it; all of them into ``target`` by default."""

    file: str
    target: str = "en"
    pairs: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        return data_directory() / "judgements" / self.file

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.path)

    def judgements(self) -> list[Judgements]:
        wanted = [
            judged
            for pair, judged in read_judgements(self.path).items()
            if (pair in self.pairs if self.pairs else judged.target == self.target)
        ]
        return sorted(wanted, key=lambda judged: judged.language_pair)


@dataclass(frozen=True)
class Experiment:
    """What to run and how to call it; ``remark`` is printed below the table."""

    name: str
    title: str
    data: tuple[Data, ...]
    metrics: tuple[str, ...]
    measure: Callable[[Judgements], Measure] = Measure.usual
    remark: str = ""
    resamples: int = field(default=1000, kw_only=True)

    def run(self) -> AgreementTable:
        """Compute the table, print it and put it into its page of results."""
        judged = [(data, one) for data in self.data for one in data.judgements()]
        fingerprints = {id(one): data.fingerprint for data, one in judged}
        table = agreement_table(
            [one for _, one in judged],
            self.metrics,
            measure=self.measure,
            resamples=self.resamples,
            threads=os.cpu_count() or 1,
            scorer=lambda one, metric: remembered(fingerprints[id(one)], one, metric),
            progress=lambda what: print(what, file=sys.stderr, flush=True),
        )
        tests = f"{self.resamples} resamples" if self.resamples else "no tests"
        publish(self.name, self.title, table, self.data, remark=self.remark, tests=tests)
        return table


def data_directory() -> Path:
    directory = os.environ.get("METAPHRASE_DATA")
    if directory is None:
        sys.exit("Set METAPHRASE_DATA to the directory that holds judgements/ and challenge/.")
    return Path(directory)


@cache
def fingerprint(*paths: Path) -> str:
    """Of what the files hold, one after the other."""
    return hashlib.blake2b(b"".join(p.read_bytes() for p in paths), digest_size=6).hexdigest()


def remembered(
    fingerprint: str, judged: Judgements, metric: Metric, *, threads: int | None = None
) -> JudgedScores:
    """The scores of a metric, computed once and kept; ``threads`` are all there are unless given."""
    signature = str(metric.signature(max(len(text.references) for text in judged.texts)))

    def score() -> dict[str, Floats]:
        scores = score_judged(judged, metric, threads=threads or os.cpu_count() or 1)
        return {name: getattr(scores, name) for name in ("segment", "document", "system")}

    found = kept(f"{identity(fingerprint, judged)}\t{signature}", score)
    return JudgedScores(
        metric.name, signature, found["segment"], found["document"], found["system"]
    )


def identity(fingerprint: str, judged: Judgements) -> str:
    """A key for judgements; the shape stands for how they were read."""
    shape = *judged.text_of.shape, len(judged.texts)
    return f"{fingerprint}\t{judged.language_pair}\t{shape}"


def kept(key: str, make: Callable[[], dict[str, Floats]]) -> dict[str, Floats]:
    """``make()``, or what it made under this key when it ran last."""
    name = hashlib.blake2b(key.encode(), digest_size=12).hexdigest()
    path = default_directory() / "experiments" / f"{name}.npz"
    try:
        with np.load(path) as found:
            return dict(found)
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        made = make()
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_writer(path) as stream:
        np.savez(stream, **made)  # type: ignore[arg-type]
    return made


def publish(
    name: str, title: str, table: AgreementTable, data: Sequence[Data], *, remark: str, tests: str
) -> None:
    """Print a table and write its section of the results anew."""
    console = Console(width=160)
    for part in agreement_view(table):
        console.print(part)
    files = ", ".join(f"{one.file} ({one.fingerprint})" for one in data)
    lines = [f"## {title}", "", *_tables(table)]
    if remark:
        lines += [remark, ""]
    replace_section(name, [*lines, f"metaphrase {__version__}, {tests}; data: {files}."])


def replace_section(name: str, lines: Sequence[str], *, folder: Path = RESULTS) -> None:
    """Write a section anew, in the page that has it; nothing is written if nothing changed."""
    pages = [page for page in sorted(folder.glob("*.md")) if _mark(name) in page.read_text("utf-8")]
    if len(pages) != 1:
        raise ValueError(f"{len(pages)} pages have a section {name!r}; mark its place in one")
    text = pages[0].read_text("utf-8")
    changed = with_section(text, name, lines)
    if changed != text:
        with atomic_writer(pages[0]) as stream:
            stream.write(changed.encode())


def with_section(text: str, name: str, lines: Sequence[str]) -> str:
    """The text with other lines between the comments that mark the section; the rest is left alone."""
    marks = _mark(name), _mark(f"/{name}")
    section = "\n".join([marks[0], *lines, marks[1], ""])
    found = re.compile(f"{re.escape(marks[0])}\n.*?{re.escape(marks[1])}\n", re.S)
    places = len(found.findall(text))
    if places != 1 or text.count(marks[0]) != 1 or text.count(marks[1]) != 1:
        raise ValueError(f"the section {name!r} does not begin and end exactly once")
    return found.sub(lambda _: section, text)


def _mark(name: str) -> str:
    return f"<!-- {name} -->"


def _tables(table: AgreementTable) -> Iterator[str]:
    for columns in table.by_measure():
        names = [column.language_pair for column in columns]
        yield f"**{columns[0].data}**, {columns[0].measure}"
        yield ""
        yield f"| metric | {' | '.join(names)} | mean |"
        yield f"| --- |{' --- |' * (len(names) + 1)}"
        means = mean_over(columns).tolist()
        for row, metric in enumerate(table.metrics):
            cells = [_cell(float(c.value[row]), int(c.cluster[row])) for c in columns]
            yield f"| `{metric}` | {' | '.join(cells)} | {_cell(means[row], 0)} |"
        yield ""


def _cell(value: float, cluster: int) -> str:
    if np.isnan(value):
        return "—"
    text = f"{value:.3f}"
    return f"**{text}**" if cluster == 1 else f"{text}<sup>{cluster}</sup>" if cluster else text


def run(experiments: Sequence[Experiment]) -> None:
    for experiment in experiments:
        print(f"== {experiment.title}", file=sys.stderr)
        experiment.run()
