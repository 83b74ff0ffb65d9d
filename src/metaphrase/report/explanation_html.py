"""An explanation as HTML: the alignment drawn between the sentences, its links, what each of them cost.

The fragment needs nothing but itself: no script, no font, no style sheet of the page around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from rich.cells import cell_len

from metaphrase.metrics import Explanation, Link
from metaphrase.metrics.explanation import Word
from metaphrase.report.columns import visible
from metaphrase.report.explanation_view import unmatched_relations

#: Sizes of the drawing in pixels: a character's width and what lies between the words' boxes.
_CHARACTER, _PADDING, _GAP = 8.4, 6.0, 8.0
_BOX, _SPACE = 26.0, 72.0

STYLE = """\
.mp-explanation{--mp-good:#1a7f37;--mp-half:#9a6700;--mp-lost:#cf222e;--mp-dim:#6e7781;
 font:15px/1.45 system-ui,sans-serif;color:#1f2328;background:#fff;max-width:75rem;margin:1rem 0;
 padding:1rem 1.25rem;border:1px solid #d0d7de;border-radius:8px}
.mp-explanation h2{font-size:1.1rem;margin:0 0 .6rem}
.mp-explanation h2 small{font-weight:400;color:var(--mp-dim);margin-left:.6rem}
.mp-explanation .mp-drawing{overflow-x:auto;margin:.4rem 0 .8rem}
.mp-explanation svg{display:block}
.mp-explanation svg text{font:14px ui-monospace,monospace;text-anchor:middle}
.mp-explanation svg .mp-side{font:12px system-ui,sans-serif;text-anchor:start;fill:#57606a}
.mp-explanation .mp-good{--mp-tone:var(--mp-good)}.mp-explanation .mp-half{--mp-tone:var(--mp-half)}
.mp-explanation .mp-lost{--mp-tone:var(--mp-lost)}.mp-explanation .mp-dim{--mp-tone:var(--mp-dim)}
.mp-explanation svg rect{fill:var(--mp-tone);fill-opacity:.1;stroke:var(--mp-tone)}
.mp-explanation svg .mp-lost rect{stroke-dasharray:4 3}
.mp-explanation svg line{stroke:var(--mp-tone);stroke-width:2;stroke-opacity:.75}
.mp-explanation svg line.mp-half{stroke-dasharray:7 4}
.mp-explanation svg line.mp-lost{stroke-dasharray:2 4}
.mp-explanation table{display:block;overflow-x:auto;border-collapse:collapse;font-size:.9rem}
.mp-explanation th{text-align:left;font-weight:600;color:#57606a}
.mp-explanation th,.mp-explanation td{padding:.2rem .9rem .2rem 0;border-bottom:1px solid #eaeef2;
 vertical-align:top;overflow-wrap:break-word}
.mp-explanation td.mp-number,.mp-explanation th.mp-number{text-align:right;white-space:nowrap;
 font-variant-numeric:tabular-nums}
.mp-explanation td span{color:var(--mp-tone)}
.mp-explanation code{font:13px ui-monospace,monospace}
.mp-explanation p{margin:.6rem 0 0}
.mp-explanation .mp-signature{color:#57606a;font:12px ui-monospace,monospace;overflow-wrap:anywhere}
"""


def explanation_html(explanation: Explanation, *, title: str = "") -> str:
    """A fragment to be put into any page; every text in it is escaped.

    As in the terminal, links are those of the first layer, and no colour is the only sign of anything.
    """
    layer = explanation.features[0].name if explanation.features else ""
    links = sorted(explanation.layer(layer), key=lambda link: (link.reference, link.hypothesis))
    small = f"<small>{_text(title)}</small>" if title else ""
    parts = [
        f'<section class="mp-explanation"><style>{STYLE}</style>',
        f"<h2>{_text(explanation.metric)} {explanation.score:.4f}{small}</h2>",
        _drawing(explanation, links),
        _link_table(explanation, links),
        *_leftovers(explanation, layer),
        _features(explanation),
        f'<p class="mp-signature">{_text(explanation.signature)}</p></section>',
    ]
    return "\n".join(part for part in parts if part)


def explanation_page(fragments: Iterable[str]) -> str:
    """A whole page around fragments."""
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    body = "\n".join(fragments)
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}<title>metaphrase</title></head>'
        f"<body>\n{body}\n</body></html>"
    )


def _text(text: str) -> str:
    return escape(visible(text))


def _tone(worth: float) -> str:
    return "mp-good" if worth > 0.99 else "mp-half" if worth > 0.05 else "mp-lost"


def _worth(link: Link) -> float:
    return max(link.similarity - link.penalty, 0.0)


def _drawing(explanation: Explanation, links: Sequence[Link]) -> str:
    """Reference above, hypothesis below, a line from each word to the word it is aligned with."""
    above, below = _boxes(explanation.reference), _boxes(explanation.hypothesis)
    width = max((x + w for x, w in (*above, *below)), default=200.0) + 2
    top, bottom = 18.0, 18.0 + _BOX + _SPACE
    lines = [
        f'<line class="{_tone(_worth(link))}" x1="{_middle(above[j]):.1f}" y1="{top + _BOX:.1f}" '
        f'x2="{_middle(below[i]):.1f}" y2="{bottom:.1f}"><title>{_text(_label(explanation, link))}'
        "</title></line>"
        for link in links
        for j in link.reference
        for i in link.hypothesis
    ]
    words = _word_boxes(explanation.reference, above, top, _best(links, "reference"))
    words += _word_boxes(explanation.hypothesis, below, bottom, _best(links, "hypothesis"))
    names = (
        f'<text class="mp-side" x="0" y="{top - 5:.0f}">reference</text>'
        f'<text class="mp-side" x="0" y="{bottom + _BOX + 15:.0f}">hypothesis</text>'
    )
    height = bottom + _BOX + 20
    return (
        f'<div class="mp-drawing"><svg width="{width:.0f}" height="{height:.0f}" role="img" '
        f'aria-label="word alignment">{names}{"".join(lines)}{"".join(words)}</svg></div>'
    )


def _boxes(words: Sequence[Word]) -> list[tuple[float, float]]:
    """Where the box of each word begins, and its width."""
    boxes = []
    x = 1.0
    for word in words:
        width = max(cell_len(visible(word.form)), 1) * _CHARACTER + 2 * _PADDING
        boxes.append((x, width))
        x += width + _GAP
    return boxes


def _middle(box: tuple[float, float]) -> float:
    return box[0] + box[1] / 2


def _best(links: Sequence[Link], side: str) -> dict[int, float]:
    best: dict[int, float] = {}
    for link in links:
        for place in getattr(link, side):
            best[place] = max(best.get(place, 0.0), _worth(link))
    return best


def _word_boxes(
    words: Sequence[Word], boxes: Sequence[tuple[float, float]], y: float, best: dict[int, float]
) -> list[str]:
    drawn = []
    for i, (word, (x, width)) in enumerate(zip(words, boxes, strict=True)):
        tone = _tone(best.get(i, 0.0)) if word.weight > 0 else "mp-dim"
        form = visible(word.form)
        # The length is forced, so that boxes fit whatever font the reader has.
        length = f' textLength="{width - 2 * _PADDING:.1f}" lengthAdjust="spacingAndGlyphs"'
        hint = " ".join(filter(None, (word.form, word.tag, f"weight {word.weight:.2f}")))
        drawn.append(
            f'<g class="{tone}"><title>{_text(hint)}</title><rect x="{x:.1f}" y="{y:.1f}" '
            f'width="{width:.1f}" height="{_BOX:.0f}" rx="4"/><text x="{x + width / 2:.1f}" '
            f'y="{y + 18:.1f}"{length if form else ""}>{escape(form)}</text></g>'
        )
    return drawn


def _forms(words: Sequence[Word], places: Sequence[int]) -> str:
    return " ".join(words[i].form for i in places)


def _label(explanation: Explanation, link: Link) -> str:
    label = (
        f"{_forms(explanation.reference, link.reference)} – "
        f"{_forms(explanation.hypothesis, link.hypothesis)}: {link.kind}, {link.similarity:.2f}"
    )
    return f"{label} − {link.penalty:.2f}" if link.penalty else label


def _link_table(explanation: Explanation, links: Sequence[Link]) -> str:
    if not links:
        return ""
    staged = any(link.stage for link in links)
    headings = ["reference", "hypothesis", "why", "similarity"]
    if staged:
        headings += ["penalty", "relations without counterpart", "aligned as"]
    else:
        headings.append("weight")
    numbers = {"similarity", "penalty", "weight"}
    rows = [_row(headings, numbers, "th")]
    for link in links:
        tone = "mp-good" if link.similarity > 0.99 else "mp-half"
        cells = [
            _text(_forms(explanation.reference, link.reference)),
            _text(_forms(explanation.hypothesis, link.hypothesis)),
            f'<span class="{tone}">{_text(link.kind)}</span>',
            f"{link.similarity:.2f}",
        ]
        if staged:
            penalty = f'<span class="mp-lost">{link.penalty:.2f}</span>' if link.penalty else ""
            cells += [penalty, _relations(explanation, link), _text(link.stage)]
        else:
            cells.append(f"{link.weight:.2f}")
        rows.append(_row(cells, {i for i, name in enumerate(headings) if name in numbers}, "td"))
    return f"<table>{''.join(rows)}</table>"


def _row(cells: Sequence[str], numbers: set[str] | set[int], tag: str) -> str:
    marked = (
        f'<{tag} class="mp-number">{cell}</{tag}>'
        if (cell if tag == "th" else i) in numbers
        else f"<{tag}>{cell}</{tag}>"
        for i, cell in enumerate(cells)
    )
    return f"<tr>{''.join(marked)}</tr>"


def _relations(explanation: Explanation, link: Link) -> str:
    lines = []
    for side in ("reference", "hypothesis"):
        lost = unmatched_relations(explanation, link, side)
        if lost:
            listed = ", ".join(f"<code>{_text(relation)}</code>" for relation in lost)
            lines.append(f"only {side}: {listed}")
    return "<br>".join(lines)


def _leftovers(explanation: Explanation, layer: str) -> list[str]:
    paragraphs = []
    for name, side, words in (
        ("missing", "reference", explanation.reference),
        ("extra", "hypothesis", explanation.hypothesis),
    ):
        lost = [
            f"{_text(_forms(words, rest.words))} ({rest.weight:.2f})"
            for rest in explanation.leftovers
            if (rest.layer, rest.side) == (layer, side)
        ]
        if lost:
            paragraphs.append(f"<p><b>{name}</b>: {', '.join(lost)}</p>")
    return paragraphs


def _features(explanation: Explanation) -> str:
    if not explanation.features:
        return ""
    details = list(explanation.features[0].details)
    headings = ["feature", "value", *details]
    rows = [_row([_text(heading) for heading in headings], {"value", *details}, "th")]
    for feature in explanation.features:
        value = "—" if feature.value is None else f"{feature.value:.4f}"
        numbers = (f"{feature.details[name]:.3f}" for name in details)
        cells = [_text(feature.description), value, *numbers]
        rows.append(_row(cells, set(range(1, len(cells))), "td"))
    return f"<p></p><table>{''.join(rows)}</table>"
