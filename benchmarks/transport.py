"""How fast n-gram bags are matched, against general solvers for the same linear programs.

The general solvers (highspy, POT, SciPy) are given arrays that were built beforehand, and solve the
three programs of s_ms only; the kernel does all six features from token ids. Run it as
``python -m benchmarks.transport`` with METAPHRASE_DATA set to the directory of the judgements.
"""

from __future__ import annotations

import csv
import gzip
import itertools
import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import highspy
import numpy as np
import ot
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csc_array

from benchmarks.interleave import Contestant, interleave, print_table
from metaphrase.matching import NgramBags, Synonymy, TransportProblems, ngram_bags, transport_batch

FUNCTION_TAGS = frozenset(
    [
        "CC",
        "DT",
        "EX",
        "IN",
        "MD",
        "PDT",
        "POS",
        "PRP",
        "PRP$",
        "RP",
        "TO",
        "UH",
        "WDT",
        "WP",
        "WP$",
        "WRB",
    ]
)
#: The general solvers get this many pairs; the kernel gets all of them.
SAMPLE = 120


@dataclass(frozen=True)
class Annotated:
    """Sentences in packed columns of ids."""

    offsets: NDArray[np.int64]
    lemma: NDArray[np.int32]
    tag: NDArray[np.int32]
    function: NDArray[np.uint8]
    synonymy: Synonymy

    def sentence(self, row: int) -> slice:
        return slice(self.offsets[row], self.offsets[row + 1])


def data_directory() -> Path:
    directory = os.environ.get("METAPHRASE_DATA")
    if directory is None:
        sys.exit("Set METAPHRASE_DATA to the directory that holds judgements/ and treebanks/.")
    return Path(directory)


def read_pairs() -> list[tuple[str, str]]:
    """Hypothesis and first reference of each judged segment."""
    path = data_directory() / "judgements" / "daseg16.en.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [(row["hypothesis"], row["references"].split(" ||| ")[0]) for row in rows]


def annotate(texts: Sequence[str]) -> Annotated:
    """Each word's most frequent tag in a treebank, the word as its lemma, made-up synonyms.

    The amount of work is what matters here: about as many tags agree and as many words have
    synonyms as in analysed text.
    """
    frequencies: dict[str, Counter[str]] = defaultdict(Counter)
    path = data_directory() / "treebanks" / "en_ewt-train.conllu.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            cells = line.split("\t")
            if len(cells) == 10:
                frequencies[cells[1].lower()][cells[4]] += 1
    best = {word: tags.most_common(1)[0][0] for word, tags in frequencies.items()}
    words: dict[str, int] = {}
    tags: dict[str, int] = {}
    lemma, tag, offsets = [], [], [0]
    for text in texts:
        for word in re.findall(r"\w+(?:[-'.]\w+)*|'s|n't", text.lower()):
            lemma.append(words.setdefault(word, len(words)))
            tag.append(tags.setdefault(best.get(word, "NN"), len(tags)))
        offsets.append(len(lemma))
    random = np.random.default_rng(2010)
    synonyms = random.integers(0, len(words), (3 * len(words), 2)).tolist()
    return Annotated(
        np.array(offsets, dtype=np.int64),
        np.array(lemma, dtype=np.int32),
        np.array(tag, dtype=np.int32),
        np.array([name in FUNCTION_TAGS for name in tags], dtype=np.uint8),
        Synonymy.from_pairs(map(tuple, synonyms), senses=len(words)),
    )


def match(
    text: Annotated, hypotheses: NDArray[np.int64], references: NDArray[np.int64]
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


def programs(text: Annotated, hypothesis: int, reference: int) -> list[Problem]:
    """The s_ms problems of one pair for n = 1, 2, 3: similarities, supply, demand."""
    x, y = text.sentence(reference), text.sentence(hypothesis)
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


def compare(text: Annotated, hypotheses: NDArray[np.int64], references: NDArray[np.int64]) -> None:
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


def joined(text: Annotated, length: int) -> Annotated:
    """Consecutive pairs joined until both sides have ``length`` tokens, then cut to it."""
    ids = np.arange(len(text.lemma))
    sides: list[list[NDArray[np.int64]]] = [[], []]
    sentences, pieces = [], [0, 0]
    for row in itertools.cycle(range(0, len(text.offsets) - 1, 2)):
        for side in (0, 1):
            sides[side].append(ids[text.sentence(row + side)])
            pieces[side] += len(sides[side][-1])
        if min(pieces) < length:
            continue
        sentences += [np.concatenate(side)[:length] for side in sides]
        if len(sentences) * length > 50_000:
            break
        sides, pieces = [[], []], [0, 0]
    order = np.concatenate(sentences)
    return Annotated(
        np.arange(len(sentences) + 1, dtype=np.int64) * length,
        text.lemma[order],
        text.tag[order],
        text.function,
        text.synonymy,
    )


def curve(text: Annotated) -> None:
    contestants = []
    for length in (10, 20, 40, 60, 100, 200, 400, 600, 1_000, 10_000, 100_000, 200_000):
        longer = joined(text, length)
        rows = np.arange(0, len(longer.offsets) - 1, 2)
        run = partial(match, longer, rows, rows + 1)
        contestants.append(Contestant(f"{length:,} tokens", run, len(rows)))
    print_table("One pair by the length of both sides", interleave(contestants, rounds=3))


def main() -> None:
    pairs = read_pairs()
    text = annotate([sentence for pair in pairs for sentence in pair])
    lengths = np.diff(text.offsets).reshape(-1, 2)
    usable = np.flatnonzero((lengths.min(axis=1) >= 10) & (lengths.max(axis=1) <= 60))
    compare(text, 2 * usable, 2 * usable + 1)
    curve(text)


if __name__ == "__main__":
    main()
