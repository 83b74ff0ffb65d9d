"""Links between phrases drawn for the terminal: the map, the words behind it, what phrases weigh."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from metaphrase.metrics import Explanation, Link, Phrase, WordPair
from metaphrase.report.terminal.columns import Cell, Columns, visible
from metaphrase.report.terminal.joined_words import phrase, short

_GOOD, _HALF = "green", "yellow"
_LENGTH = 26
#: Tables keep within the width of a narrow screen; phrases are cut shorter for it, but not below the second.
_WIDTH, _SHORTEST = 80, 8


def phrase_view(explanation: Explanation, links: Sequence[Link]) -> list[RenderableType]:
    """The map in the order of the reference, word pairs where phrases differ, weights that need a reason."""
    parts: list[RenderableType] = []
    if links:
        parts += ["", _map(explanation, links)]
    if any(_word_pairs(explanation, link) for link in links):
        parts += ["", _words(explanation, links)]
    if _has_factors(explanation):
        parts += ["", _weights(explanation)]
    return parts


def _has_factors(explanation: Explanation) -> bool:
    """Whether weights are more than numbers of words, which the map shows already."""
    return any(set(item.factors) - {"words"} for item in explanation.phrases)


def _factor_names(explanation: Explanation) -> list[str]:
    """The factors of weights, in order; the sides may have different ones."""
    return list(dict.fromkeys(name for item in explanation.phrases for name in item.factors))


def _factor_of(item: Phrase, name: str) -> str:
    """The factor, if the phrase has it."""
    return _number(item.factors[name]) if name in item.factors else ""


def _weights_of(explanation: Explanation, link: Link) -> tuple[float, float]:
    """What the linked phrases of reference and hypothesis weigh."""
    weights = {(item.side, item.words): item.weight for item in explanation.phrases}
    return weights["reference", link.reference], weights["hypothesis", link.hypothesis]


def _word_pairs(explanation: Explanation, link: Link) -> list[str]:
    """``plan = plan``, ``town ≈ village 0.67``, ``new –``: nothing for phrases with the same words."""
    if all(pair.kind == "word" for pair in link.word_pairs):
        return []
    return [_pair(explanation, pair) for pair in link.word_pairs]


def _number(value: float) -> str:
    """Two digits, but whole numbers as they are."""
    return f"{value:.0f}" if value == int(value) else f"{value:.2f}"


def _pair(explanation: Explanation, pair: WordPair) -> str:
    if pair.hypothesis < 0:
        return f"{explanation.reference[pair.reference].form} –"
    if pair.reference < 0:
        return f"– {explanation.hypothesis[pair.hypothesis].form}"
    reference = explanation.reference[pair.reference].form
    hypothesis = explanation.hypothesis[pair.hypothesis].form
    if pair.kind == "word":
        return f"{reference} = {hypothesis}"
    return f"{reference} ≈ {hypothesis} {pair.similarity:.2f} ({pair.kind})"


def _map(explanation: Explanation, links: Sequence[Link]) -> Columns:
    """One line per link. Weights that have a table of their own are left to it."""
    factors = list(links[0].factors)
    header = ["block", "reference", "hypothesis", "why", *factors, "similarity"]
    rows = [
        [
            Cell(_number(link.block)),
            Cell(phrase(explanation.reference, link.reference)),
            Cell(phrase(explanation.hypothesis, link.hypothesis)),
            Cell(link.kind, _GOOD if link.similarity > 0.99 else _HALF),
            *(Cell(f"{link.factors[name]:.2f}") for name in factors),
            Cell(f"{link.similarity:.2f}"),
        ]
        for link in links
    ]
    if not _has_factors(explanation):
        header.append("weights")
        for row, link in zip(rows, links, strict=True):
            row.append(Cell(" / ".join(map(_number, _weights_of(explanation, link)))))
    return Columns(header, _fitted(header, rows), [i == 0 or i > 3 for i in range(len(header))])


def _fitted(header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    """The rows with their phrases, in the second and third column, as long as there is room for."""
    widths = [
        max(len(name), *(cell_len(row[i].text) for row in rows)) for i, name in enumerate(header)
    ]
    room = _WIDTH - sum(widths[:1] + widths[3:]) - 2 * (len(header) - 1)
    longest = min(max(room // 2, _SHORTEST), _LENGTH)
    return [
        [row[0], *(Cell(short(cell.text, longest)) for cell in row[1:3]), *row[3:]] for row in rows
    ]


def _words(explanation: Explanation, links: Sequence[Link]) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    for link in links:
        pairs = _word_pairs(explanation, link)
        if pairs:
            name = short(phrase(explanation.reference, link.reference), _LENGTH)
            grid.add_row(Text(visible(name)), Text(visible(", ".join(pairs)), overflow="fold"))
    return grid


def _weights(explanation: Explanation) -> Columns:
    factors = _factor_names(explanation)
    rows = []
    for item in explanation.phrases:
        words = explanation.reference if item.side == "reference" else explanation.hypothesis
        rows.append(
            [
                Cell(item.side, "dim"),
                Cell(short(phrase(words, item.words), _LENGTH)),
                Cell(item.kind, "dim"),
                *(Cell(_factor_of(item, name)) for name in factors),
                Cell(_number(item.weight)),
            ]
        )
    header = ["phrases", "", "", *factors, "weight"]
    return Columns(header, rows, [i > 2 for i in range(len(header))], keys=3)
