"""``metaphrase meta``: how far do metrics agree with people?"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from metaphrase.cli.arguments import (
    add_language_check,
    add_metric_names,
    add_on_error,
    add_seed,
    add_threads,
    natural,
)
from metaphrase.cli.command import command
from metaphrase.cli.meta.given_scores import check_given, given_scores
from metaphrase.cli.meta.judgement_arguments import add_judgement_arguments, described_judgements
from metaphrase.cli.meta.rating_files import are_ratings, refuse_metrics, show_rating_agreement
from metaphrase.cli.meta.shared_task import add_task_arguments, check_task_options, run_task
from metaphrase.cli.meta.spans import add_span_arguments, check_span_options, run_spans
from metaphrase.cli.output import check_output, print_lines, print_view, progress_line
from metaphrase.corpus.opening import read_judgement_files
from metaphrase.defaults import DEFAULT_METRICS
from metaphrase.errors import InputError, OptionError
from metaphrase.languages import is_wanted, same_pair

if TYPE_CHECKING:
    from metaphrase.corpus.judgements import Judgements
    from metaphrase.meta import Measure

EXAMPLES = """\
examples:
  metaphrase meta judgements.tsv -m accord chrf bleu
  metaphrase meta rankings.jsonl.gz -m accord --variant wmt12 --pairs de-en
  metaphrase meta scores.tsv -m chrf --measure acc-eq --group-by segment
  metaphrase meta rankings.jsonl.gz -m cobalt chrf --wins
  metaphrase meta ad-seg-scores.csv --texts de-en.tsv --language-pair de-en
  metaphrase meta mqm_ende.tsv --references ref.txt --language-pair en-de
  metaphrase meta wmt15.de-en.csv --judges
  metaphrase meta judge-1.csv judge-2.csv --judges --key key.json
  metaphrase meta annotated.jsonl --spans predicted.jsonl -m accord chrf
  metaphrase meta wmt22 --pairs en-de --human mqm --references refA --given BLEU
  metaphrase meta wmt24 --task wmt24 -m chrf
"""


@command(
    place=110,
    help="measure how far metrics agree with human judgements",
    description="A table of metrics by language pairs, with clusters of those that do not differ.",
    epilog=EXAMPLES,
)
def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare its arguments."""
    parser.add_argument(
        "judgements",
        nargs="+",
        metavar="FILE",
        help="scores (TSV), rankings (JSONL) or files of WMT, gzip too; or a folder of mt-metrics-eval",
    )
    parser.add_argument(
        "--judges",
        action="store_true",
        help="instead of metrics, measure how far judges agree: Cohen's kappa on rankings; Krippendorff's "
        "alpha, quality control and time on what each of them said",
    )
    parser.add_argument(
        "--key", metavar="FILE", help="of --judges: the key.json that a sample was written with"
    )
    parser.add_argument("--pairs", nargs="+", metavar="LP", help="only these language pairs")
    group = add_metric_names(parser, DEFAULT_METRICS)
    add_language_check(group)
    add_on_error(group)
    add_judgement_arguments(parser)
    add_task_arguments(parser)
    add_span_arguments(parser)
    group = parser.add_argument_group("measure (default: tau for rankings, pearson for scores)")
    group.add_argument(
        "--measure",
        metavar="NAME",
        help="pearson spearman kendall acc-eq tau darr consistency system-accuracy soft-accuracy",
    )
    group.add_argument("--level", help="segment (default), document, system")
    group.add_argument("--group-by", help="none (default), segment, system")
    group.add_argument(
        "--by",
        choices=("domain", "system"),
        help="a table for each domain, where judgements have domains; of error spans, for each system",
    )
    group.add_argument("--variant", help="of tau: how ties count (default: wmt14)")
    group.add_argument("--threshold", type=float, help="of darr (default: 25)")
    group.add_argument(
        "--wins",
        nargs="?",
        const="all",
        choices=("all", "share"),
        help="compare systems by the share of segments in which they score best, instead of their scores; "
        "ties count for all systems (default) or are shared (default measure: pearson at level system)",
    )
    group = parser.add_argument_group("significance")
    group.add_argument(
        "--resamples", type=natural, default=1000, metavar="N", help="default: 1000; 0: no tests"
    )
    add_seed(group, "N")
    group = parser.add_argument_group("output")
    group.add_argument(
        "--format",
        choices=("text", "json", "tsv"),
        default="text",
        help="default: text; TSV is for error spans",
    )
    group.add_argument("-o", "--output", metavar="FILE", help="write there instead of the screen")
    add_threads(group)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Score, measure, test, print."""
    from metaphrase.meta import agreement_table
    from metaphrase.report import agreement_json, agreement_view

    check_span_options(options)
    if options.spans is not None:
        return run_spans(options)
    check_task_options(options)
    if options.task is not None:
        return run_task(options)
    check_given(options.given, options.judgements)
    if options.judges and are_ratings(options.judgements):
        return show_rating_agreement(options)
    if options.key is not None:
        raise OptionError(
            "MP785", "--key says something about judges of samples only.", hint="Leave it out."
        )
    files = described_judgements(options)
    found, test_sets = read_judgement_files(files)
    by_domain = options.by == "domain"
    given = {}
    if options.given is not None:
        given = given_scores(test_sets, options.given, by_domain=by_domain, level=options.level)
    chosen = _chosen(found, options.pairs or ())
    if by_domain:
        chosen = [part for one in chosen for part in one.by_domain().values()]
    check_output(options.output, files.paths)
    if options.judges:
        return _judges(chosen, options)
    with progress_line() as progress:
        table = agreement_table(
            chosen,
            options.metrics or (() if given else DEFAULT_METRICS),
            given=given,
            measure=_measure(chosen, options),
            resamples=options.resamples,
            seed=options.seed,
            threads=options.threads,
            progress=progress,
            check_language=options.check_language,
            on_error=options.on_error,
        )
    if options.format == "json":
        print_lines([agreement_json(table)], options.output)
    else:
        print_view(agreement_view(table), options.output)
    return 0


def _chosen(found: Sequence[Judgements], asked: Sequence[str]) -> list[Judgements]:
    """The judgements of the language pairs asked for, by default all."""
    pairs = [one.language_pair for one in found]
    for pair in asked:
        if not any(same_pair(pair, one) for one in pairs):
            raise InputError(
                "MP784",
                f"there are no judgements of {pair}.",
                hint=f"There are {', '.join(dict.fromkeys(pairs))}."
                if pairs
                else "The files have other language pairs only.",
            )
    chosen = [one for one in found if is_wanted(one.language_pair, asked)]
    names = [(one.name, one.language_pair) for one in chosen]
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                "MP784",
                f"judgements of {' '.join(name)} were given twice.",
                hint="Name files once.",
            )
    return chosen


def _measure(
    chosen: list[Judgements], options: argparse.Namespace
) -> Callable[[Judgements], Measure]:
    """The measure asked for, or for each data set the usual one with the options that it has."""
    from metaphrase.meta import Measure, options_of

    names = ("level", "group_by", "variant", "threshold", "wins")
    given = {n: getattr(options, n) for n in names if getattr(options, n) is not None}
    name = options.measure
    if options.wins is not None:
        name = name or "pearson"
        if "level" in options_of(name):
            given.setdefault("level", "system")
    if name is not None:
        measure = Measure(name=name, **given)
        return lambda _: measure
    usual = {Measure.usual(one).name for one in chosen}
    for name in given:
        if not any(name in options_of(measure) for measure in usual):
            raise OptionError(
                "MP781",
                f"{' and '.join(sorted(usual))} has no {name.replace('_', '-')}.",
                hint="Choose a --measure that has it.",
            )

    def suited(one: Judgements) -> Measure:
        name = Measure.usual(one).name
        return Measure(name=name, **{k: v for k, v in given.items() if k in options_of(name)})

    return suited


def _judges(chosen: list[Judgements], options: argparse.Namespace) -> int:
    from metaphrase.meta import judge_agreement
    from metaphrase.report import judges_json, judges_view

    refuse_metrics(options)
    found = {(one.name, one.language_pair): judge_agreement(one) for one in chosen}
    if options.format == "json":
        print_lines([judges_json(found)], options.output)
    else:
        print_view(judges_view(found), options.output)
    return 0
