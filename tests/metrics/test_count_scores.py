"""Scores of many rows of counts, and BLEU's counts, are sacreBLEU's to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
import sacrebleu.metrics
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase import Bleu, Chrf, ChrfPlusPlus, Ter
from metaphrase._core import ngrams
from metaphrase.metrics.comparison import Comparison
from oracle.sacrebleu_numbers import same_as_sacrebleu

BLEU = sacrebleu.metrics.BLEU
TWINS = [
    (Bleu(), BLEU()),
    (Bleu(effective_order=True), BLEU(effective_order=True)),
    (Bleu(smooth_method="none"), BLEU(smooth_method="none")),
    (Bleu(smooth_method="floor"), BLEU(smooth_method="floor")),
    (Bleu(smooth_method="add-k"), BLEU(smooth_method="add-k")),
    (
        Bleu(smooth_method="floor", smooth_value=0.3, effective_order=True),
        BLEU(smooth_method="floor", smooth_value=0.3, effective_order=True),
    ),
    (Bleu(max_ngram_order=2), BLEU(max_ngram_order=2)),
    (Chrf(), sacrebleu.metrics.CHRF()),
    (Chrf(eps_smoothing=True, beta=3), sacrebleu.metrics.CHRF(eps_smoothing=True, beta=3)),
    (ChrfPlusPlus(), sacrebleu.metrics.CHRF(word_order=2)),
    (Ter(), sacrebleu.metrics.TER()),
]
# Words in which n-grams repeat, and white space of every kind that Python knows.
TEXTS = st.lists(
    st.sampled_from(["a", "b", "c.", "Ä", "\u2003", "\u00a0", "\t", "x\x1fy"]), max_size=12
)


def counts(twin: object, seed: int) -> np.ndarray:
    """Rows of small counts, many of them zero, as short or empty segments have."""
    generator = np.random.default_rng(seed)
    columns = len(twin._extract_corpus_statistics(["a"], [["a"]])[0])  # type: ignore[attr-defined]
    rows = generator.integers(0, 30, size=(60, columns))
    rows[generator.random(rows.shape) < 0.3] = 0
    return rows.astype(float)


@pytest.mark.parametrize(("ours", "theirs"), TWINS)
@pytest.mark.parametrize("seed", range(5))
def test_scores_of_counts_equal_sacrebleus(ours, theirs, seed) -> None:
    rows = counts(theirs, seed)
    expected = [theirs._compute_score_from_stats(row.tolist()).score for row in rows]
    scores = ours.score(rows)
    assert scores.tolist() == same_as_sacrebleu(expected)
    assert np.array_equal(ours.score(rows.reshape(6, 10, -1)), scores.reshape(6, 10))


@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=4), st.integers(1, 6))
@settings(max_examples=150)
def test_bleus_counts_equal_sacrebleus(segments, orders) -> None:
    hypotheses, first, second = (
        [" ".join(s) for s in side] for side in zip(*segments, strict=True)
    )
    ours = Bleu(max_ngram_order=orders, tokenize="none")
    theirs = BLEU(max_ngram_order=orders, tokenize="none")
    comparison = Comparison(hypotheses=hypotheses, references=[first, second])
    expected = theirs._extract_corpus_statistics(hypotheses, [first, second])
    for threads in (1, 3):
        assert ours.statistics(comparison, threads=threads).tolist() == expected


def test_the_core_refuses_texts_that_do_not_belong_together() -> None:
    none, one, two = (ngrams.tokenise(texts, "13a", 1) for texts in ([], ["a"], ["a", "b"]))
    for arguments in ((one, [two], 4), (one, [], 4), (one, [one], 0)):
        with pytest.raises(ValueError, match="must be"):
            ngrams.matches(*arguments, 1)
    assert ngrams.matches(none, [none], 4, 1).shape == (0, 10)
    with pytest.raises(ValueError, match="no tokeniser"):
        ngrams.tokenise(["a"], "14a", 1)


def test_the_core_refuses_counts_of_other_metrics() -> None:
    for columns in (2, 3, 5):
        with pytest.raises(ValueError, match="BLEU has"):
            ngrams.bleu_scores(np.ones((1, columns)), "exp", 0.0, True)
    for columns in (0, 2, 4):
        with pytest.raises(ValueError, match="chrF has"):
            ngrams.chrf_scores(np.ones((1, columns)), 4.0, False)
    with pytest.raises(ValueError, match="no smoothing"):
        ngrams.bleu_scores(np.ones((1, 10)), "linear", 0.0, True)
