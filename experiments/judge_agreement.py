"""How far judges of WMT 2015 agree, by our count and by the rules of the program that WMT 2016 published.

METAPHRASE_DATA=… python -m experiments.judge_agreement prints the table in docs/agreement.md. The rules are
those of scripts/compute_agreement_scores.py in cfedermann/wmt16, which needs Python 2 and CSV: an item is a
segment with two systems in the order of the row, names of systems with one text are one name, and all
judgements of an item are compared, whoever gave them.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

from experiments.frame import data_directory
from metaphrase.meta import Judgements, judge_agreement, read_judgements


def by_the_program_of_2016(judged: Judgements) -> tuple[float, int, int]:
    """κ "between judges", how many pairs of judgements it compares, and how many are of one judge."""
    labels: dict[tuple[int, str, str], list[tuple[str, int]]] = defaultdict(list)
    for ranking in judged.rankings:
        ranks: dict[int, int] = {}
        names: dict[int, list[str]] = defaultdict(list)
        for system, rank, item in zip(ranking.systems, ranking.ranks, ranking.items, strict=True):
            ranks[item] = rank
            names[item].append(judged.systems[system])
        for one, other in combinations(ranks, 2):
            key = ranking.segment, "+".join(names[one]), "+".join(names[other])
            order = (ranks[one] > ranks[other]) - (ranks[one] < ranks[other])
            labels[key].append((ranking.judge, order))
    everything = [order for given in labels.values() for _, order in given]
    ties = everything.count(0) / len(everything)
    expected = ties**2 + (1 - ties) ** 2 / 2
    compared = [pair for given in labels.values() for pair in combinations(given, 2)]
    observed = sum(one[1] == other[1] for one, other in compared) / len(compared)
    alone = sum(one[0] == other[0] for one, other in compared)
    return (observed - expected) / (1 - expected), len(compared), alone


def main() -> None:
    print("| pair | κ here | pairs | κ by the program | pairs | of one judge |")
    print("| --- | --- | --- | --- | --- | --- |")
    found = read_judgements(data_directory() / "judgements" / "wmt15.rank.jsonl.gz")
    for pair, judged in sorted(found.items()):
        ours, _ = judge_agreement(judged)
        kappa, compared, alone = by_the_program_of_2016(judged)
        print(
            f"| {pair} | {ours.kappa:.3f} | {ours.comparisons:,} | {kappa:.3f} | {compared:,} | {alone:,} |"
        )


if __name__ == "__main__":
    main()
