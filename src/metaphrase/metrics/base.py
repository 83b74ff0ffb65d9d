"""The contract of a metric: statistics that can be summed, a score made of the sum, a reason for it."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from metaphrase import analysis
from metaphrase.arrays import FloatArray, spread
from metaphrase.corpus import Corpus
from metaphrase.corpus.normalisation import NORMALISATION
from metaphrase.corpus.validation import given_references, is_listed
from metaphrase.defaults import DEFAULT_LANGUAGE
from metaphrase.entry_points import Origin
from metaphrase.errors import OptionError
from metaphrase.languages import canonical_language
from metaphrase.metrics.comparison import Comparison, check_documents
from metaphrase.metrics.corpus_counts import CorpusCounts, CorpusTotals
from metaphrase.metrics.explanation import Explanation
from metaphrase.metrics.explanation_contrast import Contrast, contrast
from metaphrase.metrics.located_words import Explain, viewed_as_given
from metaphrase.metrics.prediction import Predictions
from metaphrase.metrics.published import Difference, substituted
from metaphrase.metrics.ragged_references import of_any_references
from metaphrase.metrics.score import Score
from metaphrase.metrics.signature import ReferenceCount, Signature, spell
from metaphrase.metrics.text_table import TextTable
from metaphrase.options import Option, check_options, option, options
from metaphrase.statistics.exact_sum import ExactSum
from metaphrase.threads import check_threads
from metaphrase.trained.preference_table import PreferenceTable
from metaphrase.version import __version__

if TYPE_CHECKING:
    from metaphrase.corpus.ratings import MarkedError
    from metaphrase.metrics.explaining import CorpusExplainer
    from metaphrase.metrics.refusals import OnError
    from metaphrase.metrics.repairs import MarkedSegment, RepairedSegment, Severities
    from metaphrase.metrics.sifted_statistics import SiftedStatistics


def best_rows(rows: Iterable[FloatArray], score: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """Of each segment the row with the best score, given those of one reference after the other."""
    first, *others = rows
    if not others:
        return first
    candidates = np.stack([first, *others])
    best = np.argmax([score(of_reference) for of_reference in candidates], axis=0)
    return np.asarray(candidates[best, np.arange(len(best))])


def _with_repairs(view: Explain[Any]) -> Explain[Any]:
    """What the metric shows of itself, and repairs."""

    @wraps(view)
    def explain(metric: Metric, hypothesis: str, reference: str) -> Explanation:
        from metaphrase.metrics.explaining import explain_pair_alone

        return explain_pair_alone(metric, view(metric, hypothesis, reference))

    return explain


class TrainedModel(Protocol):
    """What is asked of every model: the language that it is of, and what it says of its training."""

    @property
    def lang(self) -> str:
        """The code of a language."""

    @property
    def training(self) -> Mapping[str, Any]:
        """Data, options and the command, as they stand in the file of the model."""


@dataclass(frozen=True, kw_only=True)
class Metric(ABC):
    """A metric is its options: a frozen dataclass whose fields (:func:`option`) say all that can be chosen.

    A sub-class states the class variables, ``statistics`` and, unless it is a mean, ``score``. Whatever is
    summed — segments of a document, of a system, of a bootstrap resample — is summed over rows of
    ``statistics`` and goes through ``score``, so that no aggregate ever reads text again.

    >>> metric = metaphrase.Ter(case_sensitive=True)
    >>> metric
    Ter(case_sensitive=True)
    >>> metric == metaphrase.create("ter:case_sensitive=yes")
    True
    """

    name: ClassVar[str]
    #: One line for ``metaphrase metrics``, and the paper.
    summary: ClassVar[str]
    citation: ClassVar[str]
    higher_is_better: ClassVar[bool] = True
    #: Decimals that tables show of its scores, where its bounds do not tell whether they are out of 1 or 100.
    decimals: ClassVar[int | None] = None
    #: Of a plug-in, and set by whoever loads it.
    origin: ClassVar[Origin | None] = None
    #: Options that have a name together: ``NAME:VARIANT`` stands for them.
    variants: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    #: Of the variant ``paper``: what it must replace; and where the defaults differ from it.
    substituted: ClassVar[tuple[Difference, ...]] = ()
    departures: ClassVar[tuple[Difference, ...]] = ()
    #: Options without which there is nothing to run.
    needs_options: ClassVar[tuple[str, ...]] = ()
    #: The option that takes the rest of a specification, as it is written: ``exec:COMMAND``.
    rest_option: ClassVar[str | None] = None
    #: What signatures say before everything else, in this order.
    signed_first: ClassVar[tuple[str, ...]] = ("lang", "analyser")

    lang: str = option(
        DEFAULT_LANGUAGE, "the language of the texts, by its code or its name", names_files=False
    )
    #: Metrics that must give somebody else's numbers declare ``normalise: ClassVar[bool] = False`` instead.
    normalise: bool = option(
        True,
        "compare texts without differences of Unicode and typography; ``no`` compares them byte by byte",
        signed=False,  # as ``norm``, by the name of what is done
    )

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)
        # A dataclass writes one of its own, with every option, where a class has none.
        if "__repr__" not in vars(cls):
            cls.__repr__ = Metric.__repr__  # type: ignore[method-assign]
        if "statistics" in vars(cls):
            cls.statistics = of_any_references(cls.statistics)  # type: ignore[method-assign]
        if "explain" in vars(cls):
            view = viewed_as_given(cls.explain)
            cls._view = view  # type: ignore[method-assign, assignment]
            cls.explain = _with_repairs(view)  # type: ignore[method-assign, assignment]

    def __repr__(self) -> str:
        """The options that are not the default, as the constructor takes them."""
        chosen = (
            f"{name}={value!r}"
            for name, one in options(self).items()
            if (value := getattr(self, name)) != one.default
        )
        return f"{type(self).__name__}({', '.join(chosen)})"

    def __new__(cls, *args: Any, **chosen: Any) -> Metric:
        """Refuse unknown options with a code before the dataclass would with a ``TypeError``."""
        known = options(cls)
        for name in chosen:
            if name not in known:
                close = get_close_matches(name, known, n=1)
                raise OptionError(
                    "MP501",
                    f"{cls.name} has no option {name!r}.",
                    hint=f"Did you mean {close[0]!r}?" if close else f"It has: {', '.join(known)}.",
                )
        return super().__new__(cls)

    def __post_init__(self) -> None:
        """Check each option; sub-classes check what must go together."""
        check_options(self, owner=self.name)
        object.__setattr__(self, "lang", canonical_language(self.lang))

    @property
    def specification(self) -> str:
        """How the command line asks for this metric: its name, variant and other options, if any.

        >>> metaphrase.Cobalt(alpha=0.5).specification
        'cobalt:alpha=0.5'
        """
        name, changed = self._spelling({"lang"})
        chosen = (f"{one.name}={spell(getattr(self, one.name), exact=True)}" for one in changed)
        return ":".join([name, *chosen])

    @property
    def variant_name(self) -> str:
        """Its name and that of its variant, whatever its other options.

        >>> metaphrase.create("cobalt:released:alpha=0.5").variant_name
        'cobalt:released'
        """
        return self._spelling({"lang", "analyser"})[0]

    @property
    def label(self) -> str:
        """What results call it: its specification, without the analyser and with files by their names.

        >>> metaphrase.TeslaM(alpha=0.5, analyser="spacy:en_core_web_sm").label
        'tesla-m:alpha=0.5'
        """
        name, changed = self._spelling({"lang", "analyser"})
        return ":".join([name, *(f"{one.name}={self._short(one)}" for one in changed)])

    def _short(self, one: Option) -> str:
        text = spell(getattr(self, one.name))
        if not one.may_name_a_file:
            return text
        return text.removeprefix("file:").replace("\\", "/").rpartition("/")[2]

    def _spelling(self, without: Collection[str]) -> tuple[str, list[Option]]:
        """Name and variant, and the options beside them, of which there are as few as can be."""
        spellings = []
        for variant, chosen in {"": {}, **self.variants}.items():
            changed = [
                one
                for name, one in options(self).items()
                if name not in without and getattr(self, name) != chosen.get(name, one.default)
            ]
            spellings.append((":".join(filter(None, [self.name, variant])), changed))
        return min(spellings, key=lambda spelling: len(spelling[1]))

    @property
    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest score there can be."""
        return 0.0, 1.0

    @property
    def worst(self) -> float:
        """The score of a translation that is worth nothing, against which errors are weighed.

        It is the worst that there can be, which may be infinite.
        """
        low, high = self.bounds
        return low if self.higher_is_better else high

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
    def gathers(self) -> bool:
        """Whether what it needs of the whole corpus can be counted piece by piece, by ``gather``.

        ``statistics`` of a piece are then those of the whole corpus, to the last bit, if the comparison has
        the totals (``of_corpus``).
        """
        return False

    def gather(self, comparisons: Sequence[Comparison]) -> CorpusCounts:
        """What a piece of a corpus has of all that is counted; there is a comparison for each system.

        >>> corpus = metaphrase.Corpus({"mine": ["a cat sat"]}, [["a cat slept"]])
        >>> metric = metaphrase.Nist(orders=1)
        >>> comparisons = list(metaphrase.metrics.compare(corpus, metric))
        >>> metric.gather(comparisons).counts.tolist()  # all words, and each
        [3, 1, 1, 1]
        """
        raise OptionError("MP940", f"{self.name} counts nothing in the whole corpus.")

    @property
    def combines_references(self) -> str:
        """Which score counts if a segment has several references: their ``mean``, or the ``best``.

        It is neither, but ``joint``, if the references are looked at together.
        """
        return "mean"

    @property
    def trained(self) -> TrainedModel | None:
        """The model that has learned from human judgements, if the metric asks one."""
        return None

    @property
    def pretrained(self) -> bool:
        """Whether it asks a network that has read far more text than judgements: tables say so."""
        return False

    @property
    def own_spans(self) -> bool:
        """Whether it marks errors itself, so that ``error_spans`` asks for no repairs."""
        return False

    @property
    def needs_documents(self) -> bool:
        """Whether it cannot score segments without document ids."""
        return False

    @property
    def needs_sources(self) -> bool:
        """Whether it cannot score segments without their sources."""
        return False

    @property
    def is_mean(self) -> bool:
        """Whether the score of many segments is the mean of their scores, so that these may have weights."""
        own = type(self)
        return own.score is Metric.score and own.segment_score is Metric.segment_score

    @abstractmethod
    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        """One row of k numbers per segment; rows may be added up.

        >>> corpus = metaphrase.Corpus({"mine": ["a cat sat", "no"]}, [["a cat slept", "yes"]])
        >>> (comparison,) = metaphrase.metrics.compare(corpus, metaphrase.Ter())
        >>> metaphrase.Ter().statistics(comparison).tolist()  # edits, and words of the reference
        [[1.0, 3.0], [1.0, 1.0]]
        """

    def score(self, statistics: FloatArray) -> FloatArray:
        """Scores of (sums of) rows: an array of shape (…, k) becomes one of shape (…).

        By default the mean of the segments' scores, whose statistics begin with the score and 1.

        >>> rows = np.array([[1.0, 3.0], [1.0, 1.0]])  # of two segments, as statistics gives them
        >>> metaphrase.Ter().score(rows.sum(axis=0))
        array(50.)
        """
        return np.asarray(statistics[..., 0] / statistics[..., 1])

    def segment_score(self, statistics: FloatArray) -> FloatArray:
        """Scores of single segments, where a metric treats them differently from sums.

        >>> metaphrase.Ter().segment_score(np.array([[1.0, 4.0], [1.0, 1.0]]))
        array([ 25., 100.])
        """
        return self.score(statistics)

    def prediction_interval(
        self, scores: FloatArray, segments: FloatArray
    ) -> tuple[FloatArray, FloatArray] | None:
        """Between which scores people's judgement lies, of means over so many segments.

        ``None`` if the metric does not know.

        >>> metaphrase.Bleu().prediction_interval(np.array([30.0]), np.array([1.0])) is None
        True
        """
        return None

    @property
    def prediction_coverage(self) -> float | None:
        """In which share of cases people's judgement lies in ``prediction_interval``."""
        return None

    def predict(self, scores: FloatArray, segments: FloatArray) -> Predictions | None:
        """The interval and its coverage, if the metric knows them.

        >>> accord = metaphrase.Accord()
        >>> one, many = accord.predict(np.array([80.0, 80.0]), segments=np.array([1.0, 1000.0]))
        >>> one.low < many.low < 80 < many.high < one.high
        True
        """
        interval, coverage = self.prediction_interval(scores, segments), self.prediction_coverage
        return None if interval is None or coverage is None else Predictions(*interval, coverage)

    @property
    def preferences(self) -> PreferenceTable | None:
        """How often raters prefer what scores higher; ``None`` if nobody has measured it."""
        return None

    def preference(self, difference: float, segments: float = 1) -> float | None:
        """The probability that raters prefer the one of two that scores higher.

        Both are means over the same number of segments, by scores that differ by so much. ``None`` if nobody
        has measured it.

        >>> accord = metaphrase.Accord()
        >>> 0.5 < accord.preference(10.0) < accord.preference(10.0, segments=500) < 1
        True
        >>> metaphrase.Bleu().preference(10.0) is None
        True
        """
        table = self.preferences
        return None if table is None else table.probability(difference, segments)

    def caution(self, total: FloatArray) -> str | None:
        """What readers must know about the scores of segments whose statistics sum to ``total``.

        It is asked for of all segments together, however the corpus was cut up.

        >>> metaphrase.Ter().caution(np.array([1.0, 3.0])) is None
        True
        """
        return None

    def signature(self, references: ReferenceCount | None = None) -> Signature:
        """All that influences the number; ``references`` is how many each segment had, or ``var``.

        >>> print(metaphrase.Chrf().signature(references=1))
        chrf|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|sacrebleu:...
        """
        return self._signature(references).coming_from(self.origin)

    def _signature(self, references: ReferenceCount | None) -> Signature:
        items = {"nrefs": references, **self.signed()}
        if "normalise" in options(self):
            items["norm"] = NORMALISATION if self.normalise else "none"
        items["substituted"] = ",".join(one.part for one in substituted(self)) or None
        return Signature.of(self.name, {**items, "version": __version__})

    def signed(self) -> dict[str, object]:
        """What the signature says of this metric: the analyser, and each option as it was declared.

        A sub-class puts other values in their place where a default or a file decides, and adds what else
        influences the number. A model or lexicon is written as its name and the hash of its content.

        >>> metaphrase.Cobalt(alpha=0.5).signed()["alpha"]
        0.5
        """
        items: dict[str, object] = dict.fromkeys(self.signed_first)
        for name, one in options(self).items():
            if one.key is not None:
                value = getattr(self, name)
                is_number = one.kind.startswith("float") and value is not None
                items[one.key] = float(value) if is_number else value
        if self.analyser_name is not None:
            analyser = analysis.shared(self.analyser_name)
            items["analyser"] = f"{analyser.name}@{analyser.fingerprint(self.columns)}"
        return items

    def table(self, texts: Sequence[str], *, threads: int = 1) -> TextTable:
        """Texts to compare each with each, every one of them read once.

        >>> table = metaphrase.Chrf().table(["a cat", "the cat"])
        >>> table.matrix([0, 1], [1]).round(1).tolist()
        [[31.2], [100.0]]
        """
        return TextTable(self, texts, threads=threads)

    def explain(self, hypothesis: str, reference: str) -> Explanation:
        """Why ``hypothesis`` scores as it does against ``reference``.

        >>> explanation = metaphrase.Cobalt().explain("The big house", "The large house")
        >>> explanation
        <Explanation cobalt 0.9176: 'The big house' against 'The large house'>
        >>> [(explanation.reference[link.reference[0]].form, link.kind) for link in explanation.links]
        [('The', 'identical'), ('large', 'synonym'), ('house', 'identical')]
        """
        from metaphrase.metrics.explaining import explain_pair_alone

        return explain_pair_alone(self, self._view(hypothesis, reference))

    def _view(self, hypothesis: str, reference: str) -> Explanation:
        """What the metric shows of itself, without repairs: nothing, if it has no ``explain`` of its own."""
        from metaphrase.metrics.explaining import bare_view

        return viewed_as_given(bare_view)(self, hypothesis, reference)

    def repairs(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str],
        *,
        sources: Sequence[str] | None = None,
        of_corpus: CorpusTotals | None = None,
        threads: int | None = None,
    ) -> list[RepairedSegment]:
        """What undoing each edit of each hypothesis gains; the points add up to ``maximum - score``.

        Any metric that scores segments by themselves can be asked: it is given the hypothesis with some
        edits undone. ``sources`` tell what was left untranslated, and are for metrics that read them.
        ``of_corpus`` is what a metric that looks beyond the segment has counted in the whole corpus.

        >>> (found,) = metaphrase.Chrf().repairs(["The big cat sat."], ["The small cat sat."])
        >>> [(repair.kind, repair.before, repair.after) for repair in found.repairs]
        [('wrong word', 'big', 'small')]
        >>> found.repairs[0].points == found.maximum - found.score
        True
        """
        from metaphrase.metrics.repairs import repairs

        found = repairs(
            self, hypotheses, references, sources=sources, of_corpus=of_corpus, threads=threads
        )
        return list(found)

    def error_spans(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str | None]],
        *,
        sources: Sequence[str] | None = None,
        severities: Severities | None = None,
        threads: int | None = None,
    ) -> list[tuple[MarkedError, ...]]:
        """The errors of each hypothesis as raters mark them: place, severity and kind, and the points lost.

        They are the repairs that gain enough (``severities``, in percent of the scale), with the reference
        that the hypothesis scores best with. Places are characters of the hypothesis, sorted, and do not
        overlap; missing words have none. Where under a fifth of the words match, the whole is one error.

        >>> (errors,) = metaphrase.Chrf().error_spans(["The big cat sat."], [["The small cat sat."]])
        >>> [(error.severity, error.category, error.span) for error in errors]
        [('major', 'wrong word', (4, 7))]
        """
        found = self.marked_segments(
            hypotheses, references, sources=sources, severities=severities, threads=threads
        )
        return [one.errors for one in found]

    def marked_segments(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str | None]],
        *,
        sources: Sequence[str] | None = None,
        severities: Severities | None = None,
        threads: int | None = None,
    ) -> list[MarkedSegment]:
        """The same with the score of each segment, and where it stands on the metric's scale.

        >>> (found,) = metaphrase.Ter().marked_segments(["a cat sat"], [["a cat slept"]])
        >>> round(found.score, 1), len(found.errors)
        (33.3, 1)
        """
        from metaphrase.metrics.repairs import SEVERITIES, marked_segments

        columns = reference_columns(hypotheses, references)
        corpus = Corpus(
            {"hypotheses": hypotheses}, columns, sources=sources, empty_references="keep"
        )
        found = marked_segments(
            self,
            corpus.systems["hypotheses"],
            corpus.references,
            sources=corpus.sources,
            severities=SEVERITIES if severities is None else severities,
            threads=threads,
        )
        return list(found)

    def contrast(self, one: str, other: str, reference: str) -> Contrast:
        """Why one of two translations scores higher than the other, which may be either.

        >>> metaphrase.Ter().contrast("a cat slept", "cat slept", "a cat slept")
        <Contrast ter: 0.0000 'a cat slept' against 33.3333 'cat slept'>
        """
        return contrast(self.explain(one, reference), self.explain(other, reference))

    def explainer(self, corpus: Corpus) -> CorpusExplainer:
        """What explains segments of ``corpus``: of a system, in a row, with a reference.

        Sources, documents and what the metric knows of the whole corpus are those of ``corpus``.

        >>> corpus = metaphrase.Corpus({"mine": ["a cat sat"]}, [["a cat slept"]])
        >>> metaphrase.Ter().explainer(corpus)("mine", 0, 0)
        <Explanation ter 33.3333: 'a cat sat' against 'a cat slept'>
        """
        from metaphrase.metrics.explaining import CorpusExplainer

        return CorpusExplainer(self, corpus)

    def viewer(self, corpus: Corpus) -> Callable[[str, int, int], Explanation]:
        """A function for what the metric shows of itself, without repairs, of a segment of ``corpus``.

        Metrics that look beyond the segment override it.

        >>> corpus = metaphrase.Corpus({"mine": ["a cat sat"]}, [["a cat slept"]])
        >>> metaphrase.Ter().viewer(corpus)("mine", 0, 0).repairs
        ()
        """

        def view(system: str, row: int, reference: int) -> Explanation:
            return self._view(corpus.systems[system][row], corpus.text(reference, row))

        return view

    @classmethod
    def explains(cls) -> bool:
        """Whether the metric has an ``explain`` of its own, which shows more than repairs.

        >>> metaphrase.Cobalt.explains()
        True
        """
        return cls.explain is not Metric.explain

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str | None]] | None = None,
        *,
        segment_references: Sequence[Sequence[str | None]] | None = None,
        sources: Sequence[str] | None = None,
        documents: Sequence[str] | None = None,
        threads: int | None = None,
        on_error: OnError = "stop",
    ) -> Score:
        """The system score of ``hypotheses``; ``references[r][i]`` is the r-th one of segment i.

        Where segments have different numbers of references, ``segment_references[i]`` are those of segment i.
        ``sources[i]`` is what was translated, for metrics that read it; ``documents[i]`` is the id of the
        document that segment i belongs to. Without ``threads`` all cores are used. ``on_error="skip"``
        leaves out segments that the metric refuses, as if they had not been given; ``Score.refusals`` says
        which and why.

        >>> metaphrase.Ter().corpus_score(["a cat sat", "no"], [["a cat slept", "no"]])
        <Score ter 25.0000>
        >>> metaphrase.Ter().corpus_score(
        ...     ["a cat sat", "no"], segment_references=[["a cat slept", "the cat sat"], ["no"]]
        ... )
        <Score ter 25.0000>
        """
        columns = given_references(references, segment_references)
        found = self._sifted(hypotheses, columns, sources, documents, threads, on_error)
        total = ExactSum()
        total.add(found.rows[found.kept])
        self._warn(total.value())
        return self._named(self.score(total.value()[None]), int(found.kept.sum()), found)

    def segment_scores(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str | None]] | None = None,
        *,
        segment_references: Sequence[Sequence[str | None]] | None = None,
        sources: Sequence[str] | None = None,
        documents: Sequence[str] | None = None,
        threads: int | None = None,
        on_error: OnError = "stop",
    ) -> FloatArray:
        """The score of each segment, in order: an array of doubles.

        References are given as to :meth:`corpus_score`.
        What else a :class:`Score` says, ``signature`` and ``predict`` tell for all of them. With
        ``on_error="skip"`` it is NaN of a segment that the metric refuses.

        >>> metaphrase.Ter().segment_scores(["a cat sat on mats", "no"], [["a cat sat on it", "no"]])
        array([20.,  0.])
        """
        columns = given_references(references, segment_references)
        return self._segment_scores(
            self._sifted(hypotheses, columns, sources, documents, threads, on_error)
        )

    def sentence_score(
        self, hypothesis: str, references: Sequence[str], *, source: str | None = None
    ) -> Score:
        """The segment score of one hypothesis with one or several references.

        >>> metaphrase.Ter().sentence_score("a cat sat", ["a cat slept", "the cat sat"])
        <Score ter 33.3333>
        """
        if not is_listed(references):
            raise OptionError(
                "MP107", "the references of one sentence are a list.", hint="Write [reference]."
            )
        columns = [[text] for text in references]
        if self.needs_documents:
            check_documents(
                Corpus({"hypothesis": [hypothesis]}, columns),
                self,
                hint="One sentence is no document: call segment_scores with all segments and documents=[…].",
            )
        sources = None if source is None else [source]
        found = self._sifted([hypothesis], columns, sources, None, 1, "stop")
        return self._named(self._segment_scores(found), 1, found)

    def _segment_scores(self, found: SiftedStatistics) -> FloatArray:
        self._warn(found.rows[found.kept].sum(axis=0), stacklevel=4)
        scores = np.asarray(self.segment_score(found.rows[found.kept]), dtype=np.float64)
        return scores if found.kept.all() else spread(scores, found.kept)

    def _sifted(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str | None]],
        sources: Sequence[str] | None,
        documents: Sequence[str] | None,
        threads: int | None,
        on_error: OnError,
    ) -> SiftedStatistics:
        from metaphrase.metrics.sifted_statistics import sifted_statistics

        workers = check_threads(threads)
        columns = reference_columns(hypotheses, references)
        corpus = Corpus({"hypotheses": hypotheses}, columns, sources=sources, documents=documents)
        return sifted_statistics(corpus, self, threads=workers, on_error=on_error)

    def _warn(self, total: FloatArray, *, stacklevel: int = 3) -> None:
        if caution := self.caution(total):
            warnings.warn(caution, stacklevel=stacklevel)

    def _named(self, value: FloatArray, segments: int, found: SiftedStatistics) -> Score:
        """The score that ``value`` has only one of, the mean of so many segments."""
        predictions = self.predict(value, np.array([segments], dtype=np.float64))
        return Score(
            self.label,
            float(value[0]),
            self.signature(found.references).without(found.skipped),
            self.higher_is_better,
            None if predictions is None else predictions[0],
            found.refusals,
        )


def reference_columns(
    hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]
) -> list[Sequence[str | None]]:
    """The references, each a list as the hypotheses are: a single text would be one of characters."""
    columns = list(references) if is_listed(references) else [""]
    if not all(map(is_listed, (hypotheses, *columns))):
        raise OptionError(
            "MP107",
            "hypotheses are a list, references a list of lists, one per reference translation.",
            hint="Give a list of references for each column: [references]."
            if is_listed(hypotheses)
            else "Give a list of hypotheses, also of one: [hypothesis].",
        )
    return columns
