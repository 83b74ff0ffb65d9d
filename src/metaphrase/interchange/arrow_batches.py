"""Scores of Arrow data, batch by batch: what maps over Hugging Face datasets, Polars frames or scanners call.

Text columns go in and come out untouched, with a column of scores for each metric behind them.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus import Corpus
from metaphrase.corpus.formats.tables.arrow import arrow
from metaphrase.corpus.formats.tables.layout import (
    ColumnNames,
    Layout,
    LayoutOptions,
    recognise,
)
from metaphrase.corpus.formats.tables.parquet_file import is_text, texts
from metaphrase.corpus.validation import EmptyReferences, check_empty_references
from metaphrase.defaults import DEFAULT_LANGUAGE, DEFAULT_METRICS
from metaphrase.errors import InputError, OptionError
from metaphrase.metrics import Metric
from metaphrase.metrics.refusals import OnError, Refusals, check_on_error, segment_scores
from metaphrase.metrics.segment_statistics import segment_statistics
from metaphrase.scoring.engine import labelled_metrics

#: Rows scored at a time.
_PIECE = 4096
#: What errors call data that is in no file.
_NAME = "<batch>"


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchScorer:
    """A function over batches that adds columns of scores of segments; it can be pickled.

    It knows nothing of other batches, so that scores do not depend on how rows come in batches.
    """

    metrics: Mapping[str, Metric]
    columns: ColumnNames | None = None
    threads: int = 1
    empty_references: EmptyReferences = "none"
    on_error: OnError = "stop"

    def __call__(self, batch: Any) -> Any:
        """The batch with its scores: a record batch, table or Polars frame, as it came."""
        polars = sys.modules.get("polars")
        if polars is not None and isinstance(batch, polars.DataFrame):
            return batch.hstack(polars.from_arrow(self.scores(batch)))
        given = _tabular(batch)
        columns = [*given.columns, *self.scores(given).columns]
        return type(given).from_arrays(columns, schema=self.schema(given.schema))

    def scores(self, batch: Any) -> Any:
        """Only the scores, as a table or record batch with a column for each metric and system."""
        given = _tabular(batch)
        layout = self._layout(given.schema)
        found: dict[str, list[FloatArray]] = {name: [] for name in self._names(layout).values()}
        for first in range(0, given.num_rows, _PIECE):
            piece = self._corpus(given.slice(first, _PIECE), layout, first)
            refusals = Refusals() if self.on_error == "skip" else None
            statistics = dict(
                segment_statistics(
                    piece, self.metrics, threads=self.threads, first=first, refusals=refusals
                )
            )
            for key, name in self._names(layout).items():
                kept = (refusals or Refusals()).kept(key[1], first, len(piece))
                found[name].append(segment_scores(self.metrics[key[1]], statistics[key], kept))
        arrays = [
            # What a metric refused is null.
            arrow().array(np.concatenate(parts) if parts else [], "double", from_pandas=True)
            for parts in found.values()
        ]
        return type(given).from_arrays(arrays, names=list(found))

    def schema(self, schema: Any) -> Any:
        """The schema of what comes out, of that of what goes in: a reader of batches has to know it."""
        for name in self._names(self._layout(schema)).values():
            schema = schema.append(arrow().field(name, "double"))
        return schema

    def _layout(self, schema: Any) -> Layout:
        stated = [n for some in (self.columns or {}).values() for n in _several(some)]
        names = [one.name for one in schema if is_text(one.type) or one.name in stated]
        layout = recognise(names, LayoutOptions(columns=self.columns), _NAME)
        if layout.form == "long" or layout.joined is not None:
            raise InputError(
                "MP938",
                "Batches need a row for each segment, and a column for each system and reference.",
                path=_NAME,
                hint='Name the columns: columns={"reference": …, "hypothesis": …}.',
            )
        taken = [name for name in self._names(layout).values() if name in schema.names]
        if taken:
            raise InputError(
                "MP938",
                f"There is a column {taken[0]!r} already, as scores are called.",
                path=_NAME,
                hint="Rename it.",
            )
        return layout

    def _names(self, layout: Layout) -> dict[tuple[str, str], str]:
        """What columns of scores are called, as in the parts of a job."""
        systems = layout.systems or ()
        return {
            (system, label): label if len(systems) == 1 else f"{system} {label}"
            for system in systems
            for label in self.metrics
        }

    def _corpus(self, piece: Any, layout: Layout, first: int) -> Corpus:
        def column(name: str, *, nulls: bool = False) -> list[str]:
            return texts(piece.column(name), name, _NAME, first + 1, nulls=nulls)

        sources = None if layout.source is None else column(layout.source)
        return Corpus(
            {name: column(name) for name in layout.systems or ()},
            [column(name, nulls=name in layout.references[1:]) for name in layout.references],
            sources=sources,
            empty_references=self.empty_references,
        )


def scorer(
    metrics: Sequence[str | Metric] = DEFAULT_METRICS,
    *,
    columns: ColumnNames | None = None,
    lang: str = DEFAULT_LANGUAGE,
    threads: int = 1,
    empty_references: EmptyReferences = "none",
    on_error: OnError = "stop",
) -> BatchScorer:
    """A function that adds columns of scores to Arrow data.

    columns: names of columns by role; else they are recognised by their names, as in tables
    threads: one by default, since whoever maps over batches runs several of them at once
    on_error: with ``skip`` the score of a segment that a metric refuses is null, for all systems

    >>> import pyarrow
    >>> table = pyarrow.table({"reference": ["a cat sat"], "mt": ["a cat slept"], "id": [7]})
    >>> scorer(["ter"])(table).column_names
    ['reference', 'mt', 'id', 'ter']
    """
    check_empty_references(empty_references)
    check_on_error(on_error)
    chosen = labelled_metrics(metrics, lang)
    for label, metric in chosen.items():
        if metric.needs_whole_corpus or metric.needs_documents:
            raise OptionError(
                "MP940",
                f"{label} looks at the whole corpus, which no batch has.",
                hint="Score the corpus in one go, with metaphrase.score.",
            )
    return BatchScorer(
        metrics=chosen,
        columns=columns,
        threads=threads,
        empty_references=empty_references,
        on_error=on_error,
    )


def scores_of(
    batch: Any,
    metrics: Sequence[str | Metric] = DEFAULT_METRICS,
    *,
    columns: ColumnNames | None = None,
    lang: str = DEFAULT_LANGUAGE,
    threads: int = 1,
    empty_references: EmptyReferences = "none",
    on_error: OnError = "stop",
) -> Any:
    """Scores of the rows of a record batch, table or data frame, in a column for each metric and system.

    >>> import pyarrow
    >>> batch = pyarrow.record_batch({"reference": ["a cat", "a dog"], "mt": ["a cat", "dogs"]})
    >>> scores_of(batch, ["ter"]).to_pydict()
    {'ter': [0.0, 100.0]}
    """
    made = scorer(
        metrics,
        columns=columns,
        lang=lang,
        threads=threads,
        empty_references=empty_references,
        on_error=on_error,
    )
    return made.scores(batch)


def _tabular(batch: Any) -> Any:
    """A record batch or table; whatever else speaks Arrow becomes a table without a copy."""
    if isinstance(batch, arrow().RecordBatch | arrow().Table):
        return batch
    try:
        return arrow().table(batch)
    except (TypeError, ValueError):
        raise InputError(
            "MP513",
            f"a {type(batch).__name__} cannot be scored: give a record batch, table or data frame.",
        ) from None


def _several(names: str | Sequence[str]) -> Sequence[str]:
    return [names] if isinstance(names, str) else names
