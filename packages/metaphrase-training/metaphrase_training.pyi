"""What trains the models of metaphrase's analysers; see src/core/training."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

class ModelError(ValueError): ...

def train_analyser(
    *,
    forms: list[str],
    lemmas: list[str],
    tags: list[str],
    upos: list[str],
    lemma_weights: NDArray[np.int32],
    offsets: NDArray[np.int64],
    class_words: list[str],
    fine: NDArray[np.int32],
    coarse: NDArray[np.int32],
    case_words: list[str],
    capitals: NDArray[np.int32],
    known_tags: list[str],
    known_forms: list[str],
    known_lemmas: list[str],
    language: str = "en",
    dictionary_words: list[str] = [],
    dictionary_inflections: list[int] = [],
    epochs: int,
    seed: int,
    rate: float,
    lower_share: float,
    title_share: float,
    join_share: float,
    rare_share: float,
    min_updates: int,
    min_label_count: int,
    min_ambiguity_count: int,
) -> bytes:
    """The content of a model file, the same for the same arguments."""

def word_classes(
    tokens: NDArray[np.int32], *, words: int, classes: int, passes: int
) -> NDArray[np.int32]:
    """The class of every word by the exchange algorithm; a negative token ends a sentence."""

def train_labeller(
    *,
    task: str,
    runs: bool,
    forms: list[str],
    tags: list[str],
    labels: list[str],
    offsets: NDArray[np.int64],
    class_words: list[str],
    fine: NDArray[np.int32],
    coarse: NDArray[np.int32],
    usage_words: list[str],
    usage: NDArray[np.int32],
    capitals: NDArray[np.int32],
    epochs: int,
    seed: int,
    rate: float,
    shrinkage: float,
    min_count: int,
    least_weight: float,
    rounds: int = 1,
) -> bytes:
    """The content of a model file, the same for the same arguments: the mean of ``rounds`` trainings."""

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

def gradient_error(seed: int) -> float:
    """The largest relative error among the gradients of a small random network."""
