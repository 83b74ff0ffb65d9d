"""What is learnt from data: word alignments, phrase tables and paraphrases of parallel text."""

from metaphrase.learning.parallel_text import PackedText, ParallelText
from metaphrase.learning.phrases import PhraseSide, PhraseTable, PivotParaphrases, extract_phrases
from metaphrase.learning.word_alignment import (
    SYMMETRISATIONS,
    Links,
    WordAlignments,
    align_words,
)

__all__ = [
    "SYMMETRISATIONS",
    "Links",
    "PackedText",
    "ParallelText",
    "PhraseSide",
    "PhraseTable",
    "PivotParaphrases",
    "WordAlignments",
    "align_words",
    "extract_phrases",
]
