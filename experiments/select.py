"""What choosing among the outputs of several systems is worth, by metrics and by people.

``python -m experiments.select --folds FOLDER [--threads N]`` with METAPHRASE_DATA set. FOLDER has the models
of accord that were learnt without a set (``training.accord --folds FOLDER``).

The outputs of a sentence that people judged are its candidates. Whatever is chosen has a human score already,
and is scored with the reference, which nobody who chooses has seen, by several metrics.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from experiments.document_bootstrap import RESAMPLES, SEED, Resampled
from experiments.frame import Data, Floats, replace_section
from metaphrase import __version__
from metaphrase.meta import Judgements
from metaphrase.metrics import Metric, create
from metaphrase.selection import Candidates, Chooser, ShortCutCheck

DATA = (Data("wmt21da.en.tsv.gz"), Data("nt21mqm.en.tsv.gz"))
METRICS = ("accord", "bleu", "chrf", "cobalt", "tesla-m")
#: Fewer candidates are no choice.
FEWEST = 5


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """One sentence in each row: its candidates, their human scores, and references."""

    candidates: list[list[str]]
    systems: list[list[str]]
    human: list[Floats]
    references: list[list[str]]
    documents: list[str]

    @classmethod
    def of(cls, judged: Judgements) -> Choices:
        """The sentences with enough judged translations by machines."""
        rows = cls([], [], [], [], [])
        machines = [i for i, name in enumerate(judged.systems) if not _is_human(name)]
        for segment in range(len(judged.segments)):
            known = [
                i
                for i in machines
                if judged.text_of[i, segment] >= 0 and not np.isnan(judged.human[i, segment])
            ]
            if len(known) < FEWEST:
                continue
            texts = [judged.texts[judged.text_of[i, segment]] for i in known]
            rows.candidates.append([text.hypothesis for text in texts])
            rows.systems.append([judged.systems[i] for i in known])
            rows.human.append(judged.human[known, segment])
            rows.references.append(list(texts[0].references))
            documents = judged.documents
            rows.documents.append(documents[segment] if documents else str(segment))
        return rows


def _is_human(system: str) -> bool:
    return system.lower().startswith("ref")


def measured(name: str, judged: Judgements, folds: Path) -> Metric:
    """A metric; accord by the model that has not seen the set."""
    if name == "accord":
        model = folds / f"{judged.target}-without-{judged.name}.json"
        return create(f"accord:model=file:{model}", lang=judged.target)
    return create(name, lang=judged.target)


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What a way to choose comes to: by each metric with the reference, and by people."""

    way: str
    scores: dict[str, float]
    human: Resampled


class Comparison:
    """All ways to choose, on one language pair."""

    def __init__(self, judged: Judgements, folds: Path, threads: int) -> None:
        self.choices = Choices.of(judged)
        self.metrics = {name: measured(name, judged, folds) for name in METRICS}
        self.threads = threads
        numbers = {name: i for i, name in enumerate(dict.fromkeys(self.choices.documents))}
        document = np.array([numbers[name] for name in self.choices.documents])
        random = np.random.default_rng(SEED)
        drawn = random.multinomial(len(numbers), np.full(len(numbers), 1 / len(numbers)), RESAMPLES)
        self._drawn = drawn[:, document]

    def outcomes(self) -> Iterator[Outcome]:
        """The best system, then each metric by minimum Bayes risk, then oracles."""
        choices = self.choices
        yield self.outcome("best system", self._best_system())
        yield self.human_only("any system", np.array([h.mean() for h in choices.human]))
        for name, metric in self.metrics.items():
            yield self.outcome(f"MBR, `{name}`", self._chosen([metric]))
        both = [self.metrics["accord"], self.metrics["chrf"]]
        yield self.outcome("MBR, `accord` and `chrf`", self._chosen(both))
        for name in ("accord", "chrf"):
            yield self.outcome(
                f"oracle, `{name}`", self._chosen([self.metrics[name]], choices.references)
            )
        yield self.outcome("oracle, people", [int(h.argmax()) for h in choices.human])

    def _best_system(self) -> list[int]:
        """The system that people like best; where it was not judged, the next best."""
        totals: dict[str, list[float]] = {}
        for systems, human in zip(self.choices.systems, self.choices.human, strict=True):
            for system, score in zip(systems, human.tolist(), strict=True):
                totals.setdefault(system, []).append(score)
        means = {system: float(np.mean(scores)) for system, scores in totals.items()}
        return [
            max(range(len(systems)), key=lambda i, systems=systems: means[systems[i]])
            for systems in self.choices.systems
        ]

    def _chosen(
        self, metrics: Sequence[Metric], references: Sequence[Sequence[str]] | None = None
    ) -> list[int]:
        chooser = Chooser(metrics=metrics, threads=self.threads)
        sentences = (
            Candidates(texts=texts, references=() if references is None else references[i])
            for i, texts in enumerate(self.choices.candidates)
        )
        return [selection.index for selection in chooser.choose(sentences)]

    def outcome(self, way: str, chosen: Sequence[int]) -> Outcome:
        """By metrics, as a system's score, and by people."""
        choices = self.choices
        texts = [column[i] for column, i in zip(choices.candidates, chosen, strict=True)]
        references = list(zip(*choices.references, strict=True))
        scores = {
            name: metric.corpus_score(texts, references, threads=self.threads).score
            for name, metric in self.metrics.items()
        }
        human = np.array([h[i] for h, i in zip(choices.human, chosen, strict=True)])
        return Outcome(way, scores, self._resampled(human))

    def human_only(self, way: str, human: Floats) -> Outcome:
        """What nobody wrote down as one text has no score by metrics."""
        return Outcome(way, dict.fromkeys(self.metrics, np.nan), self._resampled(human))

    def _resampled(self, human: Floats) -> Resampled:
        return Resampled(float(human.mean()), self._drawn @ human / self._drawn.sum(axis=1))


def table(
    judged: Judgements, outcomes: Sequence[Outcome], sentences: int, mean: float
) -> Iterator[str]:
    """Of one language pair; human scores are beside those of the best system."""
    best = outcomes[0]
    title = f"**{judged.name} {judged.language_pair}**"
    yield f"{title}: {sentences:,} sentences, {mean:.1f} candidates in the mean"
    yield ""
    yield f"| chosen by | {' | '.join(f'`{name}`' for name in METRICS)} | people | beside the best system |"
    yield f"| --- |{' ---: |' * (len(METRICS) + 2)}"
    for one in outcomes:
        cells = [
            "—" if np.isnan(score) else f"{score:.4f}" if score <= 1 else f"{score:.2f}"
            for score in one.scores.values()
        ]
        difference = one.human.minus(best.human)
        low, high = difference.interval
        beside = "" if one is best else f"{difference.value:+.3f} ({low:+.3f} to {high:+.3f})"
        yield f"| {one.way} | {' | '.join(cells)} | {one.human.value:.3f} | {beside} |"
    yield ""


#: What short cuts are measured on: most candidates, and as many sentences as take minutes, not hours.
SHORT_CUT_SET, SHORT_CUT_PAIR, SHORT_CUT_SENTENCES = "wmt21da", "zh-en", 400
SHORT_CUTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("chrf", {"aggregate": True}),
    ("bleu", {"aggregate": True}),
    ("nist", {"aggregate": True}),
    ("accord", {"shortlist": 8}),
    ("accord", {"shortlist": 4}),
    ("accord", {"confidence": 0.99}),
    ("chrf", {"confidence": 0.9}),
)


def short_cuts(judged: Judgements, folds: Path, threads: int) -> Iterator[str]:
    """What the short cuts of ``select`` save, and how often they choose another candidate."""
    texts = Choices.of(judged).candidates[:SHORT_CUT_SENTENCES]
    distinct = np.mean([len(set(column)) for column in texts])
    yield (
        f"{judged.name} {judged.language_pair}, the first {len(texts)} sentences, "
        f"{distinct:.1f} different candidates in the mean:"
    )
    yield ""
    yield "| metric | short cut | pairs compared | same choice | another choice loses |"
    yield "| --- | --- | ---: | ---: | ---: |"
    for name, options in SHORT_CUTS:
        metric = measured(name, judged, folds)
        chooser = Chooser(metrics=[metric], threads=threads, **options)
        check = ShortCutCheck(chooser, most=len(texts))
        sentences = (Candidates(texts=column) for column in texts)
        found = list(check.watched(chooser.choose(sentences)))
        pairs = sum(one.pairs for one in found) / sum(one.possible for one in found)
        ((option, value),) = options.items()
        shown = f"`--{option}`" if value is True else f"`--{option} {value}`"
        loss = "" if check.same == check.sentences else f"{check.loss:.2f}"
        yield f"| `{name}` | {shown} | {pairs:.0%} | {check.same / check.sentences:.1%} | {loss} |"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--folds", type=Path, required=True, help="models of accord without a set")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    lines: list[str] = []
    for data in DATA:
        for judged in data.judgements():
            print(judged.name, judged.language_pair, file=sys.stderr, flush=True)
            compared = Comparison(judged, options.folds, options.threads)
            outcomes = list(compared.outcomes())
            texts = [len(texts) for texts in compared.choices.candidates]
            section = list(table(judged, outcomes, len(texts), float(np.mean(texts))))
            print("\n".join(section), flush=True)
            lines += section
            if (judged.name, judged.language_pair) == (SHORT_CUT_SET, SHORT_CUT_PAIR):
                measured_short_cuts = list(short_cuts(judged, options.folds, options.threads))
                print("\n".join(measured_short_cuts), flush=True)
                replace_section("short cuts", measured_short_cuts)
    files = ", ".join(f"{one.file} ({one.fingerprint})" for one in DATA)
    replace_section("select", [*lines, f"metaphrase {__version__}; data: {files}."])


if __name__ == "__main__":
    main()
