"""What lexical resources say about the words of a batch, in the arrays that the word aligner reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from metaphrase.errors import ResourceError
from metaphrase.lexicon.relation import (
    ParaphraseSource,
    SynonymGraph,
    SynonymSource,
    VectorSource,
)


class Spellings(Protocol):
    """The words of a batch under the spellings by which resources know them."""

    @property
    def strings(self) -> Sequence[str]:
        """As they are: synonyms are looked up by lemma."""
        ...

    @property
    def canonical(self) -> Sequence[str]:
        """Lower case without full stops, hyphens and commas: how paraphrases are looked up."""
        ...

    @property
    def lower(self) -> Sequence[str]:
        """In lower case: how vectors are looked up."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class WordEvidence:
    """Relations among the words of one batch: those of each are numbers of the same spelling.

    ``vectors`` has a row of length 1 for each word in lower case, of zeros if it is unknown; ``None``
    leaves distributional similarity out.
    """

    synonyms: SynonymGraph
    paraphrases: SynonymGraph
    vectors: npt.NDArray[np.float32] | None = None


def look_up(
    words: Spellings,
    *,
    synonyms: SynonymSource,
    paraphrases: ParaphraseSource,
    vectors: VectorSource | None = None,
) -> WordEvidence:
    """Ask each resource once about all words."""
    return WordEvidence(
        synonyms.synonym_graph(words.strings),
        paraphrases.paraphrase_graph(words.canonical),
        None if vectors is None else unit_vectors(vectors, words.lower),
    )


def unit_vectors(source: VectorSource, words: Sequence[str]) -> npt.NDArray[np.float32]:
    """The vectors of words, each of length 1, or 0 if the word is unknown."""
    rows = source.vectors(words).astype(np.float64)
    if not np.isfinite(rows).all():
        raise ResourceError(
            "MP530", f"the word vectors {source.name!r} hold numbers that are infinite or none."
        )
    # Scaled first, so that squares of very large numbers do not overflow.
    largest = np.abs(rows).max(axis=1, initial=0.0, keepdims=True)
    rows /= np.where(largest > 0, largest, 1.0)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.ascontiguousarray(rows / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)
