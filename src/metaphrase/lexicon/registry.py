"""Which lexical resources there are, by the names that options use."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from metaphrase.errors import OptionError
from metaphrase.lexicon.relation import SynonymSource
from metaphrase.lexicon.synonym_sets import SynonymSets
from metaphrase.lexicon.wordnet import WordNet


def load(name: str) -> SynonymSource:
    """``wordnet``, ``none``, or ``file:PATH`` with one synonym set a line, tab-separated."""
    kind, colon, path = name.partition(":")
    if name == "wordnet":
        return WordNet.default()
    if name == "none":
        return SynonymSets()
    if kind == "file" and colon:
        return _read_sets(path, _state(path))
    raise OptionError(
        "MP310",
        f"there is no lexicon called {name!r}.",
        hint="Choose wordnet, none or file:PATH.",
    )


@lru_cache(maxsize=16)
def _read_sets(path: str, state: tuple[int, int]) -> SynonymSets:
    return SynonymSets.read(path)


def _state(path: str) -> tuple[int, int]:
    """Changes when the file does, so that an edited file is read again."""
    try:
        status = Path(path).stat()
    except (OSError, ValueError):
        return 0, 0  # reading it will say what is wrong
    return status.st_mtime_ns, status.st_size
