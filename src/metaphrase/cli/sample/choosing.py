"""Choosing segments: the table of what was chosen, and the folder for judges."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from metaphrase.cli.arguments import chosen_metrics, described_corpus, described_files
from metaphrase.cli.output import check_output, print_aside, print_lines, print_view, progress_bar
from metaphrase.cli.sample.options import WITHOUT_METRICS, judge_names
from metaphrase.corpus import Corpus
from metaphrase.corpus.writing import atomic_folder
from metaphrase.defaults import DEFAULT_METRICS

if TYPE_CHECKING:
    from metaphrase.sampling import CampaignOptions, Sample


def run_choosing(options: argparse.Namespace) -> int:
    """Choose, print, and write what judges get."""
    from metaphrase.sampling import Budget, sample

    budget = Budget(segments=options.segments, words=options.words)
    campaign = None if options.export is None else _campaign_options(options)
    by_metrics = options.by not in WITHOUT_METRICS
    metrics = chosen_metrics(options, DEFAULT_METRICS) if by_metrics else []
    if campaign is None:
        check_output(options.output, described_files(options).paths)
    corpus = Corpus.join(described_corpus(options))
    with progress_bar(total=lambda: len(corpus)) as progress:
        found = sample(
            corpus,
            metrics,
            budget,
            way=options.by or "consistency",
            by_document=options.by_document,
            whole_documents=options.whole_documents,
            systems_per_segment=options.systems_per_segment,
            seed=options.seed,
            threads=options.threads,
            check_language=options.check_language,
            progress=progress,
        )
    if campaign is not None:
        _export(corpus, found, campaign, options)
    _show(found, options)
    return 0


def _campaign_options(options: argparse.Namespace) -> CampaignOptions:
    from metaphrase.sampling import CampaignOptions

    return CampaignOptions(
        name=options.name or Path(os.path.realpath(options.output)).name,
        language_pair=options.language_pair,
        protocol=options.protocol or "esa",
        judges=judge_names(options.judges),
        each_by=options.each_by,
        degraded=options.degraded,
        repeats=options.repeats,
        seed=options.seed,
    )


def _export(
    corpus: Corpus, found: Sample, campaign: CampaignOptions, options: argparse.Namespace
) -> None:
    from metaphrase.sampling import campaign_files, make_campaign

    made = make_campaign(corpus, found.cells, campaign)
    files = campaign_files(made, options.export)
    with atomic_folder(options.output) as folder:
        for name, content in files.items():
            (folder / name).write_bytes(content)
    if corpus.sources is None:
        print_aside(
            "metaphrase: judges see no source texts: name them with --sources if there are any"
        )
    for judge, items in made.tasks.items():
        controls = sum(item.kind != "target" for item in items)
        print_aside(
            f"metaphrase: {judge}: {len(items)} items, {controls} of them for quality control"
        )


def _show(found: Sample, options: argparse.Namespace) -> None:
    from metaphrase.report import sample_json, sample_tsv, sample_view

    path = None if options.export is not None else options.output
    if options.format == "json":
        print_lines([sample_json(found)], path)
    elif options.format == "tsv":
        print_lines(list(sample_tsv(found, path or "<stdout>")), path)
    else:
        print_view(sample_view(found), path)
