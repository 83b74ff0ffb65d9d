"""Trains a dependency parser of any language from treebanks in CoNLL-U.

    python -m training.parser OUTPUT --train CONLLU... [--dev CONLLU...] [--vectors FILE]

Tags in the files should be those that the parser will meet: predicted, not gold. ``--vectors`` is
what ``training.parser.vectors`` wrote. The same input gives the same bytes every time.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from metaphrase_training import ParserTrainer
from training.english.train import write_atomically
from training.parser.evaluate import scores
from training.parser.treebank import flat, read_trees

from metaphrase._core.parsing import Parser
from metaphrase.analysis import Sentence

EPOCHS = 24
RATE = 0.003
#: What tuning on the dev sets came to; see the model's card.
OPTIONS: dict[str, float] = {"dropout": 0.2, "lower_share": 0.1, "noise_share": 0.1}


def train(
    trees: list[Sentence],
    dev: list[Sentence],
    words: list[str],
    vectors: np.ndarray,
    *,
    epochs: int,
    rate: float,
    options: dict[str, float],
) -> bytes:
    """The model's bytes; scores on ``dev`` are printed as it learns, and change nothing."""
    bank = flat(trees)
    trainer = ParserTrainer(
        forms=bank.forms,
        tags=bank.tags,
        upos=bank.upos,
        heads=bank.heads,
        relations=bank.relations,
        offsets=bank.offsets,
        vector_words=words,
        vectors=vectors,
        options=options,
    )
    for epoch in range(epochs):
        begin = time.process_time()
        loss = trainer.epoch(rate * (1 - epoch / epochs), rate * (1 - (epoch + 1) / epochs))
        line = f"epoch {epoch + 1:2d}: loss {loss:.4f}, {time.process_time() - begin:.0f} s"
        if dev:
            uas, las, cut = scores(Parser(trainer.model()), dev)
            line += f", dev UAS {uas:.2f}, LAS {las:.2f}, labels cut {cut:.2f}"
        print(line, flush=True)
    return trainer.model()


def option(text: str) -> tuple[str, float]:
    """``name=value``; whole numbers stay whole."""
    name, value = text.split("=")
    return name, float(value) if "." in value else int(value)


def main() -> None:
    """Train and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("--train", type=Path, nargs="+", required=True)
    parser.add_argument("--dev", type=Path, nargs="*", default=[])
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--option", type=option, nargs="*", default=[], metavar="NAME=VALUE")
    arguments = parser.parse_args()
    words: list[str] = []
    vectors = np.zeros((0, 0), dtype=np.float32)
    if arguments.vectors:
        with np.load(arguments.vectors) as content:
            words, vectors = content["words"].tolist(), content["vectors"]
    model = train(
        read_trees(arguments.train),
        read_trees(arguments.dev),
        words,
        vectors,
        epochs=arguments.epochs,
        rate=arguments.rate,
        options={**OPTIONS, **dict(arguments.option)},
    )
    write_atomically(arguments.output, model)
    print(f"{len(model) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
