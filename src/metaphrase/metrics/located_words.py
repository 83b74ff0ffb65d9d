"""Where the words of a tokeniser stand in the text that it was given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, TypeVar

from metaphrase.corpus.normalisation import NormalisedText
from metaphrase.errors import InputError
from metaphrase.metrics.explanation import Explanation, Word

if TYPE_CHECKING:
    from metaphrase.metrics.base import Metric

Explained = TypeVar("Explained", bound="Metric")
Explain = Callable[[Explained, str, str], Explanation]


def viewed_as_given(explain: Explain[Explained]) -> Explain[Explained]:
    """What a metric shows of what it compares, in the texts as they were given."""

    @wraps(explain)
    def view(metric: Explained, hypothesis: str, reference: str) -> Explanation:
        for name, text in (("hypothesis", hypothesis), ("reference", reference)):
            if not isinstance(text, str):
                raise InputError(
                    "MP103",
                    f"the {name} is of type {type(text).__name__}, not a string.",
                    hint="Explain one hypothesis beside one reference.",
                )
        if not metric.normalise:
            return explain(metric, hypothesis, reference)
        sides = NormalisedText.of(hypothesis), NormalisedText.of(reference)
        return as_given(explain(metric, *(side.text for side in sides)), *sides)

    return view


def as_given(
    explanation: Explanation, hypothesis: NormalisedText, reference: NormalisedText
) -> Explanation:
    """The explanation of normalised texts, with words where they stand in the original ones."""
    if (hypothesis.text, reference.text) == (hypothesis.original, reference.original):
        return explanation
    return replace(
        explanation,
        hypothesis_text=hypothesis.original,
        reference_text=reference.original,
        hypothesis=_in_original(explanation.hypothesis, hypothesis),
        reference=_in_original(explanation.reference, reference),
    )


def _in_original(words: Sequence[Word], text: NormalisedText) -> tuple[Word, ...]:
    placed = []
    for word in words:
        start, end = text.in_original(word.start, word.end)
        # A tokeniser may lower case, or make three words of the points of an ellipsis.
        is_read = text.text[word.start : word.end] == word.form
        is_whole = text.from_original(start, end) == (word.start, word.end)
        form = text.original[start:end] if is_read and is_whole else word.form
        placed.append(replace(word, form=form, start=start, end=end))
    return tuple(placed)


def locate_words(
    words: Sequence[str], text: str, *, lowercase: bool, replaced: Sequence[tuple[str, str]] = ()
) -> tuple[Word, ...]:
    """The words with their places in the text.

    The tokeniser lowers case, makes one character of each string that is ``replaced``, removes characters
    and adds spaces. So its characters are some of the text's, in their order, and each is found at the first
    place that it can have.
    """
    characters: list[tuple[str, int, int]] = []
    for at, character in enumerate(text):
        lowered = character.lower() if lowercase else character
        characters += [(part, at, at + 1) for part in lowered]
    for string, character in replaced:
        characters = _replace(characters, string, character)
    placed = []
    at = 0
    for word in words:
        spans = []
        for character in word:
            # The case of a sigma depends on its neighbours: what is not found is taken to be what follows.
            next_one = min(at, len(characters) - 1)
            found = next(
                (k for k in range(at, len(characters)) if characters[k][0] == character), next_one
            )
            spans.append(characters[found][1:])
            at = found + 1
        placed.append(Word(word, spans[0][0], spans[-1][1], 1.0))
    return tuple(placed)


def _replace(
    characters: list[tuple[str, int, int]], string: str, character: str
) -> list[tuple[str, int, int]]:
    text = "".join(part for part, _, _ in characters)
    read = []
    at = 0
    while (found := text.find(string, at)) >= 0:
        end = found + len(string)
        read += characters[at:found]
        read.append((character, characters[found][1], characters[end - 1][2]))
        at = end
    return read + characters[at:]
