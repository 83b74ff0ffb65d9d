"""What kind of error an edit undoes, in words that translators and raters use."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

from metaphrase.analysis.languages.codes import base_language
from metaphrase.metrics.accord.facts import DENIALS, has_digit, number_shifts
from metaphrase.metrics.repairs.script import EditScript
from metaphrase.metrics.repairs.words import (
    FUNCTION,
    NAME,
    NUMBER,
    PUNCTUATION,
    Word,
    is_unspaced,
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
#: How Penn's tags of words with several forms begin.
_FORMS = ("NN", "VB", "JJ", "RB")
_LETTERS = re.compile(r"[\W_]+")


def kinds(script: EditScript, lang: str, source: str | None = None) -> list[str]:
    """The kind of each edit; ``source`` tells what was left untranslated."""
    language = base_language(lang)
    return [_kind(script, edit, language, source) for edit in range(script.edits)]


def _kind(script: EditScript, edit: int, language: str, source: str | None) -> str:
    atoms = [atom for atom in script.atoms if atom.edit == edit]
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
    lower = [[word.form.lower() for word in side] for side in plain]
    if _has_moved(*sides):
        return "word order"
    if lower[0] == lower[1]:
        exact = [[word.form for word in side] for side in plain]
        return "casing" if exact[0] != exact[1] else "punctuation"
    if denials(hypothesis, language) != denials(reference, language):
        return "negation"
    if not hypothesis or not reference:
        return EXTRA if hypothesis else MISSING
    if "".join(lower[0]) == "".join(lower[1]):
        return "spelling"
    if _is_untranslated(hypothesis, reference, script, source):
        return "untranslated"
    for role, kind in ((NUMBER, "wrong number"), (NAME, "wrong name")):
        forms = [{word.form for word in side if word.role == role} for side in plain]
        if all(forms) and forms[0] != forms[1]:
            same = kind == "wrong number" and _is_same_number(forms[0], forms[1], language)
            return "spelling" if same else kind
    content = [[word.form.lower() for word in side if word.role != FUNCTION] for side in plain]
    if content[0] == content[1] != []:
        return _of_function_words(*map(Counter, lower))
    if len(hypothesis) == len(reference) == 1 and _is_slip(hypothesis[0], reference[0]):
        return "spelling"
    if max(map(len, plain)) <= _FEW and _lemmas(hypothesis) == _lemmas(reference) != set():
        return "inflection"
    if len(hypothesis) == len(reference) == 1:
        return _of_two(hypothesis[0], reference[0])
    return "wrong word"


def _is_same_number(hypothesis: set[str], reference: set[str], language: str) -> bool:
    """Whether one side says in digits what the other says in words."""
    texts = " ".join(sorted(hypothesis)), " ".join(sorted(reference))
    if has_digit(texts[0]) == has_digit(texts[1]):
        return False
    return not any(number_shifts(0, *texts, language))


def _has_moved(hypothesis: Sequence[Sequence[Word]], reference: Sequence[Sequence[Word]]) -> bool:
    """Whether words leave one place and arrive at another."""
    here = {
        _base(word)
        for own, other in zip(hypothesis, reference, strict=True)
        for word in own
        if not other
    }
    there = {
        _base(word)
        for own, other in zip(hypothesis, reference, strict=True)
        for word in other
        if not own
    }
    return not here.isdisjoint(there)


def _base(word: Word) -> str:
    return (word.lemma or word.form).lower()


def denials(words: Sequence[Word], language: str) -> int:
    """How many of the words deny."""
    known = set(DENIALS.get(language, "").split())
    return sum(
        word.form.lower() in known or (is_unspaced(word.form) and word.form[0] in known)
        for word in words
    )


def _lemmas(words: Sequence[Word]) -> set[str]:
    """The lemmas of content words; those of all if there are no others."""
    content = [word for word in words if word.role != FUNCTION] or words
    return {word.lemma.lower() for word in content if word.lemma}


def _is_untranslated(
    hypothesis: Sequence[Word], reference: Sequence[Word], script: EditScript, source: str | None
) -> bool:
    """Whether words of the source stand in the hypothesis, or letters that the reference does not use."""
    forms = [word.form for word in hypothesis if word.role != NUMBER]
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


def _of_function_words(hypothesis: Counter[str], reference: Counter[str]) -> str:
    """Beside equal content words."""
    if hypothesis > reference:
        return EXTRA
    return MISSING if hypothesis < reference else "wrong word"


def _is_slip(one: Word, other: Word) -> bool:
    """Whether two forms of one lemma should be the same: Penn's tags say which form a word is."""
    return one.lemma == other.lemma != "" and one.tag == other.tag and one.tag[:2] in _FORMS


def _of_two(one: Word, other: Word) -> str:
    """Two words of which no analyser says that they have one lemma: a slip, an ending, or another word."""
    forms = _base(one), _base(other)
    longest = max(map(len, forms))
    if min(map(len, forms)) < _FEW + 1 or is_unspaced(forms[0]):
        return "wrong word"
    if 4 * _distance(*forms) > longest + 2:
        return "wrong word"
    begins = next((at for at, (a, b) in enumerate(zip(*forms, strict=False)) if a != b), longest)
    return "spelling" if one.lemma or 3 * begins < 2 * longest else "inflection"


def _distance(one: str, other: str) -> int:
    """Levenshtein's, with neighbours that changed places as one step."""
    rows = [list(range(len(other) + 1))]
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, there in enumerate(other, 1):
            best = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (letter != there))
            if i > 1 and j > 1 and (letter, one[i - 2]) == (other[j - 2], there):
                best = min(best, rows[-2][j - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]
