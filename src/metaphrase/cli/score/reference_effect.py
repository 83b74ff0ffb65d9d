"""``metaphrase score --reference-effect``: what further references change."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from metaphrase.cli.arguments import described_corpus, described_files
from metaphrase.cli.output import check_output, print_lines, print_view, progress_bar
from metaphrase.cli.refusals import located
from metaphrase.cli.score.significance_options import resamples
from metaphrase.errors import OptionError

if TYPE_CHECKING:
    from metaphrase.metrics import Metric


def show_reference_effect(metrics: list[Metric], options: argparse.Namespace) -> int:
    """Score with more and more references, and show what that changes."""
    from metaphrase.report.terminal.reference_effect_view import (
        reference_effect_json,
        reference_effect_tsv,
        reference_effect_view,
    )
    from metaphrase.scoring import reference_effect

    _check_options(options)
    files = described_files(options)
    check_output(options.output, files.paths)
    with located(files), progress_bar(total=files.count_segments) as progress:
        effect = reference_effect(
            described_corpus(options),
            metrics,
            threads=options.threads,
            progress=progress,
            check_language=options.check_language,
            on_error=options.on_error,
        )
    if options.format == "json":
        print_lines([reference_effect_json(effect)], options.output)
    elif options.format == "tsv":
        print_lines(reference_effect_tsv(effect), options.output)
    else:
        print_view(reference_effect_view(effect), options.output)
    return 0


def _check_options(options: argparse.Namespace) -> None:
    """Refuse what would do nothing."""
    idle = {
        "tests and intervals": resamples(options),
        "--wins": options.wins is not None,
        "--level": set(options.level or ["system"]) != {"system"},
        f"--format {options.format}": options.format not in ("text", "json", "tsv"),
    }
    for name, given in idle.items():
        if given:
            raise OptionError(
                "MP117",
                f"--reference-effect shows system scores in text, JSON or TSV: {name} has no effect on it.",
                hint="Leave one of them out.",
            )
