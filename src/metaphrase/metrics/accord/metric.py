"""accord: everything that the other metrics see, weighed as people judge.

Hypothesis and reference are compared once in every way that agrees with people: characters, words, edits,
aligned words and their syntactic contexts, bags of n-grams, word vectors. What comes out are losses, each 0
for identical texts (:mod:`metaphrase.metrics.accord.features`), and

    score = scale(Σ weight · loss).

No weight is negative and the scale falls, so that no penalty can raise a score. Weights and scale
are learned from direct assessments, MQM and rankings (:mod:`metaphrase.learning.accord`). The score is the
share of judged translations, out of 100, that people place lower than such a translation, in the mean; 100 is
a translation that is its reference.

``accord:mqm`` reads the same sum as the penalty points that raters of MQM would give:

    points = rate · words of the reference^length · Σ weight · loss.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from metaphrase import lexicon
from metaphrase.analysis.languages.codes import base_language
from metaphrase.analysis.registry import LEMMATISED
from metaphrase.arrays import BoolArray, FloatArray
from metaphrase.errors import OptionError, ResourceError
from metaphrase.lexicon import VectorSource
from metaphrase.lexicon.antonyms import load_antonyms
from metaphrase.matching import ngram_bags
from metaphrase.matching.soft_matches import WeightedVectors
from metaphrase.matching.word_alignment import ParsedSentences
from metaphrase.metrics.accord.context import ContextWords, context_penalties
from metaphrase.metrics.accord.facts import (
    denial_penalties,
    denial_shifts,
    number_penalties,
    number_shifts,
)
from metaphrase.metrics.accord.features import (
    FAMILIES,
    SURFACE,
    SurfaceTexts,
    VectorWords,
    alignment_losses,
    bag_losses,
    count_words,
    losses_of,
    spelled,
    spelling_losses,
    sums_of,
    surface_losses,
    vector_losses,
)
from metaphrase.metrics.accord.fluency import (
    FLUENCY_MODELS,
    FluentWords,
    fluency_penalties,
    load_fluency,
)
from metaphrase.metrics.accord.form import form_penalties
from metaphrase.metrics.accord.meaning import MeaningWords, described, meaning_penalties
from metaphrase.metrics.accord.meaning import shifts as meaning_shifts
from metaphrase.metrics.base import Metric, best_rows
from metaphrase.metrics.cobalt.metric import Cobalt
from metaphrase.metrics.comparison import Comparison, compare_pair
from metaphrase.metrics.explanation import Explanation
from metaphrase.metrics.registry import register
from metaphrase.metrics.tesla_m.metric import TeslaM
from metaphrase.options import option
from metaphrase.trained.accord_model import AccordModel
from metaphrase.trained.preference_table import PreferenceTable
from metaphrase.trained.pretrained_encoder import PretrainedEncoder, load_pretrained

#: The language whose words can be aligned.
_ALIGNED = "en"
#: The model of languages that have none of their own.
_ANY = "any"
#: The families that compare aligned words.
_BY_ALIGNMENT = frozenset({"alignment", "meaning", "context"})
#: Points of MQM for a segment that is no translation at all.
_NO_TRANSLATION = 25.0
#: What the name of a model ends with that asks for contextual embeddings.
_CONTEXTUAL = "+context"


class _UnlessPoints:
    """Higher is better, unless scores are points."""

    def __get__(self, metric: Accord | None, owner: type) -> bool:
        return metric is None or metric.points == "none"


@register
@dataclass(frozen=True, kw_only=True)
class Accord(Metric):
    """Losses of many kinds, weighed as people judge: the share of judged translations placed lower.

    >>> accord = metaphrase.Accord()
    >>> accord.sentence_score("The cat sat.", ["The cat sat."]).score
    100.0
    >>> better, worse = accord.segment_scores(["A cat sat.", "Cat a sits."], [["The cat sat."] * 2])
    >>> bool(better > worse)
    True
    """

    name: ClassVar[str] = "accord"
    summary: ClassVar[str] = "characters, words, alignment and vectors, weighed as people judge"
    citation: ClassVar[str] = "metaphrase"
    higher_is_better: ClassVar[Any] = _UnlessPoints()
    combines_references: ClassVar[str] = "best"
    variants: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "context": {"encoder": "shipped"},
        "mqm": {"points": "segment"},
    }

    model: str | None = option(
        None,
        "the weights: a name that ships or ``file:PATH``; by default those of ``lang``, or ``any``",
    )
    vectors: str | None = option(
        None,
        "word vectors: ``glove``, ``file:PATH``, ``spacy:NAME`` or ``none``; English has ``glove``",
    )
    encoder: str = option(
        "none",
        "contextual embeddings: ``shipped`` (of the package metaphrase-encoder), ``file:PATH`` or ``none``",
    )
    points: str = option(
        "none",
        "penalty points of MQM: for each ``segment``, for 1,000 ``words``, or ``none``",
        choices=("none", "segment", "words"),
        signed=False,  # as ``points``, with what they are made of
    )

    @property
    def bounds(self) -> tuple[float, float]:
        """0 to 100, or to infinity if points are counted."""
        return 0.0, 100.0 if self.points == "none" else float("inf")

    @property
    def worst(self) -> float:
        """0, or the 25 points that MQM gives a segment that is no translation (Freitag et al. 2021)."""
        return _NO_TRANSLATION if self.points == "segment" else super().worst

    @property
    def _language(self) -> str:
        return base_language(self.lang)

    @property
    def trained(self) -> AccordModel:
        """The model that is asked."""
        if self.model is not None:
            return AccordModel.find(self.model)
        if self.encoder != "none":
            if self._language != _ALIGNED:
                raise ResourceError(
                    "MP841",
                    f"accord has an encoder for English, not for {self.lang!r}.",
                    hint="Leave out the encoder: accord and accord:mqm know every language.",
                )
            return AccordModel.find(self._language + _CONTEXTUAL)
        return AccordModel.find(self._language if self._language in AccordModel.shipped() else _ANY)

    @property
    def families(self) -> tuple[str, ...]:
        """The families of losses that the language has."""
        lacking = {
            "alignment": self._language != _ALIGNED,
            "meaning": self._language != _ALIGNED,
            "fluency": self._language not in FLUENCY_MODELS,
            "tags": self._language not in LEMMATISED,
            "vectors": not self._has_vectors,
            "context": self.encoder == "none" or self._language != _ALIGNED,
        }
        return tuple(family for family in FAMILIES if not lacking.get(family))

    @property
    def asked(self) -> tuple[str, ...]:
        """Those that the model asks for."""
        model = self.trained
        asked = [
            family
            for family, names in FAMILIES.items()
            if not model.features.keys().isdisjoint(names)
        ]
        for family in asked:
            if family not in self.families:
                raise OptionError(
                    "MP845",
                    f"accord: the model {model.name!r} asks for losses of {family}, which "
                    f"lang={self.lang}, vectors={self.vector_name}, encoder={self.encoder} does not have.",
                    hint="Leave the options out, or choose a model that goes with them.",
                )
        if self.pretrained and "context" not in asked:
            raise OptionError(
                "MP845",
                f"accord: the model {model.name!r} does not ask the encoder {self.encoder}.",
                hint="Leave out model or encoder.",
            )
        return tuple(asked)

    @property
    def columns(self) -> frozenset[str]:
        """All that aligned words, bags and vectors need."""
        asked = self.asked
        columns: frozenset[str] = frozenset()
        if not _BY_ALIGNMENT.isdisjoint(asked):
            columns |= self.aligner.columns
        if "tags" in asked:
            columns |= self._matcher.columns
        if "fluency" in asked:
            columns |= {"tag"}
        by_form = "vectors" in asked or self.in_context
        return columns | ({"form"} if by_form else frozenset())

    @property
    def in_context(self) -> bool:
        """Whether the model asks for contextual embeddings."""
        return "context" in self.asked

    @property
    def pretrained(self) -> bool:
        """Whether it has an encoder."""
        return self.encoder != "none"

    @property
    def analyser_name(self) -> str | None:
        """The built-in analyser of the language, if the model asks for what only analysers tell."""
        return f"builtin:{self._language}" if self.columns else None

    @cached_property
    def aligner(self) -> Cobalt:
        """What aligns the words."""
        return Cobalt(lang=self._language)

    @cached_property
    def _matcher(self) -> TeslaM:
        return TeslaM(lang=self._language)

    @property
    def vector_name(self) -> str:
        """The vectors that the language has, by their name."""
        if self.vectors is not None and self._language in LEMMATISED:
            return self.vectors
        return "glove" if self._language == "en" else "none"

    @property
    def _has_vectors(self) -> bool:
        return self.vector_name != "none"

    @property
    def _vectors(self) -> VectorSource:
        return lexicon.load_vectors(self.vector_name)

    @property
    def _encoder(self) -> PretrainedEncoder:
        encoder = load_pretrained(self.encoder, self._language)
        if self.encoder == "shipped":
            self.trained.check_encoder(encoder.fingerprint)
        return encoder

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        """Columns: score and 1, of the best reference; and its words if points of MQM are counted."""
        rows = (
            self.scored(
                comparison,
                reference,
                self.losses(comparison, reference, self.asked, threads=threads),
            )
            for reference in range(len(comparison.references))
        )
        sign = 1.0 if self.higher_is_better else -1.0
        return best_rows(rows, lambda found: sign * found[:, 0])

    def scored(self, comparison: Comparison, reference: int, losses: FloatArray) -> FloatArray:
        """The statistics beside one reference, of the losses that the model asks for."""
        model, names = self.trained, losses_of(self.asked)
        weighed = losses * model.weights(names)
        lost = np.stack([_added(weighed[:, columns]) for columns in sums_of(names)], axis=1)
        total = _added(lost)
        if self.points != "none":
            words = count_words(comparison.references[reference])
            lost *= self._worth(words)[:, None]
            return np.column_stack([_added(lost), np.ones(len(lost)), words])
        missed = 100.0 - model.scale.scores(total)
        # Nothing is no translation, however short the reference.
        missed[_nothing(comparison.hypotheses) & (total > 0)] = 100.0
        points = np.divide(
            lost * missed[:, None], total[:, None], out=np.zeros_like(lost), where=lost > 0
        )
        score = np.where(missed < 100.0, np.maximum(100.0 - _added(points), 0.0), 0.0)
        return np.column_stack([score, np.ones(len(score))])

    def _worth(self, words: FloatArray) -> FloatArray:
        """How many points of MQM a sum of 1 is."""
        points = self.trained.points
        if points is None:
            raise OptionError(
                "MP845",
                f"accord: the model {self.trained.name!r} does not know what its penalties are worth in MQM.",
                hint="Leave out points, or choose a model that ships.",
            )
        return points.worth(words)

    @property
    def is_mean(self) -> bool:
        """Points for 1,000 words are no mean."""
        return self.points != "words"

    def score(self, statistics: FloatArray) -> FloatArray:
        """The mean of the segments, or points for 1,000 words."""
        if self.points == "words":
            return np.asarray(1000.0 * statistics[..., 0] / np.maximum(statistics[..., -1], 1.0))
        return super().score(statistics)

    def losses(
        self,
        comparison: Comparison,
        reference: int,
        families: Iterable[str],
        *,
        threads: int = 1,
    ) -> FloatArray:
        """A row for each segment with its losses, in the order of :func:`losses_of`."""
        numbers: dict[str, int] = comparison.kept_of_all("numbers", dict)
        hypotheses, columns = comparison.sides(lambda texts: SurfaceTexts.of(texts, numbers))
        references = columns[reference]
        surface = surface_losses(hypotheses, references, threads=threads)
        words = hypotheses.words, references.words
        tables = []
        for family in families:
            if family == "surface":
                table = surface
            elif family == "form":
                lost = (surface[:, SURFACE.index(name)] for name in ("chrf", "w1r"))
                table = form_penalties(*words, *lost)
            elif family == "facts":
                texts = comparison.hypotheses, comparison.references[reference]
                table = number_penalties(texts, words, list(numbers), self._language)
            elif family == "denials":
                table = denial_penalties(words, list(numbers), self._language)
            elif family == "spelling":
                kept: dict[int, WeightedVectors] = comparison.kept_of_all("spelled words", dict)
                # Words are only ever added, so that as many are the same.
                if len(numbers) not in kept:
                    kept.clear()
                    kept[len(numbers)] = spelled(list(numbers))
                table = spelling_losses(hypotheses, references, kept[len(numbers)], threads=threads)
            else:
                table = self._analysed_losses(family, comparison, reference, threads)
            tables.append(table)
        return np.concatenate(tables, axis=1)

    def _analysed_losses(
        self, family: str, comparison: Comparison, reference: int, threads: int
    ) -> FloatArray:
        analysed = comparison.analysed
        batch, rows = analysed.batch, (analysed.hypotheses, analysed.references[reference])
        if family in _BY_ALIGNMENT:
            parsed, aligned = self.aligner.align(comparison, reference, threads=threads)
            if family == "alignment":
                return alignment_losses(aligned, parsed.batch, rows, self.aligner.delta)
            if family == "context":
                in_context = self.context_words(comparison, threads=threads)
                return context_penalties(in_context, rows, aligned, batch, threads=threads)
            return meaning_penalties(aligned, _meaning(comparison, parsed), rows)
        if family == "fluency":
            model = load_fluency(self._language)
            fluent = comparison.kept_of_all(
                "fluency", lambda: FluentWords(batch, model, threads=threads)
            )
            return fluency_penalties(fluent, rows)
        if family == "tags":
            words = comparison.kept_of_all("words", lambda: self._matcher.words(batch))
            bags = ngram_bags(
                words.offsets,
                words.lemma,
                words.tag,
                function=words.function,
                sense=words.sense,
                synonymy=words.synonymy,
                hypothesis_rows=rows[0],
                reference_rows=rows[1],
                divisor=self._matcher.function_divisor,
                threads=threads,
            )
            return bag_losses(bags)
        return vector_losses(self._vector_words(comparison), rows, threads=threads)

    def _vector_words(self, comparison: Comparison) -> VectorWords:
        batch = comparison.analysed.batch
        return comparison.kept_of_all("vectors", lambda: VectorWords(batch, self._vectors))

    def context_words(self, comparison: Comparison, *, threads: int = 1) -> ContextWords:
        """All words with their contextual embeddings."""
        batch, known = comparison.analysed.batch, self._vector_words(comparison)
        rarity = known.rarity[known.rows.symbols]
        with comparison.named_refusals_of_texts():
            return comparison.kept_of_all(
                "context words", lambda: ContextWords(batch, rarity, self._encoder, threads=threads)
            )

    def prediction_interval(
        self, scores: FloatArray, segments: FloatArray
    ) -> tuple[FloatArray, FloatArray] | None:
        """Where the model's interval says that people's judgement lies."""
        interval = self.trained.interval
        if interval is None or self.points != "none":
            return None
        reach = interval.reach(segments)
        low, high = self.bounds
        return np.maximum(scores - reach, low), np.minimum(scores + reach, high)

    @property
    def prediction_coverage(self) -> float | None:
        """What the model's interval was calibrated to."""
        if self.trained.interval is None or self.points != "none":
            return None
        return self.trained.interval.coverage

    @property
    def preferences(self) -> PreferenceTable | None:
        """That of the models that ship; of others, and of contextual embeddings, nobody has measured it."""
        table = PreferenceTable.shipped("accord")
        known = self.points == "none" and not (self.model or "").startswith("file:")
        return table if known and self.trained.name in table.models else None

    def caution(self, total: FloatArray) -> str | None:
        """Whether the language has no model of its own."""
        if self.model is not None or self.trained.lang == self._language:
            return None
        return f"accord has no model of {self.lang!r}: it uses the one for any language, learned from others."

    def signed(self) -> dict[str, object]:
        """The model, and the lexicons that it asks, with the hashes of their content."""
        asked = self.asked
        items = super().signed() | {"model": self.trained, "vectors": None, "encoder": None}
        if "alignment" in asked:
            aligner = self.aligner.signed()
            items |= {name: aligner[name] for name in ("synonyms", "paraphrases", "pairs")}
            items["antonyms"] = load_antonyms() if "meaning" in asked else None
        elif "tags" in asked:
            items["synonyms"] = self._matcher.signed()["synonyms"]
        if "vectors" in asked or self.in_context:
            items["vectors"] = self._vectors
        if "fluency" in asked:
            items["fluency"] = load_fluency(self._language)
        if self.in_context:
            items["encoder"] = self._encoder
        if self.points != "none":
            rate = float(self._worth(np.ones(1))[0])
            length = self.trained.points.length if self.trained.points else 0.0
            items["points"] = f"{self.points},{rate:g}*words^{length:g}"
        return items

    def shifts(self, comparison: Comparison) -> Iterator[tuple[int, str, str]]:
        """Changes of meaning beside the first reference: segment, penalty, and what changed in words."""
        asked, texts = self.asked, (comparison.hypotheses, comparison.references[0])
        if "facts" in asked:
            for row, pair in enumerate(zip(*texts, strict=True)):
                for fact in number_shifts(row, *pair, self._language):
                    yield row, fact.kind, fact.words
        if "denials" in asked:
            numbers: dict[str, int] = {}
            rows = [SurfaceTexts.of(side, numbers).words for side in texts]
            for fact in denial_shifts((rows[0], rows[1]), list(numbers), self._language):
                yield fact.pair, fact.kind, fact.words
        if "meaning" in asked:
            analysed = comparison.analysed
            sides = analysed.hypotheses, analysed.references[0]
            parsed, aligned = self.aligner.align(comparison)
            words = _meaning(comparison, parsed)
            for shift in meaning_shifts(aligned, words, sides):
                yield shift.pair, shift.kind, described(shift, words, sides)

    def explain(self, hypothesis: str, reference: str) -> Explanation:
        """What each penalty takes off, and the aligned words."""
        from metaphrase.metrics.accord.explanation import explain

        return explain(self, compare_pair(self, hypothesis, reference))


def _meaning(comparison: Comparison, parsed: ParsedSentences) -> MeaningWords:
    return comparison.kept_of_all("meaning", lambda: MeaningWords(parsed.batch, load_antonyms()))


def _nothing(texts: Sequence[str]) -> BoolArray:
    return np.fromiter((not text.strip() for text in texts), np.bool_, len(texts))


def _added(columns: FloatArray) -> FloatArray:
    """The sum of each row, added up from left to right whatever the machine."""
    total = np.zeros(len(columns))
    for column in columns.T:
        total += column
    return total
