"""An explanation drawn for the terminal: the words, what they were matched with, what it cost."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from metaphrase.metrics import Explanation, Feature, Link
from metaphrase.report.terminal.columns import Cell, Columns, rounded, visible
from metaphrase.report.terminal.edit_view import edit_view
from metaphrase.report.terminal.joined_words import gap, phrase, short
from metaphrase.report.terminal.phrase_view import phrase_view
from metaphrase.report.terminal.pivot_view import odd_words_view, pivot_view
from metaphrase.report.terminal.repair_view import repair_view

_GOOD, _HALF, _LOST, _IGNORED = "green", "yellow", "bold red", "dim"
_BAR = 8
#: Descriptions have names of the user's files in them, and numbers must fit beside them.
_LABEL = 29
#: Features that add up to the score, and what is named of each.
_MOST_SUMMANDS, _SUMMAND = 20, 55


def explanation_view(
    explanation: Explanation, *, title: str = "", details: bool = False
) -> list[RenderableType]:
    """The repairs, and with ``details`` what the metric itself says; that alone if there are none."""
    if explanation.maximum is None:
        return details_view(explanation, title=title)
    parts = repair_view(explanation, title=title)
    return [*parts, "", *details_view(explanation)] if details else parts


def details_view(explanation: Explanation, *, title: str = "") -> list[RenderableType]:
    """The two sentences coloured by what became of each word, the word matches, and the features.

    Words are linked by one layer of the explanation, the first. Colour is never the only sign: every word
    that was lost or only half matched is named below.
    """
    links = explanation.layer(explanation.word_layer)
    heading = Text(f"{explanation.metric} {explanation.score:.4f}", style="bold")
    heading.append(f"   {visible(title)}" if title else "", style="not bold")
    parts: list[RenderableType] = [heading]
    parts += ["", _sentences(explanation, links)]
    for note in explanation.notes:
        parts += ["", Text(f"note: {visible(note)}", style=_HALF, overflow="fold")]
    if explanation.works_by_edits:
        return [*parts, "", *edit_view(explanation)]
    if explanation.phrases:
        parts += phrase_view(explanation, links)
    elif links:
        parts += ["", _link_table(explanation, links)]
    contexts = _contexts(explanation, links)
    if contexts is not None:
        parts += ["", contexts]
    lost = _lost(explanation, explanation.word_layer)
    if lost is not None:
        parts += ["", lost]
    parts += ["", _feature_table(explanation)]
    phrases = _lost_phrases(explanation)
    if phrases is not None and not explanation.phrases:
        parts += ["", phrases]
    if explanation.pivot_phrases:
        parts += ["", pivot_view(explanation)]
    if explanation.improbable_words:
        parts += ["", odd_words_view(explanation)]
    return parts


def _sentences(explanation: Explanation, links: Sequence[Link]) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    for name, words, places in (
        ("reference", explanation.reference, [link.reference for link in links]),
        ("hypothesis", explanation.hypothesis, [link.hypothesis for link in links]),
    ):
        matched = [0.0] * len(words)
        for place, link in zip(places, links, strict=True):
            for i in place:
                worth = max(link.similarity - link.penalty, 0.0)
                matched[i] += worth * min(link.weight, words[i].weight)
        opening, closing = _brackets(explanation, name)
        text = Text(overflow="fold")
        for i, (word, value) in enumerate(zip(words, matched, strict=True)):
            text.append(gap(words, i - 1, i))
            text.append("[" if i in opening else "", style=_IGNORED)
            text.append(visible(word.form), style=_style(word.weight, value))
            text.append("]" if i in closing else "", style=_IGNORED)
        grid.add_row(name, text)
    return grid


def _brackets(explanation: Explanation, side: str) -> tuple[set[int], set[int]]:
    """The first and the last words of phrases."""
    spans = [phrase.words for phrase in explanation.phrases if phrase.side == side]
    return {words[0] for words in spans}, {words[-1] for words in spans}


def _style(weight: float, matched: float) -> str:
    if weight == 0:
        return _IGNORED
    share = matched / weight
    return _GOOD if share > 0.99 else _HALF if share > 0.01 else _LOST


def _link_table(explanation: Explanation, links: Sequence[Link]) -> Columns:
    """One line per link; penalties and blocks have a column if the metric has them."""
    penalised = any(link.stage or link.penalty for link in links)
    blocks = any(link.block for link in links)
    rows = []
    for link in sorted(links, key=lambda link: link.reference):
        cells = []
        for words, places in (
            (explanation.reference, link.reference),
            (explanation.hypothesis, link.hypothesis),
        ):
            cells.append(Cell(short(phrase(words, places))))
            cells.append(Cell(" ".join(words[i].tag or "" for i in places).strip(), "dim"))
        why = Cell(link.kind, _GOOD if link.similarity > 0.99 else _HALF)
        cells += [why, Cell(f"{link.similarity:.2f}")]
        if penalised:
            cells.append(Cell(f"{link.penalty:.3f}" if link.penalty else "", _LOST))
        cells.append(Cell(f"{link.weight:.2f}"))
        rows.append([*cells, *([Cell(str(link.block or ""))] if blocks else [])])
    more = ("block",) if blocks else ()
    numbers = ("similarity", *(("penalty",) if penalised else ()), "weight", *more)
    header = ("reference", "", "hypothesis", "", "why", *numbers)
    return Columns(header, rows, [name in numbers for name in header])


def _contexts(explanation: Explanation, links: Sequence[Link]) -> Table | None:
    """For each penalised pair the relations that only one side has: the reference's, then the others."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    for link in sorted(links, key=lambda link: (-link.penalty, link.reference)):
        if not link.penalty:
            continue
        pair = " ".join(explanation.reference[i].form for i in link.reference)
        penalty = f"−{link.penalty:.2f}"
        lost = [relation for relation in link.context if not relation.matched]
        for relation in sorted(lost, key=lambda relation: relation.side != "reference"):
            text = Text(visible(relation.in_words), overflow="fold")
            label = Text(visible(relation.label), style="dim")
            grid.add_row(Text(short(visible(pair))), Text(penalty, style=_LOST), text, label)
            pair = penalty = ""
    return grid if grid.row_count else None


def _lost(explanation: Explanation, layer: str) -> Table | None:
    """The words without a partner, heaviest first, with what they weigh."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    for name, side, words in (
        ("missing", "reference", explanation.reference),
        ("extra", "hypothesis", explanation.hypothesis),
    ):
        lost = [rest for rest in explanation.leftovers if (rest.layer, rest.side) == (layer, side)]
        if not lost:
            continue
        text = Text(overflow="fold")
        for rest in sorted(lost, key=lambda rest: (-rest.weight, rest.words)):
            text.append(visible(phrase(words, rest.words)), style=_LOST)
            text.append(f" ({rest.weight:.2f})  ", style="dim")
        grid.add_row(name, text)
    return grid if grid.row_count else None


def _feature_table(explanation: Explanation) -> Columns:
    """The features with what is behind them, and what they add to a score that is their sum."""
    if explanation.summands:
        return _summed_features(explanation)
    features = explanation.features
    details = _common_details(features)
    forms = {name: _form(name, features) for name in details}
    rows = []
    for feature in features:
        value = "—" if feature.value is None else f"{feature.value:.4f}"
        numbers = (
            Cell(rounded(feature.details[name], form) if name in feature.details else "")
            for name, form in forms.items()
        )
        label = short(feature.description, _LABEL)
        own = Cell(_own_details(feature, details), "dim")
        rows.append([Cell(label), Cell(value), Cell(_bar(feature.value)), *numbers, own])
    right = [False, True, False, *(True for _ in details), False]
    return Columns(["feature", "value", "", *details, ""], rows, right)


def _summed_features(explanation: Explanation) -> Columns:
    """All of them in their order, or those that add or take most, and the others together."""
    features = explanation.features
    sizes = sorted((abs(one.contribution or 0.0) for one in features), reverse=True)
    least = sizes[_MOST_SUMMANDS - 1] if len(sizes) > _MOST_SUMMANDS + 1 else 0.0
    shown = [one for one in features if abs(one.contribution or 0.0) >= least]
    rows = [
        [
            Cell(short(one.description, _SUMMAND)),
            Cell("" if one.value is None else rounded(one.value, ".4f")),
            Cell("" if one.contribution is None else rounded(one.contribution, "+.4f")),
        ]
        for one in shown
    ]
    if rest := len(features) - len(shown):
        added = sum(one.contribution or 0.0 for one in features)
        added -= sum(one.contribution or 0.0 for one in shown)
        rows.append([Cell(f"{rest} others", "dim"), Cell(""), Cell(rounded(added, "+.4f"))])
    score = Cell(rounded(explanation.score, "+.4f"), "bold")
    rows.append([Cell("score", "bold"), Cell(""), score])
    return Columns(["feature", "value", "adds"], rows, [False, True, True])


def _bar(value: float | None) -> str:
    """A share as a bar; other values, such as logarithms, have none."""
    if value is not None and not 0 <= round(value, 6) <= 1:
        return ""
    return ("" if value is None else "█" * round(_BAR * value)).ljust(_BAR, "·")


def _lost_phrases(explanation: Explanation) -> Text | None:
    """The heaviest sequences of the reference's words that no layer has found in the hypothesis."""
    matched = {link.reference for link in explanation.links}
    lost: dict[tuple[int, ...], float] = {}
    for rest in explanation.leftovers:
        if rest.side == "reference" and len(rest.words) > 1 and rest.words not in matched:
            lost[rest.words] = max(rest.weight, lost.get(rest.words, 0.0))
    heaviest = sorted(lost, key=lambda words: (-lost[words], -len(words), words))[:5]
    if not heaviest:
        return None
    text = Text("phrases of the reference without a match: ")
    phrases = (phrase(explanation.reference, words) for words in heaviest)
    text.append(visible("; ".join(phrases)), style=_LOST)
    return text


def _common_details(features: Sequence[Feature]) -> list[str]:
    """The names of details that most features have, in order."""
    first = features[0].details if features else {}
    return [
        name
        for name in first
        if 2 * sum(name in feature.details for feature in features) > len(features)
    ]


def _form(name: str, features: Sequence[Feature]) -> str:
    """How to write a detail: counts have no decimals."""
    values = (feature.details.get(name, 0.0) for feature in features)
    return ".0f" if all(float(value).is_integer() for value in values) else ".3f"


def _own_details(feature: Feature, common: Sequence[str]) -> str:
    """The other details of a feature, with their names."""
    others = (name for name in feature.details if name not in common)
    return ", ".join(f"{name} {rounded(feature.details[name], '.3f')}" for name in others)
