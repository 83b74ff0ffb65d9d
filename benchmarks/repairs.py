"""What explaining by repair takes beside scoring, with one thread: a hundred different translations of WMT.

``python -m benchmarks.repairs``. Each edit is undone in several orders, so that a metric scores a translation
many times; besides, both texts are parsed and aligned, whatever the metric.
"""

from __future__ import annotations

from benchmarks.interleave import Contestant, interleave, print_table
from benchmarks.real_text import read_different_pairs
from metaphrase import Metric, create

METRICS = ("accord", "cobalt", "chrf", "bleu")
SEGMENTS = 100


def main() -> None:
    pairs = read_different_pairs()[:SEGMENTS]
    hypotheses, references = (list(side) for side in zip(*pairs, strict=True))

    def contestants(metric: Metric) -> list[Contestant]:
        return [
            Contestant(
                f"{metric.name}, scores",
                lambda: metric.segment_scores(hypotheses, [references], threads=1),
                len(pairs),
            ),
            Contestant(
                f"{metric.name}, repairs",
                lambda: metric.repairs(hypotheses, references, threads=1),
                len(pairs),
            ),
        ]

    for name in METRICS:
        metric = create(name)
        found = metric.repairs(hypotheses, references, threads=1)
        edits = sum(len(segment.repairs) for segment in found) / len(found)
        print_table(
            f"{len(pairs)} pairs with {edits:.1f} edits each", interleave(contestants(metric))
        )


if __name__ == "__main__":
    main()
