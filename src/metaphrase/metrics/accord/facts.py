"""Penalties of ``accord`` for facts that any language states in its text: numbers, dates, denials.

================  =======================================================================================
``number``        a number or date of the reference has become another one; conversions, number words and
                  other formats are understood (:mod:`metaphrase.checks.numbers`), and numbers in words
                  compared (:mod:`metaphrase.metrics.accord.number_words`)
``numbers left``  numbers that only one of the texts has
``denied``        a word of denial too many or too few, or a word without its denying prefix; 0 in
                  languages whose words are not listed
================  =======================================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from metaphrase.arrays import BoolArray, FloatArray, Int64Array
from metaphrase.checks.numbers.comparison import (
    CHANGED,
    DATE,
    DATES,
    FORMAT,
    NUMBERS,
)
from metaphrase.checks.numbers.dates import month_of
from metaphrase.checks.pair import Pair
from metaphrase.checks.settings import Settings
from metaphrase.matching.symbol_rows import SymbolRows
from metaphrase.metrics.accord.number_words import is_number_word, other_number_word

FACTS = ("number", "numbers left")
DENIED = ("denied",)
#: Differences of a kind are counted up to here.
_MOST = 3.0
#: Words that deny, one for each denial, by language: French *ne* goes with another word.
DENIALS = {
    "en": "not n't never no nobody nothing none neither nowhere cannot without hardly t",
    "de": "nicht nie niemals niemand nichts weder ohne kein keine keinen keinem keiner keines kaum",
    "fr": "pas jamais rien personne plus aucun aucune ni sans nullement guère",
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
    "ja": "無 不 非 未",
}
#: What a word begins with that denies it.
_PREFIXES = {
    "en": ("un", "in", "im", "dis", "non"),
    "cs": ("ne",),
    "de": ("un",),
    "es": ("in", "im", "des"),
    "fr": ("in", "im", "dé", "dés", "mal", "mé"),
    "ru": ("не",),
    "uk": ("не",),
    "pl": ("nie",),
    "nl": ("on",),
    "sv": ("o",),
    "pt": ("in", "im", "des"),
    "it": ("in", "im", "dis"),
}
#: Words that go with another denial and deny no more than that alone: *no vino nadie*, *nadie vino*.
_CONCORD = {
    "fr": "jamais rien personne plus aucun aucune ni nullement guère",
    "es": "nunca jamás nadie nada ningún ninguno ninguna ni tampoco",
    "pt": "nunca jamais ninguém nada nenhum nenhuma nem",
    "it": "mai nessuno niente nulla nessuna nemmeno neanche",
    "cs": "nikdy nikdo nic žádný žádná žádné ani",
    "pl": "nigdy nikt nic żaden żadna żadne ani",
    "ru": "никогда никто ничего ни",
    "uk": "ніколи ніхто нічого ні",
    "ro": "niciodată nimeni nimic niciun nicio nici",
}
#: Words that deny beside *ne* alone: *une personne*, *plus grand*.
_BESIDE_NE, _NE = frozenset({"personne", "plus"}), frozenset({"ne", "n"})
#: Languages whose denied verbs begin with their prefix.
_PREFIXED_VERBS = frozenset({"cs"})
#: Words of two characters, or parts of longer ones, of which one denies elsewhere.
COMPOUNDS = frozenset(
    """非常 非洲 南非 北非 东非 西非 中非 除非 是非 莫非 未来 未免 无论 無論 无线 無線 无数 無數 无疑 無疑
    无非 無非 无锡 無錫 别人 别的 别墅 特别 分别 区别 性别 级别 类别 个别 告别 差别 辨别 识别 鉴别 派别
    国别 离别 不但 不仅 不僅 不同 不断 不斷 不过 不過 不久 不管 不论 不論 不错 不錯 不禁 不少 不止 不只
    不料 不已 不妨 不丹 差不 对不 對不 了不 要不 莫斯 莫桑 莫尔 莫名 莫过 没错 沒錯 没收 沒收 沉没 淹没
    出没 埋没 吞没""".split()
)
#: How Japanese verbs and adjectives are denied; not few (少ない), dangerous (危ない), perhaps or must.
_ENDINGS = re.compile(
    "(?<![少危])(?<!しれ)(?<!ばなら)(?:な(?:い|かった|くて|くな)|(?<!ばなり)ません)"
)
_WORD = re.compile(r"[^\W\d_]+")
#: Of longer numbers, so many characters of both ends are shown.
_SHOWN = 20
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
        hypothesis, reference = _shortened(self.hypothesis), _shortened(self.reference)
        if self.kind == "number":
            return f"number: {hypothesis} for {reference}"
        return f"number added: {hypothesis}" if hypothesis else f"number missing: {reference}"


def _shortened(number: str) -> str:
    """Both ends of a number of thousands of digits."""
    return number if len(number) <= 2 * _SHOWN else f"{number[:_SHOWN]}…{number[-_SHOWN:]}"


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
    for row in np.flatnonzero(_other_numbers(words, vocabulary, language)).tolist():
        for shift in number_shifts(row, texts[0][row], texts[1][row], language):
            table[row, FACTS.index(shift.kind)] += shift.amount
    return np.minimum(table, _MOST)


def _other_numbers(
    words: tuple[SymbolRows, SymbolRows], vocabulary: Sequence[str], language: str
) -> BoolArray:
    """Which pairs may have other numbers: not the same words with digits, or for numbers, equally often."""
    numeric = np.fromiter(
        (
            has_digit(word)
            or is_number_word(word, language)
            or month_of(word, language) is not None
            for word in vocabulary
        ),
        np.bool_,
        len(vocabulary),
    )
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
    changed = False
    for check in (NUMBERS, DATES):
        for _, found in check.find([pair], settings):
            if found.code == FORMAT.code:
                continue
            kind = "number" if found.code in (CHANGED.code, DATE.code) else "numbers left"
            changed |= kind == "number"
            yield FactShift(row, kind, 1.0, found.found or "", found.expected or "")
    if not changed and (months := other_month(hypothesis, reference, language)):
        changed = True
        yield FactShift(row, "number", 1.0, *months)
    words = _WORD.findall(hypothesis.lower()), _WORD.findall(reference.lower())
    if not changed and (other := other_number_word(words, (hypothesis, reference), language)):
        yield FactShift(row, "number", 1.0, *other)


def other_month(hypothesis: str, reference: str, language: str) -> tuple[str, str] | None:
    """The month of each text, if each names just one that the other does not; English has its own way."""
    if language == "en":
        return None
    named = [
        {
            month: word
            for word in _WORD.findall(text)
            if (month := month_of(word.lower(), language)) is not None
        }
        for text in (hypothesis, reference)
    ]
    alone = [named[side].keys() - named[1 - side].keys() for side in (0, 1)]
    if len(alone[0]) != 1 or len(alone[1]) != 1:
        return None
    return named[0][alone[0].pop()], named[1][alone[1].pop()]


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
    deny = [_denying(side, vocabulary, language) for side in words]
    counts = [
        np.bincount(_rows(side)[said], minlength=len(side))
        for side, said in zip(words, deny, strict=True)
    ]
    uneven = (counts[0] - counts[1]) % 2 == 1
    prefixes = _PREFIXES.get(language, ())
    concord = frozenset(_CONCORD.get(language, "").split())
    begins = np.fromiter(
        (
            word in concord or (word.startswith(prefixes or "\0") and len(word) > _STEM)
            for word in vocabulary
        ),
        np.bool_,
        len(vocabulary),
    )
    candidates = uneven.copy()
    for side in words:
        candidates |= np.bincount(_rows(side), begins[side.symbols], len(side)) > 0
    for row in np.flatnonzero(candidates).tolist():
        here = [slice(*side.offsets[row : row + 2].tolist()) for side in words]
        forms = [
            [vocabulary[symbol] for symbol in side.symbols[at]]
            for side, at in zip(words, here, strict=True)
        ]
        said = [
            [word for word, denied in zip(side, deny[number][at].tolist(), strict=True) if denied]
            for number, (side, at) in enumerate(zip(forms, here, strict=True))
        ]
        flipped = [
            [
                word
                for word in _prefixed(forms[side], forms[1 - side], prefixes)
                if word not in denials
            ]
            for side in (0, 1)
        ]
        if not concord.isdisjoint((*said[0], *said[1])):
            # How many of these there are says nothing, only whether there are any.
            denied = [
                bool(said[side])
                or (language in _PREFIXED_VERBS and any(map(_is_denied_verb, forms[side])))
                for side in (0, 1)
            ]
            if denied[0] == denied[1]:
                continue
            extra = said
        else:
            if (int(uneven[row]) + len(flipped[0]) + len(flipped[1])) % 2 == 0:
                continue
            extra = [
                flipped[side] or (said[side][:1] if len(said[side]) > len(said[1 - side]) else [])
                for side in (0, 1)
            ]
        yield FactShift(row, "denied", 1.0, " ".join(extra[0][:1]), " ".join(extra[1][:1]))


def _is_denied_verb(word: str) -> bool:
    return word.startswith("ne") and len(word) > _STEM


def _rows(side: SymbolRows) -> Int64Array:
    """The row of each word."""
    return np.repeat(np.arange(len(side)), side.lengths)


def _denying(side: SymbolRows, vocabulary: Sequence[str], language: str) -> BoolArray:
    """Which words of each row deny, where they stand."""

    def each(wanted: frozenset[str]) -> BoolArray:
        found = np.fromiter(map(wanted.__contains__, vocabulary), np.bool_, len(vocabulary))
        return found[side.symbols]

    denies = each(frozenset(DENIALS[language].split()))
    rows = _rows(side)
    if language == "fr":
        beside = each(_BESIDE_NE)
        has_ne = np.bincount(rows, each(_NE), len(side)) > 0
        denies = (denies & ~beside) | (beside & has_ne[rows])
    if language == "ja":
        denies |= _ended(side, vocabulary)
    if language in ("zh", "ja"):
        for place in np.flatnonzero(denies).tolist():
            row = int(rows[place])
            first, end = side.offsets[row : row + 2].tolist()
            before, word, after = (
                vocabulary[side.symbols[at]] if first <= at < end else ""
                for at in (place - 1, place, place + 1)
            )
            asks = before == after != ""  # 是不是
            denies[place] = not (asks or before + word in COMPOUNDS or word + after in COMPOUNDS)
    return denies


def _ended(side: SymbolRows, vocabulary: Sequence[str]) -> BoolArray:
    """Where an ending that denies begins; each character of it is a word."""
    found = np.zeros(len(side.symbols), np.bool_)
    for row in range(len(side)):
        first, end = side.offsets[row : row + 2].tolist()
        # One character for each word, so that places are the same.
        text = "".join(
            word if len(word := vocabulary[symbol]) == 1 else " "
            for symbol in side.symbols[first:end]
        )
        found[[first + match.start() for match in _ENDINGS.finditer(text)]] = True
    return found


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
