"""Do metrics mark the errors that raters mark? docs/results/spans.md by one command.

``python -m experiments.spans [--segments N] [--metrics NAME …] [--threads N]``, with METAPHRASE_DATA set to a
directory that has spans/. From how many points an error counts, and from how many it is major, is calibrated
on the other English set, and for Czech on both English ones; severities as they ship stand beside them.
Repairs are kept in the cache under the metric's signature and the code that makes repairs, so that only what
changed is made anew.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

import metaphrase.metrics.repairs as repairs
from experiments.frame import Floats, data_directory, fingerprint, kept, replace_section
from metaphrase import __version__
from metaphrase.corpus import span_places
from metaphrase.corpus.opening import read_marked_errors
from metaphrase.corpus.ratings import MarkedError, Ratings
from metaphrase.meta import SpanAgreement, SpanRow, span_agreement
from metaphrase.meta.learned_sets import taught_names
from metaphrase.meta.span_counts import Estimate, SpanCounts, SpanMeasure, figures
from metaphrase.metrics import Metric, Repair, Span, create
from metaphrase.metrics.repairs import (
    SEVERITIES,
    RepairedSegment,
    Severities,
    with_best_references,
)
from metaphrase.metrics.repairs.error_spans import marked_errors

METRICS = ("accord", "chrf", "bleu", "cobalt")
#: UPF-Cobalt knows English alone.
ENGLISH_ONLY = ("cobalt",)
#: From how many percent of the scale on an error counts, and how much more makes it major.
MINOR = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
FACTORS = (1.0, 1.5, 2.0)
#: More than anything can cost: no error is major.
NEVER = 1000.0
SHOWN: Mapping[SpanMeasure, str] = {
    "character_f1": "character F1",
    "micro_f1": "MPP micro F1",
    "macro_f1": "MPP macro F1",
}
Predictions = dict[str, dict[str, Sequence[MarkedError]]]
Repaired = Mapping[str, RepairedSegment]
#: Translations that are repaired at a time.
CHUNK = 64


@dataclass(frozen=True)
class SpanSet:
    """A file, and the sets on which severities are calibrated for it."""

    name: str
    title: str
    language: str
    calibrated_on: tuple[str, ...]

    @property
    def path(self) -> Path:
        return data_directory() / "spans" / f"{self.name}.{self.language}.spans.jsonl.gz"

    def gold(self, segments: int | None) -> Ratings:
        """All ratings, or those of a sample of segments, with all systems."""
        (found,) = read_marked_errors([self.path])
        places = sorted({(item.document, item.segment) for item in found.items.values()})
        if segments is None or segments >= len(places):
            return found
        rows = np.random.default_rng(1).choice(len(places), segments, replace=False)
        chosen = {places[row] for row in rows.tolist()}
        items = {n: i for n, i in found.items.items() if (i.document, i.segment) in chosen}
        ratings = tuple(rating for rating in found.ratings if rating.item in items)
        return replace(found, items=items, ratings=ratings)


SETS = (
    SpanSet("nt21mqm", "News 2021, Chinese into English, MQM", "en", ("tedmqm",)),
    SpanSet("tedmqm", "TED talks, Chinese into English, MQM", "en", ("nt21mqm",)),
    SpanSet("wmt24esa", "WMT 2024, English into Czech, ESA", "cs", ("nt21mqm", "tedmqm")),
)


def code() -> str:
    """Of what decides which errors there are."""
    files = sorted(Path(str(repairs.__file__)).parent.glob("*.py"))
    return hashlib.blake2b(
        b"".join(p.read_bytes() for p in [*files, Path(str(span_places.__file__))]), digest_size=6
    ).hexdigest()


def all_repairs(gold: Ratings, metric: Metric, key: str, threads: int) -> Repaired:
    """The repairs of each translation by its best reference, from the cache if nothing has changed."""

    def make() -> dict[str, Floats]:
        segments: list[tuple[str, float, float, float]] = []
        stretches: list[tuple[int, int, str, float, int, int]] = []
        for name, segment in _best_repairs(gold, metric, threads):
            for number, repair in enumerate(segment.repairs):
                stretches += [
                    (len(segments), number, repair.kind, repair.points, mark.start, mark.end)
                    for mark in repair.hypothesis_marks
                ]
            segments.append((name, segment.score, segment.maximum, segment.matched))
        return {
            name: np.array(column)
            for names, rows in (
                (("name", "score", "maximum", "matched"), segments),
                (("row", "number", "kind", "points", "start", "end"), stretches),
            )
            for name, column in zip(names, zip(*rows, strict=True), strict=True)
        }

    found = kept(f"repairs\t{key}\t{metric.signature(None)}\t{len(gold.items)}\t{code()}", make)
    repairs: dict[int, dict[int, Repair]] = {}

    def rows(*names: str) -> Iterator[tuple[Any, ...]]:
        return zip(*(found[name].tolist() for name in names), strict=True)

    for row, number, kind, points, start, end in rows(
        "row", "number", "kind", "points", "start", "end"
    ):
        nowhere = Span(0, 0, "")
        one = repairs.setdefault(row, {}).setdefault(
            number, Repair(kind, nowhere, nowhere, "", "", points, (), ())
        )
        marks = (*one.hypothesis_marks, Span(start, end, ""))
        repairs[row][number] = replace(one, hypothesis_marks=marks)
    return {
        name: RepairedSegment(score, maximum, tuple(repairs.get(row, {}).values()), matched, True)
        for row, (name, score, maximum, matched) in enumerate(
            rows("name", "score", "maximum", "matched")
        )
    }


def _best_repairs(
    gold: Ratings, metric: Metric, threads: int
) -> Iterator[tuple[str, RepairedSegment]]:
    items = list(gold.items.values())
    for start in range(0, len(items), CHUNK):
        some = items[start : start + CHUNK]
        print(f"\r{gold.name} {metric.label} {start:,}", end="", file=sys.stderr, flush=True)
        found = with_best_references(
            metric,
            [item.hypothesis for item in some],
            list(zip_longest(*(item.references for item in some))),
            [item.source for item in some],
            lambda *texts: metric.repairs(*texts[:2], sources=texts[2], threads=threads),
        )
        yield from zip((item.id for item in some), found, strict=True)
    print(file=sys.stderr)


def graded(
    gold: Ratings, segments: Repaired, metric: Metric, severities: Severities
) -> dict[str, Sequence[MarkedError]]:
    """Those errors that count, with their severities."""
    return {
        name: marked_errors(metric, gold.items[name].hypothesis, segment, severities)
        for name, segment in segments.items()
    }


def candidates() -> Iterator[Severities]:
    for minor in MINOR:
        for major in {*(minor * factor for factor in FACTORS), NEVER}:
            yield Severities(minor, max(major, minor))


def grid(gold: Ratings, segments: Repaired, metric: Metric) -> dict[Severities, float]:
    """Character F1 and MPP micro F1 together, by severities."""
    known = [(rating, item) for rating, item in gold.of_kind("target") if rating.errors is not None]
    counts = SpanCounts(known, resamples=0, seed=0)
    found = {}
    for severities in candidates():
        marked = graded(gold, segments, metric, severities)
        values = figures(counts.table([marked[item.id] for _, item in known]).sum(axis=0))
        both = values["character_f1"], values["micro_f1"]
        found[severities] = float(sum(np.nan_to_num(value) for value in both))
    return found


def calibrated(grids: Sequence[Mapping[Severities, float]]) -> Severities:
    """The severities that do best in the sum over sets."""
    return max(grids[0], key=lambda one: sum(found[one] for found in grids))


def described(severities: Severities) -> str:
    minor = "any" if severities.minor == 0 else f"{severities.minor:g}"
    if severities.major >= NEVER:
        return f"{minor}, never"
    return f"{minor}, {'any' if severities.major == 0 else f'{severities.major:g}'}"


def section(one: SpanSet, table: SpanAgreement, chosen: Mapping[str, str]) -> list[str]:
    """A table of figures, and what it is about."""
    head = ["", "minor, major from", "marked", "precision", "recall", *SHOWN.values()]
    head += [
        f"gain in {SHOWN[m]} over {table.best_baseline[m]}" for m in ("character_f1", "micro_f1")
    ]
    lines = [
        f"**{one.title}**",
        "",
        f"| {' | '.join(head)} |",
        f"| --- | --- |{' ---: |' * (len(head) - 2)}",
    ]
    for row in table.rows:
        metric, _, shipped = row.name.partition(", ")
        name = f"`{metric}`{'†' if row.name in table.learned else ''}{shipped and ', '}{shipped}"
        cells = [name if row.gains else row.name, chosen.get(row.name, row.severity or "")]
        cells.append(f"{row.marked:.0%}")
        cells += [_plain(row.figures[measure]) for measure in ("precision", "recall")]
        cells += [_between(row.figures[measure]) for measure in SHOWN]
        cells += [_gain(row, measure) for measure in ("character_f1", "micro_f1")]
        lines.append(f"| {' | '.join(cells)} |")
    return [
        *lines,
        "",
        f"{table.translations:,} translations of {table.segments:,} segments, {table.ratings:,} ratings, "
        f"{table.spans:,} errors on the target side; errors without a place there are left out: "
        f"{table.unplaced:,}. Translations with several raters, too few for a ceiling: {table.doubled:,}.",
        "",
    ]


def verdicts(tables: Sequence[SpanAgreement]) -> list[str]:
    """In words: on how many sets each row is ahead of the best baseline, and on how many behind it."""
    names = dict.fromkeys(row.name for table in tables for row in table.rows if row.gains)
    lines = [
        "On how many sets the interval of the gain over the best baseline is above zero, and below:",
        "",
    ]
    head = ["", *(f"{SHOWN[measure]} ahead | behind" for measure in SHOWN)]
    lines += [f"| {' | '.join(head)} |", f"| --- |{' ---: |' * 2 * len(SHOWN)}"]
    for name in names:
        rows = [row for table in tables for row in table.rows if row.name == name]
        cells = []
        for measure in SHOWN:
            gains = [row.gains[measure] for row in rows]
            ahead = sum(gain.low is not None and gain.low > 0 for gain in gains)
            behind = sum(gain.high is not None and gain.high < 0 for gain in gains)
            cells.append(f"{ahead} of {len(rows)} | {behind}")
        metric, _, shipped = name.partition(", ")
        lines.append(f"| `{metric}`{shipped and ', '}{shipped} | {' | '.join(cells)} |")
    best = ", ".join(f"{table.name} {table.best_baseline['macro_f1']}" for table in tables)
    return [*lines, "", f"The best baseline by MPP macro F1: {best}.", ""]


def _plain(found: Estimate) -> str:
    return "—" if found.value is None else f"{found.value:.3f}"


def _between(found: Estimate) -> str:
    if found.low is None or found.high is None:
        return _plain(found)
    return f"{found.value:.3f} ({found.low:.3f}–{found.high:.3f})"


def _gain(row: SpanRow, measure: SpanMeasure) -> str:
    """Bold if its interval is above zero, in italics if it is below."""
    gain = row.gains.get(measure)
    if gain is None or gain.value is None or gain.low is None or gain.high is None:
        return ""
    mark = "**" if gain.low > 0 else "*" if gain.high < 0 else ""
    return f"{mark}{gain.value:+.3f}{mark} ({gain.low:+.3f} to {gain.high:+.3f})"


def kinds(table: SpanAgreement, name: str) -> list[str]:
    """Which share of the errors of each category is marked, and as what."""
    shares = [row for row in table.rows if row.name in (name, "unaligned")]
    head = ["raters say", "errors", *(f"marked by {row.name}" for row in shares), f"{name} says"]
    lines = [f"| {' | '.join(head)} |", f"| --- |{' ---: |' * (1 + len(shares))} --- |"]
    whole = " | ".join(f"{row.marked:.0%}" for row in shares)
    lines.append(f"| all characters | | {whole} | |")
    for category in table.categories[:10]:
        most = ", ".join(f"{k} {n:,}" for k, n in list(category.kinds[name].items())[:4])
        parts = " | ".join(f"{category.covered[row.name]:.0%}" for row in shares)
        lines.append(f"| {category.category} | {category.errors:,} | {parts} | {most} |")
    return [*lines, ""]


def run(names: Sequence[str], segments: int | None, threads: int, resamples: int) -> list[str]:
    golds = {one.name: one.gold(segments) for one in SETS}
    keys = {one.name: f"{fingerprint(one.path)}\t{segments}" for one in SETS}
    metrics = {
        (one.name, name): create(name, lang=one.language)
        for one in SETS
        for name in names
        if one.language == "en" or name not in ENGLISH_ONLY
    }
    segments_of = {
        both: all_repairs(golds[both[0]], metric, keys[both[0]], threads)
        for both, metric in metrics.items()
    }
    grids = {
        (one.name, name): grid(
            golds[one.name], segments_of[one.name, name], metrics[one.name, name]
        )
        for one in SETS
        if one.language == "en"
        for name in names
    }
    lines: list[str] = []
    tables: list[SpanAgreement] = []
    by_kind: list[str] = []
    for one in SETS:
        predicted: Predictions = {}
        chosen: dict[str, str] = {}
        learned: list[str] = []
        for name in names:
            if (one.name, name) not in metrics:
                continue
            own = calibrated([grids[other, name] for other in one.calibrated_on])
            for label, severities in ((name, own), (f"{name}, as shipped", SEVERITIES)):
                marked = graded(
                    golds[one.name],
                    segments_of[one.name, name],
                    metrics[one.name, name],
                    severities,
                )
                predicted[label], chosen[label] = marked, described(severities)
                if one.name in taught_names(metrics[one.name, name], golds[one.name].language_pair):
                    learned.append(label)
        table = span_agreement(
            golds[one.name], predicted, learned=learned, resamples=resamples, threads=threads
        )
        tables.append(table)
        lines += section(one, table, chosen)
        if table.categories:
            by_kind = [f"**Kinds of errors: {one.title}**", "", *kinds(table, names[0])]
    sample = (
        "all segments" if segments is None else f"a sample of at most {segments} segments of each"
    )
    files = ", ".join(f"{one.path.name} ({fingerprint(one.path)})" for one in SETS)
    return [
        *verdicts(tables),
        *lines,
        *by_kind,
        f"metaphrase {__version__}, {sample}, {resamples:,} resamples; data: {files}.",
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m experiments.spans", description=__doc__)
    parser.add_argument("--segments", type=int, help="of each set, drawn at random (default: all)")
    parser.add_argument("--metrics", nargs="+", default=METRICS)
    parser.add_argument("--resamples", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(arguments)
    replace_section(
        "spans", run(options.metrics, options.segments, options.threads, options.resamples)
    )


if __name__ == "__main__":
    main()
