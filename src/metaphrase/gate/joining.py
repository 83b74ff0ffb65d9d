"""Which segment of the baseline is which segment of today: by id, or by what the texts say.

Never by position: a line that was added at the top would make all segments others.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from metaphrase.errors import InputError
from metaphrase.gate.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Joined:
    """Rows of two snapshots.

    ``pairs`` are (before, after), in the order of today's text; ``added`` are rows that only today's has,
    ``removed`` those that only the baseline has. ``changed`` are pairs of one id whose references differ:
    their scores say nothing about each other.
    """

    pairs: tuple[tuple[int, int], ...]
    added: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()
    changed: tuple[tuple[int, int], ...] = ()


def join_segments(before: Snapshot, after: Snapshot) -> Joined:
    """Find each segment's past.

    Where both have ids, segments of one id belong together. Otherwise segments with the same references do,
    first those that have document and source in common, too; of several, the first with the first.
    """
    by_id = before.ids is not None and after.ids is not None
    found: dict[int, int] = {}
    for keys in [_ids] if by_id else [_with_document, _with_source, _reference]:
        _match(keys(before, after), found, len(before), len(after))
    pairs = sorted(((old, new) for new, old in found.items()), key=lambda pair: pair[1])
    same = [p for p in pairs if before.reference_hashes[p[0]] == after.reference_hashes[p[1]]]
    if not same:
        raise InputError(
            "MP905",
            f"None of the {len(after):,} segments has the id and the reference of one in the baseline."
            if by_id
            else f"None of the {len(after):,} segments has the reference of one in the baseline.",
            hint="Is it the baseline of another text? Write it again with --write-baseline.",
        )
    old_rows, kept = {old for old, _ in pairs}, set(same)
    return Joined(
        tuple(same),
        tuple(row for row in range(len(after)) if row not in found),
        tuple(row for row in range(len(before)) if row not in old_rows),
        tuple(pair for pair in pairs if pair not in kept),
    )


_Keys = tuple[Sequence[Hashable], Sequence[Hashable]] | None


def _ids(before: Snapshot, after: Snapshot) -> _Keys:
    return None if before.ids is None or after.ids is None else (before.ids, after.ids)


def _with_document(before: Snapshot, after: Snapshot) -> _Keys:
    if before.documents is None or after.documents is None:
        return None
    old, new = _with_source(before, after) or _reference(before, after)
    return (
        list(zip(before.documents, old, strict=True)),
        list(zip(after.documents, new, strict=True)),
    )


def _with_source(before: Snapshot, after: Snapshot) -> _Keys:
    if before.source_hashes is None or after.source_hashes is None:
        return None
    return (
        list(zip(before.source_hashes, before.reference_hashes, strict=True)),
        list(zip(after.source_hashes, after.reference_hashes, strict=True)),
    )


def _reference(before: Snapshot, after: Snapshot) -> tuple[Sequence[Hashable], Sequence[Hashable]]:
    return before.reference_hashes, after.reference_hashes


def _match(keys: _Keys, found: dict[int, int], old_rows: int, new_rows: int) -> None:
    """Add to ``found`` what else has a key in common: row after, row before."""
    if keys is None:
        return
    old, new = keys
    taken = set(found.values())
    waiting: defaultdict[Hashable, deque[int]] = defaultdict(deque)
    for row in range(old_rows):
        if row not in taken:
            waiting[old[row]].append(row)
    for row in range(new_rows):
        if row not in found and waiting.get(new[row]):
            found[row] = waiting[new[row]].popleft()
