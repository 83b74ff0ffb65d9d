"""Inline tags are all there, in order and properly nested, whether the file or the text has them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checks.conftest import Codes
from metaphrase.checks import Finding, Pair, Settings, check_pairs
from metaphrase.corpus.units import InlineTag

OPEN, CLOSE = InlineTag("open", "1", '<g id="1">', 4), InlineTag("close", "1", "</g>", 8)
BREAK = InlineTag("standalone", "2", '<x id="2"/>', 8)


def found(source: list[InlineTag], target: list[InlineTag]) -> list[Finding]:
    pair = Pair("The text here", "Der Text hier", "en", "de", tuple(source), tuple(target))
    ((_, findings),) = check_pairs([pair], Settings(only=["tags"]))
    return list(findings)


def codes_of(source: list[InlineTag], target: list[InlineTag]) -> list[str]:
    return [finding.code for finding in found(source, target)]


def test_tags_of_a_file_are_compared_by_their_ids() -> None:
    assert codes_of([OPEN, CLOSE, BREAK], [OPEN, CLOSE, BREAK]) == []
    assert codes_of([OPEN, CLOSE], []) == ["tags/missing", "tags/missing"]
    assert codes_of([], [BREAK]) == ["tags/added"]
    assert codes_of([OPEN, CLOSE, BREAK], [BREAK, OPEN, CLOSE]) == ["tags/order"]
    assert codes_of([OPEN, CLOSE], [CLOSE, OPEN]) == ["tags/nesting"]


def test_pairs_that_overlap_are_badly_nested() -> None:
    second = InlineTag("open", "2", '<g id="2">', 5), InlineTag("close", "2", "</g>", 9)
    good = [OPEN, second[0], second[1], CLOSE]
    assert codes_of(good, good) == []
    assert codes_of(good, [OPEN, second[0], CLOSE, second[1]]) == ["tags/nesting"]


def test_a_tag_of_a_file_has_a_place_but_no_width() -> None:
    (finding,) = found([], [BREAK])
    assert (finding.start, finding.end, finding.found) == (8, 8, '<x id="2"/>')


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("<b>bold</b>", "<b>fett</b>", []),
        ("<b>bold</b> <i>and</i>", "<i>und</i> <b>fett</b>", ["tags/order"]),
        ("<b>bold</b>", "fett", ["tags/missing", "tags/missing"]),
        ("<b>bold</b>", "<b>fett</i>", ["tags/missing", "tags/added", "tags/nesting"]),
        ("one<br>two", "eins<br/>zwei", []),
        ('<a href="x">link</a>', '<a href="x">Verweis</a>', []),
        ("a < b and b > c", "a ist kleiner als b", []),
        ("I <3 you", "Ich liebe dich", []),
        ("<0>one</0>", "<0>eins</0>", []),
        ("<empty>", "<leer>", []),
        ("<missing product>", "<fehlendes Produkt>", []),
        ("<mytag>one</mytag>", "eins", ["tags/missing", "tags/missing"]),
    ],
)
def test_tags_in_the_text_are_compared_by_name(
    source: str, target: str, expected: list[str], codes: Codes
) -> None:
    assert sorted(codes(source, target, only="tags")) == sorted(expected)


def test_a_source_that_is_badly_nested_itself_is_no_model(codes: Codes) -> None:
    assert codes("<p>one<p>two", "<p>eins<p>zwei", only="tags") == []


@given(st.text("<>/ab r=\"'1&;#", max_size=40), st.text("<>/ab r=\"'1&;#", max_size=40))
def test_places_lie_in_the_text_whatever_it_is(source: str, target: str) -> None:
    for pair, findings in check_pairs([Pair(source, target)], Settings(only=["tags"])):
        for finding in findings:
            text = pair.source if finding.side == "source" else pair.target
            assert 0 <= finding.start <= finding.end <= len(text)
