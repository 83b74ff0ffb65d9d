"""METEOR's matches and alignment, over texts that are split into words already.

Words are matched if they are equal, have equal stems or a common synset, phrases if a table has them as
paraphrases. Of all matches a beam search chooses an alignment in which every word has at most one
(``src/core/meteor/alignment.hpp``).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from metaphrase._core import meteor as core
from metaphrase.analysis.metric_text import meteor_text
from metaphrase.arrays import FloatArray, Int32Array
from metaphrase.errors import ResourceError
from metaphrase.lexicon import ParaphraseTable, WordNet
from metaphrase.lexicon.phrase_trie import phrase_trie
from metaphrase.matching.checked_array import vector
from metaphrase.shipped import shipped_file

#: The columns of statistics, in the order of the Java program's own lines. A stage is a module in use; the
#: others stay 0.
LENGTHS = slice(0, 2)
FUNCTION_WORDS = slice(2, 4)
STAGES = tuple(slice(start, start + 4) for start in range(4, 20, 4))
CHUNKS = 20
MATCHED_WORDS = slice(21, 23)

_SHARED_OFFSETS = shipped_file("meteor-synsets.tsv")


@dataclass(frozen=True, slots=True)
class MeteorLexicon:
    """What the modules ask; ``None`` (or no ``stemming``) leaves a module out.

    ``characters`` counts lengths and matches in characters of words, not in words.
    """

    lang: str
    stemming: bool = True
    wordnet: WordNet | None = None
    paraphrases: ParaphraseTable | None = None
    function_words: Collection[str] = field(default=frozenset(), hash=False)
    characters: bool = False

    @property
    def modules(self) -> tuple[str, ...]:
        """Those in use, in their order."""
        there = {
            "exact": True,
            "stem": self.stemming,
            "synonym": self.wordnet is not None,
            "paraphrase": self.paraphrases is not None,
        }
        return tuple(module for module, used in there.items() if used)


@dataclass(frozen=True, slots=True)
class Match:
    """Words of the hypothesis matched with words of the reference; chunks are numbered from 1."""

    hypothesis: tuple[int, ...]
    reference: tuple[int, ...]
    module: str
    chunk: int


class MeteorSentences:
    """Texts whose words stand between spaces, ready to be aligned with each other."""

    def __init__(self, texts: Sequence[str], lexicon: MeteorLexicon) -> None:
        self.lexicon = lexicon
        self._sentences = core.Sentences(list(texts))
        words = self._sentences.vocabulary
        function = lexicon.function_words
        wordnet, table = lexicon.wordnet, lexicon.paraphrases
        self._matcher = core.Matcher(
            self._sentences,
            stems=list(meteor_text.stem(words, lexicon.lang)) if lexicon.stemming else None,
            function=bytes([word.lower() in function for word in words]),
            characters=lexicon.characters,
            wordnet=None if wordnet is None else wordnet._core,
            synset_numbers=None if wordnet is None else synset_numbers(wordnet),
            table=None if table is None else table._core,
            phrases=None if table is None else phrase_trie(table),
        )

    def __len__(self) -> int:
        return len(self._sentences)

    def words(self, row: int) -> list[str]:
        """The words of a text."""
        return self._sentences.words(row)

    def statistics(
        self, hypotheses: Int32Array, references: Int32Array, *, threads: int = 1
    ) -> FloatArray:
        """A row of METEOR's 23 numbers for each pair; all -1 for one too long."""
        return self._matcher.statistics(
            vector(hypotheses, np.int32, "hypotheses"),
            vector(references, np.int32, "references"),
            threads=threads,
        )

    def align(self, hypothesis: int, reference: int) -> list[Match]:
        """The alignment of two texts, in the order of the reference."""
        modules = self.lexicon.modules
        return [
            Match(tuple(range(i, i + n)), tuple(range(j, j + m)), modules[stage], chunk)
            for i, n, j, m, stage, chunk in self._matcher.matches(hypothesis, reference).tolist()
        ]


@cache
def synset_numbers(wordnet: WordNet) -> Int32Array:
    """By what number METEOR compares each synset: a noun and a verb of one file offset have the same.

    See ``training/build_meteor_synsets.py``. The groups are those of WordNet 3.0; another file has none.
    """
    numbers = np.arange(wordnet.synset_count, dtype=np.int32)
    if wordnet is WordNet.default():
        try:
            for line in _SHARED_OFFSETS.read_text("ascii").splitlines():
                group = [int(cell) for cell in line.split("\t")]
                if min(group) < 0:
                    raise ValueError("a synset is below 0")
                numbers[group] = group[0]
        except (OSError, ValueError, IndexError, OverflowError) as error:
            raise ResourceError(
                "MP599",
                f"METEOR's groups of synsets cannot be read: {error}.",
                path=_SHARED_OFFSETS,
                hint="Install the package again.",
            ) from None
    return numbers
