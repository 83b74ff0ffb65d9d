"""``metaphrase train language-model`` on texts of a few lines."""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from metaphrase.cli.train import language_model as train_language_model
from metaphrase.errors import InputError, OptionError
from metaphrase.learning import LanguageModel, NgramModel, TextForm, estimate, read_text

TEXT = "The cat's here.\n\nthe dog isn't.\nThe cat's here.\n"


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text(TEXT)
    return path


@pytest.fixture
def train(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Runs the command; what it prints."""

    def run(*arguments: object) -> str:
        parser = argparse.ArgumentParser()
        train_language_model.add_parser(parser.add_subparsers())
        options = parser.parse_args(["language-model", *map(str, arguments)])
        assert options.run(options) == 0
        return capsys.readouterr().out

    return run


def test_words_are_tokens_of_the_analyser(text: Path, train: Callable[..., str]) -> None:
    model = text.with_name("model.lm")
    said = train(text, "-o", model, "--lowercase")
    # the cat 's here . / the dog is n't . / the cat 's here .
    assert "from 15 words in 3 sentences" in said
    assert "fixed discounts for order 1, 2, 3" in said
    found = LanguageModel.load(model)
    assert found.form == TextForm(analyser="builtin:en", lowercase=True)
    assert [row.order for row in found.word_probabilities(["The", "cat", "'s"])] == [2, 3, 3, 1]


def test_words_between_blanks_and_lines_taken_once(text: Path, train: Callable[..., str]) -> None:
    model = text.with_name("model.arpa.gz")
    said = train(text, "-o", model, "--tokenised", "--unique", "--order", 2)
    assert "from 6 words in 2 sentences" in said
    found = NgramModel.read_arpa(model)
    assert found.form == TextForm()
    assert found.vocabulary[3:] == ["The", "cat's", "dog", "here.", "isn't.", "the"]
    # <s> The cat's here. </s> and <s> the dog isn't. </s> have four bigrams each.
    assert found.counts == (9, 8)


def test_several_files_are_one_text(text: Path, train: Callable[..., str]) -> None:
    zipped = text.with_name("more.gz")
    zipped.write_bytes(gzip.compress(b"one more <unk>\n"))
    said = train(text, zipped, "-o", text.with_name("model.lm"), "--tokenised", "--bits", 32)
    assert "from 12 words in 4 sentences, 1 of them unknown" in said
    again = estimate(read_text([text, zipped], form=TextForm()))
    found = LanguageModel.load(text.with_name("model.lm"))
    assert found.fingerprint == LanguageModel.of(again).fingerprint


def test_threads_do_not_matter(text: Path, train: Callable[..., str]) -> None:
    files = []
    for threads in (1, 3):
        model = text.with_name(f"{threads}.lm")
        train(text, "-o", model, "--threads", threads)
        files.append(model.read_bytes())
    assert files[0] == files[1]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["-o", "model.bin"], "MP690"),
        (["-o", "model.lm", "--order", "9"], "MP680"),
        (["-o", "model.lm", "--cut-offs", "2,1"], "MP681"),
        (["-o", "model.lm", "--cut-offs", "0,1000"], "MP681"),
        (["-o", "model.lm", "--order", "1", "--cut-offs", "1000"], "MP681"),
        (["-o", "model.arpa", "--bits", "32"], "MP687"),
        (["-o", "model.arpa.gz", "--bits", "16"], "MP687"),
        (["-o", "model.lm", "--analyser", "nobody"], "MP260"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    text: Path,
    train: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: str,
) -> None:
    monkeypatch.chdir(text.parent)
    with pytest.raises(OptionError, match=code):
        train(text, *arguments)
    assert sorted(path.name for path in text.parent.iterdir()) == ["text.txt"]


def test_text_that_cannot_be_used_is_refused(
    text: Path, train: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    output = ["-o", text.with_name("model.lm")]
    with pytest.raises(InputError, match="MP110"):
        train(text.with_name("missing"), *output)
    blank = text.with_name("blank.txt")
    blank.write_text("\n \n")
    with pytest.raises(InputError, match="MP682"):
        train(blank, *output)
    text.write_bytes(b"caf\xe9\n")
    with pytest.raises(InputError, match="MP121"):
        train(text, *output)
    for cut_offs in ("1,", "x", "-1"):
        with pytest.raises(SystemExit):
            train(text, *output, f"--cut-offs={cut_offs}")
    assert "is not a whole number" in capsys.readouterr().err


def test_the_output_must_not_be_an_input(text: Path, train: Callable[..., str]) -> None:
    same = text.rename(text.with_name("text.lm"))
    with pytest.raises(OptionError, match="MP607"):
        train(same, "-o", same)
