"""``metaphrase train phrases`` from two files to a table."""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path

import pytest

from metaphrase.cli.train import phrases as train_phrases
from metaphrase.errors import InputError, OptionError
from metaphrase.learning.phrases.pivot_table_file import Pruning
from metaphrase.learning.phrases.pivot_training import PivotTraining
from metaphrase.lexicon.pivot_table import PivotTable

LINES = {
    "en": ["The house is old.", "An old man sees the house.", "", "The man is old."],
    "fr": ["La maison est vieille.", "Un vieil homme voit la maison.", "", "L'homme est vieux."],
}


@pytest.fixture
def texts(tmp_path: Path) -> list[str]:
    for language, lines in LINES.items():
        (tmp_path / language).write_text("\n".join(lines * 10) + "\n", "utf-8")
    return [str(tmp_path / language) for language in LINES]


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    train_phrases.add_parser(parser.add_subparsers())
    options = parser.parse_args(["phrases", *arguments])
    return int(options.run(options))


def test_a_table(texts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "en-fr.pivots")
    assert run(*texts, "--pivot-language", "fr", "-o", path, "--threads", "1") == 0
    table = PivotTable(path)
    assert table.languages == ("en", "fr")
    assert table.lookup("house")
    first, second = capsys.readouterr().out.splitlines()
    # √(30 / 300) is less than once: every phrase counts.
    assert first.startswith(f"{path}: {table.phrase_count} phrases, 22 of several words, with ")
    assert second == "30 sentence pairs used; left out: 10 without a word on a side"


def test_a_table_without_phrases_is_not_written(texts: list[str], tmp_path: Path) -> None:
    path = tmp_path / "en-fr.pivots"
    with pytest.raises(InputError, match="MP663"):
        run(*texts, "--pivot-language", "fr", "-o", str(path), "--least-count", "1000000")
    assert not path.exists()


def test_a_table_of_single_words_is_warned_of(
    texts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "en-fr.pivots")
    with pytest.warns(UserWarning, match=r"\[MP816\] .* 0 of 7 phrases .* at least 100 times"):
        run(*texts, "--pivot-language", "fr", "-o", path, "--least-phrase-count", "100")
    assert "7 phrases, 0 of several words, with" in capsys.readouterr().out
    assert PivotTable(path).count("the house") == 0


def test_what_memory_took_away_is_said(texts: list[str], tmp_path: Path) -> None:
    arguments = [*texts, "--pivot-language", "fr", "-o", str(tmp_path / "few.pivots")]
    with pytest.warns(UserWarning, match=r"--most-pairs dropped .* by up to \d+"):
        run(*arguments, "--most-pairs", "10")
    run(*arguments[:-1], str(tmp_path / "all.pivots"))  # warnings are errors
    few, whole = (PivotTable(tmp_path / f"{name}.pivots") for name in ("few", "all"))
    assert few.total < whole.total


@pytest.mark.parametrize(
    ("flags", "options"),
    [(train_phrases.PRUNING, Pruning), (train_phrases.TRAINING, PivotTraining)],
)
def test_every_option_has_a_flag_with_its_default(
    flags: dict[str, tuple[float, str]], options: type
) -> None:
    assert {name: default for name, (default, _) in flags.items()} == {
        field.name: field.default for field in fields(options)
    }


def test_mistakes_are_found_before_the_work(texts: list[str], tmp_path: Path) -> None:
    table = str(tmp_path / "table.pivots")
    language = ("--pivot-language", "fr")
    with pytest.raises(OptionError, match="MP607"):
        run(*texts, *language, "-o", texts[0])
    with pytest.raises(InputError, match="MP132"):
        run(*texts, *language, "-o", str(tmp_path / "no" / "table"))
    with pytest.raises(OptionError, match="MP662"):
        run(*texts, *language, "-o", f"{table}.gz")
    with pytest.raises(OptionError, match="MP662"):
        run(*texts, *language, "-o", table, "--least-probability", "2")
    for flag in train_phrases.TRAINING:
        with pytest.raises(OptionError, match=f"MP662.*{flag}"):
            run(*texts, *language, "-o", table, f"--{flag.replace('_', '-')}", "9" * 20)
    with pytest.raises(OptionError, match="MP662"):
        run(*texts, "--pivot-language", "en", "-o", table)
    with pytest.raises(OptionError, match="MP115"):
        run("-", "-", *language, "-o", table)
    assert not Path(table).exists()
