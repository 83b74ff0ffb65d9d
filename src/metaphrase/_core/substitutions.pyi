"""Which words of two sentences an edit machine may substitute.

See src/core/edits/bind_substitutions.cpp. Call it through metaphrase.matching.substitutions.
"""

import numpy as np
from numpy.typing import NDArray

_Rows = tuple[NDArray[np.int64], NDArray[np.int32]]

def bigrams(
    offsets: NDArray[np.int64], word: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Which two words begin at each token, or -1; the first and the second word of each of the two."""

class Sentences:
    """Sentences whose every number has been checked."""

    def __init__(
        self,
        *,
        offsets: NDArray[np.int64],
        word: NDArray[np.int32],
        lemma: NDArray[np.int32],
        sense: NDArray[np.int32],
        phrase: NDArray[np.int32],
        bigram: NDArray[np.int32],
        link: NDArray[np.uint8],
        punctuation: NDArray[np.uint8],
        synonyms: _Rows,
        paraphrases: _Rows,
    ) -> None: ...

class Options:
    """What may be substituted, checked by the caller."""

    def __init__(self, *, max_block: int, overlapping: bool, same_direction: bool) -> None: ...

def find(
    sentences: Sentences,
    hypotheses: NDArray[np.int32],
    references: NDArray[np.int32],
    options: Options,
    threads: int,
) -> tuple[_Rows, _Rows]:
    """Offsets of the pairs and rows of substitutions, then the same of dependencies."""
