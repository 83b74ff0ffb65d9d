"""The aligner of Sultan, Bethard and Sumner (METRICS 2): what differs from Cobalt's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from oracle.cobalt_aligner import Aligned, CobaltAligner, Counters, Pair
from oracle.cobalt_relations import (
    MWA_CHILDREN,
    MWA_PARENT_CHILD,
    MWA_PARENTS,
    Neighbour,
    coarse,
    in_one_set,
    neighbourhood,
)
from oracle.cobalt_words import Token, mwa_similarity, mwa_word_similarity

SIMILAR = 0.9


@dataclass
class MwaAligner(CobaltAligner):
    def compare(self, left: Token, right: Token) -> float:
        return mwa_similarity(left, right, self.evidence)

    def lemma_similarity(self, i: int, j: int) -> float:
        left, right = (
            Token(token.lemma, token.lemma, "") for token in (self.left[i], self.right[j])
        )
        return mwa_word_similarity(left, right, self.evidence)

    def matching_neighbours(
        self,
        part: str,
        left: tuple[list[Neighbour], list[Neighbour]],
        right: tuple[list[Neighbour], list[Neighbour]],
    ) -> Iterable[tuple[str, int, int]]:
        pairs = MWA_PARENT_CHILD.get(part, frozenset())
        for name, side, sets in (("parents", 0, MWA_PARENTS), ("children", 1, MWA_CHILDREN)):
            for k, a in left[side]:
                for m, b in right[side]:
                    if a == b or (self.equivalent_types and in_one_set(a, b, sets.get(part, ()))):
                        yield name, k, m
        for k, a in left[0]:
            for m, b in right[1]:
                if a == b or (self.equivalent_types and (a, b) in pairs):
                    yield "opposite", k, m
        for k, a in left[1]:
            for m, b in right[0]:
                if a == b or (self.equivalent_types and (b, a) in pairs):
                    yield "opposite", k, m

    def align_by_dependencies(self, part: str, aligned: Aligned) -> None:
        def considered(token: Token) -> bool:
            if part == "v" and token.in_stop_words:
                return False
            return coarse(token.tag) == part or (part == "n" and token.tag == "PRP")

        evidence: dict[Pair, float] = {}
        support: dict[Pair, list[Pair]] = {}
        for i in self.left.indices:
            for j in self.right.indices:
                if not (considered(self.left[i]) and considered(self.right[j])):
                    continue
                if not aligned.both_free(i, j) or self.similarity(i, j) < SIMILAR:
                    continue
                support[i, j] = [
                    (k, m)
                    for _, k, m in self.matching_neighbours(
                        part,
                        neighbourhood(i, self.left[i].form, self.left.sound_relations),
                        neighbourhood(j, self.right[j].form, self.right.sound_relations),
                    )
                    if self.similarity(k, m) >= SIMILAR
                ]
                evidence[i, j] = sum((self.similarity(k, m) for k, m in support[i, j]), 0.0)
        while True:
            free = [
                (i, j)
                for i, j in sorted(evidence)
                if aligned.both_free(i, j)
                and not self.left[i].in_stop_words
                and not self.right[j].in_stop_words
            ]
            if not free:
                return
            best = max(free, key=lambda pair: self.weigh(self.similarity(*pair), evidence[pair]))
            if evidence[best] == 0:
                return
            aligned.add(*best, 5)
            for k, m in support[best]:
                if k and m and aligned.both_free(k, m):
                    aligned.add(k, m, 5)

    def align_by_text(self, aligned: Aligned) -> None:
        values = {
            (i, j): self.weigh(self.similarity(i, j), self.text_evidence(i, j, SIMILAR))
            for i in self.left.indices
            for j in self.right.indices
            if aligned.both_free(i, j)
            and not self.left[i].function_like
            and not self.right[j].function_like
        }
        Counters(values, len(values)).run(aligned, lambda i, j: self.similarity(i, j) >= SIMILAR, 6)

    def run_counted(self, counts: dict[Pair, int], aligned: Aligned, stage: int) -> None:
        values = {pair: self.weigh(self.similarity(*pair), counts[pair]) for pair in counts}
        Counters(values, len(values)).run(
            aligned,
            lambda i, j: self.similarity(i, j) >= SIMILAR and counts[i, j] > 0,
            stage,
        )

    def function_word_evidence(self, i: int, j: int, aligned: Aligned) -> int:
        return ((i - 1, j - 1) in aligned.stage) + ((i + 1, j + 1) in aligned.stage)
