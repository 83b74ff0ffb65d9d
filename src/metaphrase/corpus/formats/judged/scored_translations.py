"""Scores of translations become judgements: the same for every file of scores, whoever has the texts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.judged.texts import SystemNames, data_name, judged_text, none_counts
from metaphrase.corpus.judgements import JudgedText, Judgements, JudgementsBuilder
from metaphrase.errors import OptionError
from metaphrase.statistics.normalisation import standardise_by_judge

#: Which scores are what people said: those that they gave, or these standardised by judge.
HumanScore = Literal["raw", "z"]


@dataclass(frozen=True, slots=True)
class ScoredTranslation:
    """What a system made of a segment, and each judge's score of it."""

    system: str
    document: str
    segment: str
    text: JudgedText
    scores: Sequence[float]
    domain: str = ""


@dataclass(frozen=True, slots=True)
class ScoredPlace:
    """The same where others have the texts: ``system`` is an id, ``position`` counts segments from 1."""

    line: int
    system: str
    segment: str
    position: int
    scores: Sequence[float]
    domain: str = ""


#: A row of a file, which has a judge and the judge's score.
_Row = TypeVar("_Row", bound=Any)


def judgements_of(
    translations: Iterable[ScoredTranslation],
    *,
    name: str,
    language_pair: str,
    path: str | None,
    hint: str,
) -> Judgements:
    """The judgements of a language pair; ``hint`` is what to do if nothing was judged."""
    builder = JudgementsBuilder(name, language_pair)
    counted = False
    for one in translations:
        cell = builder.place(one.system, one.document, one.segment, one.text)
        builder.set_domain(cell, one.domain)
        for score in one.scores:
            builder.judge(cell, score)
        counted = True
    if not counted:
        raise none_counts(path, hint)
    return builder.build()


@dataclass(frozen=True, slots=True)
class ScoredTable(ABC):
    """What files of scores have in common that say which translations they are about, and have no texts."""

    path: str | None = field(default=None, compare=False, kw_only=True)
    #: Which scores count unless somebody says it.
    usual: ClassVar[HumanScore] = "z"
    #: What to do if nothing was judged by as many.
    fewer: ClassVar[str] = "Check the language pair, and ask for fewer than {least} judges."

    @abstractmethod
    def places(
        self,
        corpus: Corpus,
        language_pair: str,
        human: HumanScore,
        least: int,
        segment_ids: Sequence[str] | None,
    ) -> Iterator[ScoredPlace]:
        """The scores of each translation of a language pair that ``least`` people judged."""

    def judgements(
        self,
        corpus: Corpus,
        *,
        language_pair: str,
        name: str | None = None,
        human: HumanScore | None = None,
        min_judgements: int = 1,
        systems: SystemNames | None = None,
        segment_ids: Sequence[str] | None = None,
    ) -> Judgements:
        """The scores of a language pair beside the texts, whose order is that of the test set.

        ``human`` says which score counts, and ``min_judgements`` how many people must have given it. Segments
        are positions in the test set, counted from 1, or ``segment_ids``, which name them in order.
        """
        chosen = self.usual if human is None else human
        check_human(chosen)
        places = self.places(corpus, language_pair, chosen, min_judgements, segment_ids)
        return judgements_of(
            self._with_texts(places, corpus, systems or SystemNames()),
            name=name or data_name(self.path),
            language_pair=language_pair,
            path=self.path,
            hint=self.fewer.format(least=min_judgements),
        )

    def _with_texts(
        self, places: Iterable[ScoredPlace], corpus: Corpus, systems: SystemNames
    ) -> Iterator[ScoredTranslation]:
        """Scores beside the texts of the corpus, for each system that an id stands for."""
        path = self.path
        called: dict[str, tuple[str, ...]] = {}
        for one in places:
            if one.system not in called:
                known = systems.of(one.system, corpus.systems, path=path, line=one.line)
                called[one.system] = known
            for system in called[one.system]:
                document, text = judged_text(corpus, system, one.position, path=path, line=one.line)
                yield ScoredTranslation(system, document, one.segment, text, one.scores, one.domain)


def by_translation(
    rows: Sequence[_Row], key: Callable[[_Row], Hashable], human: HumanScore, least: int
) -> list[tuple[_Row, list[float]]]:
    """The first row of each translation that enough judges scored, and what all of them gave it."""
    check_human(human)
    scores = np.array([row.score for row in rows])
    if human == "z":
        scores = standardise_by_judge(scores, [row.judge for row in rows])
    found: dict[Hashable, tuple[_Row, list[float]]] = {}
    for row, score in zip(rows, scores.tolist(), strict=True):
        found.setdefault(key(row), (row, []))[1].append(score)
    return [(first, given) for first, given in found.values() if len(given) >= least]


def check_human(human: str) -> None:
    """Refuse a score that files do not have."""
    if human not in ("raw", "z"):
        raise OptionError("MP187", f"the human score is {human!r}.", hint='Choose "raw" or "z".')
