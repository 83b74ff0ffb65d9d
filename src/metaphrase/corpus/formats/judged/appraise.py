"""Results of Appraise: what its command ``ExportSystemScoresToCSV`` prints, without a header.

A row has user, system, segment, item type, source language, target language and score; in campaigns of
documents (ESA, MQM) then document, whether the document is complete, and the errors as JSON; then start and
end in seconds; with ``--batch-info`` also the batch and the row of the item. Item types are TGT, and for
quality control BAD (a degraded copy) and CHK (the same again); REF, a reference among the translations, is
passed over. Read from ``EvalData/models/direct_assessment.py`` and ``direct_assessment_document.py`` of
AppraiseDev/Appraise at 054e27cb.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence

from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.judged.marked_spans import marked_errors
from metaphrase.corpus.formats.judged.request import JudgementFiles
from metaphrase.corpus.formats.judged.texts import data_name, language_in_pair
from metaphrase.corpus.formats.score_text import is_score, shown
from metaphrase.corpus.judgements import Judgements
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.corpus.ratings import BEST, Item, Kind, MarkedError, Rating, Ratings, no_ratings
from metaphrase.errors import InputError

#: Which item is of which kind.
ITEM_TYPES: Mapping[str, Kind] = {"TGT": "target", "BAD": "degraded", "CHK": "repeat"}
_REFERENCE = "REF"
#: What WMT's batches add to the document of a degraded copy, so that it is a page of its own; and ours to a
#: repetition.
COPY_MARKS: Mapping[Kind, str] = {"degraded": "#bad", "repeat": "#chk"}
#: How many fields a row has: of direct assessment, of documents, and both with the batch.
_DIRECT, _DOCUMENT, _BATCH = 9, 12, 2
_COUNTS = (_DIRECT, _DOCUMENT, _DIRECT + _BATCH, _DOCUMENT + _BATCH)
#: What a campaign without scores (MQM) writes for one.
_NO_SCORE = "-1"


def read_appraise(path: FilePath) -> Ratings:
    """The ratings of a file; several of one item by one judge count by the last, as Appraise counts them."""
    items: dict[str, Item] = {}
    ratings: dict[tuple[str, str], Rating] = {}
    pair = ""
    with LineReader(path) as reader:
        for line, text in reader:
            row = row_of(text, reader.name, line)
            found = f"{language_in_pair(row[4])}-{language_in_pair(row[5])}"
            if pair and found != pair:
                raise _fault(f"it is of {found}, others of {pair}", reader.name, line)
            pair = found
            if row[3] == _REFERENCE:
                continue
            rating, item = _rating(row, reader.name, line)
            items[item.id] = item
            ratings[rating.judge, rating.item] = rating
        name = reader.name
    if not ratings:
        raise no_ratings(name)
    with_errors = any(rating.errors is not None for rating in ratings.values())
    with_scores = any(rating.score is not None for rating in ratings.values())
    return Ratings(
        data_name(name),
        pair,
        "da" if not with_errors else "esa" if with_scores else "mqm",
        items,
        tuple(ratings.values()),
        name,
    )


def item_id(system: str, segment: str, kind: Kind) -> str:
    """How an item is known: Appraise has no other name for it."""
    return f"{system} {segment} {kind}"


def written_system(system: str) -> str:
    """A system's name as a batch has it: Appraise takes a name with + for those of several systems."""
    return system.replace("+", "_")


def _rating(row: Sequence[str], path: str, line: int) -> tuple[Rating, Item]:
    judge, system, segment, kind = row[0], row[1], row[2], ITEM_TYPES[row[3]]
    of = None if kind == "target" else item_id(system, segment, "target")
    document = ""
    errors: tuple[MarkedError, ...] | None = None
    times = row[7:9]
    if len(row) in (_DOCUMENT, _DOCUMENT + _BATCH):
        document, times = row[7], row[10:12]
        for mark in COPY_MARKS.values():
            document = document.removesuffix(mark)
        errors = _errors(row[9], path, line)
    item = Item(item_id(system, segment, kind), system, document, segment, kind, of)
    score = None if row[6] == _NO_SCORE else float(row[6])
    seconds = float(times[1]) - float(times[0])
    return Rating(judge, item.id, score, errors, max(seconds, 0.0), line), item


def _errors(text: str, path: str, line: int) -> tuple[MarkedError, ...]:
    try:
        found = json.loads(text)
        if isinstance(found, str):  # a batch without errors of its own has them as text
            found = json.loads(found)
        if isinstance(found, dict):  # of a tutorial
            found = found.get("payload")
        return marked_errors(found)
    except RecursionError:
        raise _fault("its errors are nested too deeply", path, line) from None
    except json.JSONDecodeError:
        raise _fault("its errors are no JSON", path, line) from None
    except ValueError as error:
        raise _fault(str(error), path, line) from None


def row_of(text: str, path: str, line: int) -> list[str]:
    """The fields of a row, which it must have all of."""
    try:
        # Some programs end lines in CR CR LF.
        row = next(csv.reader([text.rstrip("\r")], strict=True), [])
    except csv.Error:
        raise _fault("its quotation marks do not pair", path, line) from None
    if len(row) not in _COUNTS:
        raise _fault(f"it has {len(row)} fields", path, line)
    if row[3] not in ITEM_TYPES and row[3] != _REFERENCE:
        raise _fault(f"{shown(row[3])} is no type of item", path, line)
    if not is_score(row[6]) or not (row[6] == _NO_SCORE or 0 <= float(row[6]) <= BEST):
        raise _fault(f"the score {shown(row[6])} is none from 0 to {BEST}", path, line)
    times = row[10:12] if len(row) in (_DOCUMENT, _DOCUMENT + _BATCH) else row[7:9]
    if not all(map(is_score, times)):
        raise _fault("its times are no numbers", path, line)
    if not all(row[:3]):
        raise _fault("it has no judge, system or segment", path, line)
    return row


def _fault(what: str, path: str, line: int) -> InputError:
    return InputError(
        "MP791",
        f"The row is no result of Appraise: {what}.",
        path=path,
        line=line,
        hint="Give what `manage.py ExportSystemScoresToCSV CAMPAIGN` prints, as it is.",
    )


def first_row(head: Head) -> list[str]:
    """The fields of a file's first row if it is one of Appraise, and else none."""
    if not head.lines or head.is_folder:
        return []
    try:
        row = next(csv.reader([head.lines[0]]), [])
    except csv.Error:
        return []
    types = {*ITEM_TYPES, _REFERENCE}
    return row if len(row) in _COUNTS and row[3] in types and is_score(row[6]) else []


def _open_judgements(path: str, files: JudgementFiles) -> Iterator[Judgements]:
    """Those of ESA, whose rows say which translations they are about: texts can be put beside them."""
    from metaphrase.corpus.formats.judged.esa import open_esa  # which reads these rows

    return open_esa(path, files)


FORMATS = (
    Format(
        name="appraise",
        holds="ratings",
        description="results of Appraise as CSV",
        recognises=lambda head: bool(first_row(head)),
        read=read_appraise,
        open_judgements=_open_judgements,
        open_ratings=lambda path, weights: [read_appraise(path)],
        of_items=True,
        options=("texts", "human", "min_judgements", "system_pattern", "unknown_systems"),
    ),
)
