"""UPF-Cobalt: aligned words, each penalised for the differences between its syntactic contexts.

Marina Fomicheva, Núria Bel, Iria da Cunha and Anton Malinovskiy: UPF-Cobalt Submission to WMT15 Metrics
Task. WMT 2015.

Hypothesis and reference are aligned word by word (:mod:`metaphrase.matching.word_alignment`). A pair is worth
its lexical similarity, from 1 for identical words to 0.5, less a penalty from 0 to 1 for those dependency
relations of the two words that have no counterpart on the other side, and at least 0.01. With content words
weighing δ = 0.7 and function words 1 − δ, P and R are the share of the hypothesis's and of the reference's
weight that is worth something, and the score is ``1/((1−α)/P + α/R)``, α = 0.75. The defaults are the
released program's, which gives the paper's numbers; its printed formulas do not (docs/cobalt.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metaphrase import analysis, lexicon
from metaphrase.analysis import Batch
from metaphrase.analysis.relations import collapse, entity_types
from metaphrase.arrays import FloatArray
from metaphrase.corpus import Corpus
from metaphrase.errors import OptionError
from metaphrase.lexicon.word_evidence import look_up
from metaphrase.matching.word_alignment import (
    AlignmentOptions,
    ParsedSentences,
    WordAlignments,
    WordSpellings,
    align_words,
    alignment_scores,
)
from metaphrase.metrics.base import Metric
from metaphrase.metrics.comparison import Comparison, compare
from metaphrase.metrics.explanation import Explanation
from metaphrase.metrics.options import check_choice, check_range
from metaphrase.metrics.registry import register
from metaphrase.metrics.signature import Signature


@register
@dataclass(frozen=True, kw_only=True)
class Cobalt(Metric):
    """Aligned words with a penalty for differences of syntactic context; 1 for equal sentences.

    Several references: the best counts. Names may be aligned many to many, which can lift the score of a
    segment above 1.

    analyser:         which analyser parses and finds names; by default the built-in one of ``lang``
    synonyms:         where synonyms come from: ``wordnet``, ``none`` or ``file:PATH``
    paraphrases:      and paraphrases: ``paraphrases``, ``none``, ``file:PATH``, ``ppdb:PATH`` …
    vectors:          word vectors for distributional similarity, ``file:PATH`` or ``spacy:NAME``; ``none``
                      leaves it out, as the released configuration does (the paper's has it)
    opposite:         ``released`` compares parents of the hypothesis's word with children of the
                      reference's, twice; ``symmetric`` compares children with parents as well
    penalty:          ``context``, ``none``, or ``fragmentation``, METEOR's penalty for word order
    weights:          of relations: ``published`` (1, 0.8 or 0.2) or ``uniform``
    equivalent_types: whether different relations can match, such as ``agent`` and ``nsubj``
    alpha:            weight of recall in the score
    beta:             weight of the reference's side in the penalty
    delta:            weight of content words; function words have 1 − delta
    theta:            share of similarity, against contextual evidence, in the choice of alignments
    """

    name: ClassVar[str] = "cobalt"
    summary: ClassVar[str] = "aligned words, penalised for differences of their syntactic contexts"
    citation: ClassVar[str] = "Fomicheva, Bel, da Cunha and Malinovskiy, WMT 2015"

    analyser: str | None = None
    synonyms: str = "wordnet"
    paraphrases: str = "paraphrases"
    vectors: str = "none"
    opposite: str = "released"
    penalty: str = "context"
    weights: str = "published"
    equivalent_types: bool = True
    alpha: float = 0.75
    beta: float = 4.0
    delta: float = 0.7
    theta: float = 0.9

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self, "opposite", ("released", "symmetric"))
        check_choice(self, "penalty", ("context", "none", "fragmentation"))
        check_choice(self, "weights", ("published", "uniform"))
        for option in ("alpha", "delta", "theta"):
            check_range(self, option, 0, 1)
        check_range(self, "beta", 0, 1000)
        if self.lang != "en":
            raise OptionError(
                "MP531",
                f"cobalt knows English only, not {self.lang!r}.",
                hint="Its word lists, stems and relations are those of English.",
            )

    @property
    def columns(self) -> frozenset[str]:
        """Lemmas, Penn tags, names and a parse."""
        return frozenset({"lemma", "tag", "entity", "head", "relation"})

    @property
    def analyser_name(self) -> str:
        """The analyser asked for, or the built-in one of the language."""
        return self.analyser or f"builtin:{self.lang}"

    @property
    def alignment_options(self) -> AlignmentOptions:
        """The options that the kernel takes."""
        return AlignmentOptions(
            symmetric=self.opposite == "symmetric",
            equivalent_types=self.equivalent_types,
            uniform_weights=self.weights == "uniform",
            penalty=self.penalty,  # type: ignore[arg-type]
            theta=self.theta,
            alpha=self.alpha,
            beta=self.beta,
            delta=self.delta,
        )

    def prepare(self, batch: Batch, *, threads: int = 1) -> ParsedSentences:
        """Collapse the relations, translate the names, and look all words up."""
        named = with_entity_types(batch)
        spellings = WordSpellings(named.strings)
        evidence = look_up(
            spellings,
            synonyms=lexicon.load(self.synonyms, fold_case=False),
            paraphrases=lexicon.load_paraphrases(self.paraphrases),
            vectors=None if self.vectors == "none" else lexicon.load_vectors(self.vectors),
        )
        return ParsedSentences(named, collapse(batch, threads=threads), spellings, evidence)

    @property
    def combines_references(self) -> str:
        """The best counts."""
        return "best"

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        """Columns: score, 1, precision, recall, mean similarity and mean penalty; of the best reference."""
        analysed = comparison.analysed
        assert analysed is not None
        sentences = comparison.once(
            "parsed sentences", lambda: self.prepare(analysed.batch, threads=threads)
        )
        best: FloatArray | None = None
        for reference in analysed.references:
            found = alignment_scores(
                sentences,
                analysed.hypotheses,
                reference,
                options=self.alignment_options,
                threads=threads,
            )
            best = found if best is None else np.where(found[:, :1] > best[:, :1], found, best)
        assert best is not None
        return np.insert(best, 1, 1.0, axis=1)

    def align(self, comparison: Comparison) -> tuple[ParsedSentences, WordAlignments]:
        """What every segment was aligned with in its first reference, and what it cost."""
        analysed = comparison.analysed
        assert analysed is not None
        sentences = comparison.once("parsed sentences", lambda: self.prepare(analysed.batch))
        return sentences, align_words(
            sentences,
            analysed.hypotheses,
            analysed.references[0],
            options=self.alignment_options,
        )

    def signature(self, references: int | None = None) -> Signature:
        """Options, and the analyser and the lexicons with the hashes of their content."""
        from metaphrase.version import __version__

        analyser = analysis.shared(self.analyser_name)
        synonyms = lexicon.load(self.synonyms, fold_case=False)
        paraphrases = lexicon.load_paraphrases(self.paraphrases)
        vectors = lexicon.load_vectors(self.vectors)
        return Signature.of(
            self.name,
            {
                "nrefs": references,
                "lang": self.lang,
                "analyser": f"{analyser.name}@{analyser.fingerprint(self.columns)}",
                "synonyms": f"{synonyms.name}@{synonyms.fingerprint}",
                "paraphrases": f"{paraphrases.name}@{paraphrases.fingerprint}",
                "vectors": f"{vectors.name}@{vectors.fingerprint}",
                "opposite": self.opposite,
                "penalty": self.penalty,
                "weights": self.weights,
                "equivalent": self.equivalent_types,
                "alpha": float(self.alpha),
                "beta": float(self.beta),
                "delta": float(self.delta),
                "theta": float(self.theta),
                "version": __version__,
            },
        )

    def explain(self, hypothesis: str, reference: str) -> Explanation:
        """Which word was aligned with which and why, and the very relations that cost something."""
        from metaphrase.metrics.cobalt.explanation import explain

        corpus = Corpus({"hypothesis": [hypothesis]}, [[reference]], empty_references="keep")
        (comparison,) = compare(corpus, self)
        return explain(self, comparison)


def with_entity_types(batch: Batch) -> Batch:
    """The batch with names as PERSON, ORGANIZATION or LOCATION, whatever its analyser calls them."""
    types = entity_types(batch.strings)
    names = sorted(set(types))
    number = {name: len(batch.strings) + i for i, name in enumerate(names)}
    translated = np.array([number[name] for name in types], dtype=np.int32)
    columns = {**batch.columns, "entity": translated[batch.columns["entity"]]}
    return Batch(batch.texts, batch.offsets, columns, [*batch.strings, *names])
