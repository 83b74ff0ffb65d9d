"""What stands between two words that stay: which of it stands for what, as far as that can be told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metaphrase.metrics.repairs.grouping import MARK, PAIR, REST, Piece
from metaphrase.metrics.repairs.words import (
    CONTENT,
    FUNCTION,
    NAME,
    NUMBER,
    PUNCTUATION,
    Side,
)

#: Tags of articles and conjunctions.
_JOINING = frozenset("DT DET CC CCONJ".split())
#: What stands within words.
_JOINTS = frozenset("-'/")


def split_gap(
    sides: tuple[Side, Side], own: tuple[int, int], other: tuple[int, int]
) -> Iterator[Piece]:
    """Words that no pair has: what each stands for, as far as that can be told."""
    words = [side.words[slice(*span)] for side, span in zip(sides, (own, other), strict=True)]
    roles = [[word.role for word in side] for side in words]
    tags = [[word.tag for word in side] for side in words]
    if len(words[0]) > 1 and tags[0] == tags[1] and all(tags[0]):
        for place in range(len(words[0])):
            i, j = own[0] + place, other[0] + place
            yield Piece((i, i + 1), (j, j + 1), PAIR)
        return
    for role in (NUMBER, NAME):
        runs = [_runs_of(role, side) for side in roles]
        if len(runs[0]) == len(runs[1]) == 1:
            (i, k), (j, m) = (
                (span[0] + start, span[0] + end)
                for span, [(start, end)] in zip((own, other), runs, strict=True)
            )
            if own[0] < i or other[0] < j:
                yield from split_gap(sides, (own[0], i), (other[0], j))
            yield Piece((i, k), (j, m), PAIR)
            if k < own[1] or m < other[1]:
                yield from split_gap(sides, (k, own[1]), (m, other[1]))
            return
    if not all(any(role != PUNCTUATION for role in side) for side in roles):
        yield from _marks_apart(own, other, roles)
        return
    (first, last), (there, end) = own, other
    before = [_is_mark(side, at) for side, at in zip(sides, (first, there), strict=True)]
    if any(before):
        yield Piece(
            (first, first + before[0]), (there, there + before[1]), PAIR if all(before) else MARK
        )
        yield from split_gap(sides, (first + before[0], last), (there + before[1], end))
        return
    behind = [_is_mark(side, at - 1) for side, at in zip(sides, (last, end), strict=True)]
    if any(behind):
        yield from split_gap(sides, (first, last - behind[0]), (there, end - behind[1]))
        yield Piece((last - behind[0], last), (end - behind[1], end), PAIR if all(behind) else MARK)
        return
    yield from _function_words_apart(own, other, roles, tags)


def _runs_of(role: str, roles: Sequence[str]) -> list[tuple[int, int]]:
    """Where neighbours have this role."""
    runs: list[tuple[int, int]] = []
    for at, found in enumerate(roles):
        if found == role and runs and runs[-1][1] == at:
            runs[-1] = (runs[-1][0], at + 1)
        elif found == role:
            runs.append((at, at + 1))
    return runs


def _marks_apart(
    own: tuple[int, int], other: tuple[int, int], roles: Sequence[Sequence[str]]
) -> Iterator[Piece]:
    """Punctuation alone does not stand for words."""
    marks = [bool(side) and set(side) == {PUNCTUATION} for side in roles]
    if all(marks) or not all(roles):
        yield Piece(own, other, REST)
        return
    yield Piece(own, (other[0], other[0]), MARK if marks[0] else REST)
    yield Piece((own[1], own[1]), other, MARK if marks[1] else REST)


def _is_mark(side: Side, word: int) -> bool:
    """Whether it is punctuation that is no part of a word."""
    one = side.words[word]
    if one.role != PUNCTUATION:
        return False
    inside = 0 < word < len(side.words) - 1 and not side.gap(word) and not side.gap(word + 1)
    return one.form not in _JOINTS or not inside


def _function_words_apart(
    own: tuple[int, int],
    other: tuple[int, int],
    roles: Sequence[Sequence[str]],
    tags: Sequence[Sequence[str]],
) -> Iterator[Piece]:
    """Beside words that are missing or too many: an article for an article, not for all of them."""
    few, many = sorted(roles, key=lambda side: CONTENT in side or NAME in side)
    alone = set(few) == {FUNCTION} and len(few) == 1 and CONTENT in many
    (i, k), (j, m) = own, other
    if alone and tags[0][0] == tags[1][0] and tags[0][0] in _JOINING:
        yield Piece((i, i + 1), (j, j + 1), PAIR)
        yield Piece((i + 1, k), (j + 1, m), REST)
    elif alone and tags[0][-1] == tags[1][-1] and tags[0][-1] in _JOINING:
        yield Piece((i, k - 1), (j, m - 1), REST)
        yield Piece((k - 1, k), (m - 1, m), PAIR)
    else:
        yield Piece(own, other, REST)
