"""What somebody writes for a file: ``FILE``, ``NAME=FILE`` or ``LP=FILE``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from metaphrase.corpus.formats.registry import formats_of_others
from metaphrase.corpus.lines import STDIN
from metaphrase.errors import OptionError

_ENDINGS = (
    ".gz", ".txt", ".tsv", ".jsonl", ".conllu",
    ".xlf", ".xliff", ".tmx", ".po", ".csv", ".xlsx", ".properties", ".json",
)  # fmt: skip


def name_and_file(given: str) -> tuple[str, str]:
    """The name and the file of ``NAME=FILE``; the name is empty if there is only a file."""
    name, equals, path = given.partition("=")
    if not equals or os.path.exists(given):
        name, path = "", given
    if not path or (path != given and not name):
        raise OptionError(
            "MP603", f"{given!r} names no file or no system.", hint="Write FILE or NAME=FILE."
        )
    return name, path


def pair_and_file(given: str) -> tuple[str | None, str]:
    """The language pair and the file of ``LP=FILE``; no pair if there is only a file."""
    pair, equals, path = given.partition("=")
    return (None, given) if not equals or os.path.exists(given) else (pair, path)


def name_systems(hypotheses: Sequence[str]) -> dict[str, str]:
    """Each system's file by its name: the one given with ``NAME=FILE``, or the file's own."""
    systems: dict[str, str] = {}
    for given in hypotheses:
        name, path = name_and_file(given)
        name = name or _stem(path)
        if name in systems:
            raise OptionError(
                "MP603",
                f"two systems are called {name!r}: {systems[name]} and {path}.",
                hint="Name them: -i first=FILE second=FILE",
            )
        systems[name] = path
    return systems


def shown_path(path: str) -> str:
    """What messages call a file."""
    return "standard input" if path == STDIN else path


def _is_ending(suffix: str) -> bool:
    return any(suffix in one.endings for one in formats_of_others().values())


def _stem(path: str) -> str:
    if path == STDIN:
        return "stdin"
    name = Path(path).name
    while (suffix := Path(name).suffix) and (suffix in _ENDINGS or _is_ending(suffix)):
        name = name[: -len(suffix)]
    return name or path
