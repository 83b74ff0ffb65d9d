"""Parallel text becomes a table of phrases; what cannot be used is left out and counted, or refused."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from metaphrase.errors import InputError, OptionError
from metaphrase.learning.phrases.pivot_table_file import Pruning
from metaphrase.learning.phrases.pivot_training import (
    PivotTraining,
    SentencePairs,
    _Side,
    pivot_analyser,
    read_parallel,
    train_pivot_table,
)
from metaphrase.lexicon.pivot_table import PivotTable
from oracle.phrases import phrase_counts

ENGLISH = ["The house is old .", "The old man sees the house .", "A man .", "The man is old !"]
GERMAN = [
    "Das Haus ist alt .",
    "Der alte Mann sieht das Haus .",
    "Ein Mann .",
    "Der Mann ist alt !",
]
ALL = Pruning(least_count=1, least_phrase_count=1, least_probability=0.0)


def written(folder: Path, *sides: list[str]) -> list[Path]:
    paths = [folder / f"text{number}" for number in range(len(sides))]
    for path, lines in zip(paths, sides, strict=True):
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return paths


def trained(folder: Path, target: list[str], pivot: list[str], **options: int) -> PivotTable:
    content, _ = train_pivot_table(
        *written(folder, target, pivot),
        target_language="en",
        pivot_language="de",
        pruning=ALL,
        training=PivotTraining(**options),
    )
    path = folder / "table.pivots"
    path.write_bytes(content)
    return PivotTable(path)


def read(folder: Path, target: list[str], pivot: list[str], **options: int) -> SentencePairs:
    _, pairs = read_parallel(
        *written(folder, target, pivot),
        (pivot_analyser("en"), pivot_analyser("de")),
        training=PivotTraining(**options),
        progress=lambda what, done: None,
    )
    return pairs


class TestTables:
    def test_words_and_units(self, tmp_path: Path) -> None:
        table = trained(tmp_path, ENGLISH * 20, GERMAN * 20)
        assert table.languages == ("en", "de")
        best = table.lookup("house")[0]
        # Lemma in lower case with the tag of the Stuttgart-Tübingen set.
        assert [(unit.lemma, unit.tag, unit.function) for unit in best.units] == [
            ("haus", "NN", False)
        ]
        assert any(unit.function for a in table.lookup("the house") for unit in a.units)

    def test_punctuation_is_in_no_phrase(self, tmp_path: Path) -> None:
        table = trained(tmp_path, ENGLISH * 20, GERMAN * 20)
        assert table.count(".") == table.count(["man", "."]) == 0
        for phrase in ("man", "old", "house"):
            assert all(unit.lemma not in ".!" for a in table.lookup(phrase) for unit in a.units)

    def test_counts_are_those_of_the_oracle(self, tmp_path: Path) -> None:
        # One word a line: each can only be aligned with its partner.
        english, german = ["house", "man", "house"], ["Haus", "Mann", "Haus"]
        table = trained(tmp_path, english, german)
        expected = phrase_counts(
            [[word] for word in english], [[word] for word in german], [[(0, 0)]] * 3, (4, 4)
        )
        for (word, _), count in expected.items():
            assert table.count(word) == count
        assert table.total == sum(expected.values())

    def test_the_same_text_gives_the_same_bytes(self, tmp_path: Path) -> None:
        paths = written(tmp_path, ENGLISH * 5, GERMAN * 5)
        packed = [tmp_path / f"{path.name}.gz" for path in paths]
        for path, target in zip(paths, packed, strict=True):
            target.write_bytes(gzip.compress(path.read_bytes()))
        contents = {
            train_pivot_table(
                *files, target_language="en", pivot_language="de", pruning=ALL, threads=threads
            )[0]
            for files, threads in ((paths, 1), (packed, 2))
        }
        assert len(contents) == 1

    def test_german_compounds_are_cut_on_either_side(self) -> None:
        assert pivot_analyser("de").name == "builtin:de+compounds"
        assert pivot_analyser("fr").name == "builtin:fr"

    def test_progress_is_told(self, tmp_path: Path) -> None:
        told: list[str] = []
        train_pivot_table(
            *written(tmp_path, ENGLISH, GERMAN),
            target_language="en",
            pivot_language="de",
            progress=lambda what, done: told.append(what),
        )
        assert list(dict.fromkeys(told)) == [
            "reading sentence pairs",
            "aligning words",
            "extracting phrases",
            "writing the table",
        ]


class TestRules:
    def test_empty_lines_are_left_out_and_counted(self, tmp_path: Path) -> None:
        pairs = read(tmp_path, [*ENGLISH, "", "Yes .", "..."], [*GERMAN, "Ja .", "", "Nein ."])
        assert pairs == SentencePairs(used=4, empty=3)

    def test_lines_of_many_words_are_left_out_and_counted(self, tmp_path: Path) -> None:
        pairs = read(tmp_path, [*ENGLISH, "word " * 1000, "word " * 80], [*GERMAN, "Wort", "Wort"])
        assert pairs == SentencePairs(used=5, long=1)

    def test_a_bound_on_memory_leaves_the_rest_out(self, tmp_path: Path) -> None:
        # 4 × 4 words, 6 × 6, 2 × 2, 4 × 4.
        assert read(tmp_path, ENGLISH, GERMAN, most_cells=20) == SentencePairs(used=1, beyond=3)
        assert read(tmp_path, ENGLISH, GERMAN, most_cells=72) == SentencePairs(used=4)

    def test_nothing_that_can_be_used(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="MP663"):
            read(tmp_path, ["", "..."], ["", "!"])

    def test_unequal_numbers_of_lines(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"MP340.*has 4 lines.*has 3"):
            read(tmp_path, ENGLISH, GERMAN[:3])
        with pytest.raises(InputError, match=r"MP340.*has 4096 lines.*has 4097"):
            read(tmp_path, ["a"] * 4096, ["b"] * 4097)

    def test_wrong_encodings_and_files(self, tmp_path: Path) -> None:
        good, bad = written(tmp_path, ENGLISH, GERMAN)
        bad.write_bytes("Größe\n".encode("latin-1"))
        languages = {"target_language": "en", "pivot_language": "de"}
        with pytest.raises(InputError, match="MP121"):
            train_pivot_table(good, bad, **languages)  # type: ignore[arg-type]
        with pytest.raises(InputError, match="MP110"):
            train_pivot_table(good, tmp_path / "none", **languages)  # type: ignore[arg-type]
        bad.write_bytes(gzip.compress(good.read_bytes())[:-9])
        with pytest.raises(InputError, match="MP114"):
            train_pivot_table(good, bad, **languages)  # type: ignore[arg-type]

    def test_languages_and_options_that_do_not_exist(self, tmp_path: Path) -> None:
        paths = written(tmp_path, ENGLISH, GERMAN)
        with pytest.raises(OptionError, match="MP260"):
            train_pivot_table(*paths, target_language="en", pivot_language="xx")
        with pytest.raises(OptionError, match="MP662"):
            PivotTraining(most_words=0)


def test_words_are_numbered_in_the_order_of_the_text() -> None:
    """The aligner's sums follow the numbers; an analyser's table of strings has an order of its own."""
    side = _Side()
    side.add(np.array([3]), ["old", "the", "house"], np.array([1, 2, 1]))
    side.add(np.array([2]), ["a", "old", "the"], np.array([1, 0]))
    text = side.packed()
    assert text.vocabulary == ["the", "house", "old", "a"]
    assert text.words.tolist() == [0, 1, 0, 2, 3]


def test_lines_that_nobody_translated_are_left_out(tmp_path: Path) -> None:
    copied = "The sitting was closed at midnight ."
    target, pivot = written(tmp_path, [*ENGLISH, copied, "Berlin"], [*GERMAN, copied, "Berlin"])
    content, pairs = train_pivot_table(
        target, pivot, target_language="en", pivot_language="de", pruning=ALL
    )
    assert pairs == SentencePairs(used=5, copied=1)
    (tmp_path / "table").write_bytes(content)
    table = PivotTable(tmp_path / "table")
    assert table.lookup("berlin")
    assert not table.lookup("midnight")
