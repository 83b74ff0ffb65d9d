"""Lays out what the English parser is trained and judged on, as the parser will meet it.

    METAPHRASE_DATA=... python -m training.parser.english LEXICON FOLDER

writes ``train.conllu``, ``dev-*.conllu`` and ``test-*.conllu`` with tags as our own tagger gives
them, and ``raw.txt``, tokenised lines. The sets for judging are there with gold tags, in lower case
and with noise too. No sentence is tagged by a tagger that was trained on it
(jackknifing, five folds of whole documents), or the parser would trust tags more than they deserve.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from random import Random

from training.english.raw_text import RawTextLexicon, raw_sentences, read_lexicon
from training.english.train import train_model
from training.english.treebank import (
    EXCLUDED_GENRES,
    TaggedSentence,
    data_path,
    genre,
    held_out,
    read,
)
from training.parser.variants import lowered, noised

from metaphrase._core.analysis import TextAnalyser
from metaphrase.analysis import Sentence, read_conllu, write_conllu
from metaphrase.shipped import shipped_file

FOLDS = 5

Pair = tuple[TaggedSentence, Sentence]


def pairs(name: str) -> list[Pair]:
    """Each sentence as the tagger's trainer reads it, and with its tree."""
    trees = read_conllu(data_path() / "treebanks" / f"{name}.conllu.gz")
    return list(zip(read(name), trees, strict=True))


def retagged(analyser: TextAnalyser, trees: Iterable[Sentence]) -> list[Sentence]:
    """The same trees with the tags that ``analyser`` gives their tokens."""
    trees = list(trees)
    offsets, columns, strings = analyser.analyse_tokens(
        [list(tree.form) for tree in trees], lemma=False, tag=True, upos=True, threads=1
    )
    tags = [strings[i] for i in columns["tag"].tolist()]
    upos = [strings[i] for i in columns["upos"].tolist()]
    return [
        replace(tree, tag=tuple(tags[a:b]), upos=tuple(upos[a:b]))
        for tree, a, b in zip(trees, offsets[:-1], offsets[1:], strict=True)
    ]


def jackknifed(sentences: list[Pair], lexicon: RawTextLexicon) -> list[Sentence]:
    """Every fold tagged by a tagger that was trained on the others."""
    documents = {tagged.document: None for tagged, _ in sentences}
    fold_of = {document: i % FOLDS for i, document in enumerate(documents)}
    result: dict[int, Sentence] = {}
    for fold in range(FOLDS):
        inside = [i for i, (tagged, _) in enumerate(sentences) if fold_of[tagged.document] == fold]
        others = [tagged for tagged, _ in sentences if fold_of[tagged.document] != fold]
        tagger = TextAnalyser(train_model(others, lexicon))
        trees = retagged(tagger, (sentences[i][1] for i in inside))
        result.update(zip(inside, trees, strict=True))
        print(f"fold {fold + 1} of {FOLDS}: {len(inside)} sentences", flush=True)
    return [result[i] for i in range(len(sentences))]


def main() -> None:
    """Write the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lexicon", type=Path, help="written by training.english.raw_text")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", type=Path, default=shipped_file("english.bin"))
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)

    tagger = TextAnalyser(arguments.model.read_bytes())
    documents = held_out()
    gum = pairs("en_gum-all")
    judging = {
        "dev-ewt": pairs("en_ewt-dev"),
        "dev-gum": [pair for pair in gum if pair[0].document in documents[::2]],
        "test-ewt": pairs("en_ewt-test"),
        "test-gum": [pair for pair in gum if pair[0].document in documents[1::2]],
    }
    for name, sentences in judging.items():
        trees = [tree for _, tree in sentences]
        random = Random(1)
        write_conllu(trees, folder / f"{name}.gold.conllu")
        for kind, changed in (
            ("", trees),
            (".lower", [lowered(tree) for tree in trees]),
            (".noised", [noised(tree, random) for tree in trees]),
        ):
            write_conllu(retagged(tagger, changed), folder / f"{name}{kind}.conllu")
    with (folder / "raw.txt").open("w", encoding="utf-8") as file:
        space = re.compile(r"\s+")
        for tokens in raw_sentences():
            file.write(" ".join(space.sub("", token) for token in tokens) + "\n")
    kept = [
        pair
        for pair in gum
        if genre(pair[0].document) not in EXCLUDED_GENRES and pair[0].document not in documents
    ]
    lexicon = read_lexicon(arguments.lexicon)
    write_conllu(jackknifed(pairs("en_ewt-train") + kept, lexicon), folder / "train.conllu")


if __name__ == "__main__":
    main()
