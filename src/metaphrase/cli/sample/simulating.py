"""What choosing would have saved on sets that are judged already."""

from __future__ import annotations

import argparse

from metaphrase.cli.arguments import metric_names, positive
from metaphrase.cli.output import check_output, print_lines, print_view, progress_line
from metaphrase.defaults import DEFAULT_METRICS
from metaphrase.errors import OptionError
from metaphrase.languages import is_wanted


def add_simulation_arguments(parser: argparse.ArgumentParser) -> None:
    """On what to simulate, and how often."""
    group = parser.add_argument_group("simulation")
    group.add_argument(
        "--simulate",
        nargs="+",
        metavar="FILE",
        help="instead of choosing: judgements (TSV) on which all ways to choose are compared with random "
        "samples, or the one that --by names",
    )
    group.add_argument("--pairs", nargs="+", metavar="LP", help="only these language pairs")
    group.add_argument(
        "--sizes",
        nargs="+",
        type=positive,
        metavar="N",
        help="segments to choose (default: 10 25 50 100 200, as far as there are enough)",
    )
    group.add_argument(
        "--halves", type=positive, metavar="N", help="halves of the set to try it on (default: 100)"
    )
    group.add_argument(
        "--measure",
        choices=("accuracy", "soft-accuracy"),
        help="pairs of systems in the same order (default), or how alike sure of it",
    )
    group.add_argument(
        "--leave-out",
        nargs="+",
        metavar="SYSTEM",
        help="systems that take no part, such as judged references",
    )


def run_simulation(options: argparse.Namespace) -> int:
    """Simulate on each set and language pair."""
    from metaphrase.corpus.opening import JudgementFiles, read_judgement_files
    from metaphrase.metrics import create
    from metaphrase.report import simulation_json, simulation_view
    from metaphrase.sampling import WAYS, simulate

    if options.format == "tsv":
        raise OptionError("MP786", "a simulation is printed as text or JSON.", hint="Leave it out.")
    check_output(options.output, options.simulate)
    files = JudgementFiles(judgements=options.simulate, pairs=options.pairs)
    judged, _ = read_judgement_files(files)
    names = metric_names(
        options, DEFAULT_METRICS, "the files first: metaphrase sample --simulate FILE -m …"
    )
    given = {
        name: getattr(options, name)
        for name in ("sizes", "halves", "measure")
        if getattr(options, name) is not None
    }
    # One metric has nobody to disagree with, and random samples are what all are compared with.
    possible = [way for way in WAYS[:-1] if way != "disagreement" or len(names) > 1]
    ways = possible if options.by is None else [options.by]
    left_out = set(options.leave_out or ())
    found = []
    with progress_line() as progress:
        for one in judged:
            if not is_wanted(one.language_pair, options.pairs):
                continue
            if progress is not None:
                progress(f"simulating on {one.name} {one.language_pair}")
            found.append(
                simulate(
                    one,
                    [create(name, lang=one.target) for name in names],
                    ways=ways,
                    seed=options.seed,
                    threads=options.threads,
                    leave_out=left_out.__contains__,
                    **given,
                )
            )
    if options.format == "json":
        print_lines([simulation_json(found)], options.output)
    else:
        print_view(simulation_view(found), options.output)
    return 0
