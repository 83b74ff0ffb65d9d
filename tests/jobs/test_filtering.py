"""Filtering keeps exactly the rows that one process would keep, in their order, as they were."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest

import metaphrase
from metaphrase.errors import InputError, MetaphraseError, OptionError
from metaphrase.jobs import Filtered, Local, filter_tables

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

WORDS = "the a cat dog house on in of man sat slept big small red".split()
ONE = Local(workers=1)
Row = dict[str, Any]


def made_rows(count: int, seed: int = 1) -> list[Row]:
    draw = random.Random(seed)
    rows = []
    for number in range(count):
        reference = [draw.choice(WORDS) for _ in range(draw.randint(1, 12))]
        translation = [w if draw.random() < 0.7 else draw.choice(WORDS) for w in reference]
        rows.append(
            {
                "id": number,
                "reference": " ".join(reference),
                "mt": " ".join(translation),
                "length": len(reference),
                "ratio": draw.choice([0.5, 1.0, 2.0]),
            }
        )
    return rows


def write(path: Path, rows: list[Row]) -> Path:
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=7)
        return path
    if path.name.removesuffix(".gz").endswith(".jsonl"):
        text = "".join(json.dumps(row) + "\n" for row in rows)
    else:
        lines = [list(rows[0]), *([str(cell) for cell in row.values()] for row in rows)]
        text = "".join("\t".join(line) + "\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def ids(path: Path) -> list[int]:
    if path.suffix == ".parquet":
        found: list[int] = [int(number) for number in pq.read_table(path)["id"].to_pylist()]
        return found
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    lines = data.decode().splitlines()
    if path.name.removesuffix(".gz").endswith(".jsonl"):
        return [int(json.loads(line)["id"]) for line in lines]
    return [int(line.split("\t")[0]) for line in lines[1:]]


def scored(rows: list[Row], *metrics: str) -> list[Row]:
    """The rows with their scores, by one process."""
    corpus = metaphrase.Corpus({"mt": [r["mt"] for r in rows]}, [[r["reference"] for r in rows]])
    scores = metaphrase.score(corpus, metrics, levels=["segment"], check_language=False)
    values = {m: scores.values(system="mt", metric=m, level="segment") for m in metrics}
    return [{**row, **{m: values[m][n] for m in metrics}} for n, row in enumerate(rows)]


@pytest.mark.parametrize("kind", ["parquet", "jsonl", "tsv", "jsonl.gz", "tsv.gz"])
@pytest.mark.parametrize("to", ["parquet", "jsonl", "tsv", "tsv.gz"])
def test_kept_and_rejected_rows_are_those_of_one_process(
    tmp_path: Path, kind: str, to: str
) -> None:
    rows = made_rows(50)
    table = write(tmp_path / f"all.{kind}", rows)
    good, bad = tmp_path / f"good.{to}", tmp_path / f"bad.{to}"
    found = filter_tables(
        [table],
        "chrf > 55 and not (length >= 10 or ter > 60)",
        good,
        rejected=bad,
        columns={"hypothesis": "mt"},
        rows_per_shard=8,
        engine=ONE,
    )
    chosen = {
        row["id"]
        for row in scored(rows, "chrf", "ter")
        if row["chrf"] > 55 and not (row["length"] >= 10 or row["ter"] > 60)
    }
    assert 0 < len(chosen) < 50
    assert found == Filtered(50, len(chosen))
    assert ids(good) == [row["id"] for row in rows if row["id"] in chosen]
    assert ids(bad) == [row["id"] for row in rows if row["id"] not in chosen]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [table.name, good.name, bad.name]
    )


@pytest.mark.parametrize("kind", ["parquet", "jsonl", "tsv"])
def test_rows_stay_as_they_were(tmp_path: Path, kind: str) -> None:
    table = write(tmp_path / f"all.{kind}", made_rows(30))
    kept = tmp_path / f"kept.{kind}"
    options = {"columns": {"hypothesis": "mt"}, "rows_per_shard": 8, "engine": ONE}
    filter_tables([table], "chrf >= 0", kept, **options)  # type: ignore[arg-type]
    if kind == "parquet":
        assert pq.read_table(kept).equals(pq.read_table(table), check_metadata=True)
    else:
        assert kept.read_bytes() == table.read_bytes()


def test_several_tables_are_kept_one_after_the_other(tmp_path: Path) -> None:
    rows = made_rows(40)
    tables = [
        write(tmp_path / "a.parquet", rows[:15]),
        write(tmp_path / "b.jsonl", rows[15:20]),
        write(tmp_path / "c.parquet", rows[20:]),
    ]
    kept = tmp_path / "kept.parquet"
    found = filter_tables(tables, "chrf >= 40", kept, columns={"hypothesis": "mt"}, engine=ONE)
    expected = [row["id"] for row in scored(rows, "chrf") if row["chrf"] >= 40]
    assert ids(kept) == expected
    assert found == Filtered(40, len(expected))


def test_numbers_and_texts_without_a_stated_column_are_no_systems(tmp_path: Path) -> None:
    table = write(tmp_path / "all.parquet", made_rows(20))
    found = filter_tables([table], "chrf > 0 and ratio >= 0.5", engine=ONE)
    assert found.rows == 20


def test_another_condition_on_the_same_job_scores_nothing_anew(tmp_path: Path) -> None:
    rows = made_rows(30)
    table = write(tmp_path / "all.jsonl", rows)
    job = tmp_path / "job"
    options: dict[str, Any] = {"columns": {"hypothesis": "mt"}, "rows_per_shard": 10}
    filter_tables([table], "chrf > 50 and length > ter", folder=job, engine=ONE, **options)
    before = {path: path.stat().st_mtime_ns for path in (job / "parts").iterdir()}
    assert len(before) == 3

    class Nobody:
        """An engine that must not be asked for anything."""

        def map(self, function: Any, numbers: Any, *_: Any, **__: Any) -> Any:
            assert not list(numbers)
            return iter(())

    other = "ter <= 100 and length > 0 and chrf > 70"
    found = filter_tables([table], other, folder=job, engine=Nobody(), **options)
    assert found.kept == sum(
        row["ter"] <= 100 and row["chrf"] > 70 for row in scored(rows, "chrf", "ter")
    )
    assert before == {path: path.stat().st_mtime_ns for path in (job / "parts").iterdir()}


def test_a_damaged_part_is_made_anew(tmp_path: Path) -> None:
    table = write(tmp_path / "all.jsonl", made_rows(30))
    options: dict[str, Any] = {"columns": {"hypothesis": "mt"}, "folder": tmp_path / "job"}
    before = filter_tables([table], "chrf > 50", engine=ONE, **options)
    (part,) = (tmp_path / "job" / "parts").iterdir()
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(data)
    assert filter_tables([table], "chrf > 50", engine=ONE, **options) == before


def test_nothing_kept_is_a_table_without_rows(tmp_path: Path) -> None:
    table = write(tmp_path / "all.jsonl", made_rows(9))
    for kind in ("parquet", "tsv", "jsonl"):
        kept = tmp_path / f"kept.{kind}"
        assert filter_tables(
            [table], "chrf > 100", kept, columns={"hypothesis": "mt"}, engine=ONE
        ) == Filtered(9, 0)
        assert ids(kept) == []
    assert pq.read_schema(tmp_path / "kept.parquet").names == list(made_rows(1)[0])


def test_a_metric_has_several_names_and_several_systems_have_one_each(tmp_path: Path) -> None:
    rows = [{**row, "b": row["reference"]} for row in made_rows(20)]
    table = write(tmp_path / "all.parquet", rows)
    stated = {"hypothesis": ["mt", "b"]}
    text = '"b chrf" > "mt chrf" and "b chrf:beta=2" == 100'
    found = filter_tables([table], text, columns=stated, engine=ONE)
    assert found.kept == sum(row["chrf"] < 100 for row in scored(rows, "chrf"))
    with pytest.raises(OptionError, match=r"MP952.*'chrf' could be of mt or b.*mt chrf"):
        filter_tables([table], "chrf > 3", columns=stated, engine=ONE)


def refused(code: str, words: str, keep: str, table: Path, *arguments: Any, **options: Any) -> None:
    options = {"columns": {"hypothesis": "mt"}, "engine": ONE, **options}
    before = sorted(table.parent.rglob("*"))
    with pytest.raises(MetaphraseError) as error:
        filter_tables([table], keep, *arguments, **options)
    assert error.value.code == code
    assert words in str(error.value)
    assert sorted(table.parent.rglob("*")) == before


def test_conditions_that_mean_nothing_are_refused_before_anything_is_scored(tmp_path: Path) -> None:
    table = write(tmp_path / "all.jsonl", made_rows(5))
    refused("MP950", "at character 7", "chrf >", table)
    refused("MP951", "Did you mean 'chrf'?", "chfr > 1", table)
    refused("MP951", "Did you mean 'length'?", "chrf > 1 and lenght > 1", table)
    refused("MP952", "no metric", "length > 3", table)
    refused("MP954", "line 1: ", "chrf > mt or reference < 3", table)
    words = write(tmp_path / "words.tsv", made_rows(5))
    refused("MP954", "line 2: ", "chrf > 1 and reference < 3", words)
    refused("MP954", "what format", "chrf > 1", table, tmp_path / "kept.txt")
    refused("MP607", "named twice", "chrf > 1", table, table)
    clash = write(tmp_path / "clash.jsonl", [{**row, "chrf": 1} for row in made_rows(3)])
    refused("MP952", "both a metric and a column", "chrf > 1", clash)


def test_columns_of_any_numbers_are_compared_and_others_refused(tmp_path: Path) -> None:
    rows = made_rows(4)
    columns = {
        "flag": pa.array([True, False, None, True]),
        "large": pa.array([2**62, 1, 2, 3]),
        "small": pa.array([1, 2, 3, 4], pa.float16()),
        "price": pa.array([1, 2, 3, 4]).cast(pa.decimal128(21, 2)),
        "date": pa.array([1, 2, 3, 4], pa.timestamp("s")),
    }
    made = pa.table({**{name: [row[name] for row in rows] for name in rows[0]}, **columns})
    table = tmp_path / "all.parquet"
    pq.write_table(made, table)
    for condition, kept in {
        "flag == 1": 2,
        "flag != 1": 1,
        "not flag == 1": 2,
        "large > 2": 2,
        "small <= 2.5": 2,
        "2 <= price < 4": 2,
    }.items():
        assert filter_tables([table], f"chrf >= 0 and {condition}", engine=ONE).kept == kept
    refused("MP954", "timestamp", "chrf >= 0 and date > 1", table)


def test_a_row_that_cannot_be_scored_leaves_nothing_behind(tmp_path: Path) -> None:
    rows = made_rows(20)
    rows[13]["mt"] = None
    table = write(tmp_path / "all.jsonl", rows)
    refused("MP953", "line 14", "chrf > 1", table, tmp_path / "kept.jsonl", rows_per_shard=10)


def test_a_table_that_changes_under_way_leaves_nothing_behind(tmp_path: Path) -> None:
    rows = made_rows(20)
    table = write(tmp_path / "all.jsonl", rows)
    job = tmp_path / "job"
    filter_tables([table], "chrf > 1", folder=job, columns={"hypothesis": "mt"}, engine=ONE)
    text = table.read_text()

    def change(done: int, of: int) -> None:
        table.write_text(text.replace("cat", "cow"))

    with pytest.raises(InputError, match="MP936"):
        filter_tables(
            [table],
            "chrf > 1",
            tmp_path / "kept.jsonl",
            folder=job,
            columns={"hypothesis": "mt"},
            engine=ONE,
            progress=change,
        )
    assert not (tmp_path / "kept.jsonl").exists()


def test_what_a_format_cannot_hold_is_refused(tmp_path: Path) -> None:
    rows = [{**row, "tags": ["a"]} for row in made_rows(5)]
    table = write(tmp_path / "all.jsonl", rows)
    refused("MP954", "'tags'", "chrf >= 0", table, tmp_path / "kept.parquet")
    refused("MP954", "'tags'", "chrf >= 0", table, tmp_path / "kept.tsv")
    rows = made_rows(5)
    rows[3]["mt"] += "\tcat"
    table = write(tmp_path / "tab.jsonl", rows)
    refused("MP131", "line 5: The text contains a tab", "chrf >= 0", table, tmp_path / "kept.tsv")
