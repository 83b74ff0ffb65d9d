"""What tests of the command line share."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.bundled import EXAMPLES, Answers, Fails, Prints
from metaphrase.cli import main


@pytest.fixture(scope="session")
def examples() -> Path:
    return EXAMPLES


@pytest.fixture
def fails(capsys: pytest.CaptureFixture[str]) -> Fails:
    """Runs a command that must fail with one readable line, which has certain words."""

    def run(code: int | None, words: str | tuple[str, ...], *arguments: str | Path) -> str:
        capsys.readouterr()
        found = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        assert out == ""
        assert "Traceback" not in err
        assert err.startswith("metaphrase: [MP")
        assert found > 0 if code is None else found == code, err
        for word in (words,) if isinstance(words, str) else words:
            assert word in err
        return err

    return run


@pytest.fixture
def prints(capsys: pytest.CaptureFixture[str]) -> Prints:
    def run(*arguments: str | Path) -> str:
        capsys.readouterr()
        assert main([str(argument) for argument in arguments]) == 0
        return capsys.readouterr().out

    return run


@pytest.fixture
def answers(prints: Prints) -> Answers:
    return lambda *arguments: json.loads(prints(*arguments, "--format", "json"))
