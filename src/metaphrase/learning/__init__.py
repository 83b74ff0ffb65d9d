"""What is learnt from text: language models; word alignments, phrase tables, paraphrases of parallel text."""

from metaphrase.learning.language_model import LanguageModel, SentenceProbabilities
from metaphrase.learning.model_text import read_text
from metaphrase.learning.ngram_model import NgramModel, TextForm, estimate
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
    "LanguageModel",
    "Links",
    "NgramModel",
    "PackedText",
    "ParallelText",
    "PhraseSide",
    "PhraseTable",
    "PivotParaphrases",
    "SentenceProbabilities",
    "TextForm",
    "WordAlignments",
    "align_words",
    "estimate",
    "extract_phrases",
    "read_text",
]
