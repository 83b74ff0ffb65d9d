"""From the files that the command line names to a snapshot: texts, scores and findings."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from metaphrase.cli.arguments import described_corpus, described_files
from metaphrase.cli.output import progress_bar
from metaphrase.cli.refusals import located, tell_refusals
from metaphrase.corpus import Corpus
from metaphrase.corpus.lines import STDIN
from metaphrase.corpus.names import name_and_file, name_systems
from metaphrase.corpus.opening import read_units
from metaphrase.defaults import DEFAULT_LANGUAGE
from metaphrase.errors import OptionError
from metaphrase.languages import regional_code

if TYPE_CHECKING:
    from metaphrase.corpus.units import UnitFile
    from metaphrase.gate import Rules, Snapshot
    from metaphrase.gate.checking import Checking
    from metaphrase.metrics import Metric


def translations(options: argparse.Namespace) -> UnitFile | None:
    """The localisation file to be judged, if it is one."""
    files = described_files(options)
    named = [name_and_file(given)[1] for given in files.hypotheses]
    if files.corpus is not None or files.plain or len(named) != 1 or named[0] == STDIN:
        return None
    found = files.look(named[0])
    return None if not found.has_units else read_units(found, columns=files.columns)


def choose_language(
    options: argparse.Namespace, baseline: Snapshot | None, units: UnitFile | None
) -> str:
    """The language that was named, or that of the baseline, or what the file declares."""
    if options.language is not None:
        return str(options.language)
    if baseline is not None:
        return baseline.language
    if units is not None and units.target_language:
        return regional_code(units.target_language)
    return DEFAULT_LANGUAGE


def chosen_checking(options: argparse.Namespace, rules: Rules) -> Checking:
    """The checks of the rules, with what the command line adds."""
    given: dict[str, Any] = {}
    if options.glossary:
        given["glossary"] = (*rules.checking.glossary, *options.glossary)
    if options.source_language:
        given["source_language"] = options.source_language
    return replace(rules.checking, **given)


def measured(
    options: argparse.Namespace, metrics: list[Metric], units: UnitFile | None, checking: Checking
) -> Snapshot:
    """The system as it is now: scored, and checked if there are sources to check it against."""
    from metaphrase.gate import take_snapshot
    from metaphrase.gate.checking import corpus_findings, unit_findings
    from metaphrase.gate.snapshot import check_one_system
    from metaphrase.scoring import score

    corpus = Corpus.join(described_corpus(options))
    check_one_system(corpus)  # before hours of work are lost
    files = described_files(options)
    with located(files), progress_bar(total=lambda: len(corpus)) as progress:
        scores = score(
            corpus,
            metrics,
            levels=["system", "segment"],
            threads=options.threads,
            progress=progress,
            keep_statistics=True,
            check_language=options.check_language,
            on_error=options.on_error,
        )
    tell_refusals(scores, files)
    known: dict[str, Any] = {}
    if units is not None:
        known["unit_lines"] = unit_lines(units)
    elif options.corpus is None:
        known["lines"] = range(1, len(corpus) + 1)
    if options.checks and units is not None:
        found = unit_findings(units, checking, options.language)
        known["findings"] = [found.pop(name, ()) for name in corpus.ids or ()]
        known["unscored"] = found
    elif options.checks and corpus.sources is not None:
        known["findings"] = corpus_findings(corpus, checking, options.language)
    if "findings" in known:
        known["checks"] = checking.signature()
    return take_snapshot(corpus, scores, metrics, lang=options.language, **known)


def unit_lines(units: UnitFile) -> dict[str, int]:
    """Where each unit stands in its file, by id."""
    return {unit.id: unit.line for unit in units.units if unit.line}


def checked_alone(
    options: argparse.Namespace, units: UnitFile | None, checking: Checking
) -> Snapshot:
    """The system as it is now, by what checks find in it: without a reference there are no scores."""
    from metaphrase.gate import Snapshot
    from metaphrase.gate.checking import unit_findings

    if units is None or options.references or not options.checks:
        raise OptionError(
            "MP915",
            "--checks-only is for one localisation file, and no reference.",
            hint="Write: metaphrase gate -i FILE --checks-only",
        )
    found = unit_findings(units, checking, options.language)
    return Snapshot(
        system=next(iter(name_systems(options.input))),
        language=options.language,
        metrics={},
        reference_hashes=(),
        hypothesis_hashes=(),
        findings=(),
        unscored=found,
        unit_lines=unit_lines(units),
        checks=checking.signature(),
    )
