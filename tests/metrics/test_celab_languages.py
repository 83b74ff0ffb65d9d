"""TESLA-CELAB beyond Chinese (section 5.1 of its paper): German, Japanese, Latin words among characters."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase import Celab, analysis
from metaphrase.errors import OptionError
from oracle import covering as oracle

# The paper's Figure 5: three ways to say one thing.
FIGURE_5 = ["Schirm kaufen", "Regenschirm kaufen", "Regen schirm kaufen"]


@pytest.fixture(scope="module")
def umbrella(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("lexicon") / "german.tsv"
    file.write_text("Schirm\tRegenschirm\n", encoding="utf-8")
    return f"file:{file}"


def scores(metric: Celab, reference: str) -> list[float]:
    return [metric.sentence_score(hypothesis, [reference]).score for hypothesis in FIGURE_5]


class TestGerman:
    @pytest.mark.parametrize("words", ["whole", "parts"])
    def test_figure_5_with_its_dictionary(self, umbrella: str, words: str) -> None:
        metric = Celab(lang="de", dictionary=umbrella, words=words)
        for reference in FIGURE_5:
            assert scores(metric, reference) == [1.0, 1.0, 1.0]

    def test_figure_5_without_dictionary_has_the_credit_of_the_common_part(self) -> None:
        parts = Celab(lang="de", words="parts")
        # Reference "schirm kaufen", 3 spans, all of them in a hypothesis of 6 with "regen" before it:
        # only regen, "regen schirm" and the whole are not covered, (3 + 3/4) / (3 + 6/4) = 5/6.
        assert scores(parts, FIGURE_5[0]) == pytest.approx([1.0, 5 / 6, 5 / 6])
        # The other way round: (3 + 3/4) / (6 + 3/4) = 5/9.
        assert scores(parts, FIGURE_5[1]) == pytest.approx([5 / 9, 1.0, 1.0])
        assert scores(parts, FIGURE_5[2]) == pytest.approx([5 / 9, 1.0, 1.0])
        # Whole words: "kaufen" alone, (1 + 1/4) / (3 + 3/4) = 1/3.
        whole = Celab(lang="de")
        assert scores(whole, FIGURE_5[0])[1] == pytest.approx(1 / 3)

    def test_a_linking_element_hides_nothing(self) -> None:
        # Straße|n|bahn: the bare noun and the compound are both in it.
        metric = Celab(lang="de", words="parts")
        assert metric.sentence_score("Straßenbahn", ["Straßenbahn"]).score == 1.0
        # 3 tokens of the reference have 6 spans, "straße" is one of them: (1 + 1/4) / (6 + 1/4) = 1/5.
        assert metric.sentence_score("Straße", ["Straßenbahn"]).score == pytest.approx(1 / 5)
        assert Celab(lang="de").sentence_score("Straße", ["Straßenbahn"]).score == 0.0

    def test_a_dictionary_is_read_in_lower_case_as_parts_are(self, umbrella: str) -> None:
        metric = Celab(lang="de", dictionary=umbrella, words="parts")
        assert metric.sentence_score("der Schirm", ["der regenschirm"]).score == 1.0
        whole = Celab(lang="de", dictionary=umbrella)
        assert whole.sentence_score("der Schirm", ["der regenschirm"]).score < 1.0

    def test_the_signature_names_the_table(self) -> None:
        assert "|analyser:characters:de+compounds@" in str(
            Celab(lang="de", words="parts").signature()
        )

    def test_an_explanation_shows_the_parts(self) -> None:
        explanation = Celab(lang="de", words="parts").explain("Schirm kaufen", "Regenschirm kaufen")
        assert [word.form for word in explanation.reference] == ["regen", "schirm", "kaufen"]
        (missing,) = [
            rest
            for rest in explanation.leftovers
            if (rest.layer, rest.side) == ("cover", "reference")
        ]
        assert missing.words == (0,)
        assert [link.reference for link in explanation.layer("cover")] == [(1, 2)]

    @settings(max_examples=25)
    @given(
        reference=st.lists(
            st.sampled_from(["Regenschirm", "Schirm", "schirm", "Straßenbahn"]), min_size=1
        ),
        hypothesis=st.lists(st.sampled_from(["Regenschirm", "Regen", "Straße", "Bahn"])),
    )
    def test_scores_are_the_oracle_s_of_the_parts(
        self, reference: list[str], hypothesis: list[str]
    ) -> None:
        metric = Celab(lang="de", words="parts")
        texts = " ".join(hypothesis), " ".join(reference)
        batch = analysis.shared(metric.analyser_name).analyse(texts, ["form"])
        score = metric.sentence_score(texts[0], [texts[1]]).score
        expected = oracle.celab(batch[1].form, batch[0].form)
        assert score == pytest.approx(expected, abs=1e-9)


class TestJapanese:
    def test_synonyms_of_several_characters_need_no_segmenter(self, tmp_path: Path) -> None:
        file = tmp_path / "japanese.tsv"
        file.write_text("雨傘\t傘\n病院\tクリニック\n", encoding="utf-8")
        metric = Celab(lang="ja", dictionary=f"file:{file}")
        assert metric.sentence_score("傘を買った。", ["雨傘を買った。"]).score == 1.0
        # クリニック has five characters, more than a span of four: it is not found.
        assert metric.sentence_score("クリニック", ["病院"]).score == 0.0

    def test_without_dictionary_kanji_still_count(self) -> None:
        metric = Celab(lang="ja")
        # Segmenters disagree about 買いました; the characters 買 and 傘 are common to both.
        close = metric.sentence_score("傘を買いました。", ["雨傘を買った。"]).score
        far = metric.sentence_score("本を読みました。", ["雨傘を買った。"]).score
        assert 0 < far < close < 1


class TestLatinWordsInChinese:
    def test_letters_give_credit_in_part(self) -> None:
        reference, hypothesis = "我用iPhones", "我用iPhone"
        options = {"lang": "zh", "dictionary": "none"}
        whole = Celab(**options).sentence_score(hypothesis, [reference]).score
        letters = Celab(**options, words="letters").sentence_score(hypothesis, [reference]).score
        # Whole: 我, 用, 我用 of 6 and 6 spans.
        assert whole == pytest.approx(0.5)
        # 9 letters against 8: 30 and 26 spans, the 26 are among the 30: (26 + 26/4) / (30 + 26/4).
        assert letters == pytest.approx(32.5 / 36.5)

    def test_numbers_stay_whole(self) -> None:
        options = {"lang": "zh", "dictionary": "none", "words": "letters"}
        assert Celab(**options).sentence_score("501", ["500"]).score == 0.0

    def test_characters_are_what_they_were(self) -> None:
        for text in ("买雨伞。", "花了1,234.5元"):
            both = [analysis.shared(n).analyse([text], ["form"])[0].form for n in TOKENISERS]
            assert both[0] == both[1] == both[2]


TOKENISERS = ("characters", "characters:letters", "characters:de+compounds")


@pytest.mark.parametrize(
    "options",
    [
        {"lang": "zh", "dictionary": "none", "words": "parts"},
        {"lang": "ja", "words": "parts"},
        {"words": "parts"},
        {"lang": "de", "words": "parts", "presegmented": True},
        {"words": "letters", "presegmented": True},
    ],
)
def test_words_that_cannot_be_cut(options: dict[str, object]) -> None:
    with pytest.raises(OptionError, match="MP446"):
        Celab(**options)
