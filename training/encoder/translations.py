"""What words of other languages mean, by the English words that parallel text links them with.

There are no word vectors of these languages here. A word gets the mean vector of its translations, which is
what its piece starts with, and words with the same translations are paraphrases.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from training.encoder.relatives import stem
from training.english.treebank import data_path

from metaphrase.analysis import load
from metaphrase.analysis.sentence import Batch
from metaphrase.corpus.lines import LineReader
from metaphrase.learning import Links, PackedText, ParallelText, align_parallel_text
from metaphrase.lexicon import WordVectors

#: Lines of a corpus that are aligned: later ones add rare words at most.
_LINES = 80_000
#: Links of two words that are too few, and shares of a word's links that are too small, to be counted.
_FEWEST, _SMALLEST = 2, 0.03
#: How likely one word must be, by way of English, to stand for the other.
_LIKELY = 0.03
#: The commonest words are articles, pronouns and the like, which nothing can stand for.
_COMMONEST = 200

#: Corpora that each language has beside English, line by line.
CORPORA = {
    **{lang: ("news", f"europarl.{lang}-en") for lang in ("de", "fr", "es")},
    "cs": ("news", "extra.cs-en"),
}


@dataclass(frozen=True, slots=True, eq=False)
class Translated:
    """Words in lower case, their vectors by way of English (0 if nothing is known), and paraphrases."""

    words: Sequence[str]
    vectors: np.ndarray
    pairs: Sequence[tuple[str, str]]

    def vectors_of(self, forms: Sequence[str]) -> np.ndarray:
        """The vectors of some forms, those of unknown ones 0."""
        numbers = {word: number for number, word in enumerate(self.words)}
        rows = np.array([numbers.get(form.lower(), len(numbers)) for form in forms])
        padded = np.concatenate([self.vectors, np.zeros((1, self.vectors.shape[1]))])
        return padded[rows].astype(np.float32)


def translated(lang: str, vectors: WordVectors, *, threads: int = 1) -> Translated:
    """What parallel text says of the words of a language."""
    text = ParallelText(*(_lower_case(_read(lang, side), side) for side in (lang, "en")))
    links = align_parallel_text(text, threads=threads).symmetrise("intersection")
    return by_links(text, links, vectors)


def by_links(text: ParallelText, links: Links, vectors: WordVectors) -> Translated:
    """The same, of links that are known."""
    forth, back = _shares(text, links)
    meanings = forth @ vectors.vectors([*text.target.vocabulary]).astype(np.float64)
    lengths = np.linalg.norm(meanings, axis=1, keepdims=True)
    meanings = np.divide(meanings, lengths, out=np.zeros_like(meanings), where=lengths > 0)
    counts = np.bincount(text.source.words, minlength=len(text.source.vocabulary))
    common = {*np.argsort(-counts, kind="stable")[:_COMMONEST].tolist()}
    words = text.source.vocabulary
    pairs = [
        (words[one], words[other])
        for one, other in _likely(forth, back)
        if one not in common and other not in common and not _forms_of_one(words[one], words[other])
    ]
    return Translated(words, meanings.astype(np.float32), pairs)


def _shares(text: ParallelText, links: Links) -> tuple[csr_array, csr_array]:
    """p(English | word), a row for each word, and p(word | English), a row for each English one."""
    pair = np.repeat(np.arange(len(links)), np.diff(links.offsets))
    own = text.source.words[text.source.offsets[pair] + links.sources]
    english = text.target.words[text.target.offsets[pair] + links.targets]
    size = len(text.source.vocabulary), len(text.target.vocabulary)
    counts = csr_array((np.ones(len(own)), (own, english)), shape=size)
    counts.data[counts.data < _FEWEST] = 0
    return _of_rows(counts), _of_rows(counts.T.tocsr())


def _of_rows(counts: csr_array) -> csr_array:
    """Counts as shares of their rows, small ones left out."""
    counts = counts.copy()
    whole = np.maximum(counts.sum(axis=1), 1)
    counts.data /= np.repeat(whole, np.diff(counts.indptr))
    counts.data[counts.data < _SMALLEST] = 0
    counts.eliminate_zeros()
    return counts


def _likely(forth: csr_array, back: csr_array) -> Iterator[tuple[int, int]]:
    """Different words that stand for each other by way of English, each pair once."""
    by_way = (forth @ back).tocoo()
    likely = (by_way.data >= _LIKELY) & (by_way.row != by_way.col)
    ways = {*zip(by_way.row[likely].tolist(), by_way.col[likely].tolist(), strict=True)}
    for one, other in sorted(ways):
        if one < other and (other, one) in ways:
            yield one, other


def _forms_of_one(left: str, right: str) -> bool:
    """Whether words may differ in their endings alone: then one would be wrong in the other's place."""
    shorter, longer = sorted((stem(left), stem(right)), key=len)
    return longer.startswith(shorter)


def _read(lang: str, side: str) -> list[str]:
    lines: list[str] = []
    for corpus in CORPORA[lang]:
        with LineReader(data_path() / "parallel" / f"{corpus}.{side}.gz") as reader:
            lines += reader.take(_LINES)
    return lines


def _lower_case(lines: Sequence[str], lang: str) -> PackedText:
    batch: Batch = load(f"builtin:{lang}").analyse(lines, columns=frozenset({"form"}))
    numbers: dict[str, int] = {}
    of_string = [numbers.setdefault(one.lower(), len(numbers)) for one in batch.strings]
    words = np.array(of_string, dtype=np.int32)[batch.columns["form"]]
    return PackedText(batch.offsets, words, list(numbers))
