"""Trains the model that ships as english-entities.bin of packages/metaphrase-analysers.

    METAPHRASE_DATA=... python -m training.entities.train LEXICON WORDNET LISTS OUTPUT [--tuning]

LEXICON is what ``training.english.raw_text`` writes, WORDNET the folder with WordNet's ``data.noun``
(``training/build_wordnet.py`` says where it comes from), LISTS what ``training.entities.name_lists``
describes.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from training.chunks.labelled_text import (
    LabelledSentence,
    label,
    lower_cased,
    retagged,
    span_scores,
)
from training.chunks.train import train_model
from training.english.raw_text import RawTextLexicon, read_lexicon
from training.entities.gazetteer import read_gazetteer, read_instances
from training.entities.name_lists import read_name_lists
from training.entities.renaming import names_of, renamed
from training.entities.treebank import read_gum, read_uner

from metaphrase._core.labelling import Labeller
from metaphrase.corpus.writing import atomic_writer

#: What cross-validation on UNER's dev part came to; see the model's card.
OPTIONS: dict[str, float] = {
    "epochs": 3,
    "seed": 1,
    "rate": 0.05,
    "shrinkage": 0.0,
    "min_count": 2,
    "least_weight": 0.02,
    "rounds": 3,
}
#: Of so many sentences of GUM one is read in lower case too.
LOWER_CASED = 10
#: Parts of the dev set, by document, for cross-validation.
FOLDS = 10
#: How often UNER's sentences train, each time with another renamed copy; GUM is five times as long.
UNER_WEIGHT = 3


@dataclass(frozen=True)
class Knowledge:
    """What is known of words and names apart from labelled text."""

    lexicon: RawTextLexicon
    gazetteer: dict[str, int]
    instances: dict[str, list[list[str]]]


def read_knowledge(lexicon: Path, wordnet: Path, lists: Path) -> Knowledge:
    """From the three places that the command line names."""
    gazetteer = read_gazetteer(wordnet, read_name_lists(lists))
    return Knowledge(read_lexicon(lexicon), gazetteer, read_instances(wordnet))


def train_entities(
    gum: list[LabelledSentence], uner: list[LabelledSentence], knowledge: Knowledge
) -> bytes:
    """The model's bytes, the same every time; ``gum`` with its tags, ``uner`` without."""
    names = names_of([*gum, *uner])
    copies = renamed(gum, names, knowledge.instances, seed=0)
    for seed in range(1, UNER_WEIGHT + 1):
        copies += renamed(uner, names, knowledge.instances, seed=seed)
    sentences = [
        *gum,
        *lower_cased(gum[::LOWER_CASED]),
        *retagged(uner) * UNER_WEIGHT,
        *retagged(copies),
    ]
    return train_model(
        "entity", sentences, knowledge.lexicon, knowledge.gazetteer, runs=True, **OPTIONS
    )


def cross_validate(knowledge: Knowledge) -> str:
    """Scores on UNER's dev set, each part labelled by a model that the others trained."""
    documents = read_uner("dev")
    gum = retagged(read_gum())
    gold: list[list[str]] = []
    found: list[list[str]] = []
    for fold in range(FOLDS):
        rest = [s for i, d in enumerate(documents) if i % FOLDS != fold for s in d]
        part = [s for i, d in enumerate(documents) if i % FOLDS == fold for s in d]
        model = Labeller(train_entities(gum, rest, knowledge))
        gold += [s.labels for s in part]
        found += label(model, retagged(part))
    return "\n".join(
        f"{kind}: precision {precision:.2f}, recall {recall:.2f}, F {f:.2f}"
        for kind, (precision, recall, f) in span_scores(gold, found).items()
    )


def main() -> None:
    """Train and write, or judge by cross-validation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lexicon", type=Path, help="written by training.english.raw_text")
    parser.add_argument("wordnet", type=Path, help="folder with data.noun of WordNet 3.0")
    parser.add_argument("lists", type=Path, help="folder that training.entities.name_lists reads")
    parser.add_argument("output", type=Path)
    parser.add_argument("--tuning", action="store_true", help="only cross-validate")
    arguments = parser.parse_args()
    knowledge = read_knowledge(arguments.lexicon, arguments.wordnet, arguments.lists)
    if arguments.tuning:
        print(cross_validate(knowledge))
        return
    uner = [sentence for document in read_uner("dev") for sentence in document]
    model = train_entities(retagged(read_gum()), uner, knowledge)
    with atomic_writer(arguments.output) as file:
        file.write(model)
    print(f"{len(model) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
