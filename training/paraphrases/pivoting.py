"""English phrases that share translations, over several languages."""

from __future__ import annotations

from dataclasses import dataclass, field

from metaphrase.learning import Links, ParallelText, extract_phrases

#: Words of the phrases that tables count.
MOST_TABLE_WORDS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Floors:
    """What pivoting looks at: English phrases of so many units, and what is too rare to be counted.

    most_units:        of an English phrase in the result
    least_count:       of a phrase pair in one language
    least_translation: p(f | e) and p(e | f)
    least_paraphrase:  p(e2 | e1) in one language
    """

    most_units: int
    least_count: int
    least_translation: float
    least_paraphrase: float


#: Words are let in freely, as coverage helps metrics more than the last points of precision.
WORDS = Floors(most_units=1, least_count=1, least_translation=0.0005, least_paraphrase=0.0001)
#: A pair of phrases seen once is an accident of alignment as often as not.
PHRASES = Floors(most_units=2, least_count=2, least_translation=0.002, least_paraphrase=0.0005)


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

    floors: Floors
    pairs: dict[tuple[str, str], Evidence] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, text: ParallelText, links: Links) -> None:
        """Add what one language says."""
        table = extract_phrases(
            text,
            links,
            most_source_words=MOST_TABLE_WORDS,
            most_target_words=MOST_TABLE_WORDS,
            least_count=self.floors.least_count,
        )
        found = table.pivot(
            most_words=self.floors.most_units,
            least_translation=self.floors.least_translation,
            least_paraphrase=self.floors.least_paraphrase,
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
