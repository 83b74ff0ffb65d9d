"""Precision, recall and F of exact chunks, as conlleval counts them.

python -m training.chunks.evaluate MODEL [--test]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from training.chunks.labelled_text import (
    LabelledSentence,
    label,
    lower_cased,
    retagged,
    retokenised,
    span_scores,
)
from training.chunks.treebank import read, split_dev

from metaphrase._core.labelling import Labeller


def score_table(model: Labeller, texts: dict[str, list[LabelledSentence]]) -> str:
    """A Markdown table of per cents for each text."""
    lines = []
    for name, sentences in texts.items():
        found = label(model, sentences)
        pairs = [
            p
            for s, row in zip(sentences, found, strict=True)
            for p in zip(s.labels, row, strict=True)
        ]
        accuracy = 100 * sum(a == b for a, b in pairs) / len(pairs)
        lines += [
            f"\n{name}: {accuracy:.2f} % of the labels\n",
            "| type | precision | recall | F |",
        ]
        lines.append("| --- | ---: | ---: | ---: |")
        for kind, cells in span_scores([s.labels for s in sentences], found).items():
            lines.append(f"| {kind} | " + " | ".join(f"{cell:.2f}" for cell in cells) + " |")
    return "\n".join(lines)


def report(model: Labeller, *, test: bool) -> str:
    """On the dev part, or the test part: our tags, the file's, our tokens, no capitals."""
    sentences = read("test") if test else split_dev(read("train"))[1]
    return score_table(
        model,
        {
            "our tags": retagged(sentences),
            "tags of the file": sentences,
            "our tokens and tags, sentences that differ": retokenised(sentences),
            "lower-cased, our tags": lower_cased(sentences),
        },
    )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--test", action="store_true", help="the test part: once a released model")
    arguments = parser.parse_args()
    print(report(Labeller(arguments.model.read_bytes()), test=arguments.test))


if __name__ == "__main__":
    main()
