"""Words as a judge reads them: to say how long a text is and what it is about, not to score it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from metaphrase.arrays import Int64Array

#: In Chinese and Japanese, which have no spaces between words, single characters.
_SINGLE = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_SINGLE}]|(?:(?![{_SINGLE}])\w)+")


def words_of(text: str) -> list[str]:
    """The words of a text, without punctuation."""
    return _WORD.findall(text)


def lengths(texts: Sequence[str]) -> Int64Array:
    """How many words each text has, at least one: whoever is shown a text has to look at it."""
    return np.array([max(len(words_of(text)), 1) for text in texts], dtype=np.int64)
