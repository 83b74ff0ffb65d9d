"""What a shared task compares in one language pair: systems, what people gave them, and what metrics did."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from metaphrase.arrays import FloatArray, one_line
from metaphrase.corpus.formats.mtme.scores import Level
from metaphrase.corpus.formats.mtme.test_set import MtmeSet
from metaphrase.corpus.formats.mtme.tree import NO_REFERENCE
from metaphrase.errors import InputError
from metaphrase.meta.judged_scores import JudgedScores
from metaphrase.meta.shared_tasks import PairRules, TaskLevel

#: How a table marks a metric that reads no reference, as the organisers' do.
_REFERENCE_FREE = "[noref]"
_LEVELS: dict[TaskLevel, Level] = {"system": "sys", "segment": "seg"}
#: Scores by system: one each, or one for each segment.
BySystem = Mapping[str, FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class TaskData:
    """One language pair; scores of people by level, those of metrics by name and level."""

    language_pair: str
    #: The systems that take part, if people gave them scores.
    candidates: tuple[str, ...]
    human: Mapping[TaskLevel, BySystem]
    metrics: Mapping[tuple[str, TaskLevel], BySystem]

    __repr__ = one_line

    @classmethod
    def of(
        cls,
        mtme: MtmeSet,
        rules: PairRules,
        references: Collection[str],
        own: Mapping[str, tuple[tuple[str, ...], JudgedScores]],
    ) -> TaskData:
        """From a test set that was read with the reference of ``rules``; ``references`` are all it has.

        ``own`` are the scores of metrics that the test set does not bring along, with their systems.
        """
        humans = set(references)
        candidates = tuple(
            name
            for name in mtme.outputs
            if name != rules.reference
            and name not in rules.outliers
            and (rules.references_are_systems or name not in humans)
        )
        human: dict[TaskLevel, BySystem] = {}
        for level, ending in _LEVELS.items():
            if (rules.human, ending) not in mtme.human:
                raise InputError(
                    "MP770",
                    f"{mtme.name} {mtme.language_pair} has no human scores of {level}s called "
                    f"{rules.human!r}.",
                    hint=f"The task needs human-scores/{mtme.language_pair}.{rules.human}.{ending}.score.",
                )
            human[level] = mtme.human[rules.human, ending].by_system()
        metrics: dict[tuple[str, TaskLevel], BySystem] = {}
        # A metric with the reference of the task comes before one that calls it "all".
        for name, used, ending in sorted(mtme.metrics, key=lambda key: key[1] == "all"):
            for level in _LEVELS:
                if _LEVELS[level] == ending:
                    shown = f"{name}{_REFERENCE_FREE}" if used == NO_REFERENCE else name
                    scores = mtme.metrics[name, used, ending].by_system()
                    metrics.setdefault((shown, level), scores)
        for shown, (systems, given) in own.items():
            metrics[shown, "segment"] = dict(zip(systems, given.segment, strict=True))
            metrics[shown, "system"] = dict(zip(systems, given.system[:, None], strict=True))
        return cls(mtme.language_pair, candidates, human, metrics)

    def judged(self, level: TaskLevel) -> tuple[tuple[str, ...], FloatArray]:
        """The systems that people gave scores at a level, and these, (systems, segments) or (systems, 1)."""
        scores = self.human[level]
        systems = tuple(
            name for name in self.candidates if name in scores and not np.isnan(scores[name]).all()
        )
        if len(systems) < 2:
            raise InputError(
                "MP770",
                f"people scored {len(systems) or 'none'} of the systems of {self.language_pair} that the "
                f"task compares, at {level} level.",
                hint="It needs two: check human-scores and system-outputs.",
            )
        return systems, np.stack([scores[name] for name in systems])

    def scored(self, metric: str, level: TaskLevel) -> FloatArray | str:
        """The metric's scores of the same systems, all of them there, or why there are none."""
        scores = self.metrics.get((metric, level))
        unit = "systems" if level == "system" else "segments"
        if scores is None:
            return f"It has no scores of {unit} in {self.language_pair}."
        systems, human = self.judged(level)
        for system in systems:
            if system not in scores:
                return f"It has no scores of {system} in {self.language_pair}."
        found = np.stack([scores[system] for system in systems])
        if np.isnan(found[~np.isnan(human)]).any():
            return f"It has no scores of some judged {unit} in {self.language_pair}."
        return found


def basename(metric: str) -> str:
    """The name of a metric without what marks it as reference-free."""
    return metric.removesuffix(_REFERENCE_FREE)
