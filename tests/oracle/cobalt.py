"""Context penalty and sentence score of UPF-Cobalt (METRICS 1.9 and 1.10), for the kernel to be judged by."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from oracle.cobalt_aligner import CobaltAligner, Pair
from oracle.cobalt_relations import Neighbour, coarse, neighbourhood
from oracle.cobalt_words import PUNCTUATION, STOP_WORDS, Token, scoring_similarity

ARGUMENTS = frozenset(
    """agent acomp advcl ccomp xcomp conj csubj csubjpass dobj iobj neg nsubj nsubjpass parataxis
    pcomp pobj preconj rcmod root""".split()
)
MODIFIERS = frozenset(
    "advmod amod appos cc nn npadvmod num poss possessive prep prepc tmod vmod".split()
)


def relation_weight(label: str, *, uniform: bool = False) -> float:
    kind = label.partition("_")[0]
    if uniform or kind in ARGUMENTS:
        return 1.0
    return 0.8 if kind in MODIFIERS else 0.2


@dataclass(frozen=True)
class Context:
    """The relations of one aligned word: children before parents, and those without a partner."""

    relations: tuple[str, ...]
    unmatched: tuple[str, ...]


@dataclass(frozen=True)
class ScoredPair:
    pair: Pair
    stage: int
    similarity: float
    penalty: float
    left: Context
    right: Context


@dataclass
class CobaltScorer:
    aligner: CobaltAligner
    alpha: float = 0.75
    beta: float = 4.0
    delta: float = 0.7
    uniform: bool = False
    penalty: str = "context"
    formula: str = "released"

    def weight_sum(self, labels: Sequence[str]) -> float:
        return sum((relation_weight(label, uniform=self.uniform) for label in labels), 0.0)

    def scored_pairs(self) -> list[ScoredPair]:
        left, right = self.aligner.left, self.aligner.right
        stages = self.aligner.align().stage
        scored = []
        for i, j in sorted(stages):
            similarity = scoring_similarity(left[i], right[j], self.aligner.evidence)
            contexts = self._contexts(i, j, set(stages))
            penalty = self._penalty(*contexts) if self.penalty == "context" else 0.0
            scored.append(ScoredPair((i, j), stages[i, j], similarity, penalty, *contexts))
        return scored

    def _contexts(self, i: int, j: int, pairs: set[Pair]) -> tuple[Context, Context]:
        left, right = self.aligner.left, self.aligner.right
        mine = neighbourhood(i, left[i].form, left.sound_relations)
        theirs = neighbourhood(j, right[j].form, right.sound_relations)
        matched: list[tuple[set[int], set[int]]] = [(set(), set()), (set(), set())]
        for direction, k, m in self.aligner.matching_neighbours(coarse(left[i].tag), mine, theirs):
            if (k, m) not in pairs and (k, m) != (0, 0):
                continue
            for side, index in enumerate((k, m)):
                if direction != "children":
                    matched[side][0].add(index)
                if direction != "parents":
                    matched[side][1].add(index)
        return (
            _context(mine[0], mine[1], *matched[0]),
            _context(theirs[0], theirs[1], *matched[1]),
        )

    def _penalty(self, left: Context, right: Context) -> float:
        if self.formula == "printed":
            return self._printed_penalty(left, right)
        left_total, right_total = map(self.weight_sum, (left.relations, right.relations))
        if left_total == 0 or right_total == 0:
            return 0.0
        x = self.weight_sum(left.unmatched) / left_total
        y = self.weight_sum(right.unmatched) / right_total
        mean = max(x, y)
        if x > 0 and y > 0:
            mean = (1 + self.beta**2) * x * y / (self.beta**2 * x + y)
        context_penalty = mean * math.log(right_total + 1)
        return 2 / (1 + math.exp(-context_penalty)) - 1

    def _printed_penalty(self, left: Context, right: Context) -> float:
        """Eq. 1 and 2 to the letter (METRICS 1.1)."""
        sides = [
            self.weight_sum(side.unmatched)
            / len(side.relations)
            * math.log(len(side.relations) + 1)
            if side.relations
            else 0.0
            for side in (left, right)
        ]
        return 2 / (1 + math.exp(-sum(sides) / 2))

    def word_weight(self, token: Token) -> float:
        form = token.form.lower()
        function = form in STOP_WORDS or form in PUNCTUATION
        return 1 - self.delta if function else self.delta

    def score(self) -> float:
        left, right = self.aligner.left, self.aligner.right
        pairs = self.scored_pairs()
        values = {pair.pair: max(pair.similarity - pair.penalty, 0.01) for pair in pairs}
        precision = sum(self.word_weight(left[i]) * value for (i, _), value in values.items())
        recall = sum(self.word_weight(right[j]) * value for (_, j), value in values.items())
        precision /= sum(map(self.word_weight, left.tokens)) or 1.0
        recall /= sum(map(self.word_weight, right.tokens)) or 1.0
        if precision == 0 or recall == 0:
            return 0.0
        mean = 1 / ((1 - self.alpha) / precision + self.alpha / recall)
        if self.penalty == "fragmentation":
            mean *= 1 - fragmentation([pair.pair for pair in pairs])
        return mean


def fragmentation(pairs: Sequence[Pair], *, gamma: float = 0.45, beta: float = 1.4) -> float:
    """METEOR's: γ·(chunks / pairs)^β; a chunk is a run of pairs that go on by one on both sides."""
    places = set(pairs)
    chunks = sum((i - 1, j - 1) not in places for i, j in places)
    return gamma * (chunks / len(places)) ** beta if places else 0.0


def _context(
    parents: Sequence[Neighbour],
    children: Sequence[Neighbour],
    matched_parents: set[int],
    matched_children: set[int],
) -> Context:
    unmatched = [n.label for n in children if n.index not in matched_children]
    unmatched += [n.label for n in parents if n.index not in matched_parents]
    return Context(tuple(n.label for n in (*children, *parents)), tuple(unmatched))
