"""Marked errors as others take them: our JSON Lines, and what WMT's tasks on error spans read and write.

- JSONL of WMT 2024 (``wmt24_esa.jsonl``): a row for what one rater, here a metric, says of a translation.
  ``start_i`` and ``end_i`` are characters, the last one excluded, or ``missing``.
- TSV of WMT 2025 (task 2 of the evaluation task, wmt-conference/wmt25-mteval): ``start_indices``,
  ``end_indices`` and ``error_types`` with blanks between them; ``-1 -1 no-error`` if nothing is marked. A tab
  or line feed in a text is a blank, so that indices hold.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping

from metaphrase.corpus.formats.judged.error_spans import error_span_lines
from metaphrase.corpus.marked_translation import MarkedTranslation
from metaphrase.corpus.ratings import Rating, Ratings

_MISSING = "missing"
_BLANKS = str.maketrans("\t\n\r", "   ")
_NONE = ("-1", "-1", "no-error")
#: The header of WMT 2025's test set and predictions.
COLUMNS = (
    "doc_id", "segment_id", "source_lang", "target_lang", "set_id", "system_id", "source_segment",
    "hypothesis_segment", "reference_segment", "domain_name", "method", "start_indices", "end_indices",
    "error_types",
)  # fmt: skip


def span_lines(marked: Iterable[MarkedTranslation], *, name: str, pair: str) -> Iterator[str]:
    """Our JSON Lines (:mod:`~metaphrase.corpus.formats.judged.error_spans`), a line for each translation."""
    for one in marked:
        rating = Rating(one.rater, one.item.id, one.score, one.errors)
        ratings = Ratings(name, pair, "esa", {one.item.id: one.item}, (rating,))
        yield from map(_json, error_span_lines(ratings))


def esa_lines(marked: Iterable[MarkedTranslation], *, name: str, pair: str) -> Iterator[str]:
    """The JSONL of WMT 2024; a score is in percent of the metric's scale."""
    for one in marked:
        spans: list[dict[str, object]] = [
            {"start_i": start, "end_i": end, "severity": error.severity}
            for start, end, error in one.placed
        ]
        spans += [
            {"start_i": _MISSING, "end_i": _MISSING, "severity": error.severity}
            for error in one.missing
        ]
        yield _json(
            {
                "langs": pair,
                "line_id": one.row,
                "src": one.item.source,
                "tgt": one.item.hypothesis,
                "doc_id": one.item.document,
                "domain": one.domain,
                "esa_spans": spans,
                "esa_score": round(one.percent, 4),
                "times": [0, 0],
                "system": one.item.system,
                "annotator": one.rater,
            }
        )


def wmt_lines(marked: Iterable[MarkedTranslation], *, name: str, pair: str) -> Iterator[str]:
    """The TSV of WMT 2025's predictions, with its header."""
    source, _, target = pair.partition("-")
    yield "\t".join(COLUMNS)
    for one in marked:
        item = one.item
        starts = [str(start) for start, _, _ in one.placed]
        ends = [str(end) for _, end, _ in one.placed]
        missing = [_MISSING] * len(one.missing)
        severities = [error.severity for _, _, error in one.placed]
        severities += [error.severity for error in one.missing]
        cells = {
            "doc_id": item.document,
            "segment_id": str(one.row),
            "source_lang": source,
            "target_lang": target,
            "set_id": "official",
            "system_id": item.system,
            "source_segment": item.source,
            "hypothesis_segment": item.hypothesis,
            "reference_segment": item.references[0] if item.references else "",
            "domain_name": one.domain,
            "method": "ESA",
            "start_indices": " ".join([*starts, *missing]) or _NONE[0],
            "end_indices": " ".join([*ends, *missing]) or _NONE[1],
            "error_types": " ".join(severities) or _NONE[2],
        }
        yield _row([cells[name].translate(_BLANKS) for name in COLUMNS])


def _row(cells: list[str]) -> str:
    stream = io.StringIO()
    csv.writer(stream, delimiter="\t", lineterminator="").writerow(cells)
    return stream.getvalue()


def _json(row: Mapping[str, object]) -> str:
    return json.dumps(row, ensure_ascii=False, allow_nan=False)
