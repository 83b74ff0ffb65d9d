"""Metrics that look at the whole corpus, in shards: all are looked through first, then scored."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metaphrase
from jobs.test_resuming import contents, fails
from jobs.test_totals import assert_equal, expected
from jobs.written_tables import HERE, parts, planned, texts, write
from metaphrase import jobs
from metaphrase.errors import InputError
from metaphrase.jobs import first_pass, running, shard_run
from metaphrase.metrics import create

METRICS = ["nist", "pbe:tfidf", "ter"]
COLUMNS = texts(30)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A job of five shards and three merges."""
    return job(tmp_path, metrics=METRICS, documents=True, rows_per_shard=6)


@pytest.fixture(autouse=True)
def small_merges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_pass, "_ROWS_PER_MERGE", 10)


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """What is done, in order."""
    taken: list[tuple[str, int]] = []
    for name in ("gather_shard", "merge_counts", "run_shard"):

        def watched(folder: str, number: int, _name: str = name, **options: Any) -> Any:
            taken.append((_name, number))
            return getattr(shard_run, _name)(folder, number, **options)

        monkeypatch.setattr(running, name, watched)
    return taken


def job(tmp_path: Path, **options: Any) -> Path:
    table = write(tmp_path / "table.jsonl", COLUMNS)
    planned([table], tmp_path / "job", **options)
    return tmp_path / "job"


def assert_right(folder: Path) -> None:
    """Totals and scores of segments are those of one process."""
    whole = expected(COLUMNS, METRICS)
    assert_equal(jobs.finish(folder), whole)
    written = parts(folder)
    for system in whole.systems:
        for label in METRICS:
            column = written.column(f"{system.name} {label}").to_numpy()
            assert column.tobytes() == system.segment[label].tobytes()


class TestTotals:
    def test_are_those_of_one_process(self, folder: Path, steps: list[tuple[str, int]]) -> None:
        plan = jobs.Plan.load(folder)
        assert (plan.first_pass, plan.merges) == (("nist", "pbe:tfidf"), 3)
        assert jobs.run(folder, engine=HERE) == jobs.Outcome(0, (0, 1, 2, 3, 4), {})
        assert steps == [
            *(("gather_shard", number) for number in range(5)),
            *(("merge_counts", number) for number in range(3)),
            *(("run_shard", number) for number in range(5)),
        ]
        assert_right(folder)

    @settings(max_examples=10)
    @given(
        st.integers(1, 30),
        st.integers(1, 31),
        st.sampled_from(["parquet", "jsonl", "tsv"]),
        st.integers(1, 7),
        st.randoms(use_true_random=False),
    )
    def test_any_cut_order_and_division_give_the_same(
        self, count: int, rows: int, form: str, merges: int, chance: random.Random
    ) -> None:
        """Documents stand across the borders of shards."""
        columns = {name: column[:count] for name, column in COLUMNS.items()}
        names = ["nist", "nist:orders=2", "pbe:tfidf", "pbe:tfidf:term=phrase"]
        with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
            patch.setattr(first_pass, "_ROWS_PER_MERGE", max(1, count // merges))
            table = write(Path(name) / f"table.{form}", columns, group=3)
            folder = Path(name) / "job"
            plan = planned([table], folder, metrics=names, documents=True, rows_per_shard=rows)
            order = list(range(len(plan.shards)))
            for step in (jobs.gather_shard, jobs.run_shard):
                chance.shuffle(order)
                for number in order:
                    step(folder, number)
            found, written = jobs.finish(folder), parts(folder)
        whole = expected(columns, names)
        assert_equal(found, whole)
        for system in whole.systems:
            for label in names:
                column = written.column(f"{system.name} {label}").to_numpy()
                assert column.tobytes() == system.segment[label].tobytes()

    def test_several_processes(self, folder: Path) -> None:
        assert jobs.run(folder, engine=jobs.Local(workers=2)).is_complete
        assert_right(folder)

    def test_intervals_do_not_depend_on_the_cut(self, tmp_path: Path) -> None:
        table = write(tmp_path / "table.tsv", COLUMNS)
        found = []
        for rows in (4, 100):
            folder = tmp_path / f"job {rows}"
            planned([table], folder, metrics=["nist"], resamples=20, rows_per_shard=rows)
            jobs.run(folder, engine=HERE)
            found.append([s.resampled["nist"].interval for s in jobs.finish(folder).systems])
        assert found[0] == found[1]


class TestShares:
    def test_run_twice(self, folder: Path, steps: list[tuple[str, int]]) -> None:
        """The last one comes after all others, and need not wait."""
        for share in ((1, 3), (2, 3)):
            error = fails("MP946", lambda share=share: jobs.run(folder, engine=HERE, share=share))  # type: ignore[misc]
            assert "nist, pbe:tfidf" in error.message
        assert jobs.status(folder).shards_gathered == 4
        assert [name for name, _ in steps] == ["gather_shard"] * 4
        assert jobs.run(folder, engine=HERE, share=(3, 3)).now == (2,)
        assert jobs.run(folder, engine=HERE, share=(1, 3)).now == (0, 3)
        assert jobs.run(folder, engine=HERE, share=(2, 3)).now == (1, 4)
        assert len(steps) == 5 + 3 + 5
        assert_right(folder)

    def test_begin_their_merges_elsewhere(self, folder: Path, steps: list[tuple[str, int]]) -> None:
        for number in range(5):
            jobs.gather_shard(folder, number)
        jobs.run(folder, engine=HERE, share=(3, 3))
        assert [number for name, number in steps if name == "merge_counts"] == [2, 0, 1]

    def test_a_shard_by_itself_comes_too_early(self, folder: Path) -> None:
        fails("MP946", lambda: jobs.run_shard(folder, 0))
        jobs.gather_shard(folder, 0)
        error = fails("MP946", lambda: jobs.run_shard(folder, 0))
        assert "4 of 5" in error.message
        assert not list((folder / "parts").iterdir())


class TestResuming:
    def test_in_the_middle_of_the_first_pass(
        self, folder: Path, steps: list[tuple[str, int]]
    ) -> None:
        jobs.gather_shard(folder, 3)
        jobs.run(folder, engine=HERE)
        assert [number for name, number in steps if name == "gather_shard"] == [0, 1, 2, 4]
        assert_right(folder)

    def test_in_the_middle_of_the_merges(self, folder: Path, steps: list[tuple[str, int]]) -> None:
        for number in range(5):
            jobs.gather_shard(folder, number)
        shard_run.merge_counts(folder, 1)
        jobs.run(folder, engine=HERE)
        assert [number for name, number in steps if name == "merge_counts"] == [0, 2]
        assert "gather_shard" not in {name for name, _ in steps}
        assert_right(folder)

    def test_what_was_gathered_may_go_when_all_is_done(
        self, folder: Path, steps: list[tuple[str, int]]
    ) -> None:
        jobs.run(folder, engine=HERE)
        before = contents(folder)
        for path in (folder / "gathered").iterdir():
            path.unlink()
        steps.clear()
        assert jobs.run(folder, engine=HERE) == jobs.Outcome(5, (), {})
        assert steps == []
        assert jobs.status(folder).shards_gathered == 5
        (folder / "parts" / "part-00002.parquet").unlink()
        assert jobs.run(folder, engine=HERE).now == (2,)
        assert contents(folder) == before

    def test_a_shard_that_cannot_be_looked_through_stops_the_second_pass(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, steps: list[tuple[str, int]]
    ) -> None:
        def broken(plan: jobs.Plan, shard: jobs.Shard) -> Iterator[Any]:
            if shard.number == 1:
                raise InputError("MP936", "The file has changed since the job was planned.")
            return read(plan, shard)

        read = first_pass.read
        monkeypatch.setattr(first_pass, "read", broken)
        outcome = jobs.run(folder, engine=HERE)
        assert (outcome.now, list(outcome.failed)) == ((), [1])
        assert not outcome.is_complete
        assert {name for name, _ in steps} == {"gather_shard"}
        assert list(jobs.status(folder).failed) == [1]
        monkeypatch.setattr(first_pass, "read", read)
        assert jobs.run(folder, engine=HERE).is_complete
        assert jobs.status(folder).failed == {}
        assert_right(folder)

    def test_progress_counts_both_passes(self, folder: Path) -> None:
        told: list[tuple[int, int]] = []
        jobs.gather_shard(folder, 0)
        jobs.run(folder, engine=HERE, progress=lambda done, of: told.append((done, of)))
        assert told == [(done, 54) for done in range(0, 55, 6)]


class TestChanges:
    def test_texts_that_were_never_counted_are_noticed(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As when pages of Parquet change behind the same footer."""

        def other(plan: jobs.Plan, shard: jobs.Shard) -> Iterator[Any]:
            for piece in first_pass.read(plan, shard):
                corpus = metaphrase.Corpus(
                    piece.corpus.systems,
                    [["never seen before", *piece.corpus.references[0][1:]]],
                    documents=piece.corpus.documents,
                )
                yield replace(piece, corpus=corpus)

        monkeypatch.setattr(shard_run, "read", other)
        failed = jobs.run(folder, engine=HERE).failed
        assert list(failed) == [0, 1, 2, 3, 4]
        assert all(why.startswith("[MP936]") for why in failed.values())


class TestDamage:
    @pytest.fixture
    def gathered(self, folder: Path) -> Path:
        for number in range(5):
            jobs.gather_shard(folder, number)
        return folder

    def test_counts_cut_short_are_made_anew(
        self, gathered: Path, steps: list[tuple[str, int]]
    ) -> None:
        before = contents(gathered)
        path = gathered / "gathered" / "part-00002.counts"
        for end in (0, 5, 90, 200, path.stat().st_size - 1):
            path.write_bytes(path.read_bytes()[:end])
            assert jobs.status(gathered).shards_gathered == 4
            jobs.gather_shard(gathered, 2)
            assert contents(gathered) == before
        path.write_bytes(path.read_bytes()[:-8])
        jobs.run(gathered, engine=HERE)
        assert steps[0] == ("gather_shard", 2)
        assert_right(gathered)

    def test_a_changed_byte_of_counts_is_noticed(self, gathered: Path) -> None:
        """Nobody reads all of them before the merge does."""
        before = contents(gathered)
        path = gathered / "gathered" / "part-00002.counts"
        data = path.read_bytes()
        for place in range(0, len(data), len(data) // 23):
            path.write_bytes(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
            for number in range(3):
                shard_run.merge_counts(gathered, number)
                (gathered / "gathered" / f"total-{number:05}.counts").unlink()
            assert contents(gathered) == before

    def test_a_changed_byte_of_totals_is_noticed(self, gathered: Path) -> None:
        jobs.run(gathered, engine=HERE)
        before = contents(gathered)
        path = gathered / "gathered" / "total-00001.counts"
        data = path.read_bytes()
        for place in range(0, len(data), len(data) // 23):
            path.write_bytes(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
            for number in range(5):
                (gathered / "manifests" / f"part-{number:05}.json").unlink()
            assert jobs.run(gathered, engine=HERE).is_complete
            assert contents(gathered) == before

    def test_verifying_reads_what_was_gathered(
        self, gathered: Path, steps: list[tuple[str, int]]
    ) -> None:
        path = gathered / "gathered" / "part-00002.counts"
        data = path.read_bytes()
        path.write_bytes(data[:-9] + bytes([data[-9] ^ 1]) + data[-8:])
        jobs.run(gathered, engine=HERE, verify=True)
        assert [number for name, number in steps if name == "gather_shard"] == [2]
        assert path.read_bytes() == data

    def test_counts_of_another_shard_are_none_of_this(self, gathered: Path) -> None:
        (gathered / "gathered" / "part-00001.counts").replace(
            gathered / "gathered" / "part-00002.counts"
        )
        assert jobs.status(gathered).shards_gathered == 3
        jobs.run(gathered, engine=HERE)
        assert_right(gathered)


class TestPlanning:
    @pytest.mark.parametrize("name", ["pbe:tfidf+topic", "pbe:ngram+topic", "pbe:ngram+sim"])
    def test_topics_are_refused(self, name: str, tmp_path: Path) -> None:
        fails("MP940", lambda: job(tmp_path, metrics=[name]))
        assert not (tmp_path / "job").exists()

    def test_documents_are_needed(self, tmp_path: Path) -> None:
        columns = {name: cells for name, cells in COLUMNS.items() if name != "document"}
        table = write(tmp_path / "table.tsv", columns)
        fails("MP516", lambda: planned([table], tmp_path / "job", metrics=["pbe:tfidf"]))

    def test_documents_need_not_be_scored(self, tmp_path: Path) -> None:
        folder = job(tmp_path, metrics=["pbe:tfidf"])
        assert jobs.run(folder, engine=HERE).is_complete
        found = jobs.finish(folder)
        assert not found.documents
        whole = expected(COLUMNS, ["pbe:tfidf"])
        assert [s.system for s in found.systems] == [s.system for s in whole.systems]

    def test_an_empty_document_id_is_a_failure_with_its_line(self, tmp_path: Path) -> None:
        documents = [*COLUMNS["document"]]
        documents[8] = " "
        table = write(tmp_path / "table.tsv", {**COLUMNS, "document": documents})
        planned([table], tmp_path / "job", metrics=["pbe:tfidf"])
        (why,) = jobs.run(tmp_path / "job", engine=HERE).failed.values()
        assert "MP516" in why
        assert "table.tsv, line 10" in why

    def test_other_jobs_have_no_first_pass(self, tmp_path: Path) -> None:
        folder = job(tmp_path, metrics=["ter"])
        jobs.run(folder, engine=HERE)
        assert not (folder / "gathered").exists()
        assert jobs.status(folder).shards_gathered is None
        jobs.gather_shard(folder, 0)
        assert not (folder / "gathered").exists()

    def test_merges_are_bounded(self) -> None:
        assert [first_pass.merges_for(rows) for rows in (1, 10, 11, 10**9)] == [1, 1, 2, 2000]

    def test_a_metric_that_gathers_says_so(self) -> None:
        assert create("nist").needs_whole_corpus
        assert isinstance(create("nist"), metaphrase.Nist)
