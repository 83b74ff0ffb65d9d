"""What sentences are read as in other languages, and what language models find odd in them."""

from __future__ import annotations

from collections.abc import Iterator

from rich.table import Table
from rich.text import Text

from metaphrase.metrics import Explanation, PivotPhrase
from metaphrase.report.terminal.columns import visible
from metaphrase.report.terminal.joined_words import phrase, short

#: The rows of each language.
_SIDES = ("reference", "hypothesis")
_IN_COMMON = "in common"
_LEAST = "least probable"


def pivot_view(explanation: Explanation) -> Table:
    """Per language the phrases of both sides with their likeliest readings, and what these share."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    for language, row, line in _lines(explanation):
        grid.add_row(Text(visible(language)), row, Text(visible(line), overflow="fold"))
    return grid


def odd_words_view(explanation: Explanation) -> Table:
    """Per language model the words that it expected least."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    for model, line in _odd_words(explanation):
        grid.add_row(Text(short(visible(model))), _LEAST, Text(visible(line), overflow="fold"))
    return grid


def _odd_words(explanation: Explanation) -> Iterator[tuple[str, str]]:
    for model in dict.fromkeys(one.model for one in explanation.improbable_words):
        words = (
            f"{'end' if one.word < 0 else explanation.hypothesis[one.word].form} ({one.log10:.2f})"
            for one in explanation.improbable_words
            if one.model == model
        )
        yield model, " · ".join(words)


def _lines(explanation: Explanation) -> Iterator[tuple[str, str, str]]:
    """Language, name of the row, and the row; the language stands on its first row only."""
    for language in dict.fromkeys(one.language for one in explanation.pivot_phrases):
        shown = language
        for side in _SIDES:
            phrases = (
                _reading(explanation, one)
                for one in explanation.pivot_phrases
                if (one.language, one.side) == (language, side)
            )
            yield shown, side, " · ".join(phrases) or "—"
            shown = ""
        matches = (
            f"{one.ngram} ({one.matched:.2f})"
            for one in explanation.pivot_matches
            if (one.language, one.kind) == (language, "lemma")
        )
        yield "", _IN_COMMON, " · ".join(matches) or "—"


def _reading(explanation: Explanation, found: PivotPhrase) -> str:
    words = phrase(getattr(explanation, found.side), found.words)
    if not found.known:
        return f"{words} (unknown)"
    likeliest = next(iter(found.readings.items()), None)
    return words if likeliest is None else f"{words} → {likeliest[0]} ({likeliest[1]:.2f})"
