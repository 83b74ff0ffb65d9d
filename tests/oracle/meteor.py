"""METEOR's matches and alignment, slow and obvious: one object per partial alignment, copied at every step.

``search`` is the program's beam search written plainly; ``best_objective`` tries every set of matches that
leaves no word twice matched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from metaphrase.analysis.metric_text import meteor_text
from metaphrase.lexicon import WordNet

DETACHMENT = (
    "s: ses:s xes:x zes:z ches:ch shes:sh men:man ies:y s: ies:y es:e es: ed:e ed: ing:e ing: "
    "er: est: er:e est:e"
)


@dataclass(frozen=True)
class Candidate:
    reference: int
    reference_words: int
    hypothesis: int
    hypothesis_words: int
    module: str

    @property
    def reference_places(self) -> set[int]:
        return set(range(self.reference, self.reference + self.reference_words))

    @property
    def hypothesis_places(self) -> set[int]:
        return set(range(self.hypothesis, self.hypothesis + self.hypothesis_words))

    @property
    def matched(self) -> int:
        """What the search counts it for: half its words, unless it is exact."""
        share = 1 if self.module == "exact" else 2
        return self.hypothesis_words // share + self.reference_words // share

    @property
    def distance(self) -> int:
        return abs(self.reference - self.hypothesis)


@dataclass(frozen=True)
class Partial:
    chosen: tuple[Candidate, ...] = ()
    matched: int = 0
    chunks: int = 0
    distance: int = 0
    next: int = 0
    end: int | None = None  # where the last chunk ends in the hypothesis

    @property
    def rank(self) -> tuple[int, int, int]:
        return -self.matched, self.chunks, self.distance

    def with_match(self, match: Candidate) -> Partial:
        broken = self.end is not None and self.end != match.hypothesis
        return replace(
            self,
            chosen=(*self.chosen, match),
            matched=self.matched + match.matched,
            chunks=self.chunks + broken,
            next=match.reference + match.reference_words,
            end=match.hypothesis + match.hypothesis_words,
        )

    def without_match(self) -> Partial:
        return replace(
            self, chunks=self.chunks + (self.end is not None), next=self.next + 1, end=None
        )


def synsets(word: str, wordnet: WordNet) -> set[int]:
    """Synsets of the word and of what METEOR takes for its base form."""
    found = set(wordnet.synsets(word))
    irregular = [base for part in "nvar" for base in wordnet.exceptions(word, part)]
    if irregular:
        return found.union(*(wordnet.synsets(base) for base in irregular))
    if word.endswith("ss") or len(word) <= 2:
        return found
    for rule in DETACHMENT.split():
        suffix, _, ending = rule.partition(":")
        if word.endswith(suffix):
            base = wordnet.synsets(word.removesuffix(suffix) + ending)
            if base:
                return found.union(base)
    return found


def candidates(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    *,
    modules: Sequence[str],
    paraphrases: Sequence[tuple[str, str]] = (),
) -> list[list[Candidate]]:
    """All matches by their first word in the reference, in the order in which modules find them."""
    found: list[Candidate] = []
    if list(hypothesis) == list(reference):
        modules = modules[:1]
    wordnet = WordNet.default()
    stems = [meteor_text.stem(words, "en") for words in (hypothesis, reference)]
    for module in modules:
        if module == "paraphrase":
            found += _phrase_candidates(hypothesis, reference, paraphrases)
            continue
        for r, there in enumerate(reference):
            for h, here in enumerate(hypothesis):
                related = {
                    "exact": here == there,
                    "stem": here != there and stems[0][h] == stems[1][r],
                    "synonym": here != there
                    and bool(synsets(here, wordnet) & synsets(there, wordnet)),
                }
                if related[module]:
                    found.append(Candidate(r, 1, h, 1, module))
    return [[match for match in found if match.reference == r] for r in range(len(reference))]


def _phrase_candidates(
    hypothesis: Sequence[str], reference: Sequence[str], paraphrases: Sequence[tuple[str, str]]
) -> list[Candidate]:
    def places(words: Sequence[str], phrase: str) -> list[int]:
        wanted = phrase.split()
        return [i for i in range(len(words)) if list(words[i : i + len(wanted)]) == wanted]

    def pairs(
        from_words: Sequence[str], to_words: Sequence[str]
    ) -> list[tuple[int, int, int, int]]:
        return [
            (begin, length, place, len(second.split()))
            for begin in range(len(from_words))
            for length in range(1, min(8, len(from_words) - begin + 1))
            for first, second in sorted(paraphrases)
            if first.split() == list(from_words[begin : begin + length])
            for place in places(to_words, second)
        ]

    there = [Candidate(r, n, h, m, "paraphrase") for r, n, h, m in pairs(reference, hypothesis)]
    back = [Candidate(r, n, h, m, "paraphrase") for h, m, r, n in pairs(hypothesis, reference)]
    return there + back


def unrivalled(matches: Sequence[Sequence[Candidate]]) -> dict[int, Candidate]:
    """Those none of whose words another match wants, by their first word in the reference."""
    every = [match for row in matches for match in row]
    left = Counter(place for match in every for place in match.hypothesis_places)
    right = Counter(place for match in every for place in match.reference_places)
    return {
        match.reference: match
        for match in every
        if all(left[place] == 1 for place in match.hypothesis_places)
        and all(right[place] == 1 for place in match.reference_places)
    }


def search(matches: Sequence[Sequence[Candidate]], beam: int | None = 40) -> Partial:
    """The alignment that METEOR chooses; with ``None`` the beam has no limit."""
    fixed = unrivalled(matches)
    queue = [Partial()]
    for at, row in enumerate(matches):
        ahead: list[Partial] = []
        for partial in sorted(queue, key=lambda p: p.rank)[:beam]:
            if at < partial.next:
                ahead.append(partial)
            elif at in fixed:
                longer = partial.with_match(fixed[at])
                ahead.append(replace(longer, distance=longer.distance + fixed[at].distance))
            else:
                used = {place for match in partial.chosen for place in match.hypothesis_places}
                for match in row:
                    if not used & match.hypothesis_places:
                        ahead.append(partial.with_match(match))
                        # The program charges the distance to the alignment that it goes on from.
                        partial = replace(partial, distance=partial.distance + match.distance)
                ahead.append(partial.without_match())
        queue = ahead
    ended = [p.without_match() for p in sorted(queue, key=lambda p: p.rank)[:beam]]
    return min(ended, key=lambda p: p.rank)


def chunks(chosen: Sequence[Candidate]) -> int:
    """How many runs without a gap on either side the matches form."""
    starts = {(match.reference, match.hypothesis) for match in chosen}
    ends = {(m.reference + m.reference_words, m.hypothesis + m.hypothesis_words) for m in chosen}
    return len(starts - ends)


def best_objective(matches: Sequence[Sequence[Candidate]]) -> tuple[int, int]:
    """Most matched words, then fewest chunks, over all alignments that have the unrivalled matches."""
    fixed = unrivalled(matches)
    best = (0, 0)
    first = True

    def visit(at: int, chosen: tuple[Candidate, ...]) -> None:
        nonlocal best, first
        if at == len(matches):
            value = sum(match.matched for match in chosen), -chunks(chosen)
            if first or value > best:
                best, first = value, False
            return
        used = {place for match in chosen for place in match.hypothesis_places}
        for match in [fixed[at]] if at in fixed else matches[at]:
            if not used & match.hypothesis_places:
                visit(at + match.reference_words, (*chosen, match))
        if at not in fixed:
            visit(at + 1, chosen)

    visit(0, ())
    return best
