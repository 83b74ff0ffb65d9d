"""Which candidate is best: the one with the highest expected utility, or the closest to references.

With minimum Bayes risk (Kumar and Byrne, NAACL 2004; Eikema and Aziz, COLING 2020) a candidate's expected
utility is the weighted mean of its scores with all samples, as if each of them were the reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any, overload

import numpy as np

from metaphrase.arrays import FloatArray, Int32Array
from metaphrase.corpus.validation import is_listed
from metaphrase.defaults import DEFAULT_LANGUAGE, DEFAULT_METRIC
from metaphrase.errors import InputError, OptionError
from metaphrase.metrics import Metric, create
from metaphrase.metrics.refusals import OnError, check_on_error
from metaphrase.metrics.text_table import TextTable
from metaphrase.selection.candidates import Candidates, DistinctCandidates
from metaphrase.selection.concatenations import concatenations
from metaphrase.selection.expectation import candidate_means, finite, means_without_self
from metaphrase.selection.matrices import metric_of
from metaphrase.selection.pruning import by_confidence
from metaphrase.selection.refused_candidates import attempt, best_of_the_others
from metaphrase.selection.result import Selection
from metaphrase.threads import check_threads

#: Texts that are analysed together, and pairs whose scores are there at once.
_TEXTS = 2_048
_PAIRS = 1 << 20
#: Differences between expected scores, as shares of these, that say nothing.
_ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True)
class Chooser:
    """How to choose.

    metrics: whose scores are the utility
    shares: how much each metric counts; by default they are equal
    leave_self_out: whether a candidate is not compared with itself, but with its copies; given samples are
        not candidates
    aggregate: whether the score is that of summed statistics, not the mean of scores: for metrics of counts,
        and much faster
    confidence: candidates are dropped, as samples come in, that are best with less than 1 − confidence
    shortlist: how many candidates the metrics look at: those that are best by ``shortlist_by``
    keep: how many candidates are never dropped
    on_error: with ``skip`` candidates and samples that a metric refuses are left out of a sentence; if no
        other is left, the first candidate is taken

    Where there are references, they alone count: what is said about samples has no influence.
    """

    metrics: Sequence[Metric]
    shares: Sequence[float] | None = None
    leave_self_out: bool = False
    aggregate: bool = False
    confidence: float | None = None
    shortlist: int | None = None
    shortlist_by: Metric = field(default_factory=lambda: create("chrf"))
    keep: int = 1
    threads: int = 1
    on_error: OnError = "stop"

    def __post_init__(self) -> None:
        check_on_error(self.on_error)
        if not self.metrics:
            raise OptionError("MP514", "there is no metric to choose by.")
        for metric in (*self.metrics, self.shortlist_by):
            if not isinstance(metric, Metric):
                raise OptionError("MP514", f"{metric!r} is no metric.")
        check_threads(self.threads)
        self._check_shares()
        for name in ("shortlist", "keep"):
            number = getattr(self, name)
            if number is not None and (
                isinstance(number, bool) or not isinstance(number, int) or number < 1
            ):
                raise OptionError(
                    "MP847", f"{name} is {number!r}; it is a whole number of at least 1."
                )
        if self.aggregate and self.leave_self_out:
            raise OptionError(
                "MP839",
                "what is aggregated is the same for all candidates: leave_self_out does not go with it.",
            )
        if self.confidence is not None:
            self._check_confidence(self.confidence)

    def _check_shares(self) -> None:
        try:
            shares = self._shares
        except (TypeError, ValueError):
            shares = np.empty(0)
        if (
            shares.shape != (len(self.metrics),)
            or not np.isfinite(shares).all()
            or shares.min() < 0
        ):
            raise OptionError(
                "MP848", "the shares of metrics are a number of at least 0 for each of them."
            )
        if not shares.any():
            raise OptionError("MP848", "the shares of all metrics are 0.")

    def _check_confidence(self, confidence: float) -> None:
        if not isinstance(confidence, float) or not 0.5 <= confidence < 1:
            raise OptionError("MP847", f"confidence is {confidence!r}; it is from 0.5 to below 1.")
        if len(self.metrics) > 1 or self.leave_self_out or self.aggregate:
            raise OptionError(
                "MP839",
                "pruning by confidence is for one metric, without leave_self_out or aggregate.",
                hint="A shortlist goes with several metrics and with leave_self_out.",
            )
        if self.metrics[0].needs_whole_corpus:
            raise OptionError(
                "MP852",
                f"{self.metrics[0].label} looks at all samples, of which pruning sees some at a time.",
                hint="A shortlist goes with it.",
            )

    @property
    def _shares(self) -> FloatArray:
        shares = [1.0] * len(self.metrics) if self.shares is None else self.shares
        return np.asarray(shares, dtype=np.float64)

    def choose(self, sentences: Iterable[Candidates]) -> Iterator[Selection]:
        """One selection for each sentence, in their order; only a few sentences are held at a time."""
        waiting: list[tuple[Candidates, DistinctCandidates]] = []
        texts = 0
        for sentence in sentences:
            if not isinstance(sentence, Candidates):
                raise InputError("MP107", f"{type(sentence).__name__} is given, not Candidates.")
            waiting.append((sentence, sentence.distinct()))
            texts += len(waiting[-1][1].texts)
            if texts >= _TEXTS:
                yield from self._sifted(waiting)
                waiting, texts = [], 0
        yield from self._sifted(waiting)

    def _sifted(
        self, sentences: Sequence[tuple[Candidates, DistinctCandidates]]
    ) -> Iterator[Selection]:
        """The selections; if something is refused, halves are tried until its sentence stands alone."""
        if self.on_error == "stop":
            yield from self._choose(sentences)
            return
        found, _ = attempt(lambda: list(self._choose(sentences)), self.metrics)
        if found is not None:
            yield from found
        elif len(sentences) == 1:
            yield self._without_refused(sentences[0][0])
        else:
            middle = len(sentences) // 2
            yield from self._sifted(sentences[:middle])
            yield from self._sifted(sentences[middle:])

    def _without_refused(self, sentence: Candidates) -> Selection:
        """The best of the candidates that no metric refuses."""
        alone = Chooser(metrics=self.metrics, threads=self.threads)

        def choose(chooser: Chooser, some: Candidates) -> Selection:
            return next(chooser._choose([(some, some.distinct())]))

        return best_of_the_others(
            sentence, self.metrics, partial(choose, self), measure=partial(choose, alone)
        )

    def _choose(
        self, sentences: Sequence[tuple[Candidates, DistinctCandidates]]
    ) -> Iterator[Selection]:
        if not sentences:
            return
        tables = _Tables(sentences, self.threads)
        unwanted = [self._concatenated(sentence, distinct) for sentence, distinct in sentences]
        rows = self._looked_at(tables, unwanted)
        found = [self._utilities(tables, metric, rows) for metric in self.metrics]
        for number, (sentence, distinct) in enumerate(sentences):
            by_metric = np.stack([of_metric[number][0] for of_metric in found])
            utilities = self._mixed(by_metric)
            falling = utilities if self._rises else -utilities
            others = len(sentence.references) or len(distinct.samples)
            yield Selection(
                candidates=sentence,
                metrics=self.metrics,
                utilities=utilities,
                by_metric=by_metric,
                order=np.argsort(np.where(np.isnan(falling), np.inf, -falling), kind="stable"),
                pairs=max(of_metric[number][1] for of_metric in found),
                possible=(len(np.unique(distinct.candidates)) - len(unwanted[number])) * others,
                concatenated=frozenset(
                    np.flatnonzero(np.isin(distinct.candidates, unwanted[number])).tolist()
                ),
            )

    def _concatenated(self, sentence: Candidates, distinct: DistinctCandidates) -> Int32Array:
        """The rows of candidates that are others put together; a reference may well be one."""
        if sentence.references:
            return np.empty(0, dtype=np.int32)
        rows = np.unique(distinct.candidates)
        texts = [distinct.texts[row] for row in rows.tolist()]
        return rows[sorted(concatenations(texts, self.metrics[0].lang))]

    @property
    def _rises(self) -> bool:
        return len(self.metrics) > 1 or self.metrics[0].higher_is_better

    def _mixed(self, by_metric: FloatArray) -> FloatArray:
        """Of several metrics the weighted mean of standard scores: each has its own scale."""
        if len(self.metrics) == 1:
            return np.array(by_metric[0])
        shares = self._shares / self._shares.max()
        shares /= shares.sum()
        total = np.zeros(by_metric.shape[1])
        for metric, share, utilities in zip(self.metrics, shares, by_metric, strict=True):
            known = utilities[~np.isnan(utilities)]
            spread = float(np.std(known))
            # What differs by rounding alone does not differ.
            differs = spread > _ROUNDING * np.abs(known).max()
            standard = (utilities - known.mean()) / spread if differs else utilities * 0.0
            total += share * (standard if metric.higher_is_better else -standard)
        return total

    def _looked_at(self, tables: _Tables, unwanted: Sequence[Int32Array]) -> list[Int32Array]:
        """Of each sentence the rows that the metrics look at: all, or the best by the cheap metric.

        Candidates that are others put together are not looked at.
        """
        rows = [
            np.setdiff1d(distinct.candidates, without).astype(np.int32)
            for (_, distinct), without in zip(tables.sentences, unwanted, strict=True)
        ]
        if self.shortlist is None or max(map(len, rows)) <= self.shortlist:
            return rows
        metric = self.shortlist_by
        cheap = Chooser(metrics=[metric], leave_self_out=self.leave_self_out, threads=self.threads)
        found = cheap._utilities(tables, metric, rows)
        shortlists = []
        for (_, distinct), (utilities, _), looked_at in zip(
            tables.sentences, found, rows, strict=True
        ):
            best_first = np.argsort(
                -utilities if metric.higher_is_better else utilities, kind="stable"
            )
            texts = list(dict.fromkeys(distinct.candidates[best_first].tolist()))
            texts = texts[: min(self.shortlist, len(looked_at))]  # the others come last
            shortlists.append(np.sort(np.array(texts, dtype=np.int32)))
        return shortlists

    def _utilities(
        self, tables: _Tables, metric: Metric, rows: Sequence[Int32Array]
    ) -> list[tuple[FloatArray, int]]:
        """Of each sentence the expected scores, NaN but for ``rows``, and how many pairs were compared."""
        table = tables.of(metric)
        # Those of all sentences together: kernels are not called for a few pairs.
        of_pairs = self._expected(tables, table, rows)
        found: list[tuple[FloatArray, int]] = []
        for number, (sentence, distinct) in enumerate(tables.sentences):
            first, chosen = tables.firsts[number], rows[number]
            samples = distinct.samples + first
            pairs = 0
            by_row = np.full(len(distinct.texts), np.nan)
            if sentence.references:
                given = [
                    np.full(len(chosen), row, dtype=np.int32) for row in tables.references[number]
                ]
                by_row[chosen] = finite(table.scores(chosen + first, *given), metric)
                pairs = len(chosen) * len(given)
            elif self.aggregate:
                sums = table.summed(chosen + first, samples, distinct.mean_weights)
                by_row[chosen] = finite(metric.segment_score(sums), metric)
            elif self.confidence is not None:
                by_row[chosen], pairs = self._confident(table, chosen + first, samples, distinct)
            else:
                found.append((next(of_pairs), len(chosen) * len(samples)))
                continue
            found.append((by_row[distinct.candidates], pairs))
        return found

    def _confident(
        self, table: TextTable, rows: Int32Array, samples: Int32Array, distinct: DistinctCandidates
    ) -> tuple[FloatArray, int]:
        assert self.confidence is not None
        return by_confidence(
            lambda some, others: finite(table.matrix(rows[some], samples[others]), table.metric),
            len(rows),
            distinct.weights,
            confidence=self.confidence,
            keep=self.keep,
            rises=table.metric.higher_is_better,
        )

    def _expected(
        self, tables: _Tables, table: TextTable, rows: Sequence[Int32Array]
    ) -> Iterator[FloatArray]:
        """Weighted means of scores, of each sentence without references; copies have their own weights."""
        blocks, sides = [], []
        for number, (sentence, distinct) in enumerate(tables.sentences):
            if sentence.references:
                continue
            size = max(_PAIRS // len(distinct.samples), 1)
            first, chosen = tables.firsts[number], rows[number]
            parts = [chosen[start : start + size] for start in range(0, len(chosen), size)]
            blocks.append((distinct, parts))
            sides += [(part + first, distinct.samples + first) for part in parts]
        matrices = table.matrices(sides)
        for distinct, parts in blocks:
            utilities = np.full(len(distinct.candidates), np.nan)
            left_out = self.leave_self_out and distinct.are_samples
            copies = distinct.other_copies() if left_out else None
            for part in parts:
                members = np.flatnonzero(np.isin(distinct.candidates, part))
                scores = finite(next(matrices), table.metric)
                if copies is None:
                    means = candidate_means(distinct, part, members, scores)
                else:
                    means = means_without_self(distinct, part, members, scores, copies[members])
                utilities[members] = means
            yield utilities


class _Tables:
    """The texts of a few sentences, in a table for each metric that asks for one."""

    def __init__(
        self, sentences: Sequence[tuple[Candidates, DistinctCandidates]], threads: int
    ) -> None:
        self.sentences = sentences
        self._threads = threads
        self._texts: list[str] = []
        self._sources: list[str] = []
        self._made: dict[Metric, TextTable] = {}
        #: Where the texts of each sentence begin, and the rows of its references.
        self.firsts: list[int] = []
        self.references: list[range] = []
        for sentence, distinct in sentences:
            self.firsts.append(len(self._texts))
            self._texts += distinct.texts
            begin = len(self._texts)
            self._texts += sentence.references
            self.references.append(range(begin, len(self._texts)))
            self._sources += [sentence.source or ""] * (len(self._texts) - self.firsts[-1])

    def of(self, metric: Metric) -> TextTable:
        """The table of a metric, made when it is first asked for."""
        if metric not in self._made:
            table = metric.table(self._texts, threads=self._threads)
            if any(self._sources):
                table.sources = self._sources
            self._made[metric] = table
        return self._made[metric]


@overload
def select(
    candidates: Sequence[str] | Candidates,
    metrics: str | Metric | Sequence[str | Metric] = DEFAULT_METRIC,
    **options: Any,
) -> Selection: ...
@overload
def select(
    candidates: Sequence[Sequence[str] | Candidates],
    metrics: str | Metric | Sequence[str | Metric] = DEFAULT_METRIC,
    **options: Any,
) -> list[Selection]: ...
def select(
    candidates: Any,
    metrics: str | Metric | Sequence[str | Metric] = DEFAULT_METRIC,
    *,
    references: Sequence[Any] | None = None,
    samples: Sequence[Any] | None = None,
    weights: Sequence[Any] | None = None,
    lang: str = DEFAULT_LANGUAGE,
    shortlist_by: str | Metric = "chrf",
    threads: int | None = None,
    **options: Any,
) -> Selection | list[Selection]:
    """Choose the best candidate of a sentence, or of each of several.

    candidates: the texts to choose from; a list of such lists for several sentences; or :class:`Candidates`
    metrics: whose scores are the utility; several are mixed
    references: translations by people: the candidate that is closest to them is the oracle
    samples: what stands in for references; by default the candidates themselves
    weights: how much each sample counts; by default they are equal
    shortlist_by: the cheap metric of ``shortlist``

    ``shares``, ``leave_self_out``, ``aggregate``, ``confidence``, ``shortlist``, ``keep`` and ``on_error``
    are those of :class:`Chooser`, which also takes sentences one by one. For several sentences
    ``references``, ``samples`` and ``weights`` are lists of lists, too.

    >>> select(["the cat sat", "a cat sat", "the cat sits"], "chrf").text
    'the cat sat'
    """
    if isinstance(metrics, str | Metric):
        metrics = [metrics]
    elif not isinstance(metrics, Iterable):
        raise OptionError("MP514", "metrics are a list of names or Metric objects.")
    if isinstance(candidates, str) or not isinstance(candidates, Candidates | Sequence):
        raise InputError(
            "MP107",
            "candidates are a list of texts, or of such lists.",
            hint="Chooser.choose takes sentences one by one.",
        )
    unknown = options.keys() - {one.name for one in fields(Chooser)}
    if unknown:
        raise OptionError("MP853", f"select has no option {sorted(unknown)[0]!r}.")
    chooser = Chooser(
        metrics=[metric_of(metric, lang) for metric in metrics],
        shortlist_by=metric_of(shortlist_by, lang),
        threads=check_threads(threads),
        **options,
    )
    columns = {"references": references, "samples": samples, "weights": weights}
    given = {name: column for name, column in columns.items() if column is not None}
    if isinstance(candidates, Candidates) or all(isinstance(text, str) for text in candidates):
        return next(chooser.choose([_one(candidates, given, "")]))
    for name, value in given.items():
        number = len(value) if isinstance(value, Sized) else 0
        if not is_listed(value) or number != len(candidates):
            raise InputError(
                "MP855", f"there are {len(candidates)} sentences, and {name} of {number}."
            )
    sentences = (
        _one(texts, {name: value[i] for name, value in given.items()}, str(i + 1))
        for i, texts in enumerate(candidates)
    )
    return list(chooser.choose(sentences))


def _one(candidates: Any, given: dict[str, Any], name: str) -> Candidates:
    if isinstance(candidates, Candidates):
        if given:
            raise OptionError("MP853", f"Candidates bring their {', '.join(given)} along.")
        return candidates
    sentence = Candidates(texts=candidates, name=name, **given)
    if "references" in given and not sentence.references:
        raise InputError("MP850", f"{sentence.owner} has no reference.")
    return sentence
