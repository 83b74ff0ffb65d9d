"""Every command says what it does, what each of its options is for, and fits on a screen."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterator

import pytest

from metaphrase.cli import build_parser


def parsers(
    parser: argparse.ArgumentParser | None = None,
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    parser = parser or build_parser()
    yield parser.prog, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from parsers(inner)


PARSERS = dict(parsers())


@pytest.mark.parametrize("name", PARSERS)
def test_help_fits_80_columns(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    wide = [line for line in PARSERS[name].format_help().splitlines() if len(line) > 80]
    assert not wide


@pytest.mark.parametrize("name", PARSERS)
def test_everything_has_a_word_of_help(name: str) -> None:
    parser = PARSERS[name]
    assert parser.description
    for action in parser._actions:
        if not isinstance(action, argparse._SubParsersAction):
            assert action.help, action.dest


def test_examples_are_commands_that_are_understood() -> None:
    """Whatever the files are called, options and commands in examples exist."""
    for name, parser in PARSERS.items():
        _, _, examples = re.sub(r" \\\n *", " ", parser.epilog or "").partition("examples:\n")
        for line in examples.splitlines():
            command = line.partition("metaphrase ")[2].partition("  ")[0]
            command = re.sub(r" > \S+$", "", command)
            if command:
                try:
                    build_parser().parse_args(shlex.split(command))
                except SystemExit:
                    pytest.fail(f"{name}: {line}")
