"""From aligned words to edits that a reader would name.

The heaviest pairs in the order of both texts stay where they are; a run of the other pairs is words that
moved. What no pair has between two words that stay is one edit, together with a neighbour that was inflected
or replaced: *has given*, *gave*. Pairs of neighbours stay apart, and so do numbers and names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from metaphrase.metrics.repairs.alignment import AlignedTexts
from metaphrase.metrics.repairs.script import UNCHANGED, Atom, EditScript
from metaphrase.metrics.repairs.words import (
    CONTENT,
    FUNCTION,
    NAME,
    NUMBER,
    PUNCTUATION,
    Side,
)

_NEIGHBOURS = 0.3
#: Words that no pair has are an edit of their own if there are more of them than these.
_FEW = 3
#: What ends a clause, beyond which no edit grows.
_ENDS = frozenset(".:;!?。：；！？।؟")


@dataclass(slots=True)
class _Piece:
    """An atom whose edit may still grow."""

    hypothesis: tuple[int, int]
    reference: tuple[int, int]
    #: ``stays``, ``pair``, ``rest`` or the number of a move.
    what: str | int


def edit_script(texts: AlignedTexts) -> EditScript:
    """The edits of two texts."""
    sides = texts.hypothesis, texts.reference
    backbone = _backbone(texts)
    moves = _moves(texts, backbone)
    backbone = sorted({*backbone, *_between(sides, backbone, moves)})
    pieces = _pieces(texts, backbone, moves)
    return EditScript(*sides, _numbered(sides, pieces))


#: What a pair that stays is worth, by what its word is.
_WEIGHTS = {CONTENT: 1.0, NAME: 1.0, NUMBER: 1.0, FUNCTION: 0.5, PUNCTUATION: 0.3}
#: Relations of words that may have moved: others are too weak to say so.
_SAME = frozenset({"identical", "casing", "lemma", "synonym", "stem", "contraction"})


def _weight(texts: AlignedTexts, pair: tuple[int, int]) -> float:
    weight = _WEIGHTS[texts.reference.words[pair[1]].role]
    # Of equal pairs those stay that are least displaced: in *Mary loves John* it is the verb.
    lengths = len(texts.hypothesis.words), len(texts.reference.words)
    apart = abs(pair[0] / lengths[0] - pair[1] / lengths[1])
    return (weight if texts.relations[pair] in _SAME else 0.7 * weight) - 0.05 * apart


def _backbone(texts: AlignedTexts) -> list[tuple[int, int]]:
    """The heaviest chain of pairs that stand in the order of both texts."""
    pairs = sorted(texts.relations)
    best: list[float] = []
    before: list[int] = []
    for number, (i, j) in enumerate(pairs):
        reached, back = 0.0, -1
        for other in range(number):
            if pairs[other][1] < j:
                value = best[other]
                if pairs[other] == (i - 1, j - 1):
                    value += _NEIGHBOURS
                if value > reached:
                    reached, back = value, other
        best.append(reached + _weight(texts, (i, j)))
        before.append(back)
    chain = []
    at = max(range(len(pairs)), key=best.__getitem__, default=-1)
    while at >= 0:
        chain.append(pairs[at])
        at = before[at]
    return chain[::-1]


def _moves(texts: AlignedTexts, backbone: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Runs of pairs that stand elsewhere; a comma or an article alone has not moved."""
    left = sorted(set(texts.relations) - set(backbone))
    runs: list[list[tuple[int, int]]] = []
    for pair in left:
        if runs and pair == (runs[-1][-1][0] + 1, runs[-1][-1][1] + 1):
            runs[-1].append(pair)
        else:
            runs.append([pair])
    return [
        run
        for run in runs
        if any(
            texts.relations[pair] in _SAME
            and texts.reference.words[pair[1]].role not in (FUNCTION, PUNCTUATION)
            for pair in run
        )
    ]


def _between(
    sides: tuple[Side, Side],
    backbone: Sequence[tuple[int, int]],
    moves: Sequence[Sequence[tuple[int, int]]],
) -> Iterable[tuple[int, int]]:
    """Equal words between two that stay, whatever they were paired with elsewhere."""
    moved = [{pair[side] for run in moves for pair in run} for side in (0, 1)]
    ends = [(-1, -1), *backbone, tuple(len(side.words) for side in sides)]
    for (i, j), (k, m) in pairwise(ends):
        own = [at for at in range(i + 1, k) if at not in moved[0]]
        other = [at for at in range(j + 1, m) if at not in moved[1]]
        if own and other:
            forms = [
                [side.words[at].form for at in words]
                for side, words in zip(sides, (own, other), strict=True)
            ]
            yield from ((own[a], other[b]) for a, b in _common(*forms))


def _common(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """A longest common subsequence, the first of several."""
    longest = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i in reversed(range(len(one))):
        for j in reversed(range(len(other))):
            longest[i][j] = (
                longest[i + 1][j + 1] + 1
                if one[i] == other[j]
                else max(longest[i + 1][j], longest[i][j + 1])
            )
    found, i, j = [], 0, 0
    while i < len(one) and j < len(other):
        if one[i] == other[j]:
            found.append((i, j))
            i, j = i + 1, j + 1
        elif longest[i + 1][j] >= longest[i][j + 1]:
            i += 1
        else:
            j += 1
    return found


def _pieces(
    texts: AlignedTexts,
    backbone: Sequence[tuple[int, int]],
    moves: Sequence[Sequence[tuple[int, int]]],
) -> list[_Piece]:
    sides = texts.hypothesis, texts.reference
    move_of = [
        {pair[side]: number for number, run in enumerate(moves) for pair in run} for side in (0, 1)
    ]
    pieces: list[_Piece] = []
    ends = [*backbone, tuple(len(side.words) for side in sides)]
    at = (0, 0)
    for number, (i, j) in enumerate(ends):
        pieces += _gap_pieces(sides, (at[0], i), (at[1], j), move_of)
        if number == len(backbone):
            break
        same = sides[0].words[i].form == sides[1].words[j].form
        spaced = same and (
            (i, j) == at
            and i > 0
            and j > 0
            and number > 0
            and ends[number - 1] == (i - 1, j - 1)
            and sides[0].gap(i) != sides[1].gap(j)
        )
        pieces.append(_Piece((i, i + 1), (j, j + 1), "stays" if same and not spaced else "pair"))
        at = (i + 1, j + 1)
    return pieces


def _gap_pieces(
    sides: tuple[Side, Side],
    own: tuple[int, int],
    other: tuple[int, int],
    move_of: Sequence[dict[int, int]],
) -> list[_Piece]:
    """What stands between two words that stay, words that moved among the rest."""
    runs = [_runs(range(*span), moved) for span, moved in zip((own, other), move_of, strict=True)]
    pieces = []
    at = [own[0], other[0]]
    while runs[0] or runs[1]:
        for side in (0, 1):
            while runs[side] and runs[side][0][2] is not None:
                start, end, move = runs[side].pop(0)
                spans = [(at[0], at[0]), (at[1], at[1])]
                spans[side] = (start, end)
                assert move is not None
                pieces.append(_Piece(spans[0], spans[1], move))
                at[side] = end
        spans = [(at[0], at[0]), (at[1], at[1])]
        for side in (0, 1):
            if runs[side]:
                start, end, _ = runs[side].pop(0)
                spans[side] = (start, end)
                at[side] = end
        if spans[0][0] < spans[0][1] or spans[1][0] < spans[1][1]:
            pieces += _split(sides, spans[0], spans[1])
    return pieces


def _split(
    sides: tuple[Side, Side], own: tuple[int, int], other: tuple[int, int]
) -> Iterator[_Piece]:
    """The words of both sides, in pairs if their tags are the same, else around a number or name."""
    words = [side.words[slice(*span)] for side, span in zip(sides, (own, other), strict=True)]
    roles = [[word.role for word in side] for side in words]
    tags = [[word.tag for word in side] for side in words]
    if len(words[0]) > 1 and tags[0] == tags[1] and all(tags[0]):
        for place in range(len(words[0])):
            i, j = own[0] + place, other[0] + place
            yield _Piece((i, i + 1), (j, j + 1), "pair")
        return
    for role in (NUMBER, NAME):
        if all(side.count(role) == 1 for side in roles):
            i, j = own[0] + roles[0].index(role), other[0] + roles[1].index(role)
            if own[0] < i or other[0] < j:
                yield from _split(sides, (own[0], i), (other[0], j))
            yield _Piece((i, i + 1), (j, j + 1), "pair")
            if i + 1 < own[1] or j + 1 < other[1]:
                yield from _split(sides, (i + 1, own[1]), (j + 1, other[1]))
            return
    yield _Piece(own, other, "rest")


def _runs(places: Iterable[int], moved: dict[int, int]) -> list[tuple[int, int, int | None]]:
    """Neighbours that belong to one move, or to none."""
    runs: list[tuple[int, int, int | None]] = []
    for place in places:
        move = moved.get(place)
        if runs and runs[-1][2] == move:
            runs[-1] = (runs[-1][0], place + 1, move)
        else:
            runs.append((place, place + 1, move))
    return runs


def _numbered(sides: tuple[Side, Side], pieces: Sequence[_Piece]) -> tuple[Atom, ...]:
    """The pieces with the numbers of their edits, in the order in which these begin."""
    owner = list(range(len(pieces)))

    def join(one: int, other: int) -> None:
        into, out = sorted((owner[one], owner[other]))
        owner[:] = [into if own == out else own for own in owner]

    first_of: dict[int, int] = {}
    for number, piece in enumerate(pieces):
        if isinstance(piece.what, int):
            join(number, first_of.setdefault(piece.what, number))
    casing = [piece.what == "pair" and _is_casing(sides, piece) for piece in pieces]
    for number in range(1, len(pieces)):
        neighbours = pieces[number - 1], pieces[number]
        if not any(casing[number - 1 : number + 1]) and _together(sides, *neighbours):
            join(number - 1, number)
    # A capital follows from what stands before it: it goes with one neighbour.
    for number in range(len(pieces)):
        if casing[number]:
            beside = [at for at in (number - 1, number + 1) if 0 <= at < len(pieces)]
            edited = [at for at in beside if pieces[at].what != "stays"]
            edited.sort(key=casing.__getitem__)
            if edited:
                join(number, edited[0])
    for one, other in _exchanges(pieces, owner):
        join(one, other)
    numbers: dict[int, int] = {}
    atoms = []
    for piece, own in zip(pieces, owner, strict=True):
        edit = UNCHANGED if piece.what == "stays" else numbers.setdefault(own, len(numbers))
        atoms.append(Atom(piece.hypothesis, piece.reference, edit))
    return tuple(atoms)


def _together(sides: tuple[Side, Side], left: _Piece, right: _Piece) -> bool:
    """Whether neighbours are one edit: not two pairs, nor two moves, nor a pair beside many words."""
    whats = {left.what, right.what}
    if "stays" in whats or "rest" not in whats:
        return False
    rest, beside = (left, right) if left.what == "rest" else (right, left)
    words = [end - start for start, end in (rest.hypothesis, rest.reference)]
    if beside.what == "pair":
        return max(words) <= _FEW and _ENDS.isdisjoint(_forms(sides, rest))
    return _roles(sides, rest) == {PUNCTUATION}


def _forms(sides: tuple[Side, Side], piece: _Piece) -> set[str]:
    spans = zip(sides, (piece.hypothesis, piece.reference), strict=True)
    return {word.form for side, (start, end) in spans for word in side.words[start:end]}


def _roles(sides: tuple[Side, Side], piece: _Piece) -> set[str]:
    spans = zip(sides, (piece.hypothesis, piece.reference), strict=True)
    return {word.role for side, (start, end) in spans for word in side.words[start:end]}


def _is_casing(sides: tuple[Side, Side], piece: _Piece) -> bool:
    forms = [
        side.phrase(*span).lower()
        for side, span in zip(sides, (piece.hypothesis, piece.reference), strict=True)
    ]
    return forms[0] == forms[1]


def _exchanges(pieces: Sequence[_Piece], owner: Sequence[int]) -> Iterator[tuple[int, int]]:
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
