"""Trees in CoNLL-U as flat columns, for the trainer and for the judge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from metaphrase.analysis import Batch, Sentence, read_conllu

COLUMNS = ("form", "tag", "upos", "head", "relation")


@dataclass(frozen=True)
class Treebank:
    """Columns of all tokens, one after the other; sentence ``i`` begins at ``offsets[i]``."""

    forms: list[str]
    tags: list[str]
    upos: list[str]
    heads: np.ndarray
    relations: list[str]
    offsets: np.ndarray


def read_trees(paths: Iterable[Path]) -> list[Sentence]:
    """The sentences of all files; where a language has no tags of its own, universal ones serve."""
    trees = []
    for path in paths:
        for tree in read_conllu(path):
            upos = tree.column("upos")
            trees.append(
                Sentence(
                    tree.text,
                    tree.form,
                    tree.start,
                    tree.end,
                    tag=tree.tag or upos,
                    upos=upos,
                    head=tree.head,
                    relation=tree.relation,
                )
            )
    return trees


def flat(trees: list[Sentence]) -> Treebank:
    """The columns of ``trees``."""
    cells = {name: [cell for tree in trees for cell in tree.column(name)] for name in COLUMNS}
    return Treebank(
        forms=cells["form"],
        tags=cells["tag"],
        upos=cells["upos"],
        heads=np.array(cells["head"], dtype=np.int32),
        relations=cells["relation"],
        offsets=np.cumsum([0, *map(len, trees)], dtype=np.int64),
    )


def packed(trees: list[Sentence]) -> Batch:
    """What the parser reads."""
    return Batch.pack(trees, COLUMNS)
