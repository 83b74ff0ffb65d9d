"""An alignment as a drawing: the sentences one above the other, lines from words to words, jumps as arcs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from rich.cells import cell_len

from metaphrase.metrics import Edit, Explanation, Link, Word
from metaphrase.report.html_elements import text
from metaphrase.report.terminal.columns import visible
from metaphrase.report.terminal.edit_view import edit_name

#: Sizes in pixels: a character's width and what lies between the words' boxes.
_CHARACTER, _PADDING, _GAP = 8.4, 6.0, 8.0
_BOX, _SPACE = 26.0, 72.0
#: Arcs rise with their width up to a height, those of jumps back above the others; their ends stand apart
#: from each other, and may lie outside the sentence.
_ARC, _HIGHEST_ARC, _BACK, _APART, _MARGIN = 20.0, 60.0, 26.0, 2.5, 10.0

#: Where the box of a word begins, and its width.
Box = tuple[float, float]


def forms(words: Sequence[Word], places: Sequence[int]) -> str:
    """The words in a row."""
    return " ".join(words[i].form for i in places)


def alignment_svg(explanation: Explanation, links: Sequence[Link]) -> str:
    """Reference above, hypothesis below, a line from each word to the word it is aligned with."""
    jumps = [edit for edit in explanation.edits if edit.jump is not None]
    margin = _MARGIN if jumps else 0.0
    above, below = (
        _boxes(side, margin) for side in (explanation.reference, explanation.hypothesis)
    )
    margins = _arc_height(jumps, "reference", above), _arc_height(jumps, "hypothesis", below)
    width = max((x + w for x, w in (*above, *below)), default=200.0) + 2 + margin
    top = 18.0 + margins[0]
    bottom = top + _BOX + _SPACE
    rows = top + _BOX, bottom
    lines = (
        _edit_lines(explanation, above, below, rows)
        if explanation.edits
        else _link_lines(explanation, links, above, below, rows)
    )
    words = _word_boxes(explanation.reference, above, top, _best(links, "reference"))
    words += _word_boxes(explanation.hypothesis, below, bottom, _best(links, "hypothesis"))
    for number, edit in enumerate(jumps, 1):
        on_reference = edit.jump is not None and edit.jump.side == "reference"
        boxes, y, up = (above, top, -1) if on_reference else (below, bottom + _BOX, 1)
        words.append(_arc(edit, number, boxes, y, up))
    under = bottom + _BOX + margins[1]
    names = (
        f'<text class="mp-side" x="0" y="{top - margins[0] - 5:.0f}">reference</text>'
        f'<text class="mp-side" x="0" y="{under + 15:.0f}">hypothesis</text>'
    )
    return (
        f'<div class="mp-drawing"><svg width="{width:.0f}" height="{under + 20:.0f}" role="img" '
        f'aria-label="word alignment">{names}{"".join(lines)}{"".join(words)}</svg></div>'
    )


def _tone(worth: float) -> str:
    return "mp-good" if worth > 0.99 else "mp-half" if worth > 0.05 else "mp-lost"


def _worth(link: Link) -> float:
    return max(link.similarity - link.penalty, 0.0)


def _boxes(words: Sequence[Word], margin: float) -> list[Box]:
    boxes = []
    x = 1.0 + margin
    for word in words:
        width = max(cell_len(visible(word.form)), 1) * _CHARACTER + 2 * _PADDING
        boxes.append((x, width))
        x += width + _GAP
    return boxes


def _middle(box: Box) -> float:
    return box[0] + box[1] / 2


def _best(links: Sequence[Link], side: str) -> dict[int, float]:
    best: dict[int, float] = {}
    for link in links:
        for place in getattr(link, side):
            best[place] = max(best.get(place, 0.0), _worth(link))
    return best


def _word_boxes(
    words: Sequence[Word], boxes: Sequence[Box], y: float, best: dict[int, float]
) -> list[str]:
    drawn = []
    for i, (word, (x, width)) in enumerate(zip(words, boxes, strict=True)):
        tone = _tone(best.get(i, 0.0)) if word.weight > 0 else "mp-dim"
        form = visible(word.form)
        # The length is forced, so that boxes fit whatever font the reader has.
        length = f' textLength="{width - 2 * _PADDING:.1f}" lengthAdjust="spacingAndGlyphs"'
        hint = " ".join(filter(None, (word.form, word.tag, f"weight {word.weight:.2f}")))
        drawn.append(
            f'<g class="{tone}"><title>{text(hint)}</title><rect x="{x:.1f}" y="{y:.1f}" '
            f'width="{width:.1f}" height="{_BOX:.0f}" rx="4"/><text x="{x + width / 2:.1f}" '
            f'y="{y + 18:.1f}"{length if form else ""}>{escape(form)}</text></g>'
        )
    return drawn


def _line(tone: str, x: tuple[float, float], y: tuple[float, float], hint: str) -> str:
    return (
        f'<line class="{tone}" x1="{x[0]:.1f}" y1="{y[0]:.1f}" '
        f'x2="{x[1]:.1f}" y2="{y[1]:.1f}"><title>{text(hint)}</title></line>'
    )


def _link_lines(
    explanation: Explanation,
    links: Sequence[Link],
    above: Sequence[Box],
    below: Sequence[Box],
    rows: tuple[float, float],
) -> Iterator[str]:
    for link in links:
        hint = (
            f"{forms(explanation.reference, link.reference)} – "
            f"{forms(explanation.hypothesis, link.hypothesis)}: {link.kind}, {link.similarity:.2f}"
        )
        hint += f" − {link.penalty:.2f}" if link.penalty else ""
        tone = _tone(_worth(link))
        if explanation.phrases:
            yield from _block_lines(
                tone, (above, below), (link.reference, link.hypothesis), rows, hint
            )
            continue
        for j in link.reference:
            for i in link.hypothesis:
                yield _line(tone, (_middle(above[j]), _middle(below[i])), rows, hint)


def _block_lines(
    tone: str,
    boxes: tuple[Sequence[Box], Sequence[Box]],
    places: tuple[Sequence[int], Sequence[int]],
    rows: tuple[float, float],
    hint: str,
) -> Iterator[str]:
    """One line between neighbouring words above and below, which are underlined and overlined together."""
    ends = []
    heights = rows[0] + 4, rows[1] - 4
    for side, words, y in zip(boxes, places, heights, strict=True):
        left, right = side[words[0]][0], sum(side[words[-1]])
        if len(words) > 1:
            yield _line(tone, (left, right), (y, y), hint)
        ends.append((left + right) / 2)
    yield _line(tone, (ends[0], ends[1]), heights, hint)


def _edit_lines(
    explanation: Explanation,
    above: Sequence[Box],
    below: Sequence[Box],
    rows: tuple[float, float],
) -> Iterator[str]:
    """One line a substitution."""
    for edit in explanation.edits:
        if not (edit.reference and edit.hypothesis):
            continue
        hint = (
            f"{forms(explanation.reference, edit.reference)} – "
            f"{forms(explanation.hypothesis, edit.hypothesis)}: {edit_name(edit)}, "
            f"{edit.contribution:+.4f}"
        )
        tone = "mp-good" if edit.state in ("word", "punctuation") else "mp-half"
        yield from _block_lines(tone, (above, below), (edit.reference, edit.hypothesis), rows, hint)


def _before(boxes: Sequence[Box], place: int) -> float:
    """The middle of the gap before a word, or behind the last one."""
    return boxes[place][0] - _GAP / 2 if place < len(boxes) else sum(boxes[-1]) + _GAP / 2


def _rise(edit: Edit, boxes: Sequence[Box]) -> float:
    assert edit.jump is not None
    reach = abs(_before(boxes, edit.jump.start) - _before(boxes, edit.jump.target))
    rise = min(_ARC + reach / 8, _HIGHEST_ARC)
    return rise if edit.jump.target >= edit.jump.start else rise + _BACK


def _arc_height(jumps: Sequence[Edit], side: str, boxes: Sequence[Box]) -> float:
    """The room that the jumps of one side need beyond its words."""
    rises = [_rise(edit, boxes) for edit in jumps if edit.jump and edit.jump.side == side]
    return 0.75 * max(rises) + 16 if rises else 0.0


def _arc(edit: Edit, number: int, boxes: Sequence[Box], y: float, up: int) -> str:
    """An arrow from gap to gap, away from the words (``up`` is −1 above them), with its number."""
    assert edit.jump is not None
    start, target = (_before(boxes, place) for place in (edit.jump.start, edit.jump.target))
    apart = _APART if target >= start else -_APART
    x1, x2, y0 = start + apart, target - apart, y + 2 * up
    control = y0 + up * _rise(edit, boxes)
    apex = y0 + up * 0.75 * _rise(edit, boxes)
    head = y0 + 7 * up
    return (
        f'<g class="mp-jump"><title>{text(edit_name(edit))}, {edit.contribution:+.4f}</title>'
        f'<path d="M{x1:.1f} {y0:.1f}C{x1:.1f} {control:.1f} {x2:.1f} {control:.1f} '
        f'{x2:.1f} {head:.1f}"/>'
        f'<polygon points="{x2 - 4:.1f},{head:.1f} {x2 + 4:.1f},{head:.1f} {x2:.1f},{y0:.1f}"/>'
        f'<text x="{(x1 + x2) / 2:.1f}" y="{apex + (4 if up < 0 else 6) + 7 * up:.1f}">{number}</text></g>'
    )
