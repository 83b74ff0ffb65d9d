"""``metaphrase meta FILE --spans``: error spans of metrics and files, compared with those of raters."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from metaphrase.cli.output import check_output, print_lines, print_view, progress_line
from metaphrase.defaults import DEFAULT_METRIC
from metaphrase.errors import InputError, OptionError
from metaphrase.languages import is_wanted

if TYPE_CHECKING:
    from metaphrase.corpus.ratings import Ratings
    from metaphrase.meta.predicted_spans import Marked
    from metaphrase.meta.spans import SpanAgreement

    _Progress = Callable[[str], None] | None

#: What is about scores, judges, or other files.
_SAY_NOTHING = (
    *(
        "judges",
        "key",
        "given",
        "measure",
        "level",
        "group_by",
        "variant",
        "threshold",
        "wins",
        "human",
    ),
    *("min_judgements", "segment_ids", "segment_order", "system_pattern", "unknown_systems"),
    *("differing_texts", "task", "submissions", "published"),
)


def add_span_arguments(parser: argparse.ArgumentParser) -> None:
    """``--spans``."""
    group = parser.add_argument_group("error spans")
    group.add_argument(
        "--spans",
        nargs="*",
        metavar="PREDICTED",
        help="compare error spans with those that raters marked in FILE: predicted ones of these files (JSON "
        "Lines of error spans, or anything with marked errors), those of metrics (-m; default without files: "
        f"{DEFAULT_METRIC}), and baselines",
    )


def check_span_options(options: argparse.Namespace) -> None:
    """Refuse options that say nothing about error spans, and what says something about them alone."""
    if options.spans is None:
        for name, value in (("by", "system"), ("format", "tsv")):
            if getattr(options, name) == value:
                raise OptionError(
                    "MP799", f"--{name} {value} is for error spans.", hint="Add --spans."
                )
        return
    for name in _SAY_NOTHING:
        if getattr(options, name) not in (None, False):
            raise OptionError(
                "MP799",
                f"--{name.replace('_', '-')} says nothing about error spans.",
                hint="Leave it out.",
            )
    if options.by == "domain" or options.on_error != "stop":
        name = "by domain" if options.by == "domain" else "on-error skip"
        raise OptionError(
            "MP799", f"--{name} says nothing about error spans.", hint="Leave it out."
        )
    if options.texts is not None and (options.references or len(options.texts) > 1):
        raise OptionError(
            "MP799",
            "--texts of error spans is one file, and in place of --references.",
            hint="Give the texts of ESA by --texts FILE, the references of MQM by --references FILE.",
        )


def run_spans(options: argparse.Namespace) -> int:
    """Read, predict, compare, print."""
    from metaphrase.meta.spans import by_system, span_agreement
    from metaphrase.report.terminal.span_view import span_json, span_tsv, span_view

    check_output(
        options.output,
        [*options.judgements, *options.spans, *(options.references or ()), *(options.texts or ())],
    )
    gold = [one for one in _gold(options) if is_wanted(one.language_pair, options.pairs)]
    if not gold:
        raise InputError(
            "MP784",
            f"there are no judgements of {' and '.join(options.pairs or ())}.",
            hint="The files have other language pairs only.",
        )
    tables: list[SpanAgreement] = []
    with progress_line() as progress:
        for one in gold:
            predicted, learned = _predicted(one, options, progress)
            for part in by_system(one) if options.by == "system" else [one]:
                tables.append(
                    span_agreement(
                        part,
                        predicted,
                        learned=learned,
                        resamples=options.resamples,
                        seed=options.seed,
                        threads=options.threads,
                        progress=progress,
                    )
                )
    if options.format == "json":
        print_lines([span_json(tables)], options.output)
    elif options.format == "tsv":
        print_lines(span_tsv(tables), options.output)
    else:
        print_view(span_view(tables), options.output)
    return 0


def _gold(options: argparse.Namespace) -> list[Ratings]:
    from metaphrase.corpus.formats.judged.mqm_weights import GOOGLE, read_weights
    from metaphrase.corpus.formats.registry import check_plain
    from metaphrase.corpus.lines import read_lines
    from metaphrase.corpus.opening import read_marked_errors

    references = options.references or ()
    check_plain(references)
    found = read_marked_errors(
        options.judgements,
        language_pair=options.language_pair,
        references=[read_lines(path) for path in references],
        texts=None if options.texts is None else options.texts[0],
        weights=GOOGLE if options.mqm_weights is None else read_weights(options.mqm_weights),
    )
    for one in found:
        if not one.language_pair:
            raise OptionError(
                "MP799",
                "--language-pair is missing.",
                path=one.path,
                hint="The file does not say it: name it, as de-en.",
            )
    return found


def _predicted(
    gold: Ratings, options: argparse.Namespace, progress: _Progress
) -> tuple[dict[str, Marked], list[str]]:
    """What was predicted, and by which metrics that have learned from this set."""
    from metaphrase.corpus.opening import read_marked_errors
    from metaphrase.meta import file_spans, metric_spans
    from metaphrase.meta.learned_sets import taught_names
    from metaphrase.meta.predicted_spans import target_language
    from metaphrase.metrics import create

    found: dict[str, Marked] = {}
    learned = []
    if options.spans:
        found |= file_spans(gold, read_marked_errors(options.spans))
    names = options.metrics or (() if options.spans else (DEFAULT_METRIC,))
    for name in names:
        metric = create(name, lang=target_language(gold))
        label = f"-m {metric.label}" if metric.label in found else metric.label
        if gold.name in taught_names(metric, gold.language_pair):
            learned.append(label)
        found[label] = metric_spans(
            gold,
            metric,
            threads=options.threads,
            progress=_telling(label, len(gold.items), progress),
        )
    return found, learned


def _telling(label: str, total: int, progress: _Progress) -> Callable[[int], None] | None:
    if progress is None:
        return None
    return lambda done: progress(f"{label}: {done:,} of {total:,} translations")
