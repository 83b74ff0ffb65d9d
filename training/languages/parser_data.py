"""Lays out what a language's parser is trained and judged on, as the parser will meet it.

    METAPHRASE_DATA=... python -m training.languages.parser_data LANGUAGE LEXICON FOLDER

writes ``train.conllu``, ``dev.conllu`` (the last tenth of every training file, which the released model
trains on too), ``NAME.conllu`` for every test part, and ``raw.txt``, tokenised lines. A token is a surface
word (see ``treebanks.py``). Tags are those of taggers that had not seen the sentence: for the test parts the
shipped model, for all else models of three quarters of every training file that tag the fourth.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

from training.english.treebank import TaggedSentence
from training.languages.raw_text import raw_sentences
from training.languages.train import Knowledge, read_knowledge, train_tagger
from training.languages.treebanks import SOURCES, arcs, read
from training.parser.english import Pair, retagged

from metaphrase._core.analysis import TextAnalyser
from metaphrase.analysis import Sentence, write_conllu
from metaphrase.analysis.builtin import SHIPPED
from metaphrase.corpus.writing import atomic_writer
from metaphrase.shipped import shipped_file

FOLDS = 4
RAW_LINES = 40_000


def pairs(name: str) -> list[Pair]:
    """Each sentence as the tagger's trainer reads it, and with its tree."""
    result = []
    for tagged, (heads, relations) in zip(read(name), arcs(name), strict=True):
        starts = list(accumulate((len(form) + 1 for form in tagged.forms[:-1]), initial=0))
        ends = [start + len(form) for start, form in zip(starts, tagged.forms, strict=True)]
        tree = Sentence(
            " ".join(tagged.forms),
            tuple(tagged.forms),
            tuple(starts),
            tuple(ends),
            head=tuple(heads),
            relation=tuple(relations),
        )
        result.append((tagged, tree))
    return result


def jackknifed(parts: Sequence[list[Pair]], knowledge: Knowledge) -> list[list[Sentence]]:
    """Every quarter of every file tagged by a tagger that was trained on the other quarters."""
    results: list[list[Sentence]] = [[] for _ in parts]
    for fold in range(FOLDS):
        others: list[TaggedSentence] = []
        bounds = [(len(p) * fold // FOLDS, len(p) * (fold + 1) // FOLDS) for p in parts]
        for part, (first, last) in zip(parts, bounds, strict=True):
            others += [tagged for tagged, _ in part[:first] + part[last:]]
        _, model = train_tagger(others, knowledge)
        tagger = TextAnalyser(model)
        for result, part, (first, last) in zip(results, parts, bounds, strict=True):
            result += retagged(tagger, (tree for _, tree in part[first:last]))
        print(f"fold {fold + 1} of {FOLDS}", flush=True)
    return results


def main() -> None:
    """Write the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", choices=sorted(SOURCES))
    parser.add_argument("lexicon", type=Path, help="written by training.languages.raw_text")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--lines", type=int, default=RAW_LINES, help="of each file of raw text")
    arguments = parser.parse_args()
    language, folder = arguments.language, arguments.folder
    folder.mkdir(parents=True, exist_ok=True)

    space = re.compile(r"\s+")
    with atomic_writer(folder / "raw.txt") as stream:
        for tokens in raw_sentences(language, arguments.lines):
            stream.write((" ".join(space.sub("", token) for token in tokens) + "\n").encode())
    shipped = TextAnalyser(shipped_file(f"{SHIPPED[language]}.bin").read_bytes())
    for name in SOURCES[language].tests:
        trees = retagged(shipped, (tree for _, tree in pairs(name)))
        write_conllu(trees, folder / f"{name}.conllu")
    knowledge = read_knowledge(language, arguments.lexicon)
    parts = jackknifed([pairs(name) for name in SOURCES[language].treebanks], knowledge)
    train = [tree for part in parts for tree in part[: len(part) * 9 // 10]]
    dev = [tree for part in parts for tree in part[len(part) * 9 // 10 :]]
    write_conllu(train, folder / "train.conllu")
    write_conllu(dev, folder / "dev.conllu")


if __name__ == "__main__":
    main()
