"""Links between phrases as HTML: the map with the words behind it, and what phrases weigh."""

from __future__ import annotations

from collections.abc import Sequence

from metaphrase.metrics import Explanation, Link
from metaphrase.report.alignment_svg import forms
from metaphrase.report.html_elements import table, text
from metaphrase.report.terminal.phrase_view import (
    factor_names,
    factor_of,
    has_factors,
    number,
    weights_of,
    word_pairs,
)


def phrase_html(explanation: Explanation, links: Sequence[Link]) -> list[str]:
    """The tables of the explanation that the drawing above them leaves to words."""
    parts = [_map(explanation, links)] if links else []
    return [*parts, "<p></p>", _weights(explanation)] if has_factors(explanation) else parts


def _map(explanation: Explanation, links: Sequence[Link]) -> str:
    factors = list(links[0].factors)
    rows = []
    for link in links:
        tone = "mp-good" if link.similarity > 0.99 else "mp-half"
        rows.append(
            [
                number(link.block),
                text(forms(explanation.reference, link.reference)),
                text(forms(explanation.hypothesis, link.hypothesis)),
                f'<span class="{tone}">{text(link.kind)}</span>',
                ", ".join(f"<code>{text(pair)}</code>" for pair in word_pairs(explanation, link)),
                *(f"{link.factors[name]:.2f}" for name in factors),
                f"{link.similarity:.2f}",
                *(number(weight) for weight in weights_of(explanation, link)),
            ]
        )
    weights = ("weight in reference", "in hypothesis")
    numbers = ("block", *factors, "similarity", *weights)
    headings = ["block", "reference", "hypothesis", "why", "word pairs"]
    return table([*headings, *numbers[1:]], rows, numbers=numbers)


def _weights(explanation: Explanation) -> str:
    factors = factor_names(explanation)
    rows = []
    for item in explanation.phrases:
        words = explanation.reference if item.side == "reference" else explanation.hypothesis
        rows.append(
            [
                item.side,
                text(forms(words, item.words)),
                text(item.kind),
                *(factor_of(item, name) for name in factors),
                number(item.weight),
            ]
        )
    headings = ["side", "phrase", "type", *factors, "weight"]
    return table(headings, rows, numbers=(*factors, "weight"))
