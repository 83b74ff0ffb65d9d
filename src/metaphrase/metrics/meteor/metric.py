"""METEOR 1.5: words aligned by form, stem, synonym and paraphrase, with a penalty for broken order.

Michael Denkowski and Alon Lavie: Meteor Universal: Language Specific Translation Evaluation for Any Target
Language. WMT 2014.

The alignment of hypothesis and reference (:mod:`metaphrase.matching.meteor`) matches words by one of the
modules i with weight w_i. With content words weighing δ and function words 1 − δ, P and R are the shares of
the hypothesis's and the reference's weight that is matched, each match counting for w_i;
``F = 1/((1−α)/P + α/R)``. With m the mean number of matched words of both sides and c that of chunks, runs
of matches that are neighbours on both sides, the score is ``F · (1 − γ·(c/m)^β)``. A system's score is that
of the summed statistics. The numbers are those of the Java program (docs/meteor.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metaphrase import lexicon
from metaphrase.analysis.metric_text import meteor_text
from metaphrase.analysis.metric_text.snowball import check_stemmer
from metaphrase.arrays import FloatArray, Int32Array
from metaphrase.errors import InputError, OptionError, ResourceError
from metaphrase.extras import not_installed
from metaphrase.lexicon import ParaphraseTable, WordNet
from metaphrase.matching.meteor import (
    CHUNKS,
    FUNCTION_WORDS,
    LENGTHS,
    MATCHED_WORDS,
    STAGES,
    MeteorLexicon,
    MeteorSentences,
)
from metaphrase.metrics.base import Metric, best_rows
from metaphrase.metrics.comparison import Comparison, RowTexts, compare_pair
from metaphrase.metrics.explanation import Explanation
from metaphrase.metrics.meteor.parameters import (
    MODULES,
    TASKS,
    Parameters,
    default_modules,
    default_task,
    parameters,
)
from metaphrase.metrics.registry import register
from metaphrase.options import option, same_as
from metaphrase.statistics.elementary import power


@register
@dataclass(frozen=True, kw_only=True)
class Meteor(Metric):
    """Aligned words of equal form, stem or meaning, less a penalty for broken order; from 0 to 1.

    Several references: the best counts, and its statistics enter those of the system.

    >>> meteor = metaphrase.Meteor(paraphrases="none")
    >>> meteor.sentence_score("The cats sat.", ["The cat sat."])
    <Score meteor:paraphrases=none 0.8500>
    """

    name: ClassVar[str] = "meteor"
    summary: ClassVar[str] = "METEOR 1.5: words aligned by form, stem, synonym and paraphrase"
    citation: ClassVar[str] = "Denkowski and Lavie, WMT 2014"
    combines_references: ClassVar[str] = "best"
    normalise: ClassVar[bool] = False  # type: ignore[misc]

    signed_first: ClassVar[tuple[str, ...]] = ("lang", "task", "modules", "synonyms")

    lang: str = same_as(
        Metric,
        "lang",
        meaning="the language of the texts; English has all modules, others words and stems",
    )
    task: str | None = option(
        None,
        "what the parameters were tuned for: ``rank`` (the default), ``adq``, ``hter``, ``util``, ``li`` "
        "(the default of languages without ``rank``) or ``tune``",
        choices=TASKS,
    )
    modules: tuple[str, ...] | None = option(
        None,
        "which ones match words, of ``exact,stem,synonym,paraphrase``; by default all of the language",
        names_files=False,
    )
    paraphrases: str | None = option(
        None,
        "where paraphrases come from: ``meteor`` is the program's own table, from the extra ``paraphrases``; "
        "``none`` leaves the module out (the default of languages but English)",
    )
    text: str | None = option(
        None,
        "how texts become words: ``norm`` (``-norm``: tokenised, in lower case; the default where there is a "
        "tokeniser), ``no-punctuation`` (``-norm -noPunct``), ``lower`` (``-lower``: split at spaces; the "
        "default elsewhere) or ``none``",
        choices=("norm", "no-punctuation", "lower", "none"),
    )
    characters: bool = option(
        False,
        "whether lengths and matches are counted in characters (``-ch``), not in words",
        signed="unit",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        meteor_text.function_words(self.lang)  # refuses a language that METEOR does not know
        self.split([])  # refuses a language without tokeniser
        self._check_modules()
        parameters(self.task_name, self.lang)

    def _check_modules(self) -> None:
        if self.modules is None:
            return
        there = default_modules(self.lang)
        if self.modules[:1] != ("exact",) or self.modules != tuple(
            module for module in there if module in self.modules
        ):
            raise OptionError(
                "MP593",
                f"meteor cannot match with the modules {','.join(self.modules)!r}.",
                hint=f"Choose exact and any others of {','.join(there)}, in this order.",
            )
        if "paraphrase" in self.modules and self._paraphrases == "none":
            raise OptionError(
                "MP593",
                "meteor has no paraphrases for the module that looks for them.",
                hint="Leave the module out, or say where paraphrases come from: paraphrases=meteor:PATH.",
            )

    @property
    def task_name(self) -> str:
        """The task asked for, or the default of the language."""
        return self.task or default_task(self.lang)

    @property
    def parameters(self) -> Parameters:
        """Those of the task."""
        return parameters(self.task_name, self.lang)

    @property
    def text_form(self) -> str:
        """How texts become words, as asked or by default."""
        return self.text or ("norm" if meteor_text.LANGUAGES[self.lang].normalises else "lower")

    @property
    def _paraphrases(self) -> str:
        return self.paraphrases or ("meteor" if self.lang == "en" else "none")

    @property
    def modules_used(self) -> tuple[str, ...]:
        """The modules that look for matches, in their order."""
        asked = self.modules or default_modules(self.lang)
        unused = {"paraphrase"} if self._paraphrases == "none" else set()
        return tuple(module for module in MODULES if module in asked and module not in unused)

    def lexicon(self) -> MeteorLexicon:
        """What the modules ask."""
        used = self.modules_used
        return MeteorLexicon(
            lang=self.lang,
            stemming="stem" in used,
            wordnet=WordNet.default() if "synonym" in used else None,
            paraphrases=self._table() if "paraphrase" in used else None,
            # The program reads the English list whatever the language, unless it is given another file.
            function_words=meteor_text.function_words("en"),
            characters=self.characters,
        )

    def _table(self) -> ParaphraseTable:
        try:
            table = lexicon.load_paraphrases(self._paraphrases)
        except ResourceError as error:
            if error.code != "MP970":
                raise
            raise not_installed(
                "METEOR's paraphrases are not installed.",
                "paraphrases",
                "Do without (meteor:paraphrases=none), or run",
            ) from error
        assert isinstance(table, ParaphraseTable)
        return table

    def split(self, texts: list[str], *, threads: int = 1) -> list[str]:
        """Texts as words between spaces."""
        if self.text_form in ("norm", "no-punctuation"):
            return meteor_text.normalise(
                texts, lang=self.lang, punctuation=self.text_form == "norm", threads=threads
            )
        return [text.lower() for text in texts] if self.text_form == "lower" else texts

    def sentences(
        self, comparison: Comparison, *, threads: int = 1
    ) -> tuple[MeteorSentences, list[Int32Array]]:
        """All texts, and the rows of the hypotheses and of each reference among them."""
        hypotheses, references = comparison.sides(
            lambda texts: RowTexts.of(self.split(list(texts), threads=threads))
        )
        rows: dict[str, int] = {}
        places = [
            np.fromiter(
                (rows.setdefault(text, len(rows)) for text in texts), np.int32, count=len(texts)
            )
            for texts in (hypotheses, *references)
        ]
        return MeteorSentences(list(rows), self.lexicon()), places

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        """METEOR's 23 numbers of the best reference; a segment without fault has no chunks."""
        sentences, (hypotheses, *references) = self.sentences(comparison, threads=threads)
        found = [
            sentences.statistics(hypotheses, reference, threads=threads) for reference in references
        ]
        for rows in found:
            _check_lengths(comparison, rows)
        return best_rows(map(_without_perfect_chunks, found), self.score)

    def score(self, statistics: FloatArray) -> FloatArray:
        """The formula, over (sums of) rows; 0 where nothing is matched."""
        chosen = self.parameters
        precision, recall = np.moveaxis(self._matched_shares(statistics), -1, 0)
        matched = statistics[..., MATCHED_WORDS].sum(axis=-1) / 2
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = 1 / ((1 - chosen.alpha) / precision + chosen.alpha / recall)
            penalty = chosen.gamma * power(statistics[..., CHUNKS] / matched, chosen.beta)
            score = mean * (1 - penalty)
        return np.asarray(np.maximum(np.nan_to_num(score, nan=0.0), 0.0))

    def _matched_shares(self, statistics: FloatArray) -> FloatArray:
        """Precision and recall: the shares of the weight of hypothesis and reference that is matched."""
        delta = self.parameters.delta
        lengths, function = statistics[..., LENGTHS], statistics[..., FUNCTION_WORDS]
        total = delta * (lengths - function) + (1 - delta) * function
        matched = np.zeros_like(total)
        # Content words before function words, as the program adds them.
        for half, share in ((slice(0, 2), delta), (slice(2, 4), 1 - delta)):
            for stage, weight in zip(STAGES, self.parameters.weights, strict=True):
                matched += statistics[..., stage][..., half] * weight * share
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(matched / total)

    def signed(self) -> dict[str, object]:
        """What the language decides, and the resources with the hashes of their content."""
        used = self.modules_used
        if "stem" in used:
            check_stemmer(self.lang)
        return super().signed() | {
            "task": self.task_name,
            "modules": used,
            "synonyms": WordNet.default() if "synonym" in used else None,
            "paraphrases": self._table() if "paraphrase" in used else None,
            "text": self.text_form,
            "unit": "character" if self.characters else "word",
        }

    def explain(self, hypothesis: str, reference: str) -> Explanation:
        """Which words were matched by which module, in which chunk."""
        from metaphrase.metrics.meteor.explanation import explain

        return explain(self, compare_pair(self, hypothesis, reference))


def _check_lengths(comparison: Comparison, statistics: FloatArray) -> None:
    refused = np.flatnonzero(statistics[:, 0] < 0)
    if len(refused):
        row = int(refused[0])
        error = InputError(
            "MP594",
            f"{comparison.place(row)} is too long for METEOR's alignment.",
            hint="A segment may have some thousand words; give sentences.",
        )
        raise comparison.blamed(row, error)


def _without_perfect_chunks(statistics: FloatArray) -> FloatArray:
    """The one chunk of a segment in which every word is matched is no break of order, and costs nothing."""
    # Stages, content and function words, hypothesis and reference.
    matched = statistics[:, 4:20].reshape(-1, 4, 2, 2).sum(axis=(1, 2))
    whole = (matched == statistics[:, LENGTHS]).all(axis=1) & (statistics[:, CHUNKS] == 1)
    statistics[whole, CHUNKS] = 0
    return statistics
