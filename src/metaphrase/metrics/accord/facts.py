"""Penalties of ``accord`` for facts that any language states in its text: numbers, dates, denials.

================  =======================================================================================
``number``        a number or date of the reference has become another one; conversions, number words and
                  other formats are understood (:mod:`metaphrase.checks.numbers`)
``numbers left``  numbers that only one of the texts has
``denied``        a word of denial too many or too few, or a word without its denying prefix; 0 in
                  languages whose words are not listed
================  =======================================================================================
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from metaphrase.arrays import BoolArray, FloatArray
from metaphrase.checks.numbers.comparison import (
    CHANGED,
    DATE,
    DATES,
    FORMAT,
    NUMBERS,
)
from metaphrase.checks.pair import Pair
from metaphrase.checks.settings import Settings
from metaphrase.matching.symbol_rows import SymbolRows

FACTS = ("number", "numbers left")
DENIED = ("denied",)
#: Differences of a kind are counted up to here.
_MOST = 3.0
#: Words that deny, one for each denial, by language: French *ne* goes with another word.
DENIALS = {
    "en": "not n't never no nobody nothing none neither nowhere cannot without hardly t",
    "de": "nicht nie niemals niemand nichts weder ohne kein keine keinen keinem keiner keines kaum",
    "fr": "pas jamais rien personne aucun aucune ni sans nullement guère",
    "es": "no nunca jamás nadie nada ningún ninguno ninguna sin tampoco",
    "cs": "ne není nejsou nikdy nikdo nic žádný žádná žádné bez ani nemá nebyl nebyla nebylo nebude nemůže",
    "it": "non mai nessuno niente nulla nessuna senza nemmeno neanche",
    "pt": "não nunca jamais ninguém nada nenhum nenhuma sem nem",
    "nl": "niet nooit niemand niets geen zonder noch",
    "sv": "inte aldrig ingen inget inga ingenting utan icke ej",
    "da": "ikke aldrig ingen intet uden ej",
    "no": "ikke aldri ingen intet ingenting uten ei",
    "pl": "nie nigdy nikt nic żaden żadna żadne bez ani",
    "ru": "не никогда никто ничего нет нельзя без ни",
    "uk": "не ніколи ніхто нічого немає без ні",
    "ro": "nu niciodată nimeni nimic niciun nicio fără nici",
    "fi": "ei en et emme ette eivät älä koskaan",
    "tr": "değil yok hiç hiçbir",
    "zh": "不 没 沒 未 无 無 非 勿 莫 别",
    "ja": "ない なかっ ません ず 無 不 非 未",
}
#: What a word begins with that denies it.
_PREFIXES = {
    "en": ("un", "in", "im", "dis", "non"),
    "cs": ("ne",),
    "de": ("un",),
    "es": ("in", "im", "des"),
    "fr": ("in", "im", "dé", "dés", "mal"),
    "ru": ("не",),
    "uk": ("не",),
    "pl": ("nie",),
    "nl": ("on",),
    "sv": ("o",),
    "pt": ("in", "im", "des"),
    "it": ("in", "im", "dis"),
}
#: Shorter words are no stems.
_STEM = 4


@dataclass(frozen=True, slots=True)
class FactShift:
    """A fact that changed in one pair of texts, in words of both sides."""

    pair: int
    kind: str
    amount: float
    hypothesis: str
    reference: str

    @property
    def words(self) -> str:
        """What changed, for readers."""
        if self.kind == "denied":
            return (
                f"negation added: {self.hypothesis}"
                if self.hypothesis
                else f"negation lost: {self.reference}"
            )
        if self.kind == "number":
            return f"number: {self.hypothesis} for {self.reference}"
        return (
            f"number added: {self.hypothesis}"
            if self.hypothesis
            else f"number missing: {self.reference}"
        )


def has_digit(word: str) -> bool:
    """In any script."""
    return any(map(str.isdigit, word))


def number_penalties(
    texts: tuple[Sequence[str], Sequence[str]],
    words: tuple[SymbolRows, SymbolRows],
    vocabulary: Sequence[str],
    language: str,
) -> FloatArray:
    """The columns of ``FACTS``; ``words`` are those of the texts, by their numbers in ``vocabulary``."""
    table = np.zeros((len(texts[0]), len(FACTS)))
    for row in np.flatnonzero(_other_numbers(words, vocabulary)).tolist():
        for shift in number_shifts(row, texts[0][row], texts[1][row], language):
            table[row, FACTS.index(shift.kind)] += shift.amount
    return np.minimum(table, _MOST)


def _other_numbers(words: tuple[SymbolRows, SymbolRows], vocabulary: Sequence[str]) -> BoolArray:
    """Which pairs may have other numbers: not the same words with digits, equally often."""
    numeric = np.fromiter(map(has_digit, vocabulary), np.bool_, len(vocabulary))
    # Sums of mixed numbers are equal if the words are; that others are equal too is most unlikely.
    mixed = np.arange(1, len(vocabulary) + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    value = np.where(numeric, mixed % np.uint64(1 << 40), 0).astype(np.float64)
    sums = []
    for side in words:
        rows = np.repeat(np.arange(len(side)), side.lengths)
        sums.append(np.bincount(rows, value[side.symbols], len(side)))
    return np.asarray(sums[0] != sums[1])


def number_shifts(row: int, hypothesis: str, reference: str, language: str) -> Iterator[FactShift]:
    """Numbers and dates of one pair that differ."""
    pair = Pair(reference, hypothesis, language, language)
    settings = Settings()
    for check in (NUMBERS, DATES):
        for _, found in check.find([pair], settings):
            if found.code == FORMAT.code:
                continue
            changed = found.code in (CHANGED.code, DATE.code)
            kind = "number" if changed else "numbers left"
            yield FactShift(row, kind, 1.0, found.found or "", found.expected or "")


def denial_penalties(
    words: tuple[SymbolRows, SymbolRows], vocabulary: Sequence[str], language: str
) -> FloatArray:
    """The column of ``DENIED``."""
    found = np.zeros((len(words[0]), 1))
    for shift in denial_shifts(words, vocabulary, language):
        found[shift.pair, 0] += shift.amount
    return np.minimum(found, _MOST)


def denial_shifts(
    words: tuple[SymbolRows, SymbolRows], vocabulary: Sequence[str], language: str
) -> Iterator[FactShift]:
    """Denials that only one text of a pair has, where their number is odd; two deny each other."""
    denials = frozenset(DENIALS.get(language, "").split())
    if not denials:
        return
    denies = np.fromiter(map(denials.__contains__, vocabulary), np.bool_, len(vocabulary))
    counts = []
    for side in words:
        rows = np.repeat(np.arange(len(side)), side.lengths)
        counts.append(np.bincount(rows, denies[side.symbols], len(side)))
    uneven = (counts[0] - counts[1]) % 2 == 1
    prefixes = _PREFIXES.get(language, ())
    begins = (
        np.fromiter(
            (word.startswith(prefixes) and len(word) > _STEM for word in vocabulary),
            np.bool_,
            len(vocabulary),
        )
        if prefixes
        else np.zeros(len(vocabulary), np.bool_)
    )
    candidates = uneven.copy()
    for side in words:
        rows = np.repeat(np.arange(len(side)), side.lengths)
        candidates |= np.bincount(rows, begins[side.symbols], len(side)) > 0
    for row in np.flatnonzero(candidates).tolist():
        forms = [
            [
                vocabulary[symbol]
                for symbol in side.symbols[side.offsets[row] : side.offsets[row + 1]]
            ]
            for side in words
        ]
        flipped = [_prefixed(forms[side], forms[1 - side], prefixes) for side in (0, 1)]
        total = int(uneven[row]) + len(flipped[0]) + len(flipped[1])
        if total % 2 == 0:
            continue
        said = [[word for word in side if word in denials] for side in forms]
        extra = [
            flipped[side] or (said[side][:1] if len(said[side]) > len(said[1 - side]) else [])
            for side in (0, 1)
        ]
        yield FactShift(row, "denied", 1.0, " ".join(extra[0][:1]), " ".join(extra[1][:1]))


def _prefixed(own: Sequence[str], other: Sequence[str], prefixes: tuple[str, ...]) -> list[str]:
    """Words that the other text has without their denying prefix, and neither has both."""
    here, there = set(own), set(other)
    return [
        word
        for word in dict.fromkeys(own)
        for prefix in prefixes
        if word.startswith(prefix)
        and len(word) - len(prefix) >= _STEM - 1
        and (stem := word[len(prefix) :]) in there
        and stem not in here
        and word not in there
    ]
