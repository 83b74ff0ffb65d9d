"""Checks over strings, lists, corpora and units: places lie in the texts, and a good copy has no finding."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metaphrase
from metaphrase.checks import (
    Pair,
    Settings,
    check,
    check_corpus,
    check_pairs,
    file_pairs,
)
from metaphrase.checks.tally import Tally
from metaphrase.corpus import Corpus
from metaphrase.corpus.units import TaggedText, Unit, UnitFile
from metaphrase.errors import InputError

#: Words of a made-up language pair: translated one by one, nothing else changes.
WORDS = {"tree": "Baum", "house": "Haus", "river": "Fluss", "green": "grün", "runs": "läuft"}
#: What a translation keeps.
KEPT = ["%s", "{name}", "{{count}}", "%(n)d", "$t(key)", "<br/>", "17", "3.5", "https://a.org/x"]
PARTS = st.lists(st.sampled_from([*WORDS, *KEPT]), min_size=1, max_size=12)


def apart(parts: list[str]) -> list[str]:
    """The parts without one that repeats the one before."""
    return [part for i, part in enumerate(parts) if i == 0 or part != parts[i - 1]]


@settings(max_examples=50)
@given(PARTS, st.sampled_from([".", "?", "!", ":", ""]))
def test_a_faithful_translation_has_no_finding(parts: list[str], mark: str) -> None:
    parts = apart(parts)
    source = " ".join(["A", *parts]) + mark
    target = " ".join(["Ein", *(WORDS.get(part, part) for part in parts)]) + mark
    found = check(
        source, target, source_language="en", language="de", settings=Settings(off=["language"])
    )
    assert [finding.code for finding in found if finding.code != "numbers/format"] == []


@settings(max_examples=200)
@given(st.text(max_size=60), st.text(max_size=60), st.sampled_from(["", "de", "fr", "es", "zh"]))
def test_places_lie_in_the_texts_whatever_they_are(source: str, target: str, language: str) -> None:
    for finding in check(source, target, source_language="en", language=language):
        text = source if finding.side == "source" else target
        assert 0 <= finding.start <= finding.end <= len(text)
        assert json.loads(json.dumps(finding.as_dict()))["check"] == finding.check


@settings(max_examples=20)
@given(st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20)), max_size=8))
def test_pairs_are_judged_one_by_one(texts: list[tuple[str, str]]) -> None:
    together = check([s for s, _ in texts], [t for _, t in texts], language="de")
    alone = [
        (number, finding.code, finding.start)
        for number, (source, target) in enumerate(texts, 1)
        for finding in check(source, target, language="de")
    ]
    assert [(f.segment, f.code, f.start) for f in together] == alone


def test_strings_lists_and_corpora_are_taken() -> None:
    (one,) = metaphrase.check("12 cats", "13 Katzen", language="de")
    assert (one.code, one.segment) == ("numbers/changed", 1)
    two = check(["A cat.", "12 cats"], ["Eine Katze.", "13 Katzen"], language="de")
    assert [finding.segment for finding in two] == [2]
    corpus = Corpus({"a": ["13 Katzen"], "b": ["12 Katzen"]}, [["12 Katzen"]], sources=["12 cats"])
    found = check_corpus(corpus, source_language="en", language="de")
    assert {name: len(findings) for name, findings in found.items()} == {"a": 1, "b": 0}


def test_texts_that_do_not_belong_together_are_refused() -> None:
    with pytest.raises(InputError, match="MP102"):
        check(["one"], [])
    with pytest.raises(InputError, match="MP893"):
        check_corpus(Corpus({"a": ["x"]}, [["y"]]))
    with pytest.raises(InputError, match=r"MP107.*target is of type set"):
        check(["one"], {"eins"})  # type: ignore[arg-type]


def test_units_are_checked_with_the_languages_of_their_file() -> None:
    file = UnitFile(
        "a.xlf",
        "xliff-1",
        "en",
        "de",
        (
            Unit("save", TaggedText("Save 12"), TaggedText("Sichern 21"), max_length=8),
            Unit("open", TaggedText("Open")),
            Unit("code", TaggedText("x %s"), TaggedText("x"), translate=False),
        ),
    )
    found = [finding for _, findings in check_pairs(file_pairs(file)) for finding in findings]
    assert [(f.unit, f.segment, f.code) for f in found] == [
        ("save", 1, "length/limit"),
        ("save", 1, "numbers/changed"),
        ("open", 2, "empty/not-yet"),
    ]


def test_a_tally_counts_what_went_by() -> None:
    tally = Tally()
    for _, findings in check_pairs(
        [Pair("12", "13"), Pair("It works.", "Es geht"), Pair("c", "d")]
    ):
        tally.add(findings)
    assert (tally.segments, tally.faulty) == (3, 2)
    assert (tally.at_least("critical"), tally.at_least("minor")) == (1, 2)
    assert tally.as_dict()["codes"] == {"numbers/changed": 1, "punctuation/end": 1}


def test_very_long_segments_are_checked_for_their_length_alone() -> None:
    long = "<a x=1 " * 10_000
    limited = Settings(max_characters=100)
    assert [finding.code for finding in check("12", long, settings=limited)] == ["length/limit"]


@pytest.mark.parametrize("length", [26, 30, 5000])
def test_numbers_may_have_any_length(length: int) -> None:
    number = "9" * length
    assert check(f"It is {number}.", f"Es ist {number}.", language="de") == []
    changed = check(f"It is {number}.", f"Es ist {number[:-1]}8.", language="de")
    assert [finding.code for finding in changed] == ["numbers/changed"]
    assert check(f"{number} million", f"{number} Millionen", language="de") == []
