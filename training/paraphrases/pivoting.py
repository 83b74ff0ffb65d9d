"""English phrases that share translations, over several languages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from training.paraphrases.corpora import parallel_text

from metaphrase.learning import PhraseTable, align_words, extract_phrases

#: Words of an English phrase in the result, and of the phrases that tables count.
MOST_WORDS = 2
MOST_TABLE_WORDS = 4
#: A phrase pair seen once is an accident of alignment as often as not.
LEAST_COUNT = 2
#: Of p(f | e) and p(e | f), and of p(e2 | e1) in one language.
LEAST_TRANSLATION = 0.005
LEAST_PARAPHRASE = 0.001


@dataclass(slots=True)
class Evidence:
    """What the languages say of a pair: probabilities in both directions, and how many pivots."""

    forth: float = 0.0
    back: float = 0.0
    languages: int = 0
    pivots: int = 0


@dataclass(slots=True)
class PivotEvidence:
    """Pairs in alphabetical order each way round once, and how often each phrase was seen."""

    pairs: dict[tuple[str, str], Evidence] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, table: PhraseTable) -> None:
        """Add one language. Probabilities are summed; divide by the number of languages for a mean."""
        found = table.pivot(
            most_words=MOST_WORDS,
            least_translation=LEAST_TRANSLATION,
            least_paraphrase=LEAST_PARAPHRASE,
        )
        names: dict[int, str] = {}
        for number in set(found.phrases.tolist()) | set(found.paraphrases.tolist()):
            name = names[number] = table.source.phrase(number)
            total = int(table.source.totals[number])
            self.counts[name] = self.counts.get(name, 0) + total
        columns = (found.phrases, found.paraphrases, found.probabilities, found.pivots)
        for a, b, p, pivots in zip(*(column.tolist() for column in columns), strict=True):
            first, second = names[a], names[b]
            # Both directions are found, since they share pivots; each pair is counted in one of them.
            if first < second:
                evidence = self.pairs.setdefault((first, second), Evidence())
                evidence.forth += p
                evidence.languages += 1
                evidence.pivots += pivots
            else:
                self.pairs.setdefault((second, first), Evidence()).back += p


def phrase_table(language: str, progress: Callable[[str], None]) -> PhraseTable:
    text = parallel_text(language)
    progress(f"{language}: {len(text):,} sentence pairs")
    alignments = align_words(text, progress=lambda done: progress(f"{language}: iteration {done}"))
    table = extract_phrases(
        text,
        alignments.symmetrise(),
        most_source_words=MOST_TABLE_WORDS,
        most_target_words=MOST_TABLE_WORDS,
        least_count=LEAST_COUNT,
    )
    progress(f"{language}: {len(table):,} phrase pairs")
    return table


def pivot_evidence(languages: Iterable[str], progress: Callable[[str], None]) -> PivotEvidence:
    evidence = PivotEvidence()
    for language in languages:
        evidence.add(phrase_table(language, progress))
        progress(f"{language}: {len(evidence.pairs):,} pairs of phrases so far")
    return evidence
