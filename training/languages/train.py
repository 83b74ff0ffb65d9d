"""Trains {german,french,spanish}.bin of packages/metaphrase-analysers and czech.bin, minutes each.

    METAPHRASE_DATA=... python -m training.languages.train LANGUAGE LEXICON OUTPUT [--dev]

With ``--dev`` the last tenth of every training file judges the model; without, it trains it. Needs simplemma.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path

import numpy as np
from metaphrase_training import train_analyser
from training.english.raw_text import RawTextLexicon, read_lexicon
from training.english.train import OPTIONS
from training.english.treebank import TaggedSentence
from training.languages.dictionary import inflections, is_used_whole, known_lemmas, lemmas
from training.languages.evaluate import report
from training.languages.raw_text import raw_lines
from training.languages.treebanks import SOURCES, fill_tags, training_sentences

from metaphrase._core.analysis import TextAnalyser
from metaphrase.corpus.writing import atomic_writer

#: A treebank's lemma outweighs the dictionary's.
TREEBANK_WEIGHT = 10


@dataclass(frozen=True)
class Knowledge:
    """What is known of a language's words before any tagged sentence is read."""

    language: str
    lexicon: RawTextLexicon
    dictionary: list[str]
    inflections: list[int]


def read_knowledge(language: str, path: Path) -> Knowledge:
    """The lexicon of raw text, and the dictionary's inflections as far as they are used."""
    lexicon = read_lexicon(path)
    words: Iterable[str] = lemmas(language)
    if not is_used_whole(language):
        shown = {*lexicon.words, *lexicon.case_words}
        words = shown | {form.lower() for form in shown}
    return Knowledge(language, lexicon, *inflections(language, words))


def train_model(
    sentences: list[TaggedSentence],
    knowledge: Knowledge,
    known: list[tuple[str, str, str]],
    **options: float,
) -> bytes:
    """The model's bytes, the same every time."""
    tokens = sum(len(s.forms) for s in sentences)
    return train_analyser(
        forms=[form for s in sentences for form in s.forms],
        lemmas=[lemma for s in sentences for lemma in s.lemmas],
        tags=[tag for s in sentences for tag in s.tags],
        upos=[tag for s in sentences for tag in s.upos],
        lemma_weights=np.fromiter(repeat(TREEBANK_WEIGHT, tokens), dtype=np.int32),
        offsets=np.cumsum([0, *(len(s.forms) for s in sentences)], dtype=np.int64),
        class_words=knowledge.lexicon.words,
        fine=knowledge.lexicon.fine,
        coarse=knowledge.lexicon.coarse,
        case_words=knowledge.lexicon.case_words,
        capitals=knowledge.lexicon.capitals,
        known_tags=[tag for tag, _, _ in known],
        known_forms=[form for _, form, _ in known],
        known_lemmas=[lemma for _, _, lemma in known],
        language=knowledge.language,
        dictionary_words=knowledge.dictionary,
        dictionary_inflections=knowledge.inflections,
        **{**OPTIONS, **options},
    )


def labels(model: bytes, sentences: list[TaggedSentence]) -> Iterator[list[tuple[str, str]]]:
    """The tag and universal tag that a model gives to every token."""
    analyser = TextAnalyser(model)
    for sentence in sentences:
        _, columns, strings = analyser.analyse_tokens(
            [sentence.forms], lemma=False, tag=True, upos=True, threads=1
        )
        yield [
            (strings[tag], strings[upos])
            for tag, upos in zip(columns["tag"], columns["upos"], strict=True)
        ]


def tagged_forms(model: bytes, lines: list[str]) -> Counter[tuple[str, str]]:
    """How often which form of raw text bears which tag."""
    _, columns, strings = TextAnalyser(model).analyse(
        lines, lemma=False, tag=True, upos=False, threads=1
    )
    pairs = Counter(zip(columns["form"].tolist(), columns["tag"].tolist(), strict=True))
    return Counter(
        {(strings[f], strings[t]): n for (f, t), n in pairs.items() if strings[f].isalpha()}
    )


def train_tagger(
    sentences: list[TaggedSentence], knowledge: Knowledge
) -> tuple[list[TaggedSentence], bytes]:
    """A model without the dictionary's lemmas, and the sentences with all their tags filled in."""
    whole = [sentence for sentence in sentences if all(sentence.tags)]
    model = train_model(whole, knowledge, [])
    if len(whole) < len(sentences):
        sentences = fill_tags(sentences, list(labels(model, sentences)))
        model = train_model(sentences, knowledge, [])
    return sentences, model


def build(language: str, lexicon: Path, *, dev: bool) -> bytes:
    """A language's model: tags first, then lemmas of all that the tagger finds in raw text."""
    knowledge = read_knowledge(language, lexicon)
    sentences, model = train_tagger(training_sentences(language, dev=dev), knowledge)
    lines = [line for name in SOURCES[language].raw for line in raw_lines(name)]
    known = known_lemmas(language, sentences, tagged_forms(model, lines))
    return train_model(sentences, knowledge, known)


def main() -> None:
    """Train, write, and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", choices=sorted(SOURCES))
    parser.add_argument("lexicon", type=Path, help="written by training.languages.raw_text")
    parser.add_argument("output", type=Path)
    parser.add_argument("--dev", action="store_true", help="hold the dev parts out")
    arguments = parser.parse_args()
    model = build(arguments.language, arguments.lexicon, dev=arguments.dev)
    with atomic_writer(arguments.output) as stream:
        stream.write(model)
    print(f"{len(model) / 1e6:.2f} MB")
    if arguments.dev:
        print(report(TextAnalyser(model), test=False))


if __name__ == "__main__":
    main()
