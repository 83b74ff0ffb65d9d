"""Which kinds of errors a prediction finds, and what it calls them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from metaphrase.corpus.ratings import Item, MarkedError, Rating
from metaphrase.meta.predicted_spans import Marked
from metaphrase.meta.span_counts import placed_spans

#: What stands where nothing was predicted that touches a gold error.
UNMARKED = "not marked"


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """The gold errors of one category: how many, which share of each is marked in the mean, and as what.

    covered: by prediction, baselines too; what marks more of everything covers more of each, so compare it
             with the share of all characters that is marked
    kinds:   by prediction whose errors have kinds: on how many of these errors most is of which kind
    """

    category: str
    errors: int
    covered: Mapping[str, float]
    kinds: Mapping[str, Mapping[str, int]]


def category_rows(
    known: Sequence[tuple[Rating, Item]], predicted: Mapping[str, Marked]
) -> tuple[CategoryRow, ...]:
    """A row for each category of gold errors on the target side, the most frequent first; none without."""
    by_category: dict[str, list[tuple[MarkedError, Item]]] = {}
    for rating, item in known:
        for error in rating.errors or ():
            if error.category and placed_spans([error], item):
                by_category.setdefault(error.category, []).append((error, item))
    with_kinds = {
        name
        for name, marked in predicted.items()
        if any(error.category for errors in marked.values() for error in errors)
    }
    rows = []
    for category, errors in by_category.items():
        covered = {
            name: sum(_covered(error, marked[item.id], item) for error, item in errors)
            / len(errors)
            for name, marked in predicted.items()
        }
        kinds = {
            name: dict(
                Counter(_kind(error, marked[item.id], item) for error, item in errors).most_common()
            )
            for name, marked in predicted.items()
            if name in with_kinds
        }
        rows.append(CategoryRow(category, len(errors), covered, kinds))
    return tuple(sorted(rows, key=lambda row: (-row.errors, row.category)))


def _covered(gold: MarkedError, predicted: Sequence[MarkedError], item: Item) -> float:
    ((start, end, _),) = placed_spans([gold], item)
    marked = {
        character
        for one in predicted
        for first, last, _ in placed_spans([one], item)
        for character in range(max(start, first), min(end, last))
    }
    return len(marked) / (end - start)


def _kind(gold: MarkedError, predicted: Sequence[MarkedError], item: Item) -> str:
    """The kind that has most characters of the error; of equal ones the one that stands first."""
    ((start, end, _),) = placed_spans([gold], item)
    characters: Counter[str] = Counter()
    for one in predicted:
        for first, last, _ in placed_spans([one], item):
            shared = min(end, last) - max(start, first)
            if shared > 0:
                characters[one.category or one.severity] += shared
    return characters.most_common(1)[0][0] if characters else UNMARKED
