"""WMT 2025's error span annotation with all texts (``wmt25-genmt-humeval.jsonl``): a segment per line.

The README of wmt-conference/wmt25-general-mt says what the fields are: ``src_text``; ``tgt_text``, a text for
each system, human translations (refA) among them; ``scores``, for each system that was judged the scores
``human1``, ``human2`` … from 0 to 100 of ``annotator1``, ``annotator2`` …, or a list of such judgements in
the file of control items; and ``doc_id``, which is LANGUAGES_#_DOMAIN_#_DOCUMENT_#_SEGMENT. About half of the
segments have no scores.

Segments are up to whole documents. Their line feeds become spaces: our tables hold a text on one line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from metaphrase.corpus.formats.format import Format
from metaphrase.corpus.formats.judged.request import JudgementFiles
from metaphrase.corpus.formats.judged.scored_translations import (
    HumanScore,
    ScoredTranslation,
    by_translation,
    check_human,
    judgements_of,
)
from metaphrase.corpus.formats.judged.texts import REFERENCE, data_name, none_counts, on_one_line
from metaphrase.corpus.formats.score_text import is_language_pair, is_score, shown
from metaphrase.corpus.judgements import JudgedText, Judgements
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.errors import InputError
from metaphrase.languages import is_wanted

_SEPARATOR = "_#_"
_SCORE = re.compile(r"human(\d*)")
_BEST = 100


@dataclass(frozen=True, slots=True)
class _Judged:
    """A judge's score of a system's translation of a segment."""

    system: str
    document: str
    domain: str
    segment: str
    text: JudgedText
    judge: str
    score: float


def read_genmt(
    path: FilePath,
    *,
    pairs: Collection[str] | None = None,
    human: HumanScore = "raw",
    min_judgements: int = 1,
) -> dict[str, Judgements]:
    """The judgements of each language pair, in the order of their first lines.

    Human translations are the references, and no systems. A segment that has none, as all of en-it, is left
    out: metrics would have nothing to compare with. Scores of several judges are averaged, as they are
    (``raw``) or standardised by judge (``z``).
    """
    check_human(human)
    rows: dict[str, list[_Judged]] = {}
    with LineReader(path) as reader:
        for line, text in reader:
            for pair, row in _of_line(text, reader.name, line):
                if is_wanted(pair, pairs):
                    rows.setdefault(pair, []).append(row)
        name = data_name(reader.name)
        fewer = f"Check --pairs, and ask for fewer than {min_judgements} judges; segments need a reference."
        found = {
            pair: judgements_of(judged, name=name, language_pair=pair, path=reader.name, hint=fewer)
            for pair, given in rows.items()
            if (judged := list(_scored(given, human, min_judgements)))
        }
        if not found:
            raise none_counts(reader.name, fewer)
        return found


def _scored(rows: list[_Judged], human: HumanScore, least: int) -> Iterator[ScoredTranslation]:
    def key(row: _Judged) -> tuple[str, str, str]:
        return row.document, row.segment, row.system

    for row, scores in by_translation(rows, key, human, least):
        yield ScoredTranslation(row.system, row.document, row.segment, row.text, scores, row.domain)


def _of_line(text: str, path: str, line: int) -> Iterator[tuple[str, _Judged]]:
    """What was said about a segment that has a reference."""

    def fault(what: str) -> InputError:
        return InputError(
            "MP776",
            f"The line is no segment with judgements of ESA: {what}.",
            path=path,
            line=line,
            hint="Give wmt25-genmt-humeval.jsonl of WMT 2025 as it is.",
        )

    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        raise fault("it is no JSON") from None
    if not isinstance(row, dict):
        raise fault("it is no object")
    place, source = row.get("doc_id"), row.get("src_text")
    parts = place.split(_SEPARATOR) if isinstance(place, str) else []
    if len(parts) != 4 or not is_language_pair(parts[0]):
        raise fault(f"doc_id is {shown(str(place))}, not LANGUAGES_#_DOMAIN_#_DOCUMENT_#_SEGMENT")
    targets, scores = row.get("tgt_text"), row.get("scores")
    if not isinstance(source, str) or not isinstance(targets, dict):
        raise fault("it lacks src_text or tgt_text")
    if not isinstance(scores, dict):
        raise fault("it lacks scores")
    pair, domain, document, segment = parts
    references = tuple(
        on_one_line(target)
        for name, target in targets.items()
        if REFERENCE.fullmatch(name) and isinstance(target, str) and target.strip()
    )
    for system, given in scores.items():
        if REFERENCE.fullmatch(system):
            continue
        said = list(_scores(given))
        if not said:
            continue
        target = targets.get(system)
        if not isinstance(target, str):
            raise fault(f"{shown(system)} was judged, but has no text")
        for judge, score in said:
            if not is_score(str(score)) or not 0 <= float(score) <= _BEST:
                raise fault(
                    f"the score {shown(str(score))} of {shown(system)} is none from 0 to {_BEST}"
                )
            if references:
                judged = JudgedText(on_one_line(target), references, on_one_line(source))
                yield (
                    pair,
                    _Judged(system, document, domain, segment, judged, str(judge), float(score)),
                )


def _scores(given: object) -> Iterator[tuple[Any, Any]]:
    """Judges and scores: of one object with numbered ones, or of a list of objects."""
    for one in given if isinstance(given, list) else [given]:
        if not isinstance(one, Mapping):
            continue
        for name, score in one.items():
            numbered = _SCORE.fullmatch(name)
            if numbered and score is not None:
                yield one.get(f"annotator{numbered[1]}", ""), score


def _open_judgements(path: str, files: JudgementFiles) -> Iterable[Judgements]:
    return read_genmt(
        path,
        pairs=files.pairs,
        human=files.human or "raw",  # type: ignore[arg-type]  # which is checked there
        min_judgements=files.least,
    ).values()


FORMATS = (
    Format(
        name="genmt-jsonl",
        holds="judgements",
        description="WMT 2025's error span annotation with all texts as JSONL",
        recognises=lambda head: head.fields >= {"doc_id", "scores", "src_text", "tgt_text"},
        read=read_genmt,
        open_judgements=_open_judgements,
        options=("human", "min_judgements"),
    ),
)
