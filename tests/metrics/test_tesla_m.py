"""TESLA-M against METRICS 3: golden cases, worked example, properties, options."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from metaphrase import TeslaM
from metaphrase.analysis import Batch, Sentence
from metaphrase.errors import OptionError
from metaphrase.metrics import Analysed, Comparison
from metaphrase.metrics.tesla_m.metric import FEATURES

# 40 random cases whose expected values come from the LP of METRICS 3.4 solved by HiGHS.
GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "tesla_m_cases.json").read_text())

REFERENCE = "The cat sat on the mat."
HYPOTHESIS = "A feline sits on the mat."


def sentence(words: list[tuple[str, str]]) -> Sentence:
    forms = tuple(lemma for lemma, _ in words)
    starts = np.cumsum([0, *(len(form) + 1 for form in forms)])[: len(forms)].tolist()
    return Sentence(
        text=" ".join(forms),
        form=forms,
        start=tuple(starts),
        end=tuple(s + len(form) for s, form in zip(starts, forms, strict=True)),
        lemma=forms,
        tag=tuple(tag for _, tag in words),
    )


def tagged(text: str) -> list[tuple[str, str]]:
    return [tuple(word.split("/")) for word in text.split()]


def compared(hypothesis: list, *references: list) -> Comparison:
    """A comparison of words that are given with their lemmas and tags."""
    rows = [sentence(words) for words in (hypothesis, *references)]
    batch = Batch.pack(rows, ["lemma", "tag"])
    return Comparison(
        hypotheses=[rows[0].text],
        references=[[row.text] for row in rows[1:]],
        sentences=Analysed(
            batch,
            np.array([0], np.int32),
            [np.array([i], np.int32) for i in range(1, len(rows))],
        ),
    )


@pytest.fixture(scope="module")
def golden_synonyms(tmp_path_factory: pytest.TempPathFactory) -> str:
    sets: dict[str, list[str]] = {}
    for word, numbers in GOLDEN["synsets"].items():
        for number in numbers:
            sets.setdefault(number, []).append(word)
    path = tmp_path_factory.mktemp("lexicon") / "synonyms.tsv"
    path.write_text("".join("\t".join(words) + "\n" for words in sets.values()))
    return f"file:{path}"


@pytest.mark.parametrize("case", GOLDEN["cases"])
def test_golden_case(case: dict, golden_synonyms: str) -> None:
    metric = TeslaM(synonyms=golden_synonyms)
    comparison = compared(case["sys"], case["ref"])
    expected = {f"{f['sim']}{f['n']}": f["F"] for f in case["features"]}
    features = metric.f_values(comparison)[0, 0]
    for name, value in zip(FEATURES, features, strict=True):
        if expected.get(name) is None:
            assert np.isnan(value)
        else:
            assert value == pytest.approx(expected[name], abs=1e-12)
    assert metric.score(metric.statistics(comparison))[0] == pytest.approx(case["score"], abs=1e-12)


def test_the_worked_example_of_the_specification(golden_synonyms: str) -> None:
    # METRICS 3.8, to eight decimals; cat and feline share a synset.
    reference = tagged("the/DT cat/NN sit/VBD on/IN the/DT mat/NN")
    hypothesis = tagged("a/DT feline/NN sit/VBZ on/IN the/DT mat/NN")
    metric = TeslaM(synonyms=golden_synonyms)
    comparison = compared(hypothesis, reference)
    features = metric.f_values(comparison)[0, 0]
    table = [0.98484848, 0.98091603, 0.92424242, 0.69696970, 0.16030534, 0.04545455]
    assert features == pytest.approx(table, abs=5e-9)
    assert metric.score(metric.statistics(comparison))[0] == pytest.approx(0.63212275, abs=5e-9)


def test_identical_sentences_score_exactly_1() -> None:
    assert TeslaM().sentence_score(REFERENCE, [REFERENCE]).score == 1.0


def test_several_references_count_by_their_mean() -> None:
    # METRICS 3.5, after the TESLA-CELAB paper.
    metric = TeslaM()
    texts = [REFERENCE, "The cat was sitting on a rug.", "Nobody knows."]
    singles = [metric.sentence_score(HYPOTHESIS, [text]).score for text in texts]
    together = metric.sentence_score(HYPOTHESIS, texts).score
    assert together == pytest.approx(np.mean(singles), abs=1e-15)


def test_the_system_score_is_the_mean_of_segment_scores() -> None:
    metric = TeslaM()
    hypotheses, references = [HYPOTHESIS, "Yes.", ""], [REFERENCE, "No.", "Something."]
    segments = metric.segment_scores(hypotheses, [references])
    system = metric.corpus_score(hypotheses, [references]).score
    assert system == pytest.approx(np.mean(segments), abs=1e-15)


def test_junk_content_words_lower_precision_only() -> None:
    # METRICS 3.9: the matched weight stays, the hypothesis's total grows.
    metric = TeslaM()
    plain = metric.explain("The cat sat.", "The cat sat.").features[0].details
    junk = metric.explain("The cat sat zxqv zxqw.", "The cat sat.").features[0].details
    assert junk["matched"] == pytest.approx(plain["matched"])
    assert junk["reference"] == plain["reference"]
    assert junk["hypothesis"] == pytest.approx(plain["hypothesis"] + 2)


def test_matched_weight_is_symmetric() -> None:
    metric = TeslaM()
    one, other = metric.explain(HYPOTHESIS, REFERENCE), metric.explain(REFERENCE, HYPOTHESIS)
    for here, there in zip(one.features, other.features, strict=True):
        assert here.details["matched"] == pytest.approx(there.details["matched"], abs=1e-9)


def test_adding_synonyms_never_lowers_the_score() -> None:
    pairs = [(HYPOTHESIS, REFERENCE), ("A large hound ran.", "The big dog was running.")]
    for hypothesis, reference in pairs:
        without = TeslaM(synonyms="none").sentence_score(hypothesis, [reference]).score
        assert TeslaM().sentence_score(hypothesis, [reference]).score >= without


def test_two_sentences_without_words_score_what_the_option_says() -> None:
    # METRICS 3.4: no feature is left; 0, or 1 for those who prefer "identical".
    assert TeslaM().sentence_score("...", ["!"]).score == 0.0
    assert TeslaM(empty_segments=1.0).sentence_score("...", ["!"]).score == 1.0
    assert TeslaM().sentence_score("...", ["word"]).score == 0.0


class TestOptions:
    # "the cat" / "the dog": one word each beside the article, so there are no trigrams.
    TWO = ([("the", "DT"), ("cat", "NN")], [("the", "DT"), ("dog", "NN")])

    def score(self, metric: TeslaM, hypothesis: list, reference: list) -> float:
        return float(metric.score(metric.statistics(compared(hypothesis, reference)))[0])

    def test_alpha_1_is_recall_and_0_is_precision(self) -> None:
        long, short = [("cat", "NN"), ("mat", "NNS")], [("cat", "NN")]
        # One of two weights matched on the longer side; no bigram on the shorter: mean of F over
        # ms1, ms2 (0), pos1, pos2 (0), trigrams left out.
        assert self.score(TeslaM(alpha=1.0), long, short) == pytest.approx((1 + 1) / 4)
        assert self.score(TeslaM(alpha=0.0), long, short) == pytest.approx((0.5 + 0.5) / 4)

    def test_empty_bags_can_be_left_out_or_counted(self) -> None:
        # Trigram features: left out (mean of 4), counted 0 or 1 (mean of 6).
        kept = [self.score(TeslaM(empty_bags=rule), *self.TWO) for rule in ("skip", "zero", "one")]
        total = kept[0] * 4
        assert kept[1:] == pytest.approx([total / 6, (total + 2) / 6])

    def test_the_divisor_sets_the_weight_of_function_words(self) -> None:
        # ms1: the–the 1/d, cat–dog 0.5 (same tag) of a total 1 + 1/d; the F of equal totals is S/total.
        for divisor in (1, 10, 100):
            metric = TeslaM(function_divisor=divisor)
            features = metric.f_values(compared(*self.TWO))[0, 0]
            assert features[0] == pytest.approx((0.5 + 1 / divisor) / (1 + 1 / divisor))

    def test_function_tags_can_be_given(self) -> None:
        metric = TeslaM(function_tags=("NN",))
        features = metric.f_values(compared(*self.TWO))[0, 0]
        assert features[0] == pytest.approx((1 + 0.5 * 0.1) / 1.1)

    def test_punctuation_counts_if_all_tokens_do(self) -> None:
        words = [("cat", "NN"), (".", ".")], [("cat", "NN")]
        assert self.score(TeslaM(), *words) == 1.0
        assert self.score(TeslaM(tokens="all"), *words) < 1.0

    def test_treebank_brackets_are_brackets(self) -> None:
        # METRICS 3.1: -LRB- has letters, but stands for "(".
        words = [("-LRB-", "-LRB-"), ("cat", "NN"), ("-RRB-", "-RRB-")], [("cat", "NN")]
        assert self.score(TeslaM(), *words) == 1.0

    def test_lemmas_may_be_compared_with_their_case(self) -> None:
        words = [("Cat", "NN")], [("cat", "NN")]
        # WordNet is asked in lower case, so without it: 0.5 for the tag in ms1, 1 in pos1.
        assert self.score(TeslaM(synonyms="none"), *words) == 1.0
        kept = TeslaM(synonyms="none", lowercase=False)
        assert self.score(kept, *words) == pytest.approx((0.5 + 1) / 2)

    def test_synonyms_may_be_restricted_to_the_words_part_of_speech(self) -> None:
        # WordNet: plant and works share a synset as nouns only, purchase and buy one as verbs.
        def meaning(parts: str, one: str, other: str) -> float:
            words = [(one, "VB")], [(other, "VB")]
            return TeslaM(synonym_parts=parts).f_values(compared(*words))[0, 0, 0]

        assert meaning("any", "plant", "works") == 1.0
        assert meaning("same", "plant", "works") == 0.5  # the tag alone
        assert meaning("same", "purchase", "buy") == 1.0

    def test_single_features_can_be_chosen(self) -> None:
        values = TeslaM().f_values(compared(*self.TWO))[0, 0]
        for name, value in zip(FEATURES[:2], values, strict=False):
            assert self.score(TeslaM(features=(name,)), *self.TWO) == value

    @pytest.mark.parametrize(
        ("option", "value", "code"),
        [
            ("alpha", float("nan"), "MP506"),
            ("alpha", "0.5", "MP506"),
            ("alpha", True, "MP506"),
            ("function_divisor", 2.5, "MP506"),
            ("lowercase", "no", "MP506"),
            ("function_tags", "DT", "MP506"),
            ("function_tags", ["DT"], "MP506"),
            ("lang", None, "MP506"),
            ("lang", "xx", "MP509"),
            ("features", (), "MP507"),
            ("alfa", 0.5, "MP501"),
        ],
    )
    def test_a_wrong_option_is_a_coded_error(self, option: str, value: object, code: str) -> None:
        with pytest.raises(OptionError) as caught:
            TeslaM(**{option: value})
        assert caught.value.code == code

    def test_every_option_is_in_the_signature(self) -> None:
        default = TeslaM()
        changes = {
            "synonyms": "none",
            "alpha": 0.5,
            "tagset": "universal",
            "function_tags": ("NN",),
            "function_divisor": 5,
            "tokens": "all",
            "lowercase": False,
            "synonym_parts": "same",
            "empty_bags": "zero",
            "empty_segments": 1.0,
            "features": ("ms1",),
        }
        signatures = {str(replace(default, **{k: v}).signature(1)) for k, v in changes.items()}
        assert len(signatures | {str(default.signature(1))}) == len(changes) + 1

    def test_no_function_words_is_not_the_default(self) -> None:
        values = TeslaM(function_tags=()).f_values(compared(*self.TWO))[0, 0]
        assert values[0] == pytest.approx((1 + 0.5) / 2)  # the–the 1, cat–dog 0.5, of 2

    def test_the_order_of_function_tags_means_nothing(self) -> None:
        one, other = (TeslaM(function_tags=tags) for tags in (("DT", "IN"), ("IN", "DT")))
        assert one.signature(1) == other.signature(1)

    def test_f_never_exceeds_1(self) -> None:
        # Y + α(X − Y) cancels at α = 1: this pair gave 1.00000000000003.
        hypothesis = "it to in of house cat in to the it in green a of in run house dog quickly"
        assert TeslaM(alpha=1.0).sentence_score(hypothesis, ["it to in of"]).score <= 1.0


class TestSynonymFiles:
    def test_a_changed_file_is_read_again(self, tmp_path: Path) -> None:
        path = tmp_path / "synonyms.tsv"
        values = []
        for text in ("cat\tdog\n", "cat\tmat\n\n"):
            path.write_text(text)
            metric = TeslaM(synonyms=f"file:{path}")
            words = [("cat", "NN")], [("dog", "VB")]
            values.append(float(metric.f_values(compared(*words))[0, 0, 0]))
        assert values == [0.5, 0.0]

    def test_the_order_of_lines_and_words_means_nothing(self, tmp_path: Path) -> None:
        signatures = set()
        for number, text in enumerate(("a\tb\nc\td\n", "d\tc\nb\ta\n")):
            path = tmp_path / str(number) / "synonyms.tsv"
            path.parent.mkdir()
            path.write_text(text)
            signatures.add(str(TeslaM(synonyms=f"file:{path}").signature(1)))
        assert len(signatures) == 1

    def test_a_restriction_by_part_of_speech_does_not_touch_them(self, tmp_path: Path) -> None:
        path = tmp_path / "synonyms.tsv"
        path.write_text("upon\ton\n")
        for parts in ("any", "same"):
            metric = TeslaM(synonyms=f"file:{path}", synonym_parts=parts)
            assert metric.sentence_score("upon", ["on"]).score == 1.0


class TestExplanation:
    def test_features_are_those_of_the_score(self) -> None:
        # The general solver that keeps flows and the batch kernel must agree on every feature.
        metric = TeslaM()
        pairs = [(HYPOTHESIS, REFERENCE), ("To be, or not to be!", "Not to be is to be not.")]
        for hypothesis, reference in pairs:
            explanation = metric.explain(hypothesis, reference)
            values = [feature.value for feature in explanation.features]
            assert np.mean(values) == pytest.approx(explanation.score, abs=1e-9)
            assert metric.sentence_score(hypothesis, [reference]).score == explanation.score

    def test_links_and_leftovers_account_for_all_weight(self) -> None:
        explanation = TeslaM().explain(
            "The big dog ran home quickly.", "A large hound was running."
        )
        for feature in explanation.features:
            flow = sum(link.weight for link in explanation.layer(feature.name))
            for side in ("hypothesis", "reference"):
                rest = sum(
                    left.weight
                    for left in explanation.leftovers
                    if (left.layer, left.side) == (feature.name, side)
                )
                assert flow + rest == pytest.approx(feature.details[side], abs=1e-6)

    def test_bags_that_are_empty_on_both_sides_count_as_the_option_says(self) -> None:
        for rule in ("skip", "zero", "one"):
            explanation = TeslaM(empty_bags=rule).explain("The cat.", "The dog.")
            values = [f.value for f in explanation.features if f.value is not None]
            assert np.mean(values) == pytest.approx(explanation.score, abs=1e-12)

    def test_kinds_say_why(self) -> None:
        # Couch and sofa share a synset, and both are NN; slept and sat share VBD.
        explanation = TeslaM().explain("The couch sat.", "The sofa slept.")
        kinds = {
            tuple(
                words[place].form
                for words, (place,) in (
                    (explanation.hypothesis, link.hypothesis),
                    (explanation.reference, link.reference),
                )
            ): link.kind
            for link in explanation.layer("ms1")
        }
        assert kinds[("The", "The")] == "lemma"
        assert kinds[("couch", "sofa")] == "synonym with tag"
        assert kinds[("sat", "slept")] == "tag"

    def test_repeated_words_are_linked_in_order(self) -> None:
        explanation = TeslaM().explain("the cat and the dog", "the cat and the dog")
        assert all(link.hypothesis == link.reference for link in explanation.links)

    def test_words_that_do_not_count_weigh_nothing(self) -> None:
        explanation = TeslaM().explain("Yes , sir .", "Yes , sir .")
        assert [word.weight > 0 for word in explanation.hypothesis] == [True, False, True, False]


def test_an_analyser_of_another_language_is_refused() -> None:
    with pytest.raises(OptionError, match=r"MP520.*'de'.*builtin:fr"):
        TeslaM(lang="de", analyser="builtin:fr")
    assert (
        TeslaM(lang="de", analyser="builtin:de+compounds").analyser_name == "builtin:de+compounds"
    )
