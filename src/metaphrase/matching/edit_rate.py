"""The edits of TER: which words must be inserted, deleted, replaced or shifted to get the reference.

Matthew Snover et al.: A Study of Translation Edit Rate with Targeted Human Annotation. AMTA 2006.

The edits are those that sacreBLEU 2 finds, with its limits and ties: the shift of words that saves most is
made for as long as one saves anything (up to 10 words, which the reference has at most 50 places away, and
1,000 candidates a pair), and then words are inserted, deleted and replaced, along a way that keeps within 25
words of the diagonal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from metaphrase._core import edit_rate as _core
from metaphrase.arrays import Int32Array
from metaphrase.matching.checked_array import refusals
from metaphrase.matching.symbol_rows import SymbolRows, paired
from metaphrase.threads import check_threads

#: What :attr:`EditSequence.operations` are made of, by number.
OPERATIONS = ("match", "substitute", "insert", "delete")
#: Columns of :func:`count_edits`.
KINDS = ("insert", "delete", "substitute", "shift")


@dataclass(frozen=True, slots=True)
class Shift:
    """``length`` words from ``start`` on are moved in front of the word that was at ``target``.

    Places are those of the hypothesis as earlier shifts left it. A target within the words, or just after
    them, moves them to the right by its distance from ``start``.
    """

    start: int
    length: int
    target: int

    def move(self, words: Sequence[int]) -> list[int]:
        """``words`` after the shift."""
        end = self.start + self.length
        moved, rest = list(words[self.start : end]), [*words[: self.start], *words[end:]]
        # Without the words, what was behind them comes forward by their number.
        place = self.target - self.length if self.target > end else self.target
        return rest[:place] + moved + rest[place:]


@dataclass(frozen=True, slots=True)
class EditSequence:
    """What turns a hypothesis into its reference: first the shifts, then an operation a word.

    ``insert`` takes a word of the reference, ``delete`` one of the hypothesis, and the others one of each.
    """

    shifts: tuple[Shift, ...]
    operations: tuple[str, ...]

    @property
    def edits(self) -> int:
        """How many there are; a match is none."""
        return len(self.shifts) + len(self.operations) - self.operations.count("match")


def count_edits(hypotheses: SymbolRows, references: SymbolRows, *, threads: int = 1) -> Int32Array:
    """Edits of row i of both sides by kind (:data:`KINDS`), in row i."""
    threads = check_threads(threads)
    with refusals():
        return _core.count(*paired(hypotheses, references), threads)


def find_edits(hypotheses: SymbolRows, references: SymbolRows) -> Iterator[EditSequence]:
    """The edits themselves, row after row."""
    with refusals():
        starts, operations, shift_starts, shifts = _core.find(*paired(hypotheses, references))
    for row in range(len(hypotheses)):
        moved = shifts[shift_starts[row] : shift_starts[row + 1]].tolist()
        done = operations[starts[row] : starts[row + 1]].tolist()
        yield EditSequence(
            tuple(Shift(*shift) for shift in moved), tuple(OPERATIONS[number] for number in done)
        )
