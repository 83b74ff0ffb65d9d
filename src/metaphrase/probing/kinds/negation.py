"""Negation: a sentence comes to say the opposite, because the word that denies is put in or left out.

Each language has its own way, and only what its way covers is changed: a negation in the wrong place would be
an error of order, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from metaphrase.analysis.sentence import Sentence
from metaphrase.probing.kinds.kind import Change, ErrorMaker, Stock
from metaphrase.probing.kinds.words import (
    children,
    column,
    heads,
    insertion,
    like,
    removal,
    replacement,
)

Changes = Iterator[Change]
#: What denies, by language: where one of these stands near, nothing is put in.
DENIALS = {
    "en": frozenset(
        "not n't never no nobody nothing none neither nor cannot hardly without".split()
    ),
    "de": frozenset("nicht nie niemals niemand nichts weder noch ohne kaum".split()),
    "fr": frozenset("ne n' n’ pas jamais plus rien personne aucun aucune ni sans que".split()),
    "es": frozenset("no nunca jamás nadie nada ningún ninguno ninguna ni sin tampoco".split()),
}
#: "Not only" denies nothing.
_ONLY = frozenset("only just nur bloß seulement uniquement solo sólo solamente".split())
#: What "n't" is joined to where that is no word by itself.
_STUMPS = {"ca": "can", "wo": "will", "sha": "shall"}
_FINITE_FRENCH = frozenset(
    "est sont a ont était étaient avait avaient sera seront aura auront serait seraient aurait auraient fut "
    "furent peut peuvent doit doivent veut veulent va vont".split()
)
_CLITICS = {
    "fr": frozenset("le la les l' l’ lui leur me m' m’ te t' t’ se s' s’ nous vous y en".split()),
    "es": frozenset("me te se lo la los las le les nos os".split()),
}
_VOWELS = frozenset("aeiouyhàâéèêëîïôûœ")
#: Endings of Spanish verbs that are not finite.
_INFINITE_SPANISH = (
    "ar",
    "er",
    "ir",
    "ando",
    "endo",
    "ado",
    "ido",
    "ados",
    "idos",
    "ada",
    "ida",
    "adas",
    "idas",
    "arse",
    "erse",
    "irse",
)
_INDEFINITE_GERMAN = frozenset("ein eine einen einem einer eines".split())
_SOME_GERMAN = frozenset("paar bisschen wenig weniger mal anderer andere anderes".split())
_DENYING_GERMAN = frozenset("kein keinen keinem keines".split())
#: Czech forms of "to be" that deny otherwise than with a prefix, and that help other verbs to their past.
_CZECH_IS = {"je": "není", "není": "je"}
_CZECH_HELPERS = frozenset("jsem jsi jsme jste".split())
#: What is longer than that between a verb and what denies it is not looked through.
_NEAR = 4


def changes(sentence: Sentence, stock: Stock, random: Random) -> Sequence[Change]:
    """All ways to deny what the sentence says, or to say what it denies."""
    return list(_WAYS[stock.language](sentence, stock))


def _lowered(sentence: Sentence) -> list[str]:
    return [form.lower() for form in sentence.form]


def _denied(forms: Sequence[str], word: int, language: str) -> bool:
    """Whether something denies near a word."""
    near = forms[max(0, word - _NEAR) : word + _NEAR + 1]
    return not DENIALS[language].isdisjoint(near)


def _is_only(forms: Sequence[str], word: int) -> bool:
    return word + 1 < len(forms) and forms[word + 1] in _ONLY


def _english(sentence: Sentence, stock: Stock) -> Changes:
    forms, tags, upos = _lowered(sentence), column(sentence, "tag"), column(sentence, "upos")
    lemmas = column(sentence, "lemma")
    for word, form in enumerate(forms):
        if form == "not" and word and not _is_only(forms, word):
            yield removal(sentence, range(word, word + 1))
        elif form in ("n't", "n’t") and word:
            before = sentence.form[word - 1]
            whole = like(before, _STUMPS.get(before.lower(), before.lower()))
            yield Change(((sentence.start[word - 1], sentence.end[word], whole),))
        if _denied(forms, word, "en") or word + 1 >= len(forms) or upos[word + 1] == "PRON":
            continue
        if sentence.text[sentence.start[word] - 1 : sentence.start[word]] != " ":
            continue  # 's and its like
        if upos[word] == "AUX" and tags[word] in ("VBZ", "VBP", "VBD", "MD"):
            at = sentence.end[word]
            yield Change(((at, at, " not"),))
        elif upos[word] == "VERB" and tags[word] in ("VBZ", "VBP", "VBD"):
            if not _has(sentence, word, "nsubj") or _has(sentence, word, "aux"):
                continue
            do = {"VBZ": "does", "VBP": "do", "VBD": "did"}[tags[word]]
            start, end = sentence.start[word], sentence.end[word]
            yield Change(((start, end, f"{do} not {lemmas[word].lower()}"),))


def _german(sentence: Sentence, stock: Stock) -> Changes:
    forms, tags, upos = _lowered(sentence), column(sentence, "tag"), column(sentence, "upos")
    has_denying_article = any(form.startswith("kein") for form in forms)
    for word, form in enumerate(forms):
        if word == 0:
            continue
        if form == "nicht" and not _is_only(forms, word):
            yield removal(sentence, range(word, word + 1))
        elif form in _DENYING_GERMAN and tags[word] == "PIAT":
            yield replacement_of(sentence, word, form[1:])
        if _denied(forms, word, "de") or has_denying_article:
            continue
        if form in _INDEFINITE_GERMAN and tags[word] == "ART":
            if word + 1 < len(forms) and forms[word + 1] not in _SOME_GERMAN:
                yield replacement_of(sentence, word, f"k{form}")
        elif tags[word] in ("VVPP", "VVINF") and _has(sentence, word, "aux"):
            yield insertion(sentence, word, "nicht")
        elif upos[word] == "ADJ" and tags[word] == "ADJD" and _has(sentence, word, "cop"):
            first = word
            while first > 1 and upos[first - 1] == "ADV" and heads(sentence)[first - 1] == word:
                first -= 1
            copula = _has(sentence, word, "cop")
            if any(verb < first for verb in copula):
                yield insertion(sentence, first, "nicht")


def _french(sentence: Sentence, stock: Stock) -> Changes:
    forms, text = _lowered(sentence), sentence.text
    for word, form in enumerate(forms):
        if form in ("ne", "n'", "n’") and word:
            behind = range(word + 1, min(word + 6, len(forms)))
            no = next((place for place in behind if forms[place] == "pas"), None)
            if no is not None and not _is_only(forms, no):
                opening = sentence.start[word], sentence.start[word + 1], ""
                yield Change((opening, *removal(sentence, range(no, no + 1)).pieces))
        if form not in _FINITE_FRENCH or word == 0 or _denied(forms, word, "fr"):
            continue
        if column(sentence, "upos")[word] not in ("AUX", "VERB"):
            continue
        first = word
        while first > 1 and forms[first - 1] in _CLITICS["fr"] and _is_pronoun(sentence, first - 1):
            first -= 1
        joined = text[sentence.end[word] : sentence.end[word] + 1]
        if (
            joined not in (" ", ".", ",")
            or text[sentence.start[first] - 1 : sentence.start[first]] != " "
        ):
            continue
        ne = "n'" if forms[first][0] in _VOWELS else "ne "
        start, end = sentence.start[first], sentence.end[word]
        yield Change(((start, start, ne), (end, end, " pas")))


def _spanish(sentence: Sentence, stock: Stock) -> Changes:
    forms, upos = _lowered(sentence), column(sentence, "upos")
    for word, form in enumerate(forms):
        if word == 0:
            continue
        if form == "no" and not _is_only(forms, word):
            following = next(
                (w for w in range(word + 1, len(forms)) if not _is_pronoun(sentence, w)), None
            )
            if following is not None and upos[following] in ("VERB", "AUX"):
                yield removal(sentence, range(word, word + 1))
        if upos[word] not in ("VERB", "AUX") or _denied(forms, word, "es"):
            continue
        if form.endswith(_INFINITE_SPANISH) or _has(sentence, word, "aux"):
            continue
        first = word
        while first > 1 and forms[first - 1] in _CLITICS["es"] and _is_pronoun(sentence, first - 1):
            first -= 1
        if _comes_first(sentence, word):
            yield insertion(sentence, first, "no")


def _comes_first(sentence: Sentence, word: int) -> bool:
    """Whether a verb is not one that another verb stands before: "ha *sido* elegido"."""
    head = heads(sentence)[word]
    helps = column(sentence, "relation")[word].partition(":")[0] in ("aux", "cop")
    others = children(sentence, head) if helps and head >= 0 else []
    relations = column(sentence, "relation")
    return not any(
        other < word and relations[other].partition(":")[0] in ("aux", "cop") for other in others
    )


def _czech(sentence: Sentence, stock: Stock) -> Changes:
    tags, upos = column(sentence, "tag"), column(sentence, "upos")
    relations = column(sentence, "relation")
    for word, form in enumerate(_lowered(sentence)):
        if tags[word] not in ("VB", "Vp") or upos[word] not in ("VERB", "AUX"):
            continue
        if form in _CZECH_IS:
            yield replacement_of(sentence, word, _CZECH_IS[form])
        elif form.startswith("ne"):
            if form[2:] in stock.verbs:
                yield replacement_of(sentence, word, form[2:])
        elif form not in _CZECH_HELPERS or not relations[word].startswith("aux"):
            yield replacement_of(sentence, word, f"ne{form}")


def replacement_of(sentence: Sentence, word: int, form: str) -> Change:
    """Another word in the place of a token, which need not be the same word."""
    return Change(replacement(sentence, word, like(sentence.form[word], form)).pieces)


def _has(sentence: Sentence, word: int, relation: str) -> list[int]:
    """What depends on a word by a relation, whatever its subtype."""
    relations = column(sentence, "relation")
    return [c for c in children(sentence, word) if relations[c].partition(":")[0] == relation]


def _is_pronoun(sentence: Sentence, word: int) -> bool:
    return column(sentence, "upos")[word] == "PRON"


_WAYS: dict[str, Callable[[Sentence, Stock], Changes]] = {
    "en": _english,
    "de": _german,
    "fr": _french,
    "es": _spanish,
    "cs": _czech,
}
NEGATION = ErrorMaker(
    name="negation",
    severity="critical",
    description="a negation is put in or left out",
    changes=changes,
    columns=("lemma", "tag", "upos", "head", "relation"),
    languages=tuple(_WAYS),
)
