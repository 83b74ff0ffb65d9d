"""Penalties of ``accord`` for words that do not follow each other in the language.

A language model of mixed units says how surprising each word of a hypothesis is after the three before it:
common words stand for themselves and all others for their tags, so that a missing verb, a doubled word or a
noun in the place of an adjective is seen, and a rare word is not. Surprise is −log10 of the probability. It
counts only where the reference does not have the same two units in a row, so that a text is never blamed for
what its reference says too.

================  =======================================================================================
``odd joints``    surprise beyond 1.5, added up, over the length of the reference
``odd share``     the same over the length of the hypothesis
``oddest``        the greatest surprise, beyond 2.5, over 4
``less fluent``   how far the mean surprise of all words is above that of the reference
================  =======================================================================================
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from metaphrase.analysis import Batch
from metaphrase.arrays import BoolArray, FloatArray, Int32Array, Int64Array
from metaphrase.shipped import shipped_file
from metaphrase.trained.language_model import LanguageModel

FLUENCY = ("odd joints", "odd share", "oddest", "less fluent")
#: Files of the models, by language.
FLUENCY_MODELS = {
    "en": "english-fluency.bin",
    "de": "german-fluency.bin",
    "fr": "french-fluency.bin",
    "es": "spanish-fluency.bin",
    "cs": "czech-fluency.bin",
}
#: Surprise up to here is usual of any word, and of the most surprising one.
_USUAL, _USUAL_OF_ONE = 1.5, 2.5
_SPAN = 4.0
#: What stands before a tag that stands for a word.
TAG_MARK = "\x1f"


@lru_cache(maxsize=8)
def load_fluency(language: str) -> LanguageModel:
    """The model that ships for a language."""
    return LanguageModel.load(shipped_file(FLUENCY_MODELS[language]))


class FluentWords:
    """The units of a batch with how surprising each is, each sentence followed by its end."""

    def __init__(self, batch: Batch, model: LanguageModel, *, threads: int) -> None:
        units = _units(batch, model)
        surprise = -model.token_log_probabilities(batch.offsets, units, threads=threads)
        self.offsets: Int64Array = batch.offsets + np.arange(len(batch.offsets))
        ends = self.offsets[1:] - 1
        words = np.ones(len(surprise), dtype=np.bool_)
        words[ends] = False
        unit = np.full(len(surprise), -1, dtype=np.int64)
        unit[words] = units
        before = np.concatenate([[-2], unit[:-1]])
        before[self.offsets[:-1]] = -2
        self.surprise = surprise
        #: Two units in a row as one number; the vocabulary is far below 2^31.
        self.joint: Int64Array = (before + 2) * (1 << 31) + unit + 1
        self.mean = np.add.reduceat(surprise, self.offsets[:-1]) / np.diff(self.offsets)


def _units(batch: Batch, model: LanguageModel) -> Int32Array:
    """Common words by themselves, all others by their tags."""
    words, names = (np.zeros(len(batch.strings), dtype=np.int32) for _ in range(2))
    for numbers, column, unit in (
        (words, batch.columns["form"], str.lower),
        (names, batch.columns["tag"], TAG_MARK.__add__),
    ):
        used = np.zeros(len(batch.strings), dtype=np.bool_)
        used[column] = True
        places = np.flatnonzero(used)
        numbers[places] = model.numbers([unit(batch.strings[place]) for place in places.tolist()])
    own = words[batch.columns["form"]]
    return np.where(own > 0, own, names[batch.columns["tag"]])


def fluency_penalties(words: FluentWords, rows: tuple[Int32Array, Int32Array]) -> FloatArray:
    """The columns of ``FLUENCY``."""
    count = len(rows[0])
    sides = []
    for row in rows:
        first, length = words.offsets[row], words.offsets[row + 1] - words.offsets[row]
        start = np.cumsum(length) - length
        place = np.arange(length.sum()) + np.repeat(first - start, length)
        sides.append((np.repeat(np.arange(count), length), place, np.maximum(length - 1.0, 1.0)))
    pair, place, own = sides[0]
    new = ~_there(words, sides[0][:2], sides[1][:2])
    surprise = np.where(new, words.surprise[place], 0.0)
    odd = np.bincount(pair, np.maximum(surprise - _USUAL, 0.0) * new, count)
    most = np.zeros(count)
    np.maximum.at(most, pair, surprise)
    less = words.mean[rows[0]] - words.mean[rows[1]]
    return np.column_stack(
        [
            odd / sides[1][2],
            odd / own,
            np.maximum(most - _USUAL_OF_ONE, 0.0) / _SPAN,
            np.maximum(less, 0.0),
        ]
    )


def _there(
    words: FluentWords,
    hypotheses: tuple[Int64Array, Int64Array],
    references: tuple[Int64Array, Int64Array],
) -> BoolArray:
    """Which joints of the hypotheses their references have too."""
    joints, number = np.unique(words.joint, return_inverse=True)
    own, other = (pair * len(joints) + number[place] for pair, place in (hypotheses, references))
    return np.isin(own, other)
