"""What the names of a condition stand for: metrics, of one of several systems, and columns of the tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from metaphrase.corpus.formats.tables.layout import (
    ColumnNames,
    LayoutOptions,
    is_reserved,
    recognise,
)
from metaphrase.corpus.formats.tables.other_columns import warn_of_left_out
from metaphrase.errors import OptionError
from metaphrase.jobs.conditions import Condition
from metaphrase.jobs.plan import Plan
from metaphrase.jobs.tables import types
from metaphrase.metrics import Metric, create
from metaphrase.metrics.registry import available


@dataclass(frozen=True, slots=True)
class NamedScore:
    """A metric as a condition calls it; ``system`` is ``None`` where there is but one."""

    name: str
    system: str | None
    metric: Metric


@dataclass(frozen=True, slots=True)
class Sought:
    """The scores and columns that a condition asks for, and the columns of the tables by role."""

    scores: tuple[NamedScore, ...]
    kept: tuple[str, ...]
    columns: ColumnNames | None

    @property
    def metrics(self) -> list[Metric]:
        """Each of them once, in an order that does not depend on the condition: it is the same job, then."""
        different = {score.metric for score in self.scores}
        return sorted(different, key=lambda metric: metric.specification)

    def places(self, plan: Plan) -> dict[str, str]:
        """The columns of the parts of a job in which each name is found."""
        labels = dict(zip(self.metrics, (one.label for one in plan.metrics), strict=True))
        found = {name: name for name in self.kept}
        for score in self.scores:
            key = score.system or plan.systems[0], labels[score.metric]
            found[score.name] = plan.score_columns[key]
        return found


def looked_up(condition: Condition, path: str, columns: ColumnNames | None, lang: str) -> Sought:
    """Look for the names among the columns of a table and among the metrics.

    Columns that the condition compares, and those without texts, are no systems, even if nobody states
    which ones are.
    """
    known = types(path)
    kept = tuple(sorted(name for name in condition.names if name in known))
    stated = [name for names in (columns or {}).values() for name in _several(names)]
    texts = [
        name
        for name, kind in known.items()
        if name in stated or (kind == "string" and (name not in kept or is_reserved(name)))
    ]
    layout = recognise(texts, LayoutOptions(columns=columns), path)
    warn_of_left_out(path, layout)
    systems = layout.systems or ()
    scores = tuple(
        _score(name, known, systems, path, lang)
        for name in condition.names
        if name not in known or _is_metric(name)
    )
    if not scores:
        raise OptionError(
            "MP952",
            f"there is no metric in {condition.text!r}.",
            hint="Rows are filtered by scores; for columns alone there are other tools.",
        )
    if layout.form == "wide":  # else planning says why not
        columns = {**(columns or {}), "hypothesis": list(systems)}
    return Sought(scores, kept, columns)


def _score(
    name: str, known: Mapping[str, str], systems: Sequence[str], path: str, lang: str
) -> NamedScore:
    if name in known:
        raise OptionError(
            "MP952",
            f"{name!r} is both a metric and a column of the table.",
            path=path,
            hint="Rename the column.",
        )
    system, specification = None, name
    for one in systems:
        if name.startswith(f"{one} "):
            system, specification = one, name.removeprefix(f"{one} ")
    if not _is_metric(specification):
        names = [*known, *available()]
        close = get_close_matches(name, names, n=1)
        hint = f"Did you mean {close[0]!r}?" if close else f"There are: {', '.join(names)}."
        raise OptionError("MP951", f"there is no metric or column called {name!r}.", hint=hint)
    if system is None and len(systems) > 1:
        raise OptionError(
            "MP952",
            f"{name!r} could be of {' or '.join(systems)}.",
            path=path,
            hint=f'Write "{systems[0]} {name}" with double quotes, or say which column is scored: '
            "--columns hypothesis=NAME.",
        )
    return NamedScore(name, system, create(specification, lang=lang))


def _is_metric(specification: str) -> bool:
    return specification.partition(":")[0] in available()


def _several(names: str | Sequence[str]) -> Sequence[str]:
    return [names] if isinstance(names, str) else names
