"""``metaphrase meta FOLDER --task``: a whole shared task of WMT from its tree."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from metaphrase.cli.output import check_output, print_lines, print_view, progress_line
from metaphrase.errors import OptionError

if TYPE_CHECKING:
    from metaphrase.corpus.formats.mtme.test_set import MtmeSet
    from metaphrase.meta.judged_scores import JudgedScores
    from metaphrase.meta.shared_tasks import PairRules, SharedTask
    from metaphrase.meta.task_data import TaskData

    _Progress = Callable[[str], None] | None

#: What a shared task decides by itself, and what is about other files.
_DECIDED = (
    "judges", "measure", "level", "group_by", "variant", "threshold", "wins", "given", "human", "references",
    "texts", "language_pair", "min_judgements", "segment_ids", "segment_order", "system_pattern",
    "unknown_systems", "mqm_weights", "differing_texts", "by",
)  # fmt: skip
#: What belongs to a shared task alone.
_OWN = ("published", "submissions")


def add_task_arguments(parser: argparse.ArgumentParser) -> None:
    """``--task`` and what goes with it."""
    group = parser.add_argument_group(
        "a whole metrics task of WMT, from its folder of mt-metrics-eval"
    )
    group.add_argument(
        "--task",
        metavar="NAME",
        help="compute it as its organisers did, with their systems, references, measures, weights and "
        "clusters: wmt23, wmt24, or wmt24-on-wmt23; -m adds metrics of yours",
    )
    group.add_argument(
        "--submissions",
        choices=("primary", "all"),
        help="which scores of the folder take part (default: primary, baselines among them)",
    )
    group.add_argument(
        "--published",
        metavar="FILE",
        help="show these numbers beside ours: TSV with the columns metric, average, rank, or tasks",
    )


def check_task_options(options: argparse.Namespace) -> None:
    """Refuse options of a shared task without one, and with one those that it decides."""
    if options.task is None:
        for name in _OWN:
            if getattr(options, name) is not None:
                raise OptionError(
                    "MP772", f"--{name} is about a shared task.", hint="Add --task wmt24."
                )
        return
    for name in _DECIDED:
        if getattr(options, name) not in (None, False):
            raise OptionError(
                "MP772",
                f"--task decides by itself about --{name.replace('_', '-')}.",
                hint="Leave it out, or leave out --task and choose yourself.",
            )
    if options.on_error != "stop":
        raise OptionError(
            "MP772",
            "a shared task compares metrics on all segments.",
            hint="Leave out --on-error, or the metric that refuses a segment.",
        )
    if len(options.judgements) != 1 or not os.path.isdir(options.judgements[0]):
        raise OptionError(
            "MP772",
            "--task reads the folder of one test set.",
            hint="metaphrase meta FOLDER --task wmt24",
        )


def run_task(options: argparse.Namespace) -> int:
    """Read the tree, run what is not in it, compare, print."""
    from metaphrase.meta.published_table import read_published
    from metaphrase.meta.shared_tasks import shared_task
    from metaphrase.meta.task_table import task_table
    from metaphrase.report import task_json, task_view

    (folder,) = options.judgements
    shared = shared_task(options.task, options.pairs)
    _check_pairs(shared, folder)
    check_output(options.output, [folder, options.published])
    with progress_line() as progress:
        data: dict[str, TaskData] = {}
        signatures: dict[str, str] = {}
        for pair, rules in shared.pairs.items():
            data[pair], found = _pair(folder, pair, rules, options, progress)
            signatures |= {name: text for name, text in found.items() if name not in signatures}
        own = tuple(options.metrics or ())
        chosen = _taking_part(shared, signatures, own, options)
        published = None
        if options.published is not None:
            labels = [task.label for task in shared.tasks]
            published = read_published(options.published, metrics=chosen, tasks=labels)
        table = task_table(
            shared,
            data,
            chosen,
            name=Path(folder).resolve().name,
            own=own,
            resamples=options.resamples,
            seed=options.seed,
            threads=options.threads,
            progress=progress,
        )
    if options.format == "json":
        print_lines([task_json(table, published)], options.output)
    else:
        print_view(task_view(table, published), options.output)
    return 0


def _check_pairs(shared: SharedTask, folder: str) -> None:
    """Refuse a folder that lacks a language pair before any other is read."""
    from metaphrase.corpus.formats.mtme.tree import language_pairs

    there = language_pairs(folder)
    for pair in shared.pairs:
        if pair not in there:
            some = [one for one in shared.pairs if one in there]
            raise OptionError(
                "MP769",
                f"{folder} has no {pair}, which {shared.name} compares.",
                hint=f"Name those that it has: --pairs {' '.join(some)}"
                if some
                else f"It has {', '.join(there) or 'no language pair'}: is it the folder of another year?",
            )


def _pair(
    folder: str, pair: str, rules: PairRules, options: argparse.Namespace, progress: _Progress
) -> tuple[TaskData, dict[str, str]]:
    """What one language pair compares, and the signature of each metric."""
    from metaphrase.corpus.formats.mtme.test_set import read_mtme
    from metaphrase.corpus.formats.mtme.tree import reference_files
    from metaphrase.meta.task_data import TaskData

    if progress is not None:
        progress(f"reading {pair}")
    references = list(reference_files(Path(folder), pair))
    mtme = read_mtme(folder, language_pair=pair, references=[rules.reference])
    own = _own_scores(mtme, rules, options, progress)
    found = TaskData.of(mtme, rules, references, own)
    signatures = {name: f"{name}|given:{mtme.name}" for name, _ in found.metrics}
    return found, signatures | {name: scores.signature for name, (_, scores) in own.items()}


def _own_scores(
    mtme: MtmeSet, rules: PairRules, options: argparse.Namespace, progress: _Progress
) -> dict[str, tuple[tuple[str, ...], JudgedScores]]:
    """The metrics that were asked for by -m, run on the texts; one that cannot read them has no scores."""
    from metaphrase.meta.judged_scores import score_judged
    from metaphrase.metrics import create

    if not options.metrics:
        return {}
    judged = mtme.judgements(rules.human)
    if options.empty_references == "error":
        judged.check_references(mtme.name)
    found = {}
    for name in options.metrics:
        if progress is not None:
            progress(f"{mtme.name} {mtme.language_pair} {name}")
        try:
            metric = create(name, lang=judged.target)
        except OptionError as error:
            if error.code == "MP509":  # no analyser for the language
                continue
            raise
        found[name] = judged.systems, score_judged(judged, metric, threads=options.threads)
    return found


def _taking_part(
    shared: SharedTask,
    signatures: dict[str, str],
    own: tuple[str, ...],
    options: argparse.Namespace,
) -> dict[str, str]:
    """Ours and the submissions asked for, with their signatures."""
    from metaphrase.meta.task_data import basename

    everybody = options.submissions == "all"
    chosen = {
        name: text
        for name, text in signatures.items()
        if everybody or name in own or basename(name) in shared.primary
    }
    for name in own:
        if own.count(name) > 1:
            raise OptionError(
                "MP515", f"the metric {name!r} was asked for twice.", hint="Name it once."
            )
        chosen.setdefault(name, "")
    if not chosen:
        raise OptionError(
            "MP769",
            f"the folder has no scores of primary submissions of {shared.name}.",
            hint="Take all scores with --submissions all, or run metrics with -m.",
        )
    return chosen
