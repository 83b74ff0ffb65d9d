"""chrF's scores are sacreBLEU's under all options, with one reference and with several."""

from __future__ import annotations

from itertools import product
from typing import Any

import sacrebleu.metrics
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase import Chrf

texts = st.text(st.sampled_from("abAB (.)!' \t\u2003\u3000雨伞🙂ßİ"), max_size=25)
OPTIONS: list[dict[str, Any]] = [
    dict(
        zip(
            ("char_order", "word_order", "lowercase", "whitespace", "eps_smoothing", "beta"),
            chosen,
            strict=True,
        )
    )
    for chosen in product((1, 6), (0, 2), (False, True), (False, True), (False, True), (2, 3))
]


@settings(max_examples=250)
@given(
    hypothesis=texts,
    references=st.lists(texts.filter(str.strip), min_size=1, max_size=3),
    options=st.sampled_from(OPTIONS),
)
def test_scores_are_sacrebleus(
    hypothesis: str, references: list[str], options: dict[str, Any]
) -> None:
    ours = Chrf(**options).sentence_score(hypothesis, references).score
    theirs = sacrebleu.metrics.CHRF(**options)
    assert ours == theirs.sentence_score(hypothesis, references).score


def test_of_equally_good_references_the_first_counts() -> None:
    """Sums over segments show which one was taken: their lengths differ."""
    hypotheses, references = ["ab", "abcdef"], [["xyz", "abcdef"], ["xyzxyz", "abcdef"]]
    ours = Chrf().corpus_score(hypotheses, references).score
    assert ours == sacrebleu.metrics.CHRF().corpus_score(hypotheses, references).score
    assert ours != Chrf().corpus_score(hypotheses, references[::-1]).score
