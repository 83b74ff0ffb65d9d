"""What the characters of a text tell of its script and language, and what they rule out.

A verdict needs several segments that agree: names, quotations and tables stand in every text. The card of the
model (models/language-characters.md) says how far the bounds are from real text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metaphrase.analysis.languages.character_statistics import shipped
from metaphrase.analysis.languages.codes import base_language
from metaphrase.analysis.languages.scripts import (
    HAN,
    KANA,
    LATIN,
    SCRIPTS,
    WEIGHTS,
    script_numbers,
    scripts_of,
)
from metaphrase.arrays import FloatArray, Int64Array

#: Characters of a segment that are looked at.
_CHARACTERS = 300
#: Letters of a segment that has a say, and of all segments together: for the script, and for the language.
_SCRIPT_LETTERS, _ALL_SCRIPT_LETTERS = 3, 15
_LETTERS, _ALL_LETTERS = 15, 100
_FEWEST_SEGMENTS = 3
#: The share of letters below which a segment is in another script, and the share of segments for a verdict.
_SHARE, _MOST = 1 / 3, 2 / 3
#: By how much another language must fit better, in log-probability a letter.
_MARGIN = 0.5
#: The share of segments and the fit with which a language is named.
_CLEAR, _FIT = 0.85, 1.75
#: Among Han and Kana, so much Kana is Japanese, and less than that is none.
_JAPANESE, _CHINESE = 0.2, 0.01
_HAN_LETTERS = 50
#: For a segment by itself: weighted letters in another script, running words if that is the Latin one, and by
#: how much another language must fit better from so many letters on.
_LONE_SCRIPT_LETTERS, _LONE_WORDS = 15, 3
_LONE_MARGINS = ((40, 1.0), (25, 1.5))

#: Languages that are recognised, by name.
NAMES = {
    "cs": "Czech",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "et": "Estonian",
    "fi": "Finnish",
    "fr": "French",
    "ja": "Japanese",
    "ro": "Romanian",
    "tr": "Turkish",
    "zh": "Chinese",
}


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """``scripts`` are weighted letters, segments × scripts; ``fit`` is segments × languages of the model.

    ``fit`` has the segments with enough letters of the Latin script, and ``letters`` how many they have.
    """

    scripts: Int64Array
    fit: FloatArray
    letters: Int64Array

    def misfit(self, lang: str) -> str | None:
        """Why the text is not in ``lang``, such as "looks like German"; None if it may be."""
        return self._wrong_script(lang) or self._wrong_language(base_language(lang))

    def looks_like(self) -> str | None:
        """The language that the text is in, or one close to it; None if it may be in any other."""
        if self._main_script() == LATIN:
            return self._latin_language()
        return self._chinese_or_japanese()

    def fit_of(self, lang: str) -> float | None:
        """How well the text fits a language, to be compared with other texts; None if nothing can be said."""
        languages = shipped().languages
        if base_language(lang) not in languages or not self._enough():
            return None
        return float(self._mean_fit()[languages.index(base_language(lang))])

    def _wrong_script(self, lang: str) -> str | None:
        expected = [SCRIPTS.index(name) for name in scripts_of(lang)]
        lengths = self.scripts.sum(axis=1)
        rows = self.scripts[lengths >= _SCRIPT_LETTERS]
        if not expected or rows.sum() < _ALL_SCRIPT_LETTERS:
            return None
        shares = rows[:, expected].sum(axis=1) / rows.sum(axis=1)
        if (shares < _SHARE).mean() >= _MOST:
            found = self.looks_like()
            if found is not None:
                return f"looks like {NAMES[found]}"
            return f"is in the {SCRIPTS[self._main_script()]} script"
        # Both are written in Han.
        other = "zh" if KANA in expected else "ja"
        if HAN in expected and self._chinese_or_japanese() == other:
            return f"looks like {NAMES[other]}"
        return None

    def _wrong_language(self, language: str) -> str | None:
        languages = shipped().languages
        if language not in languages or self._main_script() != LATIN or not self._enough():
            return None
        claimed = languages.index(language)
        against = self.fit.max(axis=1) > self.fit[:, claimed]
        means = self._mean_fit()
        if against.mean() < _MOST or means.max() - means[claimed] < _MARGIN:
            return None
        found = self._latin_language()
        return (
            f"does not look like {NAMES[language]}"
            if found is None
            else f"looks like {NAMES[found]}"
        )

    def _latin_language(self) -> str | None:
        if not self._enough():
            return None
        means = self._mean_fit()
        best = int(np.argmax(means))
        share = float((np.argmax(self.fit, axis=1) == best).mean())
        clear = share >= _CLEAR and means[best] >= _FIT
        return shipped().languages[best] if clear else None

    def _chinese_or_japanese(self) -> str | None:
        if self._main_script() not in (HAN, KANA):
            return None
        han, kana = self.scripts[:, [HAN, KANA]].sum(axis=0).tolist()
        if kana >= _JAPANESE * (han + kana):
            return "ja"
        if kana < _CHINESE * (han + kana) and han >= _HAN_LETTERS * WEIGHTS[HAN]:
            return "zh"
        return None

    def _main_script(self) -> int:
        return int(np.argmax(self.scripts.sum(axis=0)))

    def _enough(self) -> bool:
        return len(self.fit) >= _FEWEST_SEGMENTS and int(self.letters.sum()) >= _ALL_LETTERS

    def _mean_fit(self) -> FloatArray:
        mean: FloatArray = np.average(self.fit, axis=0, weights=self.letters)
        return mean


def read(texts: Sequence[str]) -> Reading:
    """Count the characters of some segments of a text."""
    begun = [text[:_CHARACTERS] for text in texts]
    points = np.frombuffer("".join(begun).encode("utf-32-le"), dtype=np.uint32).astype(np.int64)
    rows = np.repeat(np.arange(len(begun)), [len(text) for text in begun])
    found = script_numbers(points)
    width = len(SCRIPTS)
    counted = np.bincount((rows * width + found)[found >= 0], minlength=len(begun) * width)
    scripts = counted.reshape(len(begun), width)
    latin = np.flatnonzero(scripts[:, LATIN] >= _LETTERS)
    return Reading(
        scripts * WEIGHTS,
        shipped().fit([begun[row] for row in latin.tolist()]),
        scripts[latin, LATIN],
    )


def misfits(texts: Sequence[str], lang: str) -> list[str | None]:
    """For each text by itself, why it is not in ``lang``; None if it may be, or says too little."""
    if not texts or not base_language(lang):
        return [None] * len(texts)
    reading = read(texts)
    expected = [SCRIPTS.index(name) for name in scripts_of(lang)]
    letters = reading.scripts.sum(axis=1)
    found: list[str | None] = [None] * len(texts)
    if expected:
        share = reading.scripts[:, expected].sum(axis=1) / np.maximum(letters, 1)
        for row in np.flatnonzero((letters >= _LONE_SCRIPT_LETTERS) & (share < _SHARE)).tolist():
            script = int(np.argmax(reading.scripts[row]))
            # Names and addresses stay in the Latin script everywhere.
            if script != LATIN or _running_words(texts[row]) >= _LONE_WORDS:
                found[row] = f"is in the {SCRIPTS[script]} script"
    languages = shipped().languages
    if base_language(lang) in languages:
        claimed = languages.index(base_language(lang))
        rows = np.flatnonzero((reading.scripts[:, LATIN] // WEIGHTS[LATIN]) >= _LETTERS)
        ahead = reading.fit.max(axis=1) - reading.fit[:, claimed]
        for place, row in enumerate(rows.tolist()):
            enough = next((m for n, m in _LONE_MARGINS if reading.letters[place] >= n), None)
            if enough is not None and ahead[place] >= enough and found[row] is None:
                best = languages[int(np.argmax(reading.fit[place]))]
                found[row] = f"looks like {NAMES[best]}"
    return found


def _running_words(text: str) -> int:
    """Words that begin with a small letter, as those of sentences do and those of names do not."""
    return sum(word[0].islower() and word.isalpha() for word in text.split())
