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

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from metaphrase.analysis import Batch
from metaphrase.arrays import BoolArray, FloatArray, Int32Array
from metaphrase.checks.numbers.reading import numbers_in
from metaphrase.checks.numbers.words import english_numbers
from metaphrase.lexicon.antonyms import Antonyms
from metaphrase.matching.word_alignment import KINDS, WordAlignments, is_function_word

CERTAIN = ("negation", "antonym", "roles", "name", "measure", "quantifier", "gender")
RUNS = ("omitted", "added")
MEANING = (*CERTAIN, "denial", "opposite", "names extra", "names missing", *RUNS)

_DENIALS = frozenset(
    "not n't n’t never no nobody nothing none neither nowhere without hardly barely scarcely".split()
)
#: What denies without being a word of denial: *fail to*, *unable*.
_IMPLICIT = frozenset(
    "fail refuse deny decline lack avoid prevent forbid prohibit ban stop cease unable impossible "
    "unlikely absence absent instead reject nor except lose miss free doubt exclude impede cannot "
    "rather unless little few rarely rare seldom".split()
)
#: What denies the adjective or noun that it stands before.
_DENYING_PREFIXES = frozenset("un in im il ir dis non non-".split())
#: Verbs of it that deny what they govern.
_DENYING_VERBS = frozenset("fail refuse decline".split())
#: After "not" or "no" these deny nothing: *not only*, *no doubt*, *no matter*.
_NO_DENIAL_BEFORE = frozenset("only just merely simply doubt matter wonder".split())
_COMPARED = frozenset("less fewer more later earlier".split())
#: *No, thanks* denies nothing that is said.
_ANSWER, _AFTER_ANSWER = "no", frozenset(".,:;!?-–")
_MONTHS = frozenset(
    "january february march april may june july august september october november december".split()
)
_WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_PARTS_OF_DATES = _MONTHS | _WEEKDAYS
_QUANTIFIERS = {
    **dict.fromkeys(("all", "every", "each", "both", "entire", "whole"), 1),
    **dict.fromkeys(("some", "several", "certain"), 2),
    **dict.fromkeys(("few", "little"), 3),
    **dict.fromkeys(("many", "most", "much", "numerous"), 4),
}
#: Before it, *only* excludes nothing, or not that: *the only man*, *not only men*.
_BEFORE_OTHER_ONLY = frozenset("the a an his her its their our my your not n't if".split())
#: What excludes as *only* does.
_EXCLUDING = frozenset(
    "only just solely merely exclusively exclusive simply alone but except until till sole single mere "
    "purely unique limited restricted confined unless hardly few little rare rarely one than".split()
)
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
_GENDERS = {
    **dict.fromkeys(("he", "him", "his", "himself"), 1),
    **dict.fromkeys(("she", "her", "hers", "herself"), 2),
}
#: Verbs whose subject and object may be exchanged, and what joins words that may be.
_MUTUAL = frozenset("be meet marry resemble equal".split())
_JOINING = frozenset("and or nor , ; & / - – plus with as well versus vs vs. v.".split())
#: The words of a noun that changed places.
_LONGEST_SWAP = 4
_PASSIVE, _AGENT = "nsubj:pass", "obl:agent"
#: How words may be aligned that still are opposites: by paraphrases and vectors, not by being the same.
_SURE = frozenset(KINDS.index(kind) for kind in ("identical", "contraction", "lemma", "stem"))
#: Names that share so many of their pairs of letters are one name in two spellings.
_SAME_NAME = 0.4
#: What spellings of one name differ in most: Kyiv and Kiev.
_VOWELS = frozenset("aeiouy")
#: So many content words without a counterpart in a row are nothing unusual.
_USUAL_RUN = 2


@dataclass(frozen=True, slots=True)
class Shift:
    """A change of meaning in one pair of texts: its kind, its weight, and tokens of both sides."""

    pair: int
    kind: str
    amount: float
    hypothesis: tuple[int, ...] = ()
    reference: tuple[int, ...] = ()


def _used(batch: Batch, name: str) -> list[int]:
    """The strings that a column has."""
    used = np.zeros(len(batch.strings), dtype=np.bool_)
    used[batch.columns[name]] = True
    places: list[int] = np.flatnonzero(used).tolist()
    return places


class MeaningWords:
    """What the words of a batch do to the meaning, by their strings."""

    def __init__(self, batch: Batch, antonyms: Antonyms) -> None:
        self.batch = batch
        self.antonyms = antonyms
        self.lower = [string.lower() for string in batch.strings]
        strings = {name: _used(batch, name) for name in ("form", "lemma", "tag")}

        def flagged(name: str, test: Callable[[str], bool]) -> BoolArray:
            by_string = np.zeros(len(batch.strings), dtype=np.bool_)
            for string in strings[name]:
                by_string[string] = test(self.lower[string])
            return by_string[batch.columns[name]]

        self.content = ~flagged("form", is_function_word)
        self.denies = flagged("form", _DENIALS.__contains__)
        self.denies &= ~np.roll(flagged("form", _NO_DENIAL_BEFORE.__contains__), -1)
        compared = np.roll(flagged("form", _COMPARED.__contains__), -1)
        self.denies_more = self.denies & compared & np.roll(flagged("form", "than".__eq__), -2)
        self.denies &= ~(
            flagged("form", _ANSWER.__eq__)
            & np.roll(flagged("form", _AFTER_ANSWER.__contains__), -1)
        )
        self.implies = flagged("lemma", _IMPLICIT.__contains__) | flagged(
            "lemma", lambda word: word.endswith("less") and len(word) > 5
        )
        self.implies |= flagged("lemma", self._is_unlike)
        self.opposed = flagged("lemma", antonyms.__contains__) | flagged(
            "form", antonyms.__contains__
        )
        self.proper = flagged("tag", lambda name: name.startswith("nnp")) & ~flagged(
            "form", lambda word: word in _PARTS_OF_DATES or not any(map(str.isalpha, word))
        )
        named = flagged("tag", lambda name: name.startswith("nnp"))
        self.day = named & flagged("form", _WEEKDAYS.__contains__)
        self.counts = flagged("tag", "cd".__eq__)
        self.quantifies = flagged("form", _QUANTIFIERS.__contains__)
        self.only = flagged("form", "only".__eq__)
        self.excludes = flagged("form", _EXCLUDING.__contains__)
        self.gender = flagged("form", lambda word: _GENDERS.get(word) == 1) + 2 * flagged(
            "form", lambda word: _GENDERS.get(word) == 2
        ).astype(np.int8)
        # Heads by their place in the batch, -1 for roots.
        first = np.repeat(batch.offsets[:-1], np.diff(batch.offsets))
        head = batch.columns["head"].astype(np.int64)
        self.head = np.where(head > 0, first + head - 1, -1)
        self._of_roles()

    def _is_unlike(self, word: str) -> bool:
        """Whether a word denies another one by its prefix: *unknown*."""
        return word.startswith("un") and word[2:] in self.antonyms.of(word)

    def _of_roles(self) -> None:
        """Who does it and to whom it is done, of each predicate; the last one where there are several."""
        strings = self.batch.strings
        relation = self.batch.columns["relation"]
        self.agent, self.patient = (np.full(len(relation), -1) for _ in range(2))
        roles = {
            "nsubj": self.agent,
            _AGENT: self.agent,
            _PASSIVE: self.patient,
            "obj": self.patient,
        }
        names = {name: number for number, name in enumerate(strings) if name in roles}
        for name, places in roles.items():
            tokens = np.flatnonzero((relation == names.get(name, -1)) & (self.head >= 0))
            places[self.head[tokens]] = tokens

    def lemma(self, token: int) -> str:
        """In lower case."""
        return self.lower[int(self.batch.columns["lemma"][token])]

    def form(self, token: int) -> str:
        """In lower case."""
        return self.lower[int(self.batch.columns["form"][token])]

    def relation(self, token: int) -> str:
        """To its head."""
        return self.batch.strings[int(self.batch.columns["relation"][token])]

    def part(self, token: int) -> str:
        """Noun, verb, adjective …, by the first letter of its tag."""
        return self.batch.strings[int(self.batch.columns["tag"][token])][:1]

    def entity(self, token: int) -> str:
        """The kind of name, or ``O``."""
        return self.batch.strings[int(self.batch.columns["entity"][token])]


class _Pairs:
    """Pairs of texts side by side: each token of each side with its place in the batch and its partner.

    ``partner`` has the place of the aligned token in the batch, or -1.
    """

    def __init__(self, found: WordAlignments, batch: Batch, rows: tuple[Int32Array, Int32Array]):
        count = len(rows[0])
        pair = np.repeat(np.arange(count), np.diff(found.pair_offsets))
        self.first = [batch.offsets[row] for row in rows]
        lengths = [
            batch.offsets[row + 1] - first for row, first in zip(rows, self.first, strict=True)
        ]
        self.start = [np.concatenate([[0], np.cumsum(length)]) for length in lengths]
        self.pair = [np.repeat(np.arange(count), length) for length in lengths]
        self.token = [
            np.arange(start[-1]) + np.repeat(first - start[:-1], length)
            for start, first, length in zip(self.start, self.first, lengths, strict=True)
        ]
        slots = [
            start[pair] + at
            for start, at in zip(self.start, (found.left, found.right), strict=True)
        ]
        self.partner = [np.full(start[-1], -1) for start in self.start]
        self.sure = [np.zeros(start[-1], dtype=np.bool_) for start in self.start]
        known = np.isin(found.kind, list(_SURE))
        for side in (0, 1):
            self.partner[side][slots[side]] = self.token[1 - side][slots[1 - side]]
            self.sure[side][slots[side]] = known

    def here(self, side: int, pair: int) -> slice:
        return slice(self.start[side][pair], self.start[side][pair + 1])

    def partner_of(self, side: int, pair: int, token: int) -> int:
        """The place in the batch of what a token of the batch is aligned with in this pair, or -1."""
        if token < 0:
            return -1
        return int(self.partner[side][self.start[side][pair] + token - self.first[side][pair]])

    def sums(self, side: int, amounts: FloatArray | BoolArray) -> FloatArray:
        """The sum over the tokens of each text."""
        return np.bincount(self.pair[side], amounts, len(self.first[side])).astype(np.float64)


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
    pairs = _Pairs(found, words.batch, rows)
    denials = [pairs.sums(side, words.denies[pairs.token[side]]) for side in (0, 1)]
    uneven = (denials[0] - denials[1]) % 2 == 1
    yield from _negations(pairs, words, denials, uneven)
    yield from _antonyms(pairs, words, uneven)
    yield from _roles(pairs, words)
    yield from _names(pairs, words)
    yield from _measures(pairs, words)
    yield from _quantifiers(pairs, words)
    yield from _exclusions(pairs, words)
    yield from _genders(pairs, words)
    yield from _runs(pairs, words)


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


def _local(pairs: _Pairs, side: int, pair: int, tokens: list[int]) -> tuple[int, ...]:
    return tuple(token - int(pairs.first[side][pair]) for token in tokens)


def _shift(
    pairs: _Pairs, pair: int, kind: str, amount: float, sides: tuple[list[int], list[int]]
) -> Shift:
    return Shift(pair, kind, amount, *(_local(pairs, side, pair, sides[side]) for side in (0, 1)))


def _negations(
    pairs: _Pairs, words: MeaningWords, denials: list[FloatArray], uneven: BoolArray
) -> Iterator[Shift]:
    implied = [
        pairs.sums(side, words.implies[pairs.token[side]] & (pairs.partner[side] < 0))
        for side in (0, 1)
    ]
    for pair in np.flatnonzero(uneven | (implied[0] + implied[1] > 0)).tolist():
        if uneven[pair]:
            side = int(denials[1][pair] > denials[0][pair])
            tokens = pairs.token[side][pairs.here(side, pair)]
            extra = [
                token
                for token in tokens[words.denies[tokens]].tolist()
                if (other := pairs.partner_of(side, pair, token)) < 0 or not words.denies[other]
            ]
            certain = [
                (token, aligned)
                for token in extra
                if (aligned := _denied_alone(pairs, words, side, pair, token)) >= 0
                and not words.implies[aligned]  # never ending, and endless
            ]
            if implied[1 - side][pair] or _has_opposite(pairs, words, pair):
                continue  # not bad, and good
            if any(
                words.denies_more[token] and pairs.partner_of(side, pair, token + 1) < 0
                for token in extra
            ):
                continue  # no less than, and at least
            kind = "negation" if certain else "denial"
            denying = [certain[0][0]] if certain else extra[:1]
            beside = [certain[0][1]] if certain else []
            named = (denying, beside) if side == 0 else (beside, denying)
            yield _shift(pairs, pair, kind, 1.0, named)
            continue
        for side in (0, 1):
            if implied[1 - side][pair] or denials[0][pair] or denials[1][pair]:
                continue
            tokens = pairs.token[side][pairs.here(side, pair)]
            for token in tokens[words.implies[tokens]].tolist():
                if (
                    words.lemma(token) not in _DENYING_VERBS
                    or pairs.partner_of(side, pair, token) >= 0
                ):
                    continue
                governed = tokens[(words.head[tokens] == token)].tolist()
                partners = [
                    other
                    for one in governed
                    if words.relation(one) == "xcomp"
                    and (other := pairs.partner_of(side, pair, one)) >= 0
                ]
                if partners:
                    named = ([token], partners[:1]) if side == 0 else (partners[:1], [token])
                    yield _shift(pairs, pair, "negation", 1.0, named)
                    break


def _denied_alone(pairs: _Pairs, words: MeaningWords, side: int, pair: int, token: int) -> int:
    """What the predicate that ``token`` denies is aligned with, if nothing denies that; else -1."""
    head = int(words.head[token])
    other = pairs.partner_of(side, pair, head)
    if other < 0 and head >= 0 and words.form(head) == "one":  # no one
        other = pairs.partner_of(side, pair, int(words.head[head]))
    if other < 0:
        return -1
    tokens = pairs.token[1 - side][pairs.here(1 - side, pair)]
    near = (words.head[tokens] == other) | (tokens == other) | (tokens == words.head[other])
    near |= np.isin(words.head[tokens], tokens[near])
    return -1 if words.denies[tokens[near]].any() else other


def _has_opposite(pairs: _Pairs, words: MeaningWords, pair: int) -> bool:
    """Whether opposites make up for a denial, as *not bad* and *good*; *never* and *always* do not."""
    return any(
        not words.denies[token] and not words.denies[other]
        for token, other, _ in _opposites(pairs, words, pair)
    )


def _opposites(pairs: _Pairs, words: MeaningWords, pair: int) -> Iterator[tuple[int, int, str]]:
    """Tokens of both sides that are opposites, and not aligned by what they are."""
    sides = []
    for side in (0, 1):
        here = pairs.here(side, pair)
        tokens = pairs.token[side][here]
        open_ = ~pairs.sure[side][here]
        sides.append(tokens[open_ & words.opposed[tokens]].tolist())
    if not sides[0] or not sides[1]:
        return
    others: dict[str, int] = {}
    for other in sides[1]:
        others.setdefault(words.form(other), other)
        others.setdefault(words.lemma(other), other)
    for token in sides[0]:
        own = {words.form(token), words.lemma(token)}
        how = {
            others[opposite]: kind
            for one in own
            for opposite, kind in words.antonyms.of(one).items()
            if opposite in others
        }
        for other, kind in how.items():
            # "The old and the new" has both, whatever else it says.
            if not _says(pairs, words, 1, pair, own) and not _says(
                pairs, words, 0, pair, {words.form(other), words.lemma(other)}
            ):
                yield token, other, kind


def _says(pairs: _Pairs, words: MeaningWords, side: int, pair: int, wanted: set[str]) -> bool:
    """Whether a text has one of some words, in any form."""
    tokens = pairs.token[side][pairs.here(side, pair)].tolist()
    return any(words.form(token) in wanted or words.lemma(token) in wanted for token in tokens)


def _antonyms(pairs: _Pairs, words: MeaningWords, uneven: BoolArray) -> Iterator[Shift]:
    candidates = [
        pairs.sums(side, words.opposed[pairs.token[side]] & ~pairs.sure[side]) for side in (0, 1)
    ]
    for pair in np.flatnonzero((candidates[0] > 0) & (candidates[1] > 0) & ~uneven).tolist():
        for token, other, how in _opposites(pairs, words, pair):
            one, opposite = words.lemma(token), words.lemma(other)
            if Antonyms.is_converse(one, opposite) and not _same_agent(
                pairs, words, pair, token, other
            ):
                continue
            if _denied_before(words, token) or _denied_before(words, other):
                continue  # not all, and some … not
            alike = words.part(token) == words.part(other) or words.relation(
                token
            ) == words.relation(other)
            opposed = (
                how == "opposite" or _is_prefixed(one, opposite) or _is_prefixed(opposite, one)
            )
            if _same_neighbours(pairs, pair, token, other):
                # A particle is one however it is parsed, and *harder* is not *easier*; but *have no* is
                # *don't have any*.
                denied = bool(words.denies[[token, other]].any())
                certain = (opposed and alike) or ((opposed or alike) and not denied)
            else:
                certain = opposed and alike and _same_context(pairs, words, pair, token, other)
            yield _shift(pairs, pair, "antonym" if certain else "opposite", 1.0, ([token], [other]))


def _is_prefixed(word: str, stem: str) -> bool:
    """Whether a word is another one with a prefix that denies: *unsafe* of *safe*."""
    return word.endswith(stem) and word[: len(word) - len(stem)] in _DENYING_PREFIXES


def _denied_before(words: MeaningWords, token: int) -> bool:
    """Whether the word before a quantifier denies it: *not all*, *not many*."""
    return bool(words.quantifies[token] and token > 0 and words.denies[token - 1])


def _same_neighbours(pairs: _Pairs, pair: int, token: int, other: int) -> bool:
    """Whether two tokens stand between aligned ones, or where both texts begin or end."""
    sides = [
        (int(pairs.first[side][pair]), int(pairs.start[side][pair + 1] - pairs.start[side][pair]))
        for side in (0, 1)
    ]
    for step in (-1, 1):
        beside = token + step, other + step
        outside = [
            not first <= at < first + length
            for at, (first, length) in zip(beside, sides, strict=True)
        ]
        if outside[0] != outside[1]:
            return False
        if not outside[0] and pairs.partner_of(0, pair, beside[0]) != beside[1]:
            return False
    return True


def _same_agent(pairs: _Pairs, words: MeaningWords, pair: int, token: int, other: int) -> bool:
    agents = int(words.agent[token]), int(words.agent[other])
    if min(agents) < 0:
        return False
    # Pronouns are aligned only where their verbs are, and these are opposites.
    same = words.form(agents[0]) == words.form(agents[1])
    return same or pairs.partner_of(0, pair, agents[0]) == agents[1]


def _same_context(pairs: _Pairs, words: MeaningWords, pair: int, token: int, other: int) -> bool:
    """Whether two tokens are aligned, have heads that are aligned, or a child in common."""
    if pairs.partner_of(0, pair, token) == other:
        return True
    heads = int(words.head[token]), int(words.head[other])
    if heads[0] >= 0 and pairs.partner_of(0, pair, heads[0]) == heads[1] and heads[1] >= 0:
        return True
    if (heads[0] < 0) != (heads[1] < 0):
        return False
    here = pairs.here(0, pair)
    tokens = pairs.token[0][here]
    children = tokens[words.head[tokens] == token].tolist()
    return any(
        (partner := pairs.partner_of(0, pair, child)) >= 0
        and words.head[partner] == other
        and words.relation(child) != "punct"
        for child in children
    )


def _roles(pairs: _Pairs, words: MeaningWords) -> Iterator[Shift]:
    """Exchanged by the parse, or else by the order of words alone."""
    seen = set()
    for shift in _exchanged(pairs, words):
        seen.add(shift.pair)
        yield shift
    yield from (shift for shift in _swaps(pairs, words) if shift.pair not in seen)


def _exchanged(pairs: _Pairs, words: MeaningWords) -> Iterator[Shift]:
    token = pairs.token[0]
    aligned = np.flatnonzero(
        (pairs.partner[0] >= 0) & (words.agent[token] >= 0) & (words.patient[token] >= 0)
    )
    for slot in aligned.tolist():
        verb, other, pair = int(token[slot]), int(pairs.partner[0][slot]), int(pairs.pair[0][slot])
        agent, patient = int(words.agent[verb]), int(words.patient[verb])
        theirs = int(words.agent[other]), int(words.patient[other])
        if min(theirs) < 0 or words.lemma(verb) in _MUTUAL:
            continue
        if (
            pairs.partner_of(0, pair, agent) == theirs[1]
            and pairs.partner_of(0, pair, patient) == theirs[0]
        ):
            yield _shift(pairs, pair, "roles", 1.0, ([agent, patient], list(theirs)))


def _swaps(pairs: _Pairs, words: MeaningWords) -> Iterator[Shift]:
    """Nouns or names that changed places in a text that is the same otherwise, however it is parsed."""
    lengths = [np.diff(pairs.start[side]) for side in (0, 1)]
    aligned = [pairs.sums(side, pairs.sure[side]) for side in (0, 1)]
    whole = (lengths[0] == lengths[1]) & (aligned[0] == lengths[0])
    for pair in np.flatnonzero(whole & (lengths[0] > 2)).tolist():
        tokens = [pairs.token[side][pairs.here(side, pair)].tolist() for side in (0, 1)]
        forms = [[words.form(token) for token in side] for side in tokens]
        if forms[0] == forms[1]:
            continue
        first = next(n for n, (a, b) in enumerate(zip(*forms, strict=True)) if a != b)
        last = len(forms[0]) - next(
            n
            for n, (a, b) in enumerate(zip(*(side[::-1] for side in forms), strict=True))
            if a != b
        )
        own, other = (side[first:last] for side in forms)
        place = tokens[0][first]
        for left in range(1, min(len(own) - 1, _LONGEST_SWAP + 1)):
            if own[:left] != other[-left:]:
                continue
            right = next(
                (
                    n
                    for n in range(1, min(len(own) - left, _LONGEST_SWAP + 1))
                    if own[-n:] == other[:n] and own[left:-n] == other[n : len(own) - left]
                ),
                0,
            )
            if (
                right
                and not _JOINING.issuperset(own[left:-right])
                and words.lemma(place + left) not in _MUTUAL
                and all(
                    _is_noun(words, range(place + at, place + at + size))
                    for at, size in ((0, left), (len(own) - right, right))
                )
            ):
                swapped = [place + left - 1, place + len(own) - 1]
                there = tokens[1][first]
                yield _shift(
                    pairs,
                    pair,
                    "roles",
                    1.0,
                    (swapped, [there + right - 1, there + len(own) - 1]),
                )
                break


def _is_noun(words: MeaningWords, tokens: range) -> bool:
    """Whether words are a noun, with an article or adjective at most."""
    parts = [words.part(token) for token in tokens]
    return parts[-1] == "N" and set(parts) <= {"N", "D", "J"}


def _names(pairs: _Pairs, words: MeaningWords) -> Iterator[Shift]:
    left = [words.proper[pairs.token[side]] & (pairs.partner[side] < 0) for side in (0, 1)]
    counts = [pairs.sums(side, left[side]) for side in (0, 1)]
    for pair in np.flatnonzero(counts[0] + counts[1]).tolist():
        sides = [
            pairs.token[side][pairs.here(side, pair)][left[side][pairs.here(side, pair)]].tolist()
            for side in (0, 1)
        ]
        known = [
            [
                words.form(token)
                for token in tokens[words.proper[tokens] | words.content[tokens]].tolist()
            ]
            for tokens in (pairs.token[side][pairs.here(side, pair)] for side in (1, 0))
        ]
        sides = [
            [token for token in sides[side] if not _is_spelt_alike(words.form(token), known[side])]
            for side in (0, 1)
        ]
        total = max(pairs.start[1][pair + 1] - pairs.start[1][pair], 1)
        exchanged = next(
            (
                (token, other)
                for token in sides[0]
                for other in sides[1]
                if words.entity(token) == words.entity(other)
                and words.entity(token) in ("PERSON", "LOCATION")
                and words.relation(token) == words.relation(other)
                and _same_context(pairs, words, pair, token, other)
            ),
            None,
        )
        if exchanged:
            yield _shift(pairs, pair, "name", 1.0, ([exchanged[0]], [exchanged[1]]))
        for side, kind in ((0, "names extra"), (1, "names missing")):
            if sides[side]:
                named = (sides[0], []) if side == 0 else ([], sides[1])
                yield _shift(pairs, pair, kind, min(len(sides[side]) / total, 1.0), named)


def _is_spelt_alike(name: str, others: list[str]) -> bool:
    """Whether a name may be another spelling, an abbreviation or a derivation of one of the words."""
    if any(_alike(name, other) for other in others):
        return True
    return len(name) > 1 and name in "".join(word[:1] for word in others)


@lru_cache(maxsize=1 << 16)
def _alike(name: str, other: str) -> bool:
    """Whether two words begin alike or share most of their pairs of letters."""
    name, other = _plain(name), _plain(other)
    if name[:3] == other[:3] and min(len(name), len(other)) >= 3:
        return True
    consonants = ["".join(c for c in word if c not in _VOWELS) for word in (name, other)]
    if len(consonants[0]) > 1 and consonants[0] == consonants[1]:
        return True
    pairs = [{word[at : at + 2] for at in range(len(word) - 1)} for word in (name, other)]
    return 2 * len(pairs[0] & pairs[1]) > _SAME_NAME * (len(pairs[0]) + len(pairs[1]))


def _plain(name: str) -> str:
    """Without accents."""
    if name.isascii():
        return name
    return "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))


def _measures(pairs: _Pairs, words: MeaningWords) -> Iterator[Shift]:
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
                yield _shift(pairs, pair, "measure", 1.0, ([at[0]], [at[1]]))
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
                and _same_context(pairs, words, pair, own, there)
            ):
                yield _shift(pairs, pair, "measure", 1.0, ([own], [there]))
                break
    yield from _days(pairs, words)


def _days(pairs: _Pairs, words: MeaningWords) -> Iterator[Shift]:
    """Days of the week that became others: each text has one that the other lacks."""
    days = [pairs.sums(side, words.day[pairs.token[side]]) for side in (0, 1)]
    for pair in np.flatnonzero((days[0] > 0) & (days[1] > 0)).tolist():
        tokens = [pairs.token[side][pairs.here(side, pair)] for side in (0, 1)]
        named = [
            {words.form(token): token for token in here[words.day[here]].tolist()}
            for here in tokens
        ]
        alone = [
            [token for form, token in named[side].items() if form not in named[1 - side]]
            for side in (0, 1)
        ]
        if len(alone[0]) == 1 and len(alone[1]) == 1:
            yield _shift(pairs, pair, "measure", 1.0, (alone[0], alone[1]))


def _unit(words: MeaningWords, token: int, end: int) -> int:
    """Where the unit of the number before a token is, or -1; *degrees* are of something."""
    if token + 1 < end and words.lemma(token) == "degree":
        token += 1
    return token if token < end else -1


def _quantifiers(pairs: _Pairs, words: MeaningWords) -> Iterator[Shift]:
    token = pairs.token[0]
    slots = np.flatnonzero(words.quantifies[token] & (pairs.partner[0] < 0))
    for slot in slots.tolist():
        own, pair = int(token[slot]), int(pairs.pair[0][slot])
        noun = pairs.partner_of(0, pair, int(words.head[own]))
        if noun < 0 or _denied_before(words, own):
            continue
        tokens = pairs.token[1][pairs.here(1, pair)]
        others = tokens[(words.head[tokens] == noun) & words.quantifies[tokens]].tolist()
        for other in others:
            kinds = frozenset(_QUANTIFIERS[words.form(one)] for one in (own, other))
            if (
                kinds in _OPPOSED
                and pairs.partner_of(1, pair, other) < 0
                and not _denied_before(words, other)
            ):
                yield _shift(pairs, pair, "quantifier", 1.0, ([own], [other]))
                break


def _exclusions(pairs: _Pairs, words: MeaningWords) -> Iterator[Shift]:
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
                yield _shift(pairs, pair, "quantifier", 1.0, named)
                break


def _genders(pairs: _Pairs, words: MeaningWords) -> Iterator[Shift]:
    counts = {
        (side, kind): pairs.sums(side, words.gender[pairs.token[side]] == kind)
        for side in (0, 1)
        for kind in (1, 2)
    }
    excess = [counts[0, kind] - counts[1, kind] for kind in (1, 2)]
    changed = np.minimum(np.maximum(excess[0], -excess[0]), np.maximum(excess[1], -excess[1]))
    for pair in np.flatnonzero((excess[0] * excess[1] < 0) & (changed > 0)).tolist():
        kind = 1 if excess[0][pair] > 0 else 2
        sides = []
        for side, wanted in ((0, kind), (1, 3 - kind)):
            tokens = pairs.token[side][pairs.here(side, pair)]
            sides.append(tokens[words.gender[tokens] == wanted].tolist()[:1])
        yield _shift(pairs, pair, "gender", float(changed[pair]), (sides[0], sides[1]))


def _runs(pairs: _Pairs, words: MeaningWords) -> Iterator[Shift]:
    """The longest run of content words without a counterpart, of either side."""
    for side, kind in ((1, "omitted"), (0, "added")):
        slots = np.flatnonzero(words.content[pairs.token[side]])
        if not len(slots):
            continue
        pair = pairs.pair[side][slots]
        lonely = ((pairs.partner[side] < 0) & ~_said_in_digits(pairs, words, side))[slots]
        # A run ends with an aligned word or with the text.
        begins = lonely & ~(np.r_[False, lonely[:-1]] & np.r_[False, pair[1:] == pair[:-1]])
        run = np.cumsum(begins)[lonely]
        if not len(run):
            continue
        lengths = np.bincount(run)
        firsts = np.flatnonzero(begins)
        of_pair = pair[firsts]
        longest = np.zeros(len(pairs.first[side]), dtype=np.int64)
        np.maximum.at(longest, of_pair, lengths[1:])
        content = np.bincount(pair, minlength=len(longest))
        shown: dict[int, int] = {}
        for number in np.flatnonzero(lengths[1:] > _USUAL_RUN).tolist():
            where = int(of_pair[number])
            if lengths[1 + number] == longest[where]:
                shown.setdefault(where, number)
        for where, number in shown.items():
            first = int(firsts[number])
            tokens = pairs.token[side][slots[first : first + longest[where]]].tolist()
            amount = float((longest[where] - _USUAL_RUN) / max(content[where], 1))
            yield _shift(pairs, where, kind, amount, ([], tokens) if side else (tokens, []))


def _said_in_digits(pairs: _Pairs, words: MeaningWords, side: int) -> BoolArray:
    """Number words without a counterpart whose number the other text has in digits: *two hundred*, 200."""
    numbers = [words.counts[pairs.token[at]] & (pairs.partner[at] < 0) for at in (0, 1)]
    said = np.zeros(len(numbers[side]), dtype=np.bool_)
    counts = [pairs.sums(at, numbers[at]) for at in (0, 1)]
    for pair in np.flatnonzero((counts[side] > 0) & (counts[1 - side] > 0)).tolist():
        here = pairs.here(side, pair)
        own, other = (
            " ".join(map(words.form, pairs.token[at][pairs.here(at, pair)].tolist()))
            for at in (side, 1 - side)
        )
        values = {value for number in numbers_in(other) for value in number.values}
        if not values.isdisjoint(english_numbers(own)):
            said[here] = numbers[side][here]
    return said
