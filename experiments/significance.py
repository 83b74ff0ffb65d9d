"""How often paired tests call equal systems different, and how often they find a difference that is there.

``python -m experiments.significance [PAIRS]`` writes two tables into ``docs/significance.md``: of simulated
statistics, and, with METAPHRASE_DATA set, of real systems whose outputs are exchanged segment by segment with
probability 1/2, which makes them equal. The test that metaphrase makes stands beside two bootstraps: that of
Koehn (2004), two-sided as p = (#{|dᵦ − d| ≥ |d|} + 1) / (N + 1), and the studentised one, which divides both
differences by their standard errors, those of a resample from the influence of each segment.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np

from experiments.frame import Data, Floats, replace_section
from metaphrase import Corpus, score
from metaphrase.metrics import Metric, create
from metaphrase.statistics.resampling import approximate_randomisation

Pair = tuple[Floats, Floats]
Score = Callable[[Floats], Floats]
Draw = Callable[[np.random.Generator, int], Pair]
Test = Callable[[Pair, Score], float]

DOCS = Path(__file__).parents[1] / "docs"
SIZES = (5, 10, 20, 50, 100, 200)
LEVEL = 0.05
RESAMPLES = 500
DATA = Data("wmt21da.en.tsv.gz")
METRICS = ("bleu", "chrf", "ter", "tesla-m")


def mean(sums: Floats) -> Floats:
    return np.asarray(sums[..., 0] / sums[..., 1])


def _means(values: Floats) -> Pair:
    """Statistics of two systems' segment scores, of which a system's score is the mean."""
    first, second = (np.column_stack([column, np.ones_like(column)]) for column in values)
    return first, second


def normal(generator: np.random.Generator, size: int, lead: float = 0.0) -> Pair:
    values = generator.normal(70, 15, size) + generator.normal(0, 8, (2, size))
    values[1] += lead
    return _means(values)


def heavy(generator: np.random.Generator, size: int) -> Pair:
    """Differences without a variance."""
    return _means(generator.normal(70, 15, size) + 5 * generator.standard_t(2, (2, size)))


def passed(generator: np.random.Generator, size: int) -> Pair:
    return _means(generator.integers(0, 2, (2, size)).astype(float))


def skewed(generator: np.random.Generator, size: int) -> Pair:
    """Equal on average, but not alike: one system is mostly a little worse and sometimes much better."""
    values = generator.normal(70, 15, size) + np.zeros((2, 1))
    values[1] += 5 * (generator.exponential(1, size) - 1)
    return _means(values)


def counts(generator: np.random.Generator, size: int, lead: float = 0.0) -> Pair:
    """Statistics of BLEU: lengths, and of four orders the matches and the n-grams."""
    reference = np.maximum(4, generator.lognormal(3, 0.5, size).astype(int))
    rows = []
    for ahead in (0.0, lead):
        length = np.maximum(4, reference + generator.integers(-2, 3, size))
        quality = np.clip(generator.beta(4, 3, size) + ahead, 0, 1)
        matches, totals = [length], []
        for order in range(4):
            totals.append(length - order)
            share = quality if order == 0 else quality**0.8
            matches.append(generator.binomial(np.minimum(matches[-1], totals[-1]), share))
        rows.append(np.column_stack([length, reference, *matches[1:], *totals]).astype(float))
    return rows[0], rows[1]


def alike(draw: Draw) -> Draw:
    """Both systems give the same output to four segments of five."""

    def drawn(generator: np.random.Generator, size: int) -> Pair:
        first, second = draw(generator, size)
        same = generator.random(size) < 0.8
        second[same] = first[same]
        return first, second

    return drawn


BLEU = create("bleu").score
EQUAL: dict[str, tuple[Draw, Score]] = {
    "mean": (normal, mean),
    "mean, heavy tails": (heavy, mean),
    "mean, 80% of segments alike": (alike(normal), mean),
    "share of passed segments": (passed, mean),
    "BLEU": (counts, BLEU),
    "BLEU, 80% of segments alike": (alike(counts), BLEU),
    "mean, skewed (not exchangeable)": (skewed, mean),
}
APART: dict[str, tuple[Draw, Score]] = {
    "mean": (lambda generator, size: normal(generator, size, 4.0), mean),
    "mean, 80% of segments alike": (
        alike(lambda generator, size: normal(generator, size, 8.0)),
        mean,
    ),
    "BLEU": (lambda generator, size: counts(generator, size, 0.08), BLEU),
}


def randomisation(pair: Pair, score: Score) -> float:
    test = approximate_randomisation(pair, score, resamples=RESAMPLES, threads=1)[1].test
    assert test is not None
    return test.p_value


def bootstrap(pair: Pair, score: Score) -> float:
    observed, resampled, _ = _resampled(pair, score)
    return _p_value(np.abs(resampled - observed), abs(observed))


def studentised_bootstrap(pair: Pair, score: Score) -> float:
    observed, resampled, times = _resampled(pair, score)
    first, second = pair
    # The influence of a segment is what leaving it out takes from the difference.
    one, two = first.sum(axis=0) - first, second.sum(axis=0) - second
    influence = observed - np.nan_to_num(score(one) - score(two))
    influence -= influence.mean()
    error = np.sqrt(np.sum(influence**2))
    spread = times @ influence**2 - (times @ influence) ** 2 / len(first)
    errors = np.sqrt(np.maximum(spread, 0))
    errors[errors <= 1e-12 * abs(observed)] = 0
    with np.errstate(all="ignore"):
        differences = np.nan_to_num(np.abs(resampled - observed) / errors, nan=np.inf)
        statistic = abs(observed) / error
    return _p_value(differences, statistic) if observed else 1.0


def _resampled(pair: Pair, score: Score) -> tuple[float, Floats, Floats]:
    """The difference, those of resamples, and how often each of them has each segment."""
    times = _times(len(pair[0]))
    one, two = (score(times @ rows) for rows in pair)
    whole = score(np.stack([rows.sum(axis=0) for rows in pair]))
    return float(whole[0] - whole[1]), one - two, times


@cache
def _times(size: int) -> Floats:
    draws = np.random.default_rng(12345).multinomial(size, np.full(size, 1 / size), RESAMPLES)
    return draws.astype(float)


def _p_value(resampled: Floats, observed: float) -> float:
    return float((np.count_nonzero(resampled >= observed) + 1) / (len(resampled) + 1))


TESTS: dict[str, Test] = {
    "randomisation": randomisation,
    "bootstrap": bootstrap,
    "studentised bootstrap": studentised_bootstrap,
}


def rejections(draw: Draw, score: Score, size: int, pairs: int) -> list[float]:
    """The share of pairs that each test calls different."""
    generator = np.random.default_rng(size)
    found = np.zeros(len(TESTS))
    for _ in range(pairs):
        pair = draw(generator, size)
        found += [test(pair, score) < LEVEL for test in TESTS.values()]
    return [float(share) for share in found / pairs]


def table(kinds: dict[str, tuple[Draw, Score]], pairs: int) -> Iterator[str]:
    yield f"| statistics | test | {' | '.join(f'n = {size}' for size in SIZES)} |"
    yield f"| --- | --- |{' ---: |' * len(SIZES)}"
    for name, (draw, function) in kinds.items():
        shares = np.array([rejections(draw, function, size, pairs) for size in SIZES])
        for test, row in zip(TESTS, shares.T.tolist(), strict=True):
            cells = " | ".join(
                f"{share:.3f} ± {np.sqrt(share * (1 - share) / pairs):.3f}" for share in row
            )
            yield f"| {name} | {test} | {cells} |"
            print(f"{name:34} {test:22} {cells}", file=sys.stderr, flush=True)


def real(metrics: Sequence[str]) -> Iterator[tuple[str, Metric, list[Pair]]]:
    """Statistics of pairs of systems of each language pair on the segments that both translated."""
    for name in metrics:
        metric = create(name)
        found = []
        for judged in DATA.judgements():
            references = [text.references[0] for text in judged.texts]
            corpus = Corpus({"texts": [text.hypothesis for text in judged.texts]}, [references])
            scores = score(corpus, [metric], keep_statistics=True, check_language=False)
            rows = scores.systems[0].statistics[metric.label]
            for one, two in combinations(judged.text_of, 2):
                both = (one >= 0) & (two >= 0)
                if both.sum() >= max(SIZES):
                    found.append((rows[one[both]], rows[two[both]]))
        yield name, metric, found


def drawn_from(pairs: Sequence[Pair], *, exchanged: bool) -> Draw:
    """Random segments of a random pair of systems, exchanged with probability 1/2 if they shall be equal."""

    def drawn(generator: np.random.Generator, size: int) -> Pair:
        first, second = pairs[int(generator.integers(len(pairs)))]
        places = generator.choice(len(first), size, replace=False)
        one, two = first[places], second[places]
        stay = (generator.random(size) < 0.5)[:, None] | (not exchanged)
        return np.where(stay, one, two), np.where(stay, two, one)

    return drawn


def main(pairs: int) -> None:
    said = f"{pairs:,} pairs for each number of segments n, {RESAMPLES} resamples, ± one standard error."
    lines = [f"Equal systems, simulated: share with p < {LEVEL}.", "", *table(EQUAL, pairs), ""]
    lines += [f"Systems that differ: share with p < {LEVEL}.", "", *table(APART, pairs), "", said]
    replace_section("significance-simulated", lines, folder=DOCS)
    if "METAPHRASE_DATA" in os.environ:
        equal: dict[str, tuple[Draw, Score]] = {}
        apart: dict[str, tuple[Draw, Score]] = {}
        for name, metric, found in real(METRICS):
            equal[name] = drawn_from(found, exchanged=True), metric.score
            apart[name] = drawn_from(found, exchanged=False), metric.score
        lines = [f"Outputs exchanged at random: share with p < {LEVEL}.", "", *table(equal, pairs)]
        lines += ["", f"As they are: share with p < {LEVEL}.", "", *table(apart, pairs), ""]
        lines += [f"{said} Data: {DATA.file} ({DATA.fingerprint})."]
        replace_section("significance-real", lines, folder=DOCS)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
