"""What rounding a pretrained encoder to 8 bits costs, beside the network in floats.

``METAPHRASE_DATA=… python -m experiments.pretrained_encoder MODEL [FILE …] [--adapted FOLDER]`` with tests on
the path. MODEL is what ``training.encoder.pretrained`` converts, FILE a set of judgements (direct assessments
of 2015 and 2016 if none is named). With FOLDER the layers are those that were adapted without the set:
GROUP.npz, which ``training.encoder.adapting`` writes, and GROUP.encoder, which is made from it.

For each set: the cosines of our vectors with those in floats, and the correlation of likeness by either with
human judgements (Pearson's r): the cosine of the two texts, and the F1 of each piece's best match after
layers 4 and 6.
"""

from __future__ import annotations

import argparse
from itertools import chain
from pathlib import Path

import numpy as np
from training.encoder.pretrained import SHAPE, adapted, read_published, read_safetensors
from training.encoder.years import group_of

from experiments.frame import Data
from metaphrase.corpus.judgements import Judgements
from metaphrase.trained.pretrained_encoder import EncodedPieces, load_pretrained
from oracle.pretrained import InFloats, encode

LAYERS = (4, 6)
SETS = ("daseg15.en.tsv.gz", "daseg16.en.tsv.gz")
#: [CLS] and [SEP].
MARKS = (101, 102)

Vectors = tuple[np.ndarray, np.ndarray]


def ours(found: EncodedPieces, k: int) -> Vectors:
    return found.vectors[:, found.offsets[k] : found.offsets[k + 1]], found.texts[k]


def in_floats(network: InFloats, pieces: list[int]) -> Vectors:
    layers, text = encode(network, pieces, MARKS, SHAPE.positions)
    chosen = np.stack([layers[layer - 1] for layer in LAYERS])
    return chosen.astype(np.float32), text.astype(np.float32)


def likeness(one: Vectors, other: Vectors) -> list[float]:
    found = [float(one[1] @ other[1])]
    for left, right in zip(one[0], other[0], strict=True):
        cosines = left @ right.T
        if not cosines.size:
            found.append(0.0)
            continue
        precision, recall = cosines.max(axis=1).mean(), cosines.max(axis=0).mean()
        found.append(float(2 * precision * recall / (precision + recall)))
    return found


def pairs_of(judged: Judgements) -> tuple[list[str], list[str], list[float]]:
    """Hypotheses, references and scores of the rows that were judged."""
    judged_cells = np.argwhere((judged.text_of >= 0) & np.isfinite(judged.human))
    texts = [judged.texts[judged.text_of[system, segment]] for system, segment in judged_cells]
    return (
        [text.hypothesis for text in texts],
        [text.references[0] for text in texts],
        judged.human[tuple(judged_cells.T)].tolist(),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("files", nargs="*", default=SETS)
    parser.add_argument("--adapted", type=Path)
    options = parser.parse_args()
    weights = read_safetensors(read_published(options.model)[0])
    for file in options.files:
        network, encoder = InFloats(weights, SHAPE), load_pretrained("shipped", "en")
        if options.adapted:
            group = group_of(file.partition(".")[0])
            layers = adapted(weights, options.adapted / f"{group}.npz")
            network = InFloats(layers, SHAPE)
            encoder = load_pretrained(f"file:{options.adapted / group}.encoder", "en")
        columns = [pairs_of(judged) for judged in Data(file).judgements()]
        hypotheses, references, scores = (list(chain(*part)) for part in zip(*columns, strict=True))
        texts = list(dict.fromkeys([*hypotheses, *references]))
        found = encoder.encode(texts, layers=LAYERS)
        true = [
            in_floats(network, found.pieces[found.offsets[k] : found.offsets[k + 1]].tolist())
            for k in range(len(texts))
        ]
        rounded = [ours(found, k) for k in range(len(texts))]
        print(f"{file}: {len(texts):,} texts, {len(found.pieces):,} pieces")
        cosines = [
            np.concatenate(
                [(a[0][i] * b[0][i]).sum(axis=1) for a, b in zip(rounded, true, strict=True)]
            )
            for i in range(len(LAYERS))
        ]
        of_texts = np.array([float(a[1] @ b[1]) for a, b in zip(rounded, true, strict=True)])
        for what, some in zip(("layer 4", "layer 6", "texts"), (*cosines, of_texts), strict=True):
            quantile = np.quantile(some, 0.01)
            print(
                f"  {what}: cosine {some.mean():.5f}, 1 in 100 below {quantile:.4f}, least {some.min():.4f}"
            )
        places = {text: k for k, text in enumerate(texts)}
        for what, vectors in (("floats", true), ("8 bits", rounded)):
            table = np.array(
                [
                    likeness(vectors[places[hypothesis]], vectors[places[reference]])
                    for hypothesis, reference in zip(hypotheses, references, strict=True)
                ]
            )
            agreements = [float(np.corrcoef(column, scores)[0, 1]) for column in table.T]
            print(f"  {what}: r of {' '.join(f'{r:.4f}' for r in agreements)}", flush=True)


if __name__ == "__main__":
    main()
