"""What raters said of translations into English, as numbers to learn from without this package.

METAPHRASE_DATA=... python -m training.encoder.judged_pieces MODEL OUTPUT.npz

MODEL is what ``training.encoder.pretrained`` converts. OUTPUT has every rated translation, its references and
its corruptions as word pieces, how rare the word of each piece is, the ratings, what ``accord`` without an
encoder loses where it has not learned from the test set, and the weights that are adapted
(:mod:`training.encoder.adapting`).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from training.accord.__main__ import FILES
from training.accord.corruption import corrupted_pairs, usable_texts
from training.encoder.pretrained import read_published, read_safetensors
from training.encoder.years import group_of
from training.english.treebank import data_path

from metaphrase.analysis import load
from metaphrase.corpus.judgements import Judgements
from metaphrase.learning.accord import JudgedLosses, Untrained, judged_losses, validate
from metaphrase.lexicon import load_vectors
from metaphrase.meta import read_judgements
from metaphrase.metrics.accord.features import VectorWords
from metaphrase.trained.pretrained_encoder import load_pretrained, words_of

_TEXTS = 8192
#: Pieces of a text that are read; hardly any rated sentence is longer.
LONGEST = 126
#: References of a translation that are read.
_REFERENCES = 4


@dataclass
class Texts:
    """Texts by number, equal ones once."""

    numbers: dict[str, int] = field(default_factory=dict)

    def add(self, texts: Iterable[str]) -> np.ndarray:
        """The numbers of some texts."""
        found = [self.numbers.setdefault(text, len(self.numbers)) for text in texts]
        return np.array(found, dtype=np.int32)

    def columns(self) -> dict[str, np.ndarray]:
        """Pieces, which of them begin a word, how rare the word of each is, and the lengths of texts."""
        encoder, analyser, vectors = (
            load_pretrained("shipped", "en"),
            load("builtin:en"),
            load_vectors("glove"),
        )
        names = "pieces", "begins", "rarity", "lengths"
        found: dict[str, list[np.ndarray]] = {name: [] for name in names}
        texts = list(self.numbers)
        for start in range(0, len(texts), _TEXTS):
            batch = analyser.analyse(texts[start : start + _TEXTS], columns=frozenset({"form"}))
            words = VectorWords(batch, vectors)
            offsets, pieces, first, last = encoder.cut(batch.texts)
            word = words_of(batch, offsets, first, last)
            place = np.arange(len(pieces)) - np.repeat(offsets[:-1], np.diff(offsets))
            begins = np.r_[True, word[1:] != word[:-1]] | (place == 0)
            rarity = np.r_[words.rarity[words.rows.symbols], 1.0][word]
            kept = place < LONGEST
            found["pieces"].append(pieces[kept].astype(np.uint16))
            found["begins"].append(begins[kept])
            found["rarity"].append(np.rint(255 * rarity[kept]).astype(np.uint8))
            found["lengths"].append(np.minimum(np.diff(offsets), LONGEST).astype(np.uint8))
        columns = {name: np.concatenate(parts) for name, parts in found.items()}
        return columns | {"begins": np.packbits(columns["begins"])}


def arrays_of(sets: Sequence[tuple[Judgements, JudgedLosses]]) -> dict[str, np.ndarray]:
    """Pairs of numbers of texts, and what raters said of them."""
    held_out = validate([losses for _, losses in sets]).held_out
    base = {f"{one.name} {one.language_pair}": one.lost for one in held_out}
    texts = Texts()
    arrays: dict[str, np.ndarray] = {}
    for judged, losses in sets:
        name = f"{losses.name} {losses.language_pair}"
        rows = [
            judged.texts[number]
            for number in judged.text_of[losses.system, losses.segment].tolist()
        ]
        # Rows without so many references have the first ones again.
        references = [
            [row.references[k % len(row.references)] for row in rows] for k in range(_REFERENCES)
        ]
        several = max(len(row.references) for row in rows)
        pairs = corrupted_pairs(judged, usable_texts(judged, losses))
        arrays |= {
            f"{name}/hypothesis": texts.add(row.hypothesis for row in rows),
            f"{name}/reference": np.stack(
                [texts.add(side) for side in references[: min(several, _REFERENCES)]]
            ),
            f"{name}/base": base[name].astype(np.float32),
            f"{name}/better": losses.better.astype(np.int32),
            f"{name}/worse": losses.worse.astype(np.int32),
            f"{name}/corrupted": np.stack(
                [
                    texts.add(getattr(pair, side) for pair in pairs)
                    for side in ("better", "worse", "reference")
                ]
            ),
        }
        if losses.human is not None:
            arrays[f"{name}/human"] = losses.human.astype(np.float32)
    names = [f"{losses.name} {losses.language_pair}" for _, losses in sets]
    arrays["sets"] = np.array(names)
    arrays["groups"] = np.array([group_of(losses.name) for _, losses in sets])
    return arrays | texts.columns()


def english_sets() -> Iterable[tuple[Judgements, JudgedLosses]]:
    """All sets into English with the penalties of ``accord``."""
    for file in FILES:
        for judged in read_judgements(data_path() / "judgements" / file).values():
            if judged.target == "en":
                yield judged, judged_losses(judged, Untrained(lang="en"))


def weights_of(model: Path) -> dict[str, np.ndarray]:
    """The weights in halves, but for the rows of pieces, which have 8 bits and a step, as in our file."""
    found = read_safetensors(read_published(model)[0])
    rows = found.pop("embeddings.word_embeddings.weight")
    steps = np.abs(rows).max(axis=1, keepdims=True) / 127.0
    weights = {f"weights/{name}": array.astype(np.float16) for name, array in found.items()}
    return weights | {"rows": np.rint(rows / steps).astype(np.int8), "steps": steps.ravel()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("output", type=Path)
    options = parser.parse_args()
    np.savez_compressed(
        options.output, **weights_of(options.model), **arrays_of(list(english_sets()))
    )
    print(f"{options.output}: {options.output.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
