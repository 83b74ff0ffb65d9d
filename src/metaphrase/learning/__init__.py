"""What is learnt: language models of text; word alignments, phrase tables and paraphrases of parallel text;
edit machines of people's scores."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from metaphrase.learning.edit_data import TrainingData, read_training_data
    from metaphrase.learning.edit_doubts import doubts
    from metaphrase.learning.edit_model import EditModel
    from metaphrase.learning.edit_training import (
        FitOptions,
        describe,
        fit,
        predictions,
        rescale,
        training_pairs,
    )
    from metaphrase.learning.edit_validation import (
        HeldOut,
        Validation,
        cross_validate,
        folds_by_group,
    )
    from metaphrase.matching.edit_machine import MachineOptions
    from metaphrase.matching.substitutions import SubstitutionOptions

#: Edit machines: loaded when asked for, because the metrics that they are made for need this package.
_HOMES = {
    "EditModel": "edit_model",
    "FitOptions": "edit_training",
    "HeldOut": "edit_validation",
    "MachineOptions": "edit_model",
    "SubstitutionOptions": "edit_model",
    "TrainingData": "edit_data",
    "Validation": "edit_validation",
    "cross_validate": "edit_validation",
    "describe": "edit_training",
    "doubts": "edit_doubts",
    "fit": "edit_training",
    "folds_by_group": "edit_validation",
    "predictions": "edit_training",
    "read_training_data": "edit_data",
    "rescale": "edit_training",
    "training_pairs": "edit_training",
}

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
    "Validation",
    "WordAlignments",
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
    "training_pairs",
]


def __getattr__(name: str) -> Any:
    """Load what is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
