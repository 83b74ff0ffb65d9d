"""Which pieces of two texts are one edit.

Words that moved are one, with the comma that they take along; so are an inflected word and the function words
beside it (*has given*, *gave*), the parts of a hyphenated word, and a word that stands for another one on the
other side of words that stay. Two pairs are two edits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from metaphrase.metrics.repairs.script import UNCHANGED, Atom
from metaphrase.metrics.repairs.words import (
    CONTENT,
    FUNCTION,
    NAME,
    NUMBER,
    PUNCTUATION,
    Side,
    is_han,
    is_unspaced,
)

#: What a piece is, if it is not part of a move, whose number it has then: words that are the same, two words
#: that stand for each other, words that no pair has, and punctuation that stands for nothing.
STAYS, PAIR, REST, MARK = "stays", "pair", "rest", "mark"
#: More function words are an edit of their own.
_FEW = 3
#: How far a word may stand from that which it replaces.
_NEAR = 4
#: What ends a clause, beyond which no edit grows.
_ENDS = frozenset(".:;!?。：；！？।؟")
#: Chinese words of one character that are no parts of others: particles, conjunctions, pronouns.
_SINGLE = frozenset(
    "的了着过是在和与及或也都就还又而且并但把被从到向于对为以之其这那他她它我你们不个"
)
#: Tags of words that no hyphenated word goes on with: behind them the hyphen is a dash.
_BEGINNINGS = frozenset("DT PRP PRP$ CC DET PRON CCONJ".split())


#: Tags of words that say how; they are missing, or too many, by themselves.
_ADVERBS = frozenset("RB ADV".split())


@dataclass(slots=True)
class Piece:
    """Words of both sides whose edit may still grow."""

    hypothesis: tuple[int, int]
    reference: tuple[int, int]
    what: str | int
    #: Of a pair: whether it is two words that mean much the same, as a phrase of their neighbours might.
    weak: bool = False


class _Groups:
    """Which edit each piece belongs to."""

    def __init__(self, pieces: int) -> None:
        self.owner = list(range(pieces))

    def join(self, one: int, other: int) -> None:
        into, out = sorted((self.owner[one], self.owner[other]))
        if into != out:
            self.owner[:] = [into if own == out else own for own in self.owner]


def grouped(sides: tuple[Side, Side], pieces: Sequence[Piece]) -> tuple[Atom, ...]:
    """The pieces with the numbers of their edits, in the order in which these begin."""
    groups = _Groups(len(pieces))
    first_of: dict[int, int] = {}
    for number, piece in enumerate(pieces):
        if isinstance(piece.what, int):
            groups.join(number, first_of.setdefault(piece.what, number))
    casing = [piece.what == PAIR and _is_casing(sides, piece) for piece in pieces]
    for one, other in _neighbours(sides, pieces, casing):
        groups.join(one, other)
    # A capital follows from what stands before it: it goes with one neighbour.
    for number in range(len(pieces)):
        if casing[number]:
            beside = [at for at in (number - 1, number + 1) if 0 <= at < len(pieces)]
            edited = [at for at in beside if pieces[at].what != STAYS]
            edited.sort(key=casing.__getitem__)
            if edited:
                groups.join(number, edited[0])
    for joined in (_exchanges(pieces, groups.owner), _rephrased(sides, pieces)):
        for one, other in list(joined):
            groups.join(one, other)
    for one, other in list(_replaced(sides, pieces, groups.owner)):
        groups.join(one, other)
    for one, other in list(_within_words(sides, pieces)):
        groups.join(one, other)
    for one, other in list(_halves(sides, pieces, groups.owner)):
        groups.join(one, other)
    return tuple(_atoms(pieces, groups.owner))


def _atoms(pieces: Sequence[Piece], owner: Sequence[int]) -> Iterator[Atom]:
    numbers: dict[int, int] = {}
    for piece, own in zip(pieces, owner, strict=True):
        edit = UNCHANGED if piece.what == STAYS else numbers.setdefault(own, len(numbers))
        yield Atom(piece.hypothesis, piece.reference, edit)


def _neighbours(
    sides: tuple[Side, Side], pieces: Sequence[Piece], casing: Sequence[bool]
) -> Iterator[tuple[int, int]]:
    """Words that no pair has, each with a pair beside them, and moves with their commas."""
    for number, piece in enumerate(pieces):
        if piece.what not in (REST, MARK):
            continue
        # Articles and auxiliaries come before what they belong to, particles behind it.
        order = (-1, 1) if _tags(sides, piece) == {"RP"} else (1, -1)
        beside = [number + step for step in order if 0 <= number + step < len(pieces)]
        for other in beside:
            if isinstance(pieces[other].what, int) and _takes_along(sides, pieces[other], piece):
                yield number, other
        pairs = [at for at in beside if pieces[at].what == PAIR and not casing[at]]
        phrases = [
            at
            for at in pairs
            if piece.what == REST and _is_phrase(sides, pieces[at], piece, before=at < number)
        ]
        whole = piece.hypothesis[0] < piece.hypothesis[1] and _is_content(sides, piece)
        yield from ((number, at) for at in phrases[: None if whole else 1])


def _is_content(sides: tuple[Side, Side], piece: Piece) -> bool:
    return not _roles(sides, piece).isdisjoint({CONTENT, NAME, NUMBER})


def _is_phrase(sides: tuple[Side, Side], pair: Piece, rest: Piece, *, before: bool) -> bool:
    """Whether two words that stand for each other are one phrase with a neighbour that no pair has.

    The pair is ``before`` it, or behind.
    """
    spans = rest.hypothesis, rest.reference
    roles = _roles(sides, rest)
    if max(end - start for start, end in spans) > _FEW or not _ENDS.isdisjoint(_forms(sides, rest)):
        return False
    for side, (start, end) in zip(sides, spans, strict=True):
        if start < end and side.words[start if before else end - 1].role == PUNCTUATION:
            return False
    if roles <= {FUNCTION, PUNCTUATION}:
        return True
    # A preposition goes with what is replaced, and a word that means the same with the rest of its phrase.
    if all(start < end for start, end in spans):
        return _roles(sides, pair) == {FUNCTION}
    return pair.weak and FUNCTION not in _roles(sides, pair) and not _tags(sides, rest) <= _ADVERBS


def _takes_along(sides: tuple[Side, Side], move: Piece, beside: Piece) -> bool:
    """Whether punctuation stands beside words that moved in the same text, and only there."""
    if _roles(sides, beside) != {PUNCTUATION} or not _ENDS.isdisjoint(_forms(sides, beside)):
        return False
    return all(
        there[0] < there[1] or own[0] == own[1]
        for own, there in (
            (beside.hypothesis, move.hypothesis),
            (beside.reference, move.reference),
        )
    )


def _rephrased(sides: tuple[Side, Side], pieces: Sequence[Piece]) -> Iterator[tuple[int, int]]:
    """Alike words with more before them in one text, behind them in the other: *scored*, *got a score*."""
    for number in range(1, len(pieces) - 1):
        before, pair, behind = pieces[number - 1 : number + 2]
        if pair.what != PAIR or {before.what, behind.what} != {REST}:
            continue
        if _is_one_sided(before) and _is_one_sided(behind) and _kind_of_word(sides, pair) is None:
            own = before.hypothesis[0] < before.hypothesis[1]
            if own != (behind.hypothesis[0] < behind.hypothesis[1]):
                yield number - 1, number
                yield number, number + 1


def _kind_of_word(sides: tuple[Side, Side], piece: Piece) -> str | None:
    """The tag of both words without what says their form; nothing if they differ."""
    tags = {
        word.tag[:2]
        for side, (start, end) in zip(sides, (piece.hypothesis, piece.reference), strict=True)
        for word in side.words[start:end]
    }
    return tags.pop() if len(tags) == 1 else None


def _is_one_sided(piece: Piece) -> bool:
    (i, k), (j, m) = piece.hypothesis, piece.reference
    return (i == k) != (j == m)


def _replaced(
    sides: tuple[Side, Side], pieces: Sequence[Piece], owner: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """One word too many and one missing of the same part of speech, with a few words that stay between."""
    alone = [
        number
        for number, piece in enumerate(pieces)
        if piece.what == REST and owner.count(owner[number]) == 1 and _is_one_word(sides, piece)
    ]
    taken: set[int] = set()
    for one in alone:
        other = next((number for number in alone if number > one and number not in taken), None)
        if other is None or one in taken:
            continue
        between = pieces[one + 1 : other]
        if not all(piece.what == STAYS for piece in between) or len(between) > _NEAR:
            continue
        opposite = (pieces[one].hypothesis[0] < pieces[one].hypothesis[1]) != (
            pieces[other].hypothesis[0] < pieces[other].hypothesis[1]
        )
        tags = [_kind_of_word(sides, pieces[number]) for number in (one, other)]
        if opposite and tags[0] == tags[1] and tags[0]:
            taken |= {one, other}
            yield one, other


def _is_one_word(sides: tuple[Side, Side], piece: Piece) -> bool:
    (i, k), (j, m) = piece.hypothesis, piece.reference
    return k - i + m - j == 1 and _roles(sides, piece) <= {CONTENT, NAME, NUMBER}


def _within_words(sides: tuple[Side, Side], pieces: Sequence[Piece]) -> Iterator[tuple[int, int]]:
    """Pieces of one word, of which the parts that stay become part of the edit."""
    for number in range(1, len(pieces) - 1):
        before, middle, behind = pieces[number - 1 : number + 2]
        edited = before.what in (PAIR, REST) and behind.what in (PAIR, REST)
        if middle.what == STAYS and edited and _is_part(sides, middle):
            middle.what = PAIR
            yield number - 1, number
            yield number, number + 1
    for numbers in (range(1, len(pieces)), range(len(pieces) - 1, 0, -1)):
        for number in numbers:
            left, right = pieces[number - 1 : number + 1]
            whats = {left.what, right.what}
            if (
                whats <= {STAYS, PAIR, REST}
                and whats != {STAYS}
                and _hyphenated(sides, left, right)
            ):
                for piece in (left, right):
                    piece.what = PAIR if piece.what == STAYS else piece.what
                yield number - 1, number


def _halves(
    sides: tuple[Side, Side], pieces: Sequence[Piece], owner: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """A Chinese character for another one, with that before it: most words have two, and begin alike."""
    for number, piece in enumerate(pieces):
        alone = piece.what in (PAIR, REST) and owner.count(owner[number]) == 1
        (i, k), (j, m) = piece.hypothesis, piece.reference
        if not alone or (k - i, m - j) != (1, 1) or not all(map(is_han, _forms(sides, piece))):
            continue
        if len(_forms(sides, piece) - _SINGLE) < 2:
            continue
        for other in (number - 1, number + 1):
            if 0 <= other < len(pieces) and pieces[other].what == STAYS:
                form = sides[0].words[pieces[other].hypothesis[0]].form
                if is_han(form) and form not in _SINGLE:
                    pieces[other].what = PAIR
                    yield number, other
                    break


def _is_part(sides: tuple[Side, Side], piece: Piece) -> bool:
    """Whether it is one character that is hardly a word in a script without spaces."""
    form = sides[0].words[piece.hypothesis[0]].form
    return len(form) == 1 and is_unspaced(form) and form not in _SINGLE


def _hyphenated(sides: tuple[Side, Side], left: Piece, right: Piece) -> bool:
    """Whether a hyphen binds them in one of the texts."""
    for side, one, other in (
        (sides[0], left.hypothesis, right.hypothesis),
        (sides[1], left.reference, right.reference),
    ):
        if (
            one[0] == one[1]
            or other[0] == other[1]
            or max(one[1] - one[0], other[1] - other[0]) > _FEW
        ):
            continue
        at = other[0]
        first = at - 1 if side.words[at - 1].form == "-" else at
        if side.words[first].form != "-" or first == 0 or first + 1 >= len(side.words):
            continue
        begins = side.words[first + 1]
        if not side.gap(first) and not side.gap(first + 1) and begins.tag not in _BEGINNINGS:
            return True
    return False


def _forms(sides: tuple[Side, Side], piece: Piece) -> set[str]:
    spans = zip(sides, (piece.hypothesis, piece.reference), strict=True)
    return {word.form for side, (start, end) in spans for word in side.words[start:end]}


def _roles(sides: tuple[Side, Side], piece: Piece) -> set[str]:
    spans = zip(sides, (piece.hypothesis, piece.reference), strict=True)
    return {word.role for side, (start, end) in spans for word in side.words[start:end]}


def _tags(sides: tuple[Side, Side], piece: Piece) -> set[str]:
    spans = zip(sides, (piece.hypothesis, piece.reference), strict=True)
    return {word.tag for side, (start, end) in spans for word in side.words[start:end]}


def _is_casing(sides: tuple[Side, Side], piece: Piece) -> bool:
    forms = [
        side.phrase(*span).lower()
        for side, span in zip(sides, (piece.hypothesis, piece.reference), strict=True)
    ]
    return forms[0] == forms[1]


def _exchanges(pieces: Sequence[Piece], owner: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Words that took each other's places: where one leaves, the other arrives, and back."""

    def meets(number: int) -> tuple[int, int] | None:
        """Who leaves and who arrives at two neighbours."""
        for left, right in ((number - 1, number), (number, number - 1)):
            leaves, arrives = pieces[left], pieces[right]
            if (
                isinstance(leaves.what, int)
                and isinstance(arrives.what, int)
                and leaves.hypothesis[0] < leaves.hypothesis[1]
                and arrives.reference[0] < arrives.reference[1]
            ):
                return left, right
        return None

    met = [found for number in range(1, len(pieces)) if (found := meets(number))]
    exchanged = {(owner[leaves], owner[arrives]) for leaves, arrives in met}
    for leaves, arrives in met:
        if (owner[arrives], owner[leaves]) in exchanged:
            yield leaves, arrives
