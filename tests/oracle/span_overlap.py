"""Agreement of spans by its definition: character by character, and every way to match spans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Span = tuple[int, int, int]


def character_counts(gold: Sequence[Span], predicted: Sequence[Span]) -> tuple[float, int, int]:
    credit, marked, wanted = 0.0, 0, 0
    for character in range(max((end for _, end, _ in [*gold, *predicted]), default=0)):
        own = [s for start, end, s in gold if start <= character < end]
        other = [s for start, end, s in predicted if start <= character < end]
        wanted += len(own)
        marked += len(other)
        for severity in [*own]:
            if severity in other:
                own.remove(severity)
                other.remove(severity)
                credit += 1.0
        credit += 0.5 * min(len(own), len(other))
    return credit, marked, wanted


def _matchings(
    gold: Sequence[Span], predicted: Sequence[Span]
) -> Iterator[list[tuple[Span, Span]]]:
    if not gold:
        yield []
        return
    yield from _matchings(gold[1:], predicted)
    for place, span in enumerate(predicted):
        for rest in _matchings(gold[1:], [*predicted[:place], *predicted[place + 1 :]]):
            yield [(gold[0], span), *rest]


def match_counts(
    gold: Sequence[Span], predicted: Sequence[Span], penalty: float = 0.0
) -> set[tuple[float, float]]:
    """What predicted spans and those of gold are worth, by each of the best matchings."""
    found: dict[tuple[float, float], float] = {}
    for pairs in _matchings(gold, predicted):
        total, precise, recalled = 0.0, 0.0, 0.0
        for one, other in pairs:
            shared = len(set(range(*one[:2])) & set(range(*other[:2])))
            kept = 1.0 if one[2] == other[2] else 1.0 - penalty
            lengths = one[1] - one[0], other[1] - other[0]
            total += kept * 2 * shared / sum(lengths)
            recalled += kept * shared / lengths[0]
            precise += kept * shared / lengths[1]
        found[round(precise, 9), round(recalled, 9)] = total
    best = max(found.values())
    return {worth for worth, total in found.items() if total > best - 1e-9}
