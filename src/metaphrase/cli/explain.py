"""``metaphrase explain``: why a segment scored as it did."""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from metaphrase.cli.arguments import (
    add_corpus_arguments,
    add_metric_arguments,
    add_on_error,
    chosen_metrics,
    described_corpus,
    described_files,
    positive,
)
from metaphrase.cli.command import command
from metaphrase.cli.output import check_output, print_aside, print_lines, print_view, progress_bar
from metaphrase.cli.profile import add_profile
from metaphrase.cli.span_exports import FORMATS as SPAN_FORMATS
from metaphrase.cli.span_exports import check_span_options, export_spans
from metaphrase.cli.whole_comparison import SEGMENTS, WholeComparison, whole_comparison
from metaphrase.corpus import Corpus
from metaphrase.defaults import DEFAULT_METRIC
from metaphrase.errors import InputError, OptionError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from metaphrase.metrics import Explanation, Metric
    from metaphrase.report.page import ExplainedSegment
    from metaphrase.scoring import Scores
    from metaphrase.scoring.preference import RatersPreference

    #: An explanation, and whether its reference counts for the score.
    Explained = tuple[ExplainedSegment, bool]

#: What a reference has to do with the score of the segment, if it does not count and if it does.
_WEIGHT = {
    "mean": ("", ", averaged"),
    "best": (", not the best: ignored", ", the best: counts"),
    "joint": ("", ", by itself: all count together"),
}
EXAMPLES = """\
examples:
  metaphrase explain ref.txt -i system.txt               the worst segment
  metaphrase explain ref.txt -i a.txt b.txt --segment 7  segment 7 of both
  metaphrase explain ref.txt -i system.txt --details     how the metric sees it
  metaphrase explain ref.txt -i a.txt b.txt --compare    why one scores higher
  metaphrase explain --reference "the cat" --hypothesis "a feline" --format json
  metaphrase explain ref.txt -i system.txt --all --format spans -o errors.jsonl
"""


@command(
    place=20,
    help="show why a segment scored as it did",
    description="Show what would have to be repaired in a translation, and what each repair would gain.",
    epilog=EXAMPLES,
)
def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare its arguments."""
    texts = add_corpus_arguments(parser)
    texts.add_argument("--reference", metavar="TEXT", help="one reference, instead of files")
    texts.add_argument("--hypothesis", metavar="TEXT", help="one hypothesis, instead of files")
    add_on_error(add_metric_arguments(parser, [DEFAULT_METRIC]))
    group = parser.add_argument_group("output")
    which = group.add_mutually_exclusive_group()
    which.add_argument(
        "--segment",
        type=positive,
        nargs="+",
        metavar="N",
        help="segments to explain, counted from 1",
    )
    which.add_argument(
        "--worst",
        type=positive,
        default=1,
        metavar="K",
        help="the K worst segments of all systems (default: 1); with --compare those that differ most",
    )
    which.add_argument("--all", action="store_true", help="every segment of every system")
    group.add_argument(
        "--compare",
        action="store_true",
        help="show why one of two systems scores higher than the other: in all segments, then in single ones",
    )
    add_profile(
        group,
        of="with --compare: what makes the difference in all segments",
        default=f"{SEGMENTS}",
    )
    group.add_argument(
        "--details",
        action="store_true",
        help="show alignment, features and whatever else the metric says of itself, too",
    )
    group.add_argument(
        "--format",
        choices=("text", "json", "tsv", "html", *SPAN_FORMATS),
        default="text",
        metavar="FORMAT",
        help="text (default), json, html, or tsv with a row for each repair; and, with the places of errors, "
        "spans (JSON Lines), wmt-spans, wmt-tsv, pearmut, its (XLIFF) and sarif",
    )
    group.add_argument(
        "--language-pair",
        metavar="LP",
        help="of the texts, for formats with places of errors: de-en",
    )
    group.add_argument("-o", "--output", metavar="FILE", help="write there instead of the screen")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Explain the chosen segments with each metric."""
    from metaphrase.metrics.comparison import check_documents

    metrics = chosen_metrics(options, [DEFAULT_METRIC])
    check_output(options.output, described_files(options).paths)
    _check_effects(options)
    if options.format in SPAN_FORMATS:
        check_span_options(options, metrics)
    corpus = _corpus(options)
    if options.reference is not None:
        for metric in metrics:
            check_documents(
                corpus,
                metric,
                hint="Give files and --documents, or --corpus, instead of --reference and --hypothesis.",
            )
    if options.compare and len(corpus.systems) != 2:
        raise OptionError(
            "MP616",
            f"--compare takes two systems, not {len(corpus.systems)}.",
            hint="Give two files after -i.",
        )
    warned = _language_warnings(corpus, metrics) if options.check_language else []
    if options.format in SPAN_FORMATS:
        export_spans(
            options,
            corpus,
            [(metric, _chosen(options, corpus, metric)[0]) for metric in metrics],
        )
        return 0
    explained: list[Explained] = []
    wholes: list[WholeComparison] = []
    for metric in metrics:
        chosen, scores = _chosen(options, corpus, metric)
        explained += _explained(metric, corpus, chosen)
        if options.compare and scores is not None:
            wholes += whole_comparison(metric, corpus, scores, options.profile)
    if options.format != "text":  # where nobody may see what stands on the screen
        explained = _noted(explained, warned)
    if options.format == "html":
        from metaphrase.report.page import explained_page

        page = explained_page(
            corpus,
            [one for one, _ in explained],
            lang=options.language,
            compared=options.compare,
            verdict=" ".join(one.verdict for one in wholes if one.verdict) or None,
            profiles=[one.profile or one.note for one in wholes],
            preferences={
                str(metric.signature(1)): metric.preferences
                for metric in metrics
                if metric.preferences is not None
            },
        )
        print_lines([page.rstrip("\n")], options.output)
        return 0
    pairs = _pairs(explained) if options.compare else []
    signed = {str(metric.signature(1)): metric for metric in metrics}
    if options.format == "json":
        records: Any = [_record(*one) for one in explained]
        if options.compare:
            records = {
                "all_segments": [one.record() for one in wholes],
                "segments": [_contrast_record(signed, *pair) for pair in pairs],
            }
        text = json.dumps(records, ensure_ascii=False, indent=1, allow_nan=False)
        print_lines([text], options.output)
    elif options.format == "tsv":
        print_lines(_repair_rows(one for one, _ in explained), options.output)
    else:
        views = [_contrast_view(signed, *pair) for pair in pairs] or [
            _view(one, details=options.details) for one, _ in explained
        ]
        heading = [part for one in wholes for part in one.view()]
        print_view([*heading, *_ruled(views)], options.output, folded=True)
    return 0


def _check_effects(options: argparse.Namespace) -> None:
    """Refuse what would do nothing; formats with places of errors have a check of their own."""
    form, named = options.format, options.segment or options.all
    tsv = "--format tsv has a row for each repair"
    idle = [
        ("--compare", options.compare and form == "tsv", tsv),
        ("--details", options.details and form == "tsv", tsv),
        (
            "--details",
            options.details and options.compare and form in ("text", "json"),
            "--compare shows what differs",
        ),
        (
            "--profile",
            options.profile is not None and not options.compare,
            "it is of the difference that --compare explains",
        ),
        (
            "--profile",
            bool(options.profile) and named,
            "where segments are named, nothing is said of all of them",
        ),
        (
            "--language-pair",
            options.language_pair is not None and form not in SPAN_FORMATS,
            f"--format {form} names no languages",
        ),
    ]
    for option, given, why in idle:
        if given:
            raise OptionError("MP535", f"{option} has no effect: {why}.", hint="Leave it out.")


def _chosen(
    options: argparse.Namespace, corpus: Corpus, metric: Metric
) -> tuple[list[tuple[str, int]], Scores | None]:
    """Which segments of which systems, and the scores if these had to be asked for."""
    if options.segment:
        return list(_named(options, corpus)), None
    if options.all:
        return [(system, row) for row in range(len(corpus)) for system in corpus.systems], None
    scores = _scores(options, corpus, metric)
    return list(_choose(options, scores, metric)), scores


def _explained(
    metric: Metric, corpus: Corpus, chosen: Iterable[tuple[str, int]]
) -> Iterator[Explained]:
    """The explanations with every reference, and whether they count."""
    from metaphrase.report.page import ExplainedSegment

    cells = list(chosen)
    references_of = [corpus.references_of(row) for _, row in cells]
    places = [
        (*cell, reference)
        for cell, references in zip(cells, references_of, strict=True)
        for reference in references
    ]
    found = iter(_explanations(metric, corpus, places))
    for (system, row), references in zip(cells, references_of, strict=True):
        explanations = [next(found) for _ in references]
        counted = _counted(metric, [explanation.score for explanation in explanations])
        for number, (reference, explanation) in enumerate(
            zip(references, explanations, strict=True), 1
        ):
            caption = ""
            if len(explanations) > 1:
                caption = f"reference {reference + 1} of {len(corpus.references)}"
                caption += _WEIGHT[metric.combines_references][number in counted]
            yield (
                ExplainedSegment(explanation, system, row, reference, caption),
                number in counted,
            )


def _explanations(
    metric: Metric, corpus: Corpus, places: Sequence[tuple[str, int, int]]
) -> list[Explanation]:
    """All at once; before a metric that takes its time is asked, it is said how often it will be."""
    from metaphrase.metrics.guests.metric import GuestMetric

    def watched(scores: int, segments: int) -> AbstractContextManager[Callable[[int], None] | None]:
        if metric.pretrained or isinstance(metric, GuestMetric):
            print_aside(
                f"{metric.label}: {scores:,} scores for {segments:,} segment{'s' * (segments != 1)}"
            )
        return progress_bar(f"{metric.label}: repairing", "scores", total=lambda: scores)

    return metric.explainer(corpus).explain(places, watched=watched)


def _noted(explained: Sequence[Explained], notes: Sequence[str]) -> list[Explained]:
    """The same, with ``notes`` on the first explanation: once is enough."""
    (first, counts), *others = explained
    noted = replace(first.explanation, notes=(*notes, *first.explanation.notes))
    return [(replace(first, explanation=noted), counts), *others]


def _record(explained: ExplainedSegment, counts: bool) -> dict[str, Any]:
    return {
        "system": explained.system,
        "segment": explained.row + 1,
        "reference_number": explained.reference + 1,
        "counts": counts,
        **explained.explanation.to_dict(),
    }


def _repair_rows(explained: Iterable[ExplainedSegment]) -> Iterator[str]:
    """A row for each repair, with its places in both texts."""
    sides = ("hypothesis", "reference")
    places = (f"{side}_{what}" for side in sides for what in ("start", "end", "text"))
    yield "\t".join(
        ["system", "segment", "reference_number", "metric", "score", "kind", *places, "points"]
    )
    for one in explained:
        shown = one.explanation
        for repair in shown.repairs:
            spans = (getattr(repair, side) for side in sides)
            cells = [
                *(one.system, one.row + 1, one.reference + 1, shown.metric, shown.score),
                repair.kind,
                *(cell for span in spans for cell in (span.start, span.end, span.text)),
                repair.points,
            ]
            yield "\t".join(" ".join(str(cell).split()) for cell in cells)


def _view(one: ExplainedSegment, *, details: bool) -> list[RenderableType]:
    from metaphrase.report import explanation_view

    title = f"segment {one.row + 1}, system {one.system}"
    title += f", {one.caption}" if one.caption else ""
    return explanation_view(one.explanation, title=title, details=details)


def _ruled(views: Iterable[list[RenderableType]]) -> list[RenderableType]:
    """The views one below the other, with a line between them."""
    from rich.text import Text

    parts: list[RenderableType] = []
    for view in views:
        if parts:
            parts.append(Text("─" * 72, style="dim", no_wrap=True, overflow="crop"))
        parts += view
    return parts


def _pairs(explained: Iterable[Explained]) -> list[tuple[Explained, Explained]]:
    """Both systems' explanations by one metric with one reference, the better one first."""
    from metaphrase.metrics.explanation_contrast import ranks_first

    found: dict[tuple[str, int, int], list[Explained]] = {}
    for one in explained:
        segment = one[0]
        key = segment.explanation.signature, segment.row, segment.reference
        found.setdefault(key, []).append(one)
    return [
        (one, other) if ranks_first(one[0].explanation, other[0].explanation) else (other, one)
        for one, other, *_ in found.values()
    ]


def _contrast_record(
    metrics: Mapping[str, Metric], better: Explained, worse: Explained
) -> dict[str, Any]:
    from metaphrase.metrics import contrast

    raters = _raters(metrics, better[0], worse[0])
    return {
        "better": better[0].system,
        "worse": worse[0].system,
        "segment": better[0].row + 1,
        "reference_number": better[0].reference + 1,
        "counts": [one.system for one, counts in (better, worse) if counts],
        **contrast(better[0].explanation, worse[0].explanation).to_dict(),
        "raters": None if raters is None else raters.as_dict(),
    }


def _contrast_view(
    metrics: Mapping[str, Metric], better: Explained, worse: Explained
) -> list[RenderableType]:
    from metaphrase.metrics import contrast
    from metaphrase.report import contrast_view

    (one, _), (other, _) = better, worse
    title = f"segment {one.row + 1}"
    if one.caption == other.caption:
        title += f", {one.caption}" if one.caption else ""
    else:  # each system has its own best reference
        title += f", {one.system}: {one.caption}; {other.system}: {other.caption}"
    raters = _raters(metrics, one, other)
    return contrast_view(
        contrast(one.explanation, other.explanation),
        better=one.system,
        worse=other.system,
        title=title,
        raters=str(raters) if raters and raters.difference else "",
    )


def _raters(
    metrics: Mapping[str, Metric], one: ExplainedSegment, other: ExplainedSegment
) -> RatersPreference | None:
    """What raters would say of the two translations, if that is known; ``metrics`` are by signature."""
    from metaphrase.scoring.preference import preferred

    metric = metrics.get(one.explanation.signature)
    if metric is None:
        return None
    return preferred(
        metric.preferences,
        metric.label,
        (one.explanation.score, other.explanation.score),
        (one.system, other.system),
        higher_is_better=metric.higher_is_better,
    )


def _counted(metric: Metric, scores: Sequence[float]) -> Collection[int]:
    """The numbers, from 1, of the references that make the segment's score: all, or the first best one."""
    if metric.combines_references != "best":
        return range(1, len(scores) + 1)
    sign = 1.0 if metric.higher_is_better else -1.0
    return {1 + max(range(len(scores)), key=lambda r: sign * scores[r])}


def _language_warnings(corpus: Corpus, metrics: Sequence[Metric]) -> list[str]:
    """What is odd about the languages of the texts, said once for all metrics."""
    from metaphrase.analysis.languages.corpus_check import LanguageCheck

    check = LanguageCheck([metric.lang for metric in metrics])
    check.watch(corpus)
    found = check.warnings()
    for warning in found:
        warnings.warn(warning, stacklevel=2)
    return found


def _corpus(options: argparse.Namespace) -> Corpus:
    if options.reference is None and options.hypothesis is None:
        return Corpus.join(described_corpus(options))
    if options.reference is None or options.hypothesis is None:
        raise OptionError("MP604", "--reference and --hypothesis go together.")
    if any(described_files(options).paths):
        raise OptionError("MP604", "give either texts or files, not both.")
    return Corpus(
        {"hypothesis": [options.hypothesis]},
        [[options.reference]],
        empty_references=options.empty_references,
    )


def _named(options: argparse.Namespace, corpus: Corpus) -> Iterator[tuple[str, int]]:
    """The segments that were named, for every system."""
    for number in options.segment:
        if number > len(corpus):
            raise InputError(
                "MP605", f"there is no segment {number}: the corpus has {len(corpus)}."
            )
        yield from ((system, number - 1) for system in corpus.systems)


def _scores(options: argparse.Namespace, corpus: Corpus, metric: Metric) -> Scores:
    from metaphrase.scoring import score

    return score(
        corpus,
        [metric],
        levels=["system", "segment"],
        keep_statistics=options.compare,
        check_language=False,
        on_error=options.on_error,
    )


def _choose(
    options: argparse.Namespace, scores: Scores, metric: Metric
) -> Iterator[tuple[str, int]]:
    """The worst segments of all systems; of two that are compared those on which they differ most."""
    import numpy as np

    kept = np.flatnonzero(scores.kept(metric.label)).tolist()
    sign = 1.0 if metric.higher_is_better else -1.0
    names = [system.name for system in scores.systems]
    columns = [
        scores.values(system=system, metric=metric.label, level="segment").tolist()
        for system in names
    ]
    if options.compare:
        rows = sorted(kept, key=lambda row: -abs(columns[0][row] - columns[1][row]))
        yield from ((name, row) for row in rows[: options.worst] for name in names)
        return
    ranked = sorted(
        (sign * column[row], row, number) for number, column in enumerate(columns) for row in kept
    )
    yield from ((names[number], row) for _, row, number in ranked[: options.worst])
