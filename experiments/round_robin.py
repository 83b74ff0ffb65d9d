"""Direct assessments of two years, pooled by language pair: each pair is predicted from all others.

The manner of Wang & Manning (EMNLP 2012), who train on two source languages and test on the third. Some
English sentences were translated into several languages and back: what has a reference of the pair that is
held out is not trained on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from experiments.frame import Data, Floats
from metaphrase.meta import (
    AgreementTable,
    Column,
    JudgedScores,
    JudgedText,
    Judgements,
    Measure,
    agreement_column,
)

DATA = tuple(Data(f"{name}.en.tsv.gz") for name in ("daseg15", "daseg16"))
NAME = "daseg15 + daseg16"
MEASURES = (Measure(name="spearman"), Measure(name="pearson"))
RESAMPLES = 1000


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """A language pair that is held out: its judgements, its rows among all, and those to train on."""

    judged: Judgements
    rows: NDArray[np.intp]
    training: NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class RoundRobin:
    """All rows, language pair by language pair; ``group`` numbers the pairs."""

    texts: tuple[JudgedText, ...]
    human: Floats
    group: NDArray[np.intp]
    folds: tuple[Fold, ...]

    @property
    def fingerprint(self) -> str:
        return "+".join(one.fingerprint for one in DATA)


def round_robin() -> RoundRobin:
    """Language pairs in alphabetical order."""
    by_pair: dict[str, list[Judgements]] = {}
    for data in DATA:
        for judged in data.judgements():
            by_pair.setdefault(judged.language_pair, []).append(judged)
    pairs = [pooled(by_pair[name]) for name in sorted(by_pair)]
    texts = tuple(text for judged in pairs for text in judged.texts)
    group = np.repeat(np.arange(len(pairs)), [len(judged.texts) for judged in pairs])
    folds = []
    for number, judged in enumerate(pairs):
        seen = {text.references for text in judged.texts}
        unseen = np.array([text.references not in seen for text in texts])
        folds.append(Fold(judged, np.flatnonzero(group == number), np.flatnonzero(unseen)))
    human = np.concatenate([judged.human[0] for judged in pairs])
    return RoundRobin(texts, human, group, tuple(folds))


def pooled(parts: Sequence[Judgements]) -> Judgements:
    """Several years of one language pair as one, every judged segment a text of one system."""
    texts, human, segments = [], [], []
    for part in parts:
        for system, segment in np.argwhere(~np.isnan(part.human)).tolist():
            texts.append(part.texts[part.text_of[system, segment]])
            human.append(part.human[system, segment])
            segments.append(f"{part.name}:{part.segments[segment]}")
    return Judgements(
        name=NAME,
        language_pair=parts[0].language_pair,
        systems=("all",),
        segments=tuple(segments),
        documents=None,
        texts=tuple(texts),
        text_of=np.arange(len(texts), dtype=np.int32)[None],
        human=np.array(human)[None],
    )


def predicted_scores(name: str, values: Floats) -> JudgedScores:
    """Predictions of a fold's rows in the form that measures take."""
    return JudgedScores(name, name, values[None], np.empty((1, 0)), values.mean(keepdims=True))


def held_out_table(
    folds: Sequence[Fold], rows: Mapping[str, Sequence[JudgedScores]]
) -> AgreementTable:
    """Both coefficients of every row of the table, which has the scores of each fold in turn."""
    columns: list[Column] = []
    for measure in MEASURES:
        for fold, scores in zip(folds, zip(*rows.values(), strict=True), strict=True):
            columns.append(
                agreement_column(fold.judged, measure, list(scores), resamples=RESAMPLES)
            )
    return AgreementTable(tuple(rows), tuple(columns))
