"""Links between phrases, found by trying all sets of them, and what they are worth: the kernel's judge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from metaphrase.matching.word_alignment import STAGES, WordAlignments
from oracle.cobalt import CobaltScorer, Context, _context
from oracle.cobalt_aligner import Pair, Parsed
from oracle.cobalt_relations import Neighbour, neighbourhood
from oracle.cobalt_words import scoring_similarity

LONGEST = 4
STAGE = STAGES.index("phrases")
PARAPHRASE = 0.6


@dataclass(frozen=True)
class PhraseLink:
    """Words of both sides, counted from 1."""

    left: tuple[int, ...]
    right: tuple[int, ...]

    @property
    def cells(self) -> set[Pair]:
        return {(i, j) for i in self.left for j in self.right}


def linked(found: WordAlignments) -> tuple[PhraseLink, ...]:
    """The links between phrases of one pair of sentences."""
    rows = zip(
        found.left, found.left_words, found.right, found.right_words, found.stage, strict=True
    )
    return tuple(
        PhraseLink(tuple(range(i + 1, i + n + 1)), tuple(range(j + 1, j + m + 1)))
        for i, n, j, m, stage in rows
        if stage == STAGE
    )


def spans(sentence: Parsed) -> Iterator[tuple[tuple[int, ...], str]]:
    """All runs of up to four words, the longer first, with the phrase that they are."""
    for begin in sentence.indices:
        for words in range(min(LONGEST, len(sentence) + 1 - begin), 0, -1):
            places = tuple(range(begin, begin + words))
            spelled = [sentence[place].canonical for place in places]
            if all(spelled):
                yield places, " ".join(spelled)


def best(links: Sequence[PhraseLink], pairs: Iterable[Pair]) -> tuple[PhraseLink, ...]:
    """Of all sets of links that share no word the one that gains most words, then the smallest, the first."""
    known = set(pairs)
    aligned = {i for i, _ in known}, {j for _, j in known}

    def gain(chosen: Sequence[PhraseLink]) -> tuple[int, int]:
        left = {i for link in chosen for i in link.left} - aligned[0]
        right = {j for link in chosen for j in link.right} - aligned[1]
        return len(left) + len(right), -len(chosen)

    def sets(
        rest: Sequence[PhraseLink], chosen: tuple[PhraseLink, ...]
    ) -> Iterator[tuple[PhraseLink, ...]]:
        if not rest:
            yield chosen
            return
        first = rest[0]
        if not any({*first.left} & {*one.left} or {*first.right} & {*one.right} for one in chosen):
            yield from sets(rest[1:], (*chosen, first))
        yield from sets(rest[1:], chosen)

    return max(sets(links, ()), key=gain)  # the first of equals


@dataclass
class PhraseScorer:
    """The scorer's words and their pairs, with phrases that paraphrase each other."""

    scorer: CobaltScorer
    phrases: frozenset[frozenset[str]]

    @cached_property
    def stages(self) -> dict[Pair, int]:
        return dict(self.scorer.aligner.align().stage)

    def possible(self) -> list[PhraseLink]:
        left, right = self.scorer.aligner.left, self.scorer.aligner.right
        found = [
            PhraseLink(a, b)
            for a, phrase in spans(left)
            for b, other in spans(right)
            if len(a) + len(b) > 2 and frozenset((phrase, other)) in self.phrases
        ]
        return [link for link in found if self._is_unexplained(link)]

    def _is_unexplained(self, link: PhraseLink) -> bool:
        """Whether a word has no partner, and the others have none but a weak one in the other phrase."""
        aligner = self.scorer.aligner
        touching = [(i, j) for i, j in self.stages if i in link.left or j in link.right]
        sides = [i for i, _ in touching], [j for _, j in touching]
        return (
            all(pair in link.cells for pair in touching)
            and all(len(set(side)) == len(side) for side in sides)
            and all(
                scoring_similarity(aligner.left[i], aligner.right[j], aligner.evidence)
                <= PARAPHRASE
                for i, j in touching
            )
            and 2 * len(touching) < len(link.left) + len(link.right)
        )

    @cached_property
    def links(self) -> tuple[PhraseLink, ...]:
        return tuple(sorted(best(self.possible(), self.stages), key=lambda link: link.left))

    @cached_property
    def cells(self) -> set[Pair]:
        """All pairs of words that count as aligned."""
        return set(self.stages) | {cell for link in self.links for cell in link.cells}

    def penalty(self, link: PhraseLink) -> float:
        """Of relations with words outside; those of one direction match, whatever they are called."""
        aligner = self.scorer.aligner
        sides: list[tuple[list[Neighbour], list[Neighbour]]] = []
        for sentence, words in ((aligner.left, link.left), (aligner.right, link.right)):
            parents: list[Neighbour] = []
            children: list[Neighbour] = []
            for word in words:
                own = neighbourhood(word, None, sentence.sound_relations)
                parents += [one for one in own[0] if one.index not in words]
                children += [one for one in own[1] if one.index not in words]
            sides.append((parents, children))
        known = self.cells | {(0, 0)}
        matched: list[list[set[int]]] = [[set(), set()], [set(), set()]]
        for direction in range(2):
            for a in sides[0][direction]:
                for b in sides[1][direction]:
                    if (a.index, b.index) in known:
                        matched[0][direction].add(a.index)
                        matched[1][direction].add(b.index)
        contexts: list[Context] = [_context(*sides[k], *matched[k]) for k in range(2)]
        return self.scorer._penalty(*contexts) if self.scorer.penalty == "context" else 0.0

    def score(self) -> float:
        scorer = self.scorer
        left, right = scorer.aligner.left, scorer.aligner.right
        joined = {cell for link in self.links for cell in link.cells}
        worth: list[tuple[tuple[int, ...], tuple[int, ...], float]] = []
        for i, j in self.stages:
            if (i, j) in joined:
                continue
            similarity = scoring_similarity(left[i], right[j], scorer.aligner.evidence)
            contexts = scorer._contexts(i, j, self.cells)
            penalty = scorer._penalty(*contexts) if scorer.penalty == "context" else 0.0
            worth.append(((i,), (j,), max(similarity - penalty, 0.01)))
        for link in self.links:
            worth.append((link.left, link.right, max(PARAPHRASE - self.penalty(link), 0.01)))
        precision = sum(scorer.word_weight(left[i]) * v for a, _, v in worth for i in a)
        recall = sum(scorer.word_weight(right[j]) * v for _, b, v in worth for j in b)
        precision /= sum(map(scorer.word_weight, left.tokens)) or 1.0
        recall /= sum(map(scorer.word_weight, right.tokens)) or 1.0
        if precision == 0 or recall == 0:
            return 0.0
        mean = 1 / ((1 - scorer.alpha) / precision + scorer.alpha / recall)
        if scorer.penalty == "fragmentation":
            chunks = sum((a[0] - 1, b[0] - 1) not in self.cells for a, b, _ in worth)
            mean *= 1 - 0.45 * (chunks / len(worth)) ** 1.4
        return mean
