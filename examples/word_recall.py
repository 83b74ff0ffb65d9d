"""A metric of one's own: how much of the reference is there, word by word."""

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metaphrase.metrics import (
    Comparison,
    Explanation,
    Feature,
    Leftover,
    Link,
    Metric,
    Word,
    option,
)


@dataclass(frozen=True, kw_only=True)
class WordRecall(Metric):
    """The share of the reference's words that the translation has, in any order."""

    name: ClassVar[str] = "word-recall"
    summary: ClassVar[str] = "share of the reference's words"
    citation: ClassVar[str] = "an example"

    lowercase: bool = option(True, "whether words are compared in lower case")

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> np.ndarray:
        """Words found and words there were, over all references: rows that can be added up."""
        rows = np.zeros((len(comparison), 2))
        for texts in comparison.references:
            for row, hypothesis, reference in zip(rows, comparison.hypotheses, texts, strict=True):
                there = self._words(reference)
                row += len(_links(self._words(hypothesis), there)), len(there)
        return rows

    def score(self, statistics: np.ndarray) -> np.ndarray:
        """The share, of a segment or of a sum over many; 1 where there was nothing to find."""
        found, there = statistics[..., 0], statistics[..., 1]
        return np.divide(found, there, out=np.ones_like(found), where=there > 0)

    def explain(self, hypothesis: str, reference: str) -> Explanation:
        """Which words were found, and which were not."""
        here, there = self._words(hypothesis), self._words(reference)
        links = _links(here, there)
        found = {link.reference[0] for link in links}
        recall = len(links) / len(there) if there else 1.0
        return Explanation(
            metric=self.label,
            signature=str(self.signature(1)),
            score=recall,
            hypothesis_text=hypothesis,
            reference_text=reference,
            hypothesis=here,
            reference=there,
            links=links,
            leftovers=tuple(
                Leftover("words", "reference", (i,), 1.0)
                for i in range(len(there))
                if i not in found
            ),
            features=(Feature("words", "words found", recall),),
        )

    def _words(self, text: str) -> tuple[Word, ...]:
        return tuple(
            Word(found[0].lower() if self.lowercase else found[0], *found.span(), weight=1.0)
            for found in re.finditer(r"[\w']+", text)
        )


def _links(here: tuple[Word, ...], there: tuple[Word, ...]) -> tuple[Link, ...]:
    """Each word of the reference with an equal one of the translation, each of which serves once."""
    free = dict[str, list[int]]()
    for i, word in enumerate(here):
        free.setdefault(word.form, []).append(i)
    return tuple(
        Link("words", "equal", (free[word.form].pop(0),), (i,), 1.0, 1.0)
        for i, word in enumerate(there)
        if free.get(word.form)
    )
