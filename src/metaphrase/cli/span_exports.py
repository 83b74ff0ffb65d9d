"""``metaphrase explain --format spans`` and its like: errors marked in translations, for other programs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from metaphrase.cli.arguments import described_files
from metaphrase.cli.output import print_lines, progress_bar
from metaphrase.cli.refusals import say
from metaphrase.corpus import Corpus
from metaphrase.corpus.formats.score_text import is_language_pair
from metaphrase.errors import MetaphraseError, OptionError

if TYPE_CHECKING:
    from metaphrase.corpus.marked_translation import MarkedTranslation
    from metaphrase.corpus.opening.places import SegmentPlaces
    from metaphrase.metrics import Metric
    from metaphrase.metrics.repairs import MarkedSegment

#: Systems and rows.
Cells = Sequence[tuple[str, int]]

FORMATS = ("spans", "wmt-spans", "wmt-tsv", "pearmut", "its", "sarif")
#: Those that name the languages.
_OF_PAIRS = ("wmt-spans", "wmt-tsv", "its")
#: Those in which a translation, or a word, stands once.
_OF_ONE_METRIC = ("wmt-tsv", "pearmut", "its")
#: Segments whose errors are marked at a time.
_CHUNK = 64


def check_span_options(options: argparse.Namespace, metrics: Sequence[Metric]) -> None:
    """Refuse what the format cannot say, before anything is read."""
    form, pair = options.format, options.language_pair
    if options.compare or options.details:
        given = "--compare" if options.compare else "--details"
        raise OptionError(
            "MP535", f"--format {form} has nothing for {given}.", hint="Leave it out."
        )
    if form in _OF_PAIRS and pair is None:
        raise OptionError(
            "MP535",
            f"--format {form} names the languages of source and translation.",
            hint="Add them: --language-pair de-en.",
        )
    if pair is not None and not is_language_pair(pair):
        raise OptionError("MP162", f"{pair!r} is not a language pair.", hint="Write it like de-en.")
    if form in _OF_ONE_METRIC and len(metrics) > 1:
        raise OptionError(
            "MP535",
            f"--format {form} has the errors of one metric, and {len(metrics)} were asked for.",
            hint="Write a file for each.",
        )


def export_spans(
    options: argparse.Namespace, corpus: Corpus, chosen: Sequence[tuple[Metric, Cells]]
) -> None:
    """Write the errors that each metric marks in the translations chosen for it, as they are found."""
    files = described_files(options)
    first = files.corpus or next(iter(files.references), "texts")
    marked = (one for metric, cells in chosen for one in _marked(options, corpus, metric, cells))
    lines = _writers()[options.format](
        marked,
        name=Path(first).name.partition(".")[0] or "texts",
        pair=options.language_pair or "",
    )
    print_lines(lines, options.output)


def _writers() -> Mapping[str, Callable[..., Iterator[str]]]:
    from metaphrase.corpus.formats.judged.span_exports import esa_lines, span_lines, wmt_lines
    from metaphrase.corpus.formats.judged.span_sarif import sarif_lines
    from metaphrase.corpus.formats.units.xliff_issues import xliff_lines
    from metaphrase.sampling.exporting import prefilled_lines

    writers = (span_lines, esa_lines, wmt_lines, prefilled_lines, xliff_lines, sarif_lines)
    return dict(zip(FORMATS, writers, strict=True))


def _marked(
    options: argparse.Namespace, corpus: Corpus, metric: Metric, cells: Cells
) -> Iterator[MarkedTranslation]:
    """What one metric says of each translation; lines on a screen leave no room for its progress."""
    from metaphrase.corpus.opening.places import SegmentPlaces

    described = options.reference is None
    places = SegmentPlaces(described_files(options)) if described else None
    shown = options.output is not None or not sys.stdout or not sys.stdout.isatty()
    bar = progress_bar(f"{metric.label}: marking errors", total=lambda: len(cells))
    with bar if shown else nullcontext() as progress:
        for start in range(0, len(cells), _CHUNK):
            some = cells[start : start + _CHUNK]
            for cell, segment in _segments(options, corpus, metric, some, places):
                yield _translation(corpus, metric, cell, segment, places)
            if progress is not None:
                progress(start + len(some))


def _segments(
    options: argparse.Namespace,
    corpus: Corpus,
    metric: Metric,
    cells: Cells,
    places: SegmentPlaces | None,
) -> Iterator[tuple[tuple[str, int], MarkedSegment]]:
    """The errors of each; if one is rejected, it is named, and left out if that is what was asked for."""
    from metaphrase.metrics.refusals import reason

    sources = corpus.sources
    try:
        found = metric.marked_segments(
            [corpus.systems[system][row] for system, row in cells],
            [[column[row] for _, row in cells] for column in corpus.references],
            sources=None if sources is None else [sources[row] for _, row in cells],
        )
    except MetaphraseError as error:
        if reason(error, metric) is None:
            raise
        if len(cells) > 1:
            for cell in cells:
                yield from _segments(options, corpus, metric, [cell], places)
            return
        ((system, row),) = cells
        path, line = ("", None) if places is None else places.place(row, system)
        if options.on_error == "stop":
            raise error.at(path, line) if path and error.path is None else error from None
        where = f"{path}, " if path else ""
        say(f"{where}segment {row + 1} of {system}: skipped by {metric.label}: {error}")
        return
    yield from zip(cells, found, strict=True)


def _translation(
    corpus: Corpus,
    metric: Metric,
    cell: tuple[str, int],
    segment: MarkedSegment,
    places: SegmentPlaces | None,
) -> MarkedTranslation:
    from metaphrase.corpus.marked_translation import MarkedTranslation
    from metaphrase.corpus.ratings import Item

    system, row = cell
    texts = corpus[row]
    place = system, texts.document or "", texts.id or str(row + 1)
    path, line = ("", None) if places is None else places.place(row, system)
    return MarkedTranslation(
        Item(
            "\t".join(place),
            *place,
            source=texts.source or "",
            hypothesis=texts.hypotheses[system],
            references=texts.references,
        ),
        row,
        metric.label,
        segment.score,
        segment.percent,
        segment.errors,
        texts.domain or "",
        path,
        line,
        is_line=places is not None and places.is_plain,
    )
