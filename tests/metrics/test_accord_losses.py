"""Losses of accord: 0 where texts are equal, and else what their definitions say."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from metaphrase import create, lexicon
from metaphrase.analysis import Batch, Sentence
from metaphrase.corpus.normalisation import normalise
from metaphrase.learning.accord import Untrained
from metaphrase.matching import NgramBags
from metaphrase.matching.word_alignment import WordAlignments
from metaphrase.metrics.accord.features import (
    ALIGNMENT,
    FAMILIES,
    SPELLING,
    SURFACE,
    TAGGED,
    VECTORS,
    SurfaceTexts,
    alignment_losses,
    bag_losses,
    losses_of,
    surface_losses,
)
from metaphrase.metrics.accord.penalty_names import described
from metaphrase.metrics.comparison import compare_pair
from oracle import accord as oracle
from oracle.accord_cases import (
    HYPOTHESES,
    PAIRS,
    REFERENCES,
    VOCABULARY,
    comparison,
    losses,
    segment,
    words,
)

ALL = losses_of(FAMILIES)
#: Those that are no share.
COUNTED = {
    *("short", "long", "extra words"),
    *losses_of(["form", "facts", "denials", "meaning", "fluency"]),
}
#: One with all families, one with tags, and one of which nothing is known.
every_kind_of_language = pytest.mark.parametrize("lang", ["en", "de", "xx"])


def surface(hypothesis: str, reference: str) -> dict[str, float]:
    numbers: dict[str, int] = {}
    sides = [SurfaceTexts.of([side], numbers) for side in (hypothesis, reference)]
    return dict(zip(SURFACE, surface_losses(*sides, threads=1)[0].tolist(), strict=True))


def swapped(name: str) -> str:
    """The loss of recall beside one of precision, and the other way round."""
    return name[:-1] + {"p": "r", "r": "p"}[name[-1]]


class TestLosses:
    @every_kind_of_language
    @settings(max_examples=60)
    @given(same=segment)
    @example(same="")
    @example(same=" \t\u3000")
    @example(same="the")
    @example(same="the the cat the cat cat")
    @example(same="Google Google n't Barack Google")  # a name that comes twice
    @example(same="İ I ı ΑΣ")
    @example(same="国境なき医師団。")
    def test_of_equal_texts_there_are_none(self, lang: str, same: str) -> None:
        assert not any(losses(same, same, lang=lang).values())

    @every_kind_of_language
    def test_of_equal_texts_there_are_none_whatever_stands_beside_them(self, lang: str) -> None:
        metric = Untrained(lang=lang)
        texts = REFERENCES * 9
        assert not metric.losses(comparison(metric, texts, texts), 0, metric.families).any()

    @every_kind_of_language
    @settings(max_examples=50)
    @given(hypothesis=segment, reference=segment)
    @example(hypothesis="a " * 300, reference="a")
    @example(hypothesis=" ", reference="国境")
    def test_they_are_finite_and_never_below_0(
        self, lang: str, hypothesis: str, reference: str
    ) -> None:
        for name, value in losses(hypothesis, reference, lang=lang).items():
            assert np.isfinite(value)
            assert value >= 0
            # Counts, logarithms of lengths and what is lost in all know no limit, or another one.
            assert value <= 1 or name in COUNTED or "lost" in name

    @every_kind_of_language
    def test_batches_and_threads_do_not_matter(self, lang: str) -> None:
        metric = Untrained(lang=lang)
        hypotheses, references = HYPOTHESES * 5 + REFERENCES, REFERENCES * 6
        whole = metric.losses(comparison(metric, hypotheses, references), 0, metric.families)
        for size in (1, 3, 20):
            for threads in (1, 3):
                pieces = []
                for start in range(0, len(hypotheses), size):
                    here = slice(start, start + size)
                    piece = comparison(metric, hypotheses[here], references[here])
                    pieces.append(metric.losses(piece, 0, metric.families, threads=threads))
                assert np.array_equal(np.concatenate(pieces), whole)

    def test_a_family_is_the_same_without_the_others(self) -> None:
        metric = Untrained()
        found = comparison(metric, HYPOTHESES, REFERENCES)
        together = metric.losses(found, 0, metric.families)
        alone = [metric.losses(found, 0, [family]) for family in metric.families]
        assert np.array_equal(np.concatenate(alone, axis=1), together)

    def test_every_loss_belongs_to_one_family(self) -> None:
        assert Counter(chain(*FAMILIES.values())) == dict.fromkeys(ALL, 1)

    def test_each_has_words_of_its_own(self) -> None:
        words = [described(name) for name in ALL]
        assert len({*words}) == len(words)
        # What changes a meaning is said by what has changed.
        said = losses_of(["facts", "denials", "meaning"])
        assert all(described(name) != name for name in {*ALL} - {*said} - {"context"})

    @pytest.mark.parametrize(
        ("lang", "vectors", "families"),
        [
            (
                "en",
                None,
                "surface form facts denials spelling alignment meaning tags fluency vectors",
            ),
            ("en", "none", "surface form facts denials spelling alignment meaning tags fluency"),
            ("de", None, "surface form facts denials spelling tags fluency"),
            ("fr", None, "surface form facts denials spelling tags fluency"),
            ("es", None, "surface form facts denials spelling tags fluency"),
            ("cs", "file:vectors.txt", "surface form facts denials spelling tags fluency vectors"),
            ("zh", None, "surface form facts denials spelling"),
            ("xx", None, "surface form facts denials spelling"),
        ],
    )
    def test_a_language_has_those_that_its_analyser_allows(
        self, lang: str, vectors: str | None, families: str
    ) -> None:
        assert Untrained(lang=lang, vectors=vectors).families == tuple(families.split())


class TestSurface:
    @settings(max_examples=150)
    @given(hypothesis=segment, reference=segment)
    @example(hypothesis="a b", reference="a")
    @example(hypothesis="a", reference="")
    @example(hypothesis=" ", reference="")
    @example(hypothesis="don't co_operate", reference="do not co-operate")
    @example(hypothesis="ไทย ไทย kana カナ", reference="ไทย カナkana")
    def test_it_is_that_of_the_definitions(self, hypothesis: str, reference: str) -> None:
        found = surface(hypothesis, reference)
        expected = oracle.surface_losses(hypothesis, reference)
        assert found == pytest.approx(expected, abs=1e-12)

    @settings(max_examples=100)
    @given(hypothesis=segment, reference=segment)
    def test_chrf_is_that_of_chrf(self, hypothesis: str, reference: str) -> None:
        assume(reference.strip())
        score = create("chrf").sentence_score(hypothesis, [reference]).score
        assert 100 * (1 - surface(hypothesis, reference)["chrf"]) == pytest.approx(score, abs=1e-9)

    @settings(max_examples=60)
    @given(hypothesis=segment, reference=segment)
    @example(hypothesis="a b", reference="a")
    def test_swapped_sides_swap_precision_and_recall(self, hypothesis: str, reference: str) -> None:
        one, other = surface(hypothesis, reference), surface(reference, hypothesis)
        for name in ("lcs p", *(name for name in SURFACE if name[1:2].isdigit())):
            assert one[name] == other[swapped(name)]
        assert one["short"] == other["long"]

    def test_white_space_and_the_case_of_words_do_not_matter(self) -> None:
        found = surface(" The\u00a0cat\t sat", "the cat sat")
        # Of nine characters one differs, T; with the spaces between words there are eleven.
        assert found["c1p"] == pytest.approx(1 / 9)
        assert found["lcs p"] == pytest.approx(1 / 11)
        of_characters = ("c", "lcs")
        assert not any(v for name, v in found.items() if not name.startswith(of_characters))

    def test_the_longest_common_sequence_goes_over_gaps(self) -> None:
        found = surface("abcxdefy", "abcdef")
        # abcdef, of eight characters and of six.
        assert found["lcs p"] == pytest.approx(1 - 6 / 8)
        assert found["lcs r"] == 0

    @pytest.mark.parametrize(
        ("text", "count"),
        [
            ("It's 3.5%", 7),
            ("co_op café", 2),
            ("北京abc的", 4),
            ("カナ ไท", 4),
            ("한국어 말", 2),
        ],
    )
    def test_words_are_runs_of_letters_and_single_signs(self, text: str, count: int) -> None:
        assert surface(text, "")["long"] == pytest.approx(np.log(count + 1))


def close(expected: dict[str, float]) -> object:
    """Soft matches are sums of single precision."""
    return pytest.approx(expected, rel=1e-6, abs=5e-6)


class TestSpelling:
    @settings(max_examples=150)
    @given(hypothesis=segment, reference=segment)
    @example(hypothesis="colours of the theatre", reference="The theater's color")
    @example(hypothesis="a b a", reference="b a a b")
    @example(hypothesis="", reference="considerably")
    def test_it_is_that_of_the_definitions(self, hypothesis: str, reference: str) -> None:
        found = losses(hypothesis, reference, lang="xx")
        assert {name: found[name] for name in SPELLING} == close(
            oracle.spelling_losses(hypothesis, reference)
        )

    def test_a_misspelling_loses_less_than_another_word(self) -> None:
        near, far = (losses(word, "Müllerstraße", lang="xx") for word in ("Müllerstrasse", "Berg"))
        for name in ("s p", "s r", "s p³", "s sum", "s worst r", "s lost r"):
            assert 0 < near[name] < far[name]

    def test_a_long_word_weighs_more_than_a_sign(self) -> None:
        without_sign = losses("yes", "yes !", lang="xx")
        without_word = losses("yes", "yes indeed", lang="xx")
        # yes weighs 0.34 and the sign 0.1; indeed weighs 0.7, and is a little like yes.
        assert without_sign["s r"] == pytest.approx(0.1 / 0.44, abs=1e-6)
        assert 0.1 / 0.44 < without_word["s r"] < 0.7 / 1.04


class TestVectors:
    @pytest.mark.parametrize("pair", PAIRS)
    def test_it_is_that_of_the_definitions(self, pair: tuple[str, str]) -> None:
        self.check(*pair)

    @settings(max_examples=60)
    @given(hypothesis=words, reference=words)
    def test_it_is_that_of_the_definitions_for_words_that_come_again(
        self, hypothesis: str, reference: str
    ) -> None:
        self.check(hypothesis, reference)

    @staticmethod
    def check(hypothesis: str, reference: str) -> None:
        metric = Untrained()
        analysed = compare_pair(metric, hypothesis, reference).analysed
        sides = [
            analysed.batch[int(rows[0])].form
            for rows in (analysed.hypotheses, analysed.references[0])
        ]
        found = losses(hypothesis, reference)
        expected = oracle.vector_losses(*sides, lexicon.load_vectors("glove"))
        assert {name: found[name] for name in VECTORS} == close(expected)

    def test_words_in_another_order_lose_order_alone(self) -> None:
        found = losses("mat the on sat cat", "cat sat on the mat")
        # No step of the hypothesis goes on to a later word.
        assert found["v follows"] == found["v rises"] == 1
        assert found["v p near"] > 0
        for name in ("v p", "v r", "v p³", "v sum", "v worst r", "v lost r", "v lost p"):
            assert found[name] == 0

    def test_a_gap_breaks_what_follows_and_leaves_what_rises(self) -> None:
        found = losses("cat on mat", "cat sat on mat")
        # From cat to on is no step to the next word, from on to mat is one.
        assert (found["v follows"], found["v rises"]) == (1 / 2, 0)

    def test_what_is_lost_adds_up_over_the_words(self) -> None:
        """Two words that nobody knows, and weigh 1, are lost; shares stay the same."""
        once, twice = (losses("", "xyzzyx " * count) for count in (1, 2))
        assert (once["v lost r"], twice["v lost r"]) == (1, 2)
        assert once["v r"] == twice["v r"] == 1
        assert once["v lost p"] == twice["v lost p"] == 0

    def test_vectors_of_other_languages_are_given_by_files(self, tmp_path: Path) -> None:
        path = tmp_path / "vectors.txt"
        path.write_text("2 2\nhund 1 0\nköter 0.6 0.8\n", encoding="utf-8")
        found = losses("Köter", "Hund", lang="de", vectors=f"file:{path}")
        assert found["v r"] == pytest.approx(1 - 0.6, abs=1e-6)


@st.composite
def aligned_pairs(draw: st.DrawFn) -> tuple[list[str], list[str], list[tuple]]:
    """Two sentences with words aligned at random, one to one."""
    left, right = (draw(st.lists(st.sampled_from(VOCABULARY), max_size=6)) for _ in range(2))
    count = draw(st.integers(0, min(len(left), len(right))))
    of_left, of_right = (draw(st.permutations(range(len(side))))[:count] for side in (left, right))
    share = st.floats(0, 1)
    return (
        left,
        right,
        [(*cell, draw(share), draw(share)) for cell in zip(sorted(of_left), of_right, strict=True)],
    )


def packed(cases: list[tuple]) -> tuple[WordAlignments, Batch]:
    """The cases as the aligner hands them over: sentence 2 p with sentence 2 p + 1."""
    sentences = []
    for side in (side for left, right, _ in cases for side in (left, right)):
        starts = tuple(len(" ".join([*side[:i], ""])) for i in range(len(side)))
        ends = tuple(start + len(word) for start, word in zip(starts, side, strict=True))
        sentences.append(Sentence(" ".join(side), tuple(side), starts, ends))
    pairs = [pair for *_, aligned in cases for pair in aligned]
    left, right, similarity, penalty = np.array(pairs, dtype=float).reshape(-1, 4).T
    nothing = np.zeros(0)
    offsets = np.cumsum([0, *(len(aligned) for *_, aligned in cases)])
    found = WordAlignments(
        nothing,
        offsets,
        left.astype(np.int32),
        right.astype(np.int32),
        *[np.ones(len(pairs), dtype=np.int32)] * 2,
        nothing,
        nothing,
        similarity,
        penalty,
        *[nothing] * 6,
    )
    return found, Batch.pack(sentences)


class TestAlignment:
    @settings(max_examples=150)
    @given(cases=st.lists(aligned_pairs(), min_size=1, max_size=4))
    def test_it_is_that_of_the_definitions(self, cases: list[tuple]) -> None:
        found, batch = packed(cases)
        rows = tuple(np.arange(side, 2 * len(cases), 2, dtype=np.int32) for side in (0, 1))
        table = alignment_losses(found, batch, rows, 0.7)
        for row, (left, right, aligned) in zip(table.tolist(), cases, strict=True):
            expected = oracle.alignment_losses(aligned, left, right, 0.7)
            assert dict(zip(ALIGNMENT, row, strict=True)) == pytest.approx(expected, abs=1e-12)

    def test_words_worked_out_by_hand(self) -> None:
        """*the cat sat* beside *a cat slept*: two pairs, and of weights 0.3 + 0.7 + 0.7 = 1.7."""
        aligned = [(1, 1, 1.0, 0.0), (2, 2, 0.5, 0.25)]
        case = "the cat sat".split(), "a cat slept".split(), aligned
        found, batch = packed([case])
        table = alignment_losses(found, batch, (np.array([0]), np.array([1])), 0.7)
        assert dict(zip(ALIGNMENT, table[0].tolist(), strict=True)) == pytest.approx(
            {
                # 0.7 · 1 + 0.7 · 0.5 of 1.7, on either side; with the penalty 0.7 · 1 + 0.7 · 0.25.
                "ap": 1 - 1.05 / 1.7,
                "ar": 1 - 1.05 / 1.7,
                "cp": 1 - 0.875 / 1.7,
                "cr": 1 - 0.875 / 1.7,
                "unlike": 0.25,
                "context": 0.125,
                "breaks": 0.0,
                "content extra": 0.0,
                "content missing": 0.0,
                "function extra": 1.0,
                "function missing": 1.0,
            }
        )

    def test_the_rest_of_a_longer_name_is_missing(self) -> None:
        # Cobalt's released program aligns every word of the name with what is left of the other.
        found = losses("Barack Obama spoke.", "U.S. President Barack Obama spoke loudly.")
        # Of six content words of the reference, three are missing: U.S., President, loudly.
        assert found["content missing"] == pytest.approx(3 / 6)
        assert found["content extra"] == found["function extra"] == found["ap"] == 0.0

    @pytest.mark.parametrize(("hypothesis", "reference"), PAIRS)
    def test_it_is_that_of_the_explained_alignment(self, hypothesis: str, reference: str) -> None:
        metric = Untrained()
        # Explanations have the words as they were given.
        hypothesis, reference = normalise(hypothesis), normalise(reference)
        shown = metric.aligner.explain(hypothesis, reference)
        aligned = [
            (link.hypothesis[0], link.reference[0], link.similarity, link.penalty)
            for link in shown.links
        ]
        sides = [[word.form for word in side] for side in (shown.hypothesis, shown.reference)]
        expected = oracle.alignment_losses(aligned, *sides, metric.aligner.delta)
        found = losses(hypothesis, reference)
        assert {name: found[name] for name in ALIGNMENT} == pytest.approx(expected, abs=1e-12)


class TestTags:
    def test_shares_are_those_of_the_bags(self) -> None:
        bags = NgramBags(
            matched=np.array([[3.0, 1.0, 0.0], [0.0, 0.0, 0.0]]),
            matched_tags=np.array([[4.0, 2.0, 1.0], [0.0, 0.0, 0.0]]),
            reference=np.array([[5.0, 4.0, 2.0], [0.0, 0.0, 0.0]]),
            hypothesis=np.array([[4.0, 2.0, 1.0], [1.0, 0.0, 0.0]]),
        )
        first, second = (dict(zip(TAGGED, row, strict=True)) for row in bag_losses(bags).tolist())
        assert [first[f"b{n}p"] for n in (1, 2, 3)] == [1 / 4, 1 / 2, 1]
        assert [first[f"b{n}r"] for n in (1, 2, 3)] == [2 / 5, 3 / 4, 1]
        assert [first[f"t{n}p"] for n in (1, 2, 3)] == [0, 0, 0]
        assert [first[f"t{n}r"] for n in (1, 2, 3)] == pytest.approx([1 / 5, 1 / 2, 1 / 2])
        # One word against none: all is lost; where neither side has n-grams, nothing is.
        assert (second["b1p"], second["b1r"], second["b2p"], second["b2r"]) == (1, 1, 0, 0)

    def test_another_lemma_is_a_wrong_word_and_its_tag_is_right(self) -> None:
        found = losses("Der Hund schläft.", "Der Hund bellt.", lang="de")
        assert found["b1p"] > 0
        assert found["t1p"] == found["t3r"] == 0
