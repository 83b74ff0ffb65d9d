"""The log never stands in the way of the server."""

from __future__ import annotations

import io
import sys
from threading import Event

import pytest

from metaphrase.serve.log import Log


class StuckReader(io.StringIO):
    """Takes nothing before it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.go_on = Event()

    def write(self, text: str) -> int:
        self.go_on.wait(20)
        return super().write(text)


class LostReader(io.StringIO):
    def write(self, text: str) -> int:
        raise BrokenPipeError


def test_lines_are_written_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    log = Log()
    log("first")
    log("second")
    log.close()
    assert capsys.readouterr().err == "metaphrase: first\nmetaphrase: second\n"


def test_a_reader_that_does_not_read_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = StuckReader()
    monkeypatch.setattr(sys, "stderr", reader)
    log = Log()
    for number in range(5000):
        log(str(number))
    reader.go_on.set()
    log.close()
    written = reader.getvalue().splitlines()
    assert written[0] == "metaphrase: 0"
    assert len(written) < 5000


def test_a_reader_that_has_gone_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", LostReader())
    log = Log()
    log("nobody hears this")
    log.close()
