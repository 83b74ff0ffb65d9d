"""Why one translation scores higher than another: two explanations of one metric, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from reprlib import repr as shortened
from typing import Any

from metaphrase.errors import InputError
from metaphrase.metrics.explanation import MATCHED, Explanation, Link
from metaphrase.metrics.prediction import Prediction
from metaphrase.presentation import present

#: What repairs of too few words in common add up to, and what they lead to.
UNTOLD, REFERENCE = "too different to say", "score of the reference"
#: Differences up to this are rounding.
_NEARLY = 1e-9


@dataclass(frozen=True, slots=True)
class ContrastedNumber:
    """A part of both scores; ``difference`` is what the better one has more of it."""

    name: str
    better: float
    worse: float
    difference: float


@dataclass(frozen=True, slots=True)
class Rendering:
    """What a translation has for a word of the reference: ``words`` are positions in its word list.

    The rest is that of the link; of several, of the one that is worth most.
    """

    words: tuple[int, ...]
    forms: tuple[str, ...]
    kind: str
    similarity: float
    penalty: float

    @property
    def worth(self) -> float:
        """The similarity without the penalty."""
        return max(self.similarity - self.penalty, 0.0)


@dataclass(frozen=True, slots=True)
class ContrastedWord:
    """A word of the reference that the translations do not render alike; ``None`` where it is missing."""

    word: int
    form: str
    weight: float
    better: Rendering | None
    worse: Rendering | None


@dataclass(frozen=True, slots=True)
class ExtraWord:
    """A word of one translation that stands for nothing in the reference."""

    word: int
    form: str
    weight: float


@dataclass(frozen=True, slots=True)
class Contrast:
    """What makes the ``difference`` between the scores of two translations of one segment.

    ``parts`` add up to it, the largest first: points of repairs, by their kind, or of a metric without
    repairs the features of which its score is a sum. ``words`` are words of the reference in their order,
    ``better_extra`` and ``worse_extra`` words too many that only one of the translations has. Predictions are
    there if the metric makes them.

    >>> found = metaphrase.Cobalt().contrast("He slept.", "He slept well.", "He slept well.")
    >>> found.better_text, [word.form for word in found.only_better]
    ('He slept well.', ['well'])
    """

    metric: str
    signature: str
    higher_is_better: bool
    reference_text: str
    better_text: str
    worse_text: str
    better_score: float
    worse_score: float
    difference: float
    parts: tuple[ContrastedNumber, ...]
    words: tuple[ContrastedWord, ...]
    better_extra: tuple[ExtraWord, ...]
    worse_extra: tuple[ExtraWord, ...]
    better_prediction: Prediction | None = None
    worse_prediction: Prediction | None = None

    def __repr__(self) -> str:
        """One line: both scores, and of which texts."""
        better, worse = map(shortened, (self.better_text, self.worse_text))
        scores = f"{self.better_score:.4f} {better} against {self.worse_score:.4f} {worse}"
        return f"<Contrast {self.metric}: {scores}>"

    def _repr_html_(self) -> str:
        """Texts and tables, for notebooks."""
        return str(present(self, "html"))

    @property
    def only_better(self) -> tuple[ContrastedWord, ...]:
        """Words of the reference that only the better translation has."""
        return tuple(word for word in self.words if word.worse is None)

    @property
    def only_worse(self) -> tuple[ContrastedWord, ...]:
        """Words of the reference that only the worse translation has."""
        return tuple(word for word in self.words if word.better is None)

    @property
    def rendered_otherwise(self) -> tuple[ContrastedWord, ...]:
        """Words of the reference that both have, but not alike."""
        return tuple(word for word in self.words if word.better and word.worse)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and dictionaries, for JSON.

        >>> metaphrase.Ter().contrast("a cat", "a dog", "a cat").to_dict()["difference"]
        -50.0
        """
        return asdict(self)


def ranks_first(one: Explanation, other: Explanation) -> bool:
    """Whether ``one`` is the better of two explained translations, or as good as ``other``."""
    return one.score >= other.score if one.higher_is_better else one.score <= other.score


def contrast(one: Explanation, other: Explanation) -> Contrast:
    """Contrast two translations with one reference, by one metric; the better one may be either.

    >>> ter = metaphrase.Ter()
    >>> metaphrase.contrast(ter.explain("a dog", "a cat"), ter.explain("a cat", "a cat"))
    <Contrast ter: 0.0000 'a cat' against 50.0000 'a dog'>
    """
    _check(one, other)
    better, worse = (one, other) if ranks_first(one, other) else (other, one)
    fates = _Renderings(better), _Renderings(worse)
    return Contrast(
        metric=better.metric,
        signature=better.signature,
        higher_is_better=better.higher_is_better,
        reference_text=better.reference_text,
        better_text=better.hypothesis_text,
        worse_text=worse.hypothesis_text,
        better_score=better.score,
        worse_score=worse.score,
        difference=better.score - worse.score,
        parts=_numbers(_parts(better), _parts(worse)),
        words=tuple(_words(*fates)),
        better_extra=tuple(fates[0].extra(besides=fates[1])),
        worse_extra=tuple(fates[1].extra(besides=fates[0])),
        better_prediction=better.prediction,
        worse_prediction=worse.prediction,
    )


def _check(one: Explanation, other: Explanation) -> None:
    if (one.metric, one.signature) != (other.metric, other.signature):
        raise InputError(
            "MP575",
            f"scores of {one.metric} and {other.metric} cannot be compared: they are of different metrics, "
            "or of different options.",
            hint="Explain both translations with one metric.",
        )
    if one.reference_text != other.reference_text:
        raise InputError(
            "MP575",
            "explanations with different references cannot be compared word by word.",
            hint="Explain both translations with one reference.",
        )


def _parts(explanation: Explanation) -> Mapping[str, float]:
    """What adds up to the score: that of the reference, and what repairs of each kind would gain."""
    if explanation.maximum is None:
        return explanation.summands
    parts = {REFERENCE: explanation.maximum}
    told_apart = explanation.matched >= MATCHED
    for repair in explanation.repairs:
        kind = repair.kind if told_apart else UNTOLD
        parts[kind] = parts.get(kind, 0.0) - repair.points
    return parts


def _numbers(
    better: Mapping[str, float], worse: Mapping[str, float]
) -> tuple[ContrastedNumber, ...]:
    """The larger the difference, the sooner; what one side lacks is 0."""
    names = dict.fromkeys([*better, *worse])
    pairs = ((name, better.get(name, 0.0), worse.get(name, 0.0)) for name in names)
    rows = (ContrastedNumber(name, high, low, high - low) for name, high, low in pairs)
    return tuple(sorted(rows, key=lambda row: -abs(row.difference)))


class _Renderings:
    """What became of the words of one explained translation and of its reference."""

    def __init__(self, explanation: Explanation) -> None:
        self.explanation = explanation
        layer = explanation.word_layer
        links = [link for link in explanation.layer(layer) if link.similarity > 0]
        self._best: dict[int, Link] = {}
        for link in sorted(links, key=lambda link: link.penalty - link.similarity):
            for place in link.reference:
                self._best.setdefault(place, link)
        self._used = {place for link in links for place in link.hypothesis}

    def of(self, place: int) -> Rendering | None:
        """What stands for a word of the reference."""
        link = self._best.get(place)
        if link is None:
            return None
        forms = tuple(self.explanation.hypothesis[i].form for i in link.hypothesis)
        return Rendering(link.hypothesis, forms, link.kind, link.similarity, link.penalty)

    def unused(self) -> Iterator[ExtraWord]:
        """The words too many."""
        for place, word in enumerate(self.explanation.hypothesis):
            if place not in self._used and word.weight > 0:
                yield ExtraWord(place, word.form, word.weight)

    def extra(self, *, besides: _Renderings) -> Iterator[ExtraWord]:
        """The words too many that the other translation does not have too many as well."""
        common = Counter(word.form for word in besides.unused())
        for word in self.unused():
            if common[word.form]:
                common[word.form] -= 1
            else:
                yield word


def _words(better: _Renderings, worse: _Renderings) -> Iterator[ContrastedWord]:
    for place, word in enumerate(better.explanation.reference):
        high, low = better.of(place), worse.of(place)
        if not _alike(high, low):
            yield ContrastedWord(place, word.form, word.weight, high, low)


def _alike(one: Rendering | None, other: Rendering | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.forms == other.forms and abs(one.worth - other.worth) <= _NEARLY
