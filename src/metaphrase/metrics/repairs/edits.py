"""From aligned words to edits that a reader would name.

The heaviest pairs in the order of both texts stay where they are; a run of the other pairs is words that
moved. What no pair has between two words that stay is one piece, less the punctuation at its ends, and
numbers and names apart. ``grouping`` says which pieces are one edit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from metaphrase.metrics.repairs.alignment import AlignedTexts
from metaphrase.metrics.repairs.compounds import COMPOUND
from metaphrase.metrics.repairs.gaps import split_gap
from metaphrase.metrics.repairs.grouping import PAIR, STAYS, Piece, grouped
from metaphrase.metrics.repairs.script import EditScript
from metaphrase.metrics.repairs.words import (
    CONTENT,
    FUNCTION,
    NAME,
    NUMBER,
    PUNCTUATION,
    Side,
)

_NEIGHBOURS = 0.3
#: One word that went further than this is another word that happens to be the same.
_FURTHEST = 20


def edit_script(texts: AlignedTexts) -> EditScript:
    """The edits of two texts."""
    sides = texts.hypothesis, texts.reference
    backbone = _backbone(texts)
    moves = _moves(texts, backbone)
    backbone = sorted({*backbone, *_between(sides, backbone, moves)})
    pieces = _pieces(texts, backbone, moves)
    return EditScript(*sides, grouped(sides, pieces))


#: What a pair that stays is worth, by what its word is.
_WEIGHTS = {CONTENT: 1.0, NAME: 1.0, NUMBER: 1.0, FUNCTION: 0.5, PUNCTUATION: 0.3}
#: Relations of words that may have moved: others are too weak to say so.
_SAME = frozenset({"identical", "casing", "lemma", "stem", "contraction", COMPOUND})


#: Relations of other words that mean much the same, alone or with their neighbours.
_WEAK = frozenset({"synonym", "paraphrase", "distributional", "unrelated"})


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
    return [run for run in runs if any(_has_moved(texts, run, pair) for pair in run)]


def _has_moved(texts: AlignedTexts, run: Sequence[tuple[int, int]], pair: tuple[int, int]) -> bool:
    role = texts.reference.words[pair[1]].role
    if texts.relations[pair] not in _SAME or role in (FUNCTION, PUNCTUATION):
        return False
    lengths = len(texts.hypothesis.words), len(texts.reference.words)
    apart = abs(pair[0] * lengths[1] - pair[1] * lengths[0]) / max(lengths)
    return len(run) > 1 or role != CONTENT or apart <= _FURTHEST


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
) -> list[Piece]:
    sides = texts.hypothesis, texts.reference
    move_of = [
        {pair[side]: number for number, run in enumerate(moves) for pair in run} for side in (0, 1)
    ]
    pieces: list[Piece] = []
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
        what = STAYS if same and not spaced else PAIR
        weak = texts.relations.get((i, j)) in _WEAK
        pieces.append(Piece((i, i + 1), (j, j + 1), what, weak))
        at = (i + 1, j + 1)
    return pieces


def _gap_pieces(
    sides: tuple[Side, Side],
    own: tuple[int, int],
    other: tuple[int, int],
    move_of: Sequence[dict[int, int]],
) -> list[Piece]:
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
                pieces.append(Piece(spans[0], spans[1], move))
                at[side] = end
        spans = [(at[0], at[0]), (at[1], at[1])]
        waits = _waits(sides, [[run[:2] for run in of if run[2] is None] for of in runs])
        for side in (0, 1):
            if runs[side] and side != waits:
                start, end, _ = runs[side].pop(0)
                spans[side] = (start, end)
                at[side] = end
        if spans[0][0] < spans[0][1] or spans[1][0] < spans[1][1]:
            pieces += split_gap(sides, spans[0], spans[1])
    return pieces


def _waits(sides: tuple[Side, Side], runs: Sequence[Sequence[tuple[int, int]]]) -> int | None:
    """The side of which the first words stand for others than the first ones of the other, if one does.

    It has fewer runs of words, and its first is more like a later one of the other side: a verb for a verb.
    """
    if not all(runs) or len(runs[0]) == len(runs[1]):
        return None
    few = 0 if len(runs[0]) < len(runs[1]) else 1
    wanted = _parts_of_speech(sides[few], runs[few][0])
    shared = [len(wanted & _parts_of_speech(sides[1 - few], run)) for run in runs[1 - few]]
    return few if shared[0] < max(shared[: 2 + len(shared) - len(runs[few])]) else None


def _parts_of_speech(side: Side, words: tuple[int, int]) -> set[str]:
    """Of the words that say something, without what says their form."""
    return {word.tag[:2] for word in side.words[slice(*words)] if word.role == CONTENT and word.tag}


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
