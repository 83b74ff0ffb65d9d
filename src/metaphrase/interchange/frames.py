"""Scores and agreement as data frames: pandas, Arrow, CSV and Parquet.

The long form of ``metaphrase score --format tsv``: a row for each number. What is not there is null,
never NaN.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from importlib import import_module
from math import isnan
from typing import Any

from metaphrase.corpus.lines import FilePath
from metaphrase.corpus.writing import atomic_writer
from metaphrase.extras import not_installed
from metaphrase.meta.agreement import AgreementTable
from metaphrase.presentation import presents
from metaphrase.scoring import Scores
from metaphrase.scoring.records import COLUMNS, Record, score_records

_BASIS = ("systems", "segments", "judged", "pairs")
AGREEMENT_COLUMNS = (
    *("data", "language_pair", "measure", "metric", "value", "cluster"),
    *_BASIS,
    *("skipped", "signature", "reason"),
)
_LINE_END = "\r\n"
_INTEGERS = ("segment", "cluster", *_BASIS, "skipped", "best", "worst")
_NUMBERS = (
    "score",
    *COLUMNS[COLUMNS.index("mean") : COLUMNS.index("skipped")],
    "corrected_p",
    "value",
)


def agreement_records(table: AgreementTable) -> Iterator[Record]:
    """A tuple for each metric and data set, in the order of ``AGREEMENT_COLUMNS``."""
    for column in table.columns:
        where = column.data, column.language_pair, column.measure
        basis = [None if column.basis is None else getattr(column.basis, name) for name in _BASIS]
        counts = [*basis, column.skipped]
        for row, metric in enumerate(table.metrics):
            value = float(column.value[row])
            said = [
                texts[row] or None if texts else None
                for texts in (column.signatures, column.reasons)
            ]
            known = None if isnan(value) else value
            yield (*where, metric, known, int(column.cluster[row]) or None, *counts, *said)


def arrow_table(what: Scores | AgreementTable) -> Any:
    """A ``pyarrow.Table``; signatures and the version are in the metadata of its schema."""
    arrow = _module("pyarrow")
    names, records = _contents(what)
    types = [_arrow_type(arrow, name) for name in names]
    metadata = {"metaphrase": json.dumps(_provenance(what), ensure_ascii=False)}
    schema = arrow.schema(list(zip(names, types, strict=True)), metadata=metadata)
    columns = list(zip(*records, strict=True)) or [()] * len(names)
    arrays = [arrow.array(c, type=t) for c, t in zip(columns, types, strict=True)]
    return arrow.table(arrays, schema=schema)


@presents("data_frame", Scores, AgreementTable)
def data_frame(what: Scores | AgreementTable) -> Any:
    """A ``pandas.DataFrame``; ``attrs`` has the signatures and the version."""
    pandas = _module("pandas")
    names, records = _contents(what)
    frame = pandas.DataFrame.from_records(list(records), columns=names)
    kinds = {
        name: "Int64" if name in _INTEGERS else "Float64" if name in _NUMBERS else "string"
        for name in names
    }
    frame = frame.astype(kinds)
    frame.attrs["metaphrase"] = _provenance(what)
    return frame


def score_csv(scores: Scores) -> Iterator[str]:
    """Lines of CSV as spreadsheets read it: quoted where a name needs it, empty where there is nothing."""
    for record in (COLUMNS, *score_records(scores)):
        line = io.StringIO()
        # Only what ends lines is quoted: of both characters, readers take either for an end.
        csv.writer(line, lineterminator=_LINE_END).writerow(
            [
                "" if cell is None else repr(cell) if isinstance(cell, float) else cell
                for cell in record
            ]
        )
        yield line.getvalue().removesuffix(_LINE_END)


def write_parquet(what: Scores | AgreementTable, path: FilePath) -> None:
    """One Parquet file, written atomically."""
    table = arrow_table(what)
    parquet = _module("pyarrow.parquet")
    with atomic_writer(path) as stream:
        parquet.write_table(table, stream)


def _contents(what: Scores | AgreementTable) -> tuple[tuple[str, ...], Iterator[Record]]:
    if isinstance(what, Scores):
        return COLUMNS, score_records(what)
    return AGREEMENT_COLUMNS, agreement_records(what)


def _provenance(what: Scores | AgreementTable) -> dict[str, Any]:
    from metaphrase.version import __version__

    signatures: dict[str, Any]
    if isinstance(what, Scores):
        signatures = {info.name: info.signature for info in what.metrics}
    else:
        signatures = {name: list(found) for name, found in what.signatures().items()}
    return {"version": __version__, "signatures": signatures}


def _arrow_type(arrow: Any, name: str) -> Any:
    if name in _INTEGERS:
        return arrow.int64()
    return arrow.float64() if name in _NUMBERS else arrow.string()


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise not_installed(f"{name.partition('.')[0]} is not installed.", "frames") from None
