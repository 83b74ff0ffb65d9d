"""The penalties of ``accord`` in words, for its explanations."""

from __future__ import annotations

import re

_SINGLE = {
    "chrf": "chrF",
    "lcs p": "extra characters beside the longest common sequence",
    "lcs r": "missing characters of the longest common sequence",
    "edit missing": "words to insert (TER)",
    "edit extra": "words to delete (TER)",
    "edit shift": "words to shift (TER)",
    "extra words": "extra words, counted",
    "case": "capital letters",
    "short": "fewer words than the reference",
    "long": "more words than the reference",
    "ap": "extra words, not aligned",
    "ar": "missing words, not aligned",
    "cp": "extra words, not aligned or in another context",
    "cr": "missing words, not aligned or in another context",
    "unlike": "aligned words that are not the same",
    "context": "aligned words in another context",
    "content extra": "extra content words",
    "content missing": "missing content words",
    "function extra": "extra function words",
    "function missing": "missing function words",
    "breaks": "neighbours that are not aligned with neighbours",
    "repeated": "phrases said again",
    "stutter": "words said twice in a row",
    "scrambled": "scrambled order",
    "cut": "much shorter than the reference",
    "overlong": "much longer than the reference",
    "unrelated": "hardly anything in common",
    "odd joints": "words that do not follow each other",
    "odd share": "words that do not follow each other, their share",
    "oddest": "the word that follows least",
    "less fluent": "less fluent than the reference",
    "x text": "texts as wholes, in context",
}
_NGRAMS = {"c": "character", "w": "word", "b": "lemma", "t": "tag"}
_SIDES = {"p": "extra", "r": "missing"}
_SOURCES = {"s": "by spelling", "v": "by word vectors"}
_MATCHES = {
    "p": "extra words",
    "r": "missing words",
    "p³": "extra or loosely related words",
    "r³": "missing or loosely related words",
    "p near": "extra or moved words",
    "r near": "missing or moved words",
    "sum": "all words together",
    "worst p": "the word that fits least",
    "worst r": "the word that is missed most",
    "follows": "neighbours torn apart",
    "rises": "words in another order",
    "lost p": "rare extra words, counted",
    "lost r": "rare missing words, counted",
    "all p": "extra words, all alike",
    "all r": "missing words, all alike",
    "all lost p": "extra words, all alike, counted",
    "all lost r": "missing words, all alike, counted",
    "moved": "aligned words",
    "moved sum": "aligned words, counted",
}


def described(name: str) -> str:
    """What a penalty is for, in words.

    >>> described("t3p"), described("v worst r")
    ('extra tag 3-grams', 'the word that is missed most, by word vectors')
    """
    if ngram := re.fullmatch(r"([cwbt])([1-6])([pr])", name):
        kind, order, side = ngram.groups()
        size = "s" if order == "1" else f" {order}-grams"
        return f"{_SIDES[side]} {_NGRAMS[kind]}{size}"
    letter, _, match = name.partition(" ")
    if match in _MATCHES and letter[0] in "svx":
        source = _SOURCES.get(letter, f"in context (layer {letter[1:]})")
        return f"{_MATCHES[match]}, {source}"
    return _SINGLE.get(name, name)
