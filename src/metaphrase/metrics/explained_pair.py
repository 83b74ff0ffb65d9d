"""What explanations of one hypothesis and one reference share, however the metric works."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from metaphrase.analysis import Sentence
from metaphrase.errors import InputError
from metaphrase.metrics.comparison import Comparison
from metaphrase.metrics.explanation import (
    EDITS,
    Edit,
    Explanation,
    Feature,
    Leftover,
    Link,
    Word,
)

if TYPE_CHECKING:
    from metaphrase.metrics.base import Metric

SIDES = ("hypothesis", "reference")
Words = tuple[Word, ...]
#: Edits of words that are equal.
_EQUAL = ("word", "punctuation")


def check_length(longest: int, most: int, steps: str, *, unit: str = "words") -> None:
    """Refuse a segment of which nobody would read, or wait for, an explanation."""
    if longest > most:
        limit = f"{most:,}" if most >= 10_000 else most
        raise InputError(
            "MP510",
            f"a segment of more than {limit} {unit} cannot be explained {steps}.",
            hint="Split it into sentences.",
        )


def explain_pair(
    metric: Metric,
    comparison: Comparison,
    words: Iterable[Words],
    links: Iterable[Link],
    leftovers: Iterable[Leftover],
    features: Iterable[Feature],
    *,
    score: float | None = None,
    edits: Sequence[Edit] = (),
    notes: Sequence[str] = (),
) -> Explanation:
    """The explanation of the only segment of ``comparison``; ``words`` are those of both sides."""
    if score is None:
        score = float(metric.segment_score(metric.statistics(comparison))[0])
    hypothesis, reference = words
    return Explanation(
        metric=metric.variant_name,
        signature=str(metric.signature(1)),
        score=score,
        hypothesis_text=comparison.hypotheses[0],
        reference_text=comparison.references[0][0],
        hypothesis=hypothesis,
        reference=reference,
        links=tuple(links),
        leftovers=tuple(leftovers),
        features=tuple(features),
        edits=tuple(edits),
        notes=tuple(notes),
        higher_is_better=metric.higher_is_better,
    )


def words_of(sentence: Sentence, weights: Sequence[float], *columns: str) -> Words:
    """The tokens of a sentence, what they weigh, and their lemmas and tags from ``columns``."""
    cells = [sentence.form, sentence.start, sentence.end, weights, *map(sentence.column, columns)]
    return tuple(Word(*token) for token in zip(*cells, strict=True))


def unlinked(layer: str, words: Sequence[Words], links: Sequence[Link]) -> Iterator[Leftover]:
    """The words of both sides that are in no link."""
    for side, tokens in zip(SIDES, words, strict=True):
        used = {i for link in links for i in getattr(link, side)}
        for i, word in enumerate(tokens):
            if i not in used:
                yield Leftover(layer, side, (i,), word.weight)


def edit_links(edits: Iterable[Edit], otherwise: float) -> Iterator[Link]:
    """What edits substitute; the similarity is 1 where words are equal."""
    for edit in edits:
        if edit.reference and edit.hypothesis:
            similarity = 1.0 if edit.state in _EQUAL else otherwise
            yield Link(EDITS, edit.state, edit.hypothesis, edit.reference, similarity, 1.0)


def edit_leftovers(edits: Iterable[Edit]) -> Iterator[Leftover]:
    """What they insert and delete."""
    for edit in edits:
        if edit.state in ("insert", "delete"):
            side = "hypothesis" if edit.state == "insert" else "reference"
            words = edit.hypothesis or edit.reference
            yield Leftover(EDITS, side, words, float(len(words)))
