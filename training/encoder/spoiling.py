"""Lines as a bad translator would have left them: wrong words and endings, words moved, left out or put in.

Each word of what comes out is known to be right or wrong, and so is each place at which one is missing. Wrong
words are taken from the text itself (what else follows the word before it) or from the form's relatives, so
that no second network has to guess them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

#: How often a word is mistaken, moved, left out, or has one put before it; and how often it is paraphrased.
WRONG, MOVED, LEFT_OUT, PUT_IN, PARAPHRASED = 0.08, 0.03, 0.03, 0.03, 0.08
_FARTHEST = 5


@dataclass(frozen=True, slots=True, eq=False)
class Spoilt:
    """Words of lines, one after the other.

    line:    the line of each word
    odd:     whether it is wrong here
    gap:     whether the word before it is missing
    origin:  the place in the line of the word that it was or says, -1 if it was put in or is wrong
    """

    words: np.ndarray
    line: np.ndarray
    odd: np.ndarray
    gap: np.ndarray
    origin: np.ndarray


class Spoiler:
    def __init__(self, data: Mapping[str, np.ndarray], flat: np.ndarray) -> None:
        self.flat = flat
        self.order = np.argsort(flat, kind="stable").astype(np.int32)
        self.starts = np.searchsorted(flat[self.order], np.arange(len(data["counts"]) + 1))
        self.mistaken, self.paraphrases = data["mistaken"], data["paraphrases"]
        self.choices = [(table > 0).sum(1) for table in (self.mistaken, self.paraphrases)]

    def beside(self, words: np.ndarray, step: int, random: np.random.Generator) -> np.ndarray:
        """What follows each word (``step`` 1) or precedes it (-1) somewhere in the text."""
        first, count = self.starts[words], self.starts[words + 1] - self.starts[words]
        chosen = first + (random.random(len(words)) * count).astype(np.int64)
        places = self.order[np.minimum(chosen, len(self.order) - 1)] + step
        anywhere = random.integers(len(self.flat), size=len(words))
        outside = (count == 0) | (places < 0) | (places >= len(self.flat))
        return self.flat[np.where(outside, anywhere, places)]

    def relative(
        self, words: np.ndarray, which: int, random: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """A relative of each word, and whether it has any."""
        table, counts = (self.mistaken, self.paraphrases)[which], self.choices[which][words]
        chosen = (random.random(len(words)) * counts).astype(np.int64)
        return table[words, np.minimum(chosen, table.shape[1] - 1)], counts > 0

    def __call__(self, words: np.ndarray, line: np.ndarray, random: np.random.Generator) -> Spoilt:
        """Spoil some words of lines; how many, differs from line to line."""
        count = len(words)
        place = np.arange(count) - np.searchsorted(line, line)
        harm = random.choice([0.3, 1.0, 2.0], size=int(line[-1]) + 1)[line]
        fate = random.random(count) / harm
        edges = np.cumsum([WRONG, MOVED, LEFT_OUT, PUT_IN])
        wrong = fate < edges[0]
        moved = (fate >= edges[0]) & (fate < edges[1])
        dropped = (fate >= edges[1]) & (fate < edges[2])
        before = (fate >= edges[2]) & (fate < edges[3])
        before_words = np.where(place > 0, np.roll(words, 1), words)
        after_words = np.roll(words, -1)
        ways = random.random(count)
        related, has = self.relative(words, 0, random)
        drawn = np.where(
            (ways < 0.5) & has,
            related,
            np.where(
                ways < 0.8,
                self.beside(before_words, 1, random),
                self.beside(after_words, -1, random),
            ),
        )
        said, can = self.relative(words, 1, random)
        paraphrased = (fate >= edges[3]) & (random.random(count) < PARAPHRASED) & can
        new = np.where(wrong, drawn, np.where(paraphrased, said, words))
        odd = wrong & (new != words)
        step = random.integers(1, _FARTHEST + 1, count) * random.choice([-1, 1], count)
        key = place + np.where(moved, step + 0.5 * np.sign(step), 0.0)
        odd |= moved
        added = np.where(
            random.random(count) < 0.7, self.beside(before_words, 1, random), before_words
        )[before]
        keys = np.concatenate([key[~dropped], place[before] - 0.25])
        lines = np.concatenate([line[~dropped], line[before]])
        order = np.lexsort((keys, lines))
        # A word is missing before the next one that is left.
        gaps = np.zeros(count + 1, dtype=bool)
        gaps[np.flatnonzero(dropped) + 1] = True
        gaps = gaps[:count] & (place > 0)
        for _ in range(2):
            gaps[1:] |= gaps[:-1] & dropped[:-1] & (place[1:] > 0)
        nothing = np.zeros(len(added), dtype=bool)
        origin = np.where(odd & ~moved, -1, place)
        return Spoilt(
            np.concatenate([new[~dropped], added])[order],
            lines[order],
            np.concatenate([odd[~dropped], ~nothing])[order],
            np.concatenate([gaps[~dropped], nothing])[order],
            np.concatenate([origin[~dropped], np.full(len(added), -1)])[order],
        )
