"""WMT 2024's error span annotation (ESA): scores from 0 to 100 that judges gave after marking errors.

Two kinds of files of wmt-conference/wmt24-news-systems, whose programs say what the fields are and which rows
count (humeval/tools.py and merge_to_jsonl.py):

- CSV, as Appraise exports it (:mod:`~metaphrase.corpus.formats.judged.appraise`;
  ``esa_generalMT2024_wave0.csv``). Items of other types than
  TGT, tutorials, and documents ending in #incomplete, #dup or #bad are no judgements.
- JSONL (``wmt24_esa.jsonl``): the same with the texts and without those rows. Human translations were judged
  like systems and are called refA, refB …: they can be the references.

A judge's last score of a translation counts. Segments are numbered from 0; files disagree whether a line
that marks the test set (a canary) is counted, so that documents decide which segment a number means.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.format import Format
from metaphrase.corpus.formats.judged.appraise import row_of
from metaphrase.corpus.formats.judged.fields import whole_number
from metaphrase.corpus.formats.judged.marked_spans import marked_errors
from metaphrase.corpus.formats.judged.request import JudgementFiles
from metaphrase.corpus.formats.judged.scored_translations import (
    HumanScore,
    ScoredPlace,
    ScoredTable,
    ScoredTranslation,
    by_translation,
    judgements_of,
)
from metaphrase.corpus.formats.judged.texts import (
    REFERENCE,
    data_name,
    language_in_pair,
    none_counts,
    on_one_line,
)
from metaphrase.corpus.formats.score_text import is_score, shown
from metaphrase.corpus.judgements import JudgedText, Judgements
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.corpus.ratings import Item, Rating, Ratings, no_ratings
from metaphrase.errors import InputError, OptionError

_FIELDS = {"langs", "line_id", "doc_id", "esa_score", "system", "annotator"}
#: Fields of a row of CSV, and the type of a translation as it is.
_WIDTH, _TARGET = 12, "TGT"
#: What makes a document no judgement, and what the line that marks a test set is called.
_ASIDE, _CANARY = ("#incomplete", "#dup", "#bad"), "canary"
#: How far a number can be from the place of its segment: with and without the line that marks the test set.
_OFFSETS = (0, 1, -1)
#: The best score.
_BEST = 100


@dataclass(frozen=True, slots=True)
class EsaJudgement:
    """A judge's last score of a translation; ``segment`` counts from 0. CSV has no texts."""

    line: int
    judge: str
    system: str
    segment: int
    language_pair: str
    score: float
    document: str
    domain: str = ""
    source: str = ""
    target: str | None = None


@dataclass(frozen=True, slots=True)
class EsaTable(ScoredTable):
    """The judgements of a file that count."""

    rows: tuple[EsaJudgement, ...]
    usual: ClassVar[HumanScore] = "raw"

    @property
    def language_pairs(self) -> tuple[str, ...]:
        """The pairs that were judged, in the order of their first rows."""
        return tuple(dict.fromkeys(row.language_pair for row in self.rows))

    def places(
        self,
        corpus: Corpus,
        language_pair: str,
        human: HumanScore,
        least: int,
        segment_ids: Sequence[str] | None,
    ) -> Iterator[ScoredPlace]:
        """Segments are found by the documents of the corpus, whatever their ids.

        WMT averages scores as they are (``raw``); ``z`` standardises them by judge first.
        """
        if segment_ids is not None:
            raise OptionError("MP187", "ESA names segments by documents.", hint="Give no ids.")
        rows = [row for row in self.rows if row.language_pair == language_pair]
        first = self.offset(rows, corpus) + 1
        domains = corpus.domains or [""] * len(corpus)
        for row, scores in by_translation(rows, _translation, human, least):
            place = row.segment + first
            domain = row.domain or domains[place - 1]
            yield ScoredPlace(row.line, row.system, str(place), place, scores, domain)

    @property
    def has_texts(self) -> bool:
        """Whether the file says what was judged, as JSONL does."""
        return all(row.target is not None for row in self.rows)

    def own_judgements(
        self, *, language_pair: str, human: HumanScore = "raw", min_judgements: int = 1
    ) -> Judgements:
        """The scores beside the texts of the file; human translations are the references, and no systems.

        Segments whose human translation was not judged are left out.
        """
        rows = [row for row in self.rows if row.language_pair == language_pair]
        references: dict[tuple[str, int], dict[str, str]] = {}
        for row in rows:
            if REFERENCE.fullmatch(row.system) and (row.target or "").strip():
                known = references.setdefault((row.document, row.segment), {})
                known[row.system] = on_one_line(row.target or "")

        def judged() -> Iterator[ScoredTranslation]:
            for row, scores in by_translation(rows, _translation, human, min_judgements):
                found = references.get((row.document, row.segment))
                if found is None or REFERENCE.fullmatch(row.system):
                    continue
                text = JudgedText(
                    on_one_line(row.target or ""),
                    tuple(found[letter] for letter in sorted(found)),
                    on_one_line(row.source),
                )
                yield ScoredTranslation(
                    row.system, row.document, str(row.segment), text, scores, row.domain
                )

        return judgements_of(
            judged(),
            name=data_name(self.path),
            language_pair=language_pair,
            path=self.path,
            hint=f"No judged segment of {language_pair} has a reference: give --texts.",
        )

    def offset(self, rows: Iterable[EsaJudgement], corpus: Corpus) -> int:
        """What must be added to a number to find a segment of the same document, for all of them."""
        if corpus.documents is None:
            raise InputError(
                "MP775",
                "The texts have no documents, by which segments are found.",
                path=self.path,
                hint="Give texts with document ids: a table with a column doc, or a folder.",
            )
        documents = corpus.documents
        wrong: dict[int, EsaJudgement] = {}
        for offset in _OFFSETS:
            for row in rows:
                place = row.segment + offset
                if not 0 <= place < len(documents) or documents[place] != row.document:
                    wrong[offset] = row
                    break
            else:
                return offset
        row = max(wrong.values(), key=lambda row: row.line)
        raise InputError(
            "MP775",
            f"Segment {row.segment} was judged as one of document {shown(row.document)}, which the texts do "
            "not have there.",
            path=self.path,
            line=row.line,
            hint="Give the texts of the whole test set in its order, with its document ids.",
        )


def _translation(row: EsaJudgement) -> tuple[str, int]:
    return row.system, row.segment


def read_esa(path: FilePath) -> EsaTable:
    """The judgements of a file, CSV or JSONL, that count."""
    latest: dict[tuple[str, str, str, str, int], tuple[float, EsaJudgement]] = {}
    with LineReader(path) as reader:
        lines = iter(reader)
        first = next(lines)
        read = _of_json if first[1].startswith("{") else _of_csv
        for line, text in chain([first], lines):
            found = read(text, reader.name, line)
            if found is None:
                continue
            time, row = found
            key = (row.judge, row.system, row.language_pair, row.document, row.segment)
            # Who changed their mind judged the translation twice.
            if key not in latest or time >= latest[key][0]:
                latest[key] = found
        if not latest:
            raise none_counts(reader.name, "All rows are tutorials or control quality.")
        return EsaTable(tuple(row for _, row in latest.values()), path=reader.name)


def read_esa_ratings(path: FilePath) -> list[Ratings]:
    """What each judge said, with marked errors, in a file that has texts: JSONL of each language pair."""
    items: dict[str, dict[str, Item]] = {}
    ratings: dict[str, dict[tuple[str, str], tuple[float, Rating]]] = {}
    with LineReader(path) as reader:
        name = reader.name
        for line, text in reader:
            time, row = _of_json(text, name, line)
            said = json.loads(text)
            texts = [said.get(field) for field in ("src", "tgt")]
            if not all(isinstance(one, str) for one in texts):
                raise _fault("it has no texts src and tgt", name, line)
            item = Item(
                f"{row.system}\t{row.document}\t{row.segment}",
                row.system,
                row.document,
                str(row.segment),
                source=texts[0],
                hypothesis=texts[1],
            )
            if items.setdefault(row.language_pair, {}).setdefault(item.id, item) != item:
                raise _fault("another line has another text for it", name, line)
            try:
                spans = said.get("esa_spans")
                errors = marked_errors(spans, length=len(item.hypothesis))
            except ValueError as error:
                raise _fault(str(error), name, line) from None
            rating = Rating(row.judge, item.id, row.score, errors, line=line)
            latest = ratings.setdefault(row.language_pair, {})
            if (known := latest.get((row.judge, item.id))) is None or time >= known[0]:
                latest[row.judge, item.id] = time, rating
    if not ratings:
        raise no_ratings(name)
    return [
        Ratings(
            data_name(name).removesuffix(".jsonl"),
            pair,
            "esa",
            items[pair],
            tuple(rating for _, rating in found.values()),
            name,
        )
        for pair, found in ratings.items()
    ]


def _of_csv(text: str, path: str, line: int) -> tuple[float, EsaJudgement] | None:
    row = row_of(text, path, line)
    if len(row) != _WIDTH:
        raise _fault(f"it has {len(row)} fields, not {_WIDTH}", path, line)
    judge, system, segment, kind, source, target, score, document, _, _, _, end = row
    aside = any(mark in document for mark in _ASIDE) or document == _CANARY
    if kind != _TARGET or "tutorial" in system or aside:
        return None
    pair = f"{language_in_pair(source)}-{language_in_pair(target)}"
    number = whole_number(segment, "segment", path=path, line=line, least=0) or 0
    found = EsaJudgement(line, judge, system, number, pair, _score(score, path, line), document)
    return float(end), found


def _of_json(text: str, path: str, line: int) -> tuple[float, EsaJudgement]:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        raise _fault("it is no JSON", path, line) from None
    if not isinstance(row, dict) or not row.keys() >= _FIELDS:
        raise _fault(f"it is no object with {', '.join(sorted(_FIELDS))}", path, line)
    pair, judge, system, document = (
        _text(row, name, path, line) for name in ("langs", "annotator", "system", "doc_id")
    )
    number = whole_number(str(row["line_id"]), "line_id", path=path, line=line, least=0) or 0
    score = _score(str(row["esa_score"]), path, line)
    domain = row.get("domain")
    times = row.get("times")
    last = times[-1] if isinstance(times, list) and times else 0
    end = float(last) if is_score(str(last)) else 0.0
    source, target = row.get("src"), row.get("tgt")
    found = EsaJudgement(
        line,
        judge,
        system,
        number,
        pair,
        score,
        document,
        domain if isinstance(domain, str) else "",
        source if isinstance(source, str) else "",
        target if isinstance(target, str) else None,
    )
    return end, found


def _score(text: str, path: str, line: int) -> float:
    if not is_score(text) or not 0 <= float(text) <= _BEST:
        raise _fault(f"the score {shown(text)} is none from 0 to {_BEST}", path, line)
    return float(text)


def _text(row: Mapping[str, Any], name: str, path: str, line: int) -> str:
    value = row[name]
    if not isinstance(value, str):
        raise _fault(f"{name} is {shown(str(value))}, where text belongs", path, line)
    return value


def _fault(what: str, path: str, line: int) -> InputError:
    return InputError(
        "MP776",
        f"The row is no judgement of ESA: {what}.",
        path=path,
        line=line,
        hint="Give the files of WMT 2024 as they are: CSV of Appraise, or JSONL.",
    )


def open_esa(path: str, files: JudgementFiles) -> Iterator[Judgements]:
    """Each language pair, with the texts of the file if others are not given."""
    table = read_esa(path)
    pairs = files.wanted(table.language_pairs)
    human: Any = files.human or "raw"  # which the table checks
    if files.texts is None and not table.has_texts:
        raise files.no_texts()
    for pair in pairs:
        if files.texts is None:
            yield table.own_judgements(language_pair=pair, human=human, min_judgements=files.least)
        else:
            yield table.judgements(
                files.corpus(pair, alone=len(pairs) == 1),
                language_pair=pair,
                human=human,
                min_judgements=files.least,
                systems=files.systems,
            )


FORMATS = (
    Format(
        name="esa-jsonl",
        holds="judgements",
        description="WMT 2024's error span annotation as JSONL",
        recognises=lambda head: "esa_score" in head.fields,
        read=read_esa,
        open_judgements=open_esa,
        options=("texts", "human", "min_judgements", "system_pattern", "unknown_systems"),
    ),
)
