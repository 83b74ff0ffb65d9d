"""Our metrics as sacreBLEU's, so that its tools can call them: its significance tests, its intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sacrebleu.metrics.base import Metric as SacrebleuBase
from sacrebleu.metrics.base import Score as SacrebleuScore
from sacrebleu.metrics.base import Signature as SacrebleuSignature

from metaphrase.corpus import Corpus
from metaphrase.corpus.validation import columns_of_segments, is_listed
from metaphrase.errors import InputError, OptionError
from metaphrase.metrics import Metric, create
from metaphrase.metrics.refusals import OnError, Refusal, check_on_error
from metaphrase.metrics.sifted_statistics import sifted_statistics
from metaphrase.statistics.exact_sum import ExactSum
from metaphrase.threads import check_threads


class _Signature(SacrebleuSignature):
    """Ours, with what sacreBLEU adds about its tests."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        references = args["num_refs"]
        signature = args["metric"].signature("var" if references == -1 else references)
        self._signature = str(signature.without(args["skipped"]))

    def format(self, short: bool = False) -> str:
        added = (f"{key}:{self.info[key]}" for key in ("bs", "ar", "seed") if self.info.get(key))
        return "|".join([self._signature, *added])


class SacrebleuMetric(SacrebleuBase):
    """A metric of ours behind sacreBLEU's interface, with its method names and its shapes.

    ``references`` are R × N as everywhere in sacreBLEU: ``references[r][i]`` is the r-th one of segment i,
    or ``None`` if it has no such reference.
    Given here, they serve all calls with ``references=None``. Scores are ours, on our scale.

    ``on_error="skip"`` leaves segments that the metric refuses out of ``corpus_score``: ``refusals`` says
    which these were the last time, and the signature how many. Tests that pair systems still end with an
    error, since each system would lack other segments.
    """

    _SIGNATURE_TYPE = _Signature

    def __init__(
        self,
        metric: str | Metric,
        *,
        lang: str = "en",
        references: Sequence[Sequence[str]] | None = None,
        threads: int | None = None,
        on_error: OnError = "stop",
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.metric = create(metric, lang=lang) if isinstance(metric, str) else metric
        if self.metric.needs_documents:
            raise OptionError(
                "MP570",
                f"{self.metric.label} needs documents, of which sacreBLEU's interface knows nothing.",
                hint="Use metaphrase.score, or a variant that needs none.",
            )
        self.threads = check_threads(threads)
        self._references = references
        check_on_error(on_error)
        self.on_error = on_error
        self.refusals: tuple[Refusal, ...] = ()
        self.skipped = 0
        self._within_corpus_score = False

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]] | None,
        n_bootstrap: int = 1,
    ) -> SacrebleuScore:
        """The score of a corpus; with more than one of ``n_bootstrap``, with an interval."""
        if not len(hypotheses):
            raise InputError("MP571", "there are no hypotheses.", hint="Give a list of texts.")
        _check_references(references)
        if n_bootstrap < 1:
            raise OptionError(
                "MP740",
                f"there are {n_bootstrap} resamples.",
                hint="Give 1 for no interval, or more.",
            )
        self._within_corpus_score = True
        try:
            score: SacrebleuScore = super().corpus_score(hypotheses, references, n_bootstrap)
        finally:
            self._within_corpus_score = False
        return score

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str]] | None
    ) -> list[list[float]]:
        chosen = self._references if references is None else references
        if not chosen:
            raise InputError("MP571", "there are no references.", hint="Give them, R lists of N.")
        found = sifted_statistics(
            Corpus({"hypotheses": hypotheses}, _present_first(chosen)),
            self.metric,
            threads=self.threads,
            on_error=self.on_error if self._within_corpus_score else "stop",
        )
        self.num_refs = -1 if found.references == "var" else found.references
        self.refusals, self.skipped = found.refusals, found.skipped
        rows: list[list[float]] = found.rows[found.kept].tolist()
        return rows

    def _aggregate_and_compute(self, stats: Any) -> SacrebleuScore:
        total = ExactSum()
        total.add(np.asarray(stats, dtype=np.float64))
        return self._compute_score_from_stats(total.value())

    def _compute_score_from_stats(self, stats: Any) -> SacrebleuScore:
        value = self.metric.score(np.asarray(stats, dtype=np.float64)[None])[0]
        return SacrebleuScore(self.metric.label, float(value))

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> SacrebleuScore:
        """The score of one segment, as our metric has it."""
        _check_references(None if isinstance(references, str) else [references])
        self._check_sentence_score_args(hypothesis, references)
        rows = self._extract_corpus_statistics([hypothesis], [[text] for text in references])
        value = self.metric.segment_score(np.array(rows))[0]
        return SacrebleuScore(self.metric.label, float(value))

    def _preprocess_segment(self, sent: str) -> str:
        return sent  # the metric analyses texts itself

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        return {"references": list(refs)}

    def _compute_segment_statistics(
        self, hypothesis: str, ref_kwargs: dict[str, Any]
    ) -> list[float]:
        columns = [[text] for text in ref_kwargs["references"]]
        return self._extract_corpus_statistics([hypothesis], columns)[0]


def _present_first(
    references: Sequence[Sequence[str | None]],
) -> Sequence[Sequence[str | None]]:
    """The columns without gaps before the last reference of a segment; they may stay as they are."""
    if not any(text is None for column in references for text in column):
        return references
    if len({len(column) for column in references}) > 1:
        return references  # which is an error of its own
    segments = [[text for text in own if text is not None] for own in zip(*references, strict=True)]
    if not all(segments):
        raise InputError(
            "MP571",
            f"segment {segments.index([]) + 1} has no reference.",
            hint="Give every segment one or more.",
        )
    return columns_of_segments(segments)


def _check_references(references: Sequence[Sequence[str]] | None) -> None:
    """Refuse what sacreBLEU's own checks would fall over, or take in any order."""
    if references is not None and not all(map(is_listed, (references, *references))):
        raise InputError("MP571", "references are not lists.", hint="Give them, R lists of N.")
    if references is not None and (not len(references) or not len(references[0])):
        raise InputError("MP571", "there are no references.", hint="Give them, R lists of N.")
