"""Texts to be judged: :class:`Corpus` in memory, and one module for each file format.

Every format has the same three verbs: ``open_*`` gives pieces in bounded memory, ``read_*`` joins
them, ``write_*`` writes a corpus atomically. ``docs/formats.md`` states the rules.
"""

from metaphrase.corpus.corpus import Corpus, Segment
from metaphrase.corpus.formats import (
    open_jsonl,
    open_parquet,
    open_plain,
    open_tsv,
    read_jsonl,
    read_parquet,
    read_plain,
    read_tsv,
    write_jsonl,
    write_parquet,
    write_plain,
    write_tsv,
)

__all__ = [
    "Corpus",
    "Segment",
    "open_jsonl",
    "open_parquet",
    "open_plain",
    "open_tsv",
    "read_jsonl",
    "read_parquet",
    "read_plain",
    "read_tsv",
    "write_jsonl",
    "write_parquet",
    "write_plain",
    "write_tsv",
]
