"""Agreement: a verb, an adjective or an article in a form that does not fit its noun.

A word gets another form of its own paradigm: another number, or in Czech another gender. Which other form
that is, tables of endings say; whether it is still the same word, the analyser does, which is asked for its
lemma once the form stands in the text. Where a form fits both, nothing is changed: *sie* is she and they.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random

from metaphrase.analysis.sentence import Sentence
from metaphrase.probing.kinds.kind import Change, ErrorMaker, Stock
from metaphrase.probing.kinds.words import children, column, heads, like, replacement


def _both(pairs: str) -> dict[str, str]:
    """``"is/are was/were"`` in both directions."""
    found: dict[str, str] = {}
    for pair in pairs.split():
        one, other = pair.split("/")
        found.setdefault(one, other)
        found.setdefault(other, one)
    return found


#: Singular and plural of the third person, where endings do not tell.
_VERBS: Mapping[str, dict[str, str]] = {
    "en": _both("is/are was/were has/have does/do"),
    "de": _both(
        "ist/sind war/waren hat/haben hatte/hatten wird/werden wurde/wurden würde/würden kann/können "
        "konnte/konnten könnte/könnten soll/sollen sollte/sollten muss/müssen musste/mussten will/wollen "
        "wollte/wollten darf/dürfen durfte/durften sei/seien wäre/wären hätte/hätten"
    ),
    "fr": _both(
        "est/sont a/ont était/étaient avait/avaient sera/seront aura/auront serait/seraient aurait/auraient "
        "fut/furent peut/peuvent doit/doivent va/vont fait/font veut/veulent"
    ),
    "es": _both(
        "es/son está/están ha/han había/habían fue/fueron era/eran será/serán estaba/estaban tiene/tienen "
        "puede/pueden debe/deben va/van hizo/hicieron dijo/dijeron tuvo/tuvieron"
    ),
    "cs": _both(
        "je/jsou není/nejsou bude/budou nebude/nebudou má/mají nemá/nemají může/mohou nemůže/nemohou"
    ),
}
_ARTICLES: Mapping[str, dict[str, str]] = {
    "en": _both("this/these that/those"),
    # "la" has its plural, and the plural the other gender, which does not fit either.
    "fr": _both("le/les un/des ce/ces son/ses la/les une/des cette/ces sa/ses"),
    "es": _both("el/los la/las un/unos una/unas este/estos esta/estas ese/esos esa/esas su/sus"),
}
_DEFINITE_GERMAN = frozenset("der die das den dem des diese dieser dieses diesen diesem".split())
#: Subjects that do not say which number the verb has.
_UNCLEAR = {
    "en": frozenset("you who which that there what".split()),
    "de": frozenset("sie es das dies wer was die der alles".split()),
    "fr": frozenset("ce c' c’ qui que ça cela".split()),
    "es": frozenset("que quien lo esto eso".split()),
    "cs": frozenset("kdo co to který která které kteří".split()),
}
_SUBJECTS = frozenset({"NOUN", "PROPN", "PRON"})


def changes(sentence: Sentence, stock: Stock, random: Random) -> Sequence[Change]:
    """All forms that break an agreement, one word at a time."""
    found = []
    for word, form in enumerate(sentence.form):
        if not form.isalpha() or not (form.islower() or form.istitle()):
            continue
        for new in _forms(sentence, word, stock.language):
            if new != form.lower():
                found.append(replacement(sentence, word, like(form, new)))
    return found


def _forms(sentence: Sentence, word: int, language: str) -> Iterator[str]:
    upos = column(sentence, "upos")[word]
    if upos in ("AUX", "VERB") and _has_clear_subject(sentence, word, language):
        yield from _OTHER_VERBS[language](sentence, word)
    elif upos == "DET" and language in _ARTICLES:
        yield from _other_article(sentence, word, language)
    elif upos == "ADJ" and language in _OTHER_ADJECTIVES:
        yield from _OTHER_ADJECTIVES[language](sentence, word)


def _has_clear_subject(sentence: Sentence, word: int, language: str) -> bool:
    """Whether a verb, or the one that it helps, has one subject that is singular or plural and not both."""
    relations, upos = column(sentence, "relation"), column(sentence, "upos")
    holder = word
    if relations[word].partition(":")[0] in ("aux", "cop"):
        holder = heads(sentence)[word]
        others = [
            other
            for other in children(sentence, holder)
            if relations[other].partition(":")[0] in ("aux", "cop")
        ]
        # Of several helping verbs it is the finite one that agrees, and that is the first or the last.
        if len(others) > 1:
            return False
    elif any(relations[c].partition(":")[0] in ("aux", "cop") for c in children(sentence, word)):
        return False
    subjects = [
        one for one in children(sentence, holder) if relations[one].partition(":")[0] == "nsubj"
    ]
    if len(subjects) != 1 or upos[subjects[0]] not in _SUBJECTS:
        return False
    joined = any(relations[c].partition(":")[0] == "conj" for c in children(sentence, subjects[0]))
    return not joined and sentence.form[subjects[0]].lower() not in _UNCLEAR[language]


def _english_verb(sentence: Sentence, word: int) -> Iterator[str]:
    form, tag = sentence.form[word].lower(), column(sentence, "tag")[word]
    lemma = column(sentence, "lemma")[word].lower()
    if form in _VERBS["en"] and tag in ("VBZ", "VBP", "VBD"):
        yield _VERBS["en"][form]
    elif tag == "VBZ":
        yield lemma
    elif tag == "VBP" and form == lemma:
        if lemma.endswith("y") and lemma[-2:-1] not in "aeiou":
            yield f"{lemma[:-1]}ies"
        else:
            yield lemma + ("es" if lemma.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


def _german_verb(sentence: Sentence, word: int) -> Iterator[str]:
    form, lemma = sentence.form[word].lower(), column(sentence, "lemma")[word].lower()
    if not column(sentence, "tag")[word].endswith("FIN"):
        return
    if form in _VERBS["de"]:
        yield _VERBS["de"][form]
    elif form.endswith("te"):
        yield f"{form}n"
    elif form.endswith("ten") and form != lemma:
        yield form[:-1]
    elif form == lemma and form.endswith("en"):
        yield f"{form[:-2]}t"
    elif (
        form.endswith("t")
        and lemma.endswith("en")
        and form[:-1].rstrip("e") == lemma[:-2].rstrip("e")
    ):
        yield lemma


def _french_verb(sentence: Sentence, word: int) -> Iterator[str]:
    form = sentence.form[word].lower()
    if form in _VERBS["fr"]:
        yield _VERBS["fr"][form]
    elif form.endswith("aient"):
        yield f"{form[:-3]}t"
    elif form.endswith("ait"):
        yield f"{form[:-1]}ent"


def _spanish_verb(sentence: Sentence, word: int) -> Iterator[str]:
    form = sentence.form[word].lower()
    if form in _VERBS["es"]:
        yield _VERBS["es"][form]
    elif form.endswith(("aba", "ía")):
        yield f"{form}n"
    elif form.endswith(("aban", "ían")):
        yield form[:-1]
    elif form.endswith("ó") and column(sentence, "lemma")[word].endswith("ar"):
        yield f"{form[:-1]}aron"
    elif form.endswith("aron"):
        yield f"{form[:-4]}ó"


def _czech_verb(sentence: Sentence, word: int) -> Iterator[str]:
    form, tag = sentence.form[word].lower(), column(sentence, "tag")[word]
    if form in _VERBS["cs"]:
        yield _VERBS["cs"][form]
    elif tag == "Vp":
        for ending, other in (("la", "l"), ("lo", "l"), ("li", "la"), ("ly", "l"), ("l", "la")):
            # "šel", but "šla": a vowel that comes and goes
            if form.endswith(ending) and not form.endswith("el"):
                yield form.removesuffix(ending) + other
                return


def _noun_of(sentence: Sentence, word: int) -> int | None:
    """The noun that an article or an adjective stands beside and belongs to."""
    head = heads(sentence)[word]
    if head < 0 or column(sentence, "upos")[head] != "NOUN" or abs(head - word) > 3:
        return None
    return head


def _other_article(sentence: Sentence, word: int, language: str) -> Iterator[str]:
    form, noun = sentence.form[word].lower(), _noun_of(sentence, word)
    if noun is None or noun < word or form not in _ARTICLES[language]:
        return
    if language == "en" or _shows_number(sentence, noun):
        yield _ARTICLES[language][form]


def _shows_number(sentence: Sentence, noun: int) -> bool:
    """Whether a French or Spanish noun is not the same in both numbers: *le temps*, *la crisis*."""
    is_word = sentence.form[noun].islower()  # acronyms do not show it either
    return is_word and not column(sentence, "lemma")[noun].endswith(("s", "x", "z"))


def _german_adjective(sentence: Sentence, word: int) -> Iterator[str]:
    """After a definite article there are two endings, and whichever stands there is the right one."""
    form, tags = sentence.form[word].lower(), column(sentence, "tag")
    if word == 0 or tags[word] != "ADJA" or sentence.form[word - 1].lower() not in _DEFINITE_GERMAN:
        return
    if tags[word - 1] not in ("ART", "PDAT"):
        return
    if form.endswith("en"):
        yield form[:-1]
    elif form.endswith("e"):
        yield f"{form}n"


def _romance_adjective(sentence: Sentence, word: int) -> Iterator[str]:
    form, lemma = sentence.form[word].lower(), column(sentence, "lemma")[word].lower()
    noun = _noun_of(sentence, word)
    if noun is None or lemma.endswith(("s", "x", "z")) or not _shows_number(sentence, noun):
        return
    if form.endswith("s"):
        yield form[:-1]
    elif form[-1] in "aeioué":
        yield f"{form}s"


def _czech_adjective(sentence: Sentence, word: int) -> Iterator[str]:
    form, noun = sentence.form[word].lower(), _noun_of(sentence, word)
    if noun is None or noun < word or column(sentence, "tag")[word] != "AA":
        return
    for ending, other in (("ý", "á"), ("á", "ý"), ("ého", "á"), ("ému", "á"), ("ých", "ý")):
        if form.endswith(ending):
            yield form.removesuffix(ending) + other
            return


_OTHER_VERBS: Mapping[str, Callable[[Sentence, int], Iterator[str]]] = {
    "en": _english_verb,
    "de": _german_verb,
    "fr": _french_verb,
    "es": _spanish_verb,
    "cs": _czech_verb,
}
_OTHER_ADJECTIVES: Mapping[str, Callable[[Sentence, int], Iterator[str]]] = {
    "de": _german_adjective,
    "fr": _romance_adjective,
    "es": _romance_adjective,
    "cs": _czech_adjective,
}
AGREEMENT = ErrorMaker(
    name="agreement",
    severity="minor",
    description="a verb, an article or an adjective no longer fits its noun",
    changes=changes,
    columns=("lemma", "tag", "upos", "head", "relation"),
    languages=tuple(_OTHER_VERBS),
)
