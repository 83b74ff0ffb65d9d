"""Files of human judgements: scores in TSV, rankings in JSONL; several language pairs in one file.

TSV has the columns ``set lp system doc seg source references hypothesis human`` and may have ``domain`` (more
are passed over), several references separated by `` ||| ``. JSONL has one ranking per line: ``set lp doc seg
judge source ref items``, each item with ``systems`` (all that produced the very text), ``rank`` and ``hyp``.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, takewhile
from typing import Any

from metaphrase.corpus.formats.format import Format
from metaphrase.corpus.formats.judged.fields import judged_number
from metaphrase.corpus.formats.judged.rated_judgements import read_rated_judgements
from metaphrase.corpus.formats.judged.request import JudgementFiles
from metaphrase.corpus.formats.judged.texts import DifferingTexts, checked_differing_texts
from metaphrase.corpus.formats.judged.writing_judgements import COLUMNS, DOMAIN, write_judgements
from metaphrase.corpus.formats.score_text import shown
from metaphrase.corpus.formats.tables.layout import JUDGEMENT_COLUMNS
from metaphrase.corpus.formats.tables.tsv import SEPARATOR, open_tsv
from metaphrase.corpus.judgements import JudgedText, Judgements, JudgementsBuilder, Ranking
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.errors import InputError
from metaphrase.languages import is_wanted

_FIELDS = ("set", "lp", "seg", "judge", "source", "ref", "items")
_ITEM_FIELDS = ("systems", "rank", "hyp")
Builders = dict[tuple[str, str], JudgementsBuilder]


def read_judgements(
    path: FilePath,
    *,
    pairs: Collection[str] | None = None,
    differing_texts: DifferingTexts = "error",
) -> dict[str, Judgements]:
    """The judgements of each language pair in the file, in the order of their first lines.

    A file of several data sets has them under ``SET PAIR``. Which of the two formats it is, the first
    character tells: rankings begin with a brace. With ``pairs``, lines of other language pairs are passed
    over. Where rankings have several texts of a system for one segment, as of two spellings,
    ``differing_texts`` may be ``first``: then the first of them is what was ranked.

    >>> metaphrase.meta.read_judgements("judgements.tsv")["fr-en"].systems
    ('careful', 'literal', 'careless')
    """
    builders: Builders = {}
    with LineReader(path) as reader:
        lines = iter(reader)
        first = next(lines)
        if first[1].startswith("{"):
            spellings = _Spellings(reader.name, differing_texts)
            _read_rankings(chain([first], lines), reader.name, builders, pairs, spellings)
        else:
            _read_scores(first[1], lines, reader.name, builders, pairs)
    if not builders and pairs is None:
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
    pairs: Collection[str] | None,
) -> None:
    names = header.split("\t")
    missing = [name for name in COLUMNS if names.count(name) != 1]
    if missing:
        raise InputError(
            "MP150",
            f"The header lacks {', '.join(missing)}, or has it twice.",
            path=path,
            line=1,
            hint=f"A table of judgements has the columns {' '.join(COLUMNS)}.",
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
        if not is_wanted(row["lp"], pairs):
            continue
        builder = _builder(builders, row["set"], row["lp"])
        judged = JudgedText(
            row["hypothesis"], tuple(row["references"].split(SEPARATOR)), row["source"]
        )
        cell = builder.place(row["system"], row["doc"], row["seg"], judged)
        if DOMAIN in row:
            builder.set_domain(cell, row[DOMAIN])
        if row["human"]:
            builder.judge(cell, judged_number(row["human"], path, line))


def _read_rankings(
    lines: Iterator[tuple[int, str]],
    path: str,
    builders: Builders,
    pairs: Collection[str] | None,
    spellings: _Spellings,
) -> None:
    for line, text in lines:
        try:
            row = _object(json.loads(text), _FIELDS)
            if not is_wanted(_string(row, "lp"), pairs):
                continue
            builder = _builder(builders, _string(row, "set"), _string(row, "lp"))
            place = _label(row.get("doc")), _label(row["seg"])
            judge, source = _label(row["judge"]), _label(row["source"])
            ranked: list[tuple[str, JudgedText]] = []
            ranks: list[int] = []
            items: list[int] = []
            for number, given in enumerate(_list(row["items"])):
                item = _object(given, _ITEM_FIELDS)
                judged = JudgedText(_string(item, "hyp"), (_string(row, "ref"),), source)
                if isinstance(item["rank"], bool) or not isinstance(item["rank"], int):
                    raise ValueError(f"has the rank {item['rank']!r}, which is no whole number")
                for system in _list(item["systems"]):
                    ranked.append((_label(system), judged))
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
        cells = spellings.placed(builder, place, ranked, line)
        systems = tuple(system for system, _ in cells)
        builder.rankings.append(Ranking(cells[0][1], judge, systems, tuple(ranks), tuple(items)))


class _Spellings:
    """Knows where each system's text of a segment stood first, to find and name others."""

    def __init__(self, path: str, differing_texts: DifferingTexts) -> None:
        self._path = path
        self._takes_first = checked_differing_texts(differing_texts) == "first"
        self._first: dict[tuple[JudgementsBuilder, str, str, str, str], tuple[int, JudgedText]] = {}

    def placed(
        self,
        builder: JudgementsBuilder,
        place: tuple[str, str],
        ranked: Sequence[tuple[str, JudgedText]],
        line: int,
    ) -> list[tuple[int, int]]:
        """The cells of one ranking, all of one segment."""
        if not ranked:
            raise InputError(
                "MP154",
                "The ranking is empty.",
                path=self._path,
                line=line,
                hint="Remove the line.",
            )
        names = [system for system, _ in ranked]
        for system in names:
            if names.count(system) > 1:
                raise InputError(
                    "MP154",
                    f"The system {shown(system)} is in the ranking twice.",
                    path=self._path,
                    line=line,
                    hint="A ranking has each system once.",
                )
        cells = []
        others = []
        for system, text in ranked:
            key = builder, system, *place, text.source
            first, known = self._first.setdefault(key, (line, text))
            if known != text:
                others.append((system, first, known.hypothesis, text.hypothesis))
            cells.append(builder.place(system, *place, known if self._takes_first else text))
        # Where all texts are others, the segment is another one that has the same name.
        if len({segment for _, segment in cells}) > 1:
            system, first, there, here = others[0]
            raise InputError(
                "MP154",
                f"The system {shown(system)} has another text for segment {shown(place[1])} in line "
                f"{first}: {_apart(there, here)}.",
                path=self._path,
                line=line,
                hint='Mend it, or take what stands first with differing_texts="first" '
                "(--differing-texts first).",
            )
        return cells


def _apart(there: str, here: str) -> str:
    """Two texts from where they begin to differ, or their references if the texts do not."""
    if there == here:
        return "the reference is another one"
    alike = takewhile(lambda both: both[0] == both[1], zip(there, here, strict=False))
    start = there.rfind(" ", 0, sum(1 for _ in alike)) + 1
    return f"{_excerpt(there[start:])} there, {_excerpt(here[start:])} here"


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


def _open_judgements(path: str, files: JudgementFiles) -> Iterable[Judgements]:
    given = files.differing_texts or "error"
    return read_judgements(path, pairs=files.pairs, differing_texts=given).values()


FORMATS = (
    Format(
        name="judgements-tsv",
        holds="judgements",
        description="texts with human scores in a table",
        recognises=lambda head: head.columns >= JUDGEMENT_COLUMNS,
        read=read_judgements,
        write=write_judgements,
        open_judgements=_open_judgements,
        open_ratings=lambda path, weights: read_rated_judgements(path),
        open_corpus=open_tsv,
        options=("columns", "judges"),
    ),
    Format(
        name="rankings-jsonl",
        holds="judgements",
        description="texts that people ranked, one ranking per line",
        recognises=lambda head: "items" in head.fields,
        read=read_judgements,
        write=write_judgements,
        open_judgements=_open_judgements,
        options=("differing_texts", "judges"),
    ),
)
