"""What commands show on screens of several widths, with and without colours, also of hostile text."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest
from rich.cells import cell_len

from cli.bundled import EXAMPLES, Prints
from metaphrase.cli import main
from metaphrase.metrics import available
from screen import Screen, shown

HOSTILE = (
    "The \x1b[31mcat\x1b]0;title\x07 [red]sat[/red] :smile: \u202e on \x9b2J "
    "the mat\u0301 👨\u200d👩 我们 \x01."
)
#: Styles are all that may be sent to a terminal besides text.
STYLE = re.compile(r"\x1b\[[0-9;]*m")
#: What metrics are asked so that no optional package is needed.
WITHOUT_DATA = {"celab": "celab:dictionary=none", "meteor": "meteor:paraphrases=none"}
EXPLAINING = [name for name, kind in available().items() if kind.explains() and name != "tesla"]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reference.txt").write_text(
        "The cat sat on the mat.\n我有一个女儿，她很喜欢音乐。\n", encoding="utf-8", newline="\n"
    )
    (tmp_path / "hostile.txt").write_text(
        f"{HOSTILE}\n我有个闺女，她爱音乐 😀。\n", encoding="utf-8", newline="\n"
    )
    name = "a-name-of-sixty-characters-" + "x" * 33
    return "reference.txt", "-i", f"{name}=hostile.txt"


def only_text_and_styles(text: str) -> bool:
    rest = STYLE.sub("", text)
    return all(c == "\n" or unicodedata.category(c) not in ("Cc", "Cf", "Cs") for c in rest)


@pytest.mark.parametrize("metric", EXPLAINING)
def test_explanations_fit_and_send_no_control_characters(
    metric: str, files: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = WITHOUT_DATA.get(metric, metric)
    for width in (60, 80):
        for colours in (False, True):
            text = shown(
                monkeypatch,
                "explain",
                *files,
                "-m",
                chosen,
                "--segment",
                "1",
                "2",
                width=width,
                colours=colours,
            )
            assert only_text_and_styles(text)
            assert ("\x1b" in text) == colours
            assert max(cell_len(STYLE.sub("", line)) for line in text.splitlines()) <= width
            assert "smile" in text  # neither Rich's markup nor its emoji codes mean anything
            assert "/" in text


@pytest.mark.parametrize("width", [60, 80, 200])
def test_tables_of_many_metrics_and_long_names_fit(
    width: int, files: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    metrics = [
        "bleu",
        "chrf",
        "chrf++",
        "ter",
        "nist",
        "tesla-m",
        "tesla-m:alpha=0.5:synonyms=none",
    ]
    metrics += [f"chrf:beta={beta}" for beta in (1, 3, 4, 5, 6)]
    for arguments in (
        ("score", *files, "-m", *metrics, "--level", "system", "segment", "--confidence", "20"),
        ("metrics",),
        ("metrics", "tesla-m"),
        ("doctor", "reference.txt"),
    ):
        text = shown(monkeypatch, *arguments, width=width)
        assert only_text_and_styles(text)
        assert max(map(cell_len, text.splitlines())) <= width, arguments


def test_agreement_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    table = str(EXAMPLES / "judgements.tsv")
    text = shown(
        monkeypatch, "meta", table, "-m", "chrf", "bleu", "ter", "--resamples", "50", width=60
    )
    assert max(map(cell_len, text.splitlines())) <= 60


def test_what_programs_read_is_harmless_on_a_screen_and_exact_in_a_pipe(
    files: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    arguments = ("explain", *files, "-m", "ter", "--segment", "1", "--format", "json")
    assert only_text_and_styles(shown(monkeypatch, *arguments))
    assert main(arguments) == 0
    assert "\u202e".encode() in capsysbinary.readouterr().out


def test_a_pipe_gets_plain_text(files: tuple[str, ...], prints: Prints) -> None:
    assert "\x1b" not in prints("explain", *files, "-m", "ter", "--segment", "1")


def test_whoever_wants_no_colours_gets_bold_and_dim_at_most(
    files: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("explain", *files, "-m", "ter", "--segment", "1")
    codes = set(STYLE.findall(shown(monkeypatch, *arguments, colours=True, no_color=True)))
    assert codes <= {"\x1b[0m", "\x1b[1m", "\x1b[2m"}


@pytest.mark.parametrize("command", ["score", "report"])
def test_progress_says_how_many_segments_there_are(
    command: str, files: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Screen()
    output = ["-o", str(tmp_path / "output")]
    with monkeypatch.context() as patch:
        patch.setattr("sys.stderr", watched)
        patch.setenv("TERM", "xterm-256color")
        patch.setenv("COLUMNS", "80")
        assert main([command, *files, "-m", "chrf", "--no-language-check", *output]) == 0
    assert "2 of 2 segments" in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", watched.getvalue())
