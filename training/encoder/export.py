"""The network as the file that the core reads.

python -m training.encoder.export NETWORK.pt OUTPUT --data DATA.npz

NETWORK.pt is what ``pretraining`` wrote, or ``trial`` of the kind ``words``; DATA.npz what ``prepare`` did.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from training.encoder.network import ENTRY, VECTOR_LENGTH, Shape
from training.encoder.words import MARK, PIECES

from metaphrase.corpus.writing import atomic_writer
from metaphrase.learning.encoder_file import encoder_content
from metaphrase.lexicon import WordVectors
from metaphrase.trained.encoder import EncoderShape

LICENCE = "Apache-2.0"
NAMES = {"en": "English", "de": "German", "fr": "French", "es": "Spanish", "cs": "Czech"}


def arrays_of(weights: Mapping[str, Tensor], pieces: Sequence[str]) -> dict[str, np.ndarray]:
    """The weights by the names of the file, for word vectors of length 1.

    The network has room for so many pieces a word, and what is empty counts as the first row. The file has no
    such row: of n pieces p, (Σ p + (N − n) e) / n is the mean of p − e, and of N e more for the piece at the
    start of the word, of which there is one.
    """
    found = {
        name.removeprefix("encoder."): part.numpy()
        for name, part in weights.items()
        if name.startswith("encoder.")
    }
    found["words.vector.weight"] = found["words.vector.weight"] * VECTOR_LENGTH
    empty = found["words.piece.weight"][0]
    starts = np.array([piece.startswith(MARK) for piece in pieces])
    found["words.piece.weight"] = (
        found["words.piece.weight"] - empty + PIECES * starts[:, None] * empty
    )
    for part in ("weight", "bias"):
        found[f"head.{part}"] = weights[f"heads.say.{part}"].numpy()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("network")
    parser.add_argument("output", type=Path)
    parser.add_argument("--data", required=True)
    options = parser.parse_args()
    with np.load(options.data) as file:
        pieces = file["pieces"].tolist()
        languages = ", ".join(NAMES[lang] for lang in file["languages"].tolist())
    saved = torch.load(options.network, map_location="cpu")
    shape, arrays = Shape(**saved["shape"]), arrays_of(saved["weights"], pieces)
    vectors = WordVectors.default()
    content = encoder_content(
        arrays,
        EncoderShape(
            width=shape.width,
            layers=shape.layers,
            heads=shape.heads,
            inner=shape.inner,
            distance=shape.distance,
            size=len(arrays["head.bias"]) - 2,
            dimension=vectors.dimension,
        ),
        pieces=pieces,
        vectors=vectors.fingerprint,
        licence=LICENCE,
        about=f"Words in context ({languages}), learnt from text and judgements; training/encoder.",
        factor=ENTRY,
    )
    with atomic_writer(options.output, overwrite=True) as stream:
        stream.write(content)
    print(f"{options.output}: {options.output.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
