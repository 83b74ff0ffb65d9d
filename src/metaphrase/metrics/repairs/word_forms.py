"""Whether two words are one word in two forms, one word in two spellings, or two words."""

from __future__ import annotations

from functools import cache

from metaphrase.lexicon.wordnet import WordNet
from metaphrase.metrics.repairs.words import FUNCTION, Word, is_unspaced, same_but_for_marks

_SHORTEST = 4
#: How Penn's tags of words with several forms begin.
_FORMS = ("NN", "VB", "JJ", "RB")
#: What English words end with that are forms or relatives of each other.
_ENDINGS = frozenset(
    """s es ed d ing er or ers ors ion ions tion tions ation ations ition itions ent ant ence ance ences
    ances ency ancy ment ments al als ally ial ly y ies ied ity ive ively ness ful fully less ous ously ic
    ical ically ism ist ists able ible ably ibly ize ise izes ises ized ised izing ising e est ier iest en
    th ship hood age""".split()
) | {""}


def of_two(one: Word, other: Word, language: str) -> str:
    """``inflection``, ``spelling`` or ``wrong word``, for a word that stands for another one."""
    if _is_slip(one, other, language) or same_but_for_marks(one.form, other.form):
        return "spelling"
    if one.lemma and one.lemma.lower() == other.lemma.lower():
        return "inflection"
    forms = one.form.lower(), other.form.lower()
    if min(map(len, forms)) < _SHORTEST or is_unspaced(forms[0]):
        return "wrong word"
    if FUNCTION in (one.role, other.role) and one.tag:
        return "wrong word"
    distance, longest, begins = edit_distance(*forms), max(map(len, forms)), common_start(*forms)
    if language == "en":
        return _of_english((one, other), distance)
    ends = common_start(forms[0][::-1], forms[1][::-1])
    if distance == 1 and (3 * begins < 2 * longest or ends > 1):
        return "spelling"
    related = begins >= _SHORTEST and 5 * begins >= 3 * longest and longest - begins <= _SHORTEST
    return "inflection" if related else "wrong word"


def _of_english(words: tuple[Word, Word], distance: int) -> str:
    """WordNet knows which words there are, and which of them mean the same."""
    forms = [word.form.lower() for word in words]
    bases = list(map(_bases, forms))
    if not bases[0].isdisjoint(bases[1]):
        return "inflection"
    related = _are_related(*forms)
    if 4 * distance <= max(map(len, forms)) + 2:
        senses = [
            {sense for base in side for sense in WordNet.default().synsets(base)} for side in bases
        ]
        if not senses[0].isdisjoint(senses[1]) or not (bases[0] or related):
            return "spelling"
    return "inflection" if related else "wrong word"


@cache
def _bases(form: str) -> frozenset[str]:
    """The English words of which it may be a form; none if it is no word."""
    return frozenset(base for part in "nvar" for base in WordNet.default().morphy(form, part))


def _are_related(one: str, other: str) -> bool:
    """Whether they have a stem in common, less than three letters of which may change."""
    begins = common_start(one, other)
    return any(
        {one[stem:], other[stem:]} <= _ENDINGS
        for stem in range(max(_SHORTEST, begins - 2), begins + 1)
    )


def _is_slip(one: Word, other: Word, language: str) -> bool:
    """Whether two forms of one lemma should be the same: Penn's tags say which form a word is."""
    if language == "en" and _bases(one.form.lower()):
        return False
    same = one.lemma == other.lemma != "" and one.tag == other.tag
    return same and one.tag[:2] in _FORMS and one.role != FUNCTION


def common_start(one: str, other: str) -> int:
    """How many characters two words begin with alike."""
    shortest = min(len(one), len(other))
    return next((at for at in range(shortest) if one[at] != other[at]), shortest)


def edit_distance(one: str, other: str) -> int:
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
