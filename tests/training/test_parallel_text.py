"""What is for non-commercial use trains nothing that may be used commercially."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

pytest.importorskip("training", reason="a source distribution has no training")
pytest.importorskip("metaphrase_training")

from training.english.raw_text import CORPORA
from training.parallel_text import free_lines
from training.tesla.__main__ import TARGETS, parts

from training import parallel_text

# Lines may hold characters that Python takes for ends of lines.
LINES = ["A dog runs.\n", "A cat\x85 sits.\r\n", "Parliament voted.\n", "Prices\u2028 rose.\n"]


@pytest.fixture(autouse=True)
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METAPHRASE_DATA", str(tmp_path))
    monkeypatch.setattr(parallel_text, "CAPTIONS", {"extra.cs-en": 2})
    (tmp_path / "parallel").mkdir()
    for name in ("extra.cs-en", "news"):
        for language in ("cs", "en"):
            path = tmp_path / "parallel" / f"{name}.{language}.gz"
            path.write_bytes(gzip.compress("".join(LINES).encode()))


@pytest.mark.parametrize("language", ["cs", "en"])
def test_captions_are_left_out_and_all_else_is_there_byte_for_byte(language: str) -> None:
    assert list(free_lines("extra.cs-en", language)) == LINES[2:]
    assert list(free_lines("news", language)) == LINES


def test_tesla_and_the_english_analyser_read_no_captions() -> None:
    assert not {name for name in CORPORA if name.startswith("extra")}
    assert parts("cs-en") == ["extra.cs-en", "news"]
    assert {name for names, _ in TARGETS["en"].texts.values() for name in names} == {
        *("europarl.de-en", "europarl.fr-en", "europarl.es-en", "news")
    }
