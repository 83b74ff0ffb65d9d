"""A table of metrics by data sets: how far each agrees with people, and which differences are real."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metaphrase.analysis.languages.corpus_check import LanguageCheck
from metaphrase.arrays import FloatArray, one_line
from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.judgements import TEXTS, Judgements
from metaphrase.errors import InputError, MetaphraseError, OptionError
from metaphrase.meta.judged_scores import JudgedScores, document_numbers, score_judged
from metaphrase.meta.learned_sets import LearnedSets
from metaphrase.meta.measures import Basis, Measure
from metaphrase.meta.refused_segments import left_out, refused_segments
from metaphrase.metrics import Metric, create
from metaphrase.metrics.refusals import OnError, check_on_error, reason
from metaphrase.presentation import present
from metaphrase.statistics.clusters import significance_clusters
from metaphrase.statistics.grouping import average
from metaphrase.statistics.resampling import RESAMPLES, SEED

#: Finds scores that were computed before, or computes them.
Scorer = Callable[[Judgements, Metric], JudgedScores]
#: Finds scores that a data set brings along; None if it has none.
Given = Callable[[Judgements], JudgedScores | None]
#: At most this p-value is a significant difference.
LEVEL = 0.05
#: Metrics and data sets that a short form of the table has room for.
_SHOWN = 3


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One data set and language pair; arrays and tuples have an entry per metric.

    ``value`` is NaN where a metric cannot score the language or the measure is undefined; then ``reasons``
    say why. ``cluster`` is 1 for the best metrics and those that do not differ from them significantly, 0
    where nothing was tested. ``basis`` is how much was judged. Signatures are those of what ran on this
    data: tokens and numbers of references differ by language pair.
    """

    data: str
    language_pair: str
    measure: str
    value: FloatArray
    cluster: NDArray[np.intp]
    basis: Basis | None = None
    signatures: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    #: Segments that a metric refused, and that are left out for all metrics.
    skipped: int = 0
    #: Whether the metric says that it has learned from these judgements.
    learned: tuple[bool, ...] = ()

    __repr__ = one_line


@dataclass(frozen=True, slots=True, eq=False)
class AgreementTable:
    """Rows are metrics as they were asked for; ``warnings`` are what is odd about the texts.

    ``pretrained`` are those of the metrics that ask a pretrained network.

    >>> judgements = metaphrase.meta.read_judgements("judgements.tsv").values()
    >>> table = metaphrase.meta.agreement_table(list(judgements), ["bleu", "chrf"], resamples=0)
    >>> table
    <AgreementTable metrics=2 columns=2 of example: bleu 0.784 0.933; chrf 0.873 0.922>
    """

    metrics: tuple[str, ...]
    columns: tuple[Column, ...]
    warnings: tuple[str, ...] = ()
    pretrained: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """One line: how many metrics on which data, and the values of the first ones."""
        data = ", ".join(dict.fromkeys(column.data for column in self.columns))
        shown = [
            " ".join([name, *(f"{column.value[row]:.3f}" for column in self.columns[:_SHOWN])])
            for row, name in enumerate(self.metrics[:_SHOWN])
        ]
        rest = ["…"] if len(self.metrics) > _SHOWN else []
        counts = f"metrics={len(self.metrics)} columns={len(self.columns)}"
        return f"<AgreementTable {counts} of {data}: {'; '.join([*shown, *rest])}>"

    def _repr_html_(self) -> str:
        """Tables, for notebooks."""
        return str(present(self, "html"))

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame`` with a row for each metric and data set."""
        return present(self, "data_frame")

    def by_measure(self) -> list[list[Column]]:
        """The columns of each data set and measure together."""
        groups: dict[tuple[str, str], list[Column]] = {}
        for column in self.columns:
            groups.setdefault((column.data, column.measure), []).append(column)
        return list(groups.values())

    def signatures(self) -> dict[str, dict[str, list[Column]]]:
        """Of each metric, by what signatures it ran, and on which columns by each of them."""
        found: dict[str, dict[str, list[Column]]] = {}
        for row, name in enumerate(self.metrics):
            columns: dict[str, list[Column]] = {}
            for column in self.columns:
                if column.signatures and column.signatures[row]:
                    columns.setdefault(column.signatures[row], []).append(column)
            found[name] = columns
        return found

    def learned(self) -> list[str]:
        """Each metric that has learned from test sets that it is measured on, with these."""
        found: dict[tuple[str, str], dict[str, None]] = {}
        for row, name in enumerate(self.metrics):
            for column in self.columns:
                if column.learned and column.learned[row]:
                    found.setdefault((name, column.data), {})[column.language_pair] = None
        return [f"{name} on {data} ({', '.join(pairs)})" for (name, data), pairs in found.items()]

    def undefined(self) -> list[str]:
        """Why values are missing: each reason once, behind the metrics and the data that it is true of."""
        found: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
        for row, name in enumerate(self.metrics):
            for column in self.columns:
                if column.reasons and (reason := column.reasons[row]):
                    names, places = found.setdefault(reason, ({}, {}))
                    names[name] = None
                    places[f"{column.data} {column.language_pair}"] = None
        return [
            f"{', '.join(names)} on {', '.join(places)}: {reason}"
            for reason, (names, places) in found.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and dictionaries for JSON; undefined values are null.

        The signature of a metric that ran by several is null; those of columns say which.
        """
        return {
            "metrics": [
                {"name": name, "signature": next(iter(found)) if len(found) == 1 else None}
                for name, found in self.signatures().items()
            ],
            "columns": [
                {
                    "data": column.data,
                    "language_pair": column.language_pair,
                    "measure": column.measure,
                    "values": _numbers(column.value),
                    "clusters": column.cluster.tolist(),
                    "basis": None if column.basis is None else asdict(column.basis),
                    "signatures": [signature or None for signature in column.signatures],
                    "reasons": [reason or None for reason in column.reasons],
                    "skipped": column.skipped,
                    "learned_from_this_set": list(column.learned),
                }
                for column in self.columns
            ],
            "means": [
                {
                    "data": columns[0].data,
                    "measure": columns[0].measure,
                    "values": _numbers(mean_over(columns)),
                }
                for columns in self.by_measure()
            ],
            "pretrained": list(self.pretrained),
            "warnings": list(self.warnings),
        }


def mean_over(columns: Sequence[Column]) -> FloatArray:
    """The plain mean over language pairs; NaN for a metric that lacks one, so that means compare."""
    rows = zip(*(column.value for column in columns), strict=True)
    return np.array([average(list(row), undefined="propagate") for row in rows])


def agreement_table(
    judgements: Sequence[Judgements],
    metrics: Sequence[str],
    *,
    measure: Callable[[Judgements], Measure] = Measure.usual,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
    scorer: Scorer | None = None,
    given: Mapping[str, Given] | None = None,
    progress: Callable[[str], None] | None = None,
    check_language: bool = True,
    on_error: OnError = "stop",
) -> AgreementTable:
    """Score every metric (a specification such as ``tesla-m:alpha=0.5``) on all ``judgements``.

    ``measure`` chooses for each data set, by default what suits its judgements. ``resamples`` is for the
    tests behind the clusters; 0 leaves them out, as does acc-eq over more pairs than can be calibrated in
    every resample. A metric that does not know a language has NaN there. ``given`` are more rows by name,
    with scores that exist already. ``check_language`` warns of texts that do not look like the language that
    they are said to be in. ``on_error="skip"`` leaves a segment out, for all metrics, of which one of them
    refuses a translation: metrics are compared on what all have scored. ``given`` scores of documents and
    systems stay what they are.

    >>> judgements = metaphrase.meta.read_judgements("judgements.tsv")["de-en"]
    >>> metaphrase.meta.agreement_table([judgements], ["bleu", "chrf"], resamples=100)
    <AgreementTable metrics=2 columns=1 of example: bleu 0.784; chrf 0.873>
    """
    found_by = given or {}
    names = [*metrics, *found_by]
    if not names:
        raise OptionError("MP514", "no metric was asked for.")
    for name in names:
        if names.count(name) > 1:
            raise OptionError(
                "MP515", f"the metric {name!r} was asked for twice.", hint="Name it once."
            )
    check_on_error(on_error)
    find = scorer or (lambda judged, metric: score_judged(judged, metric, threads=threads))
    columns = []
    warned = []
    learned_sets = LearnedSets(judgements)
    for judged in judgements:
        if check_language:
            warned += _language_warnings(judged)
        chosen = measure(judged)
        whole = judged

        def scores_of(judged: Judgements, whole: Judgements = whole) -> list[JudgedScores | str]:
            found: list[JudgedScores | str] = []
            for name in names:
                if progress is not None:
                    progress(f"{judged.name} {judged.language_pair} {name}")
                if name not in found_by:
                    found.append(_scores(judged, name, find))
                elif (given_there := found_by[name](whole)) is None:
                    found.append("The data set has no scores of it.")
                else:
                    found.append(_restricted(given_there, whole, judged))
            return found

        try:
            scores = scores_of(judged)
        except Exception as error:
            if on_error == "stop" or reason(error) is None:
                raise
            refused = _refused(judged, metrics, threads)
            warned += left_out(judged, refused)
            judged = judged.without({segment for some in refused.values() for segment in some})
            scores = scores_of(judged)
        column = agreement_column(
            judged, chosen, scores, resamples=resamples, seed=seed, threads=threads
        )
        columns.append(
            replace(
                column,
                skipped=len(whole.segments) - len(judged.segments),
                learned=tuple(
                    name not in found_by and _has_learned(whole, name, learned_sets)
                    for name in names
                ),
            )
        )
    for warning in warned:
        warnings.warn(warning, stacklevel=2)
    pretrained = tuple(name for name in metrics if _is_pretrained(name))
    return AgreementTable(tuple(names), tuple(columns), tuple(warned), pretrained)


def _is_pretrained(name: str) -> bool:
    try:
        return create(name).pretrained
    except MetaphraseError:  # scoring says why
        return False


def _refused(
    judged: Judgements, metrics: Sequence[str], threads: int | None
) -> dict[str, dict[int, str]]:
    """What each metric refuses, if it refuses anything; it is an error if nothing is left."""
    refused: dict[str, dict[int, str]] = {}
    for name in metrics:
        metric = _metric(judged, name)
        if isinstance(metric, str):
            continue
        found = refused_segments(judged, metric, threads=threads)
        if found:
            refused[name] = found
    everything = {segment for some in refused.values() for segment in some}
    if len(everything) == len(judged.segments):
        name, found = next(iter(refused.items()))
        raise InputError(
            "MP965",
            f"metrics refused all {len(everything):,} segments of {judged.name} {judged.language_pair}; "
            f"{name} did so with {', '.join(sorted(set(found.values())))}.",
            hint="Leave the metric out, or mend what it refuses.",
        )
    return refused


def _restricted(scores: JudgedScores, whole: Judgements, part: Judgements) -> JudgedScores:
    """Scores that exist already, of the segments that are left."""
    if len(whole.segments) == len(part.segments):
        return scores
    places = {name: place for place, name in enumerate(whole.segments)}
    segments = [places[name] for name in part.segments]
    numbers = document_numbers(whole)[segments]
    documents = list(dict.fromkeys(numbers[numbers >= 0].tolist()))
    return replace(
        scores, segment=scores.segment[:, segments], document=scores.document[:, documents]
    )


def _language_warnings(judged: Judgements) -> list[str]:
    """What is odd about the languages of the texts, by a part of them."""
    some = [text for text in judged.texts if text.references][:: max(1, len(judged.texts) // 200)]
    if not some:
        return []
    check = LanguageCheck([judged.target], option=None)
    check.watch(
        Corpus(
            {TEXTS: [text.hypothesis for text in some]},
            [[text.references[0] for text in some]],
            sources=[text.source for text in some],
            empty_references="keep",
        )
    )
    return [f"{judged.name} {judged.language_pair}: {warning}" for warning in check.warnings()]


def agreement_column(
    judged: Judgements,
    measure: Measure,
    scores: Sequence[JudgedScores | str | None],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
) -> Column:
    """What :func:`agreement_table` does for one data set, with scores that may come from anywhere.

    In place of scores there may be the reason why there are none.
    """
    found = [one if isinstance(one, JudgedScores) else None for one in scores]
    value = np.array([np.nan if s is None else measure(s, judged) for s in found])
    cluster = np.zeros(len(scores), dtype=np.intp)
    if resamples > 0 and measure.can_be_tested:
        cluster = _clusters(judged, measure, found, value, resamples, seed, threads)
    reasons = [one if isinstance(one, str) else "" for one in scores]
    for row in np.flatnonzero(np.isnan(value)).tolist():
        if (one := found[row]) is not None:
            reasons[row] = measure.why_undefined(one, judged)
    return Column(
        judged.name,
        judged.language_pair,
        measure.label,
        value,
        cluster,
        measure.basis(judged),
        tuple("" if one is None else one.signature for one in found),
        tuple(reasons),
    )


def _scores(judged: Judgements, specification: str, find: Scorer) -> JudgedScores | str:
    """The scores, or why there are none."""
    metric = _metric(judged, specification)
    return metric if isinstance(metric, str) else find(judged, metric)


def _metric(judged: Judgements, specification: str) -> Metric | str:
    """The metric in the language of the texts, or why it does not know that."""
    try:
        return create(specification, lang=judged.target)
    except OptionError as error:
        if error.code == "MP509":  # no analyser for the language
            return error.message
        raise


def _has_learned(judged: Judgements, specification: str, learned_sets: LearnedSets) -> bool:
    metric = _metric(judged, specification)
    return isinstance(metric, Metric) and learned_sets.taught(metric, judged)


def _clusters(
    judged: Judgements,
    measure: Measure,
    scores: Sequence[JudgedScores | None],
    value: FloatArray,
    resamples: int,
    seed: int,
    threads: int | None,
) -> NDArray[np.intp]:
    """Clusters of the metrics that have a value; 0 for others, and if there is nothing to compare."""
    cluster = np.zeros(len(scores), dtype=np.intp)
    defined = np.flatnonzero(~np.isnan(value))
    if len(defined) < 2:
        return cluster
    # One-sided p-values of "row is better than column"; only those are computed that clusters depend on.
    p_values = np.full((len(scores), len(scores)), np.nan)
    current: list[int] = []
    try:
        for item in defined[np.argsort(-value[defined], kind="stable")].tolist():
            for member in current:
                better, worse = scores[member], scores[item]
                if better is None or worse is None or value[member] <= value[item]:
                    continue
                p_values[member, item] = measure.p_value(
                    better, worse, judged, resamples=resamples, seed=seed, threads=threads
                )
                if p_values[member, item] <= LEVEL:
                    current = []
                    break
            current.append(item)
    except MetaphraseError as error:
        if (
            error.code == "MP749"
        ):  # too many pairs to calibrate again and again: values, no clusters
            return cluster
        raise
    chosen = np.ix_(defined, defined)
    cluster[defined] = significance_clusters(value[defined], p_values[chosen], level=LEVEL).rank
    return cluster


def _numbers(values: FloatArray) -> list[float | None]:
    return [None if np.isnan(value) else value for value in values.tolist()]
