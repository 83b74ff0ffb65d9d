"""Reading what judges said, and writing judgements of it."""

from __future__ import annotations

import argparse

from metaphrase.cli.output import check_output, print_aside, print_lines
from metaphrase.errors import InputError, OptionError


def add_import_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the results are, and what counts of them."""
    group = parser.add_argument_group("import")
    group.add_argument(
        "--import",
        dest="imported",
        nargs="+",
        metavar="FILE",
        help="instead of choosing: results of Appraise or Pearmut, or tables that judges filled in; writes "
        "judgements (TSV) with a row for each judge",
    )
    group.add_argument("--key", metavar="FILE", help="the key.json that was written with the items")
    group.add_argument(
        "--all-judges",
        action="store_true",
        help="keep judges who did not score degraded copies lower (default: leave them out)",
    )
    group.add_argument(
        "--standardise",
        action="store_true",
        help="z-scores: each judge's own mean and deviation taken out of the scores",
    )
    group.add_argument(
        "--mqm-weights", metavar="NAME|FILE", help="google (default), unweighted, count, or JSON"
    )


def run_import(options: argparse.Namespace) -> int:
    """Read, leave out who failed, write."""
    from metaphrase.corpus.formats.judged.mqm_weights import GOOGLE, read_weights
    from metaphrase.corpus.formats.judged.rated_judgements import rated_lines
    from metaphrase.corpus.formats.judged.sample_key import read_key
    from metaphrase.corpus.opening.ratings import read_ratings
    from metaphrase.sampling import imported

    if options.key is None:
        raise OptionError(
            "MP786",
            "--import needs --key.",
            hint="Without it nobody knows which item is whose translation of what.",
        )
    if options.format not in (None, "tsv"):
        raise OptionError("MP786", "judgements are written as TSV.", hint="Leave --format out.")
    check_output(options.output, [*options.imported, options.key])
    weights = GOOGLE if options.mqm_weights is None else read_weights(options.mqm_weights)
    found = read_ratings(options.imported, key=read_key(options.key), weights=weights)
    if len(found) != 1:
        raise InputError(
            "MP791",
            "Some of the files know their texts themselves.",
            hint="MQM and judgements need no import: `metaphrase meta` and `train` read them.",
        )
    result = imported(found[0], all_judges=options.all_judges, standardise=options.standardise)
    print_lines(list(rated_lines(result.ratings, options.output or "<stdout>")), options.output)
    for judge in result.agreement.judges:
        if judge.judge in result.left_out:
            print_aside(
                f"metaphrase: {judge.judge} is left out: {judge.lower:.0%} of {judge.controlled} degraded "
                f"copies scored lower than the translation (p = {judge.p_value:.3f})"
            )
    untested = [one.judge for one in result.agreement.judges if one.verdict == "not tested"]
    if untested:
        print_aside(f"metaphrase: too few degraded copies to test {', '.join(untested)}")
    count = sum(1 for _ in result.ratings.of_kind("target"))
    print_aside(f"metaphrase: {count:,} judgements by {len(result.ratings.judges)} judges")
    return 0
