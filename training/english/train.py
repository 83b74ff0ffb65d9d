"""Trains the model that ships as src/metaphrase/models/english.bin.

METAPHRASE_DATA=... python -m training.english.train OUTPUT
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

import numpy as np
from training.english.evaluate import report
from training.english.treebank import TaggedSentence, training_sentences
from training.english.word_classes import read_classes

from metaphrase._core.analysis import EnglishAnalyser, train

#: What tuning on the dev sets came to; see the model's card.
OPTIONS = {
    "epochs": 8,
    "runs": 1,
    "seed": 1,
    "lower_share": 0.0,
    "title_share": 0.0,
    "join_share": 0.0,
    "min_updates": 3,
    "min_weight": 0.0,
    "min_label_count": 5,
    "min_ambiguity_count": 4,
}


def lemma_weight(sentence: TaggedSentence) -> int:
    """Where the treebanks disagree ("people": EWT people, GUM person), EWT's lemma stands."""
    return 1 if sentence.document.startswith("GUM_") else 10


def train_model(
    sentences: list[TaggedSentence],
    classes: tuple[list[str], np.ndarray, np.ndarray],
    **options: float,
) -> bytes:
    """The model's bytes; the same every time."""
    words, fine, coarse = classes
    return train(
        forms=[form for s in sentences for form in s.forms],
        lemmas=[lemma for s in sentences for lemma in s.lemmas],
        tags=[tag for s in sentences for tag in s.tags],
        upos=[tag for s in sentences for tag in s.upos],
        lemma_weights=np.array(
            [lemma_weight(s) for s in sentences for _ in s.forms], dtype=np.int32
        ),
        offsets=np.cumsum([0, *(len(s.forms) for s in sentences)], dtype=np.int64),
        class_words=words,
        fine=fine,
        coarse=coarse,
        **{**OPTIONS, **options},
    )


def write_atomically(path: Path, content: bytes) -> None:
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(content)
    os.replace(file.name, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument(
        "--classes", type=Path, required=True, help="written by training.english.word_classes"
    )
    arguments = parser.parse_args()
    model = train_model(training_sentences(), read_classes(arguments.classes))
    write_atomically(arguments.output, model)
    print(f"{len(model) / 1e6:.2f} MB")
    print(report(EnglishAnalyser(model), test=False))


if __name__ == "__main__":
    main()
