"""Blocks of a report: what the page asks for piece by piece, as bytes that a browser reads without parsing.

Numbers are little-endian arrays, systems × segments; texts and explanations are JSON in UTF-8.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from metaphrase.analysis.languages.codes import UNSPACED, base_language
from metaphrase.arrays import FloatArray
from metaphrase.corpus import Corpus
from metaphrase.report.dataset.unit_texts import UnitTexts

#: Segments in a block of texts. The translations of one segment are then close enough together for deflate,
#: which looks back 32 kB, to see how alike they are.
CHUNK = 64


def deflated(block: bytes) -> bytes:
    """A block as it is embedded and sent: ``deflate-raw``, without a header."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(block) + packer.flush()


def inflated(packed: bytes) -> bytes:
    """The block again."""
    return zlib.decompress(packed, -zlib.MAX_WBITS)


def json_block(value: Any) -> bytes:
    """JSON without a byte more than it needs; the same value gives the same bytes."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode()


def score_block(scores: FloatArray) -> bytes:
    """Doubles of single precision: a page shows fewer than seven digits, and the rest are half the bytes."""
    return scores.astype(np.float32).astype("<f8").tobytes()


def human_block(scores: FloatArray) -> bytes:
    """Doubles as they are: people give few different scores, which need no rounding to be small."""
    return scores.astype("<f8").tobytes()


def document_block(documents: Sequence[str], names: Sequence[str]) -> bytes:
    """For each segment the position of its document or domain among ``names``."""
    places = {name: place for place, name in enumerate(names)}
    return np.array([places[name] for name in documents], dtype="<u4").tobytes()


def length_block(corpus: Corpus, lang: str) -> bytes:
    """Words between spaces, or characters, of every system's and then every reference's segments."""
    columns = [*corpus.systems.values(), *corpus.written_references]
    unspaced = base_language(lang) in UNSPACED
    rows = [[_length(text, unspaced) for text in column] for column in columns]
    return np.array(rows, dtype="<u4").tobytes()


def text_blocks(
    corpus: Corpus, units: UnitTexts | None = None, chunk: int = CHUNK
) -> Iterator[bytes]:
    """All texts of ``chunk`` segments at a time, with the ids and tags of ``units``."""
    start = 0
    for piece in corpus.pieces(chunk):
        texts = {
            "sources": None if piece.sources is None else list(piece.sources),
            "references": [list(texts) for texts in piece.written_references],
            "hypotheses": [list(texts) for texts in piece.systems.values()],
        }
        rows = slice(start, start + len(piece))
        more = {} if units is None else units.record(rows, texts, list(piece.systems))
        yield json_block({**texts, **more})
        start = rows.stop


def _length(text: str, unspaced: bool) -> int:
    words = text.split()
    return sum(map(len, words)) if unspaced else len(words)
