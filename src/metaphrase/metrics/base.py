"""The contract of a metric: statistics that can be summed, a score made of the sum, a reason for it."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any, ClassVar

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus import Corpus
from metaphrase.errors import OptionError
from metaphrase.metrics.comparison import Comparison, check_documents, compare
from metaphrase.metrics.explanation import Explanation
from metaphrase.metrics.options import check_types
from metaphrase.metrics.signature import Signature, spell
from metaphrase.statistics.exact_sum import ExactSum


@dataclass(frozen=True, slots=True)
class Score:
    """A number with what made it."""

    name: str
    score: float
    signature: Signature
    higher_is_better: bool

    def __float__(self) -> float:
        return self.score

    def __format__(self, specification: str) -> str:
        return format(self.score, specification) if specification else str(self)

    def __str__(self) -> str:
        return f"{self.signature} = {self.score:.4f}"


@dataclass(frozen=True, kw_only=True)
class Metric(ABC):
    """A metric is its options: a frozen dataclass whose fields say all that can be chosen.

    A sub-class states the class variables, ``statistics`` and, unless it is a mean, ``score``. Whatever is
    summed — segments of a document, of a system, of a bootstrap resample — is summed over rows of
    ``statistics`` and goes through ``score``, so that no aggregate ever reads text again.
    """

    name: ClassVar[str]
    #: One line for ``metaphrase metrics``, and the paper.
    summary: ClassVar[str]
    citation: ClassVar[str]
    higher_is_better: ClassVar[bool] = True
    #: The lowest and the highest score there can be.
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    #: Options that have a name together: ``NAME:VARIANT`` stands for them.
    variants: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    lang: str = "en"

    def __new__(cls, *args: Any, **options: Any) -> Metric:
        """Refuse unknown options with a code before the dataclass would with a ``TypeError``."""
        known = [field.name for field in fields(cls)]
        for option in options:
            if option not in known:
                close = get_close_matches(option, known, n=1)
                raise OptionError(
                    "MP501",
                    f"{cls.name} has no option {option!r}.",
                    hint=f"Did you mean {close[0]!r}?" if close else f"It has: {', '.join(known)}.",
                )
        return super().__new__(cls)

    def __post_init__(self) -> None:
        """Check the options; sub-classes add what they know of their own."""
        check_types(self)

    @property
    def specification(self) -> str:
        """How the command line asks for this metric: its name, variant and other options, if any."""
        label, changed = self._spelling()
        return ":".join([label, *changed])

    @property
    def label(self) -> str:
        """What results call it: its name, and the variant, which readers take for a metric of its own."""
        return self._spelling()[0]

    def _spelling(self) -> tuple[str, list[str]]:
        """Name and variant, and the options beside them, of which there are as few as can be."""
        spellings = []
        for variant, options in {"": {}, **self.variants}.items():
            changed = [
                f"{field.name}={spell(getattr(self, field.name))}"
                for field in fields(self)
                if field.name != "lang"
                and getattr(self, field.name) != options.get(field.name, field.default)
            ]
            spellings.append((":".join(filter(None, [self.name, variant])), changed))
        return min(spellings, key=lambda spelling: len(spelling[1]))

    @property
    def columns(self) -> frozenset[str]:
        """The columns of a sentence it reads; empty: it reads the text itself."""
        return frozenset()

    @property
    def analyser_name(self) -> str | None:
        """The registry name of the analyser whose sentences ``statistics`` reads, if it reads any."""
        return None

    @property
    def needs_whole_corpus(self) -> bool:
        """Whether ``statistics`` of a segment depend on the others, so that no corpus may be cut up."""
        return False

    @property
    def combines_references(self) -> str:
        """Which score counts if a segment has several references: their ``mean``, or the ``best``.

        It is none of the two, but ``joint``, if the references are looked at together.
        """
        return "mean"

    @property
    def needs_documents(self) -> bool:
        """Whether it cannot score segments without document ids."""
        return False

    @abstractmethod
    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        """One row of k numbers per segment; rows may be added up."""

    def score(self, statistics: FloatArray) -> FloatArray:
        """Scores of (sums of) rows: an array of shape (…, k) becomes one of shape (…).

        By default the mean of the segments' scores, whose statistics begin with the score and 1.
        """
        return np.asarray(statistics[..., 0] / statistics[..., 1])

    def segment_score(self, statistics: FloatArray) -> FloatArray:
        """Scores of single segments, where a metric treats them otherwise than sums."""
        return self.score(statistics)

    def caution(self, total: FloatArray) -> str | None:
        """What readers must know about the scores of segments whose statistics sum to ``total``.

        It is asked for once a system, however the corpus was cut up.
        """
        return None

    @abstractmethod
    def signature(self, references: int | None = None) -> Signature:
        """All that influences the number; ``references`` is how many each segment had."""

    def explain(self, hypothesis: str, reference: str) -> Explanation:
        """Why ``hypothesis`` scores as it does against ``reference``."""
        raise OptionError(
            "MP502",
            f"{self.name} cannot explain its scores.",
            hint="`metaphrase metrics` shows which metrics can.",
        )

    def explainer(self, corpus: Corpus) -> Callable[[str, int, int], Explanation]:
        """A function that explains a segment of ``corpus``: of a system, in a row, with a reference.

        It is for metrics that look beyond the segment; for others it is ``explain``.
        """

        def explain(system: str, row: int, reference: int) -> Explanation:
            return self.explain(corpus.systems[system][row], corpus.references[reference][row])

        return explain

    @classmethod
    def explains(cls) -> bool:
        """Whether the metric has an ``explain`` of its own."""
        return cls.explain is not Metric.explain

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]],
        *,
        documents: Sequence[str] | None = None,
        threads: int = 1,
    ) -> Score:
        """The system score of ``hypotheses``; ``references[r][i]`` is the r-th one of segment i.

        ``documents[i]`` is the id of the document that segment i belongs to.
        """
        comparison = self._compare(hypotheses, references, documents)
        total = ExactSum()
        total.add(self.statistics(comparison, threads=threads))
        self._warn(total.value())
        return self._score(self.score(total.value()[None])[0], comparison)

    def segment_scores(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]],
        *,
        documents: Sequence[str] | None = None,
        threads: int = 1,
    ) -> list[Score]:
        """The score of each segment, in order."""
        comparison = self._compare(hypotheses, references, documents)
        statistics = self.statistics(comparison, threads=threads)
        self._warn(statistics.sum(axis=0))
        values = self.segment_score(statistics)
        return [self._score(value, comparison) for value in values]

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> Score:
        """The segment score of one hypothesis with one or several references."""
        if isinstance(references, str) or not isinstance(references, Iterable):
            raise OptionError(
                "MP503", "the references of one sentence are a list.", hint="Write [reference]."
            )
        columns = [[text] for text in references]
        if self.needs_documents:
            check_documents(
                Corpus({"hypothesis": [hypothesis]}, columns),
                self,
                hint="One sentence is no document: call segment_scores with all segments and documents=[…].",
            )
        return self.segment_scores([hypothesis], columns)[0]

    def _compare(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]],
        documents: Sequence[str] | None,
    ) -> Comparison:
        wrong = OptionError(
            "MP503",
            "hypotheses are a list, references a list of lists, one per reference translation.",
            hint="Write corpus_score(hypotheses, [references]).",
        )
        if isinstance(hypotheses, str) or not isinstance(references, Iterable):
            raise wrong
        columns = list(references)
        if any(isinstance(texts, str) for texts in columns):
            raise wrong
        corpus = Corpus({"hypotheses": hypotheses}, columns, documents=documents)
        return next(compare(corpus, self, first=0))

    def _warn(self, total: FloatArray) -> None:
        if caution := self.caution(total):
            warnings.warn(caution, stacklevel=3)

    def _score(self, value: float, comparison: Comparison) -> Score:
        signature = self.signature(len(comparison.references))
        return Score(self.label, float(value), signature, self.higher_is_better)
