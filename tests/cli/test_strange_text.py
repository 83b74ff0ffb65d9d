"""Text that has broken tools is scored, or refused with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.bundled import Fails
from metaphrase.cli import main

# Texts that have broken tools: each is scored against itself and against an ordinary sentence.
STRANGE = {
    "punctuation only": "?!... --- ,,, ;;",
    "emoji only": "🙂🙂 👩‍👩‍👧‍👦 🇫🇷",
    "right to left": "הכלב רץ مرحبا بالعالم",
    "combining": "e\u0301" * 50,
    "line separators": "one\u2028two\u2029three\x0bfour\x0cfive\x85six",
    "zero width": "\u200b\u200d\ufeff word",
    "one megabyte without a space": "x" * 1_000_000,
    "one megabyte of dots": "." * 1_000_000,
    "10,000 tokens": " ".join(f"word{i % 700}" for i in range(10_000)),
    "10,000 equal tokens": "cat " * 10_000,
    "one megabyte of text": "The quick brown fox jumps over the lazy dog. " * 22_500,
}


@pytest.mark.parametrize("name", STRANGE)
def test_strange_text_is_scored(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    strange, plain = tmp_path / "strange.txt", tmp_path / "plain.txt"
    strange.write_text(f"{STRANGE[name]}\n", encoding="utf-8")
    plain.write_text("An ordinary sentence.\n")
    assert (
        main(
            [
                "score",
                str(strange),
                "-i",
                str(strange),
                str(plain),
                "-m",
                "tesla-m",
                "--format",
                "json",
                "--no-language-check",
            ]
        )
        == 0
    )
    itself, other = json.loads(capsys.readouterr().out)["systems"]
    assert itself["scores"]["tesla-m"] in (0.0, 1.0)  # 0 where no token counts
    assert 0.0 <= other["scores"]["tesla-m"] < 1.0


def test_a_nul_byte_is_an_error_with_its_line(tmp_path: Path, fails: Fails) -> None:
    path = tmp_path / "nul.txt"
    path.write_bytes(b"fine\nnot\0fine\n")
    fails(1, "nul.txt, line 2", "score", str(path), "-i", str(path))
