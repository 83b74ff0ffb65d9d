"""Any program as a metric: ``exec:COMMAND`` starts it and asks it over JSON lines (docs/guests.md)."""

from __future__ import annotations

import os
import shlex
import shutil
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import ClassVar

from metaphrase.errors import OptionError
from metaphrase.metrics.guests.metric import GuestMetric
from metaphrase.metrics.guests.process import Start
from metaphrase.metrics.registry import register
from metaphrase.metrics.signature import spell
from metaphrase.options import option

#: A file that is read by a program begins so; what does not is a program, whose name suffices.
_SCRIPT = b"#!"


@register
@dataclass(frozen=True, kw_only=True)
class Exec(GuestMetric):
    """Any program that answers requests in JSON lines.

    The command is split into words as a shell would do it, but there is no shell: no variables, no wildcards,
    no pipes. Files among the words are in the signature with their hash.

    >>> guest = metaphrase.Exec(command="python3 similarity_guest.py")
    >>> guest.sentence_score("a cat", ["a cat"]).score
    1.0
    >>> guest == metaphrase.create("exec:python3 similarity_guest.py")
    True
    """

    name: ClassVar[str] = "exec"
    summary: ClassVar[str] = "any program, asked over JSON lines"
    citation: ClassVar[str] = "metaphrase"
    needs_options: ClassVar[tuple[str, ...]] = ("command",)
    rest_option: ClassVar[str] = "command"

    command: str | None = option(
        None, "the program and its arguments; all that follows is its", signed=False
    )

    def __post_init__(self) -> None:
        """Split the command, to find out that it can be."""
        super().__post_init__()
        self._words()

    @property
    def specification(self) -> str:
        """Options first, and the command as it is, to the end."""
        name, changed = self._spelling({"lang", "command"})
        options = [f"{one.name}={spell(getattr(self, one.name))}" for one in changed]
        command = [f"command={self.command}"] if self.command else []
        return ":".join([name, *options, *command])

    @property
    def label(self) -> str:
        """The command with files by their names."""
        return f"exec:{shlex.join(Path(word).name or word for word in self._words())}"

    @property
    def start(self) -> Start:
        """The words, as they are."""
        words = self._words()
        if not words:
            raise OptionError(
                "MP713",
                "exec needs a command.",
                hint="Write -m 'exec:COMMAND'; docs/guests.md says what it is asked.",
            )
        return Start(self.label, words)

    @property
    def about(self) -> dict[str, object]:
        """The words; a file among them by its name and the hash of its content."""
        words = self._words()
        return {"command": " ".join(_spelled(word, place) for place, word in enumerate(words))}

    def _words(self) -> tuple[str, ...]:
        try:
            words = tuple(shlex.split(self.command or ""))
        except ValueError as error:
            raise OptionError(
                "MP725",
                f"exec: the command cannot be split into words: {error}.",
                hint="Quotes come in pairs; a backslash before one makes it a character.",
            ) from None
        if any("\0" in word for word in words):
            raise OptionError("MP725", "exec: no word of a command can have a NUL character.")
        return words


def _spelled(word: str, place: int) -> str:
    found = shutil.which(word) if place == 0 else word
    if found is None or not os.path.isfile(found):
        return word
    status = Path(found).stat()
    fingerprint = _fingerprint(found, status.st_size, status.st_mtime_ns, place == 0)
    return Path(word).name + (f"@{fingerprint}" if fingerprint else "")


@lru_cache(maxsize=64)
def _fingerprint(path: str, size: int, changed: int, is_program: bool) -> str:
    """Of a file; a compiled program, which differs from machine to machine, has none."""
    try:
        with Path(path).open("rb") as file:
            if is_program and file.read(len(_SCRIPT)) != _SCRIPT:
                return ""
            file.seek(0)
            whole = blake2b(digest_size=6)
            while piece := file.read(1 << 20):
                whole.update(piece)
    except OSError:
        return ""
    return whole.hexdigest()
