"""The dependency parser and what trains it."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

class Parser:
    """Trees for packed columns; thread-safe."""

    def __init__(self, model: bytes) -> None:
        """Raises ``analysis.ModelError`` if ``model`` is not a model file."""
    @property
    def fingerprint(self) -> int: ...
    @property
    def relations(self) -> list[str]: ...
    def parse(
        self,
        offsets: NDArray[np.int64],
        form: NDArray[np.int32],
        tag: NDArray[np.int32],
        upos: NDArray[np.int32],
        strings: list[str],
        *,
        split: bool = True,
        threads: int = 1,
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Heads, counted from 1 within the row, and indices into ``relations``."""

class ParserTrainer:
    """Learns from a treebank, a pass at a time."""

    def __init__(
        self,
        *,
        forms: list[str],
        tags: list[str],
        upos: list[str],
        heads: NDArray[np.int32],
        relations: list[str],
        offsets: NDArray[np.int64],
        vector_words: list[str],
        vectors: NDArray[np.float32],
        options: Mapping[str, float],
    ) -> None: ...
    def epoch(self, first_rate: float, last_rate: float) -> float:
        """One pass; the mean loss of its batches."""
    def model(self) -> bytes:
        """The model file as the network stands."""

def word_vectors(
    tokens: NDArray[np.int32],
    *,
    words: int,
    size: int,
    window: int,
    negatives: int,
    epochs: int,
    rate: float,
    seed: int,
) -> NDArray[np.float32]:
    """``size`` numbers for each word; a negative token ends a sentence."""

def maximum_tree(scores: NDArray[np.int32]) -> NDArray[np.int32]:
    """The best tree with one word at the root; ``scores[dependent - 1, head]``, head 0 the root."""

def sentence_sizes(forms: list[str]) -> list[int]:
    """How many tokens each sentence of a row has."""

def gradient_error(seed: int) -> float:
    """The largest relative error among the gradients of a small random network."""
