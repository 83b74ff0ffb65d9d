"""sacreBLEU's own tools on our metrics."""

from __future__ import annotations

import numpy as np
import pytest
import sacrebleu
from sacrebleu.significance import PairedTest

from metaphrase import Corpus
from metaphrase.errors import InputError, OptionError
from metaphrase.interchange.sacrebleu_metric import SacrebleuMetric
from metaphrase.metrics import create
from metaphrase.scoring import resample, score
from scoring.refusing import MARK, refusing

REFERENCES = [
    ["The cat sat on the mat .", "He bought a new car .", "It rains in the north ."] * 5,
    ["A cat was sitting there .", "He purchased a car .", "The north has rain ."] * 5,
]
FIRST = ["The cat sits on a mat .", "He bought one car .", "It rained in the north ."] * 5
SECOND = ["Cat mat .", "A new car he has bought .", "Rains north in it ."] * 5


@pytest.mark.parametrize("name", ["tesla-m", "cobalt", "bleu", "chrf", "nist"])
def test_scores_are_ours(name: str) -> None:
    ours, theirs = create(name), SacrebleuMetric(name)
    expected = ours.corpus_score(FIRST, REFERENCES)
    assert theirs.corpus_score(FIRST, REFERENCES).score == expected.score
    assert str(theirs.get_signature()) == str(expected.signature)
    sentence = theirs.sentence_score(FIRST[0], [REFERENCES[0][0]])
    assert sentence.score == ours.sentence_score(FIRST[0], [REFERENCES[0][0]]).score


def test_bleu_through_the_adapter_is_bleu() -> None:
    theirs = sacrebleu.BLEU().corpus_score(FIRST, REFERENCES)
    assert SacrebleuMetric("bleu").corpus_score(FIRST, REFERENCES).score == theirs.score


def test_references_are_kept_for_later_calls() -> None:
    metric = SacrebleuMetric("tesla-m", references=REFERENCES)
    assert metric.corpus_score(FIRST, None).score == metric.corpus_score(FIRST, REFERENCES).score


@pytest.mark.parametrize("test", ["bs", "ar"])
def test_its_paired_test_agrees_with_ours(test: str) -> None:
    """Both draw from NumPy's generator with seed 12345; sacreBLEU rounds statistics to 32 bits."""
    systems = [("first", FIRST), ("second", SECOND)]
    names = {"tesla-m": SacrebleuMetric("tesla-m")}
    signatures, results = PairedTest(systems, names, REFERENCES, test_type=test, n_samples=200)()
    assert "seed:12345" in str(signatures["tesla-m"])
    metrics = [create("tesla-m")]
    scores = score(Corpus(dict(systems), REFERENCES), metrics, keep_statistics=True)
    kind = "sacrebleu-bootstrap" if test == "bs" else "sacrebleu-randomisation"
    ours = resample(scores, metrics, test=kind, resamples=200, seed=12345)
    theirs = results["tesla-m"][1]
    assert theirs.score == ours.systems[1].system["tesla-m"]
    assert theirs.p_value == pytest.approx(ours.systems[1].resampled["tesla-m"].p_value)


def test_intervals_by_bootstrap() -> None:
    found = SacrebleuMetric("tesla-m").corpus_score(FIRST, REFERENCES, n_bootstrap=50)
    assert found._mean == pytest.approx(found.score, abs=0.1)
    assert np.isfinite(found._ci)


#: Segment 2 is one to be refused.
MARKED = [[texts[0], f"{texts[1]} {MARK}", *texts[2:]] for texts in REFERENCES]


class TestRefusedSegments:
    def without(self, texts: list[str]) -> list[str]:
        return texts[:1] + texts[2:]

    @pytest.mark.parametrize("name", ["bleu", "tesla-m", "nist"])
    def test_they_are_left_out_as_if_they_had_not_been_given(self, name: str) -> None:
        metric = SacrebleuMetric(refusing(create(name)), on_error="skip")
        with pytest.warns(UserWarning, match="1 of 15 segments refused"):
            found = metric.corpus_score(FIRST, MARKED)
        kept = [self.without(texts) for texts in REFERENCES]
        assert found.score == SacrebleuMetric(name).corpus_score(self.without(FIRST), kept).score
        assert [(one.segment, one.code) for one in metric.refusals] == [(1, "MP551")]
        assert str(metric.get_signature()).endswith("|skipped:1")
        metric.corpus_score(FIRST, REFERENCES)
        assert "skipped" not in str(metric.get_signature())

    def test_a_paired_test_needs_all_of_them(self) -> None:
        metric = SacrebleuMetric(refusing(create("bleu")), on_error="skip")
        systems = [("first", FIRST), ("second", SECOND)]
        with pytest.raises(InputError, match="MP551"):
            PairedTest(systems, {"bleu": metric}, MARKED, test_type="bs", n_samples=10)()

    def test_a_rule_that_is_none_is_refused(self) -> None:
        with pytest.raises(OptionError, match="MP967"):
            SacrebleuMetric("bleu", on_error="ignore")  # type: ignore[arg-type]


def test_a_metric_of_documents_is_refused() -> None:
    with pytest.raises(OptionError) as raised:
        SacrebleuMetric("pbe:tfidf")
    assert raised.value.code == "MP570"


def test_missing_references_are_refused() -> None:
    metric = SacrebleuMetric("bleu")
    with pytest.raises(InputError) as raised:
        metric.corpus_score(["a"], None)
    assert raised.value.code == "MP571"
    with pytest.raises(InputError) as raised:
        metric.corpus_score(["a", "b"], [["a", None], ["c", None]])
    assert raised.value.code == "MP571"
    for unordered in ({"a", "b"}, [{"a", "b"}], {"a": ["a", "b"]}):
        with pytest.raises(InputError, match="MP571"):
            metric.corpus_score(["a", "b"], unordered)
    with pytest.raises(InputError) as raised:
        metric.corpus_score(["a", "b"], [["a"]])
    assert raised.value.code == "MP102"


def test_nothing_to_score_is_refused() -> None:
    metric = SacrebleuMetric("bleu")
    for hypotheses, references in (([], [[]]), (["a"], []), (["a"], [[]])):
        with pytest.raises(InputError, match="MP571"):
            metric.corpus_score(hypotheses, references)
    with pytest.raises(InputError, match="MP571"):
        metric.sentence_score("a", [])
    with pytest.raises(OptionError, match="MP740"):
        metric.corpus_score(["a"], [["a"]], n_bootstrap=-1)


@pytest.mark.parametrize("name", ["bleu", "chrf"])
def test_none_is_no_reference(name: str) -> None:
    hypotheses = ["the cat sat on the mat", "a dog barks at me", "no"]
    references = [["a cat sat on the mat", None, "no"], [None, "a dog barks at us", "not"]]
    ours, theirs = SacrebleuMetric(name), sacrebleu.metrics.METRICS[name.upper()]()
    assert (
        ours.corpus_score(hypotheses, references).score
        == theirs.corpus_score(hypotheses, references).score
    )
    assert "|nrefs:var|" in str(ours.get_signature())
