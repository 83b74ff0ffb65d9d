"""What the gate prints, and the files that it writes for other programs."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from metaphrase.cli.arguments import described_files
from metaphrase.cli.output import check_output, print_lines, print_view, progress_bar
from metaphrase.corpus.names import name_and_file
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import OptionError

if TYPE_CHECKING:
    from metaphrase.gate import Rules, Snapshot, Verdict
    from metaphrase.metrics import Metric

FORMATS = ("text", "json", "junit", "sarif", "markdown")
_FILES = ("output", "junit", "sarif", "markdown", "report", "write_baseline")


def named_outputs(options: argparse.Namespace) -> list[str]:
    """The files to be written."""
    return [path for name in _FILES if (path := getattr(options, name)) is not None]


def check_outputs(options: argparse.Namespace, inputs: Iterable[str | None]) -> None:
    """Refuse what cannot be written, is an input, or is named twice.

    A new baseline may replace the old one, which was read by then.
    """
    given = list(inputs)
    for path in named_outputs(options):
        renewed = path == options.write_baseline
        check_output(path, given if renewed else [*given, options.baseline])
    targets = [os.path.realpath(path) for path in named_outputs(options)]
    for path, target in zip(named_outputs(options), targets, strict=True):
        if targets.count(target) > 1:
            raise OptionError(
                "MP115", "two outputs would be this file.", path=path, hint="Choose another name."
            )


def write_outputs(
    options: argparse.Namespace,
    verdict: Verdict,
    baseline: Snapshot | None,
    current: Snapshot,
    metrics: Sequence[Metric],
    rules: Rules,
) -> list[str]:
    """Write the files that were asked for; their names."""
    written = []
    for form in ("junit", "sarif", "markdown"):
        path = getattr(options, form)
        if path is not None:
            with atomic_writer(path) as stream:
                stream.write(_text(form, verdict, options).encode())
            written.append(path)
    if options.report is not None and baseline is not None:
        _write_report(options, verdict, baseline, current, metrics, rules)
        written.append(options.report)
    return written


def printed(options: argparse.Namespace, verdict: Verdict, written: Sequence[str]) -> None:
    """Print the verdict in the format that was asked for."""
    if options.format != "text":
        print_lines([_text(options.format, verdict, options).rstrip("\n")], options.output)
        return
    from metaphrase.report import gate_view
    from metaphrase.report.terminal.columns import visible

    view = gate_view(verdict, worst=options.worst)
    if written:
        view += ["", visible(f"written: {', '.join(written)}")]
    print_view(view, options.output)


def _text(form: str, verdict: Verdict, options: argparse.Namespace) -> str:
    from metaphrase.gate.junit import junit_xml
    from metaphrase.gate.markdown import markdown_summary
    from metaphrase.gate.sarif import sarif_json

    if form == "json":
        return json.dumps(verdict.to_dict(), ensure_ascii=False, indent=1, allow_nan=False)
    if form == "junit":
        return junit_xml(verdict)
    if form == "sarif":
        return sarif_json(verdict, _translations(options)) + "\n"
    return markdown_summary(verdict, worst=options.worst)


def _translations(options: argparse.Namespace) -> str | None:
    """The file that the translations are in."""
    files = described_files(options)
    if files.corpus is not None:
        return files.corpus
    named = [name_and_file(given)[1] for given in files.hypotheses]
    return named[0] if named and named[0] != "-" else None


def _write_report(
    options: argparse.Namespace,
    verdict: Verdict,
    baseline: Snapshot,
    current: Snapshot,
    metrics: Sequence[Metric],
    rules: Rules,
) -> None:
    from metaphrase.report.before_and_after import before_and_after
    from metaphrase.report.page import report_page

    with progress_bar("explaining", "translations") as progress:
        data = before_and_after(
            baseline,
            current,
            metrics,
            title=f"{verdict.system}: {verdict.title}",
            resamples=rules.settings.resamples,
            seed=rules.settings.seed,
            threads=options.threads,
            progress=progress,
        )
    with atomic_writer(options.report) as stream:
        stream.writelines(report_page(data))
