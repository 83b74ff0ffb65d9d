"""English phrases that share translations, over several languages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from metaphrase.learning import ParallelText, PhraseTable, align_words, extract_phrases

#: Units of an English phrase in the result, and words of the phrases that tables count.
MOST_UNITS = 2
MOST_TABLE_WORDS = 4
#: A phrase pair seen once is an accident of alignment as often as not.
LEAST_COUNT = 2
#: Of p(f | e) and p(e | f), and of p(e2 | e1) in one language.
LEAST_TRANSLATION = 0.002
LEAST_PARAPHRASE = 0.0005


@dataclass(slots=True)
class Evidence:
    """What the languages say of a pair: sums of probabilities both ways, and how many pivots."""

    forth: float = 0.0
    back: float = 0.0
    languages: int = 0
    pivots: int = 0


@dataclass(frozen=True, slots=True)
class PivotEvidence:
    """Pairs of phrases, the alphabetically first in front, and how often each phrase was seen."""

    pairs: dict[tuple[str, str], Evidence] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, table: PhraseTable) -> None:
        """Add what one language says."""
        found = table.pivot(
            most_words=MOST_UNITS,
            least_translation=LEAST_TRANSLATION,
            least_paraphrase=LEAST_PARAPHRASE,
        )
        names: dict[int, str] = {}
        for number in sorted({*found.phrases.tolist(), *found.paraphrases.tolist()}):
            name = names[number] = table.source.phrase(number)
            self.counts[name] = self.counts.get(name, 0) + int(table.source.totals[number])
        columns = (found.phrases, found.paraphrases, found.probabilities, found.pivots)
        for a, b, p, pivots in zip(*(column.tolist() for column in columns), strict=True):
            first, second = sorted((names[a], names[b]))
            evidence = self.pairs.setdefault((first, second), Evidence())
            if names[a] == first:
                evidence.forth += p
                evidence.languages += 1
                evidence.pivots += pivots
            else:
                evidence.back += p


def phrase_table(text: ParallelText, progress: Callable[[str], None]) -> PhraseTable:
    """Align, symmetrise, extract."""
    alignments = align_words(text, progress=lambda done: progress(f"iteration {done}"))
    return extract_phrases(
        text,
        alignments.symmetrise(),
        most_source_words=MOST_TABLE_WORDS,
        most_target_words=MOST_TABLE_WORDS,
        least_count=LEAST_COUNT,
    )
