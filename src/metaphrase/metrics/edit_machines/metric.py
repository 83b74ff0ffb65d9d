"""pFSM and pPDA: machines that turn the reference into the hypothesis, with weights learnt from judgements.

Mengqiu Wang and Christopher D. Manning: Probabilistic Finite State Machines for Regression-based MT
Evaluation. EMNLP 2012. (*SPEDE: Probabilistic Edit Distance Metrics for MT Evaluation*, WMT 2012.)

With s the hypothesis, r the reference, e any sequence of edits that turns r into s, f the features of an
edit and the one before it, and θ their weights,

    y = log Σ_e exp( Σ_k θ · f(e_{k−1}, e_k) ),        score = y / (|s| + |r|) + α

(Eq. 1 and 2 of the paper without the denominator Z, which the regression, Eq. 3, does not use; METRICS 6.1).
θ and α were fitted to human scores, and the score is on their scale: the models that ship predict z-scores,
which are about 0 for an average translation and have no bounds. pFSM inserts, deletes and substitutes; pPDA
also jumps, so that stretches may change places; pPDA+f also knows synonyms, paraphrases and dependencies.
What a machine may do and what it sees of the sentences is part of its model (``trained/edit_model.py``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

import numpy as np

from metaphrase import lexicon
from metaphrase.analysis import Batch
from metaphrase.arrays import FloatArray
from metaphrase.errors import InputError, OptionError
from metaphrase.matching.edit_machine import log_sums, windowed
from metaphrase.matching.edit_pairs import EditPairs
from metaphrase.matching.substitutions import EditSentences, columns, edit_pairs, edit_sentences
from metaphrase.metrics.base import Metric
from metaphrase.metrics.comparison import Comparison, compare_pair
from metaphrase.metrics.edit_machines import published
from metaphrase.metrics.explanation import Explanation
from metaphrase.metrics.published import PAPER, Difference
from metaphrase.metrics.registry import register
from metaphrase.options import option
from metaphrase.trained.edit_model import REFERENCES, EditModel

#: The kernels take no more words of one side.
_LONGEST = 10_000


@dataclass(frozen=True, kw_only=True)
class EditMachineMetric(Metric):
    """What pFSM and pPDA share, which is all but the model."""

    citation: ClassVar[str] = "Wang and Manning, EMNLP 2012"
    bounds: ClassVar[tuple[float, float]] = (-inf, inf)

    signed_first: ClassVar[tuple[str, ...]] = ("references", "lang", "model", "jump", "block")
    substituted: ClassVar[tuple[Difference, ...]] = published.SUBSTITUTED

    model: str
    references: str | None = option(
        None,
        "``best`` or ``mean`` of several; by default what the model says",
        choices=REFERENCES,
    )
    analyser: str | None = option(None, "instead of the one that the model was trained with")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.lang != self.edit_model.lang:
            raise OptionError(
                "MP531",
                f"{self.name}: the model {self.model!r} is for {self.edit_model.lang!r}, "
                f"not {self.lang!r}.",
                hint="`metaphrase train` makes models of other languages: docs/ppda.md.",
            )
        kind, _, language = self.analyser_name.partition(":")
        if kind == "builtin" and language.partition("+")[0] != self.lang:
            raise OptionError(
                "MP520",
                f"{self.name}: lang={self.lang!r} does not go with the analyser "
                f"{self.analyser_name!r}"
                + (f", which the model {self.model!r} names." if self.analyser is None else "."),
                hint="Leave the analyser out."
                if self.analyser is not None
                else "Train the model with an analyser of its language.",
            )
        kind = _kind(self.edit_model)
        if kind != self.name:
            raise OptionError(
                "MP550",
                f"{self.name}: the model {self.model!r} is one of {kind}, which {_DOES[kind]}.",
                hint=f"Write {kind}:model={self.model}.",
            )

    @property
    def edit_model(self) -> EditModel:
        """The model; reading it is remembered."""
        return EditModel.find(self.model)

    @property
    def trained(self) -> EditModel:
        """The model, as that of any metric."""
        return self.edit_model

    @property
    def columns(self) -> frozenset[str]:
        """Lemmas, and a parse if the model looks at dependencies."""
        return columns(self.edit_model.substitutions)

    @property
    def analyser_name(self) -> str:
        """The analyser asked for, or the one that the model was trained with."""
        return self.analyser or self.edit_model.analyser

    @property
    def combines_references(self) -> str:
        """What the option says, or the model."""
        return self.references or self.edit_model.references

    def prepare(self, batch: Batch) -> EditSentences:
        """Look up all words of a batch."""
        model = self.edit_model
        return edit_sentences(
            batch,
            options=model.substitutions,
            synonyms=lexicon.load(model.synonyms),
            paraphrases=lexicon.load_paraphrases(model.paraphrases),
        )

    def pairs(self, comparison: Comparison, reference: int, *, threads: int = 1) -> EditPairs:
        """The hypotheses beside their references of one number, as the machine sees them."""
        analysed = comparison.analysed
        lengths = np.diff(analysed.batch.offsets)
        for rows in (analysed.hypotheses, analysed.references[reference]):
            long = np.flatnonzero(lengths[rows] > _LONGEST)
            if long.size:
                fault = f": a side has more than {_LONGEST:,} words"
                raise self._refused(comparison, int(long[0]), fault)
        sentences = comparison.kept_of_all("edit sentences", lambda: self.prepare(analysed.batch))
        return edit_pairs(
            sentences,
            analysed.hypotheses,
            analysed.references[reference],
            options=sentences.options,
            threads=threads,
        )

    def predictions(self, pairs: EditPairs, *, threads: int = 1) -> FloatArray:
        """Rows as those of ``statistics``, with one reference."""
        model = self.edit_model
        sums = log_sums(pairs, model.vector(), options=model.machine, threads=threads)
        lengths = pairs.reference_lengths, pairs.hypothesis_lengths
        limited = windowed(pairs, options=model.machine, threads=threads)
        scores = model.predict(sums, np.add(*lengths, dtype=np.int64))
        return np.stack([scores, np.ones(len(pairs)), sums, *lengths, limited], axis=1)

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        """Columns: score, 1, y, words of reference and hypothesis, and 1 where jumps were limited.

        With several references all but the last one are those of the best one, or means.
        """
        with self.refusals(comparison):
            found = np.stack(
                [
                    self.predictions(self.pairs(comparison, r, threads=threads), threads=threads)
                    for r in range(len(comparison.analysed.references))
                ]
            )
        found[:, :, -1] = found[:, :, -1].any(axis=0)
        if self.combines_references == "mean":
            return np.asarray(found.mean(axis=0))
        best = found[:, :, 0].argmax(axis=0)
        return np.asarray(found[best, np.arange(found.shape[1])])

    def caution(self, total: FloatArray) -> str | None:
        """In how many segments jumps were limited."""
        if not total[-1]:
            return None
        return f"{total[-1]:.0f} of {total[1]:.0f} segments: {self.limit}"

    @property
    def limit(self) -> str:
        """What happens to long sentences, said of one or several."""
        machine = self.edit_model.machine
        return (
            f"more than {machine.exact_length} words on one side, or very many repeated ones, so that "
            f"{self.name} allows for jumps within {machine.jump_window} words at most."
        )

    @contextmanager
    def refusals(self, comparison: Comparison) -> Iterator[None]:
        """Say which segment of which system a kernel refuses, and why."""
        try:
            yield
        except InputError as error:
            if error.row is None:
                raise
            raise self._refused(comparison, error.row, error.fault) from error

    def _refused(self, comparison: Comparison, row: int, fault: str) -> InputError:
        message = f"{self.name}: {comparison.place(row)}{fault}."
        return comparison.blamed(row, InputError("MP551", message, hint="Split it into sentences."))

    def signed(self) -> dict[str, object]:
        """The model and its lexicons with the hashes of their content."""
        model = self.edit_model
        return super().signed() | {
            "references": self.combines_references,
            "model": model,
            "jump": model.machine.max_jump,
            "block": model.substitutions.max_block,
            "synonyms": lexicon.load(model.synonyms),
            "paraphrases": lexicon.load_paraphrases(model.paraphrases),
        }

    def explain(self, hypothesis: str, reference: str) -> Explanation:
        """The best sequence of edits, and what each of them adds to the score."""
        from metaphrase.metrics.edit_machines.explanation import explain

        comparison = compare_pair(self, hypothesis, reference)
        with self.refusals(comparison):
            return explain(self, comparison)


def _variants(model: str) -> Mapping[str, Mapping[str, Any]]:
    return {PAPER: {"model": f"{model}-paper", "normalise": False}}


#: What tells models apart, by the name of the metric that they are for.
_DOES = {
    "pfsm": "does not jump",
    "ppda": "jumps, and has neither synonyms nor paraphrases nor dependencies",
    "ppda+f": "jumps, and has synonyms, paraphrases or dependencies",
}


def _kind(model: EditModel) -> str:
    """The name of the metric that a model is for."""
    if model.machine.max_jump == 0:
        return "pfsm"
    sources = {model.synonyms, model.paraphrases}
    return "ppda+f" if model.substitutions.dependencies or sources != {"none"} else "ppda"


@register
@dataclass(frozen=True, kw_only=True)
class Pfsm(EditMachineMetric):
    """Insertions, deletions and substitutions of equal words and stems; a score on the scale of z-scores.

    >>> explanation = metaphrase.Pfsm().explain("The cat sat", "The dog sat down")
    >>> [edit.state for edit in explanation.edits]
    ['word', 'insert', 'delete', 'word', 'delete']
    """

    name: ClassVar[str] = "pfsm"
    summary: ClassVar[str] = "edits of words and stems, weighed as people judge"
    variants: ClassVar[Mapping[str, Mapping[str, Any]]] = _variants(name)
    departures: ClassVar[tuple[Difference, ...]] = published.PFSM

    model: str = option(
        "pfsm",
        "``pfsm`` or ``pfsm-paper``, or ``file:PATH``: a model without jumps from ``metaphrase train``",
    )


@register
@dataclass(frozen=True, kw_only=True)
class Ppda(EditMachineMetric):
    """Edits as of pfsm, and jumps by which stretches of words change places.

    >>> explanation = metaphrase.Ppda().explain(
    ...     "on Monday he met the president of France", "he met the president of France on Monday"
    ... )
    >>> [edit.state for edit in explanation.edits if edit.jump]
    ['jump_forward', 'jump_back', 'jump_end']
    """

    name: ClassVar[str] = "ppda"
    summary: ClassVar[str] = "edits and jumps of words and stems, weighed as people judge"
    variants: ClassVar[Mapping[str, Mapping[str, Any]]] = _variants(name)
    departures: ClassVar[tuple[Difference, ...]] = published.PPDA

    model: str = option(
        "ppda",
        "``ppda`` or ``ppda-paper``, or ``file:PATH``: a model with jumps from ``metaphrase train``",
    )


@register
@dataclass(frozen=True, kw_only=True)
class PpdaF(EditMachineMetric):
    """Edits and jumps as of ppda, with synonyms, paraphrases and dependencies.

    >>> explanation = metaphrase.PpdaF().explain("The big cat", "The large cat")
    >>> [edit.state for edit in explanation.edits]
    ['word', 'synonym', 'word']
    """

    name: ClassVar[str] = "ppda+f"
    summary: ClassVar[str] = "ppda with synonyms, paraphrases and dependencies"
    variants: ClassVar[Mapping[str, Mapping[str, Any]]] = _variants(name)
    substituted: ClassVar[tuple[Difference, ...]] = published.SUBSTITUTED_FEATURES
    departures: ClassVar[tuple[Difference, ...]] = published.PPDA_F

    model: str = option(
        "ppda+f",
        "``ppda+f`` or ``ppda+f-paper``, or ``file:PATH``: a model with jumps and at least one of synonyms, "
        "paraphrases and dependencies from ``metaphrase train``",
    )
