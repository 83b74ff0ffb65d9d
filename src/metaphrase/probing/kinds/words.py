"""Words and phrases of an analysed sentence, and texts without them."""

from __future__ import annotations

from collections.abc import Sequence

from metaphrase.analysis.sentence import Sentence
from metaphrase.probing.kinds.kind import Change

#: Words that say something, by universal tags.
CONTENT = frozenset({"NOUN", "VERB", "ADJ", "ADV", "PROPN", "NUM"})
FUNCTION = frozenset({"ADP", "DET"})


def column(sentence: Sentence, name: str) -> Sequence[str]:
    """A column of strings that was asked for."""
    cells = getattr(sentence, name)
    assert cells is not None, name
    return list(cells)


def heads(sentence: Sentence) -> list[int]:
    """The head of each token, counted from 0; -1 is none."""
    assert sentence.head is not None
    return [head - 1 for head in sentence.head]


def children(sentence: Sentence, word: int) -> list[int]:
    """What depends on a token."""
    return [place for place, head in enumerate(heads(sentence)) if head == word]


def subtree(sentence: Sentence, word: int) -> range | None:
    """The tokens below a word and itself, if they stand together."""
    below, todo = {word}, [word]
    of = heads(sentence)
    kids: dict[int, list[int]] = {}
    for place, head in enumerate(of):
        kids.setdefault(head, []).append(place)
    while todo:
        for child in kids.get(todo.pop(), ()):
            if child not in below:
                below.add(child)
                todo.append(child)
    first, last = min(below), max(below)
    return range(first, last + 1) if last - first + 1 == len(below) else None


def spelt(sentence: Sentence, words: range) -> str:
    """The text of some tokens that stand together."""
    return sentence.text[sentence.start[words[0]] : sentence.end[words[-1]]]


def stands_apart(sentence: Sentence, word: int) -> bool:
    """Whether a token is joined to nothing, but for what ends a clause."""
    before = sentence.text[: sentence.start[word]]
    after = sentence.text[sentence.end[word] :]
    return before[-1:] in ("", " ") and after[:1] in ("", " ", ".", ",", ";", ":", "!", "?")


def removal(sentence: Sentence, words: range) -> Change:
    """The change that takes tokens out, and the blank that would be left over with them."""
    text, start, end = sentence.text, sentence.start[words[0]], sentence.end[words[-1]]
    if text[start - 1 : start] == " " and start > 0:
        start -= 1
    elif text[end : end + 1] == " ":
        end += 1
    return Change(((start, end, ""),))


def replacement(sentence: Sentence, word: int, form: str) -> Change:
    """The change that gives a token another form."""
    return Change(((sentence.start[word], sentence.end[word], form),), word=word)


def like(old: str, new: str) -> str:
    """``new`` with a capital if ``old`` has one."""
    return new[:1].upper() + new[1:] if old[:1].isupper() else new


def insertion(sentence: Sentence, word: int, text: str) -> Change:
    """The change that puts words before a token."""
    start = sentence.start[word]
    return Change(((start, start, f"{text} "),))
