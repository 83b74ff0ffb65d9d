"""Judged translations as an edit machine is trained on them: one row a hypothesis and a reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import fsencode, fspath
from pathlib import PurePath
from typing import Literal

import numpy as np

from metaphrase.arrays import FloatArray, Int64Array, one_line
from metaphrase.corpus.formats.judged.judgement_files import read_judgements
from metaphrase.corpus.judgements import JudgedText, Judgements
from metaphrase.corpus.lines import FilePath
from metaphrase.errors import InputError
from metaphrase.languages import canonical_language
from metaphrase.learning.judged_sets import Source
from metaphrase.meta.learned_sets import scores_fingerprint
from metaphrase.statistics.normalisation import standardise_by_judge

#: Which references of a judged text make a row.
WhichReferences = Literal["first", "each"]
#: The judged texts of each data set and language pair, with their systems and segments.
Seen = dict[tuple[str, str], set[tuple[str, str, JudgedText]]]


@dataclass(frozen=True, slots=True, eq=False)
class TrainingData:
    """Columns of equal length, one cell a row; ``judgement`` numbers the scores, from 0.

    A judgement whose text has several references may have several rows, with the same target each.
    """

    hypotheses: Sequence[str]
    references: Sequence[str]
    targets: FloatArray
    judgement: Int64Array
    sets: Sequence[str]
    language_pairs: Sequence[str]
    sources: tuple[Source, ...]

    __repr__ = one_line

    def __len__(self) -> int:
        return len(self.hypotheses)

    def groups(self, by: str) -> Sequence[str]:
        """A label for each row: its language pair (``lp``), its ``set``, or its ``segment``.

        Rows with the same reference are of one segment, in whatever data set and language pair: a
        sentence that was learnt from must not come back as one never seen.
        """
        return {"lp": self.language_pairs, "set": self.sets, "segment": self.references}[by]


def read_training_data(
    paths: Sequence[FilePath],
    *,
    lang: str = "en",
    references: WhichReferences = "first",
    standardise: bool = False,
) -> TrainingData:
    """Scores (TSV) of all files, with the texts they are about.

    ``references`` says what to do with several: the ``first`` alone, or a row for ``each``. ``standardise``
    turns the scores of each data set and language pair into z-scores, for sets with different scales.
    """
    rows: list[tuple[str, str]] = []
    labels: list[tuple[str, str]] = []
    targets: list[float] = []
    judgement: list[int] = []
    sources = []
    scales: list[int] = []
    seen: Seen = {}
    for path in paths:
        before = len(targets)
        read = list(read_judgements(path).values())
        for found in read:
            _check(found, lang, path)
            scale = _add(found, path, seen)
            for system, segment in np.argwhere(~np.isnan(found.human)).tolist():
                text = found.texts[found.text_of[system, segment]]
                score = float(found.human[system, segment])
                for reference in text.references[: 1 if references == "first" else None]:
                    rows.append((text.hypothesis, reference))
                    labels.append((found.name, found.language_pair))
                    judgement.append(len(targets))
                targets.append(score)
                scales.append(scale)
        # A name need not be UTF-8, but what a model keeps of it must be.
        name = fsencode(PurePath(fspath(path)).name).decode(errors="replace")
        sources.append(Source(name, len(targets) - before, scores_fingerprint(read)))
    if len(targets) < 2:
        raise InputError(
            "MP630", f"There are {len(targets)} scores, which is too few to learn from.", path=path
        )
    for side, texts in zip(("hypotheses", "references"), zip(*rows, strict=True), strict=True):
        if not any(text.strip() for text in texts):
            raise InputError(
                "MP630", f"All {side} are empty: there is nothing to learn from.", path=path
            )
    scores = standardise_by_judge(targets, scales) if standardise else np.array(targets)
    numbers = np.array(judgement, dtype=np.int64)
    return TrainingData(
        [hypothesis for hypothesis, _ in rows],
        [reference for _, reference in rows],
        scores[numbers],
        numbers,
        [name for name, _ in labels],
        [pair for _, pair in labels],
        tuple(sources),
    )


def _check(found: Judgements, lang: str, path: FilePath) -> None:
    fault, hint = "", ""
    if found.is_ranked:
        fault = "These are rankings, and edit machines are trained on scores."
        hint = "Give tables of absolute scores (TSV)."
    elif found.target != canonical_language(lang):
        fault = f"{found.language_pair} is not a translation into {lang!r}."
        hint = "Choose other data, or another --language."
    if fault:
        raise InputError("MP630", fault, path=path, hint=hint)


def _add(found: Judgements, path: FilePath, seen: Seen) -> int:
    """The number of the data set and language pair, which may have come in parts, but not twice."""
    label = found.name, found.language_pair
    number = list(seen).index(label) if label in seen else len(seen)
    earlier = seen.setdefault(label, set())
    rows = [
        (
            found.systems[system],
            found.segments[segment],
            found.texts[found.text_of[system, segment]],
        )
        for system, segment in np.argwhere(~np.isnan(found.human)).tolist()
    ]
    if again := [row for row in rows if row in earlier]:
        system, segment, _ = again[0]
        raise InputError(
            "MP630",
            f"{len(again)} of {len(rows)} judgements of {' '.join(label)} were given before, "
            f"the first of them system {system!r}, segment {segment!r}.",
            path=path,
            hint="Name every file once; files of one data set must have different rows.",
        )
    earlier.update(rows)
    return number
