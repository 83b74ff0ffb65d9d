"""BLEU, chrF, chrF++ and TER give sacreBLEU's numbers at every level."""

from __future__ import annotations

import numpy as np
import pytest
import sacrebleu.metrics
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase import Bleu, Chrf, ChrfPlusPlus, Corpus, Ter, score
from metaphrase.analysis.metric_text.sacrebleu_tokens import TOKENISERS
from metaphrase.errors import OptionError
from metaphrase.metrics import compare, create
from oracle.sacrebleu_numbers import same_as_sacrebleu

HYPOTHESES = ["The cat sat on the mat.", "He no remember it", "", "A dog !"]
REFERENCES = [
    ["The cat is sitting on the mat.", "He doesn't remember it.", "Nothing.", "A dog!"],
    ["There is a cat on the mat.", "He does not recall it.", "No.", "One dog!"],
]

# Our metric, sacreBLEU's for sums, sacreBLEU's for single sentences (its command line scores
# sentences with the effective order).
TWINS = [
    (Bleu(), sacrebleu.metrics.BLEU(), sacrebleu.metrics.BLEU(effective_order=True)),
    (
        Bleu(lowercase=True, smooth_method="add-k", smooth_value=1, tokenize="intl"),
        sacrebleu.metrics.BLEU(True, False, "intl", "add-k", 1),
        sacrebleu.metrics.BLEU(True, False, "intl", "add-k", 1, effective_order=True),
    ),
    (Chrf(), sacrebleu.metrics.CHRF(), sacrebleu.metrics.CHRF()),
    (ChrfPlusPlus(), sacrebleu.metrics.CHRF(word_order=2), sacrebleu.metrics.CHRF(word_order=2)),
    (Ter(), sacrebleu.metrics.TER(), sacrebleu.metrics.TER()),
]


@pytest.mark.parametrize(("ours", "sums", "sentences"), TWINS)
@pytest.mark.parametrize("references", [REFERENCES[:1], REFERENCES])
def test_every_level_equals_sacrebleu(ours, sums, sentences, references) -> None:
    documents = ["x", "x", "y", "y"]
    corpus = Corpus({"s": HYPOTHESES}, references, documents=documents)
    scores = score(corpus, [ours], levels=["system", "document", "segment"])

    def ours_at(level: str) -> list[float]:
        return scores.values(system="s", metric=ours.label, level=level).tolist()

    whole = sums.corpus_score(HYPOTHESES, references).score
    assert ours_at("system") == same_as_sacrebleu([whole])
    halves = [slice(0, 2), slice(2, 4)]
    assert ours_at("document") == same_as_sacrebleu(
        [
            sums.corpus_score(HYPOTHESES[half], [r[half] for r in references]).score
            for half in halves
        ]
    )
    assert ours_at("segment") == same_as_sacrebleu(
        [
            sentences.sentence_score(h, [r[i] for r in references]).score
            for i, h in enumerate(HYPOTHESES)
        ]
    )


texts = st.text(st.sampled_from("abAB1.,-&;!'€ \t\n\u2003\u3000雨伞。🙂ßİ"), max_size=25)
segments = st.integers(1, 3).flatmap(
    lambda references: st.lists(
        st.tuples(texts, st.tuples(*[texts.filter(str.strip)] * references)),
        min_size=1,
        max_size=4,
    )
)


@settings(max_examples=250)
@given(
    rows=segments,
    tokeniser=st.sampled_from(TOKENISERS),
    lowercase=st.booleans(),
    orders=st.integers(1, 5),
)
def test_the_counts_of_bleu_are_sacrebleus(
    rows: list[tuple[str, tuple[str, ...]]], tokeniser: str, lowercase: bool, orders: int
) -> None:
    hypotheses = [hypothesis for hypothesis, _ in rows]
    references = list(zip(*(own for _, own in rows), strict=True))
    ours = Bleu(tokenize=tokeniser, lowercase=lowercase, max_ngram_order=orders)
    theirs = sacrebleu.metrics.BLEU(lowercase, tokenize=tokeniser, max_ngram_order=orders)
    (comparison,) = compare(Corpus({"s": hypotheses}, references), ours)
    counts = np.array(theirs._extract_corpus_statistics(hypotheses, references))
    assert ours.statistics(comparison).tolist() == counts.tolist()


def test_the_signature_is_sacrebleus() -> None:
    theirs = sacrebleu.metrics.BLEU()
    theirs.corpus_score(HYPOTHESES, REFERENCES)
    items = dict(item.split(":", 1) for item in str(theirs.get_signature()).split("|"))
    items["sacrebleu"] = items.pop("version")
    assert dict(Bleu(effective_order=True).signature(2).items) == items | {"eff": "yes"}
    # Our segments are always scored with the effective order.
    assert dict(Bleu().signature(2).items) == items | {"eff": "segments"}


def test_options_that_sacrebleus_signature_lacks_are_added() -> None:
    assert "|beta:3|" in str(Chrf(beta=3).signature(1))
    assert "|max_ngram_order:2|" in str(Bleu(max_ngram_order=2).signature(1))
    assert "beta" not in str(Chrf().signature(1))


def test_no_tokenisation_is_not_the_default_tokenisation() -> None:
    assert dict(create("bleu:tokenize=none").signature(1).items)["tok"] == "none"
    assert dict(create("bleu:tokenize=default").signature(1).items)["tok"] == "13a"


def test_a_smooth_value_needs_a_method_that_takes_it() -> None:
    with pytest.raises(OptionError, match="MP508"):
        create("bleu:smooth_value=1")


def test_a_tokeniser_that_would_download_is_refused() -> None:
    with pytest.raises(OptionError, match="MP511"):
        Bleu(tokenize="flores200")


@pytest.mark.parametrize(
    ("lang", "tokeniser", "hypothesis", "reference"),
    [
        ("zh", "zh", "我们昨天去了北京。", "我们昨天去了上海。"),
        ("th", "char", "ฉันไปกรุงเทพเมื่อวานนี้", "ฉันไปเชียงใหม่เมื่อวานนี้"),
        ("de", "13a", "Die Katze saß auf der Matte.", "Die Katze saß auf einer Matte."),
    ],
)
def test_the_language_chooses_the_words_of_bleu(
    lang: str, tokeniser: str, hypothesis: str, reference: str
) -> None:
    chosen = create("bleu", lang=lang)
    assert dict(chosen.signature(1).items)["tok"] == tokeniser
    theirs = sacrebleu.metrics.BLEU(tokenize=tokeniser, effective_order=True)
    expected = theirs.sentence_score(hypothesis, [reference]).score
    assert [chosen.sentence_score(hypothesis, [reference]).score] == same_as_sacrebleu([expected])
    assert dict(create("bleu:tokenize=none", lang=lang).signature(1).items)["tok"] == "none"
