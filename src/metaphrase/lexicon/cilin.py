"""Cilin (Tongyici Cilin, HIT-CIR's extended edition): Chinese words in a hierarchy of meanings.

A line is a code and its words: ``Aa01A01= 人 士 人物 人士``. The code names a place in a hierarchy of five
levels (``A``, ``a``, ``01``, ``A``, ``01``), and its last character the type of the line: ``=`` for synonyms,
``#`` for related words of one class, ``@`` for a word that stands alone. A word may be in several lines.

The licence of the data is not stated, so they do not ship: they come with a package of the registry
(the extra ``zh``) or from a file of the user's (``cilin:PATH``).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from metaphrase.corpus.lines import LineReader
from metaphrase.errors import InputError, ResourceError
from metaphrase.extras import not_installed
from metaphrase.lexicon.relation import SynonymGraph
from metaphrase.lexicon.synonym_sets import SynonymSets

#: The distribution whose file carries the data. It takes 1.7 MB and depends on nothing.
_PACKAGE, _PACKAGE_FILE = "cilin", "data/cilin_tree.json"
_CODE = re.compile(r"([A-Z][a-z]\d\d[A-Z]\d\d)([=#@])")
#: How many characters of a code its first levels take.
_PREFIX = {1: 1, 2: 2, 3: 4, 4: 5, 5: 7}

LEVELS = tuple(_PREFIX)
LINE_TYPES = "=#@"


@dataclass(frozen=True, slots=True)
class CilinLine:
    """One line: its code without the sign, the sign, and the words."""

    code: str
    type: str
    words: tuple[str, ...]


class Cilin:
    """All lines of one edition. Words are synonyms if some line of type ``=`` holds both."""

    def __init__(self, lines: Iterable[CilinLine], *, name: str = "cilin") -> None:
        self.lines = tuple(lines)
        #: ``cilin``, or the file's name.
        self.name = name

    def __repr__(self) -> str:
        return f"<Cilin {self.name}>"

    @classmethod
    def read(cls, path: str) -> Cilin:
        """Read a file of lines ``CODE WORD WORD …`` in UTF-8 (``.utf8``, ``.txt``), plain or gzipped."""
        with LineReader(path) as reader:
            lines = [
                _parse(fields, path, number) for number, line in reader if (fields := line.split())
            ]
        return cls(lines, name=Path(path).name)

    @staticmethod
    @cache
    def installed() -> Cilin:
        """The data of the registry package, read once per process."""
        try:
            path = Path(str(distribution(_PACKAGE).locate_file(_PACKAGE_FILE)))
        except PackageNotFoundError:
            raise not_installed(
                "the dictionary Cilin is not installed (its licence does not let it ship).",
                "zh",
                "Give a file (cilin:PATH), or run",
            ) from None
        try:
            tree = json.loads(path.read_bytes())
            lines = [
                _parse((code, *words), str(path), None) for code, words in _leaves({"sub": tree})
            ]
        except (OSError, ValueError, AttributeError, KeyError, TypeError) as error:
            raise ResourceError(
                "MP331",
                f"the data of the package {_PACKAGE!r} cannot be read: {error!r}.",
                path=path,
                hint="Install it again, or give a file: cilin:PATH.",
            ) from None
        return Cilin(lines)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the lines, in any order."""
        text = "\n".join(sorted(" ".join((x.code + x.type, *x.words)) for x in self.lines))
        return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()

    def sets(self, *, level: int = 5, line_types: str = LINE_TYPES) -> list[tuple[str, ...]]:
        """Words that share the first ``level`` levels of a code, of lines of these types only.

        At level 5 each line is a set of its own, also where an edition gives a code twice.
        """
        lines = [line for line in self.lines if line.type in line_types]
        if level == max(LEVELS):
            return [line.words for line in lines]
        groups: dict[str, list[str]] = {}
        for line in lines:
            groups.setdefault(line.code[: _PREFIX[level]], []).extend(line.words)
        return [tuple(dict.fromkeys(words)) for words in groups.values()]

    def synonym_graph(
        self, words: Sequence[str], *, parts: Sequence[str] | None = None
    ) -> SynonymGraph:
        """Synonyms by lines of type ``=``; Cilin does not tell parts of speech apart."""
        return self._synonyms.synonym_graph(words, parts=parts)

    @cached_property
    def _synonyms(self) -> SynonymSets:
        return SynonymSets(self.sets(line_types="="), name=self.name)


def _parse(fields: Sequence[str], path: str, number: int | None) -> CilinLine:
    code = _CODE.fullmatch(fields[0])
    if code is None:
        raise InputError(
            "MP332",
            f"{fields[0]!r} is not a code of Cilin.",
            path=path,
            line=number,
            hint="A line is written `Aa01A01= WORD WORD …`.",
        )
    return CilinLine(code[1], code[2], tuple(dict.fromkeys(fields[1:])))


def _leaves(tree: dict[str, Any], code: str = "") -> Iterator[tuple[str, list[str]]]:
    """The lines of the package's tree: codes are spelt by the keys on the way."""
    for key, branch in tree["sub"].items():
        if isinstance(branch, list):
            yield code + key, branch
        else:
            yield from _leaves(branch, code + key)
