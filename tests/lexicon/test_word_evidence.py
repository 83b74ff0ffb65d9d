"""What the word aligner is told about words: by lemma as written, by canonical form, by vector."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from metaphrase import lexicon
from metaphrase.errors import ResourceError
from metaphrase.lexicon.word_evidence import look_up
from metaphrase.matching.word_alignment import WordSpellings

WORDS = ["car", "automobile", "Car", "U.S.", "well-known"]


class Vectors:
    name = "test"
    fingerprint = "0" * 12

    def __init__(self, value: float) -> None:
        self.value = value

    def vectors(self, words: Sequence[str]) -> npt.NDArray[np.float32]:
        rows = [(3 * self.value, 4 * self.value) if word == "car" else (0, 0) for word in words]
        return np.array(rows, dtype=np.float32)


def test_wordnet_folds_case_unless_told_otherwise() -> None:
    related = [
        {
            (WORDS[i], WORDS[j])
            for offsets, neighbours in [source.synonym_graph(WORDS)]
            for i in range(len(WORDS))
            for j in neighbours[offsets[i] : offsets[i + 1]]
        }
        for source in (lexicon.load("wordnet"), lexicon.load("wordnet", fold_case=False))
    ]
    assert related[1] == {("car", "automobile"), ("automobile", "car")}
    assert ("Car", "automobile") in related[0] > related[1]


def test_each_resource_is_asked_about_its_own_spelling() -> None:
    words = WordSpellings(WORDS)
    assert {"us", "wellknown", "car"} <= set(words.canonical)
    assert {"u.s.", "well-known", "well", "known", "car"} <= set(words.lower)
    found = look_up(
        words,
        synonyms=lexicon.load("none"),
        paraphrases=lexicon.load_paraphrases("none"),
        vectors=Vectors(1e30),
    )
    assert found.vectors is not None
    assert found.vectors[list(words.lower).index("car")] == pytest.approx([0.6, 0.8])
    assert np.linalg.norm(found.vectors, axis=1).tolist() == pytest.approx(
        [float(word == "car") for word in words.lower]
    )


def test_vectors_that_are_not_numbers_are_refused() -> None:
    with pytest.raises(ResourceError, match="MP530"):
        look_up(
            WordSpellings(WORDS),
            synonyms=lexicon.load("none"),
            paraphrases=lexicon.load_paraphrases("none"),
            vectors=Vectors(float("inf")),
        )
