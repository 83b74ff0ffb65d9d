"""Where a table's phrases lead from word to word: what finds them in many sentences."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from metaphrase._core import meteor as core
from metaphrase.errors import ResourceError
from metaphrase.lexicon.compilation import compiled
from metaphrase.lexicon.paraphrases import ParaphraseTable

#: To be raised whenever the compiled form changes, so that caches are not used again.
_VERSION = 1
#: Tries of tables with more phrases are kept in the cache; smaller ones are made in no time.
_LARGE = 1 << 18


@lru_cache(maxsize=2)
def phrase_trie(table: ParaphraseTable) -> core.PhraseTrie:
    """The trie over the words of a table's phrases, of a large table compiled on first use."""
    # A table that could not be kept in the cache has no file any more.
    if table.phrase_count < _LARGE or not table.path.is_file():
        return core.PhraseTrie(table._core, None)

    def compile_to(stream: BinaryIO) -> None:
        stream.write(core.phrase_trie_file(table._core))

    def opened(path: Path) -> core.PhraseTrie:
        try:
            return core.PhraseTrie(table._core, os.fsencode(path))
        except OSError as error:
            raise ResourceError("MP348", f"{error}.", path=path) from error
        except ValueError as error:
            raise ResourceError("MP349", f"{error}.", path=path) from error

    return compiled(
        table.path, form=f"phrase-trie-{_VERSION}", compile_to=compile_to, opened=opened
    )
