"""The compiled aligner gives what the authors' programs gave."""

from __future__ import annotations

from dataclasses import replace
from math import exp, log
from typing import Any

import numpy as np
import pytest

from metaphrase.errors import InputError, OptionError
from metaphrase.matching.word_alignment import (
    AlignmentOptions,
    WordAlignments,
    align_words,
    alignment_scores,
)
from oracle.cobalt import CobaltScorer
from oracle.cobalt_aligner import CobaltAligner, Parsed
from oracle.cobalt_cases import golden, golden_evidence, golden_sentence, pack
from oracle.cobalt_relations import Relation
from oracle.cobalt_words import Evidence, Token
from oracle.mwa import MwaAligner

CASES = golden("cobalt_cases")
RANDOM = golden("cobalt_random")
MWA = golden("mwa_cases")


def aligned(case: dict[str, Any], **options: Any) -> WordAlignments:
    """By default as the authors' program aligns."""
    sentences = [golden_sentence(case, side) for side in ("candidate", "reference")]
    packed = pack(sentences, golden_evidence(case))
    return align_words(
        packed, [0], [1], options=AlignmentOptions(**{"pairs": "released", **options})
    )


def expected_rows(case: dict[str, Any]) -> list[tuple[Any, ...]]:
    """(candidate, reference, similarity, penalty, unmatched labels of both), from the authors' program."""
    rows = []
    for row in case["alignments"]:
        if isinstance(row, dict):
            names = "cand ref lexsim pen cand_unmatched ref_unmatched".split()
            rows.append(tuple(row[name] for name in names))
        else:
            rows.append(tuple(row))
    return sorted(rows, key=lambda row: row[:2])


def unmatched(found: WordAlignments, case: dict[str, Any], pair: int, side: int) -> list[str]:
    relations = case[("candidate_deps", "reference_deps")[side]]
    chosen = (
        (found.context_pair == pair)
        & (found.context_on_right == side)
        & (found.context_matched == 0)
    )
    return [relations[r][0] for r in found.context_relation[chosen]]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_hand_made_cases_are_aligned_and_scored_as_by_the_authors(case: dict[str, Any]) -> None:
    check_golden(case)


def test_random_cases_are_aligned_and_scored_as_by_the_authors() -> None:
    for case in RANDOM:
        check_golden(case)


def check_golden(case: dict[str, Any]) -> None:
    found = aligned(case)
    rows = expected_rows(case)
    assert found.pairs(0) == [(row[0] - 1, row[1] - 1) for row in rows]
    np.testing.assert_array_equal(found.similarity, [row[2] for row in rows])
    np.testing.assert_allclose(found.penalty, [row[3] for row in rows], atol=1e-9)
    assert found.scores[0, 0] == pytest.approx(case["score"], abs=1e-9)
    for pair, row in enumerate(rows):
        assert [unmatched(found, case, pair, side) for side in (0, 1)] == list(row[4:])


@pytest.mark.parametrize("case", CASES + RANDOM[:20], ids=lambda case: case.get("name", ""))
def test_the_oracle_itself_gives_the_authors_scores(case: dict[str, Any]) -> None:
    left, right = (golden_sentence(case, side) for side in ("candidate", "reference"))
    scorer = CobaltScorer(CobaltAligner(left, right, golden_evidence(case), one_to_one=False))
    assert [pair.pair for pair in scorer.scored_pairs()] == [row[:2] for row in expected_rows(case)]
    assert scorer.score() == pytest.approx(case["score"], abs=1e-9)


@pytest.mark.parametrize("case", MWA, ids=lambda case: case["name"])
def test_mwa_aligns_as_its_authors_program(case: dict[str, Any]) -> None:
    by_name = {entry["name"]: entry for entry in CASES}
    sides = ["candidate", "reference"]
    if case["name"] == "testAlign_demo":  # the same two sentences, the other way round
        case = {**case, "name": "mwa_demo"}
        sides.reverse()
    source = by_name[case["name"]]
    sentences = [golden_sentence(source, side) for side in sides]
    evidence = golden_evidence(source)
    options = AlignmentOptions(aligner="mwa", pairs="released")
    found = align_words(pack(sentences, evidence), [0], [1], options=options)
    expected = {tuple(pair) for pair in case["alignments"]}
    assert {(i + 1, j + 1) for i, j in found.pairs(0)} == expected
    assert set(MwaAligner(*sentences, evidence, one_to_one=False).align().stage) == expected


def by_name(name: str) -> dict[str, Any]:
    return next(case for case in CASES if case["name"] == name)


def test_the_papers_table_3() -> None:
    # Fomicheva et al. 2015, Table 3: 0.804 and 0.646, penalties 0.426 (voter) and 0.286 (Obama).
    assert aligned(by_name("paper_table3_cand1")).scores[0, 0] == pytest.approx(0.804337, abs=1e-6)
    second = aligned(by_name("paper_table3_cand2"))
    assert second.scores[0, 0] == pytest.approx(0.646037, abs=1e-6)
    forms = [token["form"] for token in by_name("paper_table3_cand2")["candidate"]]
    penalty = {forms[i]: p for i, p in zip(second.left, second.penalty, strict=True)}
    assert penalty["voter"] == pytest.approx(0.4257, abs=5e-5)
    assert penalty["Obama"] == pytest.approx(0.2857, abs=5e-5)


class TestThePrintedFormulas:
    # METRICS 1.1: the paper's Eq. 1 and 2, taken to the letter, do not give its Table 3 (.426 and .286).
    def test_penalties_of_table_3(self) -> None:
        case = by_name("paper_table3_cand2")
        found = aligned(case, formula="printed")
        forms = [token["form"] for token in case["candidate"]]
        penalty = {forms[i]: p for i, p in zip(found.left, found.penalty, strict=True)}
        # Obama: one relation on each side, without counterpart, of weight 0.8.
        assert penalty["Obama"] == pytest.approx(2 / (1 + exp(-0.8 * log(2))), abs=1e-12)
        assert penalty["Obama"] == pytest.approx(1.270, abs=5e-4)
        # voter: 0.8 lost of two relations, 1.6 of three.
        context = (0.8 / 2 * log(3) + 1.6 / 3 * log(4)) / 2
        assert penalty["voter"] == pytest.approx(2 / (1 + exp(-context)), abs=1e-12)
        assert penalty["voter"] == pytest.approx(1.286, abs=5e-4)

    @pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
    def test_every_aligned_pair_is_worth_the_floor(self, case: dict[str, Any]) -> None:
        found = aligned(case, formula="printed")
        assert (found.penalty >= 1).all()
        assert 0 <= found.scores[0, 0] <= 0.01 * max(len(case["candidate"]), 1)

    def test_an_equal_sentence_scores_the_floor(self) -> None:
        sentence = Parsed(WORDS, TREE)
        assert score(sentence, sentence, formula="printed") == pytest.approx(0.01, abs=1e-15)


def test_both_translations_of_the_papers_nevada_example_score_the_same() -> None:
    # METRICS 1.12 C: the paper says they tie.
    scores = [aligned(by_name(f"paper_nevada_cand{k}")).scores[0, 0] for k in (1, 2)]
    assert scores == [pytest.approx(0.773818, abs=1e-6)] * 2


def test_the_released_program_compares_opposite_directions_one_way_only() -> None:
    # METRICS 1.7: 0.6290 one way round and 0.5495 the other.
    names = ("attributive_vs_predicative", "attributive_vs_predicative_swapped")
    assert [aligned(by_name(name)).scores[0, 0] for name in names] == [
        pytest.approx(0.6290, abs=5e-5),
        pytest.approx(0.5495, abs=5e-5),
    ]


def test_swapped_conjuncts_are_both_free_of_penalty_if_all_directions_are_compared() -> None:
    # METRICS 1.7: as released, one of the two is penalised and the other is not.
    case = by_name("conj_swap")
    forms = [token["form"] for token in case["candidate"]]
    nouns = [i for i, form in enumerate(forms) if form in ("cats", "dogs")]

    def penalties(**options: Any) -> list[bool]:
        found = aligned(case, **options)
        return [bool(p > 0) for i, p in zip(found.left, found.penalty, strict=True) if i in nouns]

    assert sorted(penalties()) == [False, True]
    released = aligned(case).penalty.sum()
    assert aligned(case, symmetric=True).penalty.sum() < released


def test_without_equivalent_types_an_agent_is_no_subject() -> None:
    case = by_name("repo_sample")
    assert aligned(case, equivalent_types=False).scores[0, 0] < aligned(case).scores[0, 0]


def test_without_penalty_only_similarity_counts() -> None:
    found = aligned(by_name("paper_table3_cand2"), penalty="none")
    assert not found.penalty.any()
    assert found.scores[0, 0] > aligned(by_name("paper_table3_cand2")).scores[0, 0]


TREE = (Relation("root", 0, 2), Relation("nsubj", 2, 1), Relation("dobj", 2, 3))
WORDS = (Token("Dogs", "dog", "NNS"), Token("bite", "bite", "VBP"), Token("cats", "cat", "NNS"))


def score(left: Parsed, right: Parsed, **options: Any) -> float:
    packed = pack([left, right], Evidence())
    chosen = AlignmentOptions(**options)
    return float(alignment_scores(packed, [0], [1], options=chosen)[0, 0])


def test_identical_sentences_score_one() -> None:
    assert score(Parsed(WORDS, TREE), Parsed(WORDS, TREE)) == pytest.approx(1.0, abs=1e-15)


def test_an_empty_sentence_scores_zero() -> None:
    empty = Parsed(())
    assert score(empty, Parsed(WORDS, TREE)) == 0.0
    assert score(Parsed(WORDS, TREE), empty) == 0.0
    assert score(empty, empty) == 0.0


def test_sentences_of_punctuation_are_aligned() -> None:
    marks = Parsed(tuple(Token(mark, mark, mark) for mark in "?!..."))
    assert score(marks, marks) == pytest.approx(1.0)


def test_relations_that_lead_nowhere_or_in_circles_say_nothing_or_what_they_say() -> None:
    broken = (
        Relation("nsubj", 2, 1),
        Relation("nsubj", 1, 2),
        Relation("dep", 3, 3),
        Relation("root", 0, 99),
        Relation("root", -5, 1),
        Relation("root", 0, 0),
        Relation("root", 2**31 - 1, -(2**31)),
    )
    assert score(Parsed(WORDS, broken), Parsed(WORDS, broken)) == pytest.approx(1.0)


def test_several_roots_match_each_other() -> None:
    roots = tuple(Relation("root", 0, i) for i in (1, 2, 3))
    assert score(Parsed(WORDS, roots), Parsed(WORDS, roots)) == pytest.approx(1.0)


def test_long_sentences_that_repeat_themselves_are_no_trouble() -> None:
    tokens = tuple(WORDS[i % 3] for i in range(500))
    chain = tuple(Relation("dobj", i, i + 1) for i in range(500))
    star = tuple(Relation("dep", 0 if i == 1 else 1, i) for i in range(1, 501))
    assert score(Parsed(tokens, chain), Parsed(tokens, chain)) == pytest.approx(1.0)
    assert 0.0 < score(Parsed(tokens[1:], chain), Parsed(tokens[::-1], star)) < 1.0


def test_the_result_depends_on_neither_threads_nor_batches() -> None:
    sentences, left, right = [], [], []
    for case in CASES + RANDOM:
        left.append(len(sentences))
        right.append(len(sentences) + 1)
        sentences += [golden_sentence(case, side) for side in ("candidate", "reference")]
    packed = pack(sentences, golden_evidence({}))
    together = alignment_scores(packed, left, right, threads=4)
    alone = np.concatenate(
        [alignment_scores(packed, [i], [j]) for i, j in zip(left, right, strict=True)]
    )
    np.testing.assert_array_equal(together, alone)
    np.testing.assert_array_equal(alignment_scores(packed, left, right), alone)


def test_arrays_that_do_not_fit_together_are_refused() -> None:
    packed, other = (pack([Parsed(words, TREE)], Evidence()) for words in (WORDS, WORDS[:1]))
    with pytest.raises(InputError, match="MP403"):
        align_words(packed, [0], [1])
    with pytest.raises(InputError, match="MP406"):
        align_words(packed, [0], [0, 0])
    for part in ("spellings", "evidence"):
        with pytest.raises(InputError, match="MP406"):
            align_words(replace(packed, **{part: getattr(other, part)}), [0], [0])
    short = replace(packed.relations, offsets=np.zeros(1, dtype=np.int64))
    with pytest.raises(InputError, match="MP406"):
        align_words(replace(packed, relations=short), [0], [0])


def test_lists_that_a_search_could_not_use_are_refused() -> None:
    packed = pack([Parsed(WORDS, TREE)], Evidence())
    relations, evidence = packed.relations, packed.evidence
    offsets, _ = evidence.synonyms
    falling = np.minimum(np.arange(len(offsets)) * 2, 2), np.array([1, 0], dtype=np.int32)
    with pytest.raises(InputError, match="MP405"):
        align_words(replace(packed, evidence=replace(evidence, synonyms=falling)), [0], [0])
    doubled = replace(relations, labels=[relations.labels[0]] * len(relations.labels))
    with pytest.raises(InputError, match="MP406"):
        align_words(replace(packed, relations=doubled), [0], [0])


def test_options_out_of_range_are_refused() -> None:
    for option in (
        {"theta": 1.5},
        {"alpha": -1},
        {"delta": 2},
        {"beta": -1},
        {"beta": float("nan")},
    ):
        with pytest.raises(OptionError, match="MP404"):
            AlignmentOptions(**option)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="MP404"):
        AlignmentOptions(aligner="other")  # type: ignore[arg-type]


def test_sentences_too_long_for_a_table_of_all_pairs_are_refused() -> None:
    tokens = WORDS[:1] * 20_000
    packed = pack([Parsed(tokens)], Evidence())
    with pytest.raises(InputError, match=r"MP430.*pair 0 has 20000 and 20000") as refused:
        align_words(packed, [0], [0])
    assert refused.value.row == 0
