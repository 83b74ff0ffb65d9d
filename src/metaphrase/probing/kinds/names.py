"""A name becomes another one of the same collection."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from metaphrase.analysis.sentence import Sentence
from metaphrase.probing.kinds.kind import Change, ErrorMaker, Found, Stock, fitting
from metaphrase.probing.kinds.words import column, spelt


def names_in(sentence: Sentence) -> Iterator[tuple[range, Found]]:
    """Runs of proper nouns, with what sort of name each is.

    Where the analyser knows entities, the sort is theirs. Elsewhere a name that follows a preposition is more
    often a place than one that does not. Names of one sort have as many words.
    """
    upos, forms = column(sentence, "upos"), list(sentence.form)
    entity = None if sentence.entity is None else list(sentence.entity)
    place = 0
    while place < len(upos):
        first = place
        while place < len(upos) and upos[place] == "PROPN":
            place += 1
        if place == first:
            place += 1
            continue
        words = range(first, place)
        if not all(_is_name(forms[word]) for word in words) or _is_part(sentence, words):
            continue
        if entity is None:
            sort = "after a preposition" if first and upos[first - 1] == "ADP" else ""
        else:
            types = {_type(entity[word]) for word in words}
            if len(types) > 1 or "" in types:
                continue
            (sort,) = types
        key = f"{sort} {len(words)}"
        yield words, Found(spelt(sentence, words), tuple(forms[w].lower() for w in words), key)


def changes(sentence: Sentence, stock: Stock, random: Random) -> Sequence[Change]:
    """For each name one of its sort that has no word in common with the sentence."""
    there = {form.lower() for form in sentence.form}
    found = []
    for words, name in names_in(sentence):
        other = fitting(stock.names.get(name.sort, ()), there, random)
        if other is not None:
            start, end = sentence.start[words[0]], sentence.end[words[-1]]
            found.append(Change(((start, end, other.text),)))
    return found


def _is_name(form: str) -> bool:
    return form.isalpha() and len(form) > 1 and (form[0].isupper() or not form[0].islower())


def _is_part(sentence: Sentence, words: range) -> bool:
    """Whether a run belongs to something longer: *European Central Bank*, *EU-Gipfel*, *l'Unicum*."""
    text, first = sentence.text, words[0]
    adjective = first > 1 and column(sentence, "upos")[first - 1] == "ADJ"
    return (
        (adjective and sentence.form[first - 1].istitle())
        or text[: sentence.start[first]].endswith(("-", "'", "’"))
        or text[sentence.end[words[-1]] :].startswith("-")
    )


def _type(label: str) -> str:
    """The type of an entity, without the mark of where it begins."""
    return "" if label in ("", "O") else label.partition("-")[2] or label


NAMES = ErrorMaker(
    name="names",
    severity="critical",
    description="a name becomes another name of the same sort and length",
    changes=changes,
    columns=("upos",),
    optional=("entity",),
)
