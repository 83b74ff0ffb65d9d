"""What can be planned, what is refused, and with which words."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

import metaphrase
from jobs.written_tables import HERE, planned, texts, write
from metaphrase import jobs
from metaphrase.errors import MetaphraseError
from metaphrase.jobs.engines import registry

COLUMNS = texts(20)


def refused(code: str, function: Callable[[], object], *words: str) -> None:
    with pytest.raises(MetaphraseError) as raised:
        function()
    assert raised.value.code == code
    for word in words:
        assert word in str(raised.value)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write(tmp_path / "table.jsonl", COLUMNS)


class TestTheSameFolder:
    def test_the_same_plan_is_made_twice(self, table: Path, tmp_path: Path) -> None:
        first = planned([table], tmp_path / "job")
        assert planned([table], tmp_path / "job") == first == jobs.Plan.load(tmp_path / "job")

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"metrics": ["ter", "bleu"]}, ("bleu is new",)),
            ({"metrics": ["chrf"]}, ("ter is no longer asked for", "chrf is new")),
            (
                {"columns": {"hypothesis": ["two"]}},
                ("systems: ['one', 'two'] before, ['two'] now",),
            ),
            ({"keep": ["id"]}, ("kept",)),
            ({"resamples": 10}, ("resamples: 0 before, 10 now",)),
            ({"seed": 1}, ("seed: 12345 before, 1 now",)),
            ({"documents": True}, ("documents: False before, True now",)),
            ({"rows_per_shard": 5}, ("3 shards before, 4 now",)),
            ({"rows_per_shard": 8}, ("it cuts its tables otherwise",)),
            ({"empty_references": "keep"}, ("empty_references: none before, keep now",)),
        ],
    )
    def test_another_plan_is_refused_with_the_difference(
        self, table: Path, tmp_path: Path, options: dict[str, Any], words: tuple[str, ...]
    ) -> None:
        first = planned([table], tmp_path / "job")
        again: Callable[[], object] = lambda: planned([table], tmp_path / "job", **options)  # noqa: E731
        refused("MP934", again, *words)
        assert jobs.Plan.load(tmp_path / "job") == first

    def test_another_signature_is_told_field_by_field(self, table: Path, tmp_path: Path) -> None:
        plan = planned([table], tmp_path / "job", metrics=["bleu"])
        (bleu,) = plan.metrics
        changed = replace(bleu, signature=bleu.signature.replace("tok:13a", "tok:intl"))
        told = list(plan.differences(replace(plan, metrics=(changed,))))
        assert told == ["bleu: tok:13a planned, tok:intl here"]

    def test_another_input_is_refused(self, table: Path, tmp_path: Path) -> None:
        planned([table], tmp_path / "job")
        other = write(tmp_path / "other.jsonl", texts(20, seed=1))
        refused("MP934", lambda: planned([other], tmp_path / "job"), "other.jsonl is new")
        write(table, texts(20, seed=2))
        refused("MP934", lambda: planned([table], tmp_path / "job"), "table.jsonl has changed")

    def test_tables_may_move(self, table: Path, tmp_path: Path) -> None:
        first = planned([table], tmp_path / "job")
        jobs.run_shard(tmp_path / "job", 0)
        (tmp_path / "there").mkdir()
        moved = Path(shutil.move(table, tmp_path / "there" / table.name))
        assert list(jobs.run(tmp_path / "job", engine=HERE).failed) == [1, 2]
        assert planned([moved], tmp_path / "job").job == first.job
        assert jobs.run(tmp_path / "job", engine=HERE).now == (1, 2)

    def test_what_is_there_already_is_not_mixed_with_a_job(
        self, table: Path, tmp_path: Path
    ) -> None:
        refused("MP130", lambda: planned([table], tmp_path))
        refused("MP132", lambda: planned([table], table))


class TestTables:
    def test_columns_are_recognised_as_elsewhere(self, tmp_path: Path) -> None:
        columns = {name: COLUMNS[name] for name in ("document", "reference", "one", "two")}
        table = write(tmp_path / "table.parquet", columns)
        assert planned([table], tmp_path / "job", columns=None).systems == ("one", "two")

    def test_what_is_kept_is_no_system(self, table: Path, tmp_path: Path) -> None:
        kept = planned([table], tmp_path / "job", columns=None, keep=["id", "reference"])
        assert kept.systems == ("one", "two")
        with pytest.warns(UserWarning, match="systems are 'one', 'two'; left out: 'id'"):
            other = planned([table], tmp_path / "other", columns=None)
        assert other.systems == ("one", "two")
        named = planned([table], tmp_path / "named", columns={"hypothesis": ["id", "one"]})
        assert named.systems == ("id", "one")

    @pytest.mark.parametrize("form", ["parquet", "jsonl", "tsv"])
    def test_a_missing_column(self, form: str, tmp_path: Path) -> None:
        table = write(tmp_path / f"table.{form}", COLUMNS)
        no = {"hypothesis": ["three"]}
        refused("MP140", lambda: planned([table], tmp_path / "job", columns=no), "'three'", "'one'")
        refused("MP938", lambda: planned([table], tmp_path / "job", keep=["key"]), "'key'", "id")
        del (columns := dict(COLUMNS))["document"]
        write(table, columns)
        refused("MP516", lambda: planned([table], tmp_path / "job", documents=True))
        del columns["reference"]
        write(table, columns)
        refused("MP140", lambda: planned([table], tmp_path / "job"), "reference")

    def test_long_form_and_joined_references_are_refused(self, tmp_path: Path) -> None:
        long = {"system": ["a"], "reference": ["a"], "hypothesis": ["a"]}
        table = write(tmp_path / "long.tsv", long)
        refused("MP938", lambda: planned([table], tmp_path / "job", columns=None), "wide form")
        joined = write(tmp_path / "joined.tsv", {"references": ["a ||| b"], "one": ["a"]})
        refused("MP938", lambda: planned([joined], tmp_path / "job", columns=None), "'references'")

    @pytest.mark.parametrize("form", ["parquet", "tsv", "tsv.gz"])
    def test_no_rows(self, form: str, tmp_path: Path) -> None:
        table = write(tmp_path / f"table.{form}", {name: [] for name in COLUMNS})
        refused("MP113", lambda: planned([table], tmp_path / "job"), f"table.{form}")

    def test_no_bytes(self, tmp_path: Path) -> None:
        for name, code in (("a.tsv", "MP113"), ("a.jsonl", "MP113"), ("a.parquet", "MP937")):
            (tmp_path / name).touch()
            refused(code, lambda name=name: planned([tmp_path / name], tmp_path / "job"))  # type: ignore[misc]
        refused("MP110", lambda: planned([tmp_path / "none.tsv"], tmp_path / "job"))
        refused("MP111", lambda: planned([tmp_path], tmp_path / "job"))

    def test_a_parquet_file_cut_anywhere(self, tmp_path: Path) -> None:
        table = write(tmp_path / "table.parquet", COLUMNS)
        data = table.read_bytes()
        for end in range(0, len(data), 100):
            table.write_bytes(data[:end])
            refused("MP937", lambda: planned([table], tmp_path / "job"))

    def test_tables_must_have_the_same_columns(self, tmp_path: Path) -> None:
        one = write(
            tmp_path / "one.parquet", {name: COLUMNS[name] for name in ("reference", "one")}
        )
        two = write(
            tmp_path / "two.parquet", {name: COLUMNS[name] for name in ("reference", "two")}
        )
        both = lambda: planned([one, two], tmp_path / "job", columns=None)  # noqa: E731
        refused("MP938", both, "two.parquet", "reference, two")

    def test_kept_columns_must_have_the_same_type(self, tmp_path: Path) -> None:
        one = write(tmp_path / "one.parquet", COLUMNS)
        two = write(tmp_path / "two.jsonl", COLUMNS | {"id": list(range(20))})
        three = write(tmp_path / "three.jsonl", COLUMNS | {"id": [[n] for n in range(20)]})
        both = lambda: planned([one, two], tmp_path / "job", keep=["id"])  # noqa: E731
        refused("MP938", both, "int64", "string")
        refused("MP938", lambda: planned([three], tmp_path / "job", keep=["id"]), "lists")
        assert planned([two], tmp_path / "job", keep=["id"]).kept == {"id": "int64"}

    def test_a_table_is_given_once(self, table: Path, tmp_path: Path) -> None:
        refused("MP939", lambda: planned([table, table], tmp_path / "job"), "twice")
        refused("MP939", lambda: planned([], tmp_path / "job"))


class TestOptions:
    def test_numbers_that_make_no_sense(self, table: Path, tmp_path: Path) -> None:
        for options, code in (
            ({"rows_per_shard": 0}, "MP939"),
            ({"resamples": -1}, "MP740"),
            ({"seed": -1}, "MP939"),
            ({"seed": 2**128}, "MP939"),
            ({"keep": ["id", "id"]}, "MP939"),
            ({"empty_references": "no"}, "MP108"),
        ):
            refused(code, lambda options=options: planned([table], tmp_path / "job", **options))  # type: ignore[misc]
        assert not (tmp_path / "job").exists()

    def test_what_is_kept_is_not_called_as_scores_are(self, tmp_path: Path) -> None:
        table = write(tmp_path / "table.jsonl", COLUMNS | {"one ter": COLUMNS["id"]})
        refused("MP939", lambda: planned([table], tmp_path / "job", keep=["one ter"]))

    def test_an_unknown_metric_is_refused_before_tables_are_read(self, tmp_path: Path) -> None:
        refused("MP504", lambda: planned([tmp_path / "none"], tmp_path / "job", metrics=["blue"]))

    def test_texts_in_another_language_are_told(self, tmp_path: Path) -> None:
        german = "Die Regierung hat am Dienstag angekündigt, dass sie eine neue Bahn bauen will."
        table = write(tmp_path / "t.jsonl", {"reference": [german] * 40, "mt": [german] * 40})
        with pytest.warns(UserWarning, match="MP58"):
            jobs.plan([table], tmp_path / "job", ["ter"])

    def test_a_metric_that_is_another_here_is_refused(self, table: Path, tmp_path: Path) -> None:
        (metric,) = planned([table], tmp_path / "job").metrics
        older = replace(metric, signature=metric.signature.replace("|case:", "|model:1|case:"))
        refused("MP933", lambda: older.create(1), "model:1 planned, model:— here")

    def test_a_job_of_such_a_metric_does_not_begin(self, table: Path, tmp_path: Path) -> None:
        plan = planned([table], tmp_path / "job")
        (metric,) = plan.metrics
        changed = (replace(metric, signature=f"{metric.signature}|model:1"),)
        replace(plan, metrics=changed).save(tmp_path / "job", overwrite=True)
        for step in (jobs.run, lambda folder: jobs.run_shard(folder, 0)):
            refused("MP933", lambda step=step: step(tmp_path / "job"), "model:1 planned")  # type: ignore[misc]
        assert not (tmp_path / "job" / "parts").exists()

    def test_a_metric_that_only_this_process_knows(self, table: Path, tmp_path: Path) -> None:
        @dataclass(frozen=True)
        class Mine(metaphrase.Ter):
            name: ClassVar[str] = "mine"

        refused("MP940", lambda: planned([table], tmp_path / "job", metrics=[Mine()]), "mine")

    def test_one_table_and_one_column_need_no_list(self, table: Path, tmp_path: Path) -> None:
        plan = planned(table, tmp_path / "job", keep="id")  # type: ignore[arg-type]
        assert (len(plan.inputs), dict(plan.kept)) == (1, {"id": "string"})

    def test_there_is_no_such_shard(self, table: Path, tmp_path: Path) -> None:
        planned([table], tmp_path / "job")
        refused("MP939", lambda: jobs.run_shard(tmp_path / "job", 3), "0 to 2")

    def test_engines_by_name(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert jobs.named_engine("local", workers=3) == jobs.Local(3)
        refused("MP939", lambda: jobs.named_engine("local", address="here:1"))
        refused("MP939", lambda: jobs.named_engine("abacus"), "local")
        kind = registry._Kind(lambda workers, address: jobs.Local(workers), "no_such_package")
        monkeypatch.setitem(registry.ENGINES, "abacus", kind)
        refused("MP970", lambda: jobs.named_engine("abacus"), "no_such_package", "[abacus]")
