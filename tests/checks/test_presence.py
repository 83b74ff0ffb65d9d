"""Targets that are empty, repeat the source or are in another language."""

from __future__ import annotations

import pytest

from checks.conftest import Codes
from metaphrase.checks import Pair, Settings, check_pairs

ENGLISH = "The weather was fine, and so the children went down to the river."
GERMAN = "Das Wetter war schön, und so gingen die Kinder hinunter zum Fluss."


CHINESE = "天气很好，孩子们就到河边去了。"


@pytest.mark.parametrize(
    ("target", "languages"),
    [
        (f"{ENGLISH} {GERMAN}", {"fr-de": [], "fr-en": [], "fr-zh": ["language"]}),
        (f"{GERMAN} {ENGLISH}", {"fr-de": [], "fr-en": [], "fr-zh": ["language"]}),
        # Where one language has nearly all of it, it is a text in this one.
        (f"{GERMAN} {ENGLISH} {ENGLISH} {ENGLISH}", {"fr-de": ["language"], "fr-en": []}),
        # A sign of Chinese counts for several letters; in a third of the text both scripts are expected.
        (f"{CHINESE}{ENGLISH}", {"fr-zh": [], "fr-en": [], "fr-ru": ["language"]}),
    ],
)
def test_a_target_in_two_languages_is_in_each_that_has_much_of_it(
    target: str, languages: dict[str, list[str]], codes: Codes
) -> None:
    source = "Il faisait beau, et les enfants descendirent à la rivière."
    for pair, expected in languages.items():
        assert codes(source, target, pair, only="language") == expected


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("Yes.", "", ["empty/target"]),
        ("Yes.", "  ", ["empty/target"]),
        ("", "Ja.", ["empty/source"]),
        ("", "", []),
        ("Yes.", "\u200b \ufeff", ["empty/target"]),
        ("\u00ad", "Ja.", ["empty/source"]),
        ("\u200e", "\u2060", []),
        ("Yes.", "Ja.", []),
    ],
)
def test_an_empty_side_is_found(
    source: str, target: str, expected: list[str], codes: Codes
) -> None:
    assert codes(source, target, only="empty") == expected


def test_what_nobody_has_translated_yet_is_less_bad() -> None:
    pairs = [Pair("Yes.", ""), Pair("Yes.", "", is_translated=False)]
    found = [finding for _, findings in check_pairs(pairs) for finding in findings]
    assert [(f.code, f.severity) for f in found] == [
        ("empty/target", "critical"),
        ("empty/not-yet", "minor"),
    ]


@pytest.mark.parametrize(
    ("text", "languages", "expected"),
    [
        (ENGLISH, "en-de", ["untranslated/segment"]),
        (ENGLISH, "en-en-GB", []),
        ("Cancel", "en-de", ["untranslated/short"]),
        ("Angela Merkel", "en-de", []),
        ("Winston Churchill, Ava Gardner, Frank Sinatra", "en-de", []),
        ("Spiegel (spiegel.de)", "en-cs", []),
        ("12,5 %", "en-de", []),
        ("OK", "en-de", []),
        ("HTML", "en-de", []),
        ("{name} %s", "en-de", []),
        ("https://example.com/a", "en-de", []),
        ("file_name.txt", "en-de", []),
    ],
)
def test_a_repeated_source_is_found_unless_it_is_a_name_or_a_code(
    text: str, languages: str, expected: list[str], codes: Codes
) -> None:
    assert codes(text, text, languages, only="untranslated") == expected


@pytest.mark.parametrize(
    ("source", "target", "languages", "expected"),
    [
        (ENGLISH, GERMAN, "en-de", []),
        (ENGLISH, GERMAN, "en-fr", ["language"]),
        (ENGLISH, GERMAN, "en-ru", ["language"]),
        (ENGLISH, "Погода была хорошая, и дети пошли к реке.", "en-ru", []),
        (ENGLISH, "Погода была хорошая, и дети пошли к реке.", "en-de", ["language"]),
        ("The taxi driver Şehmuz in Diyarbakır", "Taksi Şehmuz Diyarbakır", "tr-en", []),
        ("Windows", "Microsoft Windows Server", "en-zh", []),
        (ENGLISH, GERMAN, "en-xx", []),
    ],
)
def test_another_language_or_script_is_found(
    source: str, target: str, languages: str, expected: list[str], codes: Codes
) -> None:
    assert codes(source, target, languages, only="language") == expected


def test_what_repeats_the_source_is_told_once(codes: Codes) -> None:
    assert codes(ENGLISH, ENGLISH, settings=Settings()) == ["untranslated/segment"]
