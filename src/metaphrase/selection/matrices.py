"""The scores of every candidate with every reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus.validation import is_listed
from metaphrase.defaults import DEFAULT_LANGUAGE
from metaphrase.errors import InputError, OptionError
from metaphrase.metrics import Metric, create
from metaphrase.selection.candidates import checked_texts
from metaphrase.threads import check_threads


# A text is a sequence of texts, too, which is refused.
@overload
def pairwise(  # type: ignore[overload-overlap]
    metric: Metric | str,
    candidates: list[str] | tuple[str, ...],
    references: list[str] | tuple[str, ...] | None = None,
    *,
    lang: str = DEFAULT_LANGUAGE,
    threads: int | None = None,
) -> FloatArray: ...
@overload
def pairwise(
    metric: Metric | str,
    candidates: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]] | None = None,
    *,
    lang: str = DEFAULT_LANGUAGE,
    threads: int | None = None,
) -> list[FloatArray]: ...
def pairwise(
    metric: Metric | str,
    candidates: Sequence[str] | Sequence[Sequence[str]],
    references: Sequence[str] | Sequence[Sequence[str]] | None = None,
    *,
    lang: str = DEFAULT_LANGUAGE,
    threads: int | None = None,
) -> FloatArray | list[FloatArray]:
    """The score of each candidate with each reference: ``[i, j]`` is that of candidate i with reference j.

    candidates: of one sentence, or a list of those of several
    references: likewise; by default the candidates themselves

    A score is that of ``segment_scores`` with this one reference, to the last bit, but each distinct text is
    analysed once. A metric that needs the whole corpus takes the distinct candidates and references of a
    sentence for it.

    >>> pairwise("chrf", ["a cat", "the cat"], ["the cat"]).round(1).tolist()
    [[31.2], [100.0]]
    """
    chosen = metric_of(metric, lang)
    workers = check_threads(threads)
    for side in (candidates, () if references is None else references):
        if not is_listed(side):
            raise InputError("MP107", "candidates and references are lists of texts.")
    own = list(candidates)
    other = own if references is None else list(references)
    # Neither side may be empty of what tells one sentence from several.
    kinds = {isinstance(text, str) for text in (*own, *other)}
    if kinds != {False}:
        if False in kinds:
            raise InputError("MP107", "the candidates of several sentences are lists of lists.")
        return next(_matrices(chosen, [(own, other)], workers))
    if len(own) != len(other):
        raise InputError(
            "MP855", f"candidates are of {len(own)} sentences, references of {len(other)}."
        )
    return list(_matrices(chosen, list(zip(own, other, strict=True)), workers))


def metric_of(metric: object, lang: str) -> Metric:
    """The metric of that name, or the one that is given."""
    if isinstance(metric, str):
        return create(metric, lang=lang)
    if not isinstance(metric, Metric):
        raise OptionError("MP514", f"{metric!r} is no metric.")
    return metric


def _matrices(
    metric: Metric, sides: Sequence[tuple[Any, Any]], threads: int
) -> Iterator[FloatArray]:
    rows: dict[str, int] = {}
    numbered = []
    for number, (candidates, references) in enumerate(sides, start=1):
        owner = f"sentence {number}"
        columns = (
            checked_texts(owner, candidates, "candidate"),
            checked_texts(owner, references, "reference"),
        )
        places = (
            np.fromiter((rows.setdefault(t, len(rows)) for t in column), np.int32, len(column))
            for column in columns
        )
        numbered.append([np.unique(place, return_inverse=True) for place in places])
    table = metric.table(list(rows), threads=threads)
    distinct = [(own, other) for (own, _), (other, _) in numbered]
    for matrix, ((_, own), (_, other)) in zip(table.matrices(distinct), numbered, strict=True):
        yield matrix[np.ix_(own, other)]
