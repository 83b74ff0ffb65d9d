"""An explanation drawn for the terminal: the words, what they were matched with, what it cost."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from metaphrase.metrics import Explanation, Feature, Link

_GOOD, _HALF, _LOST, _IGNORED = "green", "yellow", "bold red", "dim"
_BAR = 8


def explanation_view(explanation: Explanation, *, title: str = "") -> RenderableType:
    """The two sentences coloured by what became of each word, the word matches, and the features.

    Colour is never the only sign: every word that was lost or only half matched is named below.
    """
    words = explanation.features[0].name if explanation.features else ""
    links = explanation.layer(words)
    heading = Text.assemble(
        (f"{explanation.metric} {explanation.score:.4f}", "bold"), f"   {title}" if title else ""
    )
    return Group(
        heading,
        "",
        _sentences(explanation, links),
        "",
        _link_table(explanation, links),
        "",
        _lost(explanation, words),
        "",
        _feature_table(explanation.features),
        *_lost_phrases(explanation),
    )


def _sentences(explanation: Explanation, links: Sequence[Link]) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    for name, words, places in (
        ("reference", explanation.reference, [link.reference for link in links]),
        ("hypothesis", explanation.hypothesis, [link.hypothesis for link in links]),
    ):
        matched = [0.0] * len(words)
        for place, link in zip(places, links, strict=True):
            for i in place:
                matched[i] += link.similarity * link.weight
        text = Text()
        for word, value in zip(words, matched, strict=True):
            text.append(word.form, style=_style(word.weight, value))
            text.append(" ")
        grid.add_row(name, text)
    return grid


def _style(weight: float, matched: float) -> str:
    if weight == 0:
        return _IGNORED
    share = matched / weight
    return _GOOD if share > 0.99 else _HALF if share > 0.01 else _LOST


def _link_table(explanation: Explanation, links: Sequence[Link]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("reference", "", "hypothesis", "", "why"):
        table.add_column(name, overflow="fold")
    for name in ("similarity", "weight"):
        table.add_column(name, justify="right", no_wrap=True)
    for link in sorted(links, key=lambda link: link.reference):
        cells = []
        for words, places in (
            (explanation.reference, link.reference),
            (explanation.hypothesis, link.hypothesis),
        ):
            cells.append(Text(" ".join(words[i].form for i in places)))
            cells.append(Text(" ".join(words[i].tag or "" for i in places), style="dim"))
        why = Text(link.kind, style=_GOOD if link.similarity > 0.99 else _HALF)
        table.add_row(*cells, why, f"{link.similarity:.2f}", f"{link.weight:.2f}")
    return table


def _lost(explanation: Explanation, layer: str) -> Table:
    """The words without a partner, heaviest first."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    for name, side, words in (
        ("missing", "reference", explanation.reference),
        ("extra", "hypothesis", explanation.hypothesis),
    ):
        lost = [rest for rest in explanation.leftovers if (rest.layer, rest.side) == (layer, side)]
        if not lost:
            continue
        text = Text()
        for rest in sorted(lost, key=lambda rest: (-rest.weight, rest.words)):
            text.append(" ".join(words[i].form for i in rest.words), style=_LOST)
            text.append(f" ({rest.weight:.2f})  ", style="dim")
        grid.add_row(name, text)
    return grid


def _feature_table(features: Sequence[Feature]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("feature", overflow="fold", min_width=28)
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    details = list(features[0].details) if features else []
    for name in details:
        table.add_column(name, justify="right", no_wrap=True)
    for feature in features:
        value = "—" if feature.value is None else f"{feature.value:.4f}"
        bar = "" if feature.value is None else "█" * round(_BAR * feature.value)
        numbers = (f"{feature.details[name]:.3f}" for name in details)
        table.add_row(feature.description, value, Text(bar.ljust(_BAR, "·")), *numbers)
    return table


def _lost_phrases(explanation: Explanation) -> list[Text]:
    """The heaviest word sequences of the reference that the hypothesis does not have."""
    layers = [feature.name for feature in explanation.features[1:3]]
    lost = [
        rest
        for rest in explanation.leftovers
        if rest.side == "reference" and rest.layer in layers and len(rest.words) > 1
    ]
    heaviest = sorted(lost, key=lambda rest: (-rest.weight, -len(rest.words), rest.words))[:5]
    if not heaviest:
        return []
    line = Text("\nphrases of the reference without a match: ")
    phrases = (" ".join(explanation.reference[i].form for i in rest.words) for rest in heaviest)
    line.append("; ".join(phrases), style=_LOST)
    return [line]
