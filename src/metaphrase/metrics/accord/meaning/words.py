"""What words do to a meaning: deny, oppose, count, name, and who does what to whom."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from metaphrase.analysis import Batch
from metaphrase.arrays import BoolArray
from metaphrase.lexicon.antonyms import Antonyms
from metaphrase.matching.word_alignment import is_function_word

_DENIALS = frozenset(
    "not n't n’t never no nobody nothing none neither nowhere without hardly barely scarcely".split()
)
#: What denies without being a word of denial: *fail to*, *unable*.
_IMPLICIT = frozenset(
    "fail refuse deny decline lack avoid prevent forbid prohibit ban stop cease unable impossible "
    "unlikely absence absent instead reject nor except lose miss free doubt exclude impede cannot "
    "rather unless little few rarely rare seldom".split()
)
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
#: Relations of words that head a clause or statement of their own.
_CLAUSES = frozenset("advcl acl acl:relcl conj parataxis appos".split())
QUANTIFIERS = {
    **dict.fromkeys(("all", "every", "each", "both", "entire", "whole"), 1),
    **dict.fromkeys(("some", "several", "certain"), 2),
    **dict.fromkeys(("few", "little"), 3),
    **dict.fromkeys(("many", "most", "much", "numerous"), 4),
}
#: What excludes as *only* does.
_EXCLUDING = frozenset(
    "only just solely merely exclusively exclusive simply alone but except until till sole single mere "
    "purely unique limited restricted confined unless hardly few little rare rarely one than".split()
)
_GENDERS = {
    **dict.fromkeys(("he", "him", "his", "himself"), 1),
    **dict.fromkeys(("she", "her", "hers", "herself"), 2),
}
_PASSIVE, _AGENT = "nsubj:pass", "obl:agent"


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
        strings = {name: _used(batch, name) for name in ("form", "lemma", "tag", "relation")}

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
        self.days_and_months = [
            named & flagged("form", dates.__contains__) for dates in (_WEEKDAYS, _MONTHS)
        ]
        self.clause = flagged("relation", _CLAUSES.__contains__)
        self.counts = flagged("tag", "cd".__eq__)
        self.quantifies = flagged("form", QUANTIFIERS.__contains__)
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
