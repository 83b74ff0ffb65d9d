"""Order, omission and addition: words in the wrong place, too few and too many of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from metaphrase.analysis.sentence import Sentence
from metaphrase.probing.kinds.kind import Change, ErrorMaker, Found, Stock, fitting, pick
from metaphrase.probing.kinds.negation import DENIALS
from metaphrase.probing.kinds.words import (
    CONTENT,
    FUNCTION,
    column,
    heads,
    removal,
    spelt,
    stands_apart,
    subtree,
)

#: What a preposition or an article can never follow in its own phrase.
_BEHIND = frozenset({"NOUN", "PROPN", "ADJ"})
#: Relations of phrases without which a sentence says less, and is still one.
_PHRASES = frozenset(
    {"obl", "nmod", "obj", "nsubj", "amod", "advmod", "iobj", "appos", "acl", "advcl"}
)
#: Of those, the ones that can be added to many a sentence.
_ADDITIONS = frozenset({"obl", "nmod"})
#: The longest phrase to take out, as a share of the words, and to put in.
_SHARE, _LONGEST = 0.4, 6


def orders(sentence: Sentence, stock: Stock, random: Random) -> Sequence[Change]:
    """Prepositions and articles behind the next word of their phrase: "the house" is "house the"."""
    upos, text = column(sentence, "upos"), sentence.text
    found = []
    for word in range(1, len(upos) - 1):
        if upos[word] not in FUNCTION or upos[word + 1] not in _BEHIND:
            continue
        if not _belongs(sentence, word):
            continue
        gap = text[sentence.end[word] : sentence.start[word + 1]]
        one, other = sentence.form[word], sentence.form[word + 1]
        if stock.spaced and (gap != " " or not stands_apart(sentence, word + 1)):
            continue
        if one.lower() == other.lower():
            continue
        whole = other + gap + one
        found.append(Change(((sentence.start[word], sentence.end[word + 1], whole),)))
    return found


def _belongs(sentence: Sentence, word: int) -> bool:
    """Whether a word stands before the head of its phrase, as far as the analyser can tell."""
    return sentence.head is None or heads(sentence)[word] > word


def omissions(sentence: Sentence, stock: Stock, random: Random) -> Sequence[Change]:
    """Each phrase, or where there is no parse each content word, taken out."""
    upos = column(sentence, "upos")
    places = (
        [range(word, word + 1) for word in range(1, len(upos)) if upos[word] in CONTENT]
        if sentence.head is None
        else [words for words, _ in _phrases(sentence, _PHRASES)]
    )
    most = max(1, int(_SHARE * len(upos)))
    denials = DENIALS.get(stock.language, frozenset())  # without them it would say the opposite
    return [
        removal(sentence, words)
        for words in places
        if words[0] > 0
        and len(words) <= most
        and (not stock.spaced or _is_whole(sentence, words))
        and denials.isdisjoint(sentence.form[word].lower() for word in words)
    ]


def _phrases(sentence: Sentence, relations: frozenset[str]) -> Iterator[tuple[range, str]]:
    """Phrases that stand together, have a content word and no punctuation, and what they are."""
    upos = column(sentence, "upos")
    for word, relation in enumerate(column(sentence, "relation")):
        kind = relation.partition(":")[0]
        if kind not in relations or upos[word] not in CONTENT:
            continue
        words = subtree(sentence, word)
        if words is not None and not any(upos[one] in ("PUNCT", "SYM") for one in words):
            yield words, kind


def _is_whole(sentence: Sentence, words: range) -> bool:
    """Whether nothing is joined to the phrase without a blank but what ends a clause."""
    text = sentence.text
    before, after = text[: sentence.start[words[0]]][-1:], text[sentence.end[words[-1]] :][:1]
    return before == " " and (after in (" ", "") or after in ".,;:!?")


def phrases_in(sentence: Sentence) -> Iterator[Found]:
    """What can be added to others: short phrases with a preposition, or without a parse single words."""
    upos = column(sentence, "upos")
    if sentence.head is None:
        for word, tag in enumerate(upos):
            if tag in ("ADJ", "ADV", "NOUN") and sentence.form[word].isalpha() and word > 0:
                form = sentence.form[word]
                yield Found(form, (form.lower(),), "")
        return
    for words, kind in _phrases(sentence, _ADDITIONS):
        if words[0] == 0 or len(words) > _LONGEST or not _is_whole(sentence, words):
            continue
        if upos[words[0]] != "ADP" or len(words) == 1:
            continue
        told = tuple(sentence.form[word].lower() for word in words if upos[word] in CONTENT)
        if told:
            yield Found(spelt(sentence, words), told, kind)


def additions(sentence: Sentence, stock: Stock, random: Random) -> Sequence[Change]:
    """A phrase of another sentence before what ends this one; without a parse, a word before a noun."""
    upos = column(sentence, "upos")
    last = len(upos)
    while last > 0 and upos[last - 1] == "PUNCT":
        last -= 1
    other = fitting(stock.phrases, {form.lower() for form in sentence.form}, random)
    if last == 0 or other is None:
        return []
    if sentence.head is not None:
        at = sentence.end[last - 1]
        return [Change(((at, at, f" {other.text}"),))]
    nouns = [word for word in range(1, last) if upos[word] == "NOUN"]
    if not nouns:
        return []
    at = sentence.start[pick(nouns, random)]
    return [Change(((at, at, f"{other.text} " if stock.spaced else other.text),))]


ORDER = ErrorMaker(
    name="order",
    severity="minor",
    description="a preposition or an article and the next word change places",
    changes=orders,
    columns=("upos",),
    optional=("head", "relation"),
)
OMISSION = ErrorMaker(
    name="omission",
    severity="critical",
    description="a phrase is left out (without a parser: a word)",
    changes=omissions,
    columns=("upos",),
    optional=("head", "relation"),
)
ADDITION = ErrorMaker(
    name="addition",
    severity="critical",
    description="a phrase of another text is added (without a parser: a word)",
    changes=additions,
    columns=("upos",),
    optional=("head", "relation"),
)
