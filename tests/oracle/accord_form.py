"""Penalties of accord for broken texts and odd joints, counted one by one as their definitions say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import log


def repeated(hypothesis: Sequence[str], reference: Sequence[str]) -> float:
    said, allowed = (
        Counter(tuple(words[at : at + 3]) for at in range(len(words) - 2))
        for words in (hypothesis, reference)
    )
    excess = sum(max(count - max(allowed[phrase], 1), 0) for phrase, count in said.items())
    return log(1.0 + excess / max(len(reference), 1))


def stutter(hypothesis: Sequence[str], reference: Sequence[str]) -> float:
    def stutters(words: Sequence[str]) -> int:
        count = 0
        for at in range(1, len(words)):
            count += words[at] == words[at - 1]
        for at in range(3, len(words)):
            pair, before = words[at - 1 : at + 1], words[at - 3 : at - 1]
            count += list(pair) == list(before) and pair[0] != pair[1]
        return count

    return max(stutters(hypothesis) - stutters(reference), 0) / max(len(reference), 1)


def scrambled(hypothesis: Sequence[str], reference: Sequence[str]) -> float:
    both = [w for w in hypothesis if hypothesis.count(w) == 1 == reference.count(w)]
    if len(both) < 4:
        return 0.0
    there = sorted(both, key=reference.index)
    apart = sum((place - there.index(word)) ** 2 for place, word in enumerate(both))
    n = len(both)
    rho = 1.0 - 6.0 * apart / (n * (n * n - 1))
    share = min(2.0 * n / max(len(reference), 1), 1.0)
    ranks = [there.index(word) for word in both]
    broken = sum(after != before + 1 for before, after in pairwise(ranks)) / (n - 1)
    return share * min(1.0 - rho, 1.0) * broken**2


def lengths(hypothesis: Sequence[str], reference: Sequence[str]) -> tuple[float, float]:
    """How much is cut, and how much overlong."""
    ratio = log(max(len(hypothesis), 1) / max(len(reference), 1))
    cut = max(-ratio - log(1.25), 0.0) if hypothesis else 0.0
    return cut, max(ratio - log(1.25), 0.0)


def fluency(
    hypothesis: Sequence[tuple[str, float]], reference: Sequence[tuple[str, float]]
) -> tuple[float, float, float, float]:
    """Of units with their surprise, the end of the sentence among them."""
    units = [["<s>", *(unit for unit, _ in side)] for side in (hypothesis, reference)]
    known = set(zip(units[1], units[1][1:], strict=False))
    odd, worst = 0.0, 0.0
    for before, (unit, surprise) in zip(units[0], hypothesis, strict=False):
        if (before, unit) not in known:
            odd += max(surprise - 1.5, 0.0)
            worst = max(worst, surprise)
    means = [sum(surprise for _, surprise in side) / len(side) for side in (hypothesis, reference)]
    own, other = (max(len(side) - 1, 1) for side in (hypothesis, reference))
    return odd / other, odd / own, max(worst - 2.5, 0.0) / 4.0, max(means[0] - means[1], 0.0)
