"""Our scores as files for others: submissions to WMT's metrics task, score files of mt-metrics-eval.

Every number is written so that higher is better: the scores of a metric whose lower scores are better are
written with their signs turned. mt-metrics-eval correlates with signs; the task of 2017 took absolute
correlations of systems, so that there the sign does not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from metaphrase.corpus.mtme_scores import Level, ScoreFile
from metaphrase.corpus.score_text import score_text
from metaphrase.corpus.submission_checks import SubmittedScore
from metaphrase.corpus.submission_layouts import ENSEMBLE, LAYOUTS, Layout
from metaphrase.corpus.submissions import Submission
from metaphrase.errors import OptionError
from metaphrase.scoring.result import MetricInfo, Scores, SystemScores

#: What each level is called in file names.
_LEVELS: Mapping[str, Level] = {"system": "sys", "document": "doc", "segment": "seg"}
#: What 2023 calls the whole test set where a domain is asked for.
ALL_DOMAINS = "all"
#: Characters that neither file names nor columns mind.
_UNSAFE = re.compile(r"[^A-Za-z0-9._+=-]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """What the scores do not say themselves; a format needs some of it.

    ``documents`` and ``domains`` are those of each segment. ``begin`` and ``end`` are when scoring began and
    ended in seconds since 1970, ``ensemble`` whether the metric uses other metrics, ``available`` where it
    can be had. ``specifications`` are the metrics as they were asked for, in their order: a metric with
    options of its own must not be taken for the one without.
    """

    language_pair: str
    test_set: str = ""
    reference: str = ""
    documents: Sequence[str] | None = None
    domains: Sequence[str] | None = None
    begin: int = 0
    end: int = 0
    ensemble: bool = False
    available: str = "no"
    specifications: Sequence[str] = ()


def file_stem(metric: str) -> str:
    """What a metric is called in files, where colons and slashes of specifications cannot stand."""
    return _UNSAFE.sub("_", metric).lstrip(".")


def file_names(scores: Scores, specifications: Sequence[str] = ()) -> dict[str, str]:
    """What each metric is called in files: as it was asked for, if that is known."""
    called = [metric.name for metric in scores.metrics]
    asked = specifications if len(specifications) == len(called) else called
    names = {name: file_stem(given) for name, given in zip(called, asked, strict=True)}
    for name, safe in names.items():
        if not safe or list(names.values()).count(safe) > 1:
            raise OptionError(
                "MP174",
                f"the metric {name!r} has no file name of its own.",
                hint="Write metrics to one folder each whose names differ by punctuation only.",
            )
    return names


def submissions(scores: Scores, year: str, provenance: Provenance) -> dict[str, Submission]:
    """A submission by file name for each metric and level of ``scores``; ``year`` is like ``wmt20``."""
    files: dict[str, Submission] = {}
    names = file_names(scores, provenance.specifications)
    for metric in scores.metrics:
        for level, short in _LEVELS.items():
            if not any(getattr(system, level) for system in scores.systems):
                continue
            layout = LAYOUTS.get(f"{year}-{short}")
            if layout is None:
                raise OptionError(
                    "MP174", f"{year} has no {level} level.", hint="Leave it out of --level."
                )
            name = names[metric.name]
            rows = [
                {"metric": name, "system": system.name, **row}
                for system in scores.systems
                for row in _rows(scores, system, metric, level, provenance)
            ]
            ending = ".gz" if layout.compressed else ""
            files[f"{name}.{short}.score{ending}"] = _submission(layout, rows, provenance)
    return files


def score_files(scores: Scores, provenance: Provenance) -> dict[str, ScoreFile]:
    """A file of an mt-metrics-eval tree by its path in there, for each metric and level."""
    if not provenance.reference:
        raise _lacking("mtme", "reference")
    files: dict[str, ScoreFile] = {}
    names = file_names(scores, provenance.specifications)
    for metric in scores.metrics:
        for level, short in _LEVELS.items():
            lines = [
                (system.name, text)
                for system in scores.systems
                for text in _texts(system, metric, level)
            ]
            if lines:
                systems, numbers = zip(*lines, strict=True)
                stem = f"{names[metric.name]}-{provenance.reference}"
                path = f"metric-scores/{provenance.language_pair}/{stem}.{short}.score"
                files[path] = ScoreFile(short, systems, numbers)
    return files


def _submission(
    layout: Layout, rows: Sequence[Mapping[str, object]], provenance: Provenance
) -> Submission:
    """The rows with what is the same on every line, in the columns that the layout has."""
    shared: dict[str, object] = {
        "language_pair": provenance.language_pair,
        "test_set": provenance.test_set,
        "reference": provenance.reference,
        "begin": str(provenance.begin),
        "end": str(provenance.end),
        "ensemble": ENSEMBLE[0] if provenance.ensemble else ENSEMBLE[1],
        "available": provenance.available,
    }
    records = []
    for row in rows:
        known = {**shared, **row}
        for column in layout.columns:
            if not known.get(column):
                raise _lacking(layout.name, column)
        cells: dict[str, Any] = {column: known[column] for column in layout.columns}
        records.append(SubmittedScore(**cells))
    return Submission(layout, tuple(records))


def _rows(
    scores: Scores, system: SystemScores, metric: MetricInfo, level: str, provenance: Provenance
) -> Iterator[dict[str, object]]:
    """The columns that differ from line to line; those that are not known are left out."""
    documents = list(scores.documents)
    for place, text in enumerate(_texts(system, metric, level)):
        row: dict[str, object] = {"score": text}
        if level == "system":
            row["domain"] = ALL_DOMAINS
        elif level == "document":
            row["document"] = documents[place]
        else:
            row["segment"] = place + 1
            if provenance.documents is not None:
                row["document"] = provenance.documents[place]
            if provenance.domains is not None:
                row["domain"] = provenance.domains[place]
        yield row


def _texts(system: SystemScores, metric: MetricInfo, level: str) -> Iterator[str]:
    """A system's scores at a level as text, higher being better."""
    values = getattr(system, level)
    if metric.name not in values:
        return
    sign = 1.0 if metric.higher_is_better else -1.0
    found = values[metric.name]
    # Adding 0 turns -0.0, which nobody expects to read, into 0.0.
    for value in [found] if level == "system" else found.tolist():
        yield score_text(sign * value + 0.0)


def _lacking(form: str, column: str) -> OptionError:
    options = {
        "language_pair": "--pair",
        "reference": "--reference-name",
        "document": "--documents",
        "domain": "--domains",
    }
    name = column.replace("_", " ")
    return OptionError(
        "MP174",
        f"{form} needs the {name}.",
        hint=f"Give it with {options.get(column, '--' + column.replace('_', '-'))}.",
    )
