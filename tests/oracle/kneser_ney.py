"""Modified Kneser-Ney smoothing, slow and obvious: dictionaries of tuples, and the formula as it stands."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

Ngram = tuple[str, ...]

FALL_BACK = (0.5, 1.0, 1.5)


class KneserNey:
    """Chen and Goodman (1998), interpolated, with cut-offs as in KenLM's lmplz."""

    def __init__(
        self, sentences: Iterable[Sequence[str]], order: int, cut_offs: Sequence[int]
    ) -> None:
        self.cut_offs = cut_offs
        occurrences: Counter[Ngram] = Counter()
        for sentence in sentences:
            marked = ("<s>", *sentence, "</s>")
            for n in range(1, order + 1):
                occurrences.update(marked[i : i + n] for i in range(len(marked) - n + 1))
        del occurrences[("<s>",)]
        self.occurrences = occurrences
        lefts: defaultdict[Ngram, set[str]] = defaultdict(set)
        for ngram in occurrences:
            lefts[ngram[1:]].add(ngram[0])
        self.counts = {
            ngram: times if len(ngram) == order or ngram[0] == "<s>" else len(lefts[ngram])
            for ngram, times in occurrences.items()
        }
        self.followers: defaultdict[Ngram, list[Ngram]] = defaultdict(list)
        for ngram in self.counts:
            self.followers[ngram[:-1]].append(ngram)
        self.discounts = [self._discounts(n) for n in range(1, order + 1)]
        self.words = {"<unk>"} | {ngram[0] for ngram in self.counts if len(ngram) == 1}
        self.words = {word for word in self.words if self.is_kept((word,))}

    def _discounts(self, n: int) -> tuple[float, ...]:
        """Equation 26."""
        n1, n2, n3, n4 = (
            sum(len(ngram) == n and count == times for ngram, count in self.counts.items())
            for times in (1, 2, 3, 4)
        )
        if not n1 or not n2 or not n3:
            return FALL_BACK
        y = n1 / (n1 + 2 * n2)
        found = (1 - 2 * y * n2 / n1, 2 - 3 * y * n3 / n2, 3 - 4 * y * n4 / n3)
        sound = all(0 < discount <= count for count, discount in enumerate(found, 1))
        return found if sound else FALL_BACK

    def discount(self, ngram: Ngram) -> float:
        """What is taken from the count of an n-gram."""
        count = self.counts.get(ngram, 0)
        return self.discounts[len(ngram) - 1][min(count, 3) - 1] if count else 0.0

    def is_kept(self, ngram: Ngram) -> bool:
        """Whether it occurs often enough; <unk> and </s> always do."""
        if ngram in (("<unk>",), ("</s>",)):
            return True
        return self.occurrences[ngram] > self.cut_offs[len(ngram) - 1]

    def back_off(self, context: Ngram) -> float:
        """The share that the order below has after a context: gamma."""
        total = sum(self.counts[ngram] for ngram in self.followers[context])
        if total == 0:
            return 1.0
        left = sum(
            self.discount(ngram) if self.is_kept(ngram) else self.counts[ngram]
            for ngram in self.followers[context]
        )
        return left / total

    def probability(self, context: Ngram, word: str) -> float:
        """Of a word of the vocabulary after a context."""
        ngram = (*context, word)
        total = sum(self.counts[follower] for follower in self.followers[context])
        lower = self.probability(context[1:], word) if context else 1 / len(self.words)
        own = 0.0
        if ngram in self.counts and self.is_kept(ngram):
            own = (self.counts[ngram] - self.discount(ngram)) / total
        return own + self.back_off(context) * lower
