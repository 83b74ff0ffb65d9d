"""Doubled words, blanks, punctuation and lengths, by the rules of the language."""

from __future__ import annotations

import pytest

from checks.conftest import Codes
from metaphrase.checks import Pair, Settings, check, check_pairs


@pytest.mark.parametrize(
    ("source", "target", "languages", "expected"),
    [
        ("In der Mitte", "In the the middle", "de-en", 1),
        ("In der Mitte", "In the The middle", "de-en", 0),
        ("Sie hatte gehabt", "She had had it", "de-en", 0),
        ("those who", "die die Kommission", "en-de", 0),
        ("we ask ourselves", "nous nous demandons", "en-fr", 0),
        ("Duran Duran", "Duran Duran", "en-de", 0),
        ("evil", "evil evil evil", "de-en", 0),
        ("slowly", "yavaş yavaş", "en-tr", 0),
        ("1 1", "1 1", "en-de", 0),
        ("%s %s", "%s %s", "en-de", 0),
        ("a word", "ein ein Wort", "en-de", 1),
    ],
)
def test_a_doubled_word_is_found_unless_grammar_doubles_it(
    source: str, target: str, languages: str, expected: int, codes: Codes
) -> None:
    assert len(codes(source, target, languages, only="doubled-words")) == expected


@pytest.mark.parametrize(
    ("source", "target", "languages", "expected"),
    [
        ("Name: ", "Name: ", "en-de", []),
        ("Name: ", "Name:", "en-de", ["spaces/trailing"]),
        ("Name: ", "姓名：", "en-zh", []),
        (" of", "von", "en-de", ["spaces/leading"]),
        ("End\n", "Ende", "en-zh", ["spaces/trailing"]),
        ("a b", "a  b", "en-de", ["spaces/double"]),
        ("a.  b", "a.  b", "en-de", []),
        ("a ", "a\u00a0", "en-de", []),
    ],
)
def test_blanks_are_those_of_the_source(
    source: str, target: str, languages: str, expected: list[str], codes: Codes
) -> None:
    assert codes(source, target, languages, only="spaces") == expected


@pytest.mark.parametrize(
    ("source", "target", "languages", "expected"),
    [
        ("It works.", "Es geht.", "en-de", []),
        ("It works.", "可以。", "en-zh", []),
        ("Does it work?", "可以吗？", "en-zh", []),
        ("Does it work?", "Λειτουργεί;", "en-el", []),
        ("Does it work?", "هل يعمل؟", "en-ar", []),
        ("Wait…", "Warte...", "en-de", []),
        ('He said "no".', "Er sagte „nein.“", "en-de", []),
        ("It works.", "มันทำงาน", "en-th", []),
        ("Oct.", "十月", "en-zh", []),
        ("at 6 a.m.", "um 6 Uhr", "en-de", []),
        ("It works.", "Es geht", "en-de", ["punctuation/end"]),
        ("Does it work?", "Es geht.", "en-de", ["punctuation/end"]),
        ("Name:", "Name", "en-de", ["punctuation/end"]),
        ("It works.", "可以", "en-zh", ["punctuation/end"]),
        ("Does it work?", "¿Funciona?", "en-es", []),
        ("Does it work?", "Funciona?", "en-es", ["punctuation/opening"]),
        ("Stop!", "Alto!", "en-es", ["punctuation/opening"]),
        ("Does it work?", "Ça marche\u202f?", "en-fr", []),
        ("Does it work?", "Ça marche?", "en-fr", ["punctuation/french-space"]),
        ("Does it work?", "Ça marche?", "en-fr-CA", []),
        ("Yahoo!", "Yahoo!", "en-fr", []),
        ("Ça marche ?", "Does it work ?", "fr-en", ["punctuation/space-before"]),
        ("one , two .", "eins , zwei .", "en-de", []),
        ("one, two", "eins , zwei", "en-de", ["punctuation/space-before"]),
    ],
)
def test_marks_follow_the_source_and_the_language(
    source: str, target: str, languages: str, expected: list[str], codes: Codes
) -> None:
    assert codes(source, target, languages, only="punctuation") == expected


def test_lengths_are_limited_by_the_file_and_by_options() -> None:
    pair = Pair("Save", "Abspeichern", max_length=8)
    ((_, (finding,)),) = check_pairs([pair], Settings(only=["length"]))
    assert (finding.code, finding.start, finding.end) == ("length/limit", 8, 11)
    assert not check("Save", "Abspeichern", settings=Settings(only=["length"]))
    strict = Settings(only=["length"], max_characters=10, max_ratio=2.5)
    found = check("Save", "Abspeichern", settings=strict)
    assert sorted(f.code for f in found) == ["length/limit", "length/ratio"]
