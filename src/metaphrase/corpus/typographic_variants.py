"""Where texts differ by nothing but typography or Unicode, which costs points where bytes are compared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.normalisation import VARIANT, normalise

#: What stands between clauses, and not within a word or between numbers.
_DASH = re.compile(r"[—―]|(?<=\s)[-\u2010-\u2013\u2212](?=\s)")
#: What variants are normalised to, but for those that are removed.
_ASCII = ("'", '"', "...", "-", " ")
#: The kind that makes a difference to a text without any.
_ABSENT, _DECOMPOSED = "", "decomposed"
_MOST_LINES, _MOST_SYSTEMS = 3, 5

#: The spellings of each kind of mark in a text.
Spellings = dict[str, set[str]]


class VariantCheck:
    """Watches a corpus go by, piece by piece, and notes which lines differ from a reference in their marks.

    A line counts if it spells a mark otherwise than the reference does, which normalising would mend: a curly
    quote where the reference has a straight one. Lines that have the same variants as the reference do not.
    """

    def __init__(self) -> None:
        self._lines: dict[str, list[int]] = {}
        self._segments = 0

    def watch(self, piece: Corpus) -> None:
        """Look at the next piece."""
        normalised = piece.normalised
        if normalised is not piece:
            for system, hypotheses in piece.systems.items():
                for row, hypothesis in enumerate(hypotheses):
                    texts = hypothesis, *piece[row].references
                    forms = normalised.systems[system][row], *normalised[row].references
                    if texts != forms and _differ(*map(_spellings, texts)):
                        self._lines.setdefault(system, []).append(self._segments + row + 1)
        self._segments += len(piece)

    def warnings(self, metrics: Sequence[str]) -> list[str]:
        """What readers of the scores of ``metrics``, which compare bytes, must know: one warning, or none."""
        if not metrics or not self._lines:
            return []
        found = [
            f"{len(lines):,} {'line' if len(lines) == 1 else 'lines'} of {system} ({_some(lines)})"
            for system, lines in self._lines.items()
        ]
        more = len(found) - _MOST_SYSTEMS
        rest = f" and {more} more systems" if more > 0 else ""
        verb = "compares" if len(metrics) == 1 else "compare"
        return [
            f"[MP585] {', '.join(metrics)} {verb} bytes, and these differ from a reference in typographic or "
            f"Unicode variants, which costs points: {', '.join(found[:_MOST_SYSTEMS])}{rest}. "
            "`metaphrase convert --normalise` writes files without such variants."
        ]


def _some(lines: Sequence[int]) -> str:
    shown = ", ".join(map(str, lines[:_MOST_LINES]))
    return shown if len(lines) <= _MOST_LINES else f"{shown} …"


def _spellings(text: str) -> Spellings:
    found: Spellings = {}
    dashes = _DASH.findall(text)
    if dashes:
        found["dash"] = set(dashes)
        text = _DASH.sub("", text)
    for mark in _ASCII:
        if mark in text:
            found[mark] = {mark}
    for variant in VARIANT.findall(text):
        found.setdefault(normalise(variant), set()).add(variant)
    if not unicodedata.is_normalized("NFC", text):
        found.setdefault(_ABSENT, set()).add(_DECOMPOSED)
    return found


def _differ(hypothesis: Spellings, *references: Spellings) -> bool:
    return any(
        hypothesis.get(_ABSENT) != reference.get(_ABSENT)
        or any(hypothesis[kind] != reference[kind] for kind in hypothesis.keys() & reference.keys())
        for reference in references
    )
