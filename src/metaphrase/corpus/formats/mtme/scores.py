"""Score files of the mt-metrics-eval tree: lines ``[DOMAIN] SYSTEM SCORE``.

A line does not say which segment or document it is about: the n-th line of a system is about the n-th one.
So the lines of a system must stand together, as many as the text has segments or documents; anything else
would be read as scores of other segments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from os import fspath
from typing import Literal, cast

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus.formats.score_text import is_score, no_score, shown
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.corpus.writing import atomic_writer, encoded_lines
from metaphrase.errors import InputError

Level = Literal["sys", "domain", "doc", "seg"]
LEVELS: tuple[Level, ...] = ("sys", "domain", "doc", "seg")
#: What stands for a judgement that nobody made.
NO_SCORE = "None"
#: Blanks are spaces and tabs, as many as there are; other white space may be part of a name.
_CELL = re.compile(r"[^ \t]+")
_FILE_NAME = re.compile(r"\.(sys|domain|doc|seg)\.score(?:\.gz)?$")


@dataclass(frozen=True, slots=True)
class ScoreFile:
    """The lines of one file in columns of equal length; scores as they were written, or ``None``.

    ``domains`` are there at level ``domain`` only.
    """

    level: Level
    systems: tuple[str, ...]
    scores: tuple[str, ...]
    domains: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        lengths = {
            len(column) for column in (self.systems, self.scores, self.domains or self.scores)
        }
        if len(lengths) != 1 or self.level not in LEVELS:
            raise InputError("MP160", "Systems, scores and domains are not columns of one level.")
        if (self.domains is not None) != (self.level == "domain"):
            raise InputError(
                "MP160",
                f"Scores at level {self.level} with domains, or scores of domains without.",
                hint="Domains belong to the level of that name.",
            )

    def by_system(self) -> dict[str, FloatArray]:
        """Each system's scores in the order of the file; NaN where there is none."""
        columns: dict[str, list[float]] = {}
        for system, score in zip(self.systems, self.scores, strict=True):
            number = np.nan if score == NO_SCORE else float(score)
            columns.setdefault(system, []).append(number)
        return {system: np.array(column) for system, column in columns.items()}


@dataclass(frozen=True, slots=True)
class Extent:
    """What a text has that scores can be about; a file of scores must have all of it for each system."""

    systems: frozenset[str]
    domains: tuple[str, ...]
    documents: int
    segments: int

    def count(self, level: Level) -> int:
        """How many scores a system has at a level."""
        sizes = {"sys": 1, "domain": len(self.domains), "doc": self.documents, "seg": self.segments}
        return sizes[level]


def level_of(name: str) -> Level | None:
    """The level that the name of a score file says: ``seg`` of ``BLEU-refA.seg.score``."""
    found = _FILE_NAME.search(name)
    return cast("Level", found[1]) if found else None


def read_score_file(
    path: FilePath,
    *,
    level: Level | None = None,
    extent: Extent | None = None,
    human: bool = True,
) -> ScoreFile:
    """Read the scores of one file, gzip too.

    The level is the one that the file's name says, unless stated. With ``extent``, systems and numbers of
    scores are checked against it; without, all systems need as many scores as the first one has. ``None``
    is for ``human`` scores only.
    """
    chosen = level or level_of(fspath(path))
    if chosen is None:
        raise InputError(
            "MP168",
            "The name does not say what the scores are about.",
            path=path,
            hint="Call it NAME.LEVEL.score with sys, domain, doc or seg, or state the level.",
        )
    width = 3 if chosen == "domain" else 2
    domains: list[str] = []
    systems: list[str] = []
    scores: list[str] = []
    names: dict[str, str] = {}  # one object for every name, which comes again and again
    with LineReader(path) as reader:
        blocks = _Blocks(reader.name, chosen, extent)
        for line, text in reader:
            cells = _CELL.findall(text)
            if len(cells) != width:
                raise InputError(
                    "MP160",
                    f"The line has {len(cells)} columns, not {width}.",
                    path=reader.name,
                    line=line,
                    hint=f"A line is {'DOMAIN ' * (width - 2)}SYSTEM SCORE, separated by a tab.",
                )
            if not is_score(cells[-1]) and not (human and cells[-1] == NO_SCORE):
                hint = (
                    f"Write {NO_SCORE} where nobody judged."
                    if human
                    else "A metric scores every segment."
                )
                raise no_score(cells[-1], reader.name, line, hint=hint)
            system = names.setdefault(cells[-2], cells[-2])
            domain = names.setdefault(cells[0], cells[0]) if width == 3 else None
            blocks.add(line, system, domain)
            systems.append(system)
            scores.append(cells[-1])
            if domain is not None:
                domains.append(domain)
    blocks.finish()
    by_line = tuple(domains) if chosen == "domain" else None
    return ScoreFile(chosen, tuple(systems), tuple(scores), by_line)


def write_score_file(scores: ScoreFile, path: FilePath, *, overwrite: bool = True) -> None:
    """Write the lines with single tabs; what would not read back is refused."""
    lines = list(encoded_lines(score_lines(scores, path), path))
    with atomic_writer(path, overwrite=overwrite) as stream:
        stream.writelines(lines)


def score_lines(
    scores: ScoreFile, path: FilePath, *, extent: Extent | None = None
) -> Iterator[str]:
    """The lines of a score file, checked as if they were read."""
    blocks = _Blocks(fspath(path), scores.level, extent)
    columns = [scores.systems, scores.scores]
    if not scores.systems:
        raise InputError("MP113", "There is no score to write.", path=path, hint="Give some.")
    if scores.domains is not None:
        columns.insert(0, scores.domains)
    for line, cells in enumerate(zip(*columns, strict=True), 1):
        for name in cells[:-1]:
            check_name(name, path, line)
        if cells[-1] != NO_SCORE and not is_score(cells[-1]):
            raise no_score(cells[-1], path, line, hint="Only numbers can be written.")
        blocks.add(line, cells[-2], cells[0] if scores.domains is not None else None)
        yield "\t".join(cells)
    blocks.finish()


def check_name(name: str, path: FilePath, line: int | None = None) -> None:
    """Refuse a name that could not be told from what stands beside it."""
    unusable = any(c in "\n\0" or "\ud800" <= c <= "\udfff" for c in name)
    if unusable or _CELL.fullmatch(name) is None:
        raise InputError(
            "MP172",
            f"The name {shown(name)} is empty, or has blanks or characters that no file holds.",
            path=path,
            line=line,
            hint="Blanks separate the columns: choose names without.",
        )


class _Blocks:
    """Whether every system has its scores in one place, and all of them."""

    def __init__(self, path: str, level: Level, extent: Extent | None) -> None:
        self._path = path
        self._level = level
        self._extent = extent
        self._size = extent.count(level) if extent else (1 if level == "sys" else None)
        self._counts: dict[str, int] = {}
        self._domains: dict[str, set[str]] = {}
        self._system: str | None = None
        self._line = 0

    def add(self, line: int, system: str, domain: str | None) -> None:
        """Take the next line into account."""
        extent = self._extent
        if extent is not None and system not in extent.systems:
            raise self._unknown(line, f"There is no system {shown(system)}.")
        if domain is not None:
            if extent is not None and domain not in extent.domains:
                raise self._unknown(line, f"There is no domain {shown(domain)}.")
            seen = self._domains.setdefault(system, set())
            if domain in seen:
                raise self._twice(line, f"System {shown(system)} has two scores of that domain.")
            seen.add(domain)
        elif system != self._system:
            self._close()
            if system in self._counts:
                raise self._twice(line, f"System {shown(system)} has scores further up, too.")
            self._system = system
        elif self._level == "sys":
            raise self._twice(line, f"System {shown(system)} has two scores.")
        count = self._counts[system] = self._counts.get(system, 0) + 1
        if domain is None and self._size is not None and count > self._size:
            raise self._wrong_number(line, system)
        self._line = line

    def finish(self) -> None:
        """Check what only the end of the file tells."""
        if self._level != "domain":
            self._close()
            return
        expected = set(self._extent.domains) if self._extent else set()
        for seen in [] if self._extent else self._domains.values():
            expected |= seen
        for system, seen in self._domains.items():
            if missing := expected - seen:
                raise InputError(
                    "MP164",
                    f"System {shown(system)} has no score of domain {shown(min(missing))}.",
                    path=self._path,
                    line=self._line,
                    hint="Every system needs a score of every domain.",
                )

    def _close(self) -> None:
        """The lines of a system have come to their end."""
        if self._system is None:
            return
        if self._size is None:
            self._size = self._counts[self._system]
        if self._counts[self._system] != self._size:
            raise self._wrong_number(self._line, self._system)

    def _wrong_number(self, line: int, system: str) -> InputError:
        unit = {"sys": "score", "domain": "domain", "doc": "document", "seg": "segment"}
        expected = "the text has" if self._extent else "the first system has"
        return InputError(
            "MP164",
            f"System {shown(system)} has {self._counts[system]} scores by here; {expected} "
            f"{self._size}.",
            path=self._path,
            line=line,
            hint=f"Every system needs one score for each {unit[self._level]}, in order.",
        )

    def _unknown(self, line: int, message: str) -> InputError:
        return InputError(
            "MP165",
            message,
            path=self._path,
            line=line,
            hint="Scores are of systems in system-outputs and of domains in documents.",
        )

    def _twice(self, line: int, message: str) -> InputError:
        return InputError(
            "MP163",
            message,
            path=self._path,
            line=line,
            hint="All scores of a system stand together, each once.",
        )
