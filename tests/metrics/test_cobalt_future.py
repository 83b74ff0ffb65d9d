"""What UPF-Cobalt's paper leaves to future work: phrases, fluency, and errors by the alignment itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaphrase import create
from metaphrase.errors import OptionError
from metaphrase.metrics.cobalt.metric import Cobalt

REFERENCE = "The meeting occurred in Paris on Monday."
PARAPHRASE = "The meeting took place in Paris on Monday."
#: Fomicheva et al. 2015: both translations tie, and the second is the better one (METRICS 1.12 C).
NEVADA = "Nevada has already completed a pilot."
WORSE, BETTER = (
    "Nevada already has completed the pilot project.",
    "Nevada has already completed the pilot project.",
)


def sentence_score(metric: Cobalt, hypothesis: str, reference: str) -> float:
    return metric.sentence_score(hypothesis, [reference]).score


class TestPhrases:
    def test_a_phrase_is_one_link(self) -> None:
        explanation = Cobalt(phrases="paraphrases").explain(PARAPHRASE, REFERENCE)
        (link,) = (link for link in explanation.links if link.stage == "phrases")
        assert [explanation.hypothesis[i].form for i in link.hypothesis] == ["took", "place"]
        assert [explanation.reference[j].form for j in link.reference] == ["occurred"]
        # Subject, place, time and root are the same: no penalty. A paraphrase is worth 0.6 (METRICS 1.5).
        assert (link.kind, link.similarity, link.penalty) == ("paraphrase", 0.6, 0.0)
        assert {"“in Paris” goes with “took”", "“in Paris” goes with “occurred”"} <= {
            one.in_words for one in link.context
        }
        assert explanation.leftovers == ()

    def test_each_word_of_a_phrase_is_worth_it(self) -> None:
        explanation = Cobalt(phrases="paraphrases").explain(PARAPHRASE, REFERENCE)
        sides = []
        for side in ("hypothesis", "reference"):
            words = getattr(explanation, side)
            worth = sum(
                sum(words[place].weight for place in getattr(link, side))
                * max(link.similarity - link.penalty, 0.01)
                for link in explanation.links
            )
            sides.append(worth / sum(word.weight for word in words))
        assert 1 / (0.25 / sides[0] + 0.75 / sides[1]) == pytest.approx(explanation.score)

    def test_they_are_worth_more_than_the_words_alone(self) -> None:
        alone, linked = (
            sentence_score(Cobalt(phrases=phrases), PARAPHRASE, REFERENCE)
            for phrases in ("none", "paraphrases")
        )
        assert alone < linked < 1.0

    def test_a_table_of_ones_own_may_have_phrases_of_four_words(self, tmp_path: Path) -> None:
        table = tmp_path / "table"
        table.write_text("0.5\nat the same time\nsimultaneously\n")  # METEOR's form
        pair = "He ate and slept at the same time.", "He ate and slept simultaneously."
        found = Cobalt(phrases=f"meteor:{table}").explain(*pair)
        (link,) = (link for link in found.links if link.stage == "phrases")
        assert (link.hypothesis, link.reference) == ((4, 5, 6, 7), (4,))
        assert f"phrases:{table.name}@" in found.signature

    def test_english_phrases_say_nothing_of_other_languages(self) -> None:
        with pytest.raises(OptionError, match="MP557"):
            Cobalt(lang="de", phrases="paraphrases")

    def test_equal_texts_need_none(self) -> None:
        metric = Cobalt(phrases="paraphrases")
        assert sentence_score(metric, PARAPHRASE, PARAPHRASE) == 1.0


class TestFluency:
    def test_it_breaks_the_papers_tie_in_the_right_way(self) -> None:
        # METRICS 1.12 C: 0.773818 both; the better one is as fluent as the reference and loses nothing.
        plain = [sentence_score(Cobalt(), text, NEVADA) for text in (WORSE, BETTER)]
        assert plain == [pytest.approx(0.773818, abs=1e-6)] * 2
        worse, better = (
            sentence_score(Cobalt(fluency="shipped"), text, NEVADA) for text in (WORSE, BETTER)
        )
        assert worse < better == plain[1]

    def test_it_is_the_ratio_of_mean_probabilities(self, tmp_path: Path) -> None:
        # A model of single words: p(he) = p(slept) = 0.1, of anything else 0.01, of the end 0.5.
        model = tmp_path / "words.arpa"
        words = "-0.30103\t</s>\n-99\t<s>\n-2\t<unk>\n-1\the\n-1\tslept\n"
        model.write_text(f"\\data\\\nngram 1=5\n\n\\1-grams:\n{words}\n\\end\\\n")
        plain, fluent = (
            sentence_score(metric, "he snored", "he slept")
            for metric in (Cobalt(), Cobalt(fluency=str(model), fluency_weight=0.6))
        )
        # Of three log probabilities one is lower by 1: 10^(-0.6 / 3).
        assert fluent == pytest.approx(plain * 10**-0.2)
        metric = Cobalt(fluency=str(model), fluency_weight=0.6)
        (feature,) = metric.explain("he snored", "he slept").features
        assert feature.details["fluency"] == pytest.approx(10**-0.2)
        assert sentence_score(metric, "he slept", "he snored") == sentence_score(
            Cobalt(), "he slept", "he snored"
        )  # a more fluent one gains nothing

    def test_other_languages_have_models_of_their_own(self) -> None:
        reference = "Er hat das Haus schon gesehen."
        broken, sound = (
            create("cobalt:lang=de:fluency=shipped").explain(text, reference).features[0].details
            for text in ("Er das hat Haus schon gesehen.", "Er hat das Haus bereits gesehen.")
        )
        assert broken["fluency"] < sound["fluency"]

    def test_weight_and_model_are_in_the_signature_if_they_count(self) -> None:
        assert "fluency" not in str(Cobalt().signature(1))
        asked = str(create("cobalt:fluency=shipped:fluency_weight=0.9").signature(1))
        assert "|fluency:english-fluency@" in asked
        assert "|fluency_weight:0.9|" in asked
