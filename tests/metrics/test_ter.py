"""TER's scores are sacreBLEU's under all options, and its explanations tell them edit by edit."""

from __future__ import annotations

import json
import math
from itertools import product
from random import Random

import pytest
import sacrebleu.metrics
from hypothesis import given
from hypothesis import strategies as st

from metaphrase import Ter
from metaphrase.cli import main
from metaphrase.errors import InputError
from metaphrase.metrics import Explanation, create
from oracle.sacrebleu_numbers import same_as_sacrebleu
from report.written_pages import shown

HYPOTHESES = [
    "On Tuesday the government has announced a plan.",
    "The U.S. &quot;plan&quot;, Guy's.",
    "雨伞在哪里？我没有,你呢。",
    "",
    "a\u2003b\u00a0c \t d",
    "İstanbul ΑΣ ﬁ",
]
REFERENCES = [
    [
        "The government announced a new plan on Tuesday.",
        'The US "plan" &amp;lt; Guy\'s.',
        "你的雨伞在哪里？我没有。",
        "Nothing.",
        "d c b a",
        "istanbul ας fi",
    ],
    ["A plan was announced.", "Guy's", "雨伞呢", "No.", "a b", "x"],
]
OPTIONS = [
    dict(zip(("normalized", "no_punct", "asian_support", "case_sensitive"), chosen, strict=True))
    for chosen in product((False, True), repeat=4)
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("references", [REFERENCES[:1], REFERENCES])
def test_scores_are_sacrebleus_under_all_options(
    options: dict[str, bool], references: list[list[str]]
) -> None:
    ours, theirs = Ter(**options), sacrebleu.metrics.TER(**options)
    segments = ours.segment_scores(HYPOTHESES, references).tolist()
    assert segments == same_as_sacrebleu(
        [
            theirs.sentence_score(text, [column[i] for column in references]).score
            for i, text in enumerate(HYPOTHESES)
        ]
    )
    whole = theirs.corpus_score(HYPOTHESES, references).score
    assert [ours.corpus_score(HYPOTHESES, references).score] == same_as_sacrebleu([whole])


texts = st.text(st.sampled_from("abAB .,'-&;?！。雨伞 s0"), max_size=25) | st.lists(
    st.sampled_from(["a", "Guy's.", "&quot;", "&amp;lt;", "U.S.", "1-2", "\t", "雨伞。", "b"]),
    max_size=8,
).map(" ".join)


@given(hypothesis=texts, reference=texts.filter(str.strip), options=st.sampled_from(OPTIONS))
def test_scores_are_sacrebleus_whatever_the_texts(
    hypothesis: str, reference: str, options: dict[str, bool]
) -> None:
    ours = Ter(**options).sentence_score(hypothesis, [reference]).score
    theirs = sacrebleu.metrics.TER(**options).sentence_score(hypothesis, [reference]).score
    assert [ours] == same_as_sacrebleu([theirs])


@st.composite
def corpora(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    """A few hypotheses, and up to seven references of each."""
    segments, references = draw(st.integers(1, 9)), draw(st.integers(1, 7))
    column = st.lists(texts.filter(str.strip), min_size=segments, max_size=segments)
    return draw(column), [draw(column) for _ in range(references)]


@given(corpus=corpora(), random=st.randoms(use_true_random=False))
def test_scores_are_sacrebleus_but_for_the_rounding_of_its_sum(
    corpus: tuple[list[str], list[list[str]]], random: Random
) -> None:
    hypotheses, references = corpus
    theirs = sacrebleu.metrics.TER()
    # Edits, and the mean length of the references: sacreBLEU adds means from the first to the last.
    rows = theirs._extract_corpus_statistics(hypotheses, references)
    segments = [theirs._compute_score_from_stats(row).score for row in rows]
    edits, lengths = (math.fsum(column) for column in zip(*rows, strict=True))
    ours = Ter()
    assert ours.segment_scores(hypotheses, references, threads=1).tolist() == segments
    found = ours.corpus_score(hypotheses, references, threads=1).score
    assert found == theirs._compute_score_from_stats([edits, lengths]).score
    whole = theirs.corpus_score(hypotheses, references).score
    # Halves and quarters are exact; each of the other means may round the sum once.
    inexact = 0 if len(references) in (1, 2, 4) else len(hypotheses)
    assert abs(found - whole) <= (inexact + 2) * math.ulp(found) * bool(inexact)
    order = random.sample(range(len(hypotheses)), len(hypotheses))
    shuffled = [[column[i] for i in order] for column in (hypotheses, *references)]
    assert ours.corpus_score(shuffled[0], shuffled[1:], threads=1).score == found


def test_the_order_of_segments_shows_in_sacrebleus_last_digit_and_not_in_ours() -> None:
    # Means of 1, 4/3 and 4/3 words: (1 + 4/3) + 4/3 and (4/3 + 4/3) + 1 are different doubles.
    hypotheses, references = ["x"] * 3, [["a", "a b", "a b"], ["a", "a", "a"], ["a", "a", "a"]]
    turned = hypotheses, [column[::-1] for column in references]
    ours, theirs = (
        {metric.corpus_score(*corpus).score for corpus in ((hypotheses, references), turned)}
        for metric in (Ter(), sacrebleu.metrics.TER())
    )
    assert (len(ours), len(theirs)) == (1, 2)
    assert ours < theirs


@pytest.mark.parametrize("lang", ["zh", "ja", "zh-Hant"])
def test_chinese_and_japanese_get_sacrebleus_options_for_them(lang: str) -> None:
    theirs = sacrebleu.metrics.TER(normalized=True, asian_support=True)
    pair = "雨伞在哪里？我没有。", ["你的雨伞在哪里？我有。"]
    expected = theirs.sentence_score(*pair).score
    assert [Ter(lang=lang).sentence_score(*pair).score] == same_as_sacrebleu([expected])
    assert "|norm:yes|punct:yes|asian:yes|" in str(Ter(lang=lang).signature(1))
    plain = sacrebleu.metrics.TER().sentence_score(*pair).score
    assert Ter(lang=lang, normalized=False).sentence_score(*pair).score == plain


def test_characters_of_other_languages_without_spaces_are_words() -> None:
    hypothesis, reference = "ฉันไปกรุงเทพ Abc", "ฉันไปเชียงใหม่ abd"
    apart = " ".join(hypothesis.replace(" ", "")), " ".join(reference.replace(" ", ""))
    expected = sacrebleu.metrics.TER().sentence_score(apart[0], [apart[1]]).score
    for metric in (Ter(lang="th"), Ter(characters=True)):
        assert metric.sentence_score(hypothesis, [reference]).score == expected
        assert "|characters:yes|" in str(metric.signature(1))
        check(metric.explain(hypothesis, reference))
    assert "characters" not in str(Ter(lang="th", characters=False).signature(1))
    assert Ter(lang="th", characters=False).sentence_score("ฉันไป", ["ฉันไปเ"]).score == 100.0


def test_a_reference_is_tokenised_twice_as_sacrebleu_does_it() -> None:
    metric = Ter(normalized=True)
    assert metric.words("at Guy's.") == ["at", "guy's", "."]
    assert metric.words("at Guy's.", passes=2) == ["at", "guy", "'s", "."]


def test_the_signature_is_sacrebleus() -> None:
    theirs = sacrebleu.metrics.TER(normalized=True)
    theirs.sentence_score("a", ["b"])
    items = dict(item.split(":", 1) for item in str(theirs.get_signature()).split("|"))
    items["sacrebleu"] = items.pop("version")
    assert dict(Ter(normalized=True).signature(1).items) == items


def test_segments_beyond_a_length_are_refused_unless_allowed() -> None:
    text = "word " * 21
    with pytest.raises(InputError, match=r"MP518.*segment 2.*21 words"):
        Ter(longest=20).segment_scores(["a", text], [["a", "word"]])
    with pytest.raises(InputError, match="MP518"):
        Ter(longest=20).segment_scores(["a", "word"], [["a", text]])
    assert Ter(longest=21).sentence_score(text, [text]).score == 0.0


def test_it_counts_words_after_tokenisation() -> None:
    """Chinese without a space is one word, or one a character."""
    with pytest.raises(InputError, match="MP518"):
        create("ter:longest=3:normalized=yes:asian_support=yes").sentence_score("雨伞雨伞", ["雨"])
    assert create("ter:longest=3").sentence_score("雨伞雨伞", ["雨"]).score == 100.0


def check(explanation: Explanation) -> None:
    """Every word is read once, every edit has its price, and the sum is the score."""
    for side in ("reference", "hypothesis"):
        words, text = getattr(explanation, side), getattr(explanation, f"{side}_text")
        read = sorted(i for edit in explanation.edits for i in getattr(edit, side))
        assert read == list(range(len(words)))
        linked = [i for link in explanation.links for i in getattr(link, side)]
        lost = [i for rest in explanation.leftovers if rest.side == side for i in rest.words]
        assert sorted(linked + lost) == read
        ends = [0, *(place for word in words for place in (word.start, word.end)), len(text)]
        assert ends == sorted(ends)
        assert all(word.start < word.end for word in words)
    added = sum(edit.contribution for edit in explanation.edits)
    assert added == pytest.approx(explanation.score)
    assert sum(feature.value or 0.0 for feature in explanation.features) == pytest.approx(added)
    for link in explanation.links:
        forms = [explanation.hypothesis[i].form for i in link.hypothesis]
        same = forms == [explanation.reference[i].form for i in link.reference]
        assert (link.kind, link.similarity) == (("word", 1.0) if same else ("substitute", 0.0))


@given(hypothesis=texts, reference=texts.filter(str.strip), options=st.sampled_from(OPTIONS))
def test_an_explanation_adds_up(hypothesis: str, reference: str, options: dict[str, bool]) -> None:
    metric = Ter(**options)
    explanation = metric.explain(hypothesis, reference)
    check(explanation)
    assert explanation.score == metric.sentence_score(hypothesis, [reference]).score


@pytest.mark.parametrize("options", OPTIONS)
def test_explanations_of_real_texts_add_up(options: dict[str, bool]) -> None:
    for hypothesis, reference in zip(HYPOTHESES, REFERENCES[0], strict=True):
        check(Ter(**options).explain(hypothesis, reference))


def test_a_shift_names_the_words_it_moves_and_where_they_go() -> None:
    explanation = Ter().explain("on tuesday he came home", "he came home on tuesday")
    (shift, *others) = explanation.edits
    assert shift.state == "shift"
    assert shift.jump is not None
    assert (shift.jump.moved, shift.jump.start, shift.jump.target) == ((0, 1), 0, 5)
    assert [(edit.state, edit.hypothesis) for edit in others] == [
        ("word", (i,)) for i in (2, 3, 4, 0, 1)
    ]
    assert explanation.score == 20.0


def test_words_stand_where_the_text_has_them() -> None:
    text = "He said &quot;İstanbul&quot;  (U.S.)"
    explanation = Ter(normalized=True, no_punct=True).explain(text, "a")
    found = [(word.form, text[word.start : word.end]) for word in explanation.hypothesis]
    assert found == [
        ("he", "He"),
        ("said", "said"),
        ("i̇stanbul", "İstanbul"),
        ("u", "U"),
        ("s", "S"),
    ]


def test_the_terminal_and_the_page_show_shifts(capsys: pytest.CaptureFixture[str]) -> None:
    texts = ["--reference", "he came on tuesday", "--hypothesis", "on tuesday he came"]
    assert main(["explain", *texts, "-m", "ter", "--details"]) == 0
    assert "on tuesday → the end" in capsys.readouterr().out
    assert main(["explain", *texts, "-m", "ter", "--format", "html"]) == 0
    ((_, embedded),) = shown(capsys.readouterr().out)
    assert main(["explain", *texts, "-m", "ter", "--format", "json"]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert embedded["edits"] == record["edits"]
    assert record["edits"][0]["jump"]["moved"] == [0, 1]
    assert record["higher_is_better"] is False


def test_the_terminal_says_where_many_words_go(capsys: pytest.CaptureFixture[str]) -> None:
    """Not all that are moved have room on the line, but their new place has."""
    many = "on the evening of last tuesday"
    texts = ["--reference", f"he came home {many}", "--hypothesis", f"{many} he came home"]
    assert main(["explain", *texts, "-m", "ter", "--details"]) == 0
    assert "he came home → before on" in capsys.readouterr().out
    texts = ["--reference", f"{many} he came", "--hypothesis", f"he {many} came"]
    assert main(["explain", *texts, "-m", "ter", "--details"]) == 0
    assert "→ before came" in capsys.readouterr().out


def test_a_segment_too_long_to_read_is_not_explained() -> None:
    with pytest.raises(InputError, match="MP510"):
        Ter().explain("a " * 10_001, "a")
