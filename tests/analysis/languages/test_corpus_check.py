"""A corpus in the wrong language, or with a wrong file, is said to be so once, with its name and a remedy."""

from __future__ import annotations

import pytest

from analysis.languages.test_recognition import STORY
from metaphrase.analysis.languages.corpus_check import LanguageCheck
from metaphrase.corpus import Corpus

EN, DE, FR, RU, HU = (STORY[code] * 3 for code in ("en", "de", "fr", "ru", "hu"))


def warnings(corpus: Corpus, *languages: str, pieces: int = 1000) -> list[str]:
    check = LanguageCheck(languages)
    for piece in corpus.pieces(pieces):
        check.watch(piece)
    return check.warnings()


def other(texts: list[str]) -> list[str]:
    """Another translation into the same language: the words of each sentence from behind."""
    return [" ".join(reversed(text.split())) for text in texts]


def test_a_proper_corpus_has_none() -> None:
    assert warnings(Corpus({"a": other(EN)}, [EN], sources=DE), "en") == []
    assert warnings(Corpus({"a": other(DE)}, [DE, DE], sources=EN), "de-AT") == []
    assert warnings(Corpus({"a": other(HU)}, [HU], sources=EN), "hu") == []


def test_all_texts_in_another_language_ask_for_it() -> None:
    (one,) = warnings(Corpus({"a": other(DE)}, [DE]), "en")
    assert one == (
        "[MP580] the language given is en (English), but this looks like German: the reference, system a. "
        "If that is right, give -l de."
    )
    (one,) = warnings(Corpus({"a": RU}, [RU]), "en")
    assert "is in the Cyrillic script" in one


def test_one_file_in_another_language_is_named() -> None:
    (one,) = warnings(Corpus({"a": EN, "b": DE}, [EN, EN]), "en")
    assert one.startswith("[MP580]")
    assert one.endswith("looks like German: system b. Check the file.")
    (one,) = warnings(Corpus({"a": EN}, [EN, FR]), "en")
    assert one.endswith("looks like French: reference 2. Check the file.")


def test_a_file_in_two_languages_is_noticed_where_two_thirds_are_wrong() -> None:
    half = [*DE[: len(DE) // 2], *EN[len(EN) // 2 :]]
    assert warnings(Corpus({"a": half}, [DE]), "de") == []
    mostly = [*DE[: len(DE) // 5], *EN[len(EN) // 5 :]]
    (one,) = warnings(Corpus({"a": mostly}, [DE]), "de")
    assert one.startswith("[MP580] the language given is de (German), but this")
    assert one.endswith("system a. Check the file.")


def test_metrics_of_several_languages_allow_each_of_them() -> None:
    assert warnings(Corpus({"a": DE}, [DE]), "en", "de") == []
    (one,) = warnings(Corpus({"a": FR}, [FR]), "en", "de")
    assert "en (English) or de (German)" in one


def test_languages_that_are_not_known_are_compared_with_each_other() -> None:
    (one,) = warnings(Corpus({"a": FR}, [DE]), "hu")
    assert one.startswith("[MP581]")
    assert "German (the reference), French (system a)" in one
    assert warnings(Corpus({"a": DE}, [HU]), "hu") == []  # what is known of it is not enough


def test_the_source_is_no_reference_and_no_translation() -> None:
    (one,) = warnings(Corpus({"a": other(EN)}, [EN], sources=EN), "en")
    assert one.startswith("[MP582] this repeats the source in 100% of the segments: the reference.")
    systems = {"a": DE, "b": EN, "c": DE[:9] + EN[9:]}
    (one,) = warnings(Corpus(systems, [EN], sources=DE), "en")
    assert one.startswith(
        "[MP583] this repeats the source in at least 75% of the segments: system a, system c."
    )


def test_a_few_segments_may_stay_as_they_are() -> None:
    untranslated = DE[:4] + EN[4:]
    assert warnings(Corpus({"a": untranslated}, [EN], sources=DE), "en") == []
    numbers = [str(number) for number in range(20)]
    assert warnings(Corpus({"a": numbers}, [numbers], sources=numbers), "en") == []


def test_the_source_is_in_another_language_than_the_translations() -> None:
    (one,) = warnings(Corpus({"a": EN}, [EN], sources=other(EN)), "en")
    assert one.startswith("[MP584] the source looks like English")
    wrong = warnings(
        Corpus({"a": DE}, [DE], sources=EN), "en"
    )  # the way of translation turned round
    assert [one[:7] for one in wrong] == ["[MP580]", "[MP584]"]


@pytest.mark.parametrize("pieces", [1, 7, 64, 5000])
def test_pieces_make_no_difference_and_the_end_counts(pieces: int) -> None:
    corpus = Corpus({"a": EN * 50 + DE * 450}, [EN * 500])
    (one,) = warnings(corpus, "en", pieces=pieces)
    assert one.endswith("looks like German: system a. Check the file.")


def test_many_systems_are_counted() -> None:
    (one,) = warnings(Corpus({f"s{n}": DE for n in range(40)}, [EN]), "en")
    assert "system s0, system s1, system s2, system s3, system s4 and 35 more" in one
