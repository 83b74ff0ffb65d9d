"""Parallel text that may train what installs by default and what may be used commercially."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from itertools import islice

from training.english.treebank import data_path

#: So many first lines of these files are captions of pictures (Multi30k), for non-commercial use; the
#: others are news.
CAPTIONS = {"extra.cs-en": 29_000}


def free_lines(name: str, language: str) -> Iterator[str]:
    """The lines of ``parallel/NAME.LANGUAGE.gz`` with their ends, captions left out."""
    path = data_path() / "parallel" / f"{name}.{language}.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        yield from islice(file, CAPTIONS.get(name, 0), None)
