"""Trains the model that ships as english-chunks.bin of packages/metaphrase-analysers.

    METAPHRASE_DATA=... python -m training.chunks.train LEXICON OUTPUT [--tuning]

LEXICON is what ``training.english.raw_text`` writes.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from metaphrase_training import train_labeller
from training.chunks.evaluate import report
from training.chunks.labelled_text import LabelledSentence, lower_cased, retagged, retokenised
from training.chunks.treebank import read, split_dev
from training.english.raw_text import RawTextLexicon, read_lexicon

from metaphrase._core.labelling import Labeller
from metaphrase.corpus.writing import atomic_writer

#: What tuning on the end of the training part came to; see the model's card.
OPTIONS: dict[str, float] = {
    "epochs": 8,
    "seed": 1,
    "rate": 0.1,
    "shrinkage": 0.0,
    "min_count": 2,
    "least_weight": 0.0875,
}
#: Of so many sentences one is read in lower case too.
LOWER_CASED = 10


def train_model(
    task: str,
    sentences: list[LabelledSentence],
    lexicon: RawTextLexicon,
    usage: Mapping[str, int],
    *,
    runs: bool,
    **options: float,
) -> bytes:
    """The model's bytes, the same every time; ``usage`` says what is known of lower-cased words."""
    capitals = dict(zip(lexicon.case_words, lexicon.capitals.tolist(), strict=True))
    words = sorted({*capitals, *usage})
    return train_labeller(
        task=task,
        runs=runs,
        forms=[form for s in sentences for form in s.forms],
        tags=[tag for s in sentences for tag in s.tags],
        labels=[label for s in sentences for label in s.labels],
        offsets=np.cumsum([0, *(len(s.forms) for s in sentences)], dtype=np.int64),
        class_words=lexicon.words,
        fine=lexicon.fine,
        coarse=lexicon.coarse,
        usage_words=words,
        usage=np.array([usage.get(word, 0) for word in words], dtype=np.int32),
        capitals=np.array([capitals.get(word, 0) for word in words], dtype=np.int32),
        **options,
    )


def training_text(*, tuning: bool) -> list[LabelledSentence]:
    """With our own tags: all of it, or without the part that tuning judges by.

    Each sentence as the treebank cuts it and as our tokeniser does, which is what a chunker meets.
    """
    sentences = read("train")
    if tuning:
        sentences, _ = split_dev(sentences)
    copies = retokenised(sentences)
    lower = lower_cased([*sentences[::LOWER_CASED], *copies[::LOWER_CASED]])
    return [*retagged(sentences), *copies, *lower]


def main() -> None:
    """Train, write, and judge on the dev part if it did not train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lexicon", type=Path, help="written by training.english.raw_text")
    parser.add_argument("output", type=Path)
    parser.add_argument("--tuning", action="store_true", help="leave the dev part out, judge by it")
    arguments = parser.parse_args()
    sentences = training_text(tuning=arguments.tuning)
    lexicon = read_lexicon(arguments.lexicon)
    model = train_model("chunk", sentences, lexicon, {}, runs=False, **OPTIONS)
    with atomic_writer(arguments.output) as file:
        file.write(model)
    print(f"{len(model) / 1e6:.2f} MB")
    if arguments.tuning:
        print(report(Labeller(model), test=False))


if __name__ == "__main__":
    main()
