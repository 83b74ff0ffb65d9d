"""English stems, by Porter's first stemmer or by his second, Snowball's "English".

The first is what papers before 2002 and many after it mean by "Porter stem":

M. F. Porter: An algorithm for suffix stripping. Program 14(3), 1980. Where the program that Porter
distributes departs from the paper it is the program that counts, as it is what people ran: words of one or
two letters are their own stems, *-bli* becomes *-ble* (not only *-abli*), *-logi* becomes *-log*.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from metaphrase._core.alignment import stems as porter2_stems

_Rules = tuple[tuple[str, str], ...]

#: Of two endings that fit, the longer one stands first.
_STEP_2: _Rules = (
    ("ational", "ate"), ("ization", "ize"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"),
    ("tional", "tion"), ("biliti", "ble"),
    ("entli", "ent"), ("ousli", "ous"), ("ation", "ate"), ("alism", "al"), ("aliti", "al"), ("iviti", "ive"),
    ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("alli", "al"), ("ator", "ate"), ("logi", "log"),
    ("bli", "ble"), ("eli", "e"),
)  # fmt: skip
_STEP_3: _Rules = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ness", ""),
    ("ful", ""),
)  # fmt: skip
_STEP_4: _Rules = tuple(
    (ending, "")
    for ending in (
        "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ion", "ism", "ate", "iti", "ous",
        "ive", "ize", "al", "er", "ic", "ou",
    )
)  # fmt: skip


def porter_stems(words: Sequence[str]) -> list[str]:
    """The stem of each word; words are in lower case.

    >>> porter_stems(["generalizations", "oscillators", "is"])
    ['gener', 'oscil', 'is']
    """
    stems = {word: _stem(word) for word in set(words)}
    return [stems[word] for word in words]


def _stem(word: str) -> str:
    if len(word) <= 2:
        return word
    word = _without_past(_without_plural(word))
    if word.endswith("y") and "v" in _kinds(word[:-1]):  # step 1c
        word = word[:-1] + "i"
    word = _replaced(word, _STEP_2, 1)
    word = _replaced(word, _STEP_3, 1)
    word = _replaced(word, _STEP_4, 2)
    return _without_final_e(word)


def _kinds(stem: str) -> str:
    """A "v" for each vowel and a "c" for each consonant; y is a vowel after a consonant."""
    kinds = ""
    for letter in stem:
        vowel = letter in "aeiou" or (letter == "y" and kinds.endswith("c"))
        kinds += "v" if vowel else "c"
    return kinds


def _measure(stem: str) -> int:
    """The paper's m, how often a consonant follows a vowel."""
    return _kinds(stem).count("vc")


def _ends_short(stem: str) -> bool:
    """The paper's *o: consonant, vowel, consonant, and the last is not w, x or y."""
    return _kinds(stem).endswith("cvc") and stem[-1] not in "wxy"


def _without_plural(word: str) -> str:
    """Step 1a."""
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _without_past(word: str) -> str:
    """Step 1b."""
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    ending = "ed" if word.endswith("ed") else "ing" if word.endswith("ing") else ""
    stem = word.removesuffix(ending)
    if not ending or "v" not in _kinds(stem):
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if stem[-2:-1] == stem[-1] and _kinds(stem).endswith("cc"):
        return stem if stem[-1] in "lsz" else stem[:-1]
    return stem + "e" if _measure(stem) == 1 and _ends_short(stem) else stem


def _replaced(word: str, rules: _Rules, least: int) -> str:
    """Steps 2 to 4: the longest ending that fits decides, if m of what is before it is at least ``least``."""
    for ending, new in rules:
        if word.endswith(ending):
            stem = word.removesuffix(ending)
            fits = _measure(stem) >= least and (ending != "ion" or stem.endswith(("s", "t")))
            return stem + new if fits else word
    return word


def _without_final_e(word: str) -> str:
    """Step 5."""
    if word.endswith("e"):
        stem = word[:-1]
        measure = _measure(stem)
        if measure > 1 or (measure == 1 and not _ends_short(stem)):
            word = stem
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word


#: What gives the stems of a list of words in lower case.
ENGLISH_STEMMERS: Mapping[str, Callable[[list[str]], list[str]]] = MappingProxyType(
    {"porter2": porter2_stems, "porter": porter_stems}
)
DEFAULT_STEMMER = "porter2"
