"""``metaphrase gate``: red or green, by a team's rules, against a baseline."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from metaphrase.cli.arguments import (
    add_corpus_arguments,
    add_metric_arguments,
    add_on_error,
    add_threads,
    chosen_metrics,
    described_files,
    natural,
    regional_language,
)
from metaphrase.cli.command import command
from metaphrase.cli.gate.measuring import (
    checked_alone,
    choose_language,
    chosen_checking,
    measured,
    translations,
)
from metaphrase.cli.gate.outputs import FORMATS, check_outputs, printed, write_outputs
from metaphrase.cli.gate.rule_options import add_rule_arguments, chosen_rules
from metaphrase.cli.output import progress_bar, silence
from metaphrase.defaults import DEFAULT_METRICS
from metaphrase.errors import InputError, OptionError

if TYPE_CHECKING:
    from metaphrase.gate import Rules, Snapshot
    from metaphrase.metrics import Metric

EXAMPLES = """\
examples:
  metaphrase gate ref.txt -i new=old.txt --write-baseline baseline.json
  metaphrase gate ref.txt -i new=new.txt --baseline baseline.json --max-drop 1.0
  metaphrase gate reviewed.xlf -i new.xlf --baseline baseline.json
  metaphrase gate -i new.xlf --checks-only --baseline baseline.json
  metaphrase gate ref.txt -i new=new.txt --baseline baseline.json \\
      --rules metaphrase-gate.toml --junit gate.xml --markdown summary.md

exit codes:
  0 all rules hold, 1 a rule is broken, 2 unusable input or wrong usage,
  3 missing resource, 70 a bug of ours
"""
#: What errors of input exit with, since 1 says that a rule is broken.
UNUSABLE_INPUT = 2


@command(
    place=60,
    help="say red or green: did quality fall since the baseline?",
    description="Compare a system with what it was, and exit with 1 if a rule is broken.",
    epilog=EXAMPLES,
)
def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare its arguments."""
    add_corpus_arguments(parser)
    group = add_metric_arguments(
        parser,
        ["those of the rules, of the baseline, or", *DEFAULT_METRICS],
        "that of the baseline, or what a localisation file says, or en",
    )
    add_on_error(group)
    group = parser.add_argument_group("baseline")
    group.add_argument("--baseline", metavar="FILE", help="what was before")
    group.add_argument(
        "--write-baseline",
        metavar="FILE",
        help="remember the system as it is; beside --baseline only if all rules hold",
    )
    group.add_argument(
        "--no-texts",
        dest="with_texts",
        action="store_false",
        help="write hashes and scores only, without the texts",
    )
    group.add_argument(
        "--rescore",
        action="store_true",
        help="score the texts of the baseline again, if it has another signature",
    )
    add_rule_arguments(parser)
    group = parser.add_argument_group(
        "checks", "Translations with sources are checked, too; rules say which findings are red."
    )
    group.add_argument(
        "--no-checks", dest="checks", action="store_false", help="leave them out: scores alone"
    )
    group.add_argument(
        "--checks-only",
        action="store_true",
        help="leave scores out: a localisation file after -i needs no reference then",
    )
    group.add_argument(
        "--glossary",
        action="append",
        default=[],
        metavar="FILE",
        help="terms to be used: TBX, or a table of source and target; again for another one",
    )
    group.add_argument(
        "--source-language",
        type=regional_language,
        default="",
        metavar="LANG",
        help="of texts that do not say it",
    )
    group = parser.add_argument_group("output")
    group.add_argument(
        "--format",
        choices=FORMATS,
        default="text",
        metavar="FORMAT",
        help=f"what is printed: {', '.join(FORMATS)} (default: text)",
    )
    group.add_argument("-o", "--output", metavar="FILE", help="write there instead of the screen")
    for name, what in (
        ("junit", "JUnit's XML: each rule a test"),
        ("sarif", "SARIF 2.1.0: what is wrong beside the lines"),
        ("markdown", "a summary for a pull request"),
        ("report", "a page with both versions side by side"),
    ):
        group.add_argument(f"--{name}", metavar="FILE", help=f"also write {what}")
    group.add_argument(
        "--worst", type=natural, default=5, metavar="N", help="segments to show (default: 5)"
    )
    add_threads(group)
    parser.set_defaults(run=run, unusable_input=UNUSABLE_INPUT, language=None)


def run(options: argparse.Namespace) -> int:
    """Score, judge, write, and only then say how it went."""
    from metaphrase.gate import load_baseline

    rules = chosen_rules(options)
    check_outputs(options, [*described_files(options).paths, options.rules])
    baseline = None if options.baseline is None else load_baseline(options.baseline)
    _check_baseline(options, rules, baseline)
    units = translations(options)
    options.language = choose_language(options, baseline, units)
    checking = chosen_checking(options, rules)
    if options.checks_only:
        current = checked_alone(options, units, checking)
        return _judged(options, rules, baseline, current, [])
    before = [] if baseline is None else [m.specification for m in baseline.metrics.values()]
    metrics = chosen_metrics(options, rules.metrics or before or DEFAULT_METRICS)
    current = measured(options, metrics, units, checking)
    if baseline is not None and options.rescore:
        baseline = _rescored(baseline, metrics, current, options)
    return _judged(options, rules, baseline, current, metrics)


def _judged(
    options: argparse.Namespace,
    rules: Rules,
    baseline: Snapshot | None,
    current: Snapshot,
    metrics: list[Metric],
) -> int:
    from metaphrase.gate import judge, write_baseline

    try:
        verdict = judge(rules, baseline, current, metrics, threads=options.threads)
    except InputError as error:  # what can be wrong by now is the baseline
        raise error if options.baseline is None else error.at(options.baseline) from None
    pages = write_outputs(options, verdict, baseline, current, metrics, rules)
    if options.write_baseline is not None and verdict.passed:
        write_baseline(options.write_baseline, current, with_texts=options.with_texts)
        pages.append(options.write_baseline)
    try:
        printed(options, verdict, pages)
    except BrokenPipeError:
        # Whoever read our output has seen enough, and the verdict stands.
        silence(sys.stdout)
    return 0 if verdict.passed else 1


def _check_baseline(options: argparse.Namespace, rules: Rules, baseline: Snapshot | None) -> None:
    """Refuse what cannot be done with it before hours of work are lost."""
    from metaphrase.gate.snapshot import check_texts

    # The first of all baselines has nothing before it.
    compares = rules.needs_baseline and options.write_baseline is None
    for what, asked in (
        ("--report is", options.report is not None),
        ("--rescore is", options.rescore),
        ("the rules are", compares and baseline is None),
    ):
        if asked and baseline is None:
            raise OptionError(
                "MP912",
                f"{what} about what was before, and there is no baseline.",
                hint="Name it with --baseline FILE; --write-baseline FILE makes one.",
            )
        if asked and baseline is not None:
            try:
                check_texts(baseline)
            except InputError as error:
                raise error.at(options.baseline) from None


def _rescored(
    baseline: Snapshot, metrics: list[Metric], current: Snapshot, options: argparse.Namespace
) -> Snapshot:
    """The baseline with scores of today, if they were made otherwise."""
    from metaphrase.gate import rescored
    from metaphrase.gate.signatures import same_signature

    same = all(
        name in baseline.metrics
        and same_signature(baseline.metrics[name].signature, measured.signature)
        for name, measured in current.metrics.items()
    )
    if same:
        return baseline
    with progress_bar("scoring the baseline") as progress:
        return rescored(
            baseline,
            metrics,
            lang=options.language,
            threads=options.threads,
            progress=progress,
            on_error=options.on_error,
        )
