"""What a metric is given: one system's hypotheses beside their references."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast, overload

import numpy as np

from metaphrase import analysis
from metaphrase.analysis import Analyser, Batch
from metaphrase.arrays import BoolArray, Int32Array, Int64Array, one_line
from metaphrase.corpus import Corpus
from metaphrase.corpus.normalisation import is_blank
from metaphrase.corpus.validation import Column
from metaphrase.errors import InputError, excerpt
from metaphrase.matching.word_alignment import MOST_CELLS
from metaphrase.metrics.corpus_counts import CorpusTotals

if TYPE_CHECKING:
    from metaphrase.metrics.base import Metric

Made = TypeVar("Made")
_SPLIT = "Split it into sentences."


class Takeable(Protocol):
    """What is made of texts, row by row."""

    def take(self, rows: Int32Array) -> Any:
        """What was made of these rows."""


Rows = TypeVar("Rows", bound=Takeable)


@dataclass(frozen=True, slots=True, eq=False)
class Analysed:
    """Sentences of a comparison: one batch, in which each distinct text stands once.

    Hypothesis i is ``batch[hypotheses[i]]``, its r-th reference ``batch[references[r][i]]``.
    """

    batch: Batch
    hypotheses: Int32Array
    references: Sequence[Int32Array]

    __repr__ = one_line


class RowTexts(Sequence[str]):
    """Texts by their rows in a list in which each distinct one stands once."""

    def __init__(self, distinct: Sequence[str], rows: Int32Array) -> None:
        self.distinct = distinct
        self.rows = rows

    @classmethod
    def of(cls, texts: Sequence[str]) -> RowTexts:
        """Every text in its place."""
        return cls(texts, np.arange(len(texts), dtype=np.int32))

    def take(self, rows: Int32Array) -> RowTexts:
        """These rows, each as often as it is named."""
        return RowTexts(self.distinct, self.rows[rows])

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> RowTexts: ...
    def __getitem__(self, index: int | slice) -> str | RowTexts:
        if isinstance(index, slice):
            return RowTexts(self.distinct, self.rows[index])
        return self.distinct[int(self.rows[index])]

    def __iter__(self) -> Iterator[str]:
        return map(self.distinct.__getitem__, self.rows.tolist())

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comparison:
    """Texts of equal number: ``references[r][i]`` is the r-th reference of ``hypotheses[i]``.

    They are normalised unless the metric compares bytes (``Metric.normalise``); sources never are.

    ``documents[i]`` is the id of the document that segment i belongs to, if the corpus has such ids.
    ``first`` is the number of the first segment in its corpus, from 0, if the segments are numbered.
    ``of_corpus`` has what the metric gathered of the whole corpus, of which these segments are a part then.
    ``sentences`` are there when the metric's ``columns`` ask for them; ``analysed`` takes that for granted.

    Where segments have different numbers of references, it is ``ragged``: ``references`` have ``None`` in
    them, and sentences of row -1. No metric sees that, but its parts (:mod:`.ragged_references`), of which
    ``rows`` says where they are in the whole.
    """

    hypotheses: Sequence[str]
    references: Sequence[Sequence[str]]
    sources: Sequence[str] | None = None
    documents: Sequence[str] | None = None
    system: str = ""
    first: int | None = None
    of_corpus: CorpusTotals | None = None
    sentences: Analysed | None = None
    ragged: bool = False
    rows: Int64Array | None = None
    _made: dict[str, Any] = field(default_factory=dict)
    _made_of_all: dict[str, Any] = field(default_factory=dict)

    __repr__ = one_line

    def kept(self, name: str, make: Callable[[], Made]) -> Made:
        """``make()``, kept under ``name`` for the other systems with these references."""
        return _kept(self._made, name, make)

    def kept_of_all(self, name: str, make: Callable[[], Made]) -> Made:
        """``make()``, of all sentences, kept under ``name`` for whatever is compared of them."""
        return _kept(self._made_of_all, name, make)

    def sides(
        self,
        make: Callable[[Sequence[str]], Rows],
        make_references: Callable[[Sequence[str]], Rows] | None = None,
    ) -> tuple[Rows, list[Rows]]:
        """What ``make`` makes of the hypotheses and of each reference's texts.

        It is made once of each text that rows name, and once of references for all systems.
        ``make_references`` is for metrics that read references otherwise.
        """
        of_references = make_references or make

        def rows(name: str, texts: Sequence[str], make: Callable[[Sequence[str]], Rows]) -> Rows:
            if not isinstance(texts, RowTexts):
                return make(texts)
            made = self.kept_of_all(name, lambda: make(texts.distinct))
            taken: Rows = made.take(texts.rows)
            return taken

        name = "texts" if make_references is None else "texts of references"
        references = self.kept(
            "references", lambda: [rows(name, texts, of_references) for texts in self.references]
        )
        return rows("texts", self.hypotheses, make), references

    @property
    def analysed(self) -> Analysed:
        """The sentences, for a metric that has asked for them."""
        assert self.sentences is not None
        return self.sentences

    @property
    def blank(self) -> BoolArray:
        """Which segments have no text on either side: nothing was to be translated, and nothing was.

        They score what a sentence scores against itself.
        """
        sides = [_blank(texts) for texts in (self.hypotheses, *self.references)]
        return np.asarray(np.logical_and.reduce(sides))

    def place(self, row: int) -> str:
        """How to name a segment to a reader: by its number and system if it has them, and by its text."""
        return _place(self.hypotheses[row], self._number(row), self.system)

    def blamed(self, row: int, error: InputError) -> InputError:
        """The error with the number and the system of the segment that it is about."""
        return _blamed(self._number(row), self.system, error)

    @contextmanager
    def named_refusals(self) -> Iterator[None]:
        """Say which segment a kernel refuses that got a pair for each."""
        try:
            yield
        except InputError as error:
            if error.row is None:
                raise
            fault = f"{self.place(error.row)}{error.fault}."
            raise self.blamed(error.row, InputError(error.code, fault, hint=_SPLIT)) from error

    @contextmanager
    def named_refusals_of_texts(self) -> Iterator[None]:
        """Say which segment has the text that a kernel refuses, which got all texts of the batch."""
        try:
            yield
        except InputError as error:
            if error.row is None:
                raise
            places = {"": self.analysed.hypotheses}
            for number, rows in enumerate(self.analysed.references, 1):
                places[f"reference {number} of "] = rows
            for side, rows in places.items():
                for segment in np.flatnonzero(rows == error.row)[:1].tolist():
                    fault = f"{side}{self.place(segment)}{error.fault}."
                    named = InputError(error.code, fault, hint=_SPLIT)
                    raise self.blamed(segment, named) from error
            text = excerpt(self.analysed.batch.texts[error.row], 40)
            raise InputError(error.code, f"the text {text}{error.fault}.", hint=_SPLIT) from error

    def _number(self, row: int) -> int | None:
        if self.first is None:
            return None
        return self.first + (row if self.rows is None else int(self.rows[row]))

    def __len__(self) -> int:
        return len(self.hypotheses)


def _place(text: str, number: int | None, system: str) -> str:
    shown = f"{text[:40]!r}"
    return (
        f"the segment {shown}" if number is None else f"segment {number + 1} of {system} ({shown})"
    )


def _blamed(segment: int | None, system: str, error: InputError) -> InputError:
    error.segment, error.system = segment, system
    return error


def _blank(texts: Sequence[str]) -> BoolArray:
    if isinstance(texts, RowTexts):
        return _blank(texts.distinct)[texts.rows]
    return np.array([is_blank(text) for text in texts], dtype=np.bool_)


def _kept(store: dict[str, Any], name: str, make: Callable[[], Made]) -> Made:
    if name not in store:
        store[name] = make()
    made: Made = store[name]
    return made


class CorpusAnalysis:
    """The sentences of one piece of a corpus, each distinct text analysed once for all its uses.

    ``normalise`` says whether texts are wanted normalised, as they are, or both.
    """

    def __init__(
        self,
        corpus: Corpus,
        analyser: Analyser,
        columns: Collection[str],
        *,
        normalise: Collection[bool] = (True,),
        threads: int = 1,
    ) -> None:
        rows: dict[str, int] = {}

        def place(texts: Sequence[str | None]) -> Int32Array:
            numbers = (-1 if text is None else rows.setdefault(text, len(rows)) for text in texts)
            return np.fromiter(numbers, dtype=np.int32, count=len(texts))

        self._references: dict[bool, list[Int32Array]] = {}
        self._systems: dict[bool, dict[str, Int32Array]] = {}
        for form in normalise:
            texts = corpus.normalised if form else corpus
            self._references[form] = [place(column) for column in texts.references]
            self._systems[form] = {name: place(column) for name, column in texts.systems.items()}
        self._batch = analyser.analyse(list(rows), columns, threads=threads)

    def of(self, system: str, *, normalised: bool) -> Analysed:
        """The sentences of one system beside those of the references."""
        return Analysed(
            self._batch, self._systems[normalised][system], self._references[normalised]
        )


def compare(
    corpus: Corpus,
    metric: Metric,
    sentences: CorpusAnalysis | None = None,
    *,
    first: int | None = None,
    of_corpus: CorpusTotals | None = None,
    threads: int = 1,
) -> Iterator[Comparison]:
    """One comparison per system, in the corpus's order; ``sentences`` if they are there already.

    ``first`` is the number, from 0, of the corpus's first segment, if readers know the segments by number.
    ``of_corpus`` is what the metric gathered of a larger corpus that this one is a part of.
    """
    check_documents(corpus, metric)
    check_sources(corpus, metric)
    if sentences is None:
        check_word_pairs(corpus, metric, first=first, threads=threads)
    if sentences is None and metric.analyser_name is not None:
        analyser = analysis.shared(metric.analyser_name)
        sentences = CorpusAnalysis(
            corpus, analyser, metric.columns, normalise=[metric.normalise], threads=threads
        )
    texts = corpus.normalised if metric.normalise else corpus
    made: dict[str, Any] = {}
    for system, hypotheses in texts.systems.items():
        yield Comparison(
            hypotheses=hypotheses,
            references=cast(Sequence[Column], texts.references),
            sources=corpus.sources,
            documents=corpus.documents,
            system=system,
            first=first,
            of_corpus=of_corpus,
            ragged=corpus.is_ragged,
            sentences=None
            if sentences is None
            else sentences.of(system, normalised=metric.normalise),
            _made=made,
            _made_of_all=made,
        )


def compare_pair(metric: Metric, hypothesis: str, reference: str) -> Comparison:
    """One hypothesis beside one reference."""
    return next(compare(single_pair(hypothesis, reference), metric))


def single_pair(hypothesis: str, reference: str) -> Corpus:
    """A corpus of one segment, which may be empty."""
    return Corpus({"hypothesis": [hypothesis]}, [[reference]], empty_references="keep")


def check_documents(
    corpus: Corpus,
    metric: Metric,
    *,
    hint: str = "Give them with --documents, a document column or documents=[…].",
) -> None:
    """Refuse a corpus without document ids, or with an empty one, for a metric that needs them.

    ``hint`` says how to give them.
    """
    if not metric.needs_documents:
        return
    if corpus.documents is None:
        raise InputError(
            "MP516",
            f"{metric.specification} looks at documents, and the segments have no document ids.",
            hint=hint,
        )
    if (row := first_without_document(corpus.documents)) is not None:
        raise InputError(
            "MP516",
            f"{metric.specification} looks at documents, and segment {row + 1} has an empty document id.",
            hint="Give every segment the id of its document.",
        )


def check_sources(corpus: Corpus, metric: Metric) -> None:
    """Refuse a corpus without sources for a metric that needs them."""
    if metric.needs_sources and corpus.sources is None:
        raise no_sources(metric)


def no_sources(metric: Metric, *, path: str | None = None, hint: str | None = None) -> InputError:
    """The error for texts without sources; ``hint`` says how to give them."""
    return InputError(
        "MP724",
        f"{metric.label} reads sources, and there are none.",
        path=path,
        hint=hint or "Give them with --sources, a source column or sources=[…].",
    )


def first_without_document(documents: Sequence[str]) -> int | None:
    """The first row whose document id is empty: more likely a slip than a document without a name."""
    if all(map(str.strip, documents)):
        return None
    return next(row for row, document in enumerate(documents) if not document.strip())


def check_word_pairs(
    corpus: Corpus, metric: Metric, *, first: int | None = None, threads: int = 1
) -> None:
    """Refuse a segment with too many words to align, before its texts are parsed, which takes much longer.

    Metrics that read relations align words. Only texts with so many characters are split into words for it.
    """
    if metric.analyser_name is None or "relation" not in metric.columns:
        return
    texts = corpus.normalised if metric.normalise else corpus
    lengths = [
        np.fromiter((len(text or "") for text in column), np.int64) for column in texts.references
    ]
    longest = np.maximum.reduce(lengths)
    long = np.zeros(len(corpus), dtype=np.bool_)
    for column in texts.systems.values():
        characters = np.fromiter(map(len, column), np.int64)
        long |= (characters + 1) * (longest + 1) > MOST_CELLS
    rows = np.flatnonzero(long).tolist()
    if not rows:
        return
    words = CorpusAnalysis(
        corpus.select(rows),
        analysis.shared(metric.analyser_name),
        (),
        normalise=[metric.normalise],
        threads=threads,
    )
    for system, column in texts.systems.items():
        found = words.of(system, normalised=metric.normalise)
        counts = np.diff(found.batch.offsets)
        for reference in found.references:
            others = np.where(reference < 0, 0, counts[reference])
            sides = zip(rows, counts[found.hypotheses], others, strict=True)
            for row, own, other in sides:
                if (own + 1) * (other + 1) > MOST_CELLS:
                    number = None if first is None else first + row
                    error = InputError(
                        "MP430",
                        f"{_place(column[row], number, system)} has {own:,} tokens and a reference "
                        f"{other:,}, too many to be aligned word by word.",
                        hint=_SPLIT,
                    )
                    raise _blamed(number, system, error)
