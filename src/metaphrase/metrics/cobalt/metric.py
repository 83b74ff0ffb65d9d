"""UPF-Cobalt: aligned words, each penalised for the differences between its syntactic contexts.

Marina Fomicheva, Núria Bel, Iria da Cunha and Anton Malinovskiy: UPF-Cobalt Submission to WMT15 Metrics
Task. WMT 2015.

Hypothesis and reference are aligned word by word (:mod:`metaphrase.matching.word_alignment`). A pair is worth
its lexical similarity, from 1 for identical words to 0.5, less a penalty from 0 to 1 for those dependency
relations of the two words that have no counterpart on the other side, and at least 0.01 (Eq. 1 to 3; METRICS
1.9). With content words weighing δ = 0.7 and function words 1 − δ, P and R are the share of the hypothesis's
and of the reference's weight that is worth something, and the score is ``1/((1−α)/P + α/R)``, α = 0.75
(METRICS 1.10). The defaults are the released program's, which gives the paper's numbers; its printed formulas
do not (docs/cobalt.md). Two are not: a word has one partner at most, and texts are normalised. German, French
and Spanish are ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

import numpy as np

from metaphrase import lexicon
from metaphrase.analysis import Batch
from metaphrase.analysis.metric_text.snowball import check_stemmer
from metaphrase.analysis.relation_languages import penn_tag
from metaphrase.analysis.relations import collapse, entity_types
from metaphrase.arrays import FloatArray, Int32Array
from metaphrase.errors import OptionError
from metaphrase.lexicon import ParaphraseSource, SynonymSource
from metaphrase.lexicon.phrase_spans import PhraseSpans, find_phrases
from metaphrase.lexicon.word_evidence import look_up
from metaphrase.matching.word_alignment import (
    AlignmentOptions,
    ParsedSentences,
    WordAlignments,
    WordSpellings,
    align_words,
    alignment_scores,
)
from metaphrase.metrics.base import Metric, best_rows
from metaphrase.metrics.cobalt.fluency import fluency, load_model, mean_log_probabilities
from metaphrase.metrics.cobalt.languages import LANGUAGES
from metaphrase.metrics.cobalt.published import DEPARTURES, SUBSTITUTED
from metaphrase.metrics.comparison import Comparison, compare_pair
from metaphrase.metrics.explanation import Explanation
from metaphrase.metrics.published import Difference
from metaphrase.metrics.registry import register
from metaphrase.metrics.tesla_m.languages import check_language
from metaphrase.options import option, options, same_as, shared

#: Resources of English words, which say nothing of other languages. The first two are defaults.
_OF_ENGLISH = {
    "synonyms": "wordnet",
    "paraphrases": "paraphrases",
    "vectors": "glove",
    "phrases": "paraphrases",
}


@register
@dataclass(frozen=True, kw_only=True)
class Cobalt(Metric):
    """Aligned words with a penalty for differences of syntactic context; 1 for equal sentences.

    Several references: the best counts. The released program aligns names many to many, and scores a name
    said five times above 1: ``cobalt:released``.

    >>> [link.kind for link in metaphrase.Cobalt().explain("Big cats slept.", "Large cats slept.").links]
    ['synonym', 'identical', 'identical', 'identical']
    """

    name: ClassVar[str] = "cobalt"
    summary: ClassVar[str] = "aligned words, penalised for differences of their syntactic contexts"
    citation: ClassVar[str] = "Fomicheva, Bel, da Cunha and Malinovskiy, WMT 2015"
    # The paper's is first: what is one option away from both has its name, and says what it replaces.
    variants: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "paper": {"pairs": "released", "vectors": "glove", "normalise": False},
        "released": {"pairs": "released", "normalise": False},
    }
    substituted: ClassVar[tuple[Difference, ...]] = SUBSTITUTED
    departures: ClassVar[tuple[Difference, ...]] = DEPARTURES
    decimals: ClassVar[int | None] = 4
    combines_references: ClassVar[str] = "best"
    analyser: str | None = option(
        None, "which analyser parses and finds names; by default the built-in one of ``lang``"
    )
    synonyms: str | None = option(
        None,
        "where synonyms come from: ``wordnet``, ``none``, ``file:PATH`` or ``mythes:LANGUAGE``; by default "
        "``wordnet`` for English, ``none`` for other languages",
    )
    paraphrases: str | None = option(
        None,
        "where paraphrases come from: ``paraphrases``, ``none``, ``file:PATH``, ``ppdb:PATH`` …; by default "
        "``paraphrases`` for English, ``none`` for other languages",
    )
    vectors: str = option(
        "none",
        "word vectors for distributional similarity: ``glove``, ``file:PATH`` or ``spacy:NAME``; ``none`` "
        "leaves it out, as the released configuration does (the paper's has it)",
    )
    pairs: str = same_as(AlignmentOptions, "pairs")
    opposite: str = option(
        "released",
        "``released`` compares parents of the hypothesis's word with children of the reference's, twice; "
        "``symmetric`` compares children with parents as well",
        choices=("released", "symmetric"),
    )
    penalty: str = same_as(AlignmentOptions, "penalty")
    formula: str = same_as(AlignmentOptions, "formula", signed=False)
    weights: str = option(
        "published",
        "of relations: ``published`` (1, 0.8 or 0.2) or ``uniform``",
        choices=("published", "uniform"),
    )
    equivalent_types: bool = same_as(AlignmentOptions, "equivalent_types", signed="equivalent")
    alpha: float = same_as(AlignmentOptions, "alpha")
    beta: float = same_as(AlignmentOptions, "beta")
    delta: float = same_as(AlignmentOptions, "delta")
    theta: float = same_as(AlignmentOptions, "theta")
    phrases: str = option(
        "none",
        "where paraphrases of several words come from, which link words that have no partners: ``none``, "
        "``paraphrases``, ``file:PATH`` …",
        signed=False,  # if there are any, as the table with its hash
    )
    fluency: str = option(
        "none",
        "a language model that takes off for hypotheses less fluent than the reference: ``shipped``, or a "
        "file; ``none``",
        signed=False,  # if there is one, with its hash and its weight
    )
    fluency_weight: float = option(
        0.2, "how much fluency counts, if there is a model", low=0, high=10, signed=False
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.lang not in LANGUAGES:
            raise OptionError(
                "MP531",
                f"cobalt knows {', '.join(LANGUAGES)}, not {self.lang!r}.",
                hint="It needs word lists, stems and relations of the language.",
            )
        check_language(self.name, self.lang, self.analyser)
        for name, value in _OF_ENGLISH.items():
            if self.lang != "en" and getattr(self, name) == value:
                raise OptionError(
                    "MP557",
                    f"{name}={value} knows English words, and the texts are {self.lang!r}.",
                    hint=f"Choose {name}=none or file:PATH; cobalt:paper is English.",
                )

        if (
            self.fluency == "none"
            and self.fluency_weight != options(self)["fluency_weight"].default
        ):
            raise _without_effect("fluency_weight", "fluency=none")
        if self.formula != "released" and self.penalty != "context":
            raise _without_effect("formula", f"penalty={self.penalty}")

    @property
    def bounds(self) -> tuple[float, float]:
        """From 0 to 1; several partners of one word have no maximum."""
        return 0.0, 1.0 if self.pairs == "one-to-one" else inf

    @property
    def columns(self) -> frozenset[str]:
        """Names are found in English; in other languages they are proper nouns in a row."""
        names = "entity" if self.lang == "en" else "upos"
        return frozenset({"lemma", "tag", names, "head", "relation"})

    @property
    def analyser_name(self) -> str:
        """The analyser asked for, or the built-in one of the language."""
        return self.analyser or f"builtin:{self.lang}"

    @property
    def alignment_options(self) -> AlignmentOptions:
        """The options that the kernel takes."""
        return shared(
            AlignmentOptions,
            self,
            symmetric=self.opposite == "symmetric",
            uniform_weights=self.weights == "uniform",
        )

    @property
    def _synonym_source(self) -> SynonymSource:
        default = _OF_ENGLISH["synonyms"] if self.lang == "en" else "none"
        return lexicon.load(self.synonyms or default, fold_case=False)

    @property
    def _paraphrase_source(self) -> ParaphraseSource:
        default = _OF_ENGLISH["paraphrases"] if self.lang == "en" else "none"
        return lexicon.load_paraphrases(self.paraphrases or default)

    def prepare(self, batch: Batch, *, threads: int = 1) -> ParsedSentences:
        """Collapse the relations, translate the names, and look all words up."""
        named = with_entity_types(batch) if self.lang == "en" else in_english_tags(batch, self.lang)
        spellings = WordSpellings(named.strings, LANGUAGES[self.lang])
        evidence = look_up(
            spellings,
            synonyms=self._synonym_source,
            paraphrases=self._paraphrase_source,
            vectors=None if self.vectors == "none" else lexicon.load_vectors(self.vectors),
        )
        relations = collapse(named, lang=self.lang, threads=threads)
        phrases = self._phrases(named, spellings)
        return ParsedSentences(named, relations, spellings, evidence, phrases)

    def _phrases(self, batch: Batch, spellings: WordSpellings) -> PhraseSpans | None:
        if self.phrases == "none":
            return None
        words = spellings.canonical_numbers[batch.columns["form"]]
        table = lexicon.load_paraphrases(self.phrases)
        return find_phrases(batch.offsets, words, spellings.canonical, table)

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        """Columns: score, 1, precision, recall, mean similarity and mean penalty; of the best reference."""
        analysed = comparison.analysed
        sentences = comparison.kept_of_all(
            "parsed sentences", lambda: self.prepare(analysed.batch, threads=threads)
        )
        found = (
            self._with_fluency(
                alignment_scores(
                    sentences,
                    analysed.hypotheses,
                    reference,
                    options=self.alignment_options,
                    threads=threads,
                ),
                comparison,
                reference,
                threads,
            )
            for reference in analysed.references
        )
        with comparison.named_refusals():
            best = best_rows(found, lambda rows: rows[:, 0])
        rows = np.insert(best, 1, 1.0, axis=1)
        rows[comparison.blank, 0] = 1.0
        return rows

    def align(
        self, comparison: Comparison, reference: int = 0, *, threads: int = 1
    ) -> tuple[ParsedSentences, WordAlignments]:
        """What every segment was aligned with in a reference, and what it cost; the last one is kept."""
        analysed = comparison.analysed
        rows = analysed.hypotheses, analysed.references[reference]
        sentences = comparison.kept_of_all(
            "parsed sentences", lambda: self.prepare(analysed.batch, threads=threads)
        )
        kept: dict[str, Any] = comparison.kept_of_all("alignment", dict)
        if kept.get("rows") is None or any(
            known is not row for known, row in zip(kept["rows"], rows, strict=True)
        ):
            with comparison.named_refusals():
                kept["found"] = align_words(
                    sentences, *rows, options=self.alignment_options, threads=threads
                )
            kept["rows"] = rows
            self._with_fluency(kept["found"].scores, comparison, rows[1], threads)
        return sentences, kept["found"]

    def fluencies(
        self, comparison: Comparison, references: Int32Array, *, threads: int = 1
    ) -> FloatArray:
        """The factor of each hypothesis beside its reference; 1 without a language model."""
        analysed = comparison.analysed
        if self.fluency == "none":
            return np.ones(len(analysed.hypotheses))
        means = comparison.kept_of_all(
            "fluency",
            lambda: mean_log_probabilities(
                analysed.batch, load_model(self.fluency, self.lang), threads=threads
            ),
        )
        return fluency(means, (analysed.hypotheses, references), self.fluency_weight)

    def _with_fluency(
        self, scores: FloatArray, comparison: Comparison, references: Int32Array, threads: int
    ) -> FloatArray:
        if self.fluency != "none":
            scores[:, 0] *= self.fluencies(comparison, references, threads=threads)
        return scores

    def signed(self) -> dict[str, object]:
        """The lexicons and models with the hashes of their content."""
        check_stemmer(self.lang)
        items = super().signed() | {
            "synonyms": self._synonym_source,
            "paraphrases": self._paraphrase_source,
            "vectors": lexicon.load_vectors(self.vectors),
            "formula": None if self.formula == "released" else self.formula,
        }
        if self.phrases != "none":
            items["phrases"] = lexicon.load_paraphrases(self.phrases)
        if self.fluency != "none":
            items |= {
                "fluency": load_model(self.fluency, self.lang),
                "fluency_weight": self.fluency_weight,
            }
        return items

    def explain(self, hypothesis: str, reference: str) -> Explanation:
        """Which word was aligned with which and why, and the very relations that cost something."""
        from metaphrase.metrics.cobalt.explanation import explain

        return explain(self, compare_pair(self, hypothesis, reference))


def _without_effect(option: str, other: str) -> OptionError:
    return OptionError(
        "MP558", f"cobalt: {option} has no effect with {other}.", hint=f"Leave out {option}."
    )


def with_entity_types(batch: Batch) -> Batch:
    """The batch with names as PERSON, ORGANIZATION or LOCATION, whatever its analyser calls them."""
    types = np.array(entity_types(batch.strings), dtype=object)
    return _with_columns(batch, {"entity": types[batch.columns["entity"]].tolist()})


def in_english_tags(batch: Batch, lang: str) -> Batch:
    """The batch with tags of Penn's set, and with proper nouns as names, of whom or what nobody knows.

    Names of one type are what the aligner asks for: which one makes no difference.
    """
    strings = np.array(batch.strings, dtype=object)
    tags, universal = (strings[batch.columns[name]].tolist() for name in ("tag", "upos"))
    penn = {pair: penn_tag(lang, *pair) for pair in set(zip(tags, universal, strict=True))}
    columns = {
        "tag": [penn[pair] for pair in zip(tags, universal, strict=True)],
        "entity": ["PERSON" if tag == "PROPN" else "O" for tag in universal],
    }
    return _with_columns(batch, columns)


def _with_columns(batch: Batch, columns: Mapping[str, Sequence[str]]) -> Batch:
    """The batch with other strings in some columns."""
    names = sorted({cell for cells in columns.values() for cell in cells})
    number = {name: len(batch.strings) + i for i, name in enumerate(names)}
    others = {
        column: np.array([number[cell] for cell in cells], dtype=np.int32)
        for column, cells in columns.items()
    }
    return Batch(batch.texts, batch.offsets, {**batch.columns, **others}, [*batch.strings, *names])
