"""METEOR's tokens and German stems.

See src/core/meteor/bind_meteor_text.cpp.
"""

from collections.abc import Sequence
from typing import Literal

class Normaliser:
    def __init__(
        self,
        *,
        apostrophes: Literal["clitic after", "clitic before", "apart"],
        always: Sequence[str],
        before_numbers: Sequence[str],
    ) -> None: ...
    def normalise(self, texts: list[str], *, punctuation: bool, threads: int) -> list[str]: ...

def german_stems(words: list[str]) -> list[str]: ...
