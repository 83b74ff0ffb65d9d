"""A terminal that is not there: what a command would show on a screen of a given width."""

from __future__ import annotations

from io import StringIO

import pytest

from metaphrase.cli import main


class Screen(StringIO):
    """Says that somebody is watching."""

    def isatty(self) -> bool:
        return True


def shown(
    monkeypatch: pytest.MonkeyPatch,
    *arguments: str,
    width: int = 80,
    colours: bool = False,
    no_color: bool = False,
) -> str:
    """Run a command that must succeed; what it shows, then what it says of it.

    With ``colours`` the terminal has them, with ``no_color`` its user does not want them.
    """
    code, text = answered(monkeypatch, *arguments, width=width, colours=colours, no_color=no_color)
    assert code == 0, text
    return text


def answered(
    monkeypatch: pytest.MonkeyPatch,
    *arguments: str,
    width: int = 80,
    colours: bool = False,
    no_color: bool = False,
) -> tuple[int, str]:
    """Run a command; its exit code, and what it shows, then what it says of it.

    With ``colours`` the terminal has them, with ``no_color`` its user does not want them.
    """
    screen, complaints = Screen(), StringIO()
    with monkeypatch.context() as patch:
        patch.setattr("sys.stdout", screen)
        patch.setattr("sys.stderr", complaints)  # no terminal: a progress bar is not for reading
        patch.setenv("COLUMNS", str(width))
        patch.setenv("TERM", "xterm-256color" if colours else "dumb")
        patch.delenv("NO_COLOR", raising=False)
        if no_color:
            patch.setenv("NO_COLOR", "1")
        code = main(arguments)
    return code, screen.getvalue() + complaints.getvalue()
