"""Totals of a job are those of one process to the last bit, whatever the shards, order and format."""

from __future__ import annotations

import random
import warnings
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metaphrase
from jobs.written_tables import FORMATS, HERE, corpus, parts, planned, texts, write
from metaphrase import jobs
from metaphrase.errors import MetaphraseError
from metaphrase.metrics import available
from metaphrase.statistics.resampling import interval
from oracle.poisson_bootstrap import resampled_sums

METRICS = ["bleu", "chrf", "ter"]
COLUMNS = texts(60)


def expected(columns: Mapping[str, list[str]], metrics: list[str]) -> metaphrase.Scores:
    return metaphrase.score(
        corpus(columns),
        metrics,
        levels=["system", "document", "segment"],
        keep_statistics=True,
        check_language=False,
    )


def assert_equal(found: metaphrase.Scores, whole: metaphrase.Scores) -> None:
    """Scores and what people would say, of systems and documents."""
    assert found.metrics == whole.metrics
    assert dict(found.documents) == dict(whole.documents)
    assert list(found.documents) == list(whole.documents)
    assert found.segments == whole.segments
    assert found.warnings == whole.warnings
    for mine, other in zip(found.systems, whole.systems, strict=True):
        assert dict(mine.system) == dict(other.system)
        for label, scores in other.document.items():
            assert mine.document[label].tobytes() == scores.tobytes()
        for level in ("system", "document"):
            assert repr(mine.predictions[level]) == repr(other.predictions[level])


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("rows", [4, 23, 1000])
def test_every_format_and_any_size_of_shards(form: str, rows: int, tmp_path: Path) -> None:
    table = write(tmp_path / f"table.{form}", COLUMNS)
    options = {"metrics": METRICS, "documents": True, "keep": ["id"], "rows_per_shard": rows}
    plan = planned([table], tmp_path / "job", **options)
    assert plan.rows == 60
    assert jobs.run(tmp_path / "job", engine=HERE).is_complete
    whole = expected(COLUMNS, METRICS)
    assert_equal(jobs.finish(tmp_path / "job"), whole)
    found = parts(tmp_path / "job")
    assert found.column("id").to_pylist() == COLUMNS["id"]
    for system in whole.systems:
        for label in METRICS:
            column = found.column(f"{system.name} {label}").to_numpy()
            assert column.tobytes() == system.segment[label].tobytes()


@settings(max_examples=15)
@given(
    st.integers(1, 40),
    st.lists(st.sampled_from(FORMATS), min_size=1, max_size=3),
    st.integers(1, 41),
    st.integers(1, 41),
    st.randoms(use_true_random=False),
)
def test_any_cut_and_order_gives_the_same(
    count: int, formats: list[str], rows: int, group: int, chance: random.Random
) -> None:
    """Files of several formats, too; and intervals, which only a job has."""
    columns = {name: column[:count] for name, column in COLUMNS.items()}
    ends = sorted({0, count, *(chance.randint(0, count) for _ in formats[1:])})
    with TemporaryDirectory() as name:
        folder = Path(name)
        tables = []
        for number, (begin, end) in enumerate(pairwise(ends)):
            some = {column: cells[begin:end] for column, cells in columns.items()}
            tables.append(write(folder / f"{number}.{formats[number]}", some, group=group))
        options = {"documents": True, "keep": ["id"], "resamples": 8, "rows_per_shard": rows}
        plan = planned(tables, folder / "job", metrics=["bleu", "ter"], **options)
        order = list(range(len(plan.shards)))
        chance.shuffle(order)
        for number in order:
            jobs.run_shard(folder / "job", number)
        found = jobs.finish(folder / "job")
        written = parts(folder / "job")
    whole = expected(columns, ["bleu", "ter"])
    assert_equal(found, whole)
    assert written.column("id").to_pylist() == columns["id"]
    for mine, other in zip(found.systems, whole.systems, strict=True):
        for label, metric in (("bleu", metaphrase.Bleu()), ("ter", metaphrase.Ter())):
            scores = written.column(f"{mine.name} {label}").to_numpy()
            assert scores.tobytes() == other.segment[label].tobytes()
            sums = np.array(resampled_sums(other.statistics[label].tolist(), 8, plan.seed))
            drawn = resampled_sums([[1.0]] * count, 8, plan.seed)
            used = sums[[rows > 0 for (rows,) in drawn]]
            assert mine.resampled[label].interval == interval(metric.score(used))


def test_every_metric_that_runs_here(tmp_path: Path) -> None:
    """All that neither look at the whole corpus nor need what is not installed."""
    usable = []
    for name in available():
        try:
            metric = metaphrase.create(name)
            metric.corpus_score(["a cat"], [["a dog"]])
        except MetaphraseError:
            continue
        if not metric.needs_whole_corpus and not metric.needs_documents:
            usable.append(name)
    assert {"accord", "bleu", "chrf", "cobalt", "pbe", "ter", "tesla-m"} <= set(usable)
    columns = {name: column[:12] for name, column in COLUMNS.items()}
    table = write(tmp_path / "table.parquet", columns)
    planned([table], tmp_path / "job", metrics=usable, documents=True, rows_per_shard=5)
    assert jobs.run(tmp_path / "job", engine=HERE).is_complete
    with warnings.catch_warnings(record=True):
        assert_equal(jobs.finish(tmp_path / "job"), expected(columns, usable))


@pytest.mark.parametrize("name", ["nist", "pbe:tfidf"])
def test_what_needs_the_whole_corpus_is_refused(name: str, tmp_path: Path) -> None:
    table = write(tmp_path / "table.tsv", COLUMNS)
    with pytest.raises(MetaphraseError) as raised:
        planned([table], tmp_path / "job", metrics=[name])
    assert raised.value.code == "MP940"
    assert not (tmp_path / "job").exists()
