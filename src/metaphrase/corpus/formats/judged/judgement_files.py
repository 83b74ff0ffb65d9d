"""Files of human judgements: scores in TSV, rankings in JSONL; several language pairs in one file.

TSV has the columns ``set lp system doc seg source references hypothesis human`` (more are passed over),
several references separated by `` ||| ``. JSONL has one ranking per line: ``set lp doc seg judge source ref
items``, each item with ``systems`` (all that produced the very text), ``rank`` and ``hyp``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from metaphrase.corpus.formats.format import Format
from metaphrase.corpus.formats.score_text import LARGEST
from metaphrase.corpus.formats.tables.jsonl import is_ranked
from metaphrase.corpus.formats.tables.layout import JUDGEMENT_COLUMNS
from metaphrase.corpus.formats.tables.tsv import SEPARATOR
from metaphrase.corpus.judgements import JudgedText, Judgements, JudgementsBuilder, Ranking
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.errors import InputError

_COLUMNS = ("set", "lp", "system", "doc", "seg", "source", "references", "hypothesis", "human")
_FIELDS = ("set", "lp", "seg", "judge", "source", "ref", "items")
_ITEM_FIELDS = ("systems", "rank", "hyp")
Builders = dict[tuple[str, str], JudgementsBuilder]


def read_judgements(path: FilePath) -> dict[str, Judgements]:
    """The judgements of each language pair in the file, in the order of their first lines.

    A file of several data sets has them under ``SET PAIR``. Which of the two formats it is, the first
    character tells: rankings begin with a brace.

    >>> metaphrase.meta.read_judgements("judgements.tsv")["fr-en"].systems
    ('careful', 'literal', 'careless')
    """
    builders: Builders = {}
    with LineReader(path) as reader:
        lines = iter(reader)
        first = next(lines)
        if first[1].startswith("{"):
            _read_rankings(chain([first], lines), reader.name, builders)
        else:
            _read_scores(first[1], lines, reader.name, builders)
    if not builders:
        raise InputError("MP113", "The file has no judgements.", path=path, hint="Add some rows.")
    sets = {name for name, _ in builders}
    return {
        pair if len(sets) == 1 else f"{name} {pair}": builder.build()
        for (name, pair), builder in builders.items()
    }


def _builder(builders: Builders, name: str, pair: str) -> JudgementsBuilder:
    if (name, pair) not in builders:
        builders[name, pair] = JudgementsBuilder(name, pair)
    return builders[name, pair]


def _read_scores(
    header: str,
    lines: Iterator[tuple[int, str]],
    path: str,
    builders: Builders,
) -> None:
    names = header.split("\t")
    missing = [name for name in _COLUMNS if names.count(name) != 1]
    if missing:
        raise InputError(
            "MP150",
            f"The header lacks {', '.join(missing)}, or has it twice.",
            path=path,
            line=1,
            hint=f"A table of judgements has the columns {' '.join(_COLUMNS)}.",
        )
    for line, text in lines:
        cells = text.split("\t")
        if len(cells) != len(names):
            raise InputError(
                "MP151",
                f"The row has {len(cells)} cells, the header {len(names)}.",
                path=path,
                line=line,
                hint="Cells are separated by single tabs and cannot contain one.",
            )
        row = dict(zip(names, cells, strict=True))
        builder = _builder(builders, row["set"], row["lp"])
        judged = JudgedText(
            row["hypothesis"], tuple(row["references"].split(SEPARATOR)), row["source"]
        )
        cell = builder.place(row["system"], row["doc"], row["seg"], judged)
        if row["human"]:
            builder.judge(cell, judged_number(row["human"], path, line))


def judged_number(
    text: str, path: str | None, line: int, *, missing: str = "Leave the cell empty"
) -> float:
    """A judgement that can be computed with: finite, and small enough for sums of squares."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    plain = text == text.strip() and "_" not in text  # float() is generous
    if not plain or not abs(number) < LARGEST:
        raise InputError(
            "MP152",
            f"The judgement {text!r} is not a number to compute with.",
            path=path,
            line=line,
            hint=f"{missing} where there is no judgement.",
        )
    return number


def _read_rankings(lines: Iterator[tuple[int, str]], path: str, builders: Builders) -> None:
    for line, text in lines:
        try:
            row = _object(json.loads(text), _FIELDS)
            builder = _builder(builders, _string(row, "set"), _string(row, "lp"))
            place = _label(row.get("doc")), _label(row["seg"])
            judge, source = _label(row["judge"]), _label(row["source"])
            cells: list[tuple[int, int]] = []
            ranks: list[int] = []
            items: list[int] = []
            for number, given in enumerate(_list(row["items"])):
                item = _object(given, _ITEM_FIELDS)
                judged = JudgedText(_string(item, "hyp"), (_string(row, "ref"),), source)
                if isinstance(item["rank"], bool) or not isinstance(item["rank"], int):
                    raise ValueError(f"has the rank {item['rank']!r}, which is no whole number")
                for system in _list(item["systems"]):
                    cells.append(builder.place(_label(system), *place, judged))
                    ranks.append(item["rank"])
                    items.append(number)
        except (ValueError, RecursionError) as error:
            reason = "is no JSON" if isinstance(error, json.JSONDecodeError) else str(error)
            raise InputError(
                "MP153",
                f"The line is not a ranking: it {reason}.",
                path=path,
                line=line,
                hint=f"A ranking is an object with {' '.join(_FIELDS)}.",
            ) from None
        segments = {segment for _, segment in cells}
        if len(segments) != 1:
            raise InputError(
                "MP154",
                "The ranking is empty, or a system has another text for this segment elsewhere.",
                path=path,
                line=line,
                hint="Each system translates a segment once.",
            )
        systems = tuple(system for system, _ in cells)
        builder.rankings.append(Ranking(segments.pop(), judge, systems, tuple(ranks), tuple(items)))


def _object(value: Any, fields: Sequence[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"has {_excerpt(value)} where an object belongs")
    missing = [name for name in fields if name not in value]
    if missing:
        raise ValueError(f"lacks {', '.join(missing)}")
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"has {_excerpt(value)} where a list belongs")
    return value


def _string(row: Mapping[str, Any], name: str) -> str:
    value = row[name]
    if not isinstance(value, str):
        raise ValueError(f"has {_excerpt(value)} for {name}, where text belongs")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"has half a surrogate pair in {name}") from None
    return value


def _label(value: Any) -> str:
    """A name or a number as text; nothing is the empty text."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError(f"has {_excerpt(value)} where a name or number belongs")
    return _string({"a name": str(value)}, "a name")


def _excerpt(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


FORMATS = (
    Format(
        name="judgements-tsv",
        holds="judgements",
        description="texts with human scores in a table",
        recognises=lambda head: head.columns >= JUDGEMENT_COLUMNS,
        read=read_judgements,
    ),
    Format(
        name="rankings-jsonl",
        holds="judgements",
        description="texts that people ranked, one ranking per line",
        recognises=is_ranked,
        read=read_judgements,
    ),
)
