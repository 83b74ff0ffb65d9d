"""A table of pivot phrases answers what was put into it, and refuses to open when it is not what it was."""

from __future__ import annotations

import os
import pickle
import struct
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase.errors import InputError, OptionError, ResourceError
from metaphrase.learning.phrases.pivot_table_file import (
    Pruning,
    build_pivot_table,
    phrases_of_several_words,
)
from metaphrase.lexicon.pivot_table import PivotTable, PivotUnit
from metaphrase.matching.pivot_bags import pivot_bags, pivot_ngrams, segmentation
from oracle.parser import checksum
from oracle.pivot_tables import EVERYTHING, Counts, phrase_table, table_content

COUNTS: Counts = {
    ("house",): {"haus/NN": 6, "das/D haus/NN": 3, "plenum/NN": 1},
    ("the", "house"): {"das/D haus/NN": 4, "haus/NN": 4},
    ("the", "white", "house", "of"): {"weiß/ADJ haus/NN": 2},
    ("the",): {"das/D": 9},
}


def table_of(folder: Path, counts: Counts, **options: int) -> PivotTable:
    path = folder / "table.pivots"
    path.write_bytes(table_content(counts, **options))
    return PivotTable(path)


def answers(table: PivotTable, phrase: str | tuple[str, ...]) -> dict[str, float]:
    return {
        " ".join(f"{unit.lemma}/{unit.tag}" for unit in found.units): found.probability
        for found in table.lookup(phrase)
    }


class TestAnswers:
    def test_alternatives_come_with_the_most_probable_first(self, tmp_path: Path) -> None:
        table = table_of(tmp_path, COUNTS)
        assert list(answers(table, "house").items()) == [
            ("haus/NN", 0.6),
            ("das/D haus/NN", 0.3),
            ("plenum/NN", 0.1),
        ]
        assert answers(table, "the white house of") == {"weiß/ADJ haus/NN": 1.0}
        assert (table.count("house"), table.count("the house")) == (10, 8)

    def test_what_only_begins_a_phrase_is_none(self, tmp_path: Path) -> None:
        table = table_of(tmp_path, COUNTS)
        for phrase in ("the white", "white", "of", "cottage", "", "house the", "the house of"):
            assert table.lookup(phrase) == []
            assert table.count(phrase) == 0

    def test_units_know_function_words(self, tmp_path: Path) -> None:
        (found,) = table_of(tmp_path, COUNTS).lookup(["the"])
        assert found.units == (PivotUnit("das", "D", True),)

    def test_what_it_says_about_itself(self, tmp_path: Path) -> None:
        table = table_of(tmp_path, COUNTS)
        assert table.languages == ("en", "fr")
        assert table.analysers == ("builtin:en", "builtin:fr")
        assert (table.phrase_count, table.alternative_count, table.total) == (4, 7, 29)
        assert repr(table) == "<PivotTable en-fr: 4 phrases>"
        again = pickle.loads(pickle.dumps(table))
        assert again.fingerprint == table.fingerprint
        assert len(table.fingerprint) == 12

    def test_an_empty_table_is_a_table(self, tmp_path: Path) -> None:
        table = table_of(tmp_path, {})
        assert (table.phrase_count, table.total, table.lookup("x")) == (0, 0, [])

    phrases = st.lists(st.sampled_from(["a", "b", "é", "ab"]), min_size=1, max_size=4).map(tuple)
    pivots = st.lists(st.sampled_from(["x/N", "x/D", "y/N"]), min_size=1, max_size=4)
    count_tables = st.dictionaries(
        phrases,
        st.dictionaries(pivots.map(" ".join), st.integers(1, 1 << 30), min_size=1, max_size=3),
        max_size=12,
    )

    @given(count_tables, st.randoms())
    def test_tables_hold_all_counts_whatever_their_order(
        self, tmp_path_factory: pytest.TempPathFactory, counts: Counts, random: object
    ) -> None:
        folder = tmp_path_factory.mktemp("tables")
        table = table_of(folder, counts)
        for phrase, row in counts.items():
            total = sum(row.values())
            assert table.count(phrase) == total
            assert answers(table, phrase) == {f: n / total for f, n in row.items()}
        assert table.phrase_count == len(counts)
        rows = [(p, list(row.items())) for p, row in counts.items()]
        random.shuffle(rows)  # type: ignore[attr-defined]
        for _, row in rows:
            random.shuffle(row)  # type: ignore[attr-defined]
        shuffled = {p: dict(row) for p, row in rows}
        assert table_content(shuffled) == table.path.read_bytes()


class TestPruning:
    def test_pruned_mass_is_lost_not_shared_out(self, tmp_path: Path) -> None:
        table = table_of(tmp_path, COUNTS, least_count=3)
        assert answers(table, "house") == {"haus/NN": 0.6, "das/D haus/NN": 0.3}
        assert table.count("house") == 10
        assert table.total == 29
        assert table.lookup("the white house of") == []

    def test_each_floor(self) -> None:
        def kept(**options: float) -> int:
            everything = {
                "least_count": 1,
                "least_phrase_count": 1,
                "least_probability": 0,
                "most_alternatives": 64,
            }
            pruning = Pruning(**{**everything, **options})  # type: ignore[arg-type]
            return len(table_content(COUNTS, pruning=pruning))

        whole = kept()
        assert kept(least_phrase_count=2) == whole
        assert kept(least_phrase_count=3) < whole
        assert kept(least_probability=0.1) == whole
        assert kept(least_probability=0.11) < whole
        assert kept(most_alternatives=3) == whole
        assert kept(most_alternatives=1) < kept(most_alternatives=2) < whole

    def test_a_larger_text_must_have_a_phrase_more_often(self) -> None:
        # √(n / 300) is 2.9 for 2,500 sentence pairs, 24.5 for 180,000; it stays between 1 and 100.
        sizes = (1, 2_500, 180_000, 3_000_000, 10**9)
        found = [Pruning().of_text(size).least_phrase_count for size in sizes]
        assert found == [1, 3, 24, 100, 100]
        chosen = Pruning(least_phrase_count=7)
        assert chosen.of_text(10**9) is chosen

    def test_phrases_of_several_words_are_counted(self) -> None:
        table = phrase_table(COUNTS)
        everything = Pruning(least_phrase_count=1, least_probability=0)
        several = sum(len(phrase) > 1 for phrase in COUNTS)
        assert phrases_of_several_words(table, everything) == several > 0
        assert phrases_of_several_words(table, Pruning(least_phrase_count=1000)) == 0

    def test_the_most_frequent_alternatives_stay(self, tmp_path: Path) -> None:
        table = table_of(tmp_path, COUNTS, least_count=1, most_alternatives=1)
        assert answers(table, "house") == {"haus/NN": 0.6}

    def test_single_words_need_not_be_frequent(self, tmp_path: Path) -> None:
        path = tmp_path / "table"
        pruning = Pruning(least_count=1, least_phrase_count=9)
        path.write_bytes(table_content(COUNTS, pruning=pruning))
        table = PivotTable(path)
        assert table.count("the") == 9
        assert table.count("the house") == 0

    @pytest.mark.parametrize(
        "options",
        [
            {"least_count": 0},
            {"least_phrase_count": 0},
            {"least_probability": -0.1},
            {"least_probability": 1.5},
            {"most_alternatives": 65},
            {"least_probability": float("nan")},
        ],
    )
    def test_floors_out_of_range_are_refused(self, options: dict[str, int]) -> None:
        with pytest.raises(OptionError, match="MP662"):
            Pruning(**options)

    def test_words_too_long_for_any_language_are_left_out(self, tmp_path: Path) -> None:
        counts: Counts = {("x" * 256,): {"y/N": 3}, ("x" * 255,): {"y/N": 3, f"{'é' * 128}/N": 3}}
        table = table_of(tmp_path, counts)
        assert table.count("x" * 256) == 0
        assert answers(table, "x" * 255) == {"y/N": 0.5}


class TestFiles:
    def test_a_missing_file_or_a_folder(self, tmp_path: Path) -> None:
        for path in (tmp_path / "none", tmp_path):
            with pytest.raises(ResourceError, match="MP660"):
                PivotTable(path)

    def test_every_truncation_is_found(self, tmp_path: Path) -> None:
        content, path = table_content(COUNTS), tmp_path / "table"
        for size in range(len(content)):
            path.write_bytes(content[:size])
            with pytest.raises(ResourceError, match="MP661"):
                PivotTable(path)

    def test_every_changed_byte_is_found(self, tmp_path: Path) -> None:
        content, path = table_content(COUNTS), tmp_path / "table"
        for at in range(len(content)):
            changed = bytearray(content)
            changed[at] ^= 1 << at % 8
            path.write_bytes(changed)
            with pytest.raises(ResourceError, match="MP661"):
                PivotTable(path)

    def test_another_version_and_another_kind(self, tmp_path: Path) -> None:
        content, path = table_content(COUNTS), tmp_path / "table"
        path.write_bytes(content[:4] + b"\x02\0\0\0" + content[8:])
        with pytest.raises(ResourceError, match="version 2"):
            PivotTable(path)
        path.write_bytes(b"PK\x03\x04" + content)
        with pytest.raises(ResourceError, match="not a model of pivot phrases"):
            PivotTable(path)

    @settings(max_examples=300)
    @given(st.data())
    def test_damage_under_a_right_checksum_never_crashes(
        self, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
    ) -> None:
        content = table_content(COUNTS)
        changed = bytearray(content)
        for _ in range(data.draw(st.integers(1, 3))):
            at = data.draw(st.integers(16, len(content) - 1))
            changed[at] = data.draw(st.integers(0, 255))
        changed[8:16] = checksum(bytes(changed[16:])).to_bytes(8, "little")
        path = tmp_path_factory.mktemp("damage") / "table"
        path.write_bytes(changed)
        try:
            table = PivotTable(path)
        except ResourceError:
            return
        words = ["the", "white", "house", "of", "the", "house", "plenum"]
        assert segmentation(table, words)
        pivot_ngrams(table, words, 3)
        pivot_bags(table, [words, words[:3]], [0, 1], [0, 0], threads=2)
        assert len(table.languages) == len(table.analysers) == 2

    def test_numbers_of_no_bits_are_not_counted_one_by_one(self, tmp_path: Path) -> None:
        # A column that states four billion zeros takes no room in the file, and took five seconds to check.
        def column(size: int, width: int, bits: bytes = b"") -> bytes:
            return struct.pack("<IBI", size, width, len(bits) + 8) + bits + bytes(8)

        def string(text: bytes) -> bytes:
            return struct.pack("<I", len(text)) + text

        many = 2**32 - 1
        to_many = column(2, 32, struct.pack("<II", 0, many))
        content = b"".join(
            [
                *map(string, (b"en", b"de", b"a", b"b")),
                struct.pack("<Q", 9),
                *map(string, (b"\1", b"a", b"\1", b"b", b"\1", b"N", b"\0")),
                column(0, 0),  # last words of longer phrases
                column(2, 1, b"\3"),  # children
                column(1, 1, b"\1"),  # counts
                *(to_many, column(many, 0), column(many, 0)),  # alternatives
                *(to_many, column(many, 0)),  # pivots
                *(column(1, 0), column(1, 0)),  # lemmas and tags of units
            ]
        )
        path = tmp_path / "table"
        head = b"MPPV" + struct.pack("<IQ", 1, checksum(content))
        path.write_bytes(head + content)
        start = time.process_time()
        with pytest.raises(ResourceError, match="do not fit together"):
            PivotTable(path)
        assert time.process_time() - start < 2


class TestBuilding:
    def test_more_than_64_alternatives_must_be_pruned(self) -> None:
        counts: Counts = {("a",): {f"x{i}/N": 1 for i in range(65)}}
        assert table_content(counts, pruning=EVERYTHING)

    def test_phrases_of_more_than_four_words_are_left_out(self, tmp_path: Path) -> None:
        table = table_of(tmp_path, {tuple("abcde"): {"x/N": 1}, ("a",): {"x/N x/N x/N x/N x/N": 1}})
        assert table.phrase_count == 0

    def test_counts_that_contradict_each_other_are_refused(self) -> None:
        phrases = phrase_table(COUNTS)
        phrases.source.totals[:] = 1
        with pytest.raises(InputError, match="MP664"):
            build_pivot_table(
                phrases,
                languages=("en", "fr"),
                analysers=("", ""),
                function_tags=(),
                pruning=EVERYTHING,
            )


def test_paths_need_not_be_unicode(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff.pivots"
    name = Path(os.fsdecode(path))
    name.write_bytes(table_content(COUNTS))
    assert PivotTable(name).phrase_count == 4
