"""Other units, days, months and quantifiers, and an *only* that was lost or added."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metaphrase.arrays import BoolArray
from metaphrase.metrics.accord.meaning.opposites import denied_before, same_context
from metaphrase.metrics.accord.meaning.pairs import Pairs, Shift, shift_of
from metaphrase.metrics.accord.meaning.words import QUANTIFIERS, MeaningWords

#: Units by what they are; words of one line are the same.
_UNITS = {
    word: number
    for number, line in enumerate(
        """km kilometer kilometre
        mile mi
        m meter metre
        cm centimeter centimetre
        mm millimeter millimetre
        foot ft
        inch
        yard
        kg kilogram kilo
        g gram
        mg milligram
        pound lb
        ounce oz
        ton tonne
        liter litre
        gallon
        ml milliliter millilitre
        second
        minute
        hour
        day
        week
        month
        year
        decade
        century
        percent % pc
        dollar $ usd
        euro € eur
        yen ¥ yuan rmb
        celsius
        fahrenheit
        am a.m.
        pm p.m.""".splitlines()
    )
    for word in line.split()
}
#: Kinds of quantifiers that nobody takes for each other.
_OPPOSED = frozenset({frozenset((1, 2)), frozenset((1, 3)), frozenset((3, 4))})
#: Before it, *only* excludes nothing, or not that: *the only man*, *not only men*.
_BEFORE_OTHER_ONLY = frozenset("the a an his her its their our my your not n't if".split())


def measures(pairs: Pairs, words: MeaningWords) -> Iterator[Shift]:
    """Numbers and units that became others."""
    token, last = pairs.token[0], pairs.pair[0]
    for slot in np.flatnonzero(words.counts[token]).tolist():
        own, pair, other = int(token[slot]), int(last[slot]), int(pairs.partner[0][slot])
        if other >= 0:
            ends = [
                int(
                    pairs.first[side][pair]
                    + (pairs.start[side][pair + 1] - pairs.start[side][pair])
                )
                for side in (0, 1)
            ]
            at = _unit(words, own + 1, ends[0]), _unit(words, other + 1, ends[1])
            units = [_UNITS.get(words.lemma(one)) if one >= 0 else None for one in at]
            if None not in units and units[0] != units[1]:
                yield shift_of(pairs, pair, "measure", 1.0, ([at[0]], [at[1]]))
            continue
        if any(map(str.isdigit, words.form(own))) or words.form(own) == "one":
            continue
        tokens = pairs.token[1][pairs.here(1, pair)]
        for there in tokens[words.counts[tokens]].tolist():
            said = words.form(there)
            if (
                pairs.partner_of(1, pair, there) < 0
                and said not in ("one", words.form(own))
                and not any(map(str.isdigit, said))
                and same_context(pairs, words, pair, own, there)
            ):
                yield shift_of(pairs, pair, "measure", 1.0, ([own], [there]))
                break
    for named in words.days_and_months:
        yield from _dates(pairs, words, named)


def _dates(pairs: Pairs, words: MeaningWords, named: BoolArray) -> Iterator[Shift]:
    """Days of the week or months that became others: each text has one that the other lacks."""
    counts = [pairs.sums(side, named[pairs.token[side]]) for side in (0, 1)]
    for pair in np.flatnonzero((counts[0] > 0) & (counts[1] > 0)).tolist():
        tokens = [pairs.token[side][pairs.here(side, pair)] for side in (0, 1)]
        forms = [
            {words.form(token): token for token in here[named[here]].tolist()} for here in tokens
        ]
        alone = [
            [token for form, token in forms[side].items() if form not in forms[1 - side]]
            for side in (0, 1)
        ]
        if len(alone[0]) == 1 and len(alone[1]) == 1:
            yield shift_of(pairs, pair, "measure", 1.0, (alone[0], alone[1]))


def _unit(words: MeaningWords, token: int, end: int) -> int:
    """Where the unit of the number before a token is, or -1; *degrees* are of something."""
    if token + 1 < end and words.lemma(token) == "degree":
        token += 1
    return token if token < end else -1


def quantifiers(pairs: Pairs, words: MeaningWords) -> Iterator[Shift]:
    """Quantifiers that nobody takes for each other."""
    token = pairs.token[0]
    slots = np.flatnonzero(words.quantifies[token] & (pairs.partner[0] < 0))
    for slot in slots.tolist():
        own, pair = int(token[slot]), int(pairs.pair[0][slot])
        noun = pairs.partner_of(0, pair, int(words.head[own]))
        if noun < 0 or denied_before(words, own):
            continue
        tokens = pairs.token[1][pairs.here(1, pair)]
        others = tokens[(words.head[tokens] == noun) & words.quantifies[tokens]].tolist()
        for other in others:
            kinds = frozenset(QUANTIFIERS[words.form(one)] for one in (own, other))
            if (
                kinds in _OPPOSED
                and pairs.partner_of(1, pair, other) < 0
                and not denied_before(words, other)
            ):
                yield shift_of(pairs, pair, "quantifier", 1.0, ([own], [other]))
                break


def exclusions(pairs: Pairs, words: MeaningWords) -> Iterator[Shift]:
    """*Only* of a noun that both texts have, where nothing of the other side excludes anything."""
    for side in (0, 1):
        token = pairs.token[side]
        for slot in np.flatnonzero(words.only[token] & (pairs.partner[side] < 0)).tolist():
            own, pair = int(token[slot]), int(pairs.pair[side][slot])
            noun = int(words.head[own])
            if noun <= own or words.part(noun) != "N" or pairs.partner_of(side, pair, noun) < 0:
                continue
            before = [
                words.form(at) for at in range(max(own - 1, int(pairs.first[side][pair])), own)
            ]
            if not _BEFORE_OTHER_ONLY.isdisjoint(before) or words.counts[own + 1]:
                continue
            there = pairs.token[1 - side][pairs.here(1 - side, pair)]
            if not (words.excludes[there].any() or words.denies[there].any()):
                named = ([own], []) if side == 0 else ([], [own])
                yield shift_of(pairs, pair, "quantifier", 1.0, named)
                break
