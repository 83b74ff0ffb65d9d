"""How often a parser finds the right head (UAS) and the right relation with it (LAS).

    python -m training.parser.evaluate MODEL CONLLU...

"labels cut" compares relations without their subtypes (``nsubj:pass`` as ``nsubj``); punctuation
counts. "joined" reads every three neighbouring sentences as one row, which the parser cuts itself.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from training.parser.treebank import packed, read_trees

from metaphrase._core.parsing import Parser
from metaphrase.analysis import Sentence


def scores(parser: Parser, trees: list[Sentence], *, split: bool = False) -> list[float]:
    """UAS, LAS and LAS with labels cut, in per cent."""
    batch = packed(trees)
    columns = batch.columns
    heads, relations = parser.parse(
        batch.offsets,
        columns["form"],
        columns["tag"],
        columns["upos"],
        list(batch.strings),
        split=split,
    )
    names = parser.relations
    right = heads == columns["head"]
    found = [names[i] for i in relations.tolist()]
    gold = [batch.strings[i] for i in columns["relation"].tolist()]
    full = np.array([a == b for a, b in zip(gold, found, strict=True)])
    pairs = zip(gold, found, strict=True)
    cut = np.array([a.split(":")[0] == b.split(":")[0] for a, b in pairs])
    return [100 * float(np.mean(x)) for x in (right, right & full, right & cut)]


def joined(trees: list[Sentence], size: int = 3) -> list[Sentence]:
    """Neighbours as one row; every sentence keeps its own root."""
    rows = []
    for first in range(0, len(trees), size):
        some = trees[first : first + size]
        shifts = np.cumsum([0, *map(len, some)]).tolist()
        cells = {
            name: tuple(cell for tree in some for cell in tree.column(name))
            for name in ("form", "start", "end", "tag", "upos", "relation")
        }
        heads = [
            head and head + shift
            for tree, shift in zip(some, shifts, strict=False)
            for head in tree.column("head")
        ]
        rows.append(Sentence("", head=tuple(heads), **cells))
    return rows


def table(parser: Parser, named: dict[str, list[Sentence]]) -> str:
    """A Markdown table of per cents."""
    lines = ["| data | UAS | LAS | LAS, labels cut |", "| --- | ---: | ---: | ---: |"]
    for name, trees in named.items():
        for kind, rows in (("", trees), (", joined", joined(trees))):
            cells = scores(parser, rows, split=bool(kind))
            lines.append(f"| {name}{kind} | " + " | ".join(f"{cell:.2f}" for cell in cells) + " |")
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("treebanks", type=Path, nargs="+")
    arguments = parser.parse_args()
    named = {path.name.removesuffix(".conllu"): read_trees([path]) for path in arguments.treebanks}
    print(table(Parser(arguments.model.read_bytes()), named))


if __name__ == "__main__":
    main()
