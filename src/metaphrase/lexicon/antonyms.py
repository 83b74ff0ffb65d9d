"""English words that mean the opposite of each other: WordNet's antonyms, and pairs that it lacks."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from functools import cache

from metaphrase.shipped import shipped_file

#: Prepositions, particles, directions and verbs that WordNet does not oppose; written for this list.
_OURS = """
above below, accept reject, accept refuse, after before, agree disagree, allow forbid, allow ban,
allow prohibit, allow prevent, approve reject, arrive depart, arrive leave, ascend descend,
attack defend, best worst, better worse, confirm deny, connect disconnect, decline rise,
decline increase, decrease rise, down up, drop increase, drop rise, eastern western, enable disable,
enter exit, enter leave, ever never, fall increase, fall rise, fewer more, few many, find lose,
forget remember, forward backward, gain lose, improve worsen, in out, include exclude,
increase reduce, inside outside, into out, later earlier, left right, least most, less more,
love hate, lower raise, minimum maximum, north south, northern southern, off on, over under,
pass fail, permit forbid, permit prohibit, pull push, reduce raise, shrink grow, start stop,
start end, begin end, support oppose, together apart, tomorrow yesterday, strengthen weaken,
succeed fail, underneath above, with without, yes no, mother father, brother sister, son daughter,
man woman, boy girl, husband wife, male female, east west, ahead behind, deny admit, win lose,
save lose, save waste, open close, lock unlock, install uninstall, show hide, expand collapse,
import export, upload download, mute unmute, rose fell, rose dropped, rose declined
"""
#: Verbs that say the same of roles exchanged: who buys from somebody is sold to.
_CONVERSE = frozenset(
    frozenset(pair.split())
    for pair in (
        "buy sell, borrow lend, give receive, give get, teach learn, win lose, precede follow, own belong, "
        "send receive, take give, beat lose, employ work, marry marry, inherit bequeath"
    ).split(", ")
)


class Antonyms:
    """Pairs of lemmas; ``opposite`` ones say the opposite, ``similar`` ones are similar to such a word."""

    name = "antonyms-en"

    def __init__(self, text: str) -> None:
        found: dict[str, dict[str, str]] = {}
        rows = [line.split("\t") for line in text.splitlines()]
        rows += [["opposite", *pair.split()] for pair in _OURS.replace("\n", " ").split(",")]
        for how, one, other in rows:
            for word, opposite in ((one, other), (other, one)):
                if found.setdefault(word, {}).get(opposite) != "opposite":
                    found[word][opposite] = how
        self._found: Mapping[str, Mapping[str, str]] = found
        content = repr(sorted((word, sorted(others.items())) for word, others in found.items()))
        #: A hash of the pairs.
        self.fingerprint = hashlib.blake2b(content.encode(), digest_size=6).hexdigest()

    def of(self, lemma: str) -> Mapping[str, str]:
        """The antonyms of a lemma, with how they are opposed."""
        return self._found.get(lemma, {})

    def __contains__(self, lemma: str) -> bool:
        return lemma in self._found

    @staticmethod
    def is_converse(one: str, other: str) -> bool:
        """Whether two verbs say the same if subject and object change places."""
        return frozenset((one, other)) in _CONVERSE


@cache
def load_antonyms() -> Antonyms:
    """Those that ship."""
    return Antonyms(gzip.decompress(shipped_file("antonyms-en.tsv.gz").read_bytes()).decode())
