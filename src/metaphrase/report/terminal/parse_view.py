"""A parse drawn for the terminal: the tree of the sentence, one word per line, and what is known of each.

Words stand in their order, so that a long sentence grows downwards and never to the side; guides to the left
lead from every word to its head, and the root is flush with the margin. Chunks and entities are bracketed in
the sentence above. Colour is never the only sign.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from metaphrase.analysis.relations import Relation
from metaphrase.analysis.sentence import COLUMNS, NUMBER_COLUMNS, Sentence
from metaphrase.report.terminal.columns import Cell, Columns, visible
from metaphrase.report.terminal.joined_words import short

_GUIDE, _LABEL, _WORD, _TAG, _ENTITY = "dim", "cyan", "bold", "green", "yellow"
#: Deeper trees get guides without an end, so that lines stay on the screen.
_DEEPEST = 16
_LONGEST_WORD = 20


def parse_view(
    sentence: Sentence, *, title: str = "", relations: Sequence[Relation] = ()
) -> list[RenderableType]:
    """The sentence with its chunks and entities, and the tree or, without a parse, the columns.

    ``relations`` stand beside the words that depend on something by them, in the place of lemmas.
    """
    parts: list[RenderableType] = []
    if title:
        parts.append(Text(visible(title), style="bold"))
    parts += [_bracketed(sentence), ""]
    if len(sentence):
        parts.append(_word_table(sentence, relations))
    return parts


def token_table(sentence: Sentence, *, relations: Sequence[Relation] = ()) -> Columns:
    """All columns of a sentence side by side, one line per token."""
    names = [name for name in COLUMNS if name in sentence.columns]
    cells = [sentence.column(name) for name in names]
    if relations:
        names.append("collapsed")
        cells.append(tuple(map(" ".join, _beside(sentence, relations))))
    rows = [
        [Cell(str(token + 1), _GUIDE), *(Cell(str(column[token])) for column in cells)]
        for token in range(len(sentence))
    ]
    return Columns(["", *names], rows, [True, *(name in NUMBER_COLUMNS for name in names)], keys=2)


def _beside(sentence: Sentence, relations: Sequence[Relation]) -> list[list[str]]:
    """``label(governor)`` of every relation in which each token is the dependent."""
    beside: list[list[str]] = [[] for _ in range(len(sentence))]
    for relation in relations:
        governor = sentence.form[relation.governor - 1] if relation.governor else "ROOT"
        beside[relation.dependent - 1].append(f"{relation.label}({_short(governor)})")
    return beside


def _bracketed(sentence: Sentence) -> Text:
    """The words, chunks in square brackets and entities in braces, each with its type."""
    text = Text(overflow="fold")
    chunks = _spans(sentence.chunk)
    entities = _spans(sentence.entity)
    for token, form in enumerate(sentence.form):
        if token:
            text.append(" ")
        for opened, bracket, style in ((chunks, "[", _LABEL), (entities, "{", _ENTITY)):
            if (kind := opened.starts.get(token)) is not None:
                text.append(f"{bracket}{visible(kind)} ", style=style)
        text.append(visible(form), style=_ENTITY if entities.covers(token) else "")
        for opened, bracket, style in ((entities, "}", _ENTITY), (chunks, "]", _LABEL)):
            if token in opened.ends:
                text.append(bracket, style=style)
    return text


class _Spans:
    """Runs of tokens with one type: where each begins and ends."""

    def __init__(self, runs: Sequence[tuple[int, int, str]]) -> None:
        self.starts = {first: kind for first, _, kind in runs}
        self.ends = {last for _, last, _ in runs}
        self._covered = {token for first, last, _ in runs for token in range(first, last + 1)}

    def covers(self, token: int) -> bool:
        return token in self._covered


def _spans(cells: Sequence[str] | None) -> _Spans:
    """Reads both ``B-NP I-NP O`` and types alone, where neighbours of one type are one span."""
    runs: list[tuple[int, int, str]] = []
    for token, cell in enumerate(cells or ()):
        begins, kind = cell[:2] == "B-", cell[2:] if cell[:2] in ("B-", "I-") else cell
        if cell == "O":
            continue
        if runs and not begins and runs[-1][1] == token - 1 and runs[-1][2] == kind:
            runs[-1] = (runs[-1][0], token, kind)
        else:
            runs.append((token, token, kind))
    return _Spans(runs)


def _word_table(sentence: Sentence, relations: Sequence[Relation]) -> Columns:
    """One line per word: number, guides and word, then its relation, tag and lemma."""
    parsed = sentence.head is not None
    guides = list(_guides(sentence.head)) if sentence.head is not None else [""] * len(sentence)
    beside = _beside(sentence, relations)
    known = [
        (name, style, column)
        for name, style, column in (
            ("relation", _LABEL, sentence.relation),
            ("tag", _TAG, sentence.tag),
            ("upos", "dim", sentence.upos if sentence.tag is None else None),
            ("lemma", "", sentence.lemma if not relations else None),
        )
        if column is not None
    ]
    rows = []
    for token, form in enumerate(sentence.form):
        word = f"{guides[token]}{_short(form)}"
        row = [Cell(str(token + 1), _GUIDE), Cell(word, _WORD)]
        row += [Cell(_short(str(column[token])), style) for _, style, column in known]
        if relations:
            row.append(Cell(" ".join(beside[token]), _LABEL))
        rows.append(row)
    header = ["", "tree" if parsed else "word", *(name for name, _, _ in known)]
    header += ["collapsed"] if relations else []
    return Columns(header, rows, [True] + [False] * (len(header) - 1), keys=2)


def _guides(heads: Sequence[int]) -> Iterator[str]:
    """What stands before each word: a line of box characters for every ancestor it hangs under.

    A word's own corner points up or down to its head; the guide of an ancestor runs through a line if one of
    that ancestor's other dependents, or the ancestor itself, is still to come on the line's far side.
    """
    size = len(heads)
    first, last = list(range(size + 1)), list(range(size + 1))
    for token, head in enumerate(heads, 1):
        if 0 < head <= size:
            first[head], last[head] = min(first[head], token), max(last[head], token)
    for token in range(1, size + 1):
        path = _path(token, heads)
        line = ""
        for below, above in zip(path[1:], path, strict=False):
            if below == token:
                top, bottom = first[above] == token, last[above] == token
                corner = "╭" if top and token < above else "╰" if bottom and token > above else "├"
                line += corner + "─"
            else:
                inside = first[above] < token < last[above]
                line += "│ " if inside else "  "
        if len(line) > 2 * _DEEPEST:
            line = f"…{line[-2 * _DEEPEST + 1 :]}"
        yield line


def _path(token: int, heads: Sequence[int]) -> list[int]:
    """The token's ancestors from its root down to itself; a cycle ends it."""
    path = [token]
    while 0 < (head := heads[path[-1] - 1]) <= len(heads) and head not in path:
        path.append(head)
    return path[::-1]


def _short(word: str) -> str:
    return short(word, _LONGEST_WORD)
