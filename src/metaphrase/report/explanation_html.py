"""An explanation as HTML: the alignment drawn between the sentences, its links, what each of them cost.

The fragment needs nothing but itself: no script, no font, no style sheet of the page around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from metaphrase.metrics import Explanation, Link
from metaphrase.report.alignment_svg import alignment_svg, forms
from metaphrase.report.edit_html import edit_html, sum_html
from metaphrase.report.html_elements import table, text
from metaphrase.report.phrase_html import phrase_html
from metaphrase.report.terminal.columns import rounded
from metaphrase.report.terminal.explanation_view import unmatched_relations
from metaphrase.report.terminal.feature_details import common_details, own_details
from metaphrase.report.terminal.pivot_view import odd_words_html, pivot_html

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
.mp-explanation svg path{fill:none;stroke:var(--mp-tone);stroke-width:2}
.mp-explanation svg polygon{fill:var(--mp-tone)}
.mp-explanation .mp-jump{--mp-tone:#0969da}.mp-explanation svg .mp-jump text{font-size:11px;fill:#0969da}
.mp-explanation .mp-bar{width:10rem;height:.7em;margin-top:.3em;background:#f6f8fa}
.mp-explanation .mp-bar i{display:block;height:100%;background:var(--mp-tone);opacity:.6}
.mp-explanation table{display:block;overflow-x:auto;border-collapse:collapse;font-size:.9rem}
.mp-explanation th{text-align:left;font-weight:600;color:#57606a}
.mp-explanation th,.mp-explanation td{padding:.2rem .9rem .2rem 0;border-bottom:1px solid #eaeef2;
 vertical-align:top;overflow-wrap:break-word}
.mp-explanation td.mp-number,.mp-explanation th.mp-number{text-align:right;white-space:nowrap;
 font-variant-numeric:tabular-nums}
.mp-explanation td span{color:var(--mp-tone)}
.mp-explanation code{font:13px ui-monospace,monospace}
.mp-explanation p{margin:.6rem 0 0}
.mp-explanation p.mp-note{margin:.4rem 0 .8rem}
.mp-explanation .mp-signature{color:#57606a;font:12px ui-monospace,monospace;overflow-wrap:anywhere}
"""


def explanation_html(explanation: Explanation, *, title: str = "") -> str:
    """A fragment to be put into any page; every text in it is escaped.

    As in the terminal, links are those of the first layer, and no colour is the only sign of anything.
    """
    layer = explanation.word_layer
    links = sorted(explanation.layer(layer), key=lambda link: (link.reference, link.hypothesis))
    small = f"<small>{text(title)}</small>" if title else ""
    parts = [
        f'<section class="mp-explanation"><style>{STYLE}</style>',
        f"<h2>{text(explanation.metric)} {explanation.score:.4f}{small}</h2>",
        alignment_svg(explanation, links),
        *(f'<p class="mp-note"><b>note</b>: {text(note)}</p>' for note in explanation.notes),
        *_tables(explanation, layer, links),
        f'<p class="mp-signature">{text(explanation.signature)}</p></section>',
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


def _tables(explanation: Explanation, layer: str, links: Sequence[Link]) -> list[str]:
    if explanation.works_by_edits:
        return edit_html(explanation)
    return [
        *(
            phrase_html(explanation, links)
            if explanation.phrases
            else [_link_table(explanation, links)]
        ),
        *_leftovers(explanation, layer),
        _features(explanation),
        sum_html(explanation.parts, explanation.score) if explanation.parts else "",
        pivot_html(explanation),
        odd_words_html(explanation),
    ]


def _link_table(explanation: Explanation, links: Sequence[Link]) -> str:
    if not links:
        return ""
    staged = any(link.stage for link in links)
    headings = ["reference", "hypothesis", "why", "similarity"]
    if staged:
        headings += ["penalty", "relations without counterpart", "aligned as"]
    else:
        headings.append("weight")
    rows = []
    for link in links:
        tone = "mp-good" if link.similarity > 0.99 else "mp-half"
        cells = [
            text(forms(explanation.reference, link.reference)),
            text(forms(explanation.hypothesis, link.hypothesis)),
            f'<span class="{tone}">{text(link.kind)}</span>',
            f"{link.similarity:.2f}",
        ]
        if staged:
            penalty = f'<span class="mp-lost">{link.penalty:.2f}</span>' if link.penalty else ""
            cells += [penalty, _relations(explanation, link), text(link.stage)]
        else:
            cells.append(f"{link.weight:.2f}")
        rows.append(cells)
    return table(headings, rows, numbers=("similarity", "penalty", "weight"))


def _relations(explanation: Explanation, link: Link) -> str:
    lines = []
    for side in ("reference", "hypothesis"):
        lost = unmatched_relations(explanation, link, side)
        if lost:
            listed = ", ".join(f"<code>{text(relation)}</code>" for relation in lost)
            lines.append(f"only {side}: {listed}")
    return "<br>".join(lines)


def _leftovers(explanation: Explanation, layer: str) -> list[str]:
    paragraphs = []
    for name, side, words in (
        ("missing", "reference", explanation.reference),
        ("extra", "hypothesis", explanation.hypothesis),
    ):
        lost = [
            f"{text(forms(words, rest.words))} ({rest.weight:.2f})"
            for rest in explanation.leftovers
            if (rest.layer, rest.side) == (layer, side)
        ]
        if lost:
            paragraphs.append(f"<p><b>{name}</b>: {', '.join(lost)}</p>")
    return paragraphs


def _features(explanation: Explanation) -> str:
    if not explanation.features:
        return ""
    details = common_details(explanation.features)
    rows = []
    for feature in explanation.features:
        value = "—" if feature.value is None else f"{feature.value:.4f}"
        numbers = (rounded(feature.details[name], ".3f") for name in details)
        rows.append(
            [text(feature.description), value, *numbers, text(own_details(feature, details))]
        )
    listed = table(["feature", "value", *details, ""], rows, numbers=("value", *details))
    return f"<p></p>{listed}"
