"""Tables of judgements that say who judged: those of ``judgement_files`` with a column ``judge``.

Each row is one judge's score of one translation; whoever reads the table without asking for judges gets their
mean. ``seconds`` and ``errors`` may be there as well, errors as ``major/Accuracy/Omission 4-9; minor
missing``: severity, category, and from which character up to which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from metaphrase.corpus.formats.judged.fields import judged_number
from metaphrase.corpus.formats.judged.texts import data_name
from metaphrase.corpus.formats.score_text import shown
from metaphrase.corpus.formats.tables.tsv import SEPARATOR, table_rows
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.corpus.ratings import Item, MarkedError, Rating, Ratings, no_ratings
from metaphrase.corpus.writing import cannot_hold
from metaphrase.errors import InputError

COLUMNS = tuple(
    "set lp system doc seg source references hypothesis human type judge seconds errors".split()
)
_REQUIRED = ("set", "lp", "system", "seg", "hypothesis", "human", "judge")
_ERROR = re.compile(r"([^/]*?)(?:/(.*))? (?:([0-9]{1,9})-([0-9]{1,9})|missing)")


def rated_lines(ratings: Ratings, path: FilePath) -> Iterator[str]:
    """The lines of a table of all ratings of translations, without those of control items."""
    yield "\t".join(COLUMNS)
    for number, (rating, item) in enumerate(ratings.of_kind("target"), 2):
        cells = (
            ratings.name,
            ratings.language_pair,
            item.system,
            item.document,
            item.segment,
            item.source,
            SEPARATOR.join(item.references),
            item.hypothesis,
            "" if rating.score is None else repr(rating.score),
            ratings.protocol.upper(),
            rating.judge,
            "" if rating.seconds is None else f"{rating.seconds:.1f}",
            "" if rating.errors is None else "; ".join(map(_error_text, rating.errors)),
        )
        if any("\t" in cell for cell in cells):
            raise cannot_hold(path, number, "contains a tab")
        yield "\t".join(cells)


def read_rated_judgements(path: FilePath) -> list[Ratings]:
    """The ratings of each data set and language pair of a table with a column ``judge``."""
    found: dict[tuple[str, str], tuple[dict[str, Item], list[Rating], str]] = {}
    with LineReader(path) as reader:
        for line, row in table_rows(reader):
            missing = [name for name in _REQUIRED if name not in row]
            if missing:
                raise InputError(
                    "MP796",
                    f"The table does not say who judged: it lacks the column {missing[0]}.",
                    path=reader.name,
                    line=1,
                    hint=f"A table of single judgements has the columns {' '.join(_REQUIRED)}.",
                )
            kind = row.get("type", "").lower()
            items, ratings, _ = found.setdefault((row["set"], row["lp"]), ({}, [], kind))
            item = _item(row)
            items[item.id] = item
            ratings.append(_rating(row, item.id, reader.name, line))
        name = reader.name
    if not found:
        raise no_ratings(name)
    return [
        Ratings(
            data or data_name(name),
            pair,
            "mqm" if kind.startswith("mqm") else "esa" if kind.startswith("esa") else "da",
            items,
            tuple(ratings),
            name,
        )
        for (data, pair), (items, ratings, kind) in found.items()
    ]


def _item(row: Mapping[str, str]) -> Item:
    place = (row["system"], row.get("doc", ""), row["seg"])
    references = tuple(row.get("references", "").split(SEPARATOR))
    return Item(
        "\t".join(place),
        *place,
        source=row.get("source", ""),
        hypothesis=row["hypothesis"],
        references=references,
    )


def _rating(row: Mapping[str, str], item: str, path: str, line: int) -> Rating:
    if not row["judge"]:
        raise InputError(
            "MP796",
            "The row does not say who judged.",
            path=path,
            line=line,
            hint="Name the judge.",
        )
    score = judged_number(row["human"], path, line) if row["human"] else None
    seconds = judged_number(row["seconds"], path, line) if row.get("seconds") else None
    errors = None
    if "errors" in row and (row["errors"] or row.get("type", "").lower() in ("esa", "mqm")):
        errors = tuple(_errors(row["errors"], path, line))
    return Rating(row["judge"], item, score, errors, seconds, line)


def _error_text(error: MarkedError) -> str:
    name = f"{error.severity}/{error.category}" if error.category else error.severity
    place = "missing" if error.span is None else f"{error.span[0]}-{error.span[1]}"
    return f"{name} {place}"


def _errors(text: str, path: str, line: int) -> Iterator[MarkedError]:
    for part in filter(None, text.split("; ")):
        found = _ERROR.fullmatch(part)
        if found is None:
            raise InputError(
                "MP792",
                f"{shown(part)} is no error.",
                path=path,
                line=line,
                hint="Write severity/category and from where to where: major/Accuracy 4-9.",
            )
        span = None if found[3] is None else (int(found[3]), int(found[4]))
        yield MarkedError(found[1], found[2] or "", span)
