"""A reference that seems to be made from one system's output, by post-editing or out of laziness.

What a system shares with the other systems says how much it shares with a reference that was made without any
of them. A line is fitted through all systems but one (phrases of three words: the share that the reference
has, by the mean share that another system has), and the one is tested against it by the prediction interval
of that line (Student's t, Holm's correction for the number of systems).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from metaphrase.scoring.doubts.doubt import Doubt
from metaphrase.scoring.doubts.texts import Texts, phrases
from metaphrase.statistics.multiple_tests import holm
from metaphrase.statistics.williams import student_t_tail

_FEWEST_SYSTEMS, _FEWEST_SEGMENTS = 6, 20
_LEVEL = 0.01
#: How much more of its phrases the reference must have than was predicted, of all phrases.
_EXCESS = 0.08


class ReferenceOrigin:
    """Counts the phrases that systems share with a reference, and with each other."""

    def __init__(self) -> None:
        self._said: Counter[str] = Counter()
        self._in_reference: Counter[tuple[str, int]] = Counter()
        self._in_others: Counter[str] = Counter()
        self._segments = 0
        self._references = 0

    def watch(self, texts: Texts) -> None:
        """Count those of the next piece."""
        systems = texts.systems
        self._references = max(self._references, len(texts.references))
        if len(systems) < _FEWEST_SYSTEMS:
            return
        for row in range(len(texts.corpus)):
            self._segments += 1
            of_systems = {name: set(phrases(words[row])) for name, words in systems.items()}
            having = Counter(phrase for said in of_systems.values() for phrase in said)
            wanted = [set(phrases(reference[row])) for reference in texts.references]
            for name, said in of_systems.items():
                self._said[name] += len(said)
                self._in_others[name] += sum(having[phrase] - 1 for phrase in said)
                for number, of_reference in enumerate(wanted):
                    self._in_reference[name, number] += len(said & of_reference)

    def doubts(self) -> Iterator[Doubt]:
        """One for each reference that one system is too near to."""
        names = [name for name, said in self._said.items() if said]
        if len(names) < _FEWEST_SYSTEMS or self._segments < _FEWEST_SEGMENTS:
            return
        said = np.array([self._said[name] for name in names], dtype=np.float64)
        others = np.array([self._in_others[name] for name in names]) / said / (len(names) - 1)
        for number in range(self._references):
            shared = np.array([self._in_reference[name, number] for name in names]) / said
            predicted, t = _left_out(others, shared)
            p = holm([student_t_tail(float(value), len(names) - 3) for value in t])
            place = int(np.argmin(p))
            expected = max(predicted[place], 0.0)
            if p[place] >= _LEVEL or shared[place] - expected < _EXCESS:
                continue
            # What the reference was made from is nearest to it; a bad system is far from all, and the line
            # says nothing there. The reference itself is another doubt.
            if shared[place] < shared.max() or shared[place] == 1:
                continue
            what = "The reference" if self._references == 1 else f"Reference {number + 1}"
            yield Doubt(
                "reference-origin",
                f"{what} may be made from the output of {names[place]}: it has {shared[place]:.0%} of its "
                f"phrases of three words, where what it shares with the others predicts "
                f"{expected:.0%} (t-test of a line through the others, Holm's correction, "
                f"p {'< .001' if p[place] < 0.001 else f'= {p[place]:.3f}'.replace('0.', '.')}).",
                (names[place],),
                {
                    "reference": number + 1,
                    "shared": float(shared[place]),
                    "predicted": float(expected),
                    "p_value": float(p[place]),
                },
            )


def _left_out(
    x: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    y: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
) -> tuple[list[float], list[float]]:
    """What a line through all other points predicts of each one, and how far off it is in standard errors."""
    predictions, errors = [], []
    for place in range(len(x)):
        others = np.arange(len(x)) != place
        xs, ys = x[others], y[others]
        spread = float(((xs - xs.mean()) ** 2).sum())
        slope = float(((xs - xs.mean()) * ys).sum() / spread) if spread > 0 else 0.0
        offset = float(ys.mean() - slope * xs.mean())
        residual = float(((ys - offset - slope * xs) ** 2).sum()) / max(len(xs) - 2, 1)
        away = float((x[place] - xs.mean()) ** 2) / spread if spread > 0 else 0.0
        error = (residual * (1 + 1 / len(xs) + away)) ** 0.5
        predicted = offset + slope * float(x[place])
        predictions.append(predicted)
        errors.append((float(y[place]) - predicted) / error if error > 0 else 0.0)
    return predictions, errors
