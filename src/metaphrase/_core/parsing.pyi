"""The dependency parser."""

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

def maximum_tree(scores: NDArray[np.int32]) -> NDArray[np.int32]:
    """The best tree with one word at the root; ``scores[dependent - 1, head]``, head 0 the root."""

def sentence_sizes(forms: list[str]) -> list[int]:
    """How many tokens each sentence of a row has."""
