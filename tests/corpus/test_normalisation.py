"""One form of a text, however it was typed, and where each of its characters comes from."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from metaphrase.corpus import Corpus
from metaphrase.corpus.normalisation import NormalisedText, is_blank, normalise
from metaphrase.errors import InputError

#: Everything that is folded or removed, and what stands beside it: letters that compose, digits, spaces.
MARKS = "“”„«»‹›‘’‚′″´–—―−-‑…⋯‥.'\"()"
SPACES = " \t\u00a0\u202f\u3000\u2009"
INVISIBLE = "\xad\u200b\u200c\u200d\u200e\u202a\u2060\u2066\ufeff\ufe0f\ufe00\U000e0100\ufff9"
OTHERS = "aez09é中\u0301\u0323\u0338<=\u0344\u1100\u1161\u11a8\u09c7\u09be\u1ffd\u2126\u2800"
variants = st.text(MARKS + SPACES + INVISIBLE + OTHERS, max_size=12)
any_text = variants | st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@pytest.mark.parametrize(
    "texts",
    [
        ["can't", "can’t", "can‘t", "can´t", "canʼt"],
        ['"yes"', "“yes”", "„yes“", "»yes«", "«yes»", "« yes »", "«\u202fyes\u00a0»", "＂yes＂"],
        ["'yes'", "‘yes’", "‚yes‘", "‹yes›", "‹ yes ›"],
        ['("yes")', "(« yes »)"],
        ["wait...", "wait…", "wait……", "wait⋯⋯"],
        ["well-known", "well‐known", "well‑known", "well−known"],
        ["he came - and went", "he came—and went", "he came — and went", "he came – and went"],
        ["1941-1945", "1941–1945", "1941—1945", "1941−1945"],
        ["- Yes", "— Yes", "—Yes", "– Yes"],
        ["café", "cafe\u0301", "cafe\u200b\u0301", "\ufeffcafé"],
        ["cooperation", "co\xadoperation", "co\u200boperation", "co\u2060operation"],
        ["10 000", "10\u00a0000", "10\u202f000", "10\u2009000"],
        ["می\u200cخواهم", "میخواهم"],
        ["שלום", "\u200fשלום\u200e", "\u2067שלום\u2069"],
        ["❤", "❤\ufe0f", "❤\ufe0e"],
        ["葛", "葛\U000e0100", "葛\ufe00"],  # one character in two shapes
        ["Å", "A\u030a", "\u212b"],
        ["한글", unicodedata.normalize("NFD", "한글")],
    ],
    ids=lambda texts: texts[0],
)
def test_the_same_text_is_the_same_text(texts: list[str]) -> None:
    assert len({normalise(text) for text in texts}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("its", "it's"),
        ("résumé", "resume"),
        ("ﬁne", "fine"),  # compatible, but not canonically equal
        ("你好，", "你好,"),
        ("「はい」", '"はい"'),
        ("--", "—"),  # ASCII stays as it is
        ("Oui !", "Oui!"),
        ("x²", "x2"),
        ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"),  # England and Scotland are spelled with tags
    ],
)
def test_what_is_more_than_typography_stays(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


def test_spaces_around_german_quotes_are_between_words() -> None:
    assert normalise("Er sagt »ja« und »nein« dazu.") == 'Er sagt "ja" und "nein" dazu.'


@given(any_text)
@example("“a — »\u00a0b«")
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    assert unicodedata.is_normalized("NFC", once)


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_is_its_own_form(text: str) -> None:
    assert normalise(text) is text


@given(any_text)
def test_what_can_be_seen_does_not_vanish(text: str) -> None:
    hidden = {*INVISIBLE, "\u2800"}
    seen = [c for c in text if not c.isspace() and c not in hidden]
    if any(
        unicodedata.category(c)[0] in "LNPS" and c not in "\u115f\u1160\u3164\uffa0" for c in seen
    ):
        assert normalise(text).strip()
        assert not is_blank(text)


@given(st.text(INVISIBLE + SPACES + "\n"))
def test_what_cannot_be_seen_is_blank(text: str) -> None:
    assert is_blank(text)


@given(any_text)
@example("\x85a\u2000—\u0344\u1680")
def test_positions_lead_back(text: str) -> None:
    found = NormalisedText.of(text)
    assert found.text == normalise(text)
    assert len(found.starts) == len(found.ends) == len(found.text)
    for spans in (found.starts, found.ends):
        assert list(spans) == sorted(spans)
    assert all(
        0 <= start <= end <= len(text) for start, end in zip(found.starts, found.ends, strict=True)
    )
    # Each character comes from characters that are normalised to it, or to more.
    for place, character in enumerate(found.text):
        origin = text[slice(*found.in_original(place, place + 1))]
        assert character in normalise(origin) or character == " "


@pytest.mark.parametrize(
    ("text", "word", "original"),
    [
        ("so co\xadoperate now", "cooperate", "co\xadoperate"),
        ("the cafe\u0301 here", "café", "cafe\u0301"),
        ("well… then", "...", "…"),
        ("he came—and went", "and", "and"),
        ("he came—and went", "-", "—"),
        ("\u200b« oui »", "oui", "oui"),
        ("« oui »", '"', "«"),
    ],
)
def test_a_word_is_found_in_the_original(text: str, word: str, original: str) -> None:
    found = NormalisedText.of(text)
    start = found.text.index(word)
    first, last = found.in_original(start, start + len(word))
    assert text[first:last] == original
    start, end = found.from_original(first, last)
    assert found.text[start:end] == word or word == "..."


class TestCorpus:
    def test_texts_are_normalised_once(self) -> None:
        corpus = Corpus({"a": ["can’t", "no"]}, [["can't", "no…"]], sources=["“ja”", "nein"])
        assert corpus.normalised is corpus.normalised
        assert corpus.normalised.systems["a"] == ("can't", "no")
        assert corpus.normalised.references == (("can't", "no..."),)
        assert corpus.normalised.sources == corpus.sources

    def test_a_corpus_without_variants_is_its_own_form(self) -> None:
        corpus = Corpus({"a": ["plain", "Grüße"]}, [["plain", "日本"]])
        assert corpus.normalised is corpus

    def test_an_invisible_reference_is_empty(self) -> None:
        with pytest.raises(InputError, match="MP105"):
            Corpus({"a": ["yes"]}, [["\u200b\ufeff"]])
        assert len(Corpus({"a": ["\u200d \u2060"]}, [["\u200b"]])) == 1
