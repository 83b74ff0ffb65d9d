"""Judgements in our own formats: scores as TSV, rankings as JSONL.

What is written reads back as it was, down to the last bit of a score: texts, systems, segments, documents,
domains, and of rankings the judges and which texts were shown as one. Scores are those of translations:
means, where several people judged one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from metaphrase.corpus.formats.judged.fields import write_lines, write_tabbed
from metaphrase.corpus.formats.tables.tsv import SEPARATOR
from metaphrase.corpus.judgements import Judgements, Ranking
from metaphrase.corpus.lines import FilePath
from metaphrase.errors import InputError

#: The columns of a table of scores; ``domain`` is there where somebody knows the domains.
COLUMNS = ("set", "lp", "system", "doc", "seg", "source", "references", "hypothesis", "human")
DOMAIN = "domain"
Found = Mapping[str, Judgements] | Iterable[Judgements]


def write_judgements(found: Found, path: FilePath, *, overwrite: bool = True) -> None:
    """Write all judgements into one file, scores as TSV and rankings as JSONL; both together are refused."""
    judgements = list(found.values() if isinstance(found, Mapping) else found)
    kinds = {one.is_ranked for one in judgements}
    if len(kinds) != 1:
        raise InputError(
            "MP777",
            "Scores and rankings cannot stand in one file."
            if kinds
            else "There is nothing to write.",
            path=path,
            hint="Convert them one after the other.",
        )
    if kinds == {True}:
        write_lines(_rankings(judgements, path), path, overwrite=overwrite)
    else:
        write_tabbed(_scores(judgements, path), path, overwrite=overwrite)


def _scores(judgements: list[Judgements], path: FilePath) -> Iterator[Sequence[str]]:
    with_domains = any(one.domains is not None for one in judgements)
    yield (*COLUMNS, DOMAIN) if with_domains else COLUMNS
    for one in judgements:
        yield from _rows(one, with_domains, path)


def _rows(one: Judgements, with_domains: bool, path: FilePath) -> Iterator[list[str]]:
    for segment, system in np.argwhere(one.text_of.T >= 0).tolist():
        text = one.texts[one.text_of[system, segment]]
        for reference in text.references:
            if SEPARATOR in reference:
                raise _cannot_hold(one, segment, f"a reference has {SEPARATOR!r} in it", path)
        score = float(one.human[system, segment])
        document, name = _place(one, segment)
        row = [
            one.name,
            one.language_pair,
            one.systems[system],
            document,
            name,
            text.source,
            SEPARATOR.join(text.references),
            text.hypothesis,
            "" if np.isnan(score) else repr(score),
        ]
        if with_domains:
            row.append("" if one.domains is None else one.domains[segment])
        yield row


def _rankings(judgements: list[Judgements], path: FilePath) -> Iterator[str]:
    for one in judgements:
        for ranking in one.rankings:
            document, name = _place(one, ranking.segment)
            items = _items(one, ranking, path)
            text = one.texts[one.text_of[ranking.systems[0], ranking.segment]]
            record = {
                "set": one.name,
                "lp": one.language_pair,
                "doc": document,
                "seg": name,
                "judge": ranking.judge,
                "source": text.source,
                "ref": text.references[0],
                "items": items,
            }
            yield json.dumps(record, ensure_ascii=False)


def _items(one: Judgements, ranking: Ranking, path: FilePath) -> list[dict[str, object]]:
    """The texts of a ranking, each with the systems that it stood for."""
    items: dict[int, tuple[str, int, list[str]]] = {}
    references = set()
    for system, rank, item in zip(ranking.systems, ranking.ranks, ranking.items, strict=True):
        text = one.texts[one.text_of[system, ranking.segment]]
        references.add(text.references)
        shown, _, systems = items.setdefault(item, (text.hypothesis, rank, []))
        if shown != text.hypothesis:
            fault = f"{systems[0]} and {one.systems[system]} were judged as one text and have two"
            raise _cannot_hold(one, ranking.segment, fault, path)
        systems.append(one.systems[system])
    if len(references) != 1 or len(next(iter(references))) != 1:
        raise _cannot_hold(one, ranking.segment, "a ranking has one reference, not several", path)
    return [
        {"systems": systems, "rank": rank, "hyp": text} for text, rank, systems in items.values()
    ]


def _place(one: Judgements, segment: int) -> tuple[str, str]:
    """The document and the name that a segment has in it."""
    name = one.segments[segment]
    document = "" if one.documents is None else one.documents[segment]
    return document, name.removeprefix(f"{document}:") if document else name


def _cannot_hold(one: Judgements, segment: int, fault: str, path: FilePath) -> InputError:
    return InputError(
        "MP777",
        f"Segment {one.segments[segment]!r} of {one.name} {one.language_pair} cannot be written: {fault}.",
        path=path,
        hint="Our formats cannot hold it; leave it out or mend it.",
    )
