"""Parallel text for phrase tables: English lemmas with their parts of speech beside another language.

Reads ``parallel/`` in the directory METAPHRASE_DATA: Europarl by language pair, and news in several
languages whose lines correspond. English words are units ``lemma/UPOS``: inflections pool their
evidence, and a noun is never taken for a verb of the same spelling.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
from training.english.treebank import data_path

from metaphrase.analysis.builtin import BuiltinAnalyser
from metaphrase.analysis.sentence import Batch
from metaphrase.corpus.lines import LineReader
from metaphrase.learning import PackedText, ParallelText

LANGUAGES = ("de", "es", "fr")
#: Longer sentences are mostly lists or misaligned, and cost the square of their length.
MOST_WORDS = 80
#: One side may be at most so many times as long as the other (and five words more).
MOST_RATIO = 2.0

#: A word, or any other character that is not a space. Hyphens and apostrophes join words, except that
#: French l', d', qu' … are words of their own.
_ELISION = re.compile(r"\b((?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu)['’])(?=\w)")
_TOKEN = re.compile(r"\w+(?:[-'’.]\w+)*['’]?|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Surfaces:
    """How often the units of a phrase were written in which way, for one or two units."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, units: PackedText, forms: PackedText) -> None:
        """Count the words, and the pairs of adjacent words, of texts whose tokens correspond."""
        seen: Counter[tuple[int, ...]] = Counter()
        for first, last in pairwise(units.offsets.tolist()):
            unit, form = units.words[first:last].tolist(), forms.words[first:last].tolist()
            both = list(zip(unit, form, strict=True))
            seen.update(both)
            seen.update([(a, b, x, y) for (a, x), (b, y) in pairwise(both)])
        for key, count in seen.items():
            size = len(key) // 2
            phrase = " ".join([units.vocabulary[unit] for unit in key[:size]])
            surface = " ".join([forms.vocabulary[form] for form in key[size:]])
            self.counts.setdefault(phrase, Counter())[surface] += count


def foreign_words(line: str, language: str) -> list[str]:
    line = line.lower()
    if language == "fr":
        line = _ELISION.sub(r"\1 ", line)
    return _TOKEN.findall(line)


def parallel_text(language: str, surfaces: Surfaces) -> ParallelText:
    """English units are the source; each line pair counts once. What units look like is noted."""
    directory = data_path() / "parallel"
    line_pairs: dict[tuple[str, str], None] = {}
    for english, foreign in (
        (f"europarl.{language}-en.en.gz", f"europarl.{language}-en.{language}.gz"),
        ("news.en.gz", f"news.{language}.gz"),
    ):
        pair = zip(_lines(directory / english), _lines(directory / foreign), strict=True)
        line_pairs.update(dict.fromkeys(pair))
    foreign_sentences = [foreign_words(foreign, language) for _, foreign in line_pairs]
    batch = BuiltinAnalyser.shipped("en").analyse(
        [english for english, _ in line_pairs], ("form", "lemma", "upos")
    )
    lengths = np.diff(batch.offsets).tolist()
    usable = [
        _is_usable(length, len(words))
        for length, words in zip(lengths, foreign_sentences, strict=True)
    ]
    units, forms = _english(batch, np.array(usable, dtype=bool))
    surfaces.add(units, forms)
    kept = [words for words, use in zip(foreign_sentences, usable, strict=True) if use]
    return ParallelText(units, PackedText.pack(kept))


def _english(batch: Batch, usable: np.ndarray) -> tuple[PackedText, PackedText]:
    """Units and lower-cased forms of the usable sentences."""
    lengths = np.diff(batch.offsets)
    chosen = np.repeat(usable, lengths)
    offsets = np.concatenate([[0], np.cumsum(lengths[usable])]).astype(np.int64)
    form, lemma, upos = (batch.columns[name][chosen] for name in ("form", "lemma", "upos"))
    lowered = PackedText.pack([[text.lower()] for text in batch.strings])
    forms = PackedText(offsets, lowered.words[form], lowered.vocabulary)
    keys, unit = np.unique(lemma.astype(np.int64) << 32 | upos, return_inverse=True)
    names = PackedText.pack(
        [
            [f"{batch.strings[key >> 32].lower()}/{batch.strings[key & 0xFFFFFFFF]}"]
            for key in keys.tolist()
        ]
    )
    return PackedText(offsets, names.words[unit], names.vocabulary), forms


def _lines(path: Path) -> list[str]:
    with LineReader(path) as reader:
        return [line for _, line in reader]


def _is_usable(source: int, target: int) -> bool:
    shorter, longer = sorted((source, target))
    return shorter > 0 and longer <= min(MOST_WORDS, MOST_RATIO * shorter + 5)
