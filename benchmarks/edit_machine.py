"""Edit machines beside a straightforward implementation of the same recursions in Numba.

``python -m benchmarks.edit_machine``, with METAPHRASE_DATA set to the directory of the judgements. The peer
has a place for every configuration that a sequence can be in and fills it cell by cell, in plain
doubles, compiled by Numba; it knows blocks and exclusive labels, and computes no gradient.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numba
import numpy as np

from benchmarks.interleave import Contestant, interleave, print_table
from benchmarks.real_text import read_pairs
from metaphrase import analysis
from metaphrase.lexicon.paraphrases import ParaphraseTable
from metaphrase.lexicon.wordnet import WordNet
from metaphrase.matching.edit_machine import FEATURES, MachineOptions, expected_counts, log_sums
from metaphrase.matching.edit_pairs import EditPairs
from metaphrase.matching.substitutions import (
    SubstitutionOptions,
    columns,
    edit_pairs,
    edit_sentences,
)

#: Words of a sentence in the text that rates are given for, and how far from it sentences may be.
AVERAGE, SPREAD = 29, 2
#: Pairs for our kernel, and for a peer that takes milliseconds for each.
MANY, FEW = 1000, 20
#: Texts of which four at a time make a long one.
FOURS = 2000
#: States in the peer's tables: insert, delete, five substitutions, the end of a jump, the start.
INSERT, DELETE, FORWARD, BACK, END, START = 0, 1, 7, 8, 9, 10
SIZES = ((1, 1), (1, 2), (2, 1), (2, 2))


@numba.njit
def arrive(before, step, state):
    """All ways to a cell, and the step to an edit of this state."""
    total = 0.0
    for p in range(7):
        total += before[p] * step[p, state]
    return total


@numba.njit
def jump_line(line, start, landing, launches, a, undone, b, label, step, along, cross, ends):
    """One line of the phases of jumps from ``start`` to ``landing``; adds to what ends in this line."""
    positions = a.shape[1] - 1
    now, last = line % 3, (line - 1) % 3  # blocks look back two lines, so three are kept
    a[now] = 0.0
    b[now] = 0.0
    for j in range(landing + 1, positions + 1):
        a[now, j, along] = arrive(a[now, j - 1], step, along)
        a[now, j, cross] = arrive(a[last, j], step, cross)
        for size in range(4):
            p, q = line - (1 + size // 2), j - (1 + size % 2)
            if p < 0 or q < landing or label[size, p, q] < 0:
                continue
            state = 2 + label[size, p, q]
            a[now, j, state] += arrive(a[p % 3, q], step, state)
            if q == landing:
                a[now, j, state] += launches[p] * step[FORWARD, state]
    for end in range(landing + 1, positions + 1):
        undone[now, end, 0] = arrive(a[now, end], step, BACK)
        undone[now, end, 1] = (
            undone[last, end, 0] * step[BACK, cross] + undone[last, end, 1] * step[cross, cross]
        )
        for gap in range(1, landing - start + 1):
            cell = b[now, gap, end]
            if gap > 1:
                cell[along] = arrive(b[now, gap - 1, end], step, along)
            if gap < landing - start:
                cell[cross] = arrive(b[last, gap, end], step, cross)
            for size in range(4):
                p, g = line - (1 + size // 2), gap - (1 + size % 2)
                if p < 0 or g < 0 or label[size, p, start + g] < 0:
                    continue
                state = 2 + label[size, p, start + g]
                cell[state] += arrive(b[p % 3, g, end], step, state)
                if g == 0:
                    cell[state] += undone[p % 3, end, 0] * step[BACK, state]
                    cell[state] += undone[p % 3, end, 1] * step[cross, state]
        ends[end] += arrive(b[now, landing - start, end], step, END)


@numba.njit
def straightforward(label, transposed, step, max_jump):
    """The sum over all sequences; ``label[size, i, j]`` is -1 where there is no substitution."""
    lines, positions = label.shape[1], label.shape[2]
    grid = np.zeros((lines + 1, positions + 1, 7))
    jumps = np.zeros((lines + 1, positions + 1))
    launches = np.zeros((lines + 1, positions + 1))
    lanes = max_jump * positions
    a = np.zeros((lanes, 3, positions + 1, 7))
    undone = np.zeros((lanes, 3, positions + 1, 2))
    b = np.zeros((lanes, 3, max_jump + 1, positions + 1, 7))
    for i in range(lines + 1):
        if max_jump > 0 and 0 < i < lines:
            # Jumps of the reference that land here need no line that is still to come.
            for start in range(max(0, i - max_jump), i):
                ta = np.zeros((3, lines + 1, 7))
                tu = np.zeros((3, lines + 1, 2))
                tb = np.zeros((3, max_jump + 1, lines + 1, 7))
                for j in range(1, positions + 1):
                    ends = np.zeros(lines + 1)
                    jump_line(
                        *(j, start, i, launches[start], ta, tu, tb),
                        *(transposed, step, DELETE, INSERT, ends),
                    )
                    jumps[:, j] += ends
        if i > 0:
            for landing in range(1, positions):
                for start in range(max(0, landing - max_jump), landing):
                    lane = landing * max_jump + landing - start - 1
                    jump_line(
                        *(i, start, landing, launches[:, start], a[lane], undone[lane], b[lane]),
                        *(label, step, INSERT, DELETE, jumps[i]),
                    )
        for j in range(positions + 1):
            cell = grid[i, j]
            if j > 0:
                cell[INSERT] = (
                    arrive(grid[i, j - 1], step, INSERT) + jumps[i, j - 1] * step[END, INSERT]
                )
            if i > 0:
                cell[DELETE] = (
                    arrive(grid[i - 1, j], step, DELETE) + jumps[i - 1, j] * step[END, DELETE]
                )
            if i == 0 and j == 1:
                cell[INSERT] += step[START, INSERT]
            if i == 1 and j == 0:
                cell[DELETE] += step[START, DELETE]
            for size in range(4):
                p, q = i - (1 + size // 2), j - (1 + size % 2)
                if p < 0 or q < 0 or label[size, p, q] < 0:
                    continue
                state = 2 + label[size, p, q]
                cell[state] += arrive(grid[p, q], step, state) + jumps[p, q] * step[END, state]
                if p == 0 and q == 0:
                    cell[state] += step[START, state]
            launches[i, j] = arrive(cell, step, FORWARD) + jumps[i, j] * step[END, FORWARD]
            if i == 0 and j == 0:
                launches[i, j] = step[START, FORWARD]
    return np.log(grid[lines, positions].sum() + jumps[lines, positions])


def steps(weights: np.ndarray) -> np.ndarray:
    """Factors by previous state (or the start) and state."""
    own = weights[:10]
    return np.exp(np.vstack([own + weights[10:110].reshape(10, 10), own + weights[110:120]]))


def peer(pairs: EditPairs, weights: np.ndarray, max_jump: int) -> Callable[[], np.ndarray]:
    """The peer on prepared tables of labels."""
    tables = []
    for p in range(len(pairs)):
        shape = (4, int(pairs.reference_lengths[p]), int(pairs.hypothesis_lengths[p]))
        label = np.full(shape, -1)
        rows = slice(*pairs.substitution_offsets[p : p + 2])
        for i, j, r, s, q in pairs.substitutions[rows].tolist():
            label[SIZES.index((r, s)), i, j] = q
        other = np.ascontiguousarray(label[[0, 2, 1, 3]].transpose(0, 2, 1))
        tables.append((label, other))
    factors = steps(weights)
    return lambda: np.array([straightforward(*both, factors, max_jump) for both in tables])


def chosen(pairs: EditPairs, numbers: np.ndarray) -> EditPairs:
    """Some of the pairs, without their dependencies."""
    offsets = pairs.substitution_offsets
    rows = [np.arange(offsets[n], offsets[n + 1]) for n in numbers]
    return EditPairs(
        pairs.reference_lengths[numbers],
        pairs.hypothesis_lengths[numbers],
        np.cumsum([0, *map(len, rows)]),
        pairs.substitutions[np.concatenate(rows)],
        np.zeros(len(numbers) + 1, dtype=np.int64),
        np.empty((0, 3), dtype=np.int32),
    )


def real_pairs(texts: Sequence[tuple[str, str]]) -> EditPairs:
    options = SubstitutionOptions()
    both = [text for side in zip(*texts, strict=True) for text in side]
    batch = analysis.shared("builtin:en").analyse(both, columns(options))
    sentences = edit_sentences(
        batch, options=options, synonyms=WordNet.default(), paraphrases=ParaphraseTable.default()
    )
    rows = np.arange(len(texts), dtype=np.int32)
    return edit_pairs(sentences, rows, rows + len(texts), options=options)


def joined(texts: Sequence[tuple[str, str]], size: int) -> list[tuple[str, str]]:
    """Neighbouring texts as one: sentences of more than 60 words are rare."""
    groups = [texts[n : n + size] for n in range(0, len(texts) - size + 1, size)]
    return [(" ".join(h for h, _ in group), " ".join(r for _, r in group)) for group in groups]


def near(pairs: EditPairs, words: int, spread: int) -> np.ndarray:
    """Pairs both of whose sides have about so many words."""
    sides = (pairs.reference_lengths, pairs.hypothesis_lengths)
    return np.flatnonzero(np.all([np.abs(side - words) <= spread for side in sides], axis=0))


def against_numba(pairs: EditPairs, weights: np.ndarray) -> None:
    average = np.resize(near(pairs, AVERAGE, SPREAD), MANY)
    many, few = chosen(pairs, average), chosen(pairs, average[:FEW])
    matches = len(many.substitutions) / len(many)
    for name, max_jump in (("pFSM", 0), ("pPDA, d = 5", 5)):
        options = MachineOptions(max_jump=max_jump)
        some = many if max_jump == 0 else few
        numba_sums = peer(some, weights, max_jump)
        np.testing.assert_allclose(
            numba_sums(), log_sums(some, weights, options=options), atol=1e-9
        )
        contestants = [
            Contestant("sums", lambda o=options: log_sums(many, weights, options=o), len(many)),
            Contestant(
                "sums and gradient",
                lambda o=options: expected_counts(many, weights, options=o),
                len(many),
            ),
            Contestant("Numba, sums", numba_sums, len(some)),
        ]
        title = f"{name}: {AVERAGE} words, {matches:.0f} substitutions a pair; the same sums"
        timings = interleave(contestants)
        print_table(title, timings)
        print(f"{1 / timings[0].median:,.0f} pairs/s, {1 / timings[1].median:,.0f} with gradient")


def curves(texts: Sequence[tuple[str, str]], weights: np.ndarray) -> None:
    whole, fours = real_pairs(texts), real_pairs(joined(texts[:FOURS], 4))
    contestants = []
    for words in (10, 20, 30, 40, 60, 80, 100):
        pairs = whole if words < 60 else fours
        some = chosen(pairs, np.resize(near(pairs, words, words // 10), 200 if words < 50 else 20))
        for max_jump in (0, 5) if words != 30 else (0, 1, 2, 5, 10):
            options = MachineOptions(max_jump=max_jump)
            for what, work in (("", log_sums), (", gradient", expected_counts)):
                contestants.append(
                    Contestant(
                        f"{words} words, d={max_jump}{what}",
                        lambda s=some, o=options, w=work: w(s, weights, options=o),
                        len(some),
                    )
                )
    print_table("By length and by the longest jump", interleave(contestants, rounds=3))


def main() -> None:
    texts = read_pairs()
    weights = np.random.default_rng(0).normal(0.0, 0.3, FEATURES)
    against_numba(real_pairs(texts), weights)
    curves(texts, weights)


if __name__ == "__main__":
    main()
