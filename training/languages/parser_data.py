"""Lays out what a language's parser is trained and judged on, as the parser will meet it.

    METAPHRASE_DATA=... python -m training.languages.parser_data LANGUAGE LEXICON FOLDER

writes ``train.conllu``, ``dev.conllu`` (the last tenth of every training file, which the released model
trains on too), ``NAME.conllu`` for every test part, and ``raw.txt``, tokenised lines. A token is a surface
word (see ``treebanks.py``). Tags are those of taggers that had not seen the sentence: for the test parts the
shipped model, for all else models of three quarters of every training file that tag the fourth.
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import accumulate
from pathlib import Path

from training.english.treebank import TaggedSentence, data_path
from training.languages.raw_text import raw_sentences
from training.languages.train import Knowledge, read_knowledge, train_tagger
from training.languages.treebanks import SOURCES, read
from training.parser.english import Pair, retagged

from metaphrase._core.analysis import TextAnalyser
from metaphrase.analysis import Sentence, write_conllu
from metaphrase.analysis.builtin import SHIPPED
from metaphrase.corpus.writing import atomic_writer

FOLDS = 4
#: Of each file of raw text.
RAW_LINES = 100_000
#: A row of a treebank: number of the word, number of its head, relation.
Row = tuple[int, int, str]


def word_rows(name: str) -> Iterator[tuple[list[Row], list[range]]]:
    """The words of each sentence of a treebank, and which of them are one surface word."""
    rows: list[Row] = []
    fused: list[range] = []
    with gzip.open(data_path() / "treebanks" / f"{name}.conllu.gz", "rt", encoding="utf-8") as file:
        for line in file:
            cells = line.rstrip("\n").split("\t")
            if cells[0].isdigit():
                rows.append((int(cells[0]), int(cells[6]), cells[7]))
            elif re.fullmatch(r"\d+-\d+", cells[0]):
                first, last = map(int, cells[0].split("-"))
                fused.append(range(first, last + 1))
            elif not line.strip():
                yield rows, fused
                rows, fused = [], []


def contracted(rows: Sequence[Row], fused: Sequence[range]) -> tuple[list[int], list[str]]:
    """Heads and relations of surface words.

    A surface word hangs where its part nearest to the root hangs, the first if there are several; what hangs
    on any part hangs on the word. A word is thus always farther from the root than its head, which makes a tree.
    """
    head_of = {word: head for word, head, _ in rows}
    first_of = {part: parts[0] for parts in fused for part in parts}
    depth = {0: 0}

    def depth_of(word: int) -> int:
        if word not in depth:
            depth[word] = 1 + depth_of(head_of[word])
        return depth[word]

    top: dict[int, Row] = {}
    for row in rows:
        surface = first_of.get(row[0], row[0])
        if surface not in top or depth_of(row[0]) < depth_of(top[surface][0]):
            top[surface] = row
    number = {surface: i for i, surface in enumerate(top, 1)}
    heads = [number[first_of.get(head, head)] if head else 0 for _, head, _ in top.values()]
    relations = [relation for _, _, relation in top.values()]
    assert heads.count(0) == 1, "a tree has one root"
    return heads, relations


def pairs(name: str) -> list[Pair]:
    """Each sentence as the tagger's trainer reads it, and with its tree."""
    result = []
    for tagged, (rows, fused) in zip(read(name), word_rows(name), strict=True):
        heads, relations = contracted(rows, fused)
        starts = list(accumulate((len(form) + 1 for form in tagged.forms[:-1]), initial=0))
        ends = [start + len(form) for start, form in zip(starts, tagged.forms, strict=True)]
        columns = (tagged.forms, starts, ends)
        tree = Sentence(
            " ".join(tagged.forms),
            *(tuple(column) for column in columns),
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
    arguments = parser.parse_args()
    language, folder = arguments.language, arguments.folder
    folder.mkdir(parents=True, exist_ok=True)

    with atomic_writer(folder / "raw.txt") as stream:
        space = re.compile(r"\s+")
        for tokens in raw_sentences(language, RAW_LINES):
            stream.write((" ".join(space.sub("", token) for token in tokens) + "\n").encode())
    shipped = TextAnalyser(
        (files("metaphrase") / "models" / f"{SHIPPED[language]}.bin").read_bytes()
    )
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
