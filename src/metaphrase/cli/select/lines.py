"""What was chosen, as lines: texts, tables and JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from metaphrase.corpus.writing import cannot_hold

if TYPE_CHECKING:
    from metaphrase.selection import Selection


def text_lines(found: Iterable[Selection]) -> Iterator[str]:
    """The best candidate of each sentence."""
    return (selection.text for selection in found)


def table_lines(
    found: Iterable[Selection], systems: Sequence[str], *, count: int, path: str
) -> Iterator[str]:
    """The best candidates of each sentence with their utilities, best first."""
    line = 1
    for number, selection in enumerate(found):
        if not number:
            yield "\t".join([*_header(selection, systems), "text"])
        for rank, index in enumerate(selection.n_best(count), 1):
            line += 1
            text = selection.candidates.texts[index]
            yield _joined([*_cells(selection, systems, index, rank), text], path, line)


def score_lines(
    selection: Selection, systems: Sequence[str], *, header: bool, path: str
) -> Iterator[str]:
    """All candidates of a sentence in their order; what was pruned has no utility."""
    if header:
        yield "\t".join(_header(selection, systems))
    ranks = {int(index): rank for rank, index in enumerate(selection.order, 1)}
    for index in range(len(selection.candidates)):
        yield _joined(_cells(selection, systems, index, ranks[index]), path, None)


def json_lines(
    found: Iterable[Selection], systems: Sequence[str], *, count: int, why: Collection[int] | None
) -> Iterator[str]:
    """One object for each sentence; with the reasons for those sentences that ``why`` names, or for all."""
    for number, selection in enumerate(found, 1):
        best, *others = [_record(selection, systems, index) for index in selection.n_best(count)]
        record: dict[str, Any] = {"id": selection.candidates.name, **best}
        if selection.candidates.source is not None:
            record["source"] = selection.candidates.source
        record |= {
            "candidates": len(selection.candidates),
            "pairs": selection.pairs,
            "possible_pairs": selection.possible,
            "concatenated": sorted(index + 1 for index in selection.concatenated),
            "refused": {str(index + 1): why for index, why in selection.refused.items()},
        }
        if count > 1:
            record["n_best"] = [best, *others]
        # What was refused cannot be compared, not even to say why.
        if why is not None and (not why or number in why) and not selection.refused:
            from metaphrase.selection import support

            record["support"] = support(selection).as_dict()
        yield json.dumps(record, ensure_ascii=False, allow_nan=False)


def _record(selection: Selection, systems: Sequence[str], index: int) -> dict[str, Any]:
    return {
        "candidate": index + 1,
        **({"system": systems[index]} if systems else {}),
        "text": selection.candidates.texts[index],
        "utility": _known(selection.utilities[index]),
        "scores": {
            metric.label: _known(value)
            for metric, value in zip(selection.metrics, selection.by_metric[:, index], strict=True)
        },
    }


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _joined(cells: Sequence[str], path: str, line: int | None) -> str:
    """A row; an id or a text that would be two cells is refused."""
    row = "\t".join(cells)
    if row.count("\t") >= len(cells):
        raise cannot_hold(path, line, "contains a tab")
    return row


def _header(selection: Selection, systems: Sequence[str]) -> list[str]:
    labels = [metric.label for metric in selection.metrics]
    return [
        "id",
        "rank",
        "candidate",
        *(["system"] if systems else []),
        "utility",
        *(labels if len(labels) > 1 else []),
    ]


def _cells(selection: Selection, systems: Sequence[str], index: int, rank: int) -> list[str]:
    values = [selection.utilities[index]]
    if len(selection.metrics) > 1:
        values += list(selection.by_metric[:, index])
    return [
        selection.candidates.name,
        str(rank),
        str(index + 1),
        *([systems[index]] if systems else []),
        *("" if math.isnan(value) else repr(float(value)) for value in values),
    ]
