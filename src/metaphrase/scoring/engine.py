"""Runs metrics over a corpus that may be larger than memory."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf
from time import monotonic

import numpy as np

from metaphrase.analysis.languages.corpus_check import LanguageCheck
from metaphrase.arrays import BoolArray, FloatArray, spread
from metaphrase.corpus import Corpus
from metaphrase.corpus.typographic_variants import VariantCheck
from metaphrase.defaults import DEFAULT_METRICS
from metaphrase.errors import InputError, OptionError
from metaphrase.metrics import Metric, Predictions, create
from metaphrase.metrics.comparison import check_documents, check_sources, first_without_document
from metaphrase.metrics.refusals import (
    OnError,
    Refusals,
    check_on_error,
    in_order,
    refused_everything,
    segment_scores,
    summaries,
)
from metaphrase.metrics.segment_statistics import segment_statistics, stacked
from metaphrase.metrics.signature import reference_count, spell
from metaphrase.scoring.cautions import cautions
from metaphrase.scoring.result import MetricInfo, Scores, SystemScores
from metaphrase.scoring.weights import Weight, check_weight, segment_weights, weighted_signature
from metaphrase.statistics.exact_sum import ExactSum
from metaphrase.threads import check_threads

LEVELS = ("system", "domain", "document", "segment")
#: Levels between a system and a segment, and the column of a corpus that says what is in them.
_GROUPS = {"domain": "domains", "document": "documents"}
#: Segments analysed and scored at a time. Small pieces show progress with slow metrics, large ones keep
#: threads busy with fast ones, so the size follows the time that a piece takes.
_SMALLEST, _LARGEST = 64, 4096
_SECONDS_PER_PIECE = 1.0


def score(
    corpus: Corpus | Iterable[Corpus],
    metrics: Sequence[str | Metric] = DEFAULT_METRICS,
    *,
    levels: Sequence[str] = ("system",),
    lang: str = "en",
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    keep_statistics: bool = False,
    most_cells: int | None = None,
    weight: Weight = "none",
    check_language: bool = True,
    on_error: OnError = "stop",
) -> Scores:
    """Score every system of ``corpus`` with every metric.

    ``corpus`` may be an iterable of pieces with the same systems, as the readers yield them: then memory
    holds one piece, and per segment only the scores that ``levels`` asks for. ``lang`` is for metrics given
    by name; without ``threads`` all cores are used. ``progress`` is called with the number of segments done
    after each piece. ``keep_statistics`` keeps what :func:`metaphrase.scoring.resample` needs: 8 bytes
    for each statistic of each segment, system and metric (BLEU has 10 of them, chrF 18, TER 2, TESLA-M 14);
    of more than ``most_cells`` segments, times systems, times metrics, none are kept after all.

    ``weight="length"`` counts each segment as often as its reference has words, in all scores but those of
    single segments; the signature says so. It is for metrics whose scores are means of segments (MP767).

    A metric that needs the whole corpus (``Metric.needs_whole_corpus``) is scored when all pieces have come.
    Then memory holds all texts and, at the end, their analysis for such metrics; ``progress`` is called after
    each system.

    ``check_language`` warns if texts do not look like the language of the metrics, or repeat the source.
    Warnings are in ``Scores.warnings``, too.

    ``on_error="skip"`` leaves a segment that a metric refuses out of all scores of that metric, for every
    system, as if the corpus did not have it: ``Scores.refusals`` says which and why, the score of the segment
    is NaN, and the signature has their number. A metric that refuses all segments is still an error (MP965).

    >>> corpus = Corpus({"old": ["a cat sat"], "new": ["a cat slept"]}, [["a cat slept"]])
    >>> scores = score(corpus, ["chrf", "ter"], levels=["system", "segment"])
    >>> scores
    <Scores systems=2 segments=1 references=1: old chrf 37.58 ter 33.33; new chrf 100.00 ter 0.00>
    >>> scores.best("ter"), scores.values(system="old", metric="ter", level="segment")
    (('new',), array([33.33333333]))
    """
    chosen = labelled_metrics(metrics, lang)
    wanted = _levels(levels)
    workers = check_threads(threads)
    check_on_error(on_error)
    check_weight(weight, chosen)
    run: _Run | None = None
    size = 8 * _SMALLEST
    if not isinstance(corpus, Iterable):
        raise InputError("MP513", f"a {type(corpus).__name__} cannot be scored: give a Corpus.")
    for piece in [corpus] if isinstance(corpus, Corpus) else corpus:
        if not isinstance(piece, Corpus):
            raise InputError("MP513", f"a {type(piece).__name__} cannot be scored: give a Corpus.")
        run = run or _Run(
            piece,
            chosen,
            wanted,
            (inf if most_cells is None else most_cells) if keep_statistics else 0,
            check_language,
            on_error == "skip",
            weight,
        )
        run.keep(piece)
        first = 0
        while first < len(piece):
            started = monotonic()
            run.add(piece[first : first + size], workers)
            first += size
            if progress is not None and run.segments_done:
                progress(run.segments_done)
            ideal = size * _SECONDS_PER_PIECE / max(monotonic() - started, 1e-6)
            size = int(min(max(ideal, size / 2, _SMALLEST), 2 * size, _LARGEST))
    if run is None:
        raise InputError("MP513", "there is nothing to score: no segments were given.")
    run.finish(workers, progress)
    run.warn()
    return run.result()


def labelled_metrics(metrics: Sequence[str | Metric], lang: str) -> dict[str, Metric]:
    """The metrics by what results call them: ``Metric.label``, or the specification if labels clash."""
    given = [metrics] if isinstance(metrics, str | Metric) else metrics
    if not isinstance(given, Iterable) or not all(isinstance(m, str | Metric) for m in given):
        raise OptionError("MP514", "metrics are a list of names or Metric objects.")
    chosen = [create(m, lang=lang) if isinstance(m, str) else m for m in given]
    if not chosen:
        raise OptionError("MP514", "no metric was asked for.")
    languages: dict[str, list[str]] = {}
    for metric in chosen:
        languages.setdefault(metric.label, []).append(metric.lang)
    labelled: dict[str, Metric] = {}
    for metric in chosen:
        namesakes = languages[metric.label]
        # A name of a file in it must not end the line of a table.
        label = metric.label if len(namesakes) == 1 else spell(metric.specification)
        if len(set(namesakes)) > 1:
            label += f":lang={metric.lang}"
        if label in labelled:
            raise OptionError("MP515", f"the metric {label!r} was asked for twice.")
        labelled[label] = metric
    return labelled


def _levels(levels: Sequence[str]) -> frozenset[str]:
    given = [levels] if isinstance(levels, str) else list(levels)
    unknown = [level for level in given if level not in LEVELS]
    if unknown or not given:
        raise OptionError(
            "MP512",
            f"there is no level {unknown[0]!r}." if unknown else "no level was asked for.",
            hint=f"Levels are {', '.join(LEVELS)}.",
        )
    return frozenset(given)


class _Run:
    """What is kept between pieces: sums, and segment scores and statistics if they are wanted."""

    def __init__(
        self,
        first: Corpus,
        metrics: dict[str, Metric],
        levels: frozenset[str],
        most_cells: float,
        check_language: bool,
        skip: bool,
        weight: Weight,
    ) -> None:
        for level, column in _GROUPS.items():
            if level in levels and getattr(first, column) is None:
                raise InputError(
                    "MP516",
                    f"{level} scores need {level} ids, and the corpus has none.",
                    hint=f"Give them with --{column}, or a {level} column.",
                )
        for metric in metrics.values():
            check_documents(first, metric)
            check_sources(first, metric)
        self.segments = 0
        self._metrics = metrics
        self._whole = {label: m for label, m in metrics.items() if m.needs_whole_corpus}
        self._piecewise = {label: m for label, m in metrics.items() if label not in self._whole}
        self._kept: list[Corpus] = []
        self._levels = levels
        self._systems = tuple(first.systems)
        self._references = len(first.references)
        #: How many references segments have, in any of the pieces; and the columns that are not empty.
        self._reference_counts: set[int] = set()
        self._present: set[int] = set()
        self._has = {level: getattr(first, column) is not None for level, column in _GROUPS.items()}
        self._weight = weight
        # First of all, because it fails if anything is missing that a metric needs.
        self._infos = tuple(
            MetricInfo(
                label,
                weighted_signature(str(metric.signature(self._references)), weight),
                metric.higher_is_better,
                metric.bounds,
                preferences=metric.preferences,
                decimals=metric.decimals,
            )
            for label, metric in metrics.items()
        )
        keys = [(system, label) for system in self._systems for label in metrics]
        self._totals = {key: ExactSum() for key in keys}
        #: By level: the segments of each group, and the group of each segment.
        self._groups: dict[str, dict[str, int]] = {level: {} for level in _GROUPS}
        self._segment_groups: dict[str, list[str]] = {level: [] for level in _GROUPS}
        self._segment_ids: list[str] = []
        self._group_totals: dict[tuple[str, str, str, str], ExactSum] = {}
        self._segment_scores: dict[tuple[str, str], list[FloatArray]] = {key: [] for key in keys}
        self._most_kept = most_cells / (len(self._systems) * len(metrics))
        self._statistics: dict[tuple[str, str], list[FloatArray]] = {key: [] for key in keys}
        languages = [metric.lang for metric in metrics.values()]
        self._language_check = LanguageCheck(languages) if check_language else None
        self._byte_exact = [label for label, metric in metrics.items() if not metric.normalise]
        self._variant_check = VariantCheck()
        self._warnings: list[str] = []
        self._refusals = Refusals() if skip else None
        #: Segments of groups that a metric refused, by the level, its label and the group.
        self._refused_of: dict[str, dict[tuple[str, str], int]] = {level: {} for level in _GROUPS}

    def add(self, piece: Corpus, threads: int) -> None:
        """Score one piece and add it up."""
        has = {level: getattr(piece, column) is not None for level, column in _GROUPS.items()}
        if (tuple(piece.systems), has) != (self._systems, self._has):
            raise InputError(
                "MP517", "the pieces of the corpus differ in systems, documents or domains."
            )
        self._references = max(self._references, len(piece.references))
        self._reference_counts |= piece.reference_counts
        self._present |= {
            number
            for number, column in enumerate(piece.references, 1)
            if any(text is not None for text in column)
        }
        if self.segments + len(piece) > self._most_kept:
            self._most_kept = 0
            for tables in self._statistics.values():
                tables.clear()
        for _ in self._score(piece, self._piecewise, threads, self.segments):
            pass
        if self._language_check is not None:
            self._language_check.watch(piece)
        if self._byte_exact:
            self._variant_check.watch(piece)
        for level, column in _GROUPS.items():
            if (names := getattr(piece, column)) is not None:
                self._add_names(level, names)
        if piece.ids is not None and "segment" in self._levels:
            self._segment_ids.extend(piece.ids)
        self.segments += len(piece)

    def _add_names(self, level: str, names: Sequence[str]) -> None:
        """Count the segments of each document or domain, and remember where each segment is."""
        if level in self._levels:
            if (row := first_without_document(names)) is not None:
                raise InputError(
                    "MP516",
                    f"segment {self.segments + row + 1} has an empty {level} id.",
                    hint=f"{level.capitalize()} scores need the id of each segment's {level}.",
                )
            counts = self._groups[level]
            for name in names:
                counts[name] = counts.get(name, 0) + 1
        if "segment" in self._levels or self._most_kept:
            self._segment_groups[level].extend(names)

    @property
    def segments_done(self) -> int:
        """Segments that some metric has scored."""
        return self.segments if self._piecewise else 0

    def keep(self, piece: Corpus) -> None:
        """Remember a piece for the metrics that need all of them."""
        if self._whole:
            self._kept.append(piece)

    def finish(self, threads: int, progress: Callable[[int], None] | None) -> None:
        """Score what could not be scored piece by piece."""
        if not self._whole:
            return
        corpus = self._kept[0] if len(self._kept) == 1 else Corpus.join(self._kept)
        self._kept.clear()
        rounds = len(self._whole) * len(self._systems)
        for number, _ in enumerate(self._score(corpus, self._whole, threads, 0), 1):
            if progress is not None:
                progress(max(self.segments_done, self.segments * number // rounds))

    def _score(
        self, piece: Corpus, metrics: Mapping[str, Metric], threads: int, first: int
    ) -> Iterator[tuple[str, str]]:
        """Score and add up, from segment ``first`` on; yields the system and the label of what is done."""
        weights = segment_weights(piece, self._weight)
        for key, found in segment_statistics(
            piece, metrics, threads=threads, first=first, refusals=self._refusals
        ):
            statistics = found if weights is None else found * weights[:, None]
            metric = metrics[key[1]]
            kept = np.ones(len(piece), dtype=np.bool_)
            if self._refusals is not None:
                kept = self._refusals.kept(key[1], first, len(piece))
            if kept.any():
                self._totals[key].add(statistics[kept])
            if first + len(piece) <= self._most_kept:
                self._statistics[key].append(statistics)
            if "segment" in self._levels:
                self._segment_scores[key].append(segment_scores(metric, found, kept))
            for level, column in _GROUPS.items():
                if level in self._levels:
                    self._add_groups(level, getattr(piece, column), key, statistics, kept)
            yield key

    def _add_groups(
        self,
        level: str,
        column: Sequence[str],
        key: tuple[str, str],
        statistics: FloatArray,
        kept: BoolArray,
    ) -> None:
        system, metric = key
        refused_of = self._refused_of[level]
        names, places = np.unique(np.array(column, dtype=object), return_inverse=True)
        ends = np.cumsum(np.bincount(places))
        for name, rows in zip(names.tolist(), np.split(np.argsort(places), ends[:-1]), strict=True):
            scored = rows[kept[rows]]
            if len(scored):
                total = self._group_totals.setdefault((level, system, metric, name), ExactSum())
                total.add(statistics[scored])
            if len(scored) < len(rows) and system == self._systems[0]:
                refused = refused_of.get((metric, name), 0)
                refused_of[metric, name] = refused + len(rows) - len(scored)

    def warn(self) -> None:
        """Say what readers must know of the scores, when all of them are there."""
        refused = self._refusals or Refusals()
        counts = {label: refused.count(label) for label in self._metrics if refused.count(label)}
        for label, count in counts.items():
            if count == self.segments:
                raise refused_everything(label, self.segments, refused.found)
        self._warnings += summaries(counts, self.segments, refused.found)
        if absent := sorted(set(range(1, self._references + 1)) - self._present):
            plural = "s" if len(absent) > 1 else ""
            self._warnings.append(
                f"reference{plural} {', '.join(map(str, absent))}: no segment has such a reference."
            )
        totals = {
            label: {system: self._totals[system, label].value() for system in self._systems}
            for label in self._metrics
        }
        if self._language_check is not None:
            self._warnings += self._language_check.warnings()
        self._warnings += self._variant_check.warnings(self._byte_exact)
        self._warnings += cautions(self._metrics, totals)
        for warning in self._warnings:
            warnings.warn(warning, stacklevel=3)

    def result(self) -> Scores:
        """Turn the sums into scores."""
        refused = self._refusals or Refusals()
        count = reference_count(self._reference_counts)
        infos = [
            replace(
                info,
                signature=weighted_signature(
                    str(self._metrics[info.name].signature(count)), self._weight
                ),
            )
            for info in self._infos
        ]
        return Scores(
            metrics=tuple(info.without(refused.count(info.name)) for info in infos),
            systems=tuple(self._system(name) for name in self._systems),
            segments=self.segments,
            references=self._references,
            documents=self._groups["document"],
            segment_documents=tuple(self._segment_groups["document"]),
            segment_ids=tuple(self._segment_ids),
            warnings=tuple(self._warnings),
            refusals=in_order(refused.found, self._metrics),
            refused_of_documents=dict(self._refused_of["document"]),
            domains=self._groups["domain"],
            segment_domains=tuple(self._segment_groups["domain"]),
            refused_of_domains=dict(self._refused_of["domain"]),
        )

    def _system(self, system: str) -> SystemScores:
        totals: dict[str, float] = {}
        groups: dict[str, dict[str, FloatArray]] = {level: {} for level in _GROUPS}
        segments: dict[str, FloatArray] = {}
        statistics: dict[str, FloatArray] = {}
        for label, metric in self._metrics.items():
            key = (system, label)
            if "system" in self._levels:
                totals[label] = float(metric.score(self._totals[key].value()[None])[0])
            for level in _GROUPS:
                if level in self._levels:
                    groups[level][label] = self._group_scores(level, system, label, metric)
            if "segment" in self._levels:
                segments[label] = np.concatenate(self._segment_scores[key])
            if self._most_kept:
                statistics[label] = stacked(self._statistics[key])
        refused = self._refusals or Refusals()
        left = {label: self.segments - refused.count(label) for label in self._metrics}
        return SystemScores(
            system,
            totals,
            groups["document"],
            segments,
            statistics,
            domain=groups["domain"],
            predictions={
                "system": self._predictions(totals, {label: [n] for label, n in left.items()}),
                **{
                    level: self._predictions(groups[level], self._group_sizes(level))
                    for level in _GROUPS
                },
                "segment": self._predictions(segments, None),
            },
        )

    def _group_scores(self, level: str, system: str, label: str, metric: Metric) -> FloatArray:
        """The scores of all documents or domains; NaN where every segment was refused."""
        keys = [(level, system, label, name) for name in self._groups[level]]
        sums = [self._group_totals[key].value() for key in keys if key in self._group_totals]
        scored = np.array([key in self._group_totals for key in keys])
        return spread(metric.score(np.stack(sums)), scored)

    def _group_sizes(self, level: str) -> dict[str, list[int]]:
        """Segments of each document or domain that each metric has scored."""
        refused_of = self._refused_of[level]
        return {
            label: [n - refused_of.get((label, name), 0) for name, n in self._groups[level].items()]
            for label in self._metrics
        }

    def _predictions(
        self,
        scores: Mapping[str, float | FloatArray],
        segments: Mapping[str, Sequence[int]] | None,
    ) -> dict[str, Predictions]:
        """Where people's judgement lies, by the metrics that know, of means over so many segments, or one."""
        found = {}
        for label, given in scores.items():
            values = np.atleast_1d(given)
            sizes = np.ones(len(values)) if segments is None else np.array(segments[label], float)
            known = ~np.isnan(values)
            one = self._metrics[label].predict(values[known], sizes[known])
            if one is not None:
                found[label] = one if known.all() else one.spread(known)
        return found
