"""Edit machines as METRICS 6.6 defines them: every legal sequence of edits, one after the other."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import numpy as np

from metaphrase.matching.edit_machine import MachineOptions
from metaphrase.matching.edit_pairs import STATES, SUBSTITUTIONS, EditPairs, feature_names

INSERT, DELETE, FIRST_SUBSTITUTION = 0, 1, 2
JUMP_FORWARD, JUMP_BACK, JUMP_END = 7, 8, 9
FEATURE = {name: number for number, name in enumerate(feature_names())}


@dataclass(frozen=True)
class Pair:
    """Two sentences: their lengths, (i, j, a, b, label) of substitutions, {(i, j): dependency}."""

    reference: int
    hypothesis: int
    substitutions: tuple[tuple[int, int, int, int, int], ...] = ()
    dependencies: dict[tuple[int, int], int] = field(default_factory=dict)

    def swapped(self) -> Pair:
        return Pair(
            self.hypothesis,
            self.reference,
            tuple(sorted((j, i, b, a, q) for i, j, a, b, q in self.substitutions)),
            {(j, i): label for (i, j), label in self.dependencies.items()},
        )


def pack(pairs: list[Pair]) -> EditPairs:
    """The pairs as arrays."""

    def offsets(sizes: list[int]) -> np.ndarray:
        return np.cumsum([0, *sizes], dtype=np.int64)

    edges = [edge for pair in pairs for edge in sorted(pair.substitutions)]
    cells = [(i, j, q) for pair in pairs for (i, j), q in sorted(pair.dependencies.items())]
    return EditPairs(
        np.array([pair.reference for pair in pairs], dtype=np.int32),
        np.array([pair.hypothesis for pair in pairs], dtype=np.int32),
        offsets([len(pair.substitutions) for pair in pairs]),
        np.array(edges, dtype=np.int32).reshape(-1, 5),
        offsets([len(pair.dependencies) for pair in pairs]),
        np.array(cells, dtype=np.int32).reshape(-1, 3),
    )


class Configuration(NamedTuple):
    """Where the machine is; ``origin`` and ``first`` matter to windows only (see the module's docstring).

    ``origin``: where J1 found the side that does not jump; ``first``: where phase B's first substitution did.
    """

    mode: str
    i: int
    j: int
    side: str = ""
    start: int = -1
    land: int = -1
    end: int = -1
    done: bool = False
    origin: int = -1
    first: int = -1


class Edit(NamedTuple):
    """A state and the positions before and after."""

    state: int
    i: int
    j: int
    to_i: int
    to_j: int


Move = tuple[Edit, Configuration]


def moves(
    pair: Pair, options: MachineOptions, at: Configuration, last: int | None
) -> Iterator[Move]:
    """Every legal edit in a configuration; ``last`` is the state of the edit before."""
    window = math.inf
    if max(pair.reference, pair.hypothesis) > options.exact_length:
        window = options.jump_window
    for edit, then in _all_moves(pair, options, at):
        if edit.state == JUMP_FORWARD and last is None and not options.jump_first:
            continue
        if edit.state == JUMP_FORWARD and last == JUMP_END and not options.jump_after_jump:
            continue
        own, other = (then.j, then.i) if then.side == "s" else (then.i, then.j)
        if then.mode == "A" and (own > then.land + window or other > then.origin + window):
            continue
        if then.mode == "B" and other > (then.first if then.done else then.origin) + window:
            continue
        yield edit, then


def _all_moves(pair: Pair, options: MachineOptions, at: Configuration) -> Iterator[Move]:
    mode, i, j, side, start, land, end, done, origin, _ = at
    length_r, length_s = pair.reference, pair.hypothesis

    def step(state: int, a: int, b: int, **changes: object) -> Move:
        return Edit(state, i, j, i + a, j + b), at._replace(i=i + a, j=j + b, **changes)

    # How far phase B may go: its own side ends at the landing.
    last_i = land if mode == "B" and side == "r" else length_r
    last_j = land if mode == "B" and side == "s" else length_s
    if mode == "B" and (j == land if side == "s" else i == land):
        to_i, to_j = (i, end) if side == "s" else (end, j)
        yield Edit(JUMP_END, i, j, to_i, to_j), Configuration("N", to_i, to_j)
        return
    free = mode == "N" or (done and (mode == "B" or options.free_jumped))
    for size in range(1, options.edit_block + 1):
        if (free or (mode == "B" and side == "r")) and j + size <= last_j:
            yield step(INSERT, 0, size)
        if (free or (mode == "B" and side == "s")) and i + size <= last_i:
            yield step(DELETE, size, 0)
    for p, q, a, b, label in pair.substitutions:
        if (p, q) == (i, j) and i + a <= last_i and j + b <= last_j:
            changes: dict[str, object] = {} if mode == "N" else {"done": True}
            if mode == "B" and not done:
                changes["first"] = i if side == "s" else j
            yield step(FIRST_SUBSTITUTION + label, a, b, **changes)
    if mode == "N":
        for distance in range(1, options.max_jump + 1):
            if j + distance < length_s and i < length_r:
                yield (
                    Edit(JUMP_FORWARD, i, j, i, j + distance),
                    Configuration("A", i, j + distance, "s", j, j + distance, origin=i),
                )
            if i + distance < length_r and j < length_s:
                yield (
                    Edit(JUMP_FORWARD, i, j, i + distance, j),
                    Configuration("A", i + distance, j, "r", i, i + distance, origin=j),
                )
    if mode == "A" and done:
        to_i, to_j = (i, start) if side == "s" else (start, j)
        yield (
            Edit(JUMP_BACK, i, j, to_i, to_j),
            Configuration(
                "B", to_i, to_j, side, start, land, j if side == "s" else i, origin=origin
            ),
        )


def features(pair: Pair, last: int | None, edit: Edit) -> list[int]:
    """The numbers of the features that fire on an edit after an edit of state ``last``."""
    name = STATES[edit.state]
    fired = [FEATURE[f"U|{name}"]]
    fired.append(FEATURE[f"S|{name}" if last is None else f"B|{STATES[last]}|{name}"])
    substitutions = range(FIRST_SUBSTITUTION, FIRST_SUBSTITUTION + len(SUBSTITUTIONS))
    if edit.state in substitutions:
        seams = [(edit.i, edit.j)] if last in substitutions else []
        if (edit.to_i - edit.i, edit.to_j - edit.j) == (2, 2):
            seams.append((edit.i + 1, edit.j + 1))
        first = len(feature_names()) - 3
        fired += [first + pair.dependencies[cell] for cell in seams if cell in pair.dependencies]
    return fired


def sequences(pair: Pair, options: MachineOptions) -> Iterator[list[Edit]]:
    """Every legal sequence of edits from the beginning to the end of both sentences."""

    def extend(at: Configuration, before: list[Edit]) -> Iterator[list[Edit]]:
        if at == Configuration("N", pair.reference, pair.hypothesis):
            yield list(before)
        last = before[-1].state if before else None
        for edit, then in moves(pair, options, at, last):
            yield from extend(then, [*before, edit])

    return extend(Configuration("N", 0, 0), [])


def counts(pair: Pair, sequence: list[Edit]) -> np.ndarray:
    """How often each feature fires in a sequence."""
    fired = np.zeros(len(FEATURE))
    last = None
    for edit in sequence:
        np.add.at(fired, features(pair, last, edit), 1.0)
        last = edit.state
    return fired


class Enumeration(NamedTuple):
    """What the sum over all sequences is made of."""

    log_sum: float
    expected: np.ndarray
    best: float
    sequences: int
    longest: int


def enumerate_all(pair: Pair, weights: np.ndarray, options: MachineOptions) -> Enumeration:
    """The log-sum, the expected counts and the best score by looking at every sequence."""
    every = list(sequences(pair, options))
    fired = np.array([counts(pair, sequence) for sequence in every])
    scores = fired @ weights
    top = scores.max()
    share = np.exp(scores - top)
    total = share.sum()
    longest = max(map(len, every))
    return Enumeration(
        top + math.log(total), share @ fired / total, float(top), len(every), longest
    )


def log_sum(
    pair: Pair, weights: np.ndarray, options: MachineOptions, *, best: bool = False
) -> float:
    """The log-sum, or the best score, configuration by configuration: for sentences too long to enumerate."""

    @cache
    def rest(at: Configuration, last: int | None) -> float:
        terms = [0.0] if at == Configuration("N", pair.reference, pair.hypothesis) else []
        for edit, then in moves(pair, options, at, last):
            value = rest(then, edit.state)
            terms.append(value + sum(weights[f] for f in features(pair, last, edit)))
        top = max(terms, default=-math.inf)
        if top == -math.inf or best:
            return top
        return top + math.log(sum(math.exp(term - top) for term in terms))

    return rest(Configuration("N", 0, 0), None)


def finite_state_log_sum(pair: Pair, weights: np.ndarray) -> float:
    """The log-sum without jumps, cell by cell in logarithms: for sentences of any length."""
    edges: dict[tuple[int, int], list[tuple[int, int, int, int, int]]] = {}
    for edge in pair.substitutions:
        edges.setdefault((edge[0] + edge[2], edge[1] + edge[3]), []).append(edge)
    step = weights[:10] + weights[10:110].reshape(10, 10)
    start = weights[:10] + weights[110:120]
    reached = np.full((pair.reference + 1, pair.hypothesis + 1, 7), -math.inf)

    def before(i: int, j: int, state: int, seam: float = 0.0) -> float:
        if (i, j) == (0, 0):
            return float(start[state])
        ways = reached[i, j] + step[:7, state]
        ways[FIRST_SUBSTITUTION:] += seam
        return float(np.logaddexp.reduce(ways))

    def dependency(i: int, j: int) -> float:
        label = pair.dependencies.get((i, j))
        return 0.0 if label is None else float(weights[len(FEATURE) - 3 + label])

    for i in range(pair.reference + 1):
        for j in range(pair.hypothesis + 1):
            if j > 0:
                reached[i, j, INSERT] = before(i, j - 1, INSERT)
            if i > 0:
                reached[i, j, DELETE] = before(i - 1, j, DELETE)
            for p, q, a, b, label in edges.get((i, j), []):
                state = FIRST_SUBSTITUTION + label
                way = before(p, q, state, dependency(p, q))
                way += dependency(p + 1, q + 1) if a == b == 2 else 0.0
                reached[i, j, state] = np.logaddexp(reached[i, j, state], way)
    return float(np.logaddexp.reduce(reached[-1, -1]))


def arc_counts(pair: Pair, options: MachineOptions) -> np.ndarray:
    """How many arcs (position, previous state, state) of complete sequences each feature fires on."""
    fired: set[tuple[object, ...]] = set()
    for sequence in sequences(pair, options):
        last = None
        for edit in sequence:
            for feature in features(pair, last, edit):
                fired.add((edit.i, edit.j, last, edit.state, feature))
            last = edit.state
    return np.bincount([feature for *_, feature in fired], minlength=len(FEATURE))
