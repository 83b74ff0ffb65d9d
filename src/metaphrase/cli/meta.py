"""``metaphrase meta``: how far do metrics agree with people?"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from metaphrase.cli.inputs import available_cores, natural, positive
from metaphrase.cli.output import check_output, print_lines, print_view, progress_line
from metaphrase.errors import InputError

if TYPE_CHECKING:
    from metaphrase.corpus.judgements import Judgements

DEFAULT_METRICS = ("tesla-m", "bleu", "chrf")
EXAMPLES = """\
examples:
  metaphrase meta judgements.tsv -m tesla-m chrf bleu
  metaphrase meta rankings.jsonl.gz -m tesla-m chrf --variant wmt12 --pairs de-en fr-en
  metaphrase meta scores.tsv -m chrf bleu --measure acc-eq --group-by segment --format json
"""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "meta",
        help="measure how far metrics agree with human judgements",
        description="A table of metrics by language pairs, with clusters of those that do not differ.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "judgements", nargs="+", metavar="FILE", help="scores (TSV) or rankings (JSONL); gzip too"
    )
    parser.add_argument(
        "--judges",
        action="store_true",
        help="instead of metrics, measure how far judges agree (Cohen's kappa, on rankings)",
    )
    parser.add_argument("--pairs", nargs="+", metavar="LP", help="only these language pairs")
    group = parser.add_argument_group("metrics")
    group.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        action="extend",
        metavar="METRIC",
        help="NAME or NAME:option=value:… (default: tesla-m bleu chrf)",
    )
    group = parser.add_argument_group("measure (default: tau for rankings, pearson for scores)")
    group.add_argument(
        "--measure",
        metavar="NAME",
        help="pearson spearman kendall acc-eq tau darr consistency system-accuracy soft-accuracy",
    )
    group.add_argument("--level", default="segment", help="segment (default), document, system")
    group.add_argument("--group-by", default="none", help="none (default), segment, system")
    group.add_argument("--variant", default="wmt14", help="of tau: how ties count (default: wmt14)")
    group.add_argument("--threshold", type=float, default=25.0, help="of darr (default: 25)")
    group = parser.add_argument_group("significance")
    group.add_argument(
        "--resamples", type=natural, default=1000, metavar="N", help="default: 1000; 0: no tests"
    )
    group.add_argument("--seed", type=natural, default=12345, metavar="N", help="default: 12345")
    group = parser.add_argument_group("output")
    group.add_argument("--format", choices=("text", "json"), default="text")
    group.add_argument("-o", "--output", metavar="FILE", help="write there instead of the screen")
    group.add_argument("--threads", type=positive, default=available_cores(), metavar="N")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Score, measure, test, print."""
    from metaphrase.corpus.judgement_files import read_judgements
    from metaphrase.meta import Measure, agreement_table
    from metaphrase.report import agreement_json, agreement_view

    chosen = []
    for path in options.judgements:
        found = read_judgements(path)
        if len(options.judgements) == 1 and options.pairs:
            _check_pairs(options.pairs, list(found), path)
        chosen += [
            judged
            for pair, judged in found.items()
            if options.pairs is None or pair in options.pairs
        ]
    if not chosen:
        raise InputError("MP784", "no judgements are left.", hint="See --pairs.")
    check_output(options.output, options.judgements)
    if options.judges:
        return _judges(chosen, options)
    asked = (options.measure, options.level, options.group_by, options.variant)
    measure = None
    if asked != (None, "segment", "none", "wmt14"):
        usual = Measure.usual(chosen[0]).name
        measure = Measure(
            name=options.measure or usual,
            level=options.level,
            group_by=options.group_by,
            variant=options.variant,
            threshold=options.threshold,
        )
    with progress_line() as progress:
        table = agreement_table(
            chosen,
            options.metrics or DEFAULT_METRICS,
            measure=measure,
            resamples=options.resamples,
            seed=options.seed,
            threads=options.threads,
            progress=progress,
        )
    if options.format == "json":
        print_lines([agreement_json(table)], options.output)
    else:
        print_view(agreement_view(table), options.output)
    return 0


def _check_pairs(wanted: list[str], found: list[str], path: str) -> None:
    for pair in wanted:
        if pair not in found:
            raise InputError(
                "MP784",
                f"there are no judgements of {pair}.",
                path=Path(path),
                hint=f"The file has {', '.join(found)}.",
            )


def _judges(chosen: list[Judgements], options: argparse.Namespace) -> int:
    from metaphrase.meta import judge_agreement
    from metaphrase.report import judges_json, judges_view

    found = {(one.name, one.language_pair): judge_agreement(one) for one in chosen}
    if options.format == "json":
        print_lines([judges_json(found)], options.output)
    else:
        print_view(judges_view(found), options.output)
    return 0
