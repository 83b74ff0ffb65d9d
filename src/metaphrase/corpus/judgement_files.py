"""Files of human judgements: scores in TSV, rankings in JSONL; several language pairs in one file.

TSV has the columns ``set lp system doc seg source references hypothesis human`` (more are passed over),
several references separated by `` ||| ``. JSONL has one ranking a line: ``set lp doc seg judge source ref
items``, each item with ``systems`` (all that produced the very text), ``rank`` and ``hyp``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from metaphrase.corpus.judgements import JudgedText, Judgements, JudgementsBuilder, Ranking
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.errors import InputError

SEPARATOR = " ||| "
_COLUMNS = ("set", "lp", "system", "doc", "seg", "source", "references", "hypothesis", "human")
_FIELDS = ("set", "lp", "seg", "judge", "source", "ref", "items")


def read_judgements(path: FilePath) -> dict[str, Judgements]:
    """The judgements of each language pair in the file, in the order of their first lines.

    Which of the two formats it is, the first character tells: rankings begin with a brace.
    """
    builders: dict[str, JudgementsBuilder] = {}
    with LineReader(path) as reader:
        lines = iter(reader)
        first = next(lines)
        if first[1].startswith("{"):
            _read_rankings(chain([first], lines), reader.name, builders)
        else:
            _read_scores(first[1], lines, reader.name, builders)
    return {pair: builder.build() for pair, builder in builders.items()}


def _builder(builders: dict[str, JudgementsBuilder], row: Mapping[str, Any]) -> JudgementsBuilder:
    pair = row["lp"]
    if pair not in builders:
        builders[pair] = JudgementsBuilder(row["set"], pair)
    return builders[pair]


def _read_scores(
    header: str,
    lines: Iterator[tuple[int, str]],
    path: str,
    builders: dict[str, JudgementsBuilder],
) -> None:
    names = header.split("\t")
    missing = [name for name in _COLUMNS if name not in names]
    if missing:
        raise InputError(
            "MP150",
            f"The header lacks {', '.join(missing)}.",
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
        builder = _builder(builders, row)
        judged = JudgedText(
            row["hypothesis"], tuple(row["references"].split(SEPARATOR)), row["source"]
        )
        cell = builder.place(row["system"], row["doc"], row["seg"], judged)
        if row["human"]:
            builder.judge(cell, _number(row["human"], path, line))


def _number(text: str, path: str, line: int) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(
            "MP152",
            f"The judgement {text!r} is not a number.",
            path=path,
            line=line,
            hint="Leave the cell empty where there is no judgement.",
        )
    return number


def _read_rankings(
    lines: Iterator[tuple[int, str]], path: str, builders: dict[str, JudgementsBuilder]
) -> None:
    for line, text in lines:
        try:
            row = json.loads(text)
            missing = [name for name in _FIELDS if name not in row]
            if missing:
                raise KeyError(", ".join(missing))
            builder = _builder(builders, row)
            cells: list[tuple[int, int]] = []
            ranks: list[int] = []
            items: list[int] = []
            for number, item in enumerate(row["items"]):
                judged = JudgedText(str(item["hyp"]), (str(row["ref"]),), str(row["source"] or ""))
                for system in item["systems"]:
                    place = str(system), str(row.get("doc") or ""), str(row["seg"])
                    cells.append(builder.place(*place, judged))
                    ranks.append(int(item["rank"]))
                    items.append(number)
        except (ValueError, KeyError, TypeError) as error:
            reason = f"lacks {error.args[0]}" if isinstance(error, KeyError) else f"({error})"
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
        builder.rankings.append(
            Ranking(segments.pop(), str(row["judge"]), systems, tuple(ranks), tuple(items))
        )
