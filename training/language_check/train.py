"""Trains the statistics of characters by which the languages of texts are told apart.

    METAPHRASE_DATA=... python -m training.language_check.train src/metaphrase/models/language-characters.npz

A minute on one core; the same data give the same bytes.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from training.language_check.texts import training_texts

from metaphrase.analysis.languages.character_statistics import letter_sequences

SIZE = 1 << 14
SCALE = 1 / 24
#: So many sequences that every language shares stand behind what was counted in one of them.
PRIOR = 100_000.0


def counts(segments: list[str]) -> np.ndarray:
    """How often each hash occurs."""
    hashes, _ = letter_sequences(segments, SIZE)
    return np.bincount(hashes, minlength=SIZE).astype(float)


def main() -> None:
    """Write the model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    output = parser.parse_args().output
    texts = training_texts()
    languages = sorted(texts)
    # Every text of a language has the same share, whatever its size.
    counted = np.empty((SIZE, len(languages)))
    for column, language in enumerate(languages):
        parts = [counts(segments) for segments in texts[language]]
        whole = sum(part.sum() for part in parts)
        counted[:, column] = sum(part / part.sum() for part in parts) * whole / len(parts)
        print(language, [len(segments) for segments in texts[language]], f"{whole:.0f} sequences")
    shared = (counted / counted.sum(axis=0)).mean(axis=1, keepdims=True)
    shared = (shared + 0.01 / SIZE) / 1.01
    logarithms = np.log((counted + PRIOR * shared) / (counted.sum(axis=0) + PRIOR))
    centred = logarithms - logarithms.mean(axis=1, keepdims=True)
    weights = np.clip(np.round(centred / SCALE), -127, 127).astype(np.int8)
    np.savez_compressed(
        output, languages=np.array(languages), weights=weights, scale=np.float64(SCALE)
    )
    print(f"{output}: {output.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
