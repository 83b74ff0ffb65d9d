"""What somebody sends to be evaluated: JSON with whole files in it, checked before anything is kept."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from metaphrase.errors import InputError, OptionError
from metaphrase.languages import known_language
from metaphrase.serve.limits import Limits
from metaphrase.serve.offer import check_metric

#: Bytes of a file's name, most of what file systems allow.
_LONGEST_NAME = 150
_LONGEST_TITLE = 200
_MOST_METRICS = 30
_ENTRIES = {
    "title", "lang", "check_language", "metrics", "references", "systems", "source", "documents",
    "checks", "changes", "on_error",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file under the name that its sender knows it by, made harmless."""

    name: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class EvaluationRequest:
    """An evaluation that is asked for."""

    title: str
    lang: str
    metrics: tuple[str, ...]
    references: tuple[SentFile, ...]
    systems: tuple[SentFile, ...]
    source: SentFile | None = None
    documents: SentFile | None = None
    check_language: bool = True
    #: Whether translations are checked against their source.
    checks: bool = False
    #: Whether the second system is a new version of the first.
    changes: bool = False
    #: What to do about a segment that a metric refuses.
    on_error: str = "stop"

    @property
    def listed_as(self) -> str:
        """The title, or else the names of the systems, by which somebody may know it again."""
        names = ", ".join(file.name for file in self.systems)
        return self.title or (names if len(names) <= 80 else f"{names[:79]}…")

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the files into ``folder`` and return the rest, with their names there, as JSON.

        Files keep their own names, so that errors name them as the command line does. Two of one name are
        told apart by a folder that says what they are for.
        """
        taken: set[str] = set()

        def free(name: str) -> bool:
            # File systems may take names for the same that differ in case or composition.
            folded = unicodedata.normalize("NFC", name).casefold()
            if folded in taken:
                return False
            taken.add(folded)
            return True

        def save(file: SentFile, role: str) -> str:
            if free(file.name):
                (folder / file.name).write_bytes(file.content)
                return file.name
            place = next(name for number in count(1) if free(name := f"{role}-{number}"))
            (folder / place).mkdir(mode=0o700)
            (folder / place / file.name).write_bytes(file.content)
            return f"{place}/{file.name}"

        return {
            "title": self.title,
            "lang": self.lang,
            "check_language": self.check_language,
            "checks": self.checks,
            "changes": self.changes,
            "on_error": self.on_error,
            "metrics": list(self.metrics),
            "references": [save(file, "references") for file in self.references],
            "systems": [save(file, "systems") for file in self.systems],
            "source": save(self.source, "source") if self.source else None,
            "documents": save(self.documents, "documents") if self.documents else None,
        }


def read_request(body: bytes, limits: Limits) -> EvaluationRequest:
    """The request that ``body`` spells."""
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        raise _wrong("the request is not JSON in UTF-8.") from None
    if not isinstance(given, Mapping):
        raise _wrong("the request is not a JSON object.")
    if unknown := sorted(set(given) - _ENTRIES):
        raise _wrong(f"the request has an unknown entry {unknown[0][:50]!r}.")
    references = tuple(_files(given, "references"))
    systems = tuple(_files(given, "systems"))
    if not references:
        raise OptionError("MP602", "no reference was given.", hint="Add a file.")
    if not systems:
        raise InputError("MP101", "The corpus has no system.", hint="Give at least one.")
    if len(references) + len(systems) > limits.systems:
        raise InputError(
            "MP835",
            f"there are {len(references) + len(systems)} systems and references, "
            f"and this server takes {limits.systems}.",
            hint="Give fewer, or start the server with a larger --max-systems.",
        )
    return EvaluationRequest(
        _title(given.get("title")),
        _language(given.get("lang", "en")),
        _metrics(given.get("metrics")),
        references,
        systems,
        _optional(given, "source"),
        _optional(given, "documents"),
        _flag(given.get("check_language", True), "check_language"),
        _flag(given.get("checks", False), "checks"),
        _versions(given, len(systems)),
        _on_error(given.get("on_error", "stop")),
    )


#: Names under which Windows has devices, whatever follows the first dot.
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)\s*(\.|$)", re.IGNORECASE)


def harmless(name: str) -> str:
    """A file name that stays in its folder and that every file system takes, as like ``name`` as can be."""
    last = re.split(r"[/\\]", name.encode("utf-8", "replace").decode())[-1]
    clean = "".join("_" if unicodedata.category(c) in ("Cc", "Cs") else c for c in last).strip()
    # A colon names a stream or a drive on Windows, a lone hyphen standard input.
    clean = clean.replace(":", "_")
    if os.name == "nt":
        clean = re.sub(r'[<>"|?*]', "_", clean).rstrip(". ")
        if _DEVICE.match(clean):
            clean = f"_{clean}"
    if clean.strip(".-") == "":
        return "unnamed"
    while len(clean.encode()) > _LONGEST_NAME:
        # The end stays: it tells CoNLL-U from plain text.
        middle = len(clean) // 2
        clean = clean[: middle - 1] + clean[middle + 1 :]
    return clean


def _flag(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise _wrong(f"{name} is neither true nor false.")
    return value


def _on_error(value: object) -> str:
    if value not in ("stop", "skip"):
        raise _wrong("on_error is neither stop nor skip.")
    return str(value)


def _versions(given: Mapping[str, Any], systems: int) -> bool:
    compared = _flag(given.get("changes", False), "changes")
    if compared and systems < 2:
        raise OptionError(
            "MP920",
            "there is one system, and no earlier version of it.",
            hint="Add it, the earlier version first.",
        )
    return compared


def _files(given: Mapping[str, Any], role: str) -> Iterator[SentFile]:
    listed = given.get(role, [])
    if not isinstance(listed, list):
        raise _wrong(f"{role} is not a list.")
    for entry in listed:
        yield _file(entry, role)


def _optional(given: Mapping[str, Any], role: str) -> SentFile | None:
    return None if given.get(role) is None else _file(given[role], role)


def _file(entry: object, role: str) -> SentFile:
    if not isinstance(entry, Mapping) or not isinstance(entry.get("name"), str):
        raise _wrong(f"a file of {role} is not an object with a name.")
    name = harmless(entry["name"])
    if ("text" in entry) == ("base64" in entry):
        raise _wrong(f"the file {name!r} has not either text or base64.")
    content = entry["text"] if "text" in entry else entry["base64"]
    if not isinstance(content, str):
        raise _wrong(f"the content of {name!r} is not a string.")
    if "text" in entry:
        # Half a surrogate pair becomes bytes that no UTF-8 file has: its reader will say where.
        return SentFile(name, content.encode("utf-8", "surrogatepass"))
    try:
        return SentFile(name, b64decode(content, validate=True))
    except ValueError:
        raise _wrong(f"the content of {name!r} is not base64.") from None


def _title(given: object) -> str:
    if given is None:
        return ""
    if not isinstance(given, str):
        raise _wrong("the title is not a string.")
    return given.encode("utf-8", "replace").decode().strip()[:_LONGEST_TITLE]


def _language(given: object) -> str:
    if not isinstance(given, str):
        raise _wrong("lang is not the code or the name of a language, such as en.")
    return known_language(given).tag


def _metrics(given: object) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
        raise _wrong("metrics is not a list of names.")
    if not given:
        raise OptionError("MP514", "no metric was asked for.")
    if len(given) > _MOST_METRICS:
        raise _wrong(f"there are more than {_MOST_METRICS} metrics.")
    for specification in given:
        check_metric(specification)
    return tuple(given)


def _wrong(message: str) -> InputError:
    return InputError("MP826", message, hint="docs/serve.md shows what a request looks like.")
