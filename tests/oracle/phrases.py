"""Word alignment and phrases, slow and obvious: sets of pairs and loops over everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import exp

from scipy.special import digamma

Link = tuple[int, int]

NEIGHBOURS = [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]


def symmetrise(target_of: Sequence[int], source_of: Sequence[int], method: str) -> set[Link]:
    """The steps of Koehn et al. (IWSLT 2005), source words outside, target words inside."""
    to_target = {(s, t) for t, s in enumerate(source_of) if s >= 0}
    to_source = {(s, t) for s, t in enumerate(target_of) if t >= 0}
    union = to_target | to_source
    if method == "union":
        return union
    links = to_target & to_source
    if method == "intersection":
        return links

    def bare_source(s: int) -> bool:
        return all(s != source for source, _ in links)

    def bare_target(t: int) -> bool:
        return all(t != target for _, target in links)

    grown = True
    while grown:
        grown = False
        for s in range(len(target_of)):
            for t in range(len(source_of)):
                if (s, t) not in links:
                    continue
                for down, right in NEIGHBOURS:
                    near = s + down, t + right
                    is_new = near in union and (bare_source(near[0]) or bare_target(near[1]))
                    if is_new:
                        links.add(near)
                        grown = True
    if method == "grow-diag":
        return links
    for direction in (to_target, to_source):
        for s, t in sorted(direction):
            if bare_source(s) and bare_target(t):
                links.add((s, t))
    return links


def spans(words: int, most: int) -> Iterator[range]:
    for first in range(words):
        for end in range(first + 1, min(words, first + most) + 1):
            yield range(first, end)


def phrase_pairs(
    source_words: int, target_words: int, links: Iterable[Link], most: tuple[int, int]
) -> set[tuple[range, range]]:
    """The definition: some link inside, none that is inside on one side only."""
    pairs = set()
    for source in spans(source_words, most[0]):
        for target in spans(target_words, most[1]):
            inside = [(s in source, t in target) for s, t in links]
            if (True, True) in inside and all(s == t for s, t in inside):
                pairs.add((source, target))
    return pairs


def phrase_counts(
    sources: Sequence[Sequence[str]],
    targets: Sequence[Sequence[str]],
    links: Sequence[Iterable[Link]],
    most: tuple[int, int],
) -> Counter[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    for source, target, linked in zip(sources, targets, links, strict=True):
        for s, t in phrase_pairs(len(source), len(target), list(linked), most):
            counts[
                " ".join(source[s.start : s.stop]),
                " ".join(target[t.start : t.stop]),
            ] += 1
    return counts


def pivot(counts: Counter[tuple[str, str]]) -> dict[tuple[str, str], float]:
    """Bannard and Callison-Burch's formula over all phrases."""
    phrase_total: Counter[str] = Counter()
    pivot_total: Counter[str] = Counter()
    for (e, f), n in counts.items():
        phrase_total[e] += n
        pivot_total[f] += n
    found: dict[tuple[str, str], float] = {}
    for (e1, f), n in counts.items():
        for (e2, g), m in counts.items():
            if f == g and e1 != e2:
                share = n / phrase_total[e1] * m / pivot_total[f]
                found[e1, e2] = found.get((e1, e2), 0.0) + share
    return found


def diagonal(n: int, m: int, j: int, tension: float) -> list[float]:
    """Shares of the n given words in word j (from 1) of the m that they generate."""
    weights = [exp(-tension * abs(i / n - j / m)) for i in range(1, n + 1)]
    return [weight / sum(weights) for weight in weights]


class DirectedAligner:
    """Dyer, Chahuneau and Smith (2013): what generates each word of ``pairs`` (given, generated)."""

    def __init__(
        self, pairs: Sequence[tuple[Sequence[str], Sequence[str]]], null: float, alpha: float
    ) -> None:
        self.pairs = [([None, *given], generated) for given, generated in pairs]
        self.null, self.alpha, self.tension = null, alpha, 4.0
        together = {(g, w) for given, generated in self.pairs for g in given for w in generated}
        self.lexical = dict.fromkeys(together, 1.0)

    def scores(self, k: int, j: int) -> list[float]:
        """Joint probabilities of word j of sentence k with the null word and each given word."""
        given, generated = self.pairs[k]
        n, m = len(given) - 1, len(generated)
        prior = [(1 - self.null) * p for p in diagonal(n, m, j + 1, self.tension)] if n else []
        return [
            p * self.lexical[g, generated[j]]
            for p, g in zip([self.null, *prior], given, strict=True)
        ]

    def iterate(self) -> None:
        counts: Counter[tuple[str | None, str]] = Counter(dict.fromkeys(self.lexical, 0.0))
        offset = tokens = 0.0
        for k, (given, generated) in enumerate(self.pairs):
            n, m = len(given) - 1, len(generated)
            for j in range(m if n else 0):
                scores = self.scores(k, j)
                for i, score in enumerate(scores):
                    counts[given[i], generated[j]] += score / sum(scores)
                    if i > 0:
                        offset -= score / sum(scores) * abs(i / n - (j + 1) / m)
                tokens += 1
        totals: Counter[str | None] = Counter()
        for (g, _), count in counts.items():
            totals[g] += count + self.alpha
        for (g, w), count in counts.items():
            value = exp(digamma(count + self.alpha) - digamma(totals[g]))
            self.lexical[g, w] = max(value, 1e-30)
        for _ in range(8 if tokens else 0):
            expected = 0.0
            for given, generated in self.pairs:
                n, m = len(given) - 1, len(generated)
                for j in range(1, m + 1 if n else 1):
                    for i, p in enumerate(diagonal(n, m, j, self.tension), 1):
                        expected -= p * abs(i / n - j / m)
            self.tension += 20 * (offset - expected) / tokens
            self.tension = min(max(self.tension, 0.1), 14.0)
