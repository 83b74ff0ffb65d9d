"""Word alignment; see src/core/alignment/bind_alignment.cpp. Call it through metaphrase.matching."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from metaphrase.arrays import FloatArray, Int32Array, Int64Array

most_cells: int

class WordLists:
    """Function words of a language, and pairs of words and their contractions, one after the other."""

    def __init__(
        self,
        stop_words: list[str],
        punctuation: list[str],
        clitics: list[str],
        contractions: list[str],
    ) -> None: ...
    def is_function_word(self, form: str) -> bool:
        """As the function of the module, in this language."""

class Vocabulary:
    """What the aligner knows of each string of a batch; without lists it is English."""

    def __init__(self, strings: list[str], lists: WordLists | None = None) -> None: ...
    def take_stems(self, stems: list[str]) -> None:
        """Other stems than English ones, one for each canonical form; before sentences are read."""
    @property
    def canonical(self) -> list[str]:
        """The canonical forms, each once: what paraphrases are asked about."""
    @property
    def lower(self) -> list[str]:
        """The strings, and the parts of hyphenated ones, in lower case: what vectors are asked about."""
    def canonical_numbers(self) -> Int32Array:
        """The place among the canonical forms of each string."""

class Relations:
    """Relations of sentences, row by row."""

    def __init__(
        self,
        offsets: Int64Array,
        label: Int32Array,
        governor: Int32Array,
        dependent: Int32Array,
        label_names: list[str],
        read_as: list[str] | None = None,
    ) -> None: ...

class Sentences:
    """Sentences of strings of a vocabulary."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        offsets: Int64Array,
        form: Int32Array,
        lemma: Int32Array,
        tag: Int32Array,
        entity: Int32Array,
        relations: Relations,
    ) -> None: ...

#: Offsets, and the neighbours of every word.
_Graph = tuple[Int64Array, Int32Array]

class Evidence:
    """What is known of the words of a vocabulary."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        synonyms: _Graph,
        paraphrases: _Graph,
        vectors: NDArray[np.float32] | None,
    ) -> None: ...

class Phrases:
    """Where sentences have phrases, row by row, and which of these paraphrase which."""

    def __init__(
        self,
        offsets: Int64Array,
        begin: Int32Array,
        words: Int32Array,
        phrase: Int32Array,
        paraphrases: _Graph,
    ) -> None: ...

class Options:
    """How to align and to score, checked by the caller."""

    def __init__(
        self,
        *,
        mwa: bool,
        one_to_one: bool,
        symmetric: bool,
        equivalent_types: bool,
        uniform_weights: bool,
        penalty: int,
        formula: int,
        theta: float,
        alpha: float,
        beta: float,
        delta: float,
    ) -> None: ...

def align(
    sentences: Sentences,
    evidence: Evidence,
    phrases: Phrases | None,
    left: Int32Array,
    right: Int32Array,
    options: Options,
    threads: int,
    details: bool,
) -> tuple[FloatArray, dict[str, NDArray[Any]] | None]:
    """For each pair of rows score, precision, recall, mean similarity and mean penalty, flat; the columns of
    the aligned words, the linked phrases and their contexts, if ``details`` are wanted."""

def stems(words: list[str]) -> list[str]:
    """Porter2 stems of lower-case words."""

def relation_weight(label: str) -> float:
    """What a relation counts for in the context penalty: 1, 0.8 or 0.2."""

def is_function_word(form: str) -> bool:
    """Whether a word weighs little in the score: a stop word or punctuation, in any case."""
