"""What ``metaphrase meta`` takes from the folder of an mt-metrics-eval test set."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from metaphrase.errors import InputError, OptionError

if TYPE_CHECKING:
    from metaphrase.corpus.formats.mtme.test_set import MtmeSet
    from metaphrase.corpus.judgements import Judgements
    from metaphrase.meta.judged_scores import JudgedScores


def add_tree_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments that say what to take from a folder of texts and scores."""
    group = parser.add_argument_group("of the folder of an mt-metrics-eval test set")
    group.add_argument(
        "--given",
        nargs="*",
        metavar="METRIC",
        help="also the scores that the folder has of these metrics, NAME or NAME-REF (default: all)",
    )


class Trees:
    """The test sets that were read from folders, and the scores of metrics that they bring along."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._sets: dict[tuple[str, str], MtmeSet] = {}
        self.given: dict[str, Callable[[Judgements], JudgedScores | None]] = {}
        if options.given is not None and not any(map(os.path.isdir, options.judgements)):
            raise OptionError(
                "MP174",
                "--given is about folders, and no folder was given.",
                hint="Name the folder of an mt-metrics-eval test set.",
            )

    def read(self, folder: str) -> list[Judgements]:
        """The judgements of the language pairs asked for, of all that people scored by default."""
        from metaphrase.corpus.formats.mtme.test_set import read_mtme
        from metaphrase.corpus.formats.mtme.tree import human_files, language_pairs

        options = self._options
        pairs = [
            pair
            for pair in language_pairs(folder)
            if (pair in options.pairs if options.pairs else human_files(folder, pair))
        ]
        judgements = []
        for pair in pairs:
            mtme = read_mtme(
                folder,
                language_pair=pair,
                references=options.references,
                metric_scores=options.given is not None,
            )
            self._sets[mtme.name, pair] = mtme
            self._add_given(mtme)
            judgements.append(mtme.judgements(options.human))
        if not judgements and not options.pairs:
            raise InputError(
                "MP170", "There are no human scores.", path=folder, hint="Add human-scores."
            )
        return judgements

    def _add_given(self, mtme: MtmeSet) -> None:
        """A row for each metric asked for by name, which must be there, or for all that there are."""
        from metaphrase.meta.given_scores import given_metrics

        if self._options.given is None:
            return
        available = given_metrics(mtme)
        for asked in self._options.given or available:
            fitting = [asked] if asked in available else _variants(asked, available)
            if len(fitting) != 1:
                kind = f"scores of {' and '.join(fitting)}" if fitting else f"no scores of {asked}"
                raise OptionError(
                    "MP170",
                    f"{mtme.name} {mtme.language_pair} has {kind}.",
                    hint=f"There is {', '.join(fitting or available) or 'nothing with these references'}.",
                )
            self.given.setdefault(fitting[0], partial(self._scores, fitting[0]))

    def _scores(self, metric: str, judgements: Judgements) -> JudgedScores | None:
        from metaphrase.meta.given_scores import given_scores

        mtme = self._sets.get((judgements.name, judgements.language_pair))
        return None if mtme is None else given_scores(mtme, metric, judgements)


def _variants(asked: str, available: tuple[str, ...]) -> list[str]:
    """The metrics of that name, with whatever references."""
    return [name for name in available if name.rpartition("-")[0] == asked]
