"""The check whether a segment is in the language of the target."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from metaphrase.analysis.languages.recognition import misfits
from metaphrase.checks.check import Check, Numbered
from metaphrase.checks.finding import Kind
from metaphrase.checks.pair import MASK, Pair

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")

if TYPE_CHECKING:
    from metaphrase.checks.settings import Settings

WRONG = Kind("language", "major", "the target is not in the language that it should be in")


def _find(pairs: Sequence[Pair], settings: Settings) -> Iterator[Numbered]:
    for language in sorted({pair.target_language for pair in pairs} - {""}):
        # What repeats the source is another check's.
        rows = [
            row
            for row, pair in enumerate(pairs)
            if pair.target_language == language and pair.source.strip() != pair.target.strip()
        ]
        texts = [_without_names(pairs[row]) for row in rows]
        for row, misfit in zip(rows, misfits(texts, language), strict=True):
            if misfit is None:
                continue
            target = pairs[row].target
            start = len(target) - len(target.lstrip())
            yield (
                row,
                WRONG.finding(
                    "target",
                    (start, start + len(target.strip())),
                    f"The target {misfit}, not {language}.",
                    expected=language,
                    found=misfit.removeprefix("looks like "),
                ),
            )


def _without_names(pair: Pair) -> str:
    """The target without the words with capitals that the source has, too."""
    shared = {word for word in _WORD.findall(pair.source_words) if not word[0].islower()}
    text = pair.target_words.replace(MASK, " ")
    return _WORD.sub(lambda match: " " if match[0] in shared else match[0], text)


LANGUAGE = Check(
    "language", "non-conformance", "targets in a wrong language or script", (WRONG,), _find
)
