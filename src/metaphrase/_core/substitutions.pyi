"""Which words of two sentences an edit machine may substitute.

See src/core/edits/bind_substitutions.cpp. Call it through metaphrase.matching.substitutions.
"""

from metaphrase.arrays import Int32Array, Int64Array, Uint8Array

_Rows = tuple[Int64Array, Int32Array]

def bigrams(offsets: Int64Array, word: Int32Array) -> tuple[Int32Array, Int32Array, Int32Array]:
    """Which two words begin at each token, or -1; the first and the second word of each of the two."""

class Sentences:
    """Sentences whose every number has been checked."""

    def __init__(
        self,
        *,
        offsets: Int64Array,
        word: Int32Array,
        lemma: Int32Array,
        sense: Int32Array,
        phrase: Int32Array,
        bigram: Int32Array,
        link: Uint8Array,
        punctuation: Uint8Array,
        synonyms: _Rows,
        paraphrases: _Rows,
    ) -> None: ...

class Options:
    """What may be substituted, checked by the caller."""

    def __init__(self, *, max_block: int, overlapping: bool, same_direction: bool) -> None: ...

def find(
    sentences: Sentences,
    hypotheses: Int32Array,
    references: Int32Array,
    options: Options,
    threads: int,
) -> tuple[_Rows, _Rows]:
    """Offsets of the pairs and rows of substitutions, then the same of dependencies."""
