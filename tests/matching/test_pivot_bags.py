"""Sentences read through a pivot language have the n-grams that all readings give them, on average."""

from __future__ import annotations

import tempfile
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase.analysis import Sentence, shared
from metaphrase.analysis.sentence import Batch
from metaphrase.errors import InputError, OptionError
from metaphrase.lexicon.pivot_table import UNKNOWN_TAG, PivotTable, PivotUnit
from metaphrase.matching.pivot_bags import (
    PivotSentences,
    expected_ngrams,
    pivot_bags,
    pivot_ngrams,
    pivot_sentences,
    segmentation,
)
from oracle import pivots as oracle
from oracle.pivot_tables import Counts, table_content

Words = tuple[str, ...]


def opened(counts: Counts, total: int | None = None) -> PivotTable:
    """A table of these counts; the file may go as soon as it is open."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.pivots"
        path.write_bytes(table_content(counts, total=total))
        return PivotTable(path)


GREETING: Counts = {
    ("hello",): {"bonjour/N": 6, "salut/N": 3},
    ("hello", "world"): {"bonjour/N le/D monde/N": 4},
    ("the",): {"le/D": 8, "la/D": 2},
    ("world",): {"monde/N": 5},
}


class TestExpectedCounts:
    def test_the_papers_example(self) -> None:
        # Liu, Dahlmeier and Ng 2010, Figure 2: "Bonjour ," with .9 before "Querrien" gives the trigram .9.
        network = [[(["Bonjour", ","], 0.9), (["Salut", ","], 0.1)], [(["Querrien"], 1.0)]]
        assert expected_ngrams(network, 3) == {
            ("Bonjour", ",", "Querrien"): 0.9,
            ("Salut", ",", "Querrien"): 0.1,
        }
        assert expected_ngrams(network, 1)[(",",)] == 1.0

    def test_the_papers_example_from_words_to_pivot_ngrams(self) -> None:
        # The same from a table with N(p, f) / N(p) = 9/10 and 1/10. "querrien" is unknown and stays as it is.
        table = opened({("good", "morning", ","): {"bonjour/N ,/P": 9, "salut/N ,/P": 1}})
        words = ["good", "morning", ",", "querrien"]
        assert [(slot.start, slot.end, slot.known) for slot in segmentation(table, words)] == [
            (0, 3, True),
            (3, 4, False),
        ]
        found = {ngram.lemmas: ngram.weight for ngram in pivot_ngrams(table, words, 3)}
        assert found == pytest.approx(
            {("bonjour", ",", "querrien"): 0.9, ("salut", ",", "querrien"): 0.1}, abs=1e-12
        )

    def test_phrases_that_share_a_translation_match(self) -> None:
        # The paper's reason for pivots: hello ~ good morning ~ bonjour, without a word in common.
        table = opened({("hello",): {"bonjour/N": 3}, ("good", "morning"): {"bonjour/N": 2}})
        found = pivot_bags(table, [["hello"], ["good", "morning"]], [0], [1])
        assert found.matched_lemma[0].tolist() == found.reference[0].tolist() == [1, 0, 0]
        without = opened({("hello",): {"bonjour/N": 3}})
        assert (
            pivot_bags(without, [["hello"], ["good", "morning"]], [0], [1]).matched_lemma.sum() == 0
        )

    def test_a_trigram_through_three_slots(self) -> None:
        network = [[("ab", 0.5), ("c", 0.5)], [("d", 0.25), ("ef", 0.75)], [("g", 1.0)]]
        # b d g and c d g touch .5, .25 and 1; e f g touches two slots alone.
        found = expected_ngrams(network, 3)
        assert found[tuple("bdg")] == found[tuple("cdg")] == 0.125
        assert found[tuple("efg")] == 0.75
        assert ("b", "f", "g") not in found

    def test_the_same_ngram_in_several_places_adds_up(self) -> None:
        assert expected_ngrams([[("aa", 0.5), ("a", 0.25)]] * 2, 2) == {
            ("a", "a"): 0.5 + 0.5 + 0.75 * 0.75
        }

    networks = st.lists(
        st.lists(
            st.tuples(
                st.text("abc", min_size=1, max_size=4), st.integers(1, 8).map(lambda k: k / 16)
            ),
            min_size=1,
            max_size=3,
        ),
        max_size=5,
    )

    @settings(max_examples=200)
    @given(networks, st.sampled_from([1, 2, 3]))
    def test_networks_have_the_counts_of_all_their_readings(
        self, network: list[list[tuple[str, float]]], n: int
    ) -> None:
        exact = [[(units, Fraction(p)) for units, p in slot] for slot in network]
        expected = oracle.expected_ngrams(exact, n)
        found = expected_ngrams(network, n)
        assert found.keys() == expected.keys()
        for ngram, count in expected.items():
            assert found[ngram] == pytest.approx(float(count), abs=1e-12)

    @settings(max_examples=60)
    @given(networks, st.sampled_from([1, 2, 3]))
    def test_counts_are_those_of_a_mean_reading_where_nothing_is_lost(
        self, network: list[list[tuple[str, float]]], n: int
    ) -> None:
        exact = []
        for slot in network:
            total = sum(Fraction(p) for _, p in slot)
            exact.append([(units, Fraction(p) / total) for units, p in slot])
        assert oracle.expected_ngrams(exact, n) == oracle.total_expectation(exact, n)
        found = expected_ngrams([[(u, float(p)) for u, p in slot] for slot in exact], n)
        assert found == pytest.approx(
            {g: float(w) for g, w in oracle.total_expectation(exact, n).items()}, abs=1e-12
        )

    def test_many_alternatives_are_added_up_before_they_multiply(self) -> None:
        # 60 alternatives in each of 100 slots have 21 million triples, but two first and two last units.
        slot = [("ab"[i % 2] + "xyz" + "ab"[i % 2], 1 / 60) for i in range(60)]
        found = expected_ngrams([slot] * 100, 3)
        assert found["z", "a", "a"] == pytest.approx(99 / 4)
        # 2 of (a x y), x y z, 2 of (y z a), 4 of (z a a), 4 of (a a x).
        assert len(found) == 13

    @pytest.mark.parametrize(
        "network", [[[("", 1.0)]], [[("a", -0.5)]], [[("a", float("nan"))]], [[("a", np.inf)]]]
    )
    def test_networks_without_sense_are_refused(
        self, network: list[list[tuple[str, float]]]
    ) -> None:
        with pytest.raises(InputError, match="MP40"):
            expected_ngrams(network, 2)


tables = st.dictionaries(
    st.lists(st.sampled_from("ab"), min_size=1, max_size=4).map(tuple), st.integers(1, 40)
)


class TestSegmentation:
    @settings(max_examples=150)
    @given(tables, st.lists(st.sampled_from("abc"), max_size=7).map(tuple), st.integers(0, 300))
    def test_cuts_are_the_most_probable_ones(
        self, numbers: dict[Words, int], words: Words, more: int
    ) -> None:
        total = sum(numbers.values()) + more
        table = opened({p: {"x/N": n} for p, n in numbers.items()}, total)
        found = [words[slot.start : slot.end] for slot in segmentation(table, words)]
        possible = oracle.probable_cuts(words, numbers, max(total, 1))
        best = max(p for p, _ in possible)
        near = [cut for p, cut in possible if p >= best * (1 - Fraction(1, 10**8))]
        assert found in near
        # Of cuts into the same phrases, the oracle has those with longer first phrases first.
        assert found == next(cut for cut in near if Counter(cut) == Counter(found))

    def test_fewer_phrases_win_a_tie(self) -> None:
        # N(a) N(b) / 8² = 1/8 = N(a b) / 8, all powers of two.
        table = opened({("a",): {"x/N": 2}, ("b",): {"x/N": 4}, ("a", "b"): {"x/N": 1}}, 8)
        assert [(s.start, s.end) for s in segmentation(table, ["a", "b"])] == [(0, 2)]

    def test_longer_first_phrases_win_a_tie(self) -> None:
        table = opened({("a",): {"x/N": 1}, ("a", "a"): {"x/N": 3}}, 100)
        assert [(s.start, s.end) for s in segmentation(table, list("aaa"))] == [(0, 2), (2, 3)]

    def test_an_unknown_word_stands_for_itself(self) -> None:
        known, unknown = segmentation(opened(GREETING), ["hello", "querrien"])
        assert [a.units[0].lemma for a in known.alternatives] == ["bonjour", "salut"]
        assert not unknown.known
        (only,) = unknown.alternatives
        assert (only.units, only.probability) == (
            (PivotUnit("querrien", UNKNOWN_TAG, False),),
            1.0,
        )

    def test_a_word_known_only_inside_phrases_is_unknown_elsewhere(self) -> None:
        table = opened({("a", "b"): {"x/N": 2}})
        assert [slot.known for slot in segmentation(table, list("abb"))] == [True, False]


sentences = st.lists(st.sampled_from("abcd"), max_size=6)
translations = st.dictionaries(
    st.lists(st.sampled_from(["x/N", "y/D", "y/N", "d/N", "z/V"]), min_size=1, max_size=3).map(
        " ".join
    ),
    st.integers(1, 9),
    min_size=1,
    max_size=4,
)
random_tables = st.dictionaries(
    st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map(tuple), translations, max_size=6
)


def network_of(table: PivotTable, words: list[str]) -> list[oracle.Slot[PivotUnit]]:
    return [
        [(a.units, Fraction(a.probability).limit_denominator(1000)) for a in slot.alternatives]
        for slot in segmentation(table, words)
    ]


class TestBags:
    @given(random_tables, st.lists(sentences, min_size=2, max_size=3), st.integers(1, 10))
    def test_pairs_share_what_the_definition_says(
        self, counts: Counts, rows: list[list[str]], divisor: int
    ) -> None:
        table = opened(counts)
        last = len(rows) - 1
        found = pivot_bags(table, rows, [0, last, 0], [last, 0, 0], divisor=divisor)
        for n in (1, 2, 3):
            ngrams = [oracle.expected_ngrams(network_of(table, row), n) for row in rows]
            units = {unit for bag in ngrams for ngram in bag for unit in ngram}
            function = [unit for unit in units if unit.function]
            for name, matched in (("lemma", found.matched_lemma), ("tag", found.matched_tag)):
                classes = {unit: getattr(unit, name) for unit in units}
                bags = [oracle.bag(bag, classes, function, divisor) for bag in ngrams]
                for p, (h, r) in enumerate(((0, last), (last, 0), (0, 0))):
                    expected = (
                        oracle.overlap(bags[r], bags[h]),
                        sum(bags[r].values()),
                        sum(bags[h].values()),
                    )
                    row = matched[p, n - 1], found.reference[p, n - 1], found.hypothesis[p, n - 1]
                    assert row == pytest.approx([float(x) for x in expected], abs=1e-9)

    @settings(max_examples=40)
    @given(random_tables, st.lists(sentences, min_size=1, max_size=8))
    def test_a_sentence_matches_itself_completely(
        self, counts: Counts, rows: list[list[str]]
    ) -> None:
        every = np.arange(len(rows))
        found = pivot_bags(opened(counts), rows, every, every)
        for matched in (found.matched_lemma, found.matched_tag, found.hypothesis):
            assert (matched == found.reference).all()

    @settings(max_examples=30)
    @given(random_tables, st.lists(sentences, min_size=1, max_size=6), st.randoms())
    def test_batches_threads_and_order_change_nothing(
        self, counts: Counts, rows: list[list[str]], random: object
    ) -> None:
        table = opened(counts)
        pairs = [(h, r) for h in range(len(rows)) for r in range(len(rows))]
        random.shuffle(pairs)  # type: ignore[attr-defined]
        together = pivot_bags(table, rows, *zip(*pairs, strict=True), threads=3)
        for p, (h, r) in enumerate(pairs):
            alone = pivot_bags(table, [rows[r], rows[h]], [1], [0])
            for name in ("matched_lemma", "matched_tag", "reference", "hypothesis"):
                assert getattr(together, name)[p].tolist() == getattr(alone, name)[0].tolist()

    def test_many_pairs_are_compared_as_few_are(self) -> None:
        # More pairs than are taken at a time, of sentences that come back long after.
        table, random = opened(GREETING), np.random.default_rng(5)
        words = ["hello", "world", "the", "querrien"]
        rows = [random.choice(words, size).tolist() for size in random.integers(0, 6, 40)]
        hypotheses, references = random.integers(0, 40, (2, 1000))
        together = pivot_bags(table, rows, hypotheses, references, threads=2)
        every = np.repeat(np.arange(40), 40), np.tile(np.arange(40), 40)
        singly = [pivot_bags(table, rows, [h], [r]) for h, r in zip(*every, strict=True)]
        for p, pair in enumerate((hypotheses * 40 + references).tolist()):
            assert together.matched_lemma[p].tolist() == singly[pair].matched_lemma[0].tolist()
            assert together.hypothesis[p].tolist() == singly[pair].hypothesis[0].tolist()

    def test_weights_by_hand(self) -> None:
        # le/D 8/10 and la/D 2/10, a tenth of each for a function word; monde/N.
        table = opened(GREETING)
        found = pivot_bags(table, [["the", "world"], ["world"]], [1], [0])
        assert found.reference[0] == pytest.approx([1.1, 0.1, 0], abs=1e-12)
        assert found.hypothesis[0].tolist() == [1, 0, 0]
        assert found.matched_lemma[0].tolist() == found.matched_tag[0].tolist() == [1, 0, 0]
        assert [(g.lemmas, g.tags) for g in pivot_ngrams(table, ["the", "world"], 2)] == [
            (("le", "monde"), ("D", "N")),
            (("la", "monde"), ("D", "N")),
        ]

    def test_a_copied_word_is_the_lemma_that_it_spells(self) -> None:
        # "monde" is unknown, and what "world" is read as: equal lemmas, different tags.
        found = pivot_bags(opened(GREETING), [["world"], ["monde"]], [1], [0])
        assert found.matched_lemma[0, 0] == 1
        assert found.matched_tag[0, 0] == 0

    def test_bags_are_what_explanations_show(self) -> None:
        table, words = opened(GREETING), ["hello", "world", "the", "the", "querrien"]
        totals = pivot_bags(table, [words], [0], [0]).reference[0]
        for n in (1, 2, 3):
            ngrams = pivot_ngrams(table, words, n)
            assert sum(ngram.weight for ngram in ngrams) == pytest.approx(totals[n - 1], abs=1e-12)
            weights = [ngram.weight for ngram in ngrams]
            assert weights == sorted(weights, reverse=True)

    def test_lost_mass_is_not_shared_out(self) -> None:
        table = opened({("a",): {"x/N": 1}}, 4)
        assert pivot_bags(table, [["a"]], [0], [0]).reference[0, 0] == 1.0
        content = table_content({("a",): {"x/N": 1, "y/N": 3}}, least_count=3)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "table"
            path.write_bytes(content)
            assert pivot_bags(PivotTable(path), [["a"]], [0], [0]).reference[0, 0] == 0.75


class TestSentences:
    def test_a_batch_is_lower_cased_and_without_punctuation(self) -> None:
        batch = shared("builtin:en").analyse(["Hello, World!", "", "..."], ("form",))
        prepared = pivot_sentences(batch)
        assert prepared.offsets.tolist() == [0, 2, 2, 2]
        assert [prepared.strings[i] for i in prepared.word] == ["hello", "world"]
        table = opened(GREETING)
        found = pivot_bags(table, batch, [0, 1], [0, 2])
        lists = pivot_bags(table, [["hello", "world"], []], [0, 1], [0, 1])
        assert found.reference.tolist() == lists.reference.tolist()
        assert found.reference[1].tolist() == [0, 0, 0]

    def test_prepared_sentences_serve_again(self) -> None:
        prepared = pivot_sentences([["hello"]])
        assert isinstance(prepared, PivotSentences)
        assert pivot_sentences(prepared) is prepared
        assert len(prepared) == 1

    def test_other_columns_of_a_batch_do_not_matter(self) -> None:
        tagged = Sentence("Hello .", ("Hello", "."), (0, 6), (5, 7), tag=("UH", "."))
        assert pivot_sentences(Batch.pack([tagged])).strings == ["hello"]

    def test_strange_words_are_just_unknown(self) -> None:
        rows = [["\ud800", "", "x" * 1000, "\0"], ["\ud800", "\udfff", "", "y"]]
        found = pivot_bags(opened(GREETING), rows, [0], [1])
        assert found.matched_lemma[0, 0] == 2
        assert found.reference[0].tolist() == [4, 3, 2]
        assert len(pivot_ngrams(opened(GREETING), rows[0], 1)) == 4

    def test_long_sentences_are_read(self) -> None:
        row = ["the", "world", "hello", "querrien"] * 250
        found = pivot_bags(opened(GREETING), [row], [0], [0])
        assert (found.matched_tag == found.reference).all()

    def test_sentences_beyond_all_measure_are_refused(self) -> None:
        with pytest.raises(InputError, match="MP665"):
            pivot_bags(opened(GREETING), [["a"] * 10_001], [0], [0])
        with pytest.raises(InputError, match="MP665"):
            segmentation(opened(GREETING), ["a"] * 10_001)

    def test_wrong_arguments_are_errors(self) -> None:
        table = opened(GREETING)
        for code, action in {
            "MP403": lambda: pivot_bags(table, [["a"]], [1], [0]),
            "MP406": lambda: pivot_bags(table, [["a"]], [0], []),
            "MP666": lambda: pivot_bags(table, ["a b"], [0], [0]),
        }.items():
            with pytest.raises(InputError, match=code):
                action()

    def test_what_is_no_list_of_words_is_an_error(self) -> None:
        table = opened(GREETING)
        for words in ("abc", 5, None, [5], ["a", None]):
            for ask in (
                lambda words: segmentation(table, words),
                lambda words: pivot_ngrams(table, words, 1),
                lambda words: pivot_sentences([words]),
            ):
                with pytest.raises(InputError, match="MP666"):
                    ask(words)
        for phrase in (5, None, [5], ["a", None]):
            for find in (table.lookup, table.count):
                with pytest.raises(InputError, match="MP666"):
                    find(phrase)
        for sentences in ("abc", 5, None):
            with pytest.raises(InputError, match="MP666"):
                pivot_sentences(sentences)
        for action in (
            lambda: pivot_bags(table, [["a"]], [0], [0], divisor=0),
            lambda: pivot_ngrams(table, ["a"], 4),
        ):
            with pytest.raises(OptionError, match="MP404"):
                action()
        with pytest.raises(OptionError, match="MP519"):
            pivot_bags(table, [["a"]], [0], [0], threads=0)
