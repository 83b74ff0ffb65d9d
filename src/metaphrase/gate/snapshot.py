"""What is remembered of one run of one system: its scores, how they were made, and of which texts.

A baseline is a snapshot in a file, and a gate compares two of them, whatever came before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from math import isnan

import numpy as np

from metaphrase.arrays import BoolArray, FloatArray, one_line
from metaphrase.corpus import Corpus
from metaphrase.corpus.validation import ReferenceColumn, columns_of_segments
from metaphrase.errors import InputError, OptionError
from metaphrase.gate.groups import Level
from metaphrase.languages import known_language
from metaphrase.metrics import Metric
from metaphrase.scoring import OnError, Scores, score
from metaphrase.scoring.engine import labelled_metrics
from metaphrase.version import __version__

#: Hexadecimal digits of the hash of a text: 64 bits tell a million texts apart.
_DIGITS = 16


def text_hash(*texts: str) -> str:
    """A short hash of one text, or of several in their order."""
    digest = sha256()
    for text in texts:
        content = text.encode()
        digest.update(f"{len(content)}:".encode() + content)
    return digest.hexdigest()[:_DIGITS]


def joint_hash(hashes: Iterable[str]) -> str:
    """The hash of a column of texts, from those of its texts."""
    return sha256("\n".join(hashes).encode()).hexdigest()


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """One metric's numbers: a score for the system, a score and a row of statistics for each segment.

    ``specification`` is how the command line asks for the metric. Numbers of a segment that it refused are
    NaN, and the system's score knows nothing of it.
    """

    specification: str
    signature: str
    higher_is_better: bool
    bounds: tuple[float, float]
    system: float
    segment: FloatArray
    statistics: FloatArray

    __repr__ = one_line

    @property
    def digits(self) -> int:
        """Decimals to show, as in tables of scores."""
        low, high = self.bounds
        return 4 if high <= 1 or low == float("-inf") else 2

    @property
    def kept(self) -> BoolArray:
        """The segments that the metric did not refuse."""
        return np.asarray(~np.isnan(self.statistics).any(axis=1))

    def shown(self, value: float, sign: str = "") -> str:
        """A score as tables show it, where there is one; ``sign`` is ``+`` for a difference."""
        if isnan(value):
            return "—"
        text = f"{value:{sign}.{self.digits}f}"
        return text if float(text) else f"{0:.{self.digits}f}"


@dataclass(frozen=True, slots=True)
class SegmentFinding:
    """What a check found wrong with a segment."""

    code: str
    severity: str
    message: str


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts themselves, in columns; ``references`` has a column for each reference."""

    hypotheses: tuple[str, ...]
    references: tuple[ReferenceColumn, ...]
    sources: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Snapshot:
    """One run of one system; columns have an entry for each segment, in the order of the text.

    ``ids`` are those of a localisation file's units, if the texts came with any; hashes are of a segment's
    reference (of all of them together), hypothesis and source. ``findings`` is ``None`` where nothing was
    checked, and ``texts`` where they were left out; ``unscored`` are findings of units without a reference,
    by id, and ``checks`` says how they were made. ``lines`` says where each segment stands in its file, or
    ``unit_lines`` by id; neither is part of a baseline.
    """

    system: str
    language: str
    metrics: Mapping[str, Measured]
    reference_hashes: tuple[str, ...]
    hypothesis_hashes: tuple[str, ...]
    source_hashes: tuple[str, ...] | None = None
    ids: tuple[str, ...] | None = None
    documents: tuple[str, ...] | None = None
    domains: tuple[str, ...] | None = None
    texts: Texts | None = None
    findings: tuple[tuple[SegmentFinding, ...], ...] | None = None
    unscored: Mapping[str, tuple[SegmentFinding, ...]] = field(default_factory=dict)
    checks: str | None = None
    version: str = __version__
    lines: tuple[int, ...] | None = field(default=None, repr=False)
    unit_lines: Mapping[str, int] = field(default_factory=dict, repr=False)

    __repr__ = one_line

    def __len__(self) -> int:
        return len(self.reference_hashes)

    def line(self, row: int) -> int | None:
        """Where a segment stands in its file, if that is known."""
        if self.ids is not None:
            return self.unit_lines.get(self.ids[row])
        return None if self.lines is None else self.lines[row]

    def groups(self, level: Level) -> tuple[str, ...] | None:
        """The document or domain of each segment."""
        return self.documents if level == "document" else self.domains

    def name(self, row: int) -> str:
        """How people call a segment: by its id, or else by its number, from 1."""
        return str(row + 1) if self.ids is None else self.ids[row]

    @property
    def hashes(self) -> dict[str, str | None]:
        """Of all references, hypotheses and sources."""
        return {
            "references": joint_hash(self.reference_hashes),
            "hypotheses": joint_hash(self.hypothesis_hashes),
            "sources": None if self.source_hashes is None else joint_hash(self.source_hashes),
        }


def take_snapshot(
    corpus: Corpus,
    scores: Scores,
    metrics: Sequence[str | Metric],
    *,
    lang: str = "en",
    ids: Sequence[str] | None = None,
    findings: Sequence[Sequence[SegmentFinding]] | None = None,
    unscored: Mapping[str, Sequence[SegmentFinding]] | None = None,
    checks: str | None = None,
    lines: Sequence[int] | None = None,
    unit_lines: Mapping[str, int] | None = None,
) -> Snapshot:
    """What a gate remembers of the one system of ``corpus``.

    ``scores`` must come from ``score(corpus, metrics, levels=["system", "segment"], keep_statistics=True)``.

    >>> corpus = metaphrase.read("reference.txt", {"mine": "system-a.txt"})
    >>> scores = metaphrase.score(
    ...     corpus, ["chrf"], levels=["system", "segment"], keep_statistics=True
    ... )
    >>> snapshot = take_snapshot(corpus, scores, ["chrf"])
    >>> len(snapshot), round(snapshot.metrics["chrf"].system, 2)
    (12, 77.4)
    """
    check_one_system(corpus)
    ((system, hypotheses),) = corpus.systems.items()
    ids = corpus.ids if ids is None else ids
    check_ids(ids)
    chosen = labelled_metrics(metrics, lang)
    (numbers,) = scores.systems
    infos = {info.name: info for info in scores.metrics}
    missing = [
        label
        for label in chosen
        if not all(label in getattr(numbers, what) for what in ("system", "segment", "statistics"))
    ]
    if missing or scores.segments != len(corpus):
        raise OptionError(
            "MP755",
            "a gate needs system and segment scores of its corpus by its metrics, and their statistics.",
            hint='Score with levels=["system", "segment"] and keep_statistics=True.',
        )
    references = [segment.references for segment in corpus]
    return Snapshot(
        system=system,
        language=known_language(lang).tag,
        metrics={
            label: Measured(
                metric.specification,
                infos[label].signature,
                metric.higher_is_better,
                metric.bounds,
                numbers.system[label],
                numbers.segment[label],
                numbers.statistics[label],
            )
            for label, metric in chosen.items()
        },
        reference_hashes=tuple(text_hash(*texts) for texts in references),
        hypothesis_hashes=tuple(map(text_hash, hypotheses)),
        source_hashes=None if corpus.sources is None else tuple(map(text_hash, corpus.sources)),
        ids=None if ids is None else tuple(ids),
        documents=corpus.documents,
        domains=corpus.domains,
        texts=Texts(tuple(hypotheses), tuple(columns_of_segments(references)), corpus.sources),
        findings=None if findings is None else tuple(map(tuple, findings)),
        unscored={name: tuple(found) for name, found in (unscored or {}).items()},
        checks=checks,
        lines=None if lines is None else tuple(lines),
        unit_lines=unit_lines or {},
    )


def check_one_system(corpus: Corpus) -> None:
    """Refuse several systems, whose pasts a baseline does not have."""
    if len(corpus.systems) != 1:
        raise InputError(
            "MP911",
            f"{len(corpus.systems)} systems were given, and a gate judges one.",
            hint="Run it once for each system, with a baseline for each.",
        )


def check_texts(baseline: Snapshot) -> Texts:
    """The texts of a baseline, which it may lack."""
    if baseline.texts is None:
        raise InputError(
            "MP913",
            "The baseline has no texts to show or to score again.",
            hint="Write it without --no-texts.",
        )
    return baseline.texts


def rescored(
    baseline: Snapshot,
    metrics: Sequence[str | Metric],
    *,
    lang: str = "en",
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    on_error: OnError = "stop",
) -> Snapshot:
    """The same run with scores of today, made from its texts: for baselines of another signature."""
    texts = check_texts(baseline)
    corpus = Corpus(
        {baseline.system: texts.hypotheses},
        texts.references,
        sources=texts.sources,
        documents=baseline.documents,
        domains=baseline.domains,
        empty_references="keep",
    )
    scores = score(
        corpus,
        metrics,
        levels=["system", "segment"],
        lang=lang,
        threads=threads,
        progress=progress,
        keep_statistics=True,
        check_language=False,
        on_error=on_error,
    )
    again = take_snapshot(corpus, scores, metrics, lang=lang, ids=baseline.ids)
    kept = {name: getattr(baseline, name) for name in ("findings", "unscored", "checks", "version")}
    return replace(again, **kept)


def check_ids(ids: Sequence[str] | None) -> None:
    """Refuse an id that two segments have: nobody could say which of them came before."""
    seen: dict[str, int] = {}
    for row, name in enumerate(ids or ()):
        if name in seen:
            raise InputError(
                "MP906",
                f"the segments {seen[name] + 1} and {row + 1} have the same id, {name!r}.",
                hint="Ids must be distinct, since segments are joined by them.",
            )
        seen[name] = row
