"""docs/results by one command: all metrics on all judgements, of segments, documents and systems.

``python -m experiments.results --folds FOLDER [--threads N] [--sets NAME …]`` with METAPHRASE_DATA set.
FOLDER has the models of accord that were learnt without a set (``training.accord --folds FOLDER``). TESLA
needs metaphrase-pivots, METEOR the extras ``paraphrases`` and ``stemmers``, Chinese the extra ``zh``. Scores
and tests are kept in the cache as each is done, so that an interrupted run goes on where it was, and a second
one takes seconds. With ``--sets`` the tables of these sets are printed and the pages are left alone.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from time import monotonic

import numpy as np

from experiments.frame import Data, identity, kept, remembered, replace_section
from experiments.result_plan import KENDALL, KINDS, PLANS, SEGMENTS, SYSTEMS, TablePlan, measures
from experiments.result_tables import ResultTable, Row, losses, section, summary
from metaphrase import __version__
from metaphrase.errors import MetaphraseError, OptionError
from metaphrase.meta import Column, JudgedScores, Judgements, Measure, agreement_column
from metaphrase.metrics import Metric, available, create

RESAMPLES = 1000
#: τ-b of many cells is slow to resample: beyond MANY, fewer resamples have to do.
KENDALL_RESAMPLES, MANY = 200, 2000
LEVELS = ("segment", "document", "system")


@dataclass
class Run:
    """One run over all plans; tells where it is and what took how long."""

    threads: int
    folds: Path
    done: int = 0
    total: int = 0
    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    signatures: dict[str, str] = field(default_factory=dict)

    def tables(self, plans: Sequence[TablePlan]) -> list[ResultTable]:
        """The tables of all plans, level by level."""
        read = [[(data, one) for data in plan.data for one in data.judgements()] for plan in plans]
        self.total = sum(
            len(judged) * sum(_is_known(row.metric) for row in plan.rows)
            for plan, judged in zip(plans, read, strict=True)
        )
        for plan, judged in zip(plans, read, strict=True):
            self._try_out(plan, judged)
        tables = [
            table
            for plan, judged in zip(plans, read, strict=True)
            for table in self._tables(plan, judged)
        ]
        return sorted(tables, key=lambda table: LEVELS.index(table.level))

    def _try_out(self, plan: TablePlan, judged: Sequence[tuple[Data, Judgements]]) -> None:
        """Score a word with every metric, so that whatever is not installed is missed at once."""
        for target in dict.fromkeys(one.target for _, one in judged):
            for row in plan.rows:
                metric = metric_of(row.metric, target) if _is_known(row.metric) else None
                if metric is not None:
                    metric.sentence_score("word", ["word"])

    def _tables(
        self, plan: TablePlan, judged: Sequence[tuple[Data, Judgements]]
    ) -> Iterator[ResultTable]:
        rows = tuple(row for row in plan.rows if _is_known(row.metric))
        found: dict[Measure, list[Column]] = {}
        for data, one in judged:
            scored = [self._scores(data, one, row) for row in rows]
            for measure in measures(one):
                column = self._column(data, one, measure, rows, scored)
                found.setdefault(measure, []).append(column)
        for measure, columns in found.items():
            kind = KINDS.get(measure, "")
            level = measure.level
            yield ResultTable(plan.title, plan.target, level, rows, tuple(columns), kind)

    def _scores(self, data: Data, judged: Judgements, row: Row) -> JudgedScores | None:
        self.done += 1
        where = f"{judged.name} {judged.language_pair} {row.name}"
        _say(f"[{self.done}/{self.total}] {where}")
        started = monotonic()
        specification = row.metric
        if row.without:
            own = self.folds / f"{judged.target}-without-{judged.name}.json"
            any_language = self.folds / f"any-without-{judged.name}.json"
            specification += f":model=file:{own if own.exists() else any_language}"
        made = metric_of(specification, judged.target)
        if made is None:
            return None
        scored = remembered(data.fingerprint, judged, made, threads=self.threads)
        self.seconds[row.name] += monotonic() - started
        if not row.without:
            self.signatures.setdefault(f"{row.name} {judged.target}", scored.signature)
        return scored

    def _column(
        self,
        data: Data,
        judged: Judgements,
        measure: Measure,
        rows: Sequence[Row],
        scored: Sequence[JudgedScores | None],
    ) -> Column:
        """Values of all metrics, tests of those that were not trained on these judgements."""
        tested = [
            None if judged.name in row.trained else one
            for row, one in zip(rows, scored, strict=True)
        ]
        resamples = resamples_of(measure, judged)
        started = monotonic()

        def compute() -> dict[str, np.ndarray]:
            column = agreement_column(
                judged, measure, tested, resamples=resamples, threads=self.threads
            )
            value = [np.nan if one is None else measure(one, judged) for one in scored]
            return {"value": np.array(value), "cluster": column.cluster.astype(float)}

        signatures = [
            "" if one is None else f"{one.signature} {test is None}"
            for one, test in zip(scored, tested, strict=True)
        ]
        key = [identity(data.fingerprint, judged), measure.label, str(resamples), *signatures]
        column = kept("\t".join(["column", __version__, *key]), compute)
        self.seconds["(tests)"] += monotonic() - started
        return Column(
            judged.name,
            judged.language_pair,
            measure.label,
            column["value"],
            column["cluster"].astype(np.intp),
        )


def resamples_of(measure: Measure, judged: Judgements) -> int:
    """How many resamples there is time for."""
    many = np.count_nonzero(~np.isnan(judged.human)) > MANY
    return KENDALL_RESAMPLES if measure == KENDALL and many else RESAMPLES


@cache
def metric_of(specification: str, lang: str) -> Metric | None:
    """The metric for a language, None if it has no analyser of it."""
    try:
        return create(specification, lang=lang)
    except OptionError as error:
        if error.code == "MP509":
            return None
        raise


@cache
def _is_known(metric: str) -> bool:
    known = metric.partition(":")[0] in available()
    if not known:
        _say(f"{metric} is not known here and left out.")
    return known


def sections(
    tables: Sequence[ResultTable], signatures: dict[str, str], data: Sequence[Data]
) -> dict[str, list[str]]:
    """The generated parts of docs/results by the names that mark them there."""
    files = ", ".join(f"{one.file} ({one.fingerprint})" for one in dict.fromkeys(data))
    lines = {
        "summary": summary(tables),
        "losses": [
            "Ahead of every baseline / level with the best / behind, counted in columns by cluster (τ or r; "
            "columns that a metric was trained on left out).",
            "",
            *losses(tables),
        ],
        "segments": [
            "τ counts every pair of systems that people did not tie, a metric's tie as neither right nor "
            "wrong. r and τ-b (kendall) pool all segments and systems; acc-eq is the mean over segments of "
            "which several translations were judged.",
            "",
            *section(tables, "segment"),
        ],
        "documents": [
            "A document's human score is the mean of its segments'; a metric's is its own of the whole "
            "document. tedmqm has five documents; rankings are of segments only.",
            "",
            *section(tables, "document"),
        ],
        "systems": [
            f"Sets with at least {SYSTEMS} systems, judged on at least {SEGMENTS} segments each on average. "
            "Human scores are means or, of rankings, the share of decided comparisons that a system won; "
            "metrics see the judged segments only.",
            "",
            *section(tables, "system"),
        ],
        "data": [
            *(f"- {name}: `{signature}`" for name, signature in signatures.items()),
            "",
            f"metaphrase {__version__}, {RESAMPLES} resamples ({KENDALL_RESAMPLES} for kendall on more than "
            f"{MANY} judged translations); data: {files}.",
        ],
    }
    return {name: "\n".join(part).rstrip("\n").split("\n") for name, part in lines.items()}


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m experiments.results", description=__doc__)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--folds", type=Path, required=True, help="models of accord without a set")
    parser.add_argument("--sets", nargs="+", metavar="NAME", help="print only these, write nothing")
    options = parser.parse_args(arguments)
    plans: tuple[TablePlan, ...] = PLANS
    if options.sets:
        chosen = [
            TablePlan(plan.title, data, plan.target, plan.rows)
            for plan in PLANS
            if (data := tuple(d for d in plan.data if d.file.partition(".")[0] in options.sets))
        ]
        plans = tuple(chosen)
    run = Run(options.threads, options.folds)
    started = monotonic()
    try:
        tables = run.tables(plans)
    except MetaphraseError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("Interrupted. What was done is kept: run it again to go on.")
    written = sections(tables, run.signatures, [data for plan in plans for data in plan.data])
    for metric, seconds in sorted(run.seconds.items(), key=lambda item: -item[1]):
        _say(f"{seconds:8.1f} s  {metric}")
    _say(f"{monotonic() - started:8.1f} s  in all")
    for name, lines in written.items():
        if options.sets:
            print("\n".join([f"# {name}", "", *lines, ""]))
        else:
            replace_section(name, lines)


if __name__ == "__main__":
    main()
