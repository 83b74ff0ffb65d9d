"""People's scores of a corpus."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from metaphrase.corpus import Corpus
from metaphrase.corpus.formats.judged.human_scores import read_human_scores
from metaphrase.errors import InputError

CORPUS = Corpus({"a": ["one", "two"], "b": ["eins", "zwei"]}, [["1", "2"]])
NAN = float("nan")


def table(folder: Path, *lines: str) -> Path:
    path = folder / "judged.tsv"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_segments_are_counted_from_1(tmp_path: Path) -> None:
    human = read_human_scores(
        table(tmp_path, "system\tseg\thuman", "b\t2\t70", "a\t1\t-1.5"), CORPUS
    )
    np.testing.assert_array_equal(human.scores, [[-1.5, NAN], [NAN, 70]])
    np.testing.assert_array_equal(human.systems(), [-1.5, 70])
    assert human.name == "judged.tsv"


def test_several_scores_of_one_translation_count_by_their_mean(tmp_path: Path) -> None:
    rows = ["human\tsegment\tsystem", "1\t1\ta", "4\t1\ta", "\t2\ta"]
    human = read_human_scores(table(tmp_path, *rows), CORPUS)
    np.testing.assert_array_equal(human.scores, [[2.5, NAN], [NAN, NAN]])
    np.testing.assert_array_equal(human.systems(), [2.5, NAN])


def test_segments_of_a_table_with_translations_may_have_any_names(tmp_path: Path) -> None:
    rows = ["system\tdoc\tseg\thypothesis\thuman", "a\tx\t7\tone\t1", "a\ty\t7\ttwo\t2"]
    human = read_human_scores(table(tmp_path, *rows), CORPUS)
    np.testing.assert_array_equal(human.scores[0], [1, 2])


def test_numbers_hold_whatever_the_order_of_rows(tmp_path: Path) -> None:
    rows = ["system\tseg\thypothesis\thuman", "a\t2\ttwo\t2", "a\t1\tone\t1"]
    human = read_human_scores(table(tmp_path, *rows), CORPUS)
    np.testing.assert_array_equal(human.scores[0], [1, 2])


def test_other_systems_are_passed_over_and_named(tmp_path: Path) -> None:
    rows = ["system\tseg\thuman", "c\t1\t1", "a\t1\t2", "d\t99\t1"]
    human = read_human_scores(table(tmp_path, *rows), CORPUS)
    assert human.passed_over == ("c", "d")
    assert human.scores[0, 0] == 2


@pytest.mark.parametrize(
    ("lines", "code", "line"),
    [
        (["system\tseg", "a\t1"], "MP644", 1),
        (["system\tseg\tsegment\thuman", "a\t1\t1\t1"], "MP644", 1),
        (["system\tseg\thuman", "a\t1"], "MP141", 2),
        (["system\tseg\thuman\thuman", "a\t1\t1\t1"], "MP140", 1),
        (["system\tseg\thuman"], "MP645", None),
        (["system\tseg\thuman", "a\t1\tgood"], "MP152", 2),
        (["system\tseg\thuman", "a\t1\tinf"], "MP152", 2),
        (["system\tseg\thuman", "c\t1\t3"], "MP645", None),
        (["system\tseg\thuman", "a\t1\t"], "MP645", None),
        (["system\tseg\thuman", "a\t1\t3", "a\t3\t3"], "MP646", 3),
        (["system\tseg\thuman", "a\t0\t3"], "MP646", 2),
        (["system\tseg\thuman", "a\tfirst\t3"], "MP646", 2),
        (["system\tdoc\tseg\thuman", "a\tx\t1\t3", "a\ty\t1\t3"], "MP646", 2),
        (["system\tseg\thyp\thuman", "a\t1\tone\t3", "a\t2\tzwo\t3"], "MP647", 3),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_place(
    tmp_path: Path, lines: list[str], code: str, line: int | None
) -> None:
    path = table(tmp_path, *lines)
    with pytest.raises(InputError) as caught:
        read_human_scores(path, CORPUS)
    assert (caught.value.code, caught.value.line, caught.value.path) == (code, line, str(path))
