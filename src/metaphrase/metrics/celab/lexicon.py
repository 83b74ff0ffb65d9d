"""Which words TESLA-CELAB takes for synonyms (METRICS 4.3), and how similar they are (the paper's 5.2)."""

from __future__ import annotations

import atexit
from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from metaphrase import lexicon
from metaphrase.errors import OptionError
from metaphrase.lexicon import Cilin, SynonymSets
from metaphrase.lexicon.cilin import LEVELS, LINE_TYPES
from metaphrase.matching import SpanLexicon

#: How similar words are whose codes in Cilin share 5, 4, 3 levels: half as much for every step up to what
#: they have in common, from the word itself (1) to its line and on. Of four ladders this one agreed best with
#: the judgements of biomqm.zh (``experiments/celab_enzh.py``).
GRADED = (0.5, 0.25, 0.125)
_FROM_THE_LINE = sorted(LEVELS, reverse=True)


@dataclass(frozen=True, slots=True)
class DictionaryChoice:
    """A dictionary by the name the registry has for it, and which of its words are synonyms."""

    name: str
    level: int
    line_types: str
    similarity: str
    #: Whether tokens are in lower case, so that the words must be.
    lowercase: bool = False

    def __post_init__(self) -> None:
        if not self.line_types or not set(self.line_types) <= set(LINE_TYPES):
            raise OptionError(
                "MP540",
                f"celab: line_types={self.line_types!r} is not made of Cilin's types of lines.",
                hint=f"Choose from {LINE_TYPES}: synonyms, related words, single words.",
            )
        _ = self.similarities  # refused here if it cannot be read
        # Of celab:paper and celab:released, to which another dictionary may be given.
        published = self.level in (4, 5) and set(self.line_types) == set(LINE_TYPES)
        default = (self.level, self.line_types) == (5, "=")
        used = self.similarity != "equal" or not (published or default)
        if used and self.name.partition(":")[0] != "cilin":
            raise OptionError(
                "MP545",
                f"celab: level, line_types and similarity are about Cilin, not about {self.name!r}.",
                hint="Leave them out, or choose dictionary=cilin (the default with lang=zh). "
                "Without synonyms the paper's metric is celab:minus.",
            )

    @property
    def similarities(self) -> dict[int, float]:
        """How similar words are whose codes share a number of levels; not at all if it is not listed."""
        if self.similarity == "equal":
            return {self.level: 1.0}
        if self.similarity == "graded":
            return dict(zip(_FROM_THE_LINE, GRADED, strict=False))
        try:
            falling = [float(number) for number in self.similarity.split(",")]
        except ValueError:
            falling = []
        steps = pairwise([1.0, *falling, 0.0])
        if not 1 <= len(falling) <= len(LEVELS) or not all(a >= b for a, b in steps):
            raise OptionError(
                "MP544",
                f"celab: similarity={self.similarity!r} is not a way to compare synonyms.",
                hint="Choose equal, graded, or up to five numbers that fall from 1 to 0: 0.5,0.25.",
            )
        return {level: s for level, s in zip(_FROM_THE_LINE, falling, strict=False) if s > 0}

    @property
    def signature(self) -> str:
        """The dictionary with its hash, and how it is used."""
        source = lexicon.load(self.name)
        named = f"{source.name}@{source.fingerprint}"
        if not isinstance(source, Cilin):
            return named
        types = "".join(sorted(set(self.line_types)))
        levels = ",".join(f"level{n}={float(s)}" for n, s in self.similarities.items())
        return f"{named},{types},{levels}"


def span_lexicon(choice: DictionaryChoice) -> SpanLexicon:
    """The dictionary as the kernel takes it, made once as long as its file does not change."""
    source: Any = lexicon.load(choice.name)
    return _span_lexicon(choice, source)


@lru_cache(maxsize=8)
def _span_lexicon(choice: DictionaryChoice, source: Hashable) -> SpanLexicon:
    if isinstance(source, Cilin):
        return SpanLexicon(
            (similarity, words)
            for level, similarity in choice.similarities.items()
            for words in source.sets(level=level, line_types=choice.line_types)
            if len(words) > 1
        )
    if isinstance(source, SynonymSets):
        lowercase = choice.lowercase
        return SpanLexicon(
            (1.0, map(str.lower, words) if lowercase else words) for words in source.sets
        )
    raise OptionError(
        "MP541",
        f"celab cannot use the dictionary {choice.name!r}, which does not list sets of words.",
        hint="Choose cilin, cilin:PATH, file:PATH or none.",
    )


# The compiled core complains about objects that outlive it, which those in a cache may do.
atexit.register(_span_lexicon.cache_clear)
