"""How often metrics see an error that was put into a translation, by kind of error.

``python -m experiments.demetr [METRIC …]`` with METAPHRASE_DATA set: the metrics of the English tables of
results, and those named, on ``challenge/demetr``. Scores are kept in the cache, so that a metric is added
without computing the others again. With ``--print`` the tables of the named metrics alone are printed, and
the page is left alone. TESLA needs metaphrase-pivots, METEOR the extra ``paraphrases``.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from experiments.demetr_items import Kind, as_judgements, checked, demetr_files, read_kind
from experiments.document_bootstrap import RESAMPLES, SEED, Resampled
from experiments.frame import Floats, data_directory, fingerprint, remembered, replace_section
from experiments.result_plan import ENGLISH
from metaphrase import __version__
from metaphrase.errors import MetaphraseError
from metaphrase.metrics import create

METRICS = tuple(dict.fromkeys(row.metric for row in ENGLISH))
#: Baselines of DEMETR are no errors and not averaged.
SEVERITIES = ("critical", "major", "minor")


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """What one metric made of every item: whether it was right, and whether it saw no difference.

    Arrays are kinds × items; items that do not count are neither.
    """

    metric: str
    right: NDArray[np.bool_]
    tied: NDArray[np.bool_]

    @classmethod
    def of_scores(cls, metric: str, scores: Floats, counts: NDArray[np.bool_]) -> Verdicts:
        """From scores of better and worse texts by turns, higher for better."""
        better, worse = scores[0::2], scores[1::2]
        return cls(metric, counts & (better > worse), counts & (better == worse))


@dataclass(frozen=True, eq=False)
class ErrorsSeen:
    """The verdicts of all metrics; shares are in per cent of the items that count."""

    kinds: tuple[Kind, ...]
    counts: NDArray[np.bool_]
    verdicts: tuple[Verdicts, ...]

    def share(self, verdict: NDArray[np.bool_]) -> Floats:
        """For each kind."""
        return np.asarray(100 * verdict.sum(axis=1) / self.counts.sum(axis=1))

    def of_severity(self, severity: str) -> list[int]:
        return [row for row, kind in enumerate(self.kinds) if kind.severity == severity]

    def mean(self, verdicts: Verdicts, severity: str) -> Resampled:
        """The mean over kinds of how often the metric is right.

        Kinds share their source sentences, so that sentences are drawn, each with all of its errors; metrics
        are compared on the same draws.
        """
        rows = self.of_severity(severity)
        right = self._drawn @ verdicts.right[rows].T / (self._drawn @ self.counts[rows].T)
        return Resampled(float(self.share(verdicts.right)[rows].mean()), 100 * right.mean(axis=1))

    @cached_property
    def _drawn(self) -> NDArray[np.int64]:
        items = self.counts.shape[1]
        generator = np.random.default_rng(SEED)
        return generator.multinomial(items, np.full(items, 1 / items), RESAMPLES)

    def mean_lines(self) -> Iterator[str]:
        """Means by severity with intervals; bold is the best and what does not differ from it."""
        severities = [severity for severity in SEVERITIES if self.of_severity(severity)]
        heads = [f"{severity} ({len(self.of_severity(severity))})" for severity in severities]
        ties = [f"{severity} ties" for severity in severities]
        yield f"| metric | {' | '.join([*heads, *ties])} |"
        yield f"| --- |{' ---: |' * (2 * len(severities))}"
        cells: list[list[str]] = [[] for _ in self.verdicts]
        for severity in severities:
            means = [self.mean(one, severity) for one in self.verdicts]
            best = max(means, key=lambda mean: mean.value)
            for row, mean in zip(cells, means, strict=True):
                text = f"**{mean.value:.1f}**" if _level(best, mean) else f"{mean.value:.1f}"
                low, high = mean.interval
                row.append(f"{text} ({low:.1f}–{high:.1f})")
        for severity in severities:
            for row, one in zip(cells, self.verdicts, strict=True):
                row.append(f"{self.share(one.tied)[self.of_severity(severity)].mean():.1f}")
        for one, row in zip(self.verdicts, cells, strict=True):
            yield f"| `{one.metric}` | {' | '.join(row)} |"
        yield ""

    def kind_lines(self) -> Iterator[str]:
        """For each severity a table of kinds; ties in brackets."""
        shares = [(self.share(one.right), self.share(one.tied)) for one in self.verdicts]
        names = [f"`{one.metric}`" for one in self.verdicts]
        for severity, rows in groupby(range(len(self.kinds)), lambda r: self.kinds[r].severity):
            yield f"**{severity}**"
            yield ""
            yield f"| kind | items | {' | '.join(names)} |"
            yield f"| --- | ---: |{' ---: |' * len(names)}"
            for row in rows:
                kind = self.kinds[row]
                cells = [_cell(float(right[row]), float(tied[row])) for right, tied in shares]
                yield f"| {kind.title} | {kind.size} | {' | '.join(cells)} |"
            yield ""


def _level(best: Resampled, other: Resampled) -> bool:
    """Whether 95 % of the resamples leave open which of them is better."""
    low, _ = best.minus(other).interval
    return low <= 0.0


def _cell(right: float, tied: float) -> str:
    ties = f"{tied:.0f}"
    return f"{right:.1f}" if ties == "0" else f"{right:.1f} ({ties})"


def sections(
    seen: ErrorsSeen, signatures: dict[str, str], files_fingerprint: str
) -> dict[str, list[str]]:
    """The generated parts of the page by the names that mark them there."""
    data = f"{len(seen.kinds)} files of DEMETR ({files_fingerprint})"
    lines = {
        "demetr": seen.mean_lines(),
        "demetr-kinds": seen.kind_lines(),
        "demetr-data": [
            *(f"- {name}: `{signature}`" for name, signature in signatures.items()),
            "",
            f"metaphrase {__version__}, {RESAMPLES} resamples; data: {data}.",
        ],
    }
    return {name: "\n".join(part).rstrip("\n").split("\n") for name, part in lines.items()}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m experiments.demetr", description=__doc__)
    parser.add_argument("metrics", nargs="*", metavar="METRIC", help="beside those of the page")
    parser.add_argument("--print", action="store_true", help="only these metrics, write nothing")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(arguments)
    files = demetr_files(data_directory() / "challenge" / "demetr")
    if not files:
        sys.exit("METAPHRASE_DATA has no files of DEMETR in challenge/demetr.")
    kinds = tuple(map(read_kind, files))
    judged, counts, data = as_judgements(kinds), checked(kinds), fingerprint(*files)
    usual = () if options.print and options.metrics else METRICS
    verdicts: list[Verdicts] = []
    signatures: dict[str, str] = {}
    try:
        for name in dict.fromkeys([*usual, *options.metrics]):
            print(name, file=sys.stderr, flush=True)
            metric = create(name, lang="en")
            scores = remembered(data, judged, metric, threads=options.threads)
            verdicts.append(Verdicts.of_scores(name, scores.segment, counts))
            signatures[name] = scores.signature
    except MetaphraseError as error:
        sys.exit(str(error))
    seen = ErrorsSeen(kinds, counts, tuple(verdicts))
    for name, lines in sections(seen, signatures, data).items():
        print("\n".join([*lines, ""]))
        if not options.print:
            replace_section(name, lines)


if __name__ == "__main__":
    main()
