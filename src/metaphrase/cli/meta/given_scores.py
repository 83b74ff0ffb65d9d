"""``metaphrase meta --given``: rows for scores that the folder of an mt-metrics-eval test set has already."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from metaphrase.errors import OptionError

if TYPE_CHECKING:
    from metaphrase.corpus.formats.mtme.test_set import MtmeSet
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


def given_scores(
    test_sets: Iterable[MtmeSet],
    asked: Sequence[str],
    *,
    by_domain: bool = False,
    level: str | None = None,
) -> dict[str, GivenScores]:
    """The scores of each metric asked for by name, which must be there, or of all that there are.

    Documents are averaged from segments only where somebody asks for that level.
    """
    from metaphrase.meta.given_scores import given_metrics

    sets = list(test_sets)
    by_name: dict[tuple[str, str], tuple[MtmeSet, str | None]] = {}
    for mtme in sets:
        for domain in dict.fromkeys(mtme.domains) if by_domain else [None]:
            name = mtme.name if domain is None else f"{mtme.name} {domain}"
            by_name[name, mtme.language_pair] = mtme, domain
    found: dict[str, GivenScores] = {}
    for mtme in sets:
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
            averaged = level == "document"
            found.setdefault(fitting[0], partial(_scores, by_name, fitting[0], averaged))
    return found


def _scores(
    test_sets: Mapping[tuple[str, str], tuple[MtmeSet, str | None]],
    metric: str,
    average_documents: bool,
    judgements: Judgements,
) -> JudgedScores | None:
    from metaphrase.meta.given_scores import given_scores

    found = test_sets.get((judgements.name, judgements.language_pair))
    if found is None:
        return None
    mtme, domain = found
    return given_scores(
        mtme, metric, judgements, domain=domain, average_documents=average_documents
    )


def _variants(asked: str, available: tuple[str, ...]) -> list[str]:
    """The metrics of that name, with whatever references."""
    return [name for name in available if name.rpartition("-")[0] == asked]
