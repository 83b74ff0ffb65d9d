"""Why a segment scored as it did, as data: rendering it is somebody else's work (``report``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from reprlib import repr as shortened
from typing import Any, TypeAlias

from metaphrase.metrics.prediction import Prediction
from metaphrase.presentation import present

#: The position of a word in the word list of its side, -1 for none; and one between words, before that word.
Place: TypeAlias = int
Gap: TypeAlias = int
#: The layer and the feature of metrics that work by edits.
EDITS = "edits"
#: Where a smaller share of the words match, no edit can be told from another.
MATCHED = 0.2


@dataclass(frozen=True, slots=True)
class Word:
    """A token of one side; ``weight`` is what it counts for, 0 if the metric leaves it out."""

    form: str
    start: int
    end: int
    weight: float
    lemma: str | None = None
    tag: str | None = None


@dataclass(frozen=True, slots=True)
class ContextRelation:
    """A dependency relation of a linked word, and whether the word at the other end has a counterpart.

    ``governor`` and ``dependent`` are positions in the word list of ``side``; -1 is the root. ``word``
    is the linked word, which may be neither if it is part of the relation's name, as ``of`` is of
    ``prep_of``: then the relation is there twice, for the word before it and for that behind. ``in_words``
    says in plain English what the translation has changed, or kept if the relation is ``matched``.
    """

    side: str
    word: Place
    label: str
    governor: Place
    dependent: Place
    weight: float
    matched: bool
    in_words: str = ""


@dataclass(frozen=True, slots=True)
class WordPair:
    """A word of a linked phrase and the word of the other phrase that it resembles most, or none (-1).

    ``kind`` says why; positions are in the word lists.
    """

    hypothesis: Place
    reference: Place
    kind: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words of one side that a metric treats as a unit; ``weight`` is the product of ``factors``."""

    side: str
    kind: str
    words: tuple[Place, ...]
    weight: float
    factors: Mapping[str, float] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Link:
    """Words of the hypothesis matched with words of the reference (positions in the word lists).

    ``layer`` is the part of the metric that made the link (for TESLA-M a feature such as ``ms2``),
    ``kind`` says why it holds, ``weight`` how much of the words' weight flows through it. ``penalty`` is
    taken off the similarity, because of those relations of ``context`` that are not matched. ``stage`` says
    how the link was found, if the metric goes in stages.

    A link between phrases has the ``word_pairs`` that make them similar, the ``factors`` of its similarity if
    there are several, and the number (from 1) of its ``block``, a run of links that are neighbours on both
    sides.
    """

    layer: str
    kind: str
    hypothesis: tuple[Place, ...]
    reference: tuple[Place, ...]
    similarity: float
    weight: float
    penalty: float = 0.0
    stage: str = ""
    context: tuple[ContextRelation, ...] = ()
    word_pairs: tuple[WordPair, ...] = ()
    factors: Mapping[str, float] = field(default_factory=dict, hash=False)
    block: int = 0


@dataclass(frozen=True, slots=True)
class Leftover:
    """Words that found no partner, or not for all of their weight."""

    layer: str
    side: str
    words: tuple[Place, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Feature:
    """A named value that the score is made of, with the numbers behind it.

    ``value`` is ``None`` where the feature says nothing about this segment, ``contribution`` what it adds to
    a score that is a sum of features.
    """

    name: str
    description: str
    value: float | None
    details: Mapping[str, float] = field(default_factory=dict)
    contribution: float | None = None


@dataclass(frozen=True, slots=True)
class Jump:
    """The reading position of ``side`` goes from before word ``start`` to before word ``target``.

    If words are ``moved``, it is they that come to stand before ``target``; the first of them is ``start``.
    """

    side: str
    start: Gap
    target: Gap
    moved: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Edit:
    """One step of a sequence of edits that turns the reference into the hypothesis.

    ``reference`` and ``hypothesis`` are the words it reads (positions in the word lists); a ``jump`` reads
    none. ``dependencies`` are those that its words have in common on both sides. ``contribution`` is what
    the edit adds to the score, for its state, the state before and the dependencies.
    """

    state: str
    reference: tuple[Place, ...]
    hypothesis: tuple[Place, ...]
    contribution: float
    dependencies: tuple[str, ...] = ()
    jump: Jump | None = None


@dataclass(frozen=True, slots=True)
class PivotPhrase:
    """Words of one side that are read as a phrase of another language.

    ``readings`` are the phrases of that language with their probabilities, likeliest first; there is none
    for a word that is not ``known`` and stands for itself.
    """

    side: str
    language: str
    words: tuple[Place, ...]
    known: bool
    readings: Mapping[str, float] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class PivotMatch:
    """An n-gram of another language that both sides are read as, compared by ``lemma`` or by ``tag``.

    ``hypothesis`` and ``reference`` are its weights; the lesser one is matched.
    """

    language: str
    kind: str
    ngram: str
    hypothesis: float
    reference: float

    @property
    def matched(self) -> float:
        """The weight that both sides have."""
        return min(self.hypothesis, self.reference)


@dataclass(frozen=True, slots=True)
class ImprobableWord:
    """A word of the hypothesis that a language model did not expect after those before it.

    ``word`` is its position in the word list; -1 is the end of the sentence. ``log10`` is the logarithm of
    its probability, ``order`` the length of the n-gram that has it.
    """

    model: str
    word: Place
    log10: float
    order: int


@dataclass(frozen=True, slots=True)
class Span:
    """Characters ``start`` to ``end`` of a text, which may be none."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Repair:
    """An edit of the translation that can be undone, and what the score gains by that.

    ``hypothesis`` and ``reference`` say where it is in both texts, from its first word to its last.
    ``hypothesis_marks`` and ``reference_marks`` are its words alone, without what stands between words that
    moved: a span for each stretch, or one without characters where words are missing. ``before`` and
    ``after`` are the same as text. ``points`` are below 0 where undoing it lowers the score.
    """

    kind: str
    hypothesis: Span
    reference: Span
    before: str
    after: str
    points: float
    hypothesis_marks: tuple[Span, ...]
    reference_marks: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything that made one score, in the order of the text.

    ``repairs`` turn the hypothesis into the reference, those that gain most first; their points add up to
    what lies between the score and ``maximum``, that of the reference itself. They are exact, or means over
    a few orders (``exact_points``). ``matched`` is the share of words that both texts have: where it is
    small, nothing can be told apart. A metric that looks beyond the segment has no repairs and no maximum.

    ``edits`` are there if the metric works by edits, in their own order, and ``phrases`` if it links phrases.
    ``pivot_phrases`` and ``pivot_matches`` are there if the metric looks at other languages, and
    ``improbable_words``, the least probable first, if it asks language models.
    ``notes`` say what a reader must know about this very score, such as a limit that it met. What is added to
    a score of which ``higher_is_better`` does not hold is a cost. ``prediction`` is there if the metric knows
    where people's judgement lies.

    >>> explanation = metaphrase.Cobalt().explain("He slept", "He has slept")
    >>> [word.form for word in explanation.reference]
    ['He', 'has', 'slept']
    >>> [(rest.side, rest.words) for rest in explanation.leftovers]
    [('reference', (1,))]
    """

    metric: str
    signature: str
    score: float
    hypothesis_text: str
    reference_text: str
    hypothesis: tuple[Word, ...]
    reference: tuple[Word, ...]
    links: tuple[Link, ...]
    leftovers: tuple[Leftover, ...]
    features: tuple[Feature, ...]
    edits: tuple[Edit, ...] = ()
    notes: tuple[str, ...] = ()
    phrases: tuple[Phrase, ...] = ()
    pivot_phrases: tuple[PivotPhrase, ...] = ()
    pivot_matches: tuple[PivotMatch, ...] = ()
    improbable_words: tuple[ImprobableWord, ...] = ()
    higher_is_better: bool = True
    prediction: Prediction | None = None
    maximum: float | None = None
    repairs: tuple[Repair, ...] = ()
    matched: float = 1.0
    exact_points: bool = True

    def __repr__(self) -> str:
        """One line: the score, and of which texts."""
        texts = f"{shortened(self.hypothesis_text)} against {shortened(self.reference_text)}"
        return f"<Explanation {self.metric} {self.score:.4f}: {texts}>"

    def __str__(self) -> str:
        """Score, texts and repairs, as the command line shows them."""
        return str(present(self, "text"))

    def _repr_html_(self) -> str:
        """A page, for notebooks."""
        return str(present(self, "html"))

    @property
    def works_by_edits(self) -> bool:
        """Whether the metric works by edits, of which two empty sentences have none."""
        return any(feature.name == EDITS for feature in self.features)

    @property
    def word_layer(self) -> str:
        """The layer that shows best what became of each word: the first feature's, or the first there is."""
        layers = {link.layer for link in self.links} | {rest.layer for rest in self.leftovers}
        named = [feature.name for feature in self.features if feature.name in layers]
        others = [link.layer for link in self.links] + [rest.layer for rest in self.leftovers]
        return next(iter([*named, *others]), "")

    @property
    def summands(self) -> Mapping[str, float]:
        """What adds up to the score, if it is a sum of features."""
        found = ((one.description, one.contribution) for one in self.features)
        return {what: added for what, added in found if added is not None}

    def layer(self, name: str) -> tuple[Link, ...]:
        """The links that one part of the metric made.

        >>> explanation = metaphrase.TeslaM().explain("the big house", "a large house")
        >>> [link.kind for link in explanation.layer("ms2")]
        ['synonym with tag + tag', 'lemma + synonym with tag']
        """
        return tuple(link for link in self.links if link.layer == name)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and dictionaries, for JSON.

        >>> metaphrase.Ter().explain("a cat", "a dog").to_dict()["score"]
        50.0
        """
        return asdict(self)
