"""``metaphrase meta --given``: rows for scores that the folder of an mt-metrics-eval test set has already."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from metaphrase.errors import OptionError

if TYPE_CHECKING:
    from metaphrase.corpus.formats import MtmeSet
    from metaphrase.corpus.judgements import Judgements
    from metaphrase.meta.judged_scores import JudgedScores

    #: What a metric gave to the translations that were judged, if it did.
    GivenScores = Callable[[Judgements], JudgedScores | None]


def check_given(asked: Sequence[str] | None, paths: Iterable[str]) -> None:
    """Refuse to take scores from anything but folders."""
    if asked is not None and not any(map(os.path.isdir, paths)):
        raise OptionError(
            "MP174",
            "--given is about folders, and no folder was given.",
            hint="Name the folder of an mt-metrics-eval test set.",
        )


def given_scores(test_sets: Iterable[MtmeSet], asked: Sequence[str]) -> dict[str, GivenScores]:
    """The scores of each metric asked for by name, which must be there, or of all that there are."""
    from metaphrase.meta.given_scores import given_metrics

    by_name = {(mtme.name, mtme.language_pair): mtme for mtme in test_sets}
    found: dict[str, GivenScores] = {}
    for mtme in by_name.values():
        available = given_metrics(mtme)
        for metric in asked or available:
            fitting = [metric] if metric in available else _variants(metric, available)
            if len(fitting) != 1:
                kind = f"scores of {' and '.join(fitting)}" if fitting else f"no scores of {metric}"
                raise OptionError(
                    "MP170",
                    f"{mtme.name} {mtme.language_pair} has {kind}.",
                    hint=f"There is {', '.join(fitting or available) or 'nothing with these references'}.",
                )
            found.setdefault(fitting[0], partial(_scores, by_name, fitting[0]))
    return found


def _scores(
    test_sets: Mapping[tuple[str, str], MtmeSet], metric: str, judgements: Judgements
) -> JudgedScores | None:
    from metaphrase.meta.given_scores import given_scores

    mtme = test_sets.get((judgements.name, judgements.language_pair))
    return None if mtme is None else given_scores(mtme, metric, judgements)


def _variants(asked: str, available: tuple[str, ...]) -> list[str]:
    """The metrics of that name, with whatever references."""
    return [name for name in available if name.rpartition("-")[0] == asked]
