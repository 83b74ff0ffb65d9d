"""Significance tests beside sacreBLEU's and a plain NumPy version of mt-metrics-eval's, in one run, one core.

``python -m benchmarks.significance``, with METAPHRASE_DATA set to the directory of the judgements.
"""

from __future__ import annotations

import csv
import gzip
import os
from pathlib import Path

import numpy as np
import sacrebleu.metrics
from numpy.typing import NDArray
from sacrebleu.significance import PairedTest

from benchmarks.interleave import Contestant, interleave, print_table
from benchmarks.real_text import COPIES, EXAMPLES
from metaphrase import Bleu, Corpus, score
from metaphrase.scoring import resample
from metaphrase.statistics.permutation import permutation_test
from metaphrase.statistics.resampling import sacrebleu_bootstrap

FloatArray = NDArray[np.float64]
RESAMPLES = 1000
SYSTEMS, SEGMENTS = 15, 1000


def main() -> None:
    bootstrap()
    permutation()


def bootstrap() -> None:
    """Paired bootstrap of BLEU, two systems: with counting n-grams, and counting and resampling apart."""
    corpus = read_two_systems()
    systems, references = corpus.systems, [list(texts) for texts in corpus.references]
    metric = Bleu()
    peer = sacrebleu.metrics.BLEU()

    def ours() -> object:
        return resample(
            score(corpus, [metric], keep_statistics=True), [metric], test="sacrebleu-bootstrap"
        )

    def sacrebleus() -> object:
        named = [(name, list(texts)) for name, texts in systems.items()]
        return PairedTest(named, {"BLEU": sacrebleu.metrics.BLEU()}, references, "bs", RESAMPLES)()

    def count() -> object:
        return score(corpus, [metric], keep_statistics=True)

    def count_by_sacrebleu() -> object:
        return [
            peer._extract_corpus_statistics(list(texts), references) for texts in systems.values()
        ]

    kept = [system.statistics["bleu"] for system in count().systems]
    single = [rows.astype(np.float32) for rows in kept]

    def resample_by_sacrebleu() -> object:
        """The loop of its paired test over statistics that are there."""
        draws = np.random.default_rng(12345).choice(
            len(single[0]), size=(RESAMPLES, len(single[0]))
        )
        return [
            [peer._compute_score_from_stats(rows.sum(0)).score for rows in system[draws]]
            for system in single
        ]

    size = f"{len(corpus):,} segments, {RESAMPLES:,} resamples"
    for title, contestants in (
        (
            f"paired bootstrap of BLEU from text, {size}",
            [Contestant("metaphrase", ours), Contestant("sacreBLEU PairedTest", sacrebleus)],
        ),
        (
            "of that, counting n-grams",
            [Contestant("metaphrase", count), Contestant("sacreBLEU", count_by_sacrebleu)],
        ),
        (
            "of that, resampling",
            [
                Contestant("metaphrase", lambda: sacrebleu_bootstrap(kept, metric.score)),
                Contestant("sacreBLEU's loop", resample_by_sacrebleu),
            ],
        ),
    ):
        print_table(title, interleave(contestants, rounds=5))


def permutation() -> None:
    """PERM-BOTH on pairwise accuracy, grouped by segment; the time of one resample."""
    metric, rival, human = made_up_scores()
    few = 4
    for epsilon in (0.0, 0.1):
        options = {"agreement": "accuracy", "group_by": "segment", "epsilon": epsilon}
        ours = permutation_test(metric, rival, human, **options, resamples=RESAMPLES)
        # Both see the same scores, so the observed difference must be the same number.
        assert abs(ours.difference - plain_permutation(metric, rival, human, 1, epsilon)[1]) < 1e-12
        contestants = [
            Contestant(
                "metaphrase",
                lambda options=options: permutation_test(
                    metric, rival, human, **options, resamples=RESAMPLES
                ),
                RESAMPLES,
            ),
            Contestant(
                "NumPy, after mt-metrics-eval",
                lambda epsilon=epsilon: plain_permutation(metric, rival, human, few, epsilon),
                few,
            ),
        ]
        title = f"PERM-BOTH, accuracy, ε = {epsilon}, {SYSTEMS} systems × {SEGMENTS:,} segments"
        print_table(f"{title}; an item is a resample", interleave(contestants, rounds=3))
    options = {"agreement": "accuracy", "group_by": "segment", "epsilon": "calibrated"}
    ours = permutation_test(metric, rival, human, **options, resamples=1)
    assert abs(ours.difference - plain_permutation(metric, rival, human, 1, None)[1]) < 1e-12
    contestants = [
        Contestant(
            "metaphrase",
            lambda: permutation_test(metric, rival, human, **options, resamples=RESAMPLES),
            RESAMPLES,
        ),
        Contestant(
            "NumPy, sorting differences",
            lambda: plain_permutation(metric, rival, human, few, None),
            few,
        ),
    ]
    print_table(
        "PERM-BOTH, accuracy, ε calibrated in each resample", interleave(contestants, rounds=3)
    )


def plain_permutation(
    metric: FloatArray, rival: FloatArray, human: FloatArray, resamples: int, epsilon: float | None
) -> tuple[float, float]:
    """mt-metrics-eval's procedure: the p-value, and the observed difference; without ε it is calibrated."""
    first, second = (scores.T.ravel() for scores in (metric, rival))
    first, second = (first - first.mean()) / first.std(), (second - second.mean()) / second.std()
    people = [differences(column) for column in human.T]

    def agreement(scores: FloatArray) -> float:
        columns = scores.reshape(human.T.shape)
        if epsilon is None:
            return calibrated(columns, human.T)
        return float(
            np.mean([accuracy(c, p, epsilon) for c, p in zip(columns, people, strict=True)])
        )

    observed = agreement(first) - agreement(second)
    generator = np.random.default_rng(12345)
    count = 0
    for _ in range(resamples):
        stay = generator.integers(2, size=len(first))
        one = stay * first + (1 - stay) * second
        two = (1 - stay) * first + stay * second
        count += agreement(one) - agreement(two) >= observed
    return count / resamples, observed


def differences(scores: FloatArray) -> FloatArray:
    """All against all, as mt-metrics-eval's matrices have them."""
    return scores[None, :] - scores[:, None]


def accuracy(scores: FloatArray, people: FloatArray, epsilon: float) -> float:
    """acc_eq of one segment: pairs ordered alike, or tied by both."""
    size = len(scores)
    mine = differences(scores)
    tied, tied_by_people = np.abs(mine) <= epsilon, people == 0
    mine[tied] = 0.0
    concordant = ((mine > 0) & (people > 0) | (mine < 0) & (people < 0)).sum() / 2
    both = ((tied & tied_by_people).sum() - size) / 2
    return (concordant + both) / (size * (size - 1) / 2)


def calibrated(scores: FloatArray, human: FloatArray) -> float:
    """The best mean accuracy of any ε: pairs become ties in the order of their differences."""
    one, two = np.triu_indices(scores.shape[1], 1)
    mine, people = scores[:, one] - scores[:, two], human[:, one] - human[:, two]
    right = np.sign(mine) == np.sign(people)
    gain = np.where(people == 0, ~right * 1, np.where(right, -1, 0)).ravel()
    size = np.abs(mine).ravel()
    order = np.argsort(size)
    sums = right.sum() + np.cumsum(gain[order])
    last = np.append(np.diff(size[order]) > 0, True)
    return float(max(right.sum(), sums[last].max()) / right.size)


def made_up_scores() -> tuple[FloatArray, FloatArray, FloatArray]:
    """Two metrics of about the same merit, and people who tie often, as MQM does."""
    generator = np.random.default_rng(0)
    quality = generator.normal(size=(SYSTEMS, 1)) + 2 * generator.normal(size=(SYSTEMS, SEGMENTS))
    human = np.minimum(np.round(quality), 0.0)
    metric, rival = (quality + generator.normal(size=quality.shape) for _ in range(2))
    return metric, rival, human


def read_two_systems() -> Corpus:
    """The first two systems of WMT21's news test set zh-en if METAPHRASE_DATA is set."""
    directory = os.environ.get("METAPHRASE_DATA")
    if directory is None:
        print("METAPHRASE_DATA is not set: measuring on the bundled examples, which are few.")
        a, b, reference = (
            (EXAMPLES / name).read_text().splitlines() * COPIES
            for name in ("system-a.txt", "system-b.txt", "reference.txt")
        )
        return Corpus({"a": a, "b": b}, [reference])
    path = Path(directory) / "judgements" / "nt21mqm.en.tsv.gz"
    systems: dict[str, list[str]] = {}
    references: dict[str, list[str]] = {}
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            systems.setdefault(row["system"], []).append(row["hypothesis"])
            references.setdefault(row["system"], []).append(row["references"].split(" ||| ")[0])
    first, second = list(systems)[:2]
    assert references[first] == references[second]
    return Corpus({first: systems[first], second: systems[second]}, [references[first]])


if __name__ == "__main__":
    main()
