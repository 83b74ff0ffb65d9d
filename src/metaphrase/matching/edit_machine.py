"""Edit machines: the sum over all ways to turn a reference into a hypothesis, and its gradient.

The model of Wang & Manning ("Probabilistic finite state machines for regression-based MT evaluation",
EMNLP 2012). An edit sequence turns the reference into the hypothesis from left to right; its edits are
*insert* (consumes a word of the hypothesis), *delete* (a word of the reference), *substitutions* (one or two
words of both) and, in the pushdown machine, *jumps*. With weights θ and the features of
:func:`~metaphrase.matching.edit_pairs.feature_names`,

    y = log Σ exp(θ · f(sequence))        over all legal complete sequences

(Eq. 1 and 2 without the denominator Z; METRICS 6.1).

**Jumps** (section 2.2; METRICS 6.4). From (i, j), consumed words of the reference and the hypothesis, a jump
on the hypothesis's side goes forward by 1 to ``max_jump`` words to its *landing*. Phase A begins there with a
substitution; after it any edit may follow (``free_jumped``; substitutions only without it). The second jump
goes back to the word where the first one started: phase B covers the words up to the landing, with no insert
before its first substitution. At the landing the third jump goes to where phase A had stopped. Jumps on the
reference's side are the same with the sides (and insert and delete) exchanged. Jumps do not nest.

**Long sentences.** The cost of jumps grows with the third to fourth power of the length: some 10 ms for a
pair of 150 words, three times that with the gradient. Where a side is longer than ``exact_length``, jumps
have a window of w = ``jump_window`` words, and :func:`windowed` says so. For a jump on the hypothesis's side
that lands at (i, l): phase A reaches no further than l + w in the hypothesis and i + w in the reference,
phase B's first substitution starts no later than i + w in the reference, and if it starts at i', phase B
reaches no further than i' + w. On the reference's side the sides are exchanged. Everything outside
jumps stays exact.

Where sentences repeat words so often that the tables of all jumps would have more than 2^24 numbers, the
window holds for shorter pairs too, and is halved until the tables are small enough, if need be until there
are no jumps; :func:`windowed` says so as well.

``src/core/edits/jumps.hpp`` says how the sum over jumps is computed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metaphrase._core import edits as _core
from metaphrase.arrays import BoolArray, FloatArray, Int32Array, Int64Array
from metaphrase.errors import InputError, OptionError
from metaphrase.matching.checked_array import refusals, vector
from metaphrase.matching.edit_pairs import EditPairs, feature_names
from metaphrase.threads import check_threads

#: The number of features: places in weights and in counts.
FEATURES = len(feature_names())
#: No distance, length or window is larger: sentences are not.
_LARGEST = 10_000
#: No weight is heavier: far beyond any that means something, and products of them can still be told apart.
_HEAVIEST = 1e6


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineOptions:
    """What the machine may do.

    ``max_jump``: the longest first jump, in words; 0 is the machine without jumps (pFSM).
    ``edit_block``: insert and delete take up to so many words as one edit, 1 or 2.
    ``free_jumped``: phase A may insert and delete after its first substitution.
    ``jump_first``: a jump may begin the sequence.
    ``jump_after_jump``: a jump may follow at once on the end of another.
    ``exact_length``, ``jump_window``: see *long sentences* at the head of this module.
    """

    max_jump: int = 0
    edit_block: int = 1
    free_jumped: bool = True
    jump_first: bool = True
    jump_after_jump: bool = True
    exact_length: int = 150
    jump_window: int = 40

    def __post_init__(self) -> None:
        for name, low, high in (
            ("max_jump", 0, _LARGEST),
            ("edit_block", 1, 2),
            ("exact_length", 0, _LARGEST),
            ("jump_window", 1, _LARGEST),
        ):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise OptionError(
                    "MP413", f"{name} is {value!r}; it must be an integer of {low} to {high}."
                )
        for name in ("free_jumped", "jump_first", "jump_after_jump"):
            if not isinstance(getattr(self, name), bool):
                raise OptionError(
                    "MP413", f"{name} is {getattr(self, name)!r}; it must be True or False."
                )


@dataclass(frozen=True, slots=True, eq=False)
class BestEdits:
    """The best sequence of each pair: edits ``offsets[p]`` to ``offsets[p + 1]``.

    ``edits`` has five columns: the state (a position in :data:`~metaphrase.matching.edit_pairs.STATES`), the
    words of the reference and of the hypothesis consumed before the edit, and those after it. A jump changes
    one of them without consuming anything.
    """

    scores: FloatArray
    offsets: Int64Array
    edits: Int32Array


def log_sums(
    pairs: EditPairs, weights: ArrayLike, *, options: MachineOptions, threads: int = 1
) -> FloatArray:
    """y of each pair; 0 if both sentences are empty."""
    with refusals():
        return _core.log_sums(
            _checked(pairs), _weights(weights), _options(options), check_threads(threads)
        )


def expected_counts(
    pairs: EditPairs, weights: ArrayLike, *, options: MachineOptions, threads: int = 1
) -> tuple[FloatArray, FloatArray]:
    """y of each pair, and how often each feature fires if sequences are drawn in proportion to exp(θ · f).

    The counts, (pairs, :data:`FEATURES`), are the gradient of y.
    """
    with refusals():
        return _core.expected_counts(
            _checked(pairs), _weights(weights), _options(options), check_threads(threads)
        )


def arc_counts(pairs: EditPairs, *, options: MachineOptions, threads: int = 1) -> Int64Array:
    """On how many arcs of the trellis each feature fires, over all pairs.

    An arc is a position, the state of the edit before and the state of the edit made there, if some complete
    sequence has them; it counts once, in whatever phase of whatever jump it is met, wherever a jump leads,
    and however many words the edit takes. A dependency counts on an arc if it fires there in some sequence.
    """
    with refusals():
        return _core.arc_counts(_checked(pairs), _options(options), check_threads(threads))


def best_edits(
    pairs: EditPairs, weights: ArrayLike, *, options: MachineOptions, threads: int = 1
) -> BestEdits:
    """The sequence of the highest θ · f for each pair.

    Of equally good ones the sequence is taken that, read from its end, has a substitution (by its label)
    rather than an insert, that rather than a delete, and that rather than a jump, and the shorter edit.
    """
    with refusals():
        found = _core.best_edits(
            _checked(pairs), _weights(weights), _options(options), check_threads(threads)
        )
    return BestEdits(*found)


def windowed(pairs: EditPairs, *, options: MachineOptions, threads: int = 1) -> BoolArray:
    """Which pairs are so long or so repetitive that their jumps are restricted to a window."""
    with refusals():
        return _core.windowed(_checked(pairs), _options(options), check_threads(threads))


def _checked(pairs: EditPairs) -> _core.Pairs:
    return _core.Pairs(
        vector(pairs.reference_lengths, np.int32, "reference_lengths"),
        vector(pairs.hypothesis_lengths, np.int32, "hypothesis_lengths"),
        vector(pairs.substitution_offsets, np.int64, "substitution_offsets"),
        _rows(pairs.substitutions, 5, "substitutions"),
        vector(pairs.dependency_offsets, np.int64, "dependency_offsets"),
        _rows(pairs.dependencies, 3, "dependencies"),
    )


def _rows(values: ArrayLike, width: int, name: str) -> Int32Array:
    """Rows of ``width`` numbers, one after the other."""
    rows = np.asarray(values)
    if rows.ndim != 2 or rows.shape[1] != width:
        raise InputError("MP410", f"{name} has the shape {rows.shape}, not (rows, {width}).")
    return vector(rows.reshape(-1), np.int32, name)


def _weights(weights: ArrayLike) -> FloatArray:
    values = vector(weights, np.float64, "weights")
    # The comparison is false for what is not a number.
    if len(values) != FEATURES or not (np.abs(values) <= _HEAVIEST).all():
        raise InputError(
            "MP414", f"weights must be {FEATURES} numbers of at most {_HEAVIEST:,.0f} in size."
        )
    return values


def _options(options: MachineOptions) -> _core.Options:
    return _core.Options(
        max_jump=options.max_jump,
        edit_block=options.edit_block,
        free_jumped=options.free_jumped,
        jump_first=options.jump_first,
        jump_after_jump=options.jump_after_jump,
        exact_length=options.exact_length,
        jump_window=options.jump_window,
    )
