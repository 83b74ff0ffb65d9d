"""``metaphrase explain``: why a segment scored as it did."""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
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
from metaphrase.cli.output import check_output, print_lines, print_view
from metaphrase.corpus import Corpus
from metaphrase.defaults import DEFAULT_METRIC
from metaphrase.errors import InputError, OptionError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from metaphrase.metrics import Metric
    from metaphrase.report.page import ExplainedSegment
    from metaphrase.scoring import Scores

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
"""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "explain",
        help="show why a segment scored as it did",
        description="Show what would have to be repaired in a translation, and what each repair would gain.",
        epilog=EXAMPLES,
    )
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
    group.add_argument(
        "--compare",
        action="store_true",
        help="show why one of two systems scores higher than the other",
    )
    group.add_argument(
        "--details",
        action="store_true",
        help="show alignment, features and whatever else the metric says of itself, too",
    )
    group.add_argument(
        "--format",
        choices=("text", "json", "tsv", "html"),
        default="text",
        help="default: text; tsv has a row for each repair",
    )
    group.add_argument("-o", "--output", metavar="FILE", help="write there instead of the screen")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Explain the chosen segments with each metric."""
    from metaphrase.metrics.comparison import check_documents

    metrics = chosen_metrics(options, [DEFAULT_METRIC])
    check_output(options.output, described_files(options).paths)
    for metric in metrics:
        if not metric.explains():
            metric.explain("", "")  # says so
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
    explained: list[Explained] = []
    verdicts: list[str] = []
    for metric in metrics:
        scores = None if options.segment else _scores(options, corpus, metric)
        chosen = _named(options, corpus) if scores is None else _choose(options, scores, metric)
        explained += _explained(metric, corpus, chosen)
        if options.compare and scores is not None:
            verdicts += _verdict(scores, metric)
    if options.format != "text":  # where nobody may see what stands on the screen
        explained = _noted(explained, warned)
    if options.format == "html":
        from metaphrase.report.page import explained_page

        page = explained_page(
            corpus,
            [one for one, _ in explained],
            lang=options.language,
            compared=options.compare,
            verdict=" ".join(verdicts) or None,
        )
        print_lines([page.rstrip("\n")], options.output)
        return 0
    pairs = _pairs(explained) if options.compare else []
    if options.format == "json":
        records = [_contrast_record(*pair) for pair in pairs] or [
            _record(*one) for one in explained
        ]
        text = json.dumps(records, ensure_ascii=False, indent=1, allow_nan=False)
        print_lines([text], options.output)
    elif options.format == "tsv":
        print_lines(_repair_rows(one for one, _ in explained), options.output)
    else:
        views = [_contrast_view(*pair) for pair in pairs] or [
            _view(one, details=options.details) for one, _ in explained
        ]
        print_view([*_heading(verdicts), *_ruled(views)], options.output, folded=True)
    return 0


def _explained(
    metric: Metric, corpus: Corpus, chosen: Iterable[tuple[str, int]]
) -> Iterator[Explained]:
    """The explanations with every reference, and whether they count."""
    from metaphrase.report.page import ExplainedSegment

    explain = metric.explainer(corpus)
    for system, row in chosen:
        explanations = [explain(system, row, r) for r in range(len(corpus.references))]
        counted = _counted(metric, [explanation.score for explanation in explanations])
        for number, explanation in enumerate(explanations, 1):
            caption = ""
            if len(explanations) > 1:
                caption = f"reference {number} of {len(explanations)}"
                caption += _WEIGHT[metric.combines_references][number in counted]
            yield (
                ExplainedSegment(explanation, system, row, number - 1, caption),
                number in counted,
            )


def _verdict(scores: Scores, metric: Metric) -> Iterator[str]:
    """What a test says of both systems, if the metric scored any segment."""
    from metaphrase.report.dataset.verdict import Judged, verdict
    from metaphrase.scoring.ranking import rank_scores

    if scores.kept(metric.label).any():
        judged = Judged(scores.metrics[0], rank_scores(metric, scores))
        yield verdict([system.name for system in scores.systems], [judged]) or ""


def _heading(verdicts: Sequence[str]) -> list[RenderableType]:
    from rich.text import Text

    from metaphrase.report.terminal.columns import visible

    whole = (f"All segments: {verdict}" for verdict in verdicts)
    return [part for line in whole for part in (Text(visible(line), style="bold"), "")]


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


def _contrast_record(better: Explained, worse: Explained) -> dict[str, Any]:
    from metaphrase.metrics import contrast

    return {
        "better": better[0].system,
        "worse": worse[0].system,
        "segment": better[0].row + 1,
        "reference_number": better[0].reference + 1,
        "counts": [one.system for one, counts in (better, worse) if counts],
        **contrast(better[0].explanation, worse[0].explanation).to_dict(),
    }


def _contrast_view(better: Explained, worse: Explained) -> list[RenderableType]:
    from metaphrase.metrics import contrast
    from metaphrase.report import contrast_view

    (one, _), (other, _) = better, worse
    title = f"segment {one.row + 1}"
    if one.caption == other.caption:
        title += f", {one.caption}" if one.caption else ""
    else:  # each system has its own best reference
        title += f", {one.system}: {one.caption}; {other.system}: {other.caption}"
    return contrast_view(
        contrast(one.explanation, other.explanation),
        better=one.system,
        worse=other.system,
        title=title,
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
