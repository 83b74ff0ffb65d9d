"""What a resample exchanges or draws: segments, or all segments of a document or domain together.

Segments of one document are alike: whoever translates its names wrongly does so in each of them. Tests of
segments then find differences too easily, tests of documents do not. Both resample sums of statistics.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus import Corpus
from metaphrase.errors import InputError, OptionError
from metaphrase.scoring.result import Scores

Unit = Literal["segment", "document", "domain"]
UNITS: tuple[Unit, ...] = get_args(Unit)


def check_unit(corpus: Corpus, unit: Unit) -> None:
    """Refuse a unit that the corpus does not name, before anything is scored."""
    _check(unit, {"document": corpus.documents, "domain": corpus.domains})


def resampled_rows(scores: Scores, metric: str, unit: Unit = "segment") -> list[FloatArray]:
    """A table for each system: a row of statistics for each unit, without what the metric refused."""
    kept = scores.kept(metric)
    tables = [system.statistics[metric] for system in scores.systems]
    if not kept.all():
        tables = [table[kept] for table in tables]
    names = unit_names(scores, unit)
    if names is None:
        return tables
    found, places = np.unique(np.array(names, dtype=object)[kept], return_inverse=True)
    order = np.argsort(places, kind="stable")
    firsts = np.searchsorted(places[order], np.arange(len(found)))
    return [np.add.reduceat(table[order], firsts, axis=0) for table in tables]


def unit_names(scores: Scores, unit: Unit) -> Sequence[str] | None:
    """The unit of each segment; ``None`` if that is the segment itself."""
    names = {"document": scores.segment_documents, "domain": scores.segment_domains}
    _check(unit, names)
    return names.get(unit)


def _check(unit: Unit, names: Mapping[str, Sequence[str] | None]) -> None:
    if unit not in UNITS:
        raise OptionError(
            "MP766", f"there is no unit {unit!r}.", hint=f"Choose {', '.join(UNITS)}."
        )
    if unit != "segment" and not names[unit]:
        raise InputError(
            "MP766",
            f"{unit}s are to be resampled, and nobody says which segment is of which {unit}.",
            hint=f"Give them with --{unit}s, or as a column.",
        )
