"""Words of other languages by way of English, on parallel text of a few lines."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("training.encoder", reason="a source distribution has no training")

from training.encoder import translations
from training.encoder.translations import by_links

from metaphrase.learning import Links, PackedText, ParallelText
from metaphrase.lexicon import WordVectors


def text(*lines: tuple[str, str]) -> ParallelText:
    own, english = zip(*lines, strict=True)
    return ParallelText(
        *(PackedText.pack([one.split() for one in side]) for side in (own, english))
    )


def diagonal(parallel: ParallelText) -> Links:
    """Word k of each line goes with word k."""
    places = [np.arange(length) for length in np.diff(parallel.source.offsets)]
    flat = np.concatenate(places).astype(np.int32)
    return Links(parallel.source.offsets, flat, flat)


@pytest.fixture
def parallel(monkeypatch: pytest.MonkeyPatch) -> ParallelText:
    monkeypatch.setattr(translations, "_COMMONEST", 1)
    return text(
        *[("das haus", "the house")] * 3,
        *[("das gebäude", "the house")] * 2,
        *[("das gebäude", "the building")] * 2,
        *[("das gebäudes", "the building")] * 2,
        ("das rad", "the bicycle"),
    )


def test_a_word_has_the_mean_vector_of_its_translations(parallel: ParallelText) -> None:
    found = by_links(parallel, diagonal(parallel), WordVectors.default())
    house, building = WordVectors.default().vectors(["house", "building"])
    both = (house + building) / np.linalg.norm(house + building)
    rows = found.vectors_of(["Haus", "gebäude", "unbekannt"])
    assert rows[0] == pytest.approx(house, abs=1e-6)
    assert rows[1] == pytest.approx(both, abs=1e-6)
    assert not rows[2].any()


def test_what_was_linked_once_says_nothing(parallel: ParallelText) -> None:
    found = by_links(parallel, diagonal(parallel), WordVectors.default())
    assert not found.vectors_of(["rad"]).any()


def test_words_of_the_same_translations_are_paraphrases_but_not_forms_of_one(
    parallel: ParallelText,
) -> None:
    found = by_links(parallel, diagonal(parallel), WordVectors.default())
    # das is the commonest word; gebäudes is a form of gebäude and shares nothing with haus.
    assert found.pairs == [("haus", "gebäude")]
