"""Words that one text writes together and the other apart are one word: *cease-fire* and *ceasefire*."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from metaphrase.metrics.repairs.words import NUMBER, Side, Word

#: The relation of such words.
COMPOUND = "compound"
_LONGEST = 5
#: Fewer letters are put together by chance.
_LETTERS = 5
_JOINTS = frozenset("-'.,")
_GROUPED = re.compile(r"\d{1,3}([ .,']\d{3})+|\d+")


@dataclass(frozen=True, slots=True)
class _Run:
    """Neighbouring words, and their letters alone."""

    start: int
    end: int
    letters: str


def with_compounds(
    sides: tuple[Side, Side], relations: dict[tuple[int, int], str]
) -> tuple[tuple[Side, Side], dict[tuple[int, int], str]]:
    """Both sides with such words as one, and the relations of what is there then."""
    found = list(_found(sides))
    if not found:
        return sides, relations
    merged = [_merged(sides[number], [pair[number] for pair in found]) for number in (0, 1)]
    places = [place for _, place in merged]
    kept = {
        (places[0][i], places[1][j]): relation
        for (i, j), relation in relations.items()
        if not any(own.start <= i < own.end or other.start <= j < other.end for own, other in found)
    }
    kept |= {(places[0][own.start], places[1][other.start]): COMPOUND for own, other in found}
    return (merged[0][0], merged[1][0]), kept


def _found(sides: tuple[Side, Side]) -> Iterator[tuple[_Run, _Run]]:
    there: dict[str, list[_Run]] = defaultdict(list)
    for run in _runs(sides[1]):
        there[run.letters].append(run)
    candidates = [
        (own.end - own.start + other.end - other.start, abs(own.start - other.start), own, other)
        for own in _runs(sides[0])
        for other in there.get(own.letters, ())
        if _differ(sides, own, other)
    ]
    used: tuple[set[int], set[int]] = set(), set()
    for *_, own, other in sorted(candidates, key=lambda one: (*one[:2], one[2].start)):
        words = range(own.start, own.end), range(other.start, other.end)
        if used[0].isdisjoint(words[0]) and used[1].isdisjoint(words[1]):
            used[0].update(words[0])
            used[1].update(words[1])
            yield own, other


def _differ(sides: tuple[Side, Side], own: _Run, other: _Run) -> bool:
    """Whether only one of them is written together, or both in different ways."""
    if own.end - own.start == other.end - other.start:
        return False
    texts = [side.phrase(run.start, run.end) for side, run in zip(sides, (own, other), strict=True)]
    if own.letters.isdigit():
        return all(map(_GROUPED.fullmatch, texts))
    return any(" " not in text for text in texts)


def _runs(side: Side) -> Iterator[_Run]:
    for start, first in enumerate(side.words):
        letters = ""
        for end in range(start + 1, min(start + _LONGEST, len(side.words)) + 1):
            form = side.words[end - 1].form
            if not form[0].isalnum():
                if end - 1 == start or form not in _JOINTS:
                    break
                continue
            letters += "".join(filter(str.isalnum, form.lower()))
            if len(letters) >= _LETTERS - (first.role == NUMBER):
                yield _Run(start, end, letters)


def _merged(side: Side, runs: Sequence[_Run]) -> tuple[Side, list[int]]:
    """The side with one word for each run, and which word each old one is now."""
    ends = {run.start: run.end for run in runs}
    words: list[Word] = []
    places: list[int] = []
    at = 0
    while at < len(side.words):
        end = ends.get(at, at + 1)
        if end == at + 1:
            words.append(side.words[at])
        else:
            first, last = side.words[at], side.words[end - 1]
            form = " ".join(side.text[first.start : last.end].split())
            words.append(Word(form, first.start, last.end, "", last.tag))
        places += [len(words) - 1] * (end - at)
        at = end
    return Side(side.text, tuple(words)), places
