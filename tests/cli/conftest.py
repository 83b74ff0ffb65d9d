"""What tests of the command line share."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.bundled import EXAMPLES, Fails
from metaphrase.cli import main


@pytest.fixture(scope="session")
def examples() -> Path:
    return EXAMPLES


@pytest.fixture
def fails(capsys: pytest.CaptureFixture[str]) -> Fails:
    """Runs a command that must fail with one readable line: its exit code and message."""

    def run(*arguments: str) -> tuple[int, str]:
        code = main(arguments)
        captured = capsys.readouterr()
        assert captured.out == ""
        assert "Traceback" not in captured.err
        assert captured.err.startswith("metaphrase: [MP")
        return code, captured.err

    return run
