"""What points are lost by in a job: the same for any cut into shards, and as one process finds it."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metaphrase
from jobs.written_tables import FORMATS, HERE, corpus, planned, texts, write
from metaphrase import jobs
from metaphrase.errors import OptionError
from metaphrase.scoring.repair_counts import RepairCounts
from metaphrase.scoring.repair_losses import LOSSES, losses
from metaphrase.scoring.repair_profile import sample_rows
from metaphrase.statistics.resampling import interval
from oracle.poisson_bootstrap import resampled_sums

COLUMNS = texts(60)
METRICS = Path(__file__).with_name("refusing_metric.py")


def profiled(folder: Path, *, profile: int, rows: int = 1000, **options: object):
    table = write(folder / "table.jsonl", COLUMNS)
    planned([table], folder / "job", profile=profile, rows_per_shard=rows, **options)
    assert jobs.run(folder / "job", engine=HERE).is_complete
    return jobs.profiles(folder / "job")


@settings(max_examples=12)
@given(
    st.integers(1, 40),
    st.lists(st.sampled_from(FORMATS), min_size=1, max_size=3),
    st.integers(1, 41),
    st.integers(1, 45),
    st.randoms(use_true_random=False),
)
def test_any_cut_and_order_gives_the_same(
    count: int, formats: list[str], rows: int, profile: int, chance: random.Random
) -> None:
    """To the last bit: means, intervals, the test, the largest differences, and counts of repairs."""
    columns = {name: column[:count] for name, column in COLUMNS.items()}
    ends = sorted({0, count, *(chance.randint(0, count) for _ in formats[1:])})
    options = {"metrics": ["chrf", "ter"], "documents": True, "resamples": 20, "profile": profile}
    with TemporaryDirectory() as name:
        folder = Path(name)
        whole = write(folder / "whole.jsonl", columns)
        planned([whole], folder / "one", rows_per_shard=1000, **options)
        assert jobs.run(folder / "one", engine=HERE).is_complete
        tables = []
        for number, (begin, end) in enumerate(pairwise(ends)):
            some = {column: cells[begin:end] for column, cells in columns.items()}
            tables.append(write(folder / f"{number}.{formats[number]}", some))
        plan = planned(tables, folder / "many", rows_per_shard=rows, **options)
        order = list(range(len(plan.shards)))
        chance.shuffle(order)
        for number in order:
            jobs.run_shard(folder / "many", number)
        one, many = jobs.profiles(folder / "one"), jobs.profiles(folder / "many")
    assert [found.segments for found in one] == [min(profile, count)] * 2
    assert [found.to_dict() for found in one] == [found.to_dict() for found in many]


@pytest.mark.parametrize("profile", [60, 40])
def test_it_is_that_of_one_process(profile: int, tmp_path: Path) -> None:
    (found,) = profiled(tmp_path, profile=profile, rows=13, documents=True)
    whole = metaphrase.profile(corpus(COLUMNS), metaphrase.Ter(), segments=profile)
    assert (found.segments, found.of_segments) == (whole.segments, whole.of_segments)
    for one, other in zip(found.systems, whole.systems, strict=True):
        assert one.score == pytest.approx(other.score, abs=1e-9)
        assert one.score_of_all == pytest.approx(other.score_of_all, abs=1e-9)
        assert one.maximum == pytest.approx(other.maximum, abs=1e-9)
        assert one.frequent == other.frequent
        mine, theirs = ({kind.kind: kind for kind in each.kinds} for each in (one, other))
        assert mine.keys() == theirs.keys()
        for kind, loss in mine.items():
            assert loss.points == pytest.approx(theirs[kind].points, abs=1e-9)
            assert loss.segments == theirs[kind].segments
            assert loss.low is not None
            # Another bootstrap, and so another interval, but for chance the same.
            assert loss.low == pytest.approx(theirs[kind].low, abs=0.35 * abs(loss.points) + 0.5)
        documents = {group.name: group for group in one.groups}
        for group in other.groups:
            if group.by == "document":
                assert documents[group.name].segments == group.segments
                assert documents[group.name].points == pytest.approx(group.points, abs=1e-9)
    mine, theirs = found.difference, whole.difference
    assert mine is not None
    assert theirs is not None
    assert (mine.better, mine.half) == (theirs.better, theirs.half)  # type: ignore[attr-defined]
    assert mine.points == pytest.approx(theirs.points, abs=1e-9)  # type: ignore[attr-defined]
    assert mine.p_value == pytest.approx(theirs.p_value, abs=0.06)  # type: ignore[attr-defined]


def test_intervals_and_the_test_are_those_of_the_slow_way(tmp_path: Path) -> None:
    (found,) = profiled(tmp_path, profile=25, rows=9, resamples=40, seed=3)
    rows = sample_rows(60, 25, 3)
    sample = corpus(COLUMNS).select(rows.tolist())
    one, two = (losses(metaphrase.Ter(), sample, name).points for name in ("one", "two"))
    drawn = np.array(resampled_sums(np.column_stack([np.ones(25), one]).tolist(), 40, 3))
    drawn = drawn[drawn[:, 0] > 0]
    for kind in found.systems[0].kinds:
        expected = interval(drawn[:, 1 + LOSSES.index(kind.kind)] / drawn[:, 0])
        assert (kind.low, kind.high) == (expected.low, expected.high)
    # Rows are exchanged by the highest of 16 random bits, in a stream of their own.
    words = np.random.Philox(key=3, counter=[0, 0, 0, 1]).random_raw(40 * 256)
    bits = np.asarray(words).astype("<u8").view("<u2").reshape(40, 1024)[:, :25] >> 15
    difference = (two - one).sum(axis=1)
    exchanged = np.abs(difference.sum() - 2 * bits @ difference)
    reached = int(np.count_nonzero(exchanged >= abs(difference.sum()) - 1e-9))
    assert found.difference is not None
    assert found.difference.p_value == (reached + 1) / 41


@pytest.mark.usefixtures("own_registry")
@pytest.mark.filterwarnings("ignore:.*segments refused")
def test_rows_that_a_metric_refuses_are_left_out(tmp_path: Path) -> None:
    metaphrase.load_metrics(METRICS)
    columns = {**COLUMNS, "one": ["refused", *COLUMNS["one"][1:-1], "refused"]}
    table = write(tmp_path / "table.jsonl", columns)
    options = {"profile": 60, "on_error": "skip", "metrics": ["refusing-bleu", "ter"]}
    planned([table], tmp_path / "job", rows_per_shard=1, **options)
    assert jobs.run(tmp_path / "job", engine=HERE, load=[METRICS]).is_complete
    refusing, ter = jobs.profiles(tmp_path / "job")
    assert (refusing.segments, refusing.of_segments) == (58, 58)
    assert (ter.segments, ter.of_segments) == (60, 60)
    rest = corpus(columns).select(range(1, 59))
    expected = metaphrase.profile(rest, metaphrase.create("refusing-bleu"))
    for one, other in zip(refusing.systems, expected.systems, strict=True):
        assert one.lost == pytest.approx(other.lost)


def test_a_plan_without_a_profile_is_called_as_before(tmp_path: Path) -> None:
    table = write(tmp_path / "table.jsonl", COLUMNS)
    plain = planned([table], tmp_path / "plain")
    assert "profile" not in {name for name in plain.facts() if plain.facts()[name]}
    assert plain.job != planned([table], tmp_path / "profiled", profile=5).job
    assert jobs.run(tmp_path / "plain", engine=HERE).is_complete
    assert jobs.profiles(tmp_path / "plain") == []


def test_what_cannot_be_profiled_is_said_before_anything_runs(tmp_path: Path) -> None:
    table = write(tmp_path / "table.jsonl", COLUMNS)
    with pytest.raises(OptionError, match="MP947"):
        planned([table], tmp_path / "job", metrics=["nist"], profile=5)
    with pytest.raises(OptionError, match="MP939"):
        planned([table], tmp_path / "job", profile=-1)


@given(st.lists(st.lists(st.integers(0, 12), max_size=30), max_size=5), st.integers(1, 6))
def test_counts_that_were_cut_lack_no_more_than_they_say(
    shards: list[list[int]], most: int
) -> None:
    whole, cut = RepairCounts(), RepairCounts()
    for shard in shards:
        part = RepairCounts.from_rows([["wrong word", str(n), "x", 1, 1] for n in set(shard)], 0)
        for number in shard:
            part.merge(RepairCounts.from_rows([["wrong word", str(number), "x", 1, 1]], 0))
        whole.merge(part)
        part.prune(most)
        cut.merge(RepairCounts.from_rows(part.rows(), part.missed))
    assert len(cut.found) <= most * max(len(shards), 1)
    for key, (count, _) in whole.found.items():
        assert 0 <= count - cut.found.get(key, (0, 0))[0] <= cut.missed
