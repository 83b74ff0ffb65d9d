"""Trains the model that ships as english.bin of packages/metaphrase-analysers, in about a minute.

METAPHRASE_DATA=... python -m training.english.train LEXICON OUTPUT
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from metaphrase_training import train_analyser
from training.english.evaluate import report
from training.english.raw_text import RawTextLexicon, read_lexicon
from training.english.treebank import TaggedSentence, training_sentences

from metaphrase._core.analysis import TextAnalyser

#: What tuning on the dev sets came to; see the model's card.
OPTIONS: dict[str, float] = {
    "epochs": 8,
    "seed": 1,
    "rate": 0.07,
    "lower_share": 0.05,
    "title_share": 0.03,
    "join_share": 0.1,
    "rare_share": 0.3,
    "min_updates": 3,
    "min_label_count": 5,
    "min_ambiguity_count": 4,
}


def lemma_weight(sentence: TaggedSentence) -> int:
    """Where the treebanks disagree ("people": EWT people, GUM person), EWT's lemma stands."""
    return 1 if sentence.document.startswith("GUM_") else 10


def irregular_forms() -> list[tuple[str, str, str]]:
    """Tag, form and lemma of words that the treebanks may never show."""
    lines = Path(__file__).with_name("irregular.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return [(tag, form, lemma) for tag, form, lemma in rows]


def train_model(
    sentences: list[TaggedSentence], lexicon: RawTextLexicon, **options: float
) -> bytes:
    """The model's bytes, the same every time."""
    irregular = irregular_forms()
    weights = [lemma_weight(s) for s in sentences for _ in s.forms]
    return train_analyser(
        forms=[form for s in sentences for form in s.forms],
        lemmas=[lemma for s in sentences for lemma in s.lemmas],
        tags=[tag for s in sentences for tag in s.tags],
        upos=[tag for s in sentences for tag in s.upos],
        lemma_weights=np.array(weights, dtype=np.int32),
        offsets=np.cumsum([0, *(len(s.forms) for s in sentences)], dtype=np.int64),
        class_words=lexicon.words,
        fine=lexicon.fine,
        coarse=lexicon.coarse,
        case_words=lexicon.case_words,
        capitals=lexicon.capitals,
        known_tags=[tag for tag, _, _ in irregular],
        known_forms=[form for _, form, _ in irregular],
        known_lemmas=[lemma for _, _, lemma in irregular],
        **{**OPTIONS, **options},
    )


def write_atomically(path: Path, content: bytes) -> None:
    """Nobody ever sees half a file."""
    part = path.with_name(path.name + ".part")
    part.write_bytes(content)
    part.replace(path)


def main() -> None:
    """Train, write, and judge on the dev sets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lexicon", type=Path, help="written by training.english.raw_text")
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    model = train_model(training_sentences(), read_lexicon(arguments.lexicon))
    write_atomically(arguments.output, model)
    print(f"{len(model) / 1e6:.2f} MB")
    print(report(TextAnalyser(model), test=False))


if __name__ == "__main__":
    main()
