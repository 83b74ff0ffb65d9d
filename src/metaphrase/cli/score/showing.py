"""Scores as they are printed, or written to one file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaphrase.cli.output import print_lines, print_view

if TYPE_CHECKING:
    from metaphrase.scoring import Scores


def show_scores(scores: Scores, form: str, output: str | None, *, signatures: bool) -> None:
    """Print scores as text, JSON, TSV or CSV, or write them; Parquet is always a file.

    Whole ``signatures`` take several lines each, and may be left out of tables of many systems.
    """
    from metaphrase.interchange.frames import score_csv, write_parquet
    from metaphrase.report import score_json, score_latex, score_markdown, score_tsv, score_view

    if form == "json":
        print_lines([score_json(scores)], output)
    elif form == "tsv":
        print_lines(score_tsv(scores), output)
    elif form == "markdown":
        print_lines(score_markdown(scores), output)
    elif form == "latex":
        print_lines(score_latex(scores), output)
    elif form == "csv":
        print_lines(score_csv(scores), output)
    elif form == "parquet" and output is not None:
        write_parquet(scores, output)
    else:
        print_view(score_view(scores, signatures=signatures), output)
