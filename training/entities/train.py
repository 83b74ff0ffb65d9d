"""Trains the model that ships as src/metaphrase/models/english-entities.bin.

    METAPHRASE_DATA=... python -m training.entities.train LEXICON WORDNET OUTPUT [--tuning]

LEXICON is what ``training.english.raw_text`` writes, WORDNET the folder with WordNet's ``data.noun``
(``training/build_wordnet.py`` says where it comes from).
"""

from __future__ import annotations

import argparse
from pathlib import Path

from training.chunks.evaluate import score_table
from training.chunks.labelled_text import LabelledSentence, lower_cased, retagged
from training.chunks.train import train_model
from training.english.raw_text import RawTextLexicon, read_lexicon
from training.entities.gazetteer import read_gazetteer, read_instances
from training.entities.renaming import renamed
from training.entities.treebank import read_gum, read_uner

from metaphrase._core.labelling import Labeller
from metaphrase.corpus.writing import atomic_writer

#: What cross-validation on UNER's dev part came to; see the model's card.
OPTIONS: dict[str, float] = {
    "epochs": 4,
    "seed": 1,
    "rate": 0.05,
    "shrinkage": 0.0,
    "min_count": 2,
    "least_weight": 0.02,
}
#: Of so many sentences of GUM one is read in lower case too.
LOWER_CASED = 10
#: Parts of the dev set, by document, for cross-validation.
FOLDS = 3


def train_entities(
    gum: list[LabelledSentence],
    uner: list[LabelledSentence],
    lexicon: RawTextLexicon,
    wordnet: Path,
) -> bytes:
    """The model's bytes, the same every time; ``gum`` with its tags, ``uner`` without."""
    originals = [*gum, *retagged(uner)]
    copies = retagged(renamed(originals, read_instances(wordnet)))
    sentences = [*originals, *lower_cased(gum[::LOWER_CASED]), *copies]
    gazetteer = read_gazetteer(wordnet)
    return train_model("entity", sentences, lexicon, gazetteer, runs=True, **OPTIONS)


def cross_validate(lexicon: RawTextLexicon, wordnet: Path) -> str:
    """Scores on each part of UNER's dev set by a model that the others trained."""
    documents = read_uner("dev")
    gum = retagged(read_gum())
    tables = []
    for fold in range(FOLDS):
        rest = [s for i, d in enumerate(documents) if i % FOLDS != fold for s in d]
        part = [s for i, d in enumerate(documents) if i % FOLDS == fold for s in d]
        model = Labeller(train_entities(gum, rest, lexicon, wordnet))
        texts = {"as it is": retagged(part), "lower-cased": lower_cased(part)}
        tables.append(f"Part {fold + 1}\n" + score_table(model, texts))
    return "\n\n".join(tables)


def main() -> None:
    """Train and write, or judge by cross-validation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lexicon", type=Path, help="written by training.english.raw_text")
    parser.add_argument("wordnet", type=Path, help="folder with data.noun of WordNet 3.0")
    parser.add_argument("output", type=Path)
    parser.add_argument("--tuning", action="store_true", help="only cross-validate")
    arguments = parser.parse_args()
    lexicon = read_lexicon(arguments.lexicon)
    if arguments.tuning:
        print(cross_validate(lexicon, arguments.wordnet))
        return
    uner = [sentence for document in read_uner("dev") for sentence in document]
    model = train_entities(retagged(read_gum()), uner, lexicon, arguments.wordnet)
    with atomic_writer(arguments.output) as file:
        file.write(model)
    print(f"{len(model) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
