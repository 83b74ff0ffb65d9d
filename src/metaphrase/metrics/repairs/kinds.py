"""What kind of error an edit undoes, in words that translators and raters use."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence

from metaphrase.analysis.languages.codes import base_language
from metaphrase.metrics.accord.facts import COMPOUNDS, DENIALS, has_digit, number_shifts
from metaphrase.metrics.repairs.script import UNCHANGED, Atom, EditScript
from metaphrase.metrics.repairs.word_forms import common_start, of_two
from metaphrase.metrics.repairs.words import (
    CONTENT,
    FUNCTION,
    NAME,
    NUMBER,
    PUNCTUATION,
    Side,
    Word,
    is_unspaced,
    same_but_for_marks,
)

MISSING, EXTRA = "missing words", "extra words"
#: All kinds, with what MQM calls them.
KINDS = {
    MISSING: "accuracy/omission",
    EXTRA: "accuracy/addition",
    "wrong word": "accuracy/mistranslation",
    "wrong name": "accuracy/mistranslation",
    "wrong number": "accuracy/mistranslation",
    "negation": "accuracy/mistranslation",
    "untranslated": "accuracy/untranslated",
    "inflection": "fluency/grammar",
    "word order": "fluency/grammar",
    "spelling": "fluency/spelling",
    "punctuation": "fluency/punctuation",
    "casing": "fluency/spelling",
}
#: Edits of more words are no matter of inflection alone.
_FEW = 3
#: Words that deny by themselves beside those that every sentence may have.
_REFUSALS = frozenset("no non nein nej".split())
#: Chinese words that deny, or stop denying, with others.
_PARTICLES = frozenset("有是了的会能要")
_DENIALS = {language: frozenset(words.split()) for language, words in DENIALS.items()}
#: French words that deny beside *ne* alone.
_BESIDE_NE, _NE = frozenset("plus personne rien aucun aucune".split()), frozenset({"ne", "n'"})
#: How many digits there are between separators, and what a letter behind a number makes of it.
_GROUPED = re.compile(r"\d{1,3}(?:[ .,'’]\d{3})+|\d+")
_ORDINAL = re.compile(r"(?<=\d)(st|nd|rd|th)$")
_TIMES = {"k": 10**3, "m": 10**6, "bn": 10**9}
_LETTERS = re.compile(r"[\W_]+")


def kinds(script: EditScript, lang: str, source: str | None = None) -> list[str]:
    """The kind of each edit; ``source`` tells what was left untranslated."""
    language = base_language(lang)
    atoms: list[list[Atom]] = [[] for _ in range(script.edits)]
    for atom in script.atoms:
        if atom.edit != UNCHANGED:
            atoms[atom.edit].append(atom)
    return [_kind(script, own, language, source) for own in atoms]


def _kind(script: EditScript, atoms: Sequence[Atom], language: str, source: str | None) -> str:
    sides = [
        [script.hypothesis.words[slice(*atom.hypothesis)] for atom in atoms],
        [script.reference.words[slice(*atom.reference)] for atom in atoms],
    ]
    hypothesis, reference = (
        [word for words in side for word in words if word.role != PUNCTUATION] for side in sides
    )
    plain = hypothesis, reference
    if not any(plain):
        return "punctuation"
    lower = [[part for word in side for part in _parts(word)] for side in plain]
    if _has_moved(*sides):
        return "word order"
    if lower[0] == lower[1]:
        exact = [[part for word in side for part in _parts(word, str)] for side in plain]
        return "casing" if exact[0] != exact[1] else "punctuation"
    if _is_negation(script, hypothesis, reference, language):
        return "negation"
    if not hypothesis or not reference:
        (words,) = filter(None, plain)
        if len(words) == 1 and words[0].tag == "POS":
            return "inflection"
        return EXTRA if hypothesis else MISSING
    texts = ["".join(side) for side in lower]
    if same_but_for_marks(*texts) or _is_contraction(hypothesis, reference):
        return "spelling"
    if _is_untranslated(hypothesis, reference, script, source):
        return "untranslated"
    if found := _of_numbers_and_names(hypothesis, reference, language):
        return found
    counts = Counter(lower[0]), Counter(lower[1])
    if counts[0] > counts[1]:
        return EXTRA
    if counts[0] < counts[1]:
        return MISSING
    if len(hypothesis) == len(reference) == 1:
        return of_two(hypothesis[0], reference[0], language)
    if max(map(len, plain)) <= _FEW and _lemmas(hypothesis) == _lemmas(reference) != set():
        return "inflection"
    return _missing_beside_function_words(hypothesis, reference) or "wrong word"


def _parts(word: Word, form: Callable[[str], str] = str.lower) -> list[str]:
    """The parts of a hyphenated word."""
    if word.role == NUMBER:
        return [form(word.form)]
    return list(filter(None, _LETTERS.split(form(word.form)))) or [word.form]


def _missing_beside_function_words(hypothesis: Sequence[Word], reference: Sequence[Word]) -> str:
    """Where one side has nothing but articles, prepositions and conjunctions, words are missing or extra."""
    empty = [all(word.tag in _EMPTY for word in side) for side in (hypothesis, reference)]
    content = [
        sum(word.role in (CONTENT, NAME) for word in side) for side in (hypothesis, reference)
    ]
    if empty[0] and content[1] > 1:
        return MISSING
    return EXTRA if empty[1] and content[0] > 1 else ""


#: Parts of speech that stand for nothing by themselves.
_EMPTY = frozenset("DT IN CC TO PDT DET ADP CCONJ SCONJ".split())


def _of_numbers_and_names(
    hypothesis: Sequence[Word], reference: Sequence[Word], language: str
) -> str:
    """The kind if it is a number or a name that differs, and little else does."""
    sides = hypothesis, reference
    for role, kind in ((NUMBER, "wrong number"), (NAME, "wrong name")):
        forms = [{word.form for word in side if word.role == role} for side in sides]
        if not all(forms) or forms[0] == forms[1]:
            continue
        if role == NUMBER:
            return "spelling" if _is_same_number(forms[0], forms[1], language) else kind
        others = [sum(word.role == CONTENT for word in side) for side in sides]
        if any(number <= len(side) for number, side in zip(others, forms, strict=True)):
            return _of_names(forms[0] - forms[1], forms[1] - forms[0], language) or kind
    return ""


def _of_names(hypothesis: set[str], reference: set[str], language: str) -> str:
    """The kind if all are the same names, inflected or spelled otherwise."""
    for own in hypothesis:
        alike = (other for other in reference if _is_same_name(own, other))
        other = next(alike, None)
        if other is None:
            return ""
    if len(hypothesis) != len(reference) or not hypothesis:
        return ""
    same = all(any(same_but_for_marks(own, other) for other in reference) for own in hypothesis)
    return "spelling" if same or language in _UNINFLECTED else "inflection"


#: Languages whose names have one form.
_UNINFLECTED = frozenset("en fr es it pt".split())


def _is_same_name(one: str, other: str) -> bool:
    if same_but_for_marks(one, other):
        return True
    longest = max(len(one), len(other))
    begins = common_start(one.lower(), other.lower())
    ending = begins == min(len(one), len(other)) and longest - begins < _FEW
    return begins >= 4 and (ending or 10 * begins >= 7 * longest)


def _is_same_number(hypothesis: set[str], reference: set[str], language: str) -> bool:
    """Whether both sides say the same number, with other separators, or one of them in words."""
    values = [sorted(map(_value, side)) for side in (hypothesis, reference)]
    if values[0] == values[1] and "" not in values[0]:
        return True
    texts = " ".join(sorted(hypothesis)), " ".join(sorted(reference))
    if has_digit(texts[0]) == has_digit(texts[1]):
        return False
    return not any(number_shifts(0, *texts, language))


def _value(form: str) -> str:
    """A whole number without separators and endings of ordinals, nothing if it is none."""
    number = _ORDINAL.sub("", form.lower()).rstrip("kmbn")
    times = _TIMES.get(form.lower()[len(number) :], 1)
    if not _GROUPED.fullmatch(number):
        return ""
    return str(times * int("".join(filter(str.isdigit, number))))


def _has_moved(hypothesis: Sequence[Sequence[Word]], reference: Sequence[Sequence[Word]]) -> bool:
    """Whether words leave one place and arrive at another, and little else changes."""

    def alone(one: Sequence[Sequence[Word]], other: Sequence[Sequence[Word]]) -> set[str]:
        """The content words for which the other side has nothing in their place."""
        return {
            _base(word)
            for own, there in zip(one, other, strict=True)
            for word in own
            if not there and word.role not in (PUNCTUATION, FUNCTION)
        }

    here, there = alone(hypothesis, reference), alone(reference, hypothesis)
    return 2 * len(here & there) >= max(len(here), len(there), 1)


def _base(word: Word) -> str:
    return (word.lemma or word.form).lower()


def _is_negation(
    script: EditScript, hypothesis: Sequence[Word], reference: Sequence[Word], language: str
) -> bool:
    """Whether one side denies what the other says, and says much the same else."""
    sides = hypothesis, reference
    denying = [
        [word for word in side if _denies(word, whole, language)]
        for side, whole in zip(sides, (script.hypothesis, script.reference), strict=True)
    ]
    if len(denying[0]) == len(denying[1]):
        return False
    if any(word.form.lower() in _REFUSALS for side in sides for word in side) and all(sides):
        others = [len(side) - len(deny) for side, deny in zip(sides, denying, strict=True)]
        if not any(others) or max(map(len, sides)) == 1:
            return False
    content = [
        {_base(word) for word in side if _says_something(word) and word not in deny}
        for side, deny in zip(sides, denying, strict=True)
    ]
    if not all(sides) or _says_more(*sides):
        return not any(content)
    return content[0] == content[1] or not all(content)


def _says_more(one: Sequence[Word], other: Sequence[Word]) -> bool:
    """Whether one side has all words of the other, and more."""
    counts = [Counter(word.form.lower() for word in side) for side in (one, other)]
    return counts[0] < counts[1] or counts[1] < counts[0]


def _says_something(word: Word) -> bool:
    if is_unspaced(word.form):
        return word.form not in _PARTICLES
    return word.role != FUNCTION


def _denies(word: Word, side: Side, language: str) -> bool:
    known = _DENIALS.get(language, frozenset())
    form = word.form.lower()
    if is_unspaced(form):
        around = side.text[max(0, word.start - 1) : word.start + 2]
        return form[0] in known and not any(one in around for one in COMPOUNDS)
    if form not in known:
        return False
    if language == "fr" and form in _BESIDE_NE:
        return any(one.form.lower() in _NE for one in side.words)
    return True


def _lemmas(words: Sequence[Word]) -> set[str]:
    """The lemmas of content words; those of all if there are no others."""
    content = [word for word in words if word.role != FUNCTION] or words
    return {word.lemma.lower() for word in content if word.lemma}


def _is_contraction(hypothesis: Sequence[Word], reference: Sequence[Word]) -> bool:
    """Whether one word is the other one shortened: *'s*, *is*."""
    if not len(hypothesis) == len(reference) == 1:
        return False
    one, other = hypothesis[0], reference[0]
    short = [
        word.form.startswith(("'", "’")) or word.form in ("n't", "ca") for word in (one, other)
    ]
    return any(short) and one.lemma == other.lemma != ""


def _is_untranslated(
    hypothesis: Sequence[Word], reference: Sequence[Word], script: EditScript, source: str | None
) -> bool:
    """Whether words of the source stand in the hypothesis, or letters that the reference does not use."""
    forms = [word.form for word in hypothesis if word.role != NUMBER and word.form[0].isalpha()]
    if not forms:
        return False
    read = {word.form for word in script.reference.words if word.role not in (PUNCTUATION, NUMBER)}
    if read and {*map(_script_of, forms)}.isdisjoint(map(_script_of, read)):
        return True
    # A name is a name in both.
    if source is None or NAME in {word.role for word in reference}:
        return False
    known = {form.lower() for form in _LETTERS.split(source)}
    return all(form.lower() in known and len(form) > _FEW and form not in read for form in forms)


def _script_of(form: str) -> str:
    return unicodedata.name(form[0], "").split(" ")[0]
