"""How fast n-gram bags are matched, against general solvers for the same linear programs.

The general solvers (highspy, POT, SciPy) are given arrays that were built beforehand, and solve the
three programs of s_ms only; the kernel does all six features from token ids. Run it as
``python -m benchmarks.transport`` with METAPHRASE_DATA set to the directory of the judgements.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import highspy
import numpy as np
import ot
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csc_array

from benchmarks.interleave import Contestant, interleave, print_table
from benchmarks.real_text import read_pairs
from metaphrase import TeslaM, analysis
from metaphrase.matching import NgramBags, TransportProblems, ngram_bags, transport_batch
from metaphrase.metrics.tesla_m.bags import TaggedWords

#: The general solvers get this many pairs; the kernel gets all of them.
SAMPLE = 120


def annotate(texts: Sequence[str]) -> TaggedWords:
    """The words that TESLA-M counts, with their WordNet synonyms."""
    return TeslaM().words(analysis.load("en").analyse(texts, ["lemma", "tag"]))


def sentence(text: TaggedWords, row: int) -> slice:
    return slice(text.offsets[row], text.offsets[row + 1])


def match(
    text: TaggedWords, hypotheses: NDArray[np.int64], references: NDArray[np.int64]
) -> NgramBags:
    return ngram_bags(
        text.offsets,
        text.lemma,
        text.tag,
        function=text.function,
        synonymy=text.synonymy,
        hypothesis_rows=hypotheses,
        reference_rows=references,
    )


Problem = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


def programs(text: TaggedWords, hypothesis: int, reference: int) -> list[Problem]:
    """The s_ms problems of one pair for n = 1, 2, 3: similarities, supply, demand."""
    x, y = sentence(text, reference), sentence(text, hypothesis)
    synonyms = [
        set(
            text.synonymy.synonyms[text.synonymy.offsets[i] : text.synonymy.offsets[i + 1]].tolist()
        )
        for i in text.lemma[x]
    ]
    same_lemma = np.equal.outer(text.lemma[x], text.lemma[y])
    same_tag = np.equal.outer(text.tag[x], text.tag[y])
    related = np.array([[j in near for j in text.lemma[y].tolist()] for near in synonyms])
    related = related.reshape(same_tag.shape)
    token = np.where(same_lemma, 1.0, (related.astype(float) + same_tag) / 2)
    weights = [np.where(text.function[text.tag[side]], 0.1, 1.0) for side in (x, y)]
    problems = []
    for n in (1, 2, 3):
        rows, columns = (max(0, len(weight) - n + 1) for weight in weights)
        stack = np.stack([token[d : d + rows, d : d + columns] for d in range(n)])
        similarity = np.where((stack > 0).all(axis=0), stack.mean(axis=0), 0.0)
        supply, demand = (
            np.prod([weight[d : d + size] for d in range(n)], axis=0)
            for weight, size in zip(weights, (rows, columns), strict=True)
        )
        problems.append((similarity, supply, demand))
    return [problem for problem in problems if problem[0].any()]


def constraints(similarity: NDArray[np.float64]) -> tuple[csc_array, NDArray[np.float64]]:
    """The matrix of row and column sums over similar pairs, and the similarities."""
    rows, columns = np.nonzero(similarity)
    count = np.arange(len(rows))
    entries = np.concatenate([rows, similarity.shape[0] + columns])
    matrix = csc_array(
        (np.ones(2 * len(rows)), (entries, np.concatenate([count, count]))),
        shape=(sum(similarity.shape), len(rows)),
    )
    return matrix, similarity[rows, columns]


def highs_models(problems: Sequence[Problem]) -> list[highspy.HighsLp]:
    models = []
    for similarity, supply, demand in problems:
        matrix, values = constraints(similarity)
        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = matrix.shape[1], matrix.shape[0]
        model.col_cost_ = -values
        model.col_lower_ = np.zeros(len(values))
        model.col_upper_ = np.full(len(values), highspy.kHighsInf)
        model.row_lower_ = np.full(matrix.shape[0], -highspy.kHighsInf)
        model.row_upper_ = np.concatenate([supply, demand])
        model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        model.a_matrix_.start_ = matrix.indptr
        model.a_matrix_.index_ = matrix.indices
        model.a_matrix_.value_ = matrix.data
        models.append(model)
    return models


def run_highs(solver: highspy.Highs, models: Sequence[highspy.HighsLp]) -> float:
    total = 0.0
    for model in models:
        solver.passModel(model)
        solver.run()
        total -= solver.getInfo().objective_function_value
    return total


def balanced(problem: Problem) -> Problem:
    """With a row and a column that take what stays unmatched, as a solver for equalities needs."""
    similarity, supply, demand = problem
    costs = np.zeros((len(supply) + 1, len(demand) + 1))
    costs[:-1, :-1] = -similarity
    return costs, np.append(supply, demand.sum()), np.append(demand, supply.sum())


def compare(
    text: TaggedWords, hypotheses: NDArray[np.int64], references: NDArray[np.int64]
) -> None:
    chosen = np.linspace(0, len(hypotheses) - 1, SAMPLE).astype(int)
    problems = [problem for p in chosen for problem in programs(text, hypotheses[p], references[p])]
    packed = TransportProblems.pack(problems)
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("presolve", "off")
    models = highs_models(problems)
    costs = [balanced(problem) for problem in problems]
    prepared = [(*constraints(s), np.concatenate([a, b])) for s, a, b in problems]

    total = transport_batch(packed).values.sum()
    sample = match(text, hypotheses[chosen], references[chosen])
    rivals = {
        "kernel": sample.matched.sum(),
        "highspy": run_highs(solver, models),
        "POT": -sum((ot.emd(a, b, m) * m).sum() for m, a, b in costs),
    }
    for name, value in rivals.items():
        print(f"{name}: total optimum differs from the general solver's by {value - total:.1e}")
    contestants = [
        Contestant(
            "n-gram kernel, all six", lambda: match(text, hypotheses, references), len(hypotheses)
        ),
        Contestant("transport_batch, prebuilt", lambda: transport_batch(packed), SAMPLE),
        Contestant("POT ot.emd", lambda: [ot.emd(a, b, m) for m, a, b in costs], SAMPLE),
        Contestant("highspy, no presolve, reused", lambda: run_highs(solver, models), SAMPLE),
        Contestant(
            "scipy linprog, sparse",
            lambda: [linprog(-s, A_ub=m, b_ub=w, method="highs") for m, s, w in prepared],
            SAMPLE,
        ),
    ]
    lengths = np.diff(text.offsets)[np.concatenate([hypotheses, references])]
    title = f"{len(hypotheses):,} pairs of 10 to 60 tokens (mean {lengths.mean():.0f}), per pair"
    print_table(title, interleave(contestants, rounds=5))


def joined(text: TaggedWords, length: int) -> TaggedWords:
    """Consecutive pairs joined until both sides have ``length`` tokens, then cut to it."""
    ids = np.arange(len(text.lemma))
    sides: list[list[NDArray[np.int64]]] = [[], []]
    sentences, pieces = [], [0, 0]
    for row in itertools.cycle(range(0, len(text.offsets) - 1, 2)):
        for side in (0, 1):
            sides[side].append(ids[sentence(text, row + side)])
            pieces[side] += len(sides[side][-1])
        if min(pieces) < length:
            continue
        sentences += [np.concatenate(side)[:length] for side in sides]
        if len(sentences) * length > 50_000:
            break
        sides, pieces = [[], []], [0, 0]
    order = np.concatenate(sentences)
    return replace(
        text,
        offsets=np.arange(len(sentences) + 1, dtype=np.int64) * length,
        token=text.token[order],
        lemma=text.lemma[order],
        sense=text.sense[order],
        tag=text.tag[order],
    )


def curve(text: TaggedWords) -> None:
    contestants = []
    for length in (10, 20, 40, 60, 100, 200, 400, 600, 1_000, 10_000, 100_000, 200_000):
        longer = joined(text, length)
        rows = np.arange(0, len(longer.offsets) - 1, 2)
        run = partial(match, longer, rows, rows + 1)
        contestants.append(Contestant(f"{length:,} tokens", run, len(rows)))
    print_table("One pair by the length of both sides", interleave(contestants, rounds=3))


def main() -> None:
    pairs = read_pairs()
    text = annotate([text for pair in pairs for text in pair])
    lengths = np.diff(text.offsets).reshape(-1, 2)
    usable = np.flatnonzero((lengths.min(axis=1) >= 10) & (lengths.max(axis=1) <= 60))
    compare(text, 2 * usable, 2 * usable + 1)
    curve(text)


if __name__ == "__main__":
    main()
