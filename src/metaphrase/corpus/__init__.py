"""Texts to be judged: :class:`Corpus` in memory, and one module for each file format.

Every format has the same three verbs: ``open_*`` gives pieces in bounded memory, ``read_*`` joins
them, ``write_*`` writes a corpus atomically. ``docs/formats.md`` states the rules. Localisation files,
whatever their format, are read into a :class:`UnitFile`.
"""

from metaphrase.corpus.corpus import Corpus, Segment
from metaphrase.corpus.formats.plain import open_plain, read_plain, write_plain
from metaphrase.corpus.formats.tables.jsonl import open_jsonl, read_jsonl, write_jsonl
from metaphrase.corpus.formats.tables.parquet import open_parquet, read_parquet, write_parquet
from metaphrase.corpus.formats.tables.tsv import open_tsv, read_tsv, write_tsv
from metaphrase.corpus.formats.units.annotating import Remark, annotate
from metaphrase.corpus.opening.unit_corpus import read_units
from metaphrase.corpus.units import Alternative, InlineTag, TaggedText, Unit, UnitFile

__all__ = [
    "Alternative",
    "Corpus",
    "InlineTag",
    "Remark",
    "Segment",
    "TaggedText",
    "Unit",
    "UnitFile",
    "annotate",
    "open_jsonl",
    "open_parquet",
    "open_plain",
    "open_tsv",
    "read_jsonl",
    "read_parquet",
    "read_plain",
    "read_tsv",
    "read_units",
    "write_jsonl",
    "write_parquet",
    "write_plain",
    "write_tsv",
]
