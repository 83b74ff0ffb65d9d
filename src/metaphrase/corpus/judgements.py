"""What people said about translations: absolute scores or rankings, with the texts they judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from metaphrase.arrays import FloatArray, Int32Array, Int64Array, one_line
from metaphrase.corpus.corpus import Corpus
from metaphrase.errors import InputError
from metaphrase.languages import language_code

#: The name of the only system in a corpus of judged texts.
TEXTS = "texts"


@dataclass(frozen=True, slots=True)
class JudgedText:
    """A translation with all that a metric may look at; equal ones are scored once."""

    hypothesis: str
    references: tuple[str, ...]
    source: str = ""


@dataclass(frozen=True, slots=True)
class Ranking:
    """One judge's order of some systems' translations of one segment; rank 1 is best, equal is a tie.

    ``segment`` and ``systems`` are positions in the :class:`Judgements` they belong to. Systems with the
    same text may have been shown as one item; ``items`` tells which, from 0.
    """

    segment: int
    judge: str
    systems: tuple[int, ...]
    ranks: tuple[int, ...]
    items: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Judgements:
    """One language pair of one data set.

    Matrices are systems × segments. ``text_of`` is the place in ``texts`` of what a system said, -1 where
    it said nothing; ``human`` is the mean absolute score, NaN where nobody gave one. Either ``human`` has
    scores or there are ``rankings``.
    """

    name: str
    language_pair: str
    systems: tuple[str, ...]
    segments: tuple[str, ...]
    documents: tuple[str, ...] | None
    texts: tuple[JudgedText, ...]
    text_of: Int32Array
    human: FloatArray
    rankings: tuple[Ranking, ...] = field(default=(), repr=False)
    domains: tuple[str, ...] | None = None

    __repr__ = one_line

    @property
    def target(self) -> str:
        """The language of the translations: ``en`` of ``de-en`` and of ``deu-eng_Latn``."""
        return language_code(self.language_pair.rpartition("-")[2])

    @property
    def is_ranked(self) -> bool:
        """Whether people put translations in order instead of scoring them."""
        return bool(self.rankings)

    def without(self, segments: Iterable[int]) -> Judgements:
        """The same without some segments, what was said there and how it was judged."""
        left_out = set(segments)
        kept = [place for place in range(len(self.segments)) if place not in left_out]
        text_of = self.text_of[:, kept]
        used = np.unique(text_of[text_of >= 0])
        numbers = np.full(len(self.texts) + 1, -1, dtype=np.int32)  # the last one is for -1
        numbers[used] = np.arange(len(used))
        places = {place: number for number, place in enumerate(kept)}
        return replace(
            self,
            segments=tuple(self.segments[place] for place in kept),
            documents=None
            if self.documents is None
            else tuple(self.documents[place] for place in kept),
            domains=None if self.domains is None else tuple(self.domains[place] for place in kept),
            texts=tuple(self.texts[place] for place in used.tolist()),
            text_of=numbers[text_of],
            human=self.human[:, kept],
            rankings=tuple(
                replace(one, segment=places[one.segment])
                for one in self.rankings
                if one.segment in places
            ),
        )

    def by_domain(self) -> dict[str, Judgements]:
        """The judgements of each domain by its name, in order of appearance, called ``NAME DOMAIN``."""
        if self.domains is None:
            raise InputError(
                "MP773",
                f"{self.name} {self.language_pair} has no domains.",
                hint="A folder has them in documents/LP.docs, a table in the column domain.",
            )
        parts = {}
        for domain in dict.fromkeys(self.domains):
            others = [place for place, name in enumerate(self.domains) if name != domain]
            parts[domain] = replace(self.without(others), name=f"{self.name} {domain}".strip())
        return parts

    def check_references(self, path: str | None = None) -> None:
        """Refuse an empty reference beside a translation that says something, as a corpus does."""
        for place, text in enumerate(self.texts):
            if all(map(str.strip, text.references)) or not text.hypothesis.strip():
                continue
            found = np.argwhere(self.text_of == place)
            if not len(found):
                continue
            system, segment = found[0].tolist()
            raise InputError(
                "MP105",
                f"A reference of segment {self.segments[segment]!r} is empty, but system "
                f"{self.systems[system]!r} has a translation.",
                path=path,
                hint="Mend the reference, or keep it with --empty-references keep.",
            )

    def corpora(self) -> Iterator[tuple[Int64Array, Corpus]]:
        """The texts as corpora of one system, with each row's place in ``texts``.

        There is one corpus per number of references: a text may have more of them than another.
        """
        counts = np.array([len(text.references) for text in self.texts])
        for count in np.unique(counts):
            places = np.flatnonzero(counts == count)
            chosen = [self.texts[place] for place in places.tolist()]
            references = [[text.references[r] for text in chosen] for r in range(int(count))]
            yield (
                places,
                Corpus(
                    {TEXTS: [text.hypothesis for text in chosen]},
                    references,
                    sources=[text.source for text in chosen],
                    empty_references="keep",
                ),
            )

    def system_corpora(self) -> Iterator[tuple[Int64Array, Int64Array, Corpus]]:
        """What systems said as corpora with documents: systems and segments by position, and the corpus.

        Systems that share segments and references stand in one corpus. Every text of a system is in it as
        often as the system said it, which matters to metrics that look at whole documents. Segments of one
        system with other numbers of references are in another corpus.
        """
        groups: dict[tuple[tuple[int, tuple[str, ...]], ...], list[int]] = {}
        for system in range(len(self.systems)):
            rows: dict[int, list[tuple[int, tuple[str, ...]]]] = {}
            for segment in np.flatnonzero(self.text_of[system] >= 0).tolist():
                references = self.texts[self.text_of[system, segment]].references
                rows.setdefault(len(references), []).append((segment, references))
            for alike in rows.values():
                groups.setdefault(tuple(alike), []).append(system)
        for shared, systems in groups.items():
            segments = [segment for segment, _ in shared]
            texts = [
                [self.texts[place] for place in self.text_of[system, segments].tolist()]
                for system in systems
            ]
            yield (
                np.array(systems),
                np.array(segments),
                Corpus(
                    {
                        self.systems[system]: [text.hypothesis for text in column]
                        for system, column in zip(systems, texts, strict=True)
                    },
                    list(zip(*(references for _, references in shared), strict=True)),
                    sources=[text.source for text in texts[0]],
                    documents=None
                    if self.documents is None
                    else [self.documents[segment] for segment in segments],
                    empty_references="keep",
                ),
            )


class JudgementsBuilder:
    """Collects texts and judgements of one language pair in the order in which they come."""

    def __init__(self, name: str, language_pair: str) -> None:
        self.name = name
        self.language_pair = language_pair
        self.rankings: list[Ranking] = []
        self._systems: dict[str, int] = {}
        self._segments: dict[tuple[str, str, str, int], int] = {}
        self._texts: dict[JudgedText, int] = {}
        self._cells: dict[tuple[int, int], int] = {}
        self._scores: dict[tuple[int, int], list[float]] = {}
        self._domains: dict[int, str] = {}

    def place(self, system: str, document: str, segment: str, text: JudgedText) -> tuple[int, int]:
        """The cell of a system's translation.

        A segment is known by document, name and source text, for some data sets number segments anew in
        every document. If the system has another text there already, the segment was translated twice.
        """
        row = self._systems.setdefault(system, len(self._systems))
        number = self._texts.setdefault(text, len(self._texts))
        repetition = 0
        while True:
            key = (document, segment, text.source, repetition)
            cell = row, self._segments.setdefault(key, len(self._segments))
            if self._cells.setdefault(cell, number) == number:
                return cell
            repetition += 1

    def judge(self, cell: tuple[int, int], score: float) -> None:
        """Add one score; several of one cell count by their mean."""
        self._scores.setdefault(cell, []).append(score)

    def set_domain(self, cell: tuple[int, int], domain: str) -> None:
        """Say in which domain the segment of a cell is; what is said first counts."""
        self._domains.setdefault(cell[1], domain)

    def build(self) -> Judgements:
        """All that was collected."""
        shape = len(self._systems), len(self._segments)
        text_of = np.full(shape, -1, dtype=np.int32)
        for cell, number in self._cells.items():
            text_of[cell] = number
        human = np.full(shape, np.nan)
        for cell, scores in self._scores.items():
            human[cell] = sum(scores) / len(scores)
        keys = list(self._segments)
        documents = tuple(document for document, *_ in keys)
        return Judgements(
            self.name,
            self.language_pair,
            tuple(self._systems),
            tuple(_segment_name(keys)),
            documents if any(documents) else None,
            tuple(self._texts),
            text_of,
            human,
            tuple(self.rankings),
            tuple(self._domains.get(place, "") for place in range(shape[1]))
            if any(self._domains.values())
            else None,
        )


def _segment_name(keys: Sequence[tuple[str, str, str, int]]) -> Iterator[str]:
    for document, segment, _, repetition in keys:
        name = f"{document}:{segment}" if document else segment
        yield f"{name}#{repetition + 1}" if repetition else name
