"""What changes a meaning: penalties of ``accord`` for aligned texts that say something else.

Each finding names its words on both sides. Those of the first seven kinds are nearly certain and may cost
much; the others are hints, which cost what raters say they do.

====================  ===================================================================================
``negation``          an aligned predicate is denied on one side alone
``antonym``           a word stands where the reference has its opposite, in the same context
``roles``             who does it and to whom it is done are exchanged; the passive is understood
``name``              a name stands where the reference has another one of its kind, in the same context
``measure``           a number in words has become another one, or the same number has another unit
``quantifier``        *all* for *some*, *few* for *many*, *only* lost or added, of an aligned noun
``gender``            *she* for *he*
``denial``            one side denies something more, and it is not clear what
``opposite``          opposites without a common context, and words similar to an opposite
``names extra``       names of the hypothesis without a counterpart, per word of the reference
``names missing``     names of the reference without a counterpart, per word of it
``omitted, added``    the longest run of content words without a counterpart, a share of all content words
====================  ===================================================================================
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metaphrase.arrays import FloatArray, Int32Array
from metaphrase.matching.word_alignment import WordAlignments
from metaphrase.metrics.accord.meaning.names import genders, names
from metaphrase.metrics.accord.meaning.negation import negations
from metaphrase.metrics.accord.meaning.opposites import antonyms
from metaphrase.metrics.accord.meaning.pairs import Pairs, Shift
from metaphrase.metrics.accord.meaning.quantities import exclusions, measures, quantifiers
from metaphrase.metrics.accord.meaning.roles import roles
from metaphrase.metrics.accord.meaning.runs import runs
from metaphrase.metrics.accord.meaning.words import MeaningWords

CERTAIN = ("negation", "antonym", "roles", "name", "measure", "quantifier", "gender")
RUNS = ("omitted", "added")
MEANING = (*CERTAIN, "denial", "opposite", "names extra", "names missing", *RUNS)
#: How a change is described: words of the hypothesis, and of the reference.
_DESCRIPTIONS = {
    "antonym": "opposite: {0} for {1}",
    "opposite": "perhaps the opposite: {0} for {1}",
    "roles": "roles exchanged: {0}",
    "name": "name: {0} for {1}",
    "measure": "measure: {0} for {1}",
    "quantifier": "quantifier: {0} for {1}",
    "gender": "gender: {0} for {1}",
    "names extra": "names added: {0}",
    "names missing": "names missing: {1}",
    "omitted": "omitted: {1}",
    "added": "added: {0}",
}


def meaning_penalties(
    found: WordAlignments, words: MeaningWords, rows: tuple[Int32Array, Int32Array]
) -> FloatArray:
    """The columns of ``MEANING``."""
    table = np.zeros((len(rows[0]), len(MEANING)))
    column = {kind: number for number, kind in enumerate(MEANING)}
    for shift in shifts(found, words, rows):
        table[shift.pair, column[shift.kind]] += shift.amount
    limited = [column[kind] for kind in (*CERTAIN, "denial", "opposite")]
    table[:, limited] = np.minimum(table[:, limited], 3.0)
    return table


def shifts(
    found: WordAlignments, words: MeaningWords, rows: tuple[Int32Array, Int32Array]
) -> Iterator[Shift]:
    """All changes of meaning of all pairs."""
    pairs = Pairs(found, words.batch, rows)
    denials = [pairs.sums(side, words.denies[pairs.token[side]]) for side in (0, 1)]
    uneven = (denials[0] - denials[1]) % 2 == 1
    yield from negations(pairs, words, denials, uneven)
    yield from antonyms(pairs, words, uneven)
    yield from roles(pairs, words)
    yield from names(pairs, words)
    yield from measures(pairs, words)
    yield from quantifiers(pairs, words)
    yield from exclusions(pairs, words)
    yield from genders(pairs, words)
    yield from runs(pairs, words)


def described(shift: Shift, words: MeaningWords, rows: tuple[Int32Array, Int32Array]) -> str:
    """What changed, for readers."""
    batch = words.batch
    sides = []
    for row, tokens in zip(rows, (shift.hypothesis, shift.reference), strict=True):
        first = int(batch.offsets[row[shift.pair]])
        forms = [batch.columns["form"][first + token] for token in tokens]
        sides.append((" ".join(batch.strings[form] for form in forms), [first + t for t in tokens]))
    if shift.kind == "quantifier" and not (shift.hypothesis and shift.reference):
        return (
            f"quantifier added: {sides[0][0]}"
            if shift.hypothesis
            else f"quantifier lost: {sides[1][0]}"
        )
    if shift.kind in _DESCRIPTIONS:
        return " ".join(_DESCRIPTIONS[shift.kind].format(sides[0][0], sides[1][0]).split())
    denied = [
        any(words.denies[token] or words.implies[token] for token in tokens) for _, tokens in sides
    ]
    return f"negation added: {sides[0][0]}" if denied[0] else f"negation lost: {sides[1][0]}"
