"""Why TESLA-CELAB gave a score: which spans matched, and which are covered by what, as an explanation.

The program has many optima. Shown is one in which every span is matched as much as covering asks for and,
beyond that, spelling comes before synonymy, and places near each other before distant ones.

For every threshold of similarity (there is one, unless similarities are graded) the explanation has layers:

* ``cover``: the matches that are not within others; runs of equal text are one link
* ``matches``: every match, span by span, of at most four tokens
* ``covered-reference``, ``covered-hypothesis``: spans that are covered without being matched, linked to the
  partner of the span that covers them.

Tokens left uncovered are listed in ``cover``, run by run; longer spans that are not covered in ``matches``.

Below the similarity 1 the layer's name has the threshold behind it: ``cover@0.5``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from metaphrase.analysis import Sentence
from metaphrase.arrays import FloatArray
from metaphrase.matching import CoveringTrace, covering_trace, transport
from metaphrase.matching.covering import MAX_SPAN
from metaphrase.metrics.celab.lexicon import span_lexicon
from metaphrase.metrics.comparison import Comparison
from metaphrase.metrics.explained_pair import SIDES, check_length, explain_pair, words_of
from metaphrase.metrics.explanation import Explanation, Feature, Leftover, Link

if TYPE_CHECKING:
    from metaphrase.metrics.celab.metric import Celab

#: An explanation is for reading.
_LONGEST_EXPLAINED = 1000
#: Weights below this are rounding: real ones are quotients of small integers.
_NEGLIGIBLE = 1e-7
_KINDS = ("identical", "synonym", "composed")
Span = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """One sentence; ``weight`` and ``cells`` are by span number (``matching/covering.py``)."""

    name: str
    forms: tuple[str, ...]
    weight: FloatArray
    order: int

    @property
    def spans(self) -> Iterator[int]:
        for start in range(len(self.forms)):
            for length in range(1, min(self.order, len(self.forms) - start) + 1):
                yield MAX_SPAN * start + length - 1

    def text(self, span: int) -> str:
        return "".join(self.forms[i] for i in _tokens(span))

    def total(self) -> float:
        return float(sum(self.weight[span] for span in self.spans))


def explain(metric: Celab, comparison: Comparison) -> Explanation:
    """Trace the only segment of ``comparison``, threshold by threshold."""
    analysed = comparison.analysed
    batch = analysed.batch
    rows = int(analysed.hypotheses[0]), int(analysed.references[0][0])
    sentences = [batch[row] for row in rows]
    check_length(max(map(len, sentences)), _LONGEST_EXPLAINED, "span by span", unit="tokens")
    packed = metric.sentences(batch)
    lexicon = span_lexicon(metric.dictionary_choice)
    weights = metric.weighting
    sides = [
        _side(name, sentence, weights.of(sentence.form), metric.order)
        for name, sentence in zip(SIDES, sentences, strict=True)
    ]
    links: list[Link] = []
    leftovers: list[Leftover] = []
    features: list[Feature] = []
    for number in range(len(lexicon.layers)):
        threshold = sum(lexicon.layers[number:])
        suffix = f"@{threshold:.3g}" if number else ""
        trace = covering_trace(
            packed,
            hypothesis_row=rows[0],
            reference_row=rows[1],
            lexicon=lexicon,
            order=metric.order,
            released=metric.released_dp,
            layer=number,
        )
        matches = _matches(trace, sides, f"matches{suffix}", threshold)
        links += _merged(_outermost(matches), f"cover{suffix}")
        links += matches
        for side, cells in zip(sides, (trace.hypothesis[1], trace.reference[1]), strict=True):
            links += _covered(side, cells, matches, f"covered-{side.name}{suffix}", threshold)
            leftovers += _uncovered(side, cells, suffix)
        features += _features(sides, trace, suffix, lexicon.layers[number])
    (statistics,) = metric.statistics(comparison)
    caution = metric.caution(statistics)
    words = [
        words_of(sentence, side.weight[::MAX_SPAN].tolist())
        for sentence, side in zip(sentences, sides, strict=True)
    ]
    return explain_pair(
        metric,
        comparison,
        words,
        links,
        leftovers,
        features,
        score=float(metric.segment_score(statistics)),
        notes=(caution,) if caution else (),
    )


def _side(name: str, sentence: Sentence, weights: FloatArray | None, order: int) -> _Side:
    tokens = np.ones(len(sentence)) if weights is None else weights
    side = _Side(name, sentence.form, np.zeros(MAX_SPAN * len(sentence)), order)
    for span in side.spans:
        side.weight[span] = tokens[list(_tokens(span))].mean()
    return side


def _tokens(span: int) -> Span:
    start, length = span // MAX_SPAN, span % MAX_SPAN + 1
    return tuple(range(start, start + length))


def _matches(
    trace: CoveringTrace, sides: Sequence[_Side], layer: str, similarity: float
) -> list[Link]:
    """Weights of matches that give every span of both sides what the two optima ask for.

    Each span is two rows of a transportation problem: what it must be matched with, which is worth 1, and
    the rest, which is worth next to nothing. That both sides can have all they ask for is what
    lets them be solved separately (``src/core/covering/span_cover.hpp``).
    """
    if not len(trace.matches):
        return []
    reference, hypothesis = trace.matches[:, 0], trace.matches[:, 1]
    kind = np.array(
        [
            0 if sides[1].text(x) == sides[0].text(y) else 1 if is_unit else 2
            for x, y, is_unit in trace.matches.tolist()
        ]
    )
    lengths = [max(len(side.forms), 1) for side in sides]
    distance = np.abs(reference / lengths[1] - hypothesis / lengths[0]) / MAX_SPAN
    preference = (3.0 - kind - 0.5 * distance) * 1e-4 / len(trace.matches)
    rows, columns, values = [], [], []
    for needed_x in (1, 0):
        for needed_y in (1, 0):
            rows.append(2 * reference + needed_x)
            columns.append(2 * hypothesis + needed_y)
            values.append(needed_x + needed_y + preference)
    plan = transport(
        (np.concatenate(rows), np.concatenate(columns), np.concatenate(values)),
        _split(trace.reference[0]),
        _split(trace.hypothesis[0]),
    )
    weight: dict[tuple[int, int], float] = {}
    for row, column, flow in zip(
        plan.rows.tolist(), plan.columns.tolist(), plan.flow.tolist(), strict=True
    ):
        pair = row // 2, column // 2
        weight[pair] = weight.get(pair, 0.0) + flow
    why = {
        (x, y): _KINDS[k]
        for (x, y), k in zip(trace.matches[:, :2].tolist(), kind.tolist(), strict=True)
    }
    return [
        Link(layer, why[x, y], _tokens(y), _tokens(x), similarity, flow)
        for (x, y), flow in sorted(weight.items())
        if flow > _NEGLIGIBLE
    ]


def _split(needed: FloatArray) -> FloatArray:
    """Supplies of the two rows of each span: the rest first, then what is needed."""
    return np.column_stack([1.0 - needed, needed]).clip(0.0, 1.0).ravel()


def _within(inner: Span, outer: Span) -> bool:
    return outer[0] <= inner[0] and inner[-1] <= outer[-1]


def _outermost(links: Sequence[Link]) -> list[Link]:
    """The links that show something on one side that no longer link shows."""

    def longer(link: Link, other: Link) -> bool:
        return (
            _within(link.reference, other.reference)
            and _within(link.hypothesis, other.hypothesis)
            and (link.reference, link.hypothesis) != (other.reference, other.hypothesis)
        )

    return [link for link in links if not any(longer(link, other) for other in links)]


def _merged(links: Sequence[Link], layer: str) -> Iterator[Link]:
    """Links of equal text that continue each other on both sides as one link."""
    waiting = sorted(links, key=lambda link: (link.reference, link.hypothesis))
    while waiting:
        link = replace(waiting.pop(0), layer=layer)
        for other in list(waiting):
            if link.kind == other.kind == "identical" and _continues(link, other):
                waiting.remove(other)
                link = replace(
                    link,
                    reference=tuple(range(link.reference[0], other.reference[-1] + 1)),
                    hypothesis=tuple(range(link.hypothesis[0], other.hypothesis[-1] + 1)),
                    weight=min(link.weight, other.weight),
                )
        yield link


def _continues(link: Link, other: Link) -> bool:
    """Whether ``other`` goes on in step with ``link``, overlapping it or right behind it."""
    same_step = other.reference[0] - link.reference[0] == other.hypothesis[0] - link.hypothesis[0]
    same_length = len(link.reference) == len(link.hypothesis)
    return same_step and same_length and other.reference[0] <= link.reference[-1] + 1


def _covered(
    side: _Side, cells: FloatArray, matches: Sequence[Link], layer: str, similarity: float
) -> Iterator[Link]:
    """Spans that are covered and not matched, each with the widest match that covers it."""
    own = [getattr(link, side.name) for link in matches]
    matched = set(own)
    for span in side.spans:
        tokens = _tokens(span)
        if cells[span] <= _NEGLIGIBLE or tokens in matched:
            continue
        around = [m for m, outer in zip(matches, own, strict=True) if _within(tokens, outer)]
        if not around:
            continue
        widest = max(around, key=lambda link: (len(getattr(link, side.name)), link.weight))
        here = side.name == "hypothesis"
        yield Link(
            layer,
            f"within {''.join(side.forms[i] for i in getattr(widest, side.name))}",
            tokens if here else widest.hypothesis,
            widest.reference if here else tokens,
            similarity,
            float(cells[span]),
        )


def _uncovered(side: _Side, cells: FloatArray, suffix: str) -> Iterator[Leftover]:
    """Runs of tokens that nothing covers, or not fully; then every longer span of that kind."""
    rest = (1.0 - cells) * side.weight
    run: Span = ()
    for i in range(len(side.forms) + 1):
        if i < len(side.forms) and rest[MAX_SPAN * i] > _NEGLIGIBLE:
            run = (*run, i)
        elif run:
            weight = float(sum(rest[MAX_SPAN * k] for k in run))
            yield Leftover(f"cover{suffix}", side.name, run, weight)
            run = ()
    for span in side.spans:
        tokens = _tokens(span)
        if len(tokens) > 1 and rest[span] > _NEGLIGIBLE:
            yield Leftover(f"matches{suffix}", side.name, tokens, float(rest[span]))


def _features(
    sides: Sequence[_Side], trace: CoveringTrace, suffix: str, share: float
) -> Iterator[Feature]:
    """How much of either side is covered; the reference first, whose name is that of the links to draw."""
    for side, cells, name in (
        (sides[1], trace.reference[1], f"cover{suffix}"),
        (sides[0], trace.hypothesis[1], f"cover-hypothesis{suffix}"),
    ):
        covered, total = float(cells @ side.weight), side.total()
        value = covered / total if total > 0 else 0.0
        what = f"spans of the {side.name}" + (f" at {suffix[1:]}" if suffix else "")
        yield Feature(name, what, value, {"covered": covered, "spans": total, "share": share})
