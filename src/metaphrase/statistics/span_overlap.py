"""How far marked spans agree with others: by characters, and by spans that are matched one to one.

Both measures compare the spans that somebody predicted with gold ones of the same text. A span is from which
character up to (and without) which, and how severe it is, as a number.

- **Characters** (the official measure of WMT 2025's error span task, ``scoring_esa.py`` of
  wmt-conference/wmt25-mteval): a character that both mark is worth 1 if both mark it with the same severity,
  else ½. Precision is what all are worth over the characters that were predicted, recall over those of gold.
  Where spans of one side overlap, a character counts once for each of them: of each severity as often as both
  have it, and of what is left of both sides half.
- **MPP**, "match with partial overlap and partial credit" (Perrella, Morales Agostinho and Zaragoza:
  *Span-Level Machine Translation Meta-Evaluation*, arXiv 2603.19921, and the package published with it):
  each predicted span is matched with at most one of gold and each of gold with at most one predicted, so that
  the sum of the F scores of the pairs, 2·overlap / (length + length), is as great as can be. A matched pair
  is worth overlap / length of the predicted span for precision, and overlap / length of the one of gold for
  recall; what is not matched is worth nothing; precision and recall are means over spans. A pair of different
  severities loses ``severity_penalty`` of its worth, by default nothing, as there. Micro sums over all texts;
  macro is the mean of the F of each text, which is 1 where neither side has a span.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from metaphrase.arrays import FloatArray

#: First character, the one behind the last, severity.
Span = tuple[int, int, int]
#: What a character is worth that both sides mark, with different severities.
HALF = 0.5


@dataclass(frozen=True, slots=True)
class Overlap:
    """Precision, recall and their harmonic mean; NaN where nothing was marked that they could be of."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class PartialMatch:
    """MPP over several texts: sums over all of them, and the mean of the F of each."""

    micro: Overlap
    macro_f1: float


def character_overlap(
    gold: Sequence[Sequence[Span]], predicted: Sequence[Sequence[Span]]
) -> Overlap:
    """WMT 2025's character-level F1 over several texts.

    >>> character_overlap([[(0, 10, 2)]], [[(0, 4, 2), (8, 12, 1)]])
    Overlap(precision=0.625, recall=0.5, f1=0.5555555555555556)
    """
    pairs = zip(gold, predicted, strict=True)
    sums = np.array([character_counts(one, other) for one, other in pairs]).reshape(-1, 3).sum(0)
    return Overlap(*map(float, character_scores(sums)))


def partial_match(
    gold: Sequence[Sequence[Span]],
    predicted: Sequence[Sequence[Span]],
    *,
    severity_penalty: float = 0.0,
) -> PartialMatch:
    """MPP over several texts.

    >>> found = partial_match([[(0, 10, 1)], []], [[(5, 10, 1), (20, 25, 1)], []])
    >>> found.micro, round(found.macro_f1, 3)
    (Overlap(precision=0.5, recall=0.5, f1=0.5), 0.75)
    """
    counts = np.array(
        [
            match_counts(one, other, severity_penalty=severity_penalty)
            for one, other in zip(gold, predicted, strict=True)
        ]
    ).reshape(-1, 4)
    micro = Overlap(*map(float, match_scores(counts.sum(axis=0))))
    return PartialMatch(micro, float(text_scores(counts).mean()) if len(counts) else float("nan"))


def character_counts(gold: Sequence[Span], predicted: Sequence[Span]) -> tuple[float, int, int]:
    """Of one text: what the characters that both mark are worth, and how many each side marks."""
    size = max((end for _, end, _ in (*gold, *predicted)), default=0)
    severities = sorted({severity for *_, severity in (*gold, *predicted)})
    one, other = (_marks(spans, severities, size) for spans in (gold, predicted))
    same = np.minimum(one, other).sum(axis=0)
    left = np.minimum(one.sum(axis=0) - same, other.sum(axis=0) - same)
    return float(same.sum() + HALF * left.sum()), int(other.sum()), int(one.sum())


def _marks(spans: Sequence[Span], severities: Sequence[int], size: int) -> np.ndarray:
    """How many spans of each severity each character is in."""
    found = np.zeros((len(severities), size), dtype=np.int64)
    for start, end, severity in spans:
        found[severities.index(severity), start:end] += 1
    return found


def character_scores(sums: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Precision, recall and F1 of (…, 3) sums of :func:`character_counts`."""
    credit, predicted, gold = np.moveaxis(np.asarray(sums, dtype=np.float64), -1, 0)
    return (
        _ratio(credit, predicted),
        _ratio(credit, gold),
        _ratio(2 * credit, predicted + gold),
    )


def match_counts(
    gold: Sequence[Span], predicted: Sequence[Span], *, severity_penalty: float = 0.0
) -> tuple[float, int, float, int]:
    """Of one text: what predicted spans are worth and how many they are, and the same of gold."""
    precise, recalled = [], []
    for own, others in _touching(gold, predicted):
        worth = np.array([[_pair(one, other, severity_penalty) for other in others] for one in own])
        for row, column in _best_pairs(worth):
            one, other = own[row], others[column]
            overlap = min(one[1], other[1]) - max(one[0], other[0])
            kept = 1.0 if one[2] == other[2] else 1.0 - severity_penalty
            precise.append(kept * overlap / (other[1] - other[0]))
            recalled.append(kept * overlap / (one[1] - one[0]))
    return float(sum(sorted(precise))), len(predicted), float(sum(sorted(recalled))), len(gold)


def match_scores(sums: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Precision, recall and F1 of (…, 4) sums of :func:`match_counts`; NaN where there are no spans."""
    precise, predicted, recalled, gold = np.moveaxis(np.asarray(sums, dtype=np.float64), -1, 0)
    precision, recall = _ratio(precise, predicted), _ratio(recalled, gold)
    # What is nowhere predicted, or nowhere in gold, cannot be found: 0, unless both sides are empty.
    one, other = np.nan_to_num(precision), np.nan_to_num(recall)
    f1 = np.where(one + other > 0, 2 * one * other / np.maximum(one + other, 1e-300), 0.0)
    return precision, recall, np.where(predicted + gold > 0, f1, np.nan)


def text_scores(counts: FloatArray) -> FloatArray:
    """The F of each text, whose mean is MPP's macro F; 1 where neither side has a span."""
    return np.nan_to_num(match_scores(counts)[2], nan=1.0)


def _ratio(one: FloatArray, other: FloatArray) -> FloatArray:
    return np.where(other > 0, one / np.where(other > 0, other, 1.0), np.nan)


def _pair(one: Span, other: Span, severity_penalty: float) -> float:
    """The F score of a pair, which the matching maximises."""
    overlap = min(one[1], other[1]) - max(one[0], other[0])
    if overlap <= 0:
        return 0.0
    kept = 1.0 if one[2] == other[2] else 1.0 - severity_penalty
    return kept * 2 * overlap / (one[1] - one[0] + other[1] - other[0])


def _touching(
    gold: Sequence[Span], predicted: Sequence[Span]
) -> Iterator[tuple[list[Span], list[Span]]]:
    """Spans of both sides that are linked by overlaps: no pair of two such groups overlaps.

    They are in the order of the text, so that the order in which they were given does not matter.
    """
    sides: tuple[list[Span], list[Span]] = ([], [])
    reach = 0
    for start, end, severity, side in sorted(
        (*span, side) for side, spans in enumerate((gold, predicted)) for span in spans
    ):
        if start >= reach and any(sides):
            yield sides
            sides = ([], [])
        sides[side].append((start, end, severity))
        reach = max(reach, end)
    yield sides


def _best_pairs(worth: np.ndarray) -> list[tuple[int, int]]:
    """The pairs of rows and columns, each in one at most, that are worth most together.

    The Hungarian method with shortest augmenting paths (Jonker and Volgenant 1987).
    """
    if worth.size == 0 or worth.ndim < 2:
        return []
    if len(worth) > worth.shape[1]:
        return [(row, column) for column, row in _best_pairs(worth.T)]
    rows, columns = worth.shape
    cost = -worth
    row_price, column_price = np.zeros(rows), np.zeros(columns)
    owner = np.full(columns, -1)
    for row in range(rows):
        least = np.full(columns, np.inf)
        before = np.full(columns, -1)
        done = np.zeros(columns, dtype=bool)
        current, column = row, -1
        while True:
            reduced = cost[current] - row_price[current] - column_price
            base = 0.0 if column < 0 else least[column]
            better = ~done & (base + reduced < least)
            least[better] = base + reduced[better]
            before[better] = column
            column = int(np.argmin(np.where(done, np.inf, least)))
            done[column] = True
            if owner[column] < 0:
                break
            current = int(owner[column])
        shortest = least[column]
        row_price[row] += shortest
        for other in np.flatnonzero(done & (owner >= 0)).tolist():
            row_price[owner[other]] += shortest - least[other]
            column_price[other] -= shortest - least[other]
        while column >= 0:
            previous = int(before[column])
            owner[column] = row if previous < 0 else owner[previous]
            column = previous
    found = ((int(row), column) for column, row in enumerate(owner.tolist()) if row >= 0)
    return [(row, column) for row, column in found if worth[row, column] > 0]
