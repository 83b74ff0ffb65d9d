"""What is learnt: language models of text; word alignments, phrase tables and paraphrases of parallel text;
edit machines of people's scores."""

from __future__ import annotations

from metaphrase.analysis.packed_text import PackedText
from metaphrase.learning.edit_machines.data import TrainingData, read_training_data
from metaphrase.learning.edit_machines.training import (
    FitOptions,
    predictions,
    rescale,
    train_edit_machine,
    training_pairs,
    with_data_sources,
)
from metaphrase.learning.edit_machines.validation import (
    HeldOut,
    Validation,
    cross_validate,
    folds_by_group,
)
from metaphrase.learning.edit_machines.warning_signs import warning_signs
from metaphrase.learning.language_models.kneser_ney import estimate
from metaphrase.learning.language_models.text import read_text
from metaphrase.learning.phrases.extraction import (
    PhraseSide,
    PhraseTable,
    PivotParaphrases,
    extract_phrases,
)
from metaphrase.learning.phrases.parallel_text import ParallelText
from metaphrase.learning.phrases.word_alignment import (
    SYMMETRISATIONS,
    Links,
    TwoWayAlignment,
    align_parallel_text,
)
from metaphrase.matching.edit_machine import MachineOptions
from metaphrase.matching.substitutions import SubstitutionOptions
from metaphrase.trained.edit_model import EditModel
from metaphrase.trained.language_model import LanguageModel, SentenceProbabilities
from metaphrase.trained.ngram_model import NgramModel, TextForm

#: What names were before they said more; they keep working.
fit = train_edit_machine
describe = with_data_sources
doubts = warning_signs
align_words = align_parallel_text
WordAlignments = TwoWayAlignment

__all__ = [
    "SYMMETRISATIONS",
    "EditModel",
    "FitOptions",
    "HeldOut",
    "LanguageModel",
    "Links",
    "MachineOptions",
    "NgramModel",
    "PackedText",
    "ParallelText",
    "PhraseSide",
    "PhraseTable",
    "PivotParaphrases",
    "SentenceProbabilities",
    "SubstitutionOptions",
    "TextForm",
    "TrainingData",
    "TwoWayAlignment",
    "Validation",
    "WordAlignments",
    "align_parallel_text",
    "align_words",
    "cross_validate",
    "describe",
    "doubts",
    "estimate",
    "extract_phrases",
    "fit",
    "folds_by_group",
    "predictions",
    "read_text",
    "read_training_data",
    "rescale",
    "train_edit_machine",
    "training_pairs",
    "warning_signs",
    "with_data_sources",
]
