"""Precision, recall and F of exact names with their types, on GUM's held-out documents and UNER test.

python -m training.entities.evaluate MODEL [--test]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from training.chunks.evaluate import score_table
from training.chunks.labelled_text import lower_cased, retagged
from training.entities.treebank import read_gum, read_uner

from metaphrase._core.labelling import Labeller


def report(model: Labeller, *, test: bool) -> str:
    """Tables of text as it is and in lower case, with our own tags."""
    if test:
        name, sentences = "UNER test", [s for document in read_uner("test") for s in document]
    else:
        name, sentences = "GUM held-out", read_gum(for_dev=True)
    texts = {name: retagged(sentences), f"{name}, lower-cased": lower_cased(sentences)}
    return score_table(model, texts)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--test", action="store_true", help="UNER test: once a released model")
    arguments = parser.parse_args()
    print(report(Labeller(arguments.model.read_bytes()), test=arguments.test))


if __name__ == "__main__":
    main()
