"""Synonyms from thesauri in the MyThes format, which LibreOffice and Debian's ``mythes-*`` packages use.

A file names its encoding on the first line. An entry is ``word|n`` and n lines ``part of speech|synonym|…``,
one a meaning. Two words are synonyms if the entry of one of them lists the other.

Remarks in brackets ("Karre (ugs.)") are no part of a synonym. Where they name another relation than synonymy
("(Oberbegriff)", "(Antonym)"), the word is left out.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path

import numpy as np

from metaphrase.errors import ResourceError
from metaphrase.lexicon.relation import SynonymGraph

#: Where thesauri are looked for, after the directories in METAPHRASE_MYTHES.
DIRECTORIES = ("/usr/share/mythes", "/usr/local/share/mythes", "/usr/share/myspell/dicts")
#: The country whose thesaurus is taken first where there are several.
_COUNTRIES = {"de": "DE", "fr": "FR", "es": "ES", "cs": "CZ"}
_OTHER_RELATION = re.compile(r"\((?:Oberbegriff|Unterbegriff|Antonym|Assoziation)\)")
_REMARK = re.compile(r"\([^()]*\)")


class MyThes:
    """One thesaurus, read into memory; its entries are parsed when a word is looked up."""

    def __init__(self, path: str | PathLike[str], *, name: str | None = None) -> None:
        self.path = Path(path)
        #: What signatures call it.
        self.name = name or self.path.name.replace(" ", "_")
        content = _content(self.path)
        #: A hash of the file.
        self.fingerprint = hashlib.blake2b(content, digest_size=6).hexdigest()
        self._meanings = _entries(_lines(content, self.path), self.path)

    def __repr__(self) -> str:
        return f"<MyThes {self.name}>"

    @classmethod
    def installed(cls, language: str) -> MyThes:
        """The thesaurus of ``language`` (``de`` or ``de_AT``) that the system has."""
        return cls(find(language), name=f"mythes:{language}")

    def __len__(self) -> int:
        return len(self._meanings)

    def synonyms(self, word: str) -> frozenset[str]:
        """What the entry of ``word`` lists, in lower case; nothing if it has none."""
        lines = self._meanings.get(word.lower(), ())
        return frozenset(_synonyms(lines)) - {word.lower()}

    def synonym_graph(
        self, words: Sequence[str], *, parts: Sequence[str] | None = None
    ) -> SynonymGraph:
        """Few thesauri tell parts of speech apart: a restriction changes nothing."""
        numbers: dict[str, list[int]] = {}
        for i, word in enumerate(words):
            numbers.setdefault(word.lower(), []).append(i)
        related: list[set[int]] = [set() for _ in words]
        for word, own in numbers.items():
            for synonym in self.synonyms(word):
                for k in numbers.get(synonym, ()):
                    for i in own:
                        related[i].add(k)
                        related[k].add(i)
        for own in numbers.values():  # "Bank" and "bank" have one entry
            for i in own:
                related[i].update(k for k in own if k != i)
        offsets = np.zeros(len(words) + 1, dtype=np.int64)
        np.cumsum([len(row) for row in related], out=offsets[1:])
        return offsets, np.array([k for row in related for k in sorted(row)], dtype=np.int32)


def find(language: str) -> Path:
    """The file of the language's thesaurus: METAPHRASE_MYTHES first, then where systems keep them."""
    own = os.environ.get("METAPHRASE_MYTHES", "")
    directories = [*filter(None, own.split(os.pathsep)), *DIRECTORIES]
    country = _COUNTRIES.get(language, language.upper())
    patterns = (f"th_{language}_{country}*.dat", f"th_{language}_*.dat", f"th_{language}.dat")
    for directory in directories:
        for pattern in patterns:
            for path in sorted(Path(directory).glob(pattern)):
                return path
    raise ResourceError(
        "MP320",
        f"no MyThes thesaurus of language {language!r} was found in {', '.join(directories)}.",
        hint=(
            f"On Debian or Ubuntu: apt-get install mythes-{language[:2]}. Elsewhere set METAPHRASE_MYTHES to "
            "the directory that holds th_*.dat, or write synonyms=mythes:PATH."
        ),
    )


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ResourceError(
            "MP321", f"the thesaurus cannot be read: {reason}.", path=path
        ) from None


def _lines(content: bytes, path: Path) -> list[str]:
    """All lines, the encoding's own among them."""
    first, _, _ = content.partition(b"\n")
    name = first.decode("ascii", "replace").strip()
    try:
        if not name:
            raise LookupError
        text = content.decode(name)  # which takes no codec that is none of text
    except UnicodeDecodeError as error:
        raise ResourceError(
            "MP322",
            f"the thesaurus is not in {name}, as its first line says.",
            path=path,
            line=content.count(b"\n", 0, error.start) + 1,
        ) from None
    except (LookupError, ValueError):
        raise ResourceError(
            "MP322",
            f"{name[:40]!r} is no encoding.",
            path=path,
            line=1,
            hint="A MyThes file names its encoding on the first line; give the .dat file, not .idx.",
        ) from None
    return text.split("\n")


def _entries(lines: Sequence[str], path: Path) -> dict[str, list[str]]:
    """The lines of meanings by headword in lower case."""
    entries: dict[str, list[str]] = {}
    at, end = 1, len(lines)
    while at < end:
        line = lines[at].rstrip("\r")
        if not line:
            at += 1
            continue
        word, bar, count = line.rpartition("|")
        if not (bar and count.isascii() and count.isdigit() and len(count) < 10):
            raise ResourceError(
                "MP323",
                f"an entry WORD|NUMBER was expected, not {line[:60]!r}.",
                path=path,
                line=at + 1,
                hint="Is the number of meanings before it right?",
            )
        following = at + 1 + int(count)
        if following > end:
            raise ResourceError(
                "MP323", f"the file ends within the entry {word[:60]!r}.", path=path, line=at + 1
            )
        entries.setdefault(word.lower(), []).extend(lines[at + 1 : following])
        at = following
    return entries


def _synonyms(meanings: Sequence[str]) -> Iterator[str]:
    for meaning in meanings:
        for cell in meaning.rstrip("\r").split("|")[1:]:
            if _OTHER_RELATION.search(cell):
                continue
            word = " ".join(_REMARK.sub(" ", cell).split()).lower()
            if word:
                yield word
