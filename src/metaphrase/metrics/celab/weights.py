"""Weights of tokens for the weighted variant of TESLA-CELAB (Liu & Ng 2012, section 5.3; METRICS 4.4).

A span X weighs m(X), the mean of its tokens' weights, in the objective and in Z. A token weighs 1, times

* ``log((N + 1) / (n + 1)) / log(N + 1)`` if n of the N lines of a text have it: 1 if none has, 0 if all have;
* ``function_weight`` if it is a function word.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from metaphrase import analysis
from metaphrase.arrays import FloatArray
from metaphrase.corpus.lines import LineReader
from metaphrase.errors import InputError, OptionError
from metaphrase.statistics.elementary import log

#: Particles, prepositions, conjunctions and the copula of written Chinese, and punctuation.
CHINESE_FUNCTION_WORDS = (
    *"的地得了着过吗呢吧啊之其而与和及或且则虽但因所以在于为是被把从向对由将也都就才又再",
    *"，。、；：？！…—·“”‘’（）《》",
)


@dataclass(frozen=True, slots=True)
class TokenWeighting:
    """How tokens are weighed; ``source`` is ``none`` or ``df:PATH``, tokenised by ``analyser``."""

    source: str
    analyser: str
    function_words: tuple[str, ...]
    function_weight: float

    def __post_init__(self) -> None:
        kind, _, path = self.source.partition(":")
        if self.source != "none" and not (kind == "df" and path):
            raise OptionError(
                "MP542",
                f"celab: weights={self.source!r} is not a source of weights.",
                hint="Choose none, or df:PATH with a text to count in.",
            )

    @property
    def signature(self) -> str:
        """``none``, or the hashes of what the weights are made of."""
        parts = []
        if self.source != "none":
            parts.append(f"df@{_frequencies(self).fingerprint}")
        if self.function_weight != 1:
            words = "\n".join(sorted(set(self.function_words)))
            parts.append(f"function@{_hash(words)}*{float(self.function_weight)}")
        return ",".join(parts) or "none"

    def of(self, tokens: Sequence[str]) -> FloatArray | None:
        """The weight of each token; ``None`` if all weigh 1."""
        if self.source == "none" and self.function_weight == 1:
            return None
        weights = np.ones(len(tokens))
        if self.source != "none":
            frequencies = _frequencies(self)
            counts = np.array([frequencies.counts.get(token, 0) for token in tokens])
            weights *= log((frequencies.lines + 1) / (counts + 1))
            weights /= log(frequencies.lines + 1)
        function_words = frozenset(self.function_words)
        weights[[token in function_words for token in tokens]] *= self.function_weight
        return weights


@dataclass(frozen=True, slots=True)
class _DocumentFrequencies:
    lines: int
    counts: dict[str, int]
    fingerprint: str


@lru_cache(maxsize=8)
def _frequencies(weighting: TokenWeighting) -> _DocumentFrequencies:
    path = weighting.source.removeprefix("df:")
    with LineReader(path) as reader:
        texts = [line for _, line in reader]
    if not texts:
        raise InputError("MP543", "the text to count document frequencies in is empty.", path=path)
    batch = analysis.shared(weighting.analyser).analyse(texts, ["form"])
    counts: Counter[str] = Counter()
    for row in range(len(texts)):
        tokens = batch.columns["form"][batch.offsets[row] : batch.offsets[row + 1]]
        counts.update(batch.strings[token] for token in set(tokens.tolist()))
    return _DocumentFrequencies(len(texts), dict(counts), _hash("\n".join(texts)))


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
