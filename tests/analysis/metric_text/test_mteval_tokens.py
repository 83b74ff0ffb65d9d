"""Words are those of sacreBLEU's tokeniser 13a, which has mteval-v13a's."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from metaphrase.analysis.metric_text.mteval_tokens import mteval_tokens

PIECES = [*"ab019.,,--'/ \n\t\u00a0é雨{~[`!&;(+:@_\r\ud800", "&quot;", "&amp;", "lt;", "<skipped>"]
texts = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)


@settings(max_examples=300)
@given(lines=st.lists(texts, max_size=5))
@example(lines=[".", ".5", "5.", "", "-", "5-"])
def test_words_are_sacrebleus(lines: list[str]) -> None:
    tokenise = Tokenizer13a()
    assert [text.split() for text in mteval_tokens(lines)] == [
        tokenise(line).split() for line in lines
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        # mteval-v13a: a point is a word unless digits are on both sides, a hyphen if a digit is before it.
        ("It cost 3.50, not 1990-ish.", "It cost 3.50 , not 1990 - ish ."),
        ("well-known &quot;U.S.&quot; AT&amp;T", 'well-known " U . S . " AT & T'),
    ],
)
def test_examples(text: str, words: str) -> None:
    assert mteval_tokens([text])[0].split() == words.split()
