"""Which lexical resources there are, by the names that options use."""

from __future__ import annotations

from functools import lru_cache

from metaphrase.errors import OptionError
from metaphrase.lexicon.relation import SynonymSource
from metaphrase.lexicon.synonym_sets import SynonymSets
from metaphrase.lexicon.wordnet import WordNet


@lru_cache(maxsize=16)
def load(name: str) -> SynonymSource:
    """``wordnet``, ``none``, or ``file:PATH`` with one synonym set a line, tab-separated."""
    kind, colon, path = name.partition(":")
    if name == "wordnet":
        return WordNet.default()
    if name == "none":
        return SynonymSets()
    if kind == "file" and colon:
        return SynonymSets.read(path)
    raise OptionError(
        "MP310",
        f"there is no lexicon called {name!r}.",
        hint="Choose wordnet, none or file:PATH.",
    )
