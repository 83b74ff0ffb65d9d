"""Which of several maps of phrases? Section 7.3 of PBE's paper, and ``pbe:paper`` beside the default.

``python -m experiments.pbe_maps`` with METAPHRASE_DATA set. Three tables: how often maps tie and another one
has fewer blocks; how well each rule, and each part of ``pbe:paper``, correlates with human scores; and a beam
search that looks for the map instead, by the width of its beam.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from experiments.document_bootstrap import RESAMPLES, Resampled, resampled_pearson
from experiments.frame import Data, Floats, identity, kept, remembered, replace_section
from experiments.pbe_documents import DATA, tables
from metaphrase import __version__
from metaphrase.matching.phrase_maps import MOST_TIES
from metaphrase.meta import JudgedScores, Judgements
from metaphrase.meta.judged_scores import document_numbers
from metaphrase.metrics import compare, create
from metaphrase.metrics.pbe.maps import MappedPhrases, mapped_phrases
from metaphrase.metrics.pbe.metric import Pbe

DEFAULT, FEWEST, PRINTED = "pbe", "pbe:map=fewest-blocks", "pbe:formula=printed"
METRICS = (
    DEFAULT,
    FEWEST,
    "pbe:paper",
    "pbe:paper:map=fewest-blocks",
    "pbe:stemmer=porter",
    "pbe:normalise=no",
    PRINTED,
    "pbe:paper:weights=tfidf",
)
#: Where the beam search runs, which is slow: the set with the highest agreement of documents.
BEAM_DATA = Data("nt21mqm.en.tsv.gz")
WIDTHS = (1, 2, 5, 10, 20, 50)
_PIECE = 2048
REMARK = """\
Which of the tied maps counts hardly matters: r of segments differs by .004 at most. The map with the
fewest blocks correlates significantly higher on wmt21da zh-en and significantly lower on tedmqm, and
nowhere does it differ significantly on documents, so that the default stays the paper's. `pbe:paper`
differs from the default by what normalisation is worth: .004 on segments and .007 on documents of
wmt21da de-en, significantly, and -.001 on segments of tedmqm. The stemmer changes less than .001.

The printed penalty makes PBE a measure of length. Where raters count errors (MQM), long segments have
more of them: the number of words of the reference alone, taken negative, has an r of .393 on segments
of nt21mqm, .320 on tedmqm and .357 on biomqm, and the printed formula gains much there. With length
held constant it loses (.159 instead of .230 on nt21mqm), as it does on direct assessments and on the
documents of every set.

The beam search stands for the paper's Figure 2, whose data cannot be had. It goes through the phrases
of the reference, and of partial maps it keeps those with the greatest sum, then those with the fewest
blocks. A wide beam seems to correlate higher than the exact map, but that is length again: the longer a
segment, the more often the beam misses the greatest sum (r with the reference's words .60 at a width of
50), which lowers its score. With length held constant its correlation grows with its width and stays
below that of the exact map."""


@dataclass(frozen=True, slots=True, eq=False)
class Ties:
    """Of each pair of texts: maps that tie, blocks of the first of them and of that with the fewest."""

    ties: NDArray[np.int32]
    first_blocks: NDArray[np.int32]
    fewest_blocks: NDArray[np.int32]
    proven: NDArray[np.int32]
    pairs: NDArray[np.int32]


def mapped_texts(judged: Judgements) -> Iterator[MappedPhrases]:
    """All texts with all their references, piece by piece, and the ties of their maps."""
    metric = Pbe()
    for places, corpus in judged.corpora():
        for start in range(0, len(places), _PIECE):
            (comparison,) = compare(corpus[start : start + _PIECE], metric, threads=1)
            yield from mapped_phrases(metric, comparison, ties=True)


def ties_of(data: Data, judged: Judgements) -> Ties:
    def count() -> dict[str, NDArray[np.int32]]:
        maps = [mapped.maps for mapped in mapped_texts(judged)]
        return {
            one.name: np.concatenate([getattr(piece, one.name) for piece in maps])
            for one in fields(Ties)
        }

    key = f"{identity(data.fingerprint, judged)}\tties of pbe\t{Pbe().signature(1)}"
    return Ties(**kept(key, count))  # type: ignore[arg-type]


def tie_table() -> list[str]:
    head = (
        "set",
        "pairs of texts",
        "several maps",
        f"{MOST_TIES:,} or more",
        "another has fewer blocks",
        "blocks of the first",
        "fewest blocks",
        "search ended early",
    )
    lines = [f"| {' | '.join(head)} |", f"| --- |{' ---: |' * (len(head) - 1)}"]
    for data, judged in _judged():
        found = ties_of(data, judged)
        several = (found.ties > 1) | (found.ties < 0)
        cells = (
            f"{judged.name} {judged.language_pair}",
            f"{len(found.ties):,}",
            f"{several.mean():.1%}",
            f"{(found.ties >= MOST_TIES).mean():.1%}",
            f"{(found.fewest_blocks < found.first_blocks).mean():.1%}",
            f"{found.first_blocks.mean():.3f}",
            f"{found.fewest_blocks.mean():.3f}",
            f"{(found.proven == 0).sum()}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def phrase_similarities(mapped: MappedPhrases, pair: int) -> Floats:
    """SIM of every phrase of the reference and every phrase of the hypothesis (METRICS 5.2)."""
    sentences = mapped.phrases.sentences
    words, starts, sizes = [], [], []
    for side in (mapped.reference, mapped.hypothesis):
        own = side.places[side.offsets[pair] : side.offsets[pair + 1]]
        lengths = sentences.phrase_lengths[own]
        words.append(np.concatenate([sentences.words_of(p) for p in own.tolist()]))
        starts.append(np.cumsum(lengths) - lengths)
        sizes.append(lengths)
    values = mapped.phrases.similarity.matrix(*words)
    forward = np.maximum.reduceat(values, starts[1], axis=1)
    backward = np.maximum.reduceat(values, starts[0], axis=0)
    forward = np.add.reduceat(forward, starts[0], axis=0) / sizes[0][:, None]
    backward = np.add.reduceat(backward, starts[1], axis=1) / sizes[1]
    return np.asarray((forward + backward) / 2)


def beam_map(similarities: Floats, width: int) -> tuple[float, int, tuple[int, ...]]:
    """The greatest sum, then the fewest blocks, among partial maps of which so many are kept a phrase.

    Returns the sum, the blocks, and for each phrase of the reference its partner, or the number of columns.
    """
    columns = similarities.shape[1]
    beam: list[tuple[float, int, tuple[int, ...]]] = [(0.0, 0, ())]
    for row in similarities.tolist():
        grown = []
        choices = [(column, value) for column, value in enumerate(row) if value > 0]
        for lost, blocks, chosen in beam:
            grown.append((lost, blocks, (*chosen, columns)))
            before = chosen[-1] if chosen else columns
            for column, value in choices:
                if column not in chosen:
                    new = before == columns or column != before + 1
                    grown.append((round(lost - value, 9), blocks + new, (*chosen, column)))
        beam = sorted(grown)[:width]
    lost, blocks, chosen = beam[0]
    return -lost, blocks, chosen


def beam_statistics(judged: Judgements) -> dict[str, Floats]:
    """For each width the rows of statistics of all texts, then whether the sum is the greatest."""
    found: dict[str, list[list[float]]] = {str(width): [] for width in WIDTHS}
    for mapped in mapped_texts(judged):
        for pair in range(len(mapped.maps)):
            for width, row in _beam_rows(mapped, pair):
                found[str(width)].append(row)
    return {name: np.array(rows) for name, rows in found.items()}


def _beam_rows(mapped: MappedPhrases, pair: int) -> Iterator[tuple[int, list[float]]]:
    reference, hypothesis = (
        side.lengths[side.offsets[pair] : side.offsets[pair + 1]]
        for side in (mapped.reference, mapped.hypothesis)
    )
    best = mapped.maps.similarity[mapped.maps.offsets[pair] : mapped.maps.offsets[pair + 1]].sum()
    if not len(reference) or not len(hypothesis):
        sums = [0.0, hypothesis.sum(), 0.0, reference.sum()]
        yield from ((width, [*sums, *sums, 0.0, 0.0, 0.0, 1.0]) for width in WIDTHS)
        return
    similarities = phrase_similarities(mapped, pair)
    for width in WIDTHS:
        total, blocks, chosen = beam_map(similarities, width)
        pairs = [(r, h) for r, h in enumerate(chosen) if h < len(hypothesis)]
        values = np.array([similarities[one] for one in pairs])
        sums = [
            float((values * hypothesis[[h for _, h in pairs]]).sum()) if pairs else 0.0,
            float(hypothesis.sum()),
            float((values * reference[[r for r, _ in pairs]]).sum()) if pairs else 0.0,
            float(reference.sum()),
        ]
        counts = [float(len(pairs)), float(max(blocks - 1, 0)), float(blocks)]
        yield width, [*sums, *sums, *counts, float(total > best - 1e-6)]


def beam_table() -> list[str]:
    """Pearson's r of segments and documents by the width of the beam, then of both rules."""
    (judged,) = BEAM_DATA.judgements()
    key = f"{identity(BEAM_DATA.fingerprint, judged)}\tbeams {WIDTHS}\t{Pbe().signature(1)}"
    found = kept(key, lambda: beam_statistics(judged))
    lines = [
        "| map | greatest sum found | blocks | r of segments | r of documents | partial r of segments |",
        "| --- | ---: | ---: | --- | --- | ---: |",
    ]
    rows = {f"beam of {width}": found[str(width)] for width in WIDTHS}
    exact = _scores(BEAM_DATA, judged, DEFAULT)
    base = {level: resampled_pearson(exact, judged, level) for level in ("segment", "document")}
    for name, statistics in rows.items():
        scores = _judged_scores(judged, statistics[:, :-1])
        cells = [f"{statistics[:, -1].mean():.1%}", f"{statistics[:, -2].mean():.3f}"]
        lines.append(_beam_row(name, cells, judged, scores, base))
    ties = ties_of(BEAM_DATA, judged)
    # There is one reference, so that a pair is a text, in the order of the corpora.
    order = np.concatenate([places for places, _ in judged.corpora()])
    words = [len(judged.texts[i].references[0].split()) for i in order.tolist()]
    missed = np.corrcoef(1 - found[str(WIDTHS[-1])][:, -1], words)[0, 1]
    for name, blocks in (
        (DEFAULT, ties.first_blocks),
        (FEWEST, ties.fewest_blocks),
        (PRINTED, ties.first_blocks),
    ):
        cells = ["100.0%", f"{blocks.mean():.3f}"]
        scores = _scores(BEAM_DATA, judged, name)
        lines.append(_beam_row(f"`{name}`", cells, judged, scores, base))
    return [
        *lines,
        "",
        f"r of missing the greatest sum, at a width of {WIDTHS[-1]}, with the words of the reference: "
        f"{missed:.3f}.",
    ]


def _beam_row(
    name: str,
    cells: list[str],
    judged: Judgements,
    scores: JudgedScores,
    base: dict[str, Resampled],
) -> str:
    coefficients = (_r(resampled_pearson(scores, judged, level), base[level]) for level in base)
    cells = [name, *cells, *coefficients, f"{partial_r(judged, scores.segment):.3f}"]
    return f"| {' | '.join(cells)} |"


def length_line() -> str:
    """What length alone is worth: r of segments by minus the number of the reference's words."""
    found = []
    for _, judged in _judged():
        words = np.array([len(text.references[0].split()) for text in judged.texts])
        known = ~np.isnan(judged.human) & (judged.text_of >= 0)
        r = np.corrcoef(-words[judged.text_of[known]], judged.human[known])[0, 1]
        found.append(f"{r:.3f} on {judged.name} {judged.language_pair}")
    return f"The number of words of the reference alone, negated: {', '.join(found)}."


def partial_r(judged: Judgements, scores: Floats) -> float:
    """Pearson's r of segments with the numbers of words of hypothesis and reference held constant."""
    words = np.array(
        [
            (1, len(text.hypothesis.split()), len(text.references[0].split()))
            for text in judged.texts
        ]
    )
    known = ~np.isnan(judged.human) & ~np.isnan(scores)
    lengths = words[judged.text_of[known]].astype(float)
    rest = [
        side - lengths @ np.linalg.lstsq(lengths, side, rcond=None)[0]
        for side in (judged.human[known], scores[known])
    ]
    return float(np.corrcoef(*rest)[0, 1])


def _judged_scores(judged: Judgements, statistics: Floats) -> JudgedScores:
    """As score_judged has them, of texts in the order of the corpora."""
    metric = Pbe()
    rows = np.empty_like(statistics)
    rows[np.concatenate([places for places, _ in judged.corpora()])] = statistics
    segment = np.append(metric.score(rows), np.nan)[judged.text_of]
    numbers = document_numbers(judged)
    documents = np.full((len(judged.text_of), int(numbers.max()) + 1), np.nan)
    for system, texts in enumerate(judged.text_of):
        for document in range(documents.shape[1]):
            own = texts[(numbers == document) & (texts >= 0)]
            if len(own):
                documents[system, document] = metric.score(rows[own].sum(axis=0))
    return JudgedScores("pbe", "", segment, documents, np.zeros(0))


def _r(cell: Resampled, base: Resampled) -> str:
    low, high = cell.interval
    below, above = cell.minus(base).interval
    arrow = " ↑" if below > 0 else " ↓" if above < 0 else ""
    return f"{cell.value:.3f} ({low:.3f} to {high:.3f}){arrow}"


def _scores(data: Data, judged: Judgements, metric: str) -> JudgedScores:
    return remembered(data.fingerprint, judged, create(metric), threads=1)


def _judged() -> list[tuple[Data, Judgements]]:
    return [(data, one) for data in DATA for one in data.judgements()]


def main(parts: Sequence[str]) -> None:
    made = {
        "ties": tie_table,
        "agreement": lambda: [*tables(METRICS, rival=DEFAULT, decimals=4), length_line()],
        "beam": beam_table,
    }
    lines = {name: make() for name, make in made.items() if not parts or name in parts}
    for part in lines.values():
        print("\n".join(part), flush=True)
    if parts:
        return
    files = ", ".join(f"{data.file} ({data.fingerprint})" for data in DATA)
    replace_section(
        "pbe-maps",
        [
            "## Which of several maps, and the paper's configuration",
            "",
            "**How often several maps have the greatest sum**",
            "",
            *lines["ties"],
            "",
            *lines["agreement"],
            "",
            "**Beam search instead, on nt21mqm zh-en**",
            "",
            *lines["beam"],
            "",
            f"In brackets 95 % intervals from {RESAMPLES} resamples of documents. ↑ and ↓: above or below "
            f"`{DEFAULT}` in the 95 % interval of the difference on the same resamples. Partial r holds the "
            "numbers of words of hypothesis and reference constant. Of texts with two references, both count "
            "in the first table, and the better one in the second.",
            "",
            *([REMARK, ""] if REMARK else []),
            f"metaphrase {__version__}; data: {files}.",
        ],
    )


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main(sys.argv[1:])
