"""Monolingual word alignment; see src/core/alignment. Call it through metaphrase.matching."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

class Vocabulary:
    """What the aligner knows of each string of a batch."""

    def __init__(self, strings: list[str]) -> None: ...
    @property
    def canonical(self) -> list[str]:
        """The canonical forms, each once: what paraphrases are asked about."""
    @property
    def lower(self) -> list[str]:
        """The strings, and the parts of hyphenated ones, in lower case: what vectors are asked about."""

def align(
    vocabulary: Vocabulary,
    offsets: NDArray[np.int64],
    form: NDArray[np.int32],
    lemma: NDArray[np.int32],
    tag: NDArray[np.int32],
    entity: NDArray[np.int32],
    relation_offsets: NDArray[np.int64],
    label: NDArray[np.int32],
    governor: NDArray[np.int32],
    dependent: NDArray[np.int32],
    label_names: list[str],
    synonym_offsets: NDArray[np.int64],
    synonyms: NDArray[np.int32],
    paraphrase_offsets: NDArray[np.int64],
    paraphrases: NDArray[np.int32],
    vectors: NDArray[np.float32] | None,
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    *,
    mwa: bool,
    symmetric: bool,
    equivalent_types: bool,
    uniform_weights: bool,
    penalty: int,
    theta: float,
    alpha: float,
    beta: float,
    delta: float,
    threads: int,
    details: bool,
) -> tuple[NDArray[np.float64], dict[str, NDArray[Any]] | None]:
    """For each pair of rows score, precision, recall, mean similarity and mean penalty, flat; the columns of
    the aligned words and of their contexts, if ``details`` are wanted."""

def stems(words: list[str]) -> list[str]:
    """Porter2 stems of lower-case words."""

def relation_weight(label: str) -> float:
    """What a relation counts for in the context penalty: 1, 0.8 or 0.2."""

def is_function_word(form: str) -> bool:
    """Whether a word weighs little in the score: a stop word or punctuation, in any case."""
