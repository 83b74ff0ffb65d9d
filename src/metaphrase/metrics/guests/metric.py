"""What all guests share: rows are asked once, scores kept, and the signature says who gave them."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus import Corpus
from metaphrase.corpus.ratings import MarkedError
from metaphrase.defaults import DEFAULT_LANGUAGE
from metaphrase.errors import MetaphraseError, ResourceError
from metaphrase.metrics.base import Metric, reference_columns
from metaphrase.metrics.comparison import Comparison, compare, no_sources
from metaphrase.metrics.guests import score_cache
from metaphrase.metrics.guests.process import Start, running
from metaphrase.metrics.guests.protocol import Hello, Row, read_errors, written_errors
from metaphrase.metrics.ragged_references import scored_parts
from metaphrase.metrics.signature import spell
from metaphrase.options import option
from metaphrase.threads import check_threads

if TYPE_CHECKING:
    from metaphrase.metrics.repairs import MarkedSegment, Severities

#: The score of a row, and the errors that were marked in it.
_Answered = tuple[float, tuple[MarkedError, ...]]


class _AsGuestsSay:
    """A fact of the metric that the guest tells; of the class, what most guests say."""

    def __init__(self, usual: Any) -> None:
        self.usual = usual

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, metric: GuestMetric | None, owner: type) -> Any:
        return self.usual if metric is None else getattr(metric.hello, self.name)


@dataclass(frozen=True, kw_only=True)
class GuestMetric(Metric):
    """A metric that another program computes; statistics are the score of a segment and 1."""

    higher_is_better: ClassVar[Any] = _AsGuestsSay(True)
    bounds: ClassVar[Any] = _AsGuestsSay((-np.inf, np.inf))
    signed_first: ClassVar[tuple[str, ...]] = ()
    batches_per_request: ClassVar[int] = 1
    normalise: ClassVar[bool] = False  # type: ignore[misc]

    lang: str = option(
        DEFAULT_LANGUAGE,
        "makes no difference: guests are not told",
        names_files=False,
        signed=False,
    )
    batch: int = option(16, "rows that are asked for at once", low=1, high=4096, signed=False)
    timeout: float = option(
        600.0, "seconds without an answer after which it hangs", low=0.1, high=1e6, signed=False
    )
    cache: bool = option(True, "``no``: ask again for what is known", signed=False)

    @property
    @abstractmethod
    def start(self) -> Start:
        """How the guest is started; what it lacks is an error."""

    @property
    @abstractmethod
    def about(self) -> dict[str, object]:
        """What the signature says of the program or model that is asked, before the guest says the rest."""

    @property
    def hello(self) -> Hello:
        """What the guest says of itself; it is started if it does not run."""
        return running(self.start, timeout=self.timeout).hello

    @property
    def needs_sources(self) -> bool:
        """As the guest says."""
        return self.hello.source

    @property
    def combines_references(self) -> str:
        """The mean, unless the guest is given all at once."""
        return "joint" if self.hello.references == "all" else "mean"

    def signed(self) -> dict[str, object]:
        """What is asked, who answers, with which libraries, and whether it would answer the same again."""
        hello = self.hello  # before anything is hashed, because it fails if something is missing
        about = self.about
        libraries = [f"{name} {version}" for name, version in sorted(hello.libraries.items())]
        said: dict[str, object] = {**about, "guest": f"{hello.name} {hello.version}"}
        if hello.model:
            name, hashed = (hello.model.get(key) for key in ("name", "hash"))
            said.setdefault("model", "@".join(filter(None, [name, hashed])) or None)
            said.setdefault("licence", hello.model.get("licence", "unknown"))
        return {
            **said,
            "libraries": libraries or None,
            **super().signed(),
            "deterministic": hello.deterministic,
        }

    def caution(self, total: FloatArray) -> str | None:
        """That the numbers are those of one run, if the guest says so."""
        if self.hello.deterministic:
            return None
        return (
            f"the guest {self.hello.name} is not deterministic: scores may differ a little from run to "
            f"run{', and the cache repeats those of the first' if self.cache else ''}."
        )

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        """Columns: score, 1."""
        scores = self._scores(comparison)
        return np.column_stack([scores, np.ones(len(scores))])

    @property
    def own_spans(self) -> bool:
        """As the guest says."""
        return self.hello.spans

    def marked_segments(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str | None]],
        *,
        sources: Sequence[str] | None = None,
        severities: Severities | None = None,
        threads: int | None = None,
    ) -> list[MarkedSegment]:
        """The errors that the guest marks, with the severities that it gives; else those of all metrics."""
        from metaphrase.metrics.repairs import MarkedSegment

        if not self.own_spans:
            return super().marked_segments(
                hypotheses, references, sources=sources, severities=severities, threads=threads
            )
        columns = reference_columns(hypotheses, references)
        corpus = Corpus({"hypotheses": hypotheses}, columns, sources=sources)
        (comparison,) = compare(corpus, self, threads=check_threads(threads))
        sign = 1.0 if self.higher_is_better else -1.0
        found: dict[int, MarkedSegment] = {}
        for rows, part in scored_parts(self, comparison):
            answers = zip(*self._answers(part, errors=True), strict=True)
            for row, of_segment in zip(rows.tolist(), answers, strict=True):
                score, errors = max(of_segment, key=lambda one: sign * one[0])
                found[row] = MarkedSegment(score, self._percent(score), errors)
        return [found[row] for row in range(len(corpus))]

    def _percent(self, score: float) -> float:
        """Where a score stands between the worst and the best; without bounds these are 0 and 1."""
        low, high = self.bounds
        low, high = (low, high) if np.isfinite([low, high]).all() else (0.0, 1.0)
        part = float(np.clip((score - low) / (high - low), 0.0, 1.0))
        return 100 * (part if self.higher_is_better else 1 - part)

    def _scores(self, comparison: Comparison) -> FloatArray:
        values = [[score for score, _ in column] for column in self._answers(comparison)]
        # The mean as one sum and one division, so that two equal references give what one gives.
        return np.asarray(np.sum(np.array(values, dtype=np.float64), axis=0) / len(values))

    def _answers(self, comparison: Comparison, *, errors: bool = False) -> list[list[_Answered]]:
        """What the guest says of each segment, of one set of references after the other."""
        sides = list(comparison.references)
        given: list[list[Sequence[str]]] = [sides]
        if self.hello.references == "one":
            given = [[side] for side in sides]
        elif self.hello.references == "none":
            given = [[]]
        columns = [self._column(comparison, references) for references in given]
        numbers: dict[Row, int] = {}
        for column in columns:
            for row in column:
                numbers.setdefault(row, len(numbers))
        try:
            found = self._ask(list(numbers), errors=errors)
        except _RowError as error:
            place = next(
                i for column in columns for i, row in enumerate(column) if row == error.row
            )
            raise error.told(f"{self.label}: {comparison.place(place)}") from None
        return [[found[numbers[row]] for row in column] for column in columns]

    def _column(self, comparison: Comparison, references: Sequence[Sequence[str]]) -> list[Row]:
        """A row for each segment."""
        texts: Iterable[tuple[str, ...]] = (
            zip(*references, strict=True) if references else [()] * len(comparison)
        )
        sources: Sequence[str | None] = [None] * len(comparison)
        if self.hello.source:
            if comparison.sources is None:
                raise no_sources(self)
            sources = comparison.sources
        return [Row(*row) for row in zip(comparison.hypotheses, texts, sources, strict=True)]

    def _ask(self, rows: Sequence[Row], *, errors: bool) -> list[_Answered]:
        """Of distinct rows: what is known, and of the rest what the guest says."""
        identity = {key: spell(value) for key, value in self.signed().items() if value is not None}
        keys = score_cache.row_keys(identity, rows)
        known = score_cache.find(keys) if self.cache else {}
        marked = self._known_errors(rows, keys) if self.cache and errors else {}
        missing = [
            place
            for place, key in enumerate(keys)
            if key not in known or (errors and key not in marked)
        ]
        size = self.batch * self.batches_per_request
        for first in range(0, len(missing), size):
            places = missing[first : first + size]
            guest = running(self.start, timeout=self.timeout)
            answer = guest.ask([rows[place] for place in places], timeout=self.timeout)
            usable = [n for n, score in enumerate(answer.scores) if not np.isnan(score)]
            fresh = {keys[places[n]]: answer.scores[n] for n in usable}
            known |= fresh
            if answer.errors is not None:
                marked |= {keys[places[n]]: answer.errors[n] for n in usable}
            if self.cache:  # before anything can go wrong with the next ones
                score_cache.keep(fresh)
                if answer.errors is not None:
                    score_cache.keep_errors({key: written_errors(marked[key]) for key in fresh})
            for number, fault in answer.faults.items():
                raise _RowError(rows[places[number]], fault)
        return [(known[key], marked.get(key, ())) for key in keys]

    @staticmethod
    def _known_errors(
        rows: Sequence[Row], keys: Sequence[bytes]
    ) -> dict[bytes, tuple[MarkedError, ...]]:
        texts = score_cache.find_errors(keys)
        return {
            key: read_errors(json.loads(texts[key]), row.hypothesis)
            for key, row in zip(keys, rows, strict=True)
            if key in texts
        }


class _RowError(Exception):
    """What is wrong with one row; whoever knows its segment tells."""

    def __init__(self, row: Row, fault: ResourceError) -> None:
        super().__init__(row, fault)
        self.row = row
        self.fault = fault

    def told(self, where: str) -> MetaphraseError:
        return ResourceError(
            self.fault.code,
            f"{where}: {self.fault.message}",
            hint="With --on-error skip it is left out, and said so.",
        )
