"""Why this candidate: which samples support it, and what it shares with them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from metaphrase.analysis.languages.codes import UNSPACED, base_language
from metaphrase.errors import OptionError
from metaphrase.selection.result import Selection

_WORD = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Supporter:
    """A sample, its share of all weight, and the chosen candidate's score by the first metric with it."""

    text: str
    share: float
    score: float


@dataclass(frozen=True, slots=True)
class SharedWord:
    """A word, and the share of the samples, by weight, that have it."""

    word: str
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """What speaks for a candidate.

    supporters: the samples that it scores best with, other than itself
    copies: the share of samples that are the candidate itself
    words: its words, in order
    lacking: words that at least half of the samples have, and it has not
    second, lead: the runner-up and by how much its utility is behind, if there is one
    second_words: words that the runner-up has and the candidate has not
    """

    text: str
    metric: str
    utility: float
    copies: float
    supporters: Sequence[Supporter]
    words: Sequence[SharedWord]
    lacking: Sequence[SharedWord]
    second: str | None
    lead: float | None
    second_words: Sequence[SharedWord]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        from dataclasses import asdict

        return asdict(self)


def support(selection: Selection, *, most: int = 5) -> Support:
    """Why the chosen candidate was chosen: its ``most`` closest samples and the words that it shares.

    With references they take the place of samples.
    """
    if isinstance(most, bool) or not isinstance(most, int) or most < 0:
        raise OptionError("MP847", f"most is {most!r}; it is a whole number of at least 0.")
    sentence = selection.candidates
    metric = selection.metrics[0]
    distinct = sentence.distinct()
    texts = [distinct.texts[row] for row in distinct.samples.tolist()]
    weights = distinct.weights
    if sentence.references:
        texts = list(dict.fromkeys(sentence.references))
        weights = np.ones(len(texts))
    shares = weights / weights.sum()
    rows = list(dict.fromkeys([selection.text, *texts]))
    numbers = {text: row for row, text in enumerate(rows)}
    table = metric.table(rows)
    others = np.array([numbers[text] for text in texts], dtype=np.int32)
    scores = table.matrix(np.zeros(1, dtype=np.int32), others)[0]
    first = np.argsort(-scores if metric.higher_is_better else scores, kind="stable")
    supporters = [
        Supporter(texts[i], float(shares[i]), float(scores[i]))
        for i in first.tolist()
        if texts[i] != selection.text
    ]
    copies = sum(
        float(share) for text, share in zip(texts, shares, strict=True) if text == selection.text
    )
    has: dict[str, float] = {}
    shown: dict[str, str] = {}
    for text, share in zip(texts, shares.tolist(), strict=True):
        words = _words(text, metric.lang)
        for word in dict.fromkeys(words):
            shown.setdefault(word.lower(), word)
        for word in dict.fromkeys(word.lower() for word in words):
            has[word] = has.get(word, 0.0) + share

    def shared(words: Sequence[str]) -> list[SharedWord]:
        return [SharedWord(word, min(has.get(word.lower(), 0.0), 1.0)) for word in words]

    own = _words(selection.text, metric.lang)
    mine = {word.lower() for word in own}
    # Shares are added up, so that half of the samples may be a little less.
    half = 0.5 - 1e-9
    lacking = [shown[word] for word, share in has.items() if share >= half and word not in mine]
    second = next((i for i in selection.n_best(2)[1:]), None)
    runner_up = None if second is None else sentence.texts[second]
    lead = None
    if second is not None:
        lead = abs(float(selection.utilities[selection.index] - selection.utilities[second]))
    only = [] if runner_up is None else _words(runner_up, metric.lang)
    return Support(
        text=selection.text,
        metric=metric.label,
        utility=float(selection.utilities[selection.index]),
        copies=min(copies, 1.0),
        supporters=supporters[:most],
        words=shared(own),
        lacking=sorted(shared(lacking), key=lambda one: -one.share),
        second=runner_up,
        lead=lead,
        second_words=shared([word for word in only if word.lower() not in mine]),
    )


def _words(text: str, lang: str) -> list[str]:
    if base_language(lang) in UNSPACED:
        return [character for character in text if not character.isspace()]
    return _WORD.findall(text)
