"""A shard that cannot be scored is reported, the others are done, and messages name the row in the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jobs.written_tables import HERE, Columns, planned, texts, write
from metaphrase import jobs
from metaphrase.errors import InputError

COLUMNS = texts(9000)
#: Beyond what planning looks at.
FAULTY = 8500


def run(table: Path, folder: Path, **options: Any) -> str:
    """Why the one shard failed that has the faulty row."""
    columns = {"hypothesis": "one"}
    plan = planned([table], folder, columns=columns, rows_per_shard=4500, **options)
    outcome = jobs.run(folder, engine=HERE)
    assert len(plan.shards) == 2
    assert (outcome.now, list(outcome.failed)) == ((0,), [1])
    assert jobs.status(folder).failed == outcome.failed
    return outcome.failed[1]


def with_fault(name: str, value: object) -> Columns:
    column: list[Any] = list(COLUMNS[name])
    column[FAULTY] = value
    return {"id": COLUMNS["id"], "reference": COLUMNS["reference"], "one": COLUMNS["one"]} | {
        name: column
    }


@pytest.mark.parametrize(
    ("form", "code", "row"), [("parquet", "MP938", 8501), ("jsonl", "MP103", 8501)]
)
def test_a_null_value(form: str, code: str, row: int, tmp_path: Path) -> None:
    table = write(tmp_path / f"table.{form}", with_fault("one", None), group=4500)
    why = run(table, tmp_path / "job")
    assert why.startswith(f"[{code}] {table}, line {row}: ")
    write(table, with_fault("one", ""), group=4500)
    # What is mended is another table, and another job.
    assert "MP936" in jobs.run(tmp_path / "job", engine=HERE).failed[1]


def test_an_empty_reference(tmp_path: Path) -> None:
    for form, row in (("parquet", 8501), ("jsonl", 8501), ("tsv", 8502)):
        table = write(tmp_path / f"table.{form}", with_fault("reference", " "), group=4500)
        assert run(table, tmp_path / f"{form} job").startswith(f"[MP105] {table}, line {row}: ")
        kept = {"empty_references": "keep", "columns": {"hypothesis": "one"}}
        planned([table], tmp_path / f"{form} kept", rows_per_shard=4500, **kept)
        jobs.run_shard(tmp_path / f"{form} kept", 1)


def test_an_empty_document_id(tmp_path: Path) -> None:
    for form, row in (("parquet", 8501), ("tsv", 8502)):
        table = write(tmp_path / f"table.{form}", with_fault("document", ""), group=4500)
        why = run(table, tmp_path / f"{form} job", documents=True)
        assert why.startswith(f"[MP516] {table}, line {row}: ")


def test_a_kept_value_of_another_type(tmp_path: Path) -> None:
    ids: list[Any] = list(range(9000))
    ids[FAULTY] = "8500"
    table = write(tmp_path / "table.jsonl", with_fault("id", 0) | {"id": ids})
    why = run(table, tmp_path / "job", keep=["id"])
    assert why.startswith(f"[MP938] {table}, line 8501: ")
    assert "int64" in why


def test_nulls_are_kept(tmp_path: Path) -> None:
    for form in ("parquet", "jsonl"):
        some = {name: column[:20] for name, column in COLUMNS.items()}
        table = write(tmp_path / f"table.{form}", some | {"id": [None] * 15 + ["x"] * 5})
        planned([table], tmp_path / form, keep=["id"], rows_per_shard=5)
        assert jobs.run(tmp_path / form, engine=HERE).is_complete


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    marked = with_fault("one", "SURPRISE")
    for form, row in (("jsonl", 8501), ("tsv", 8502), ("parquet", 8501)):
        table = write(tmp_path / f"table.{form}", marked, group=9000 if form != "parquet" else 4500)
        if form == "parquet":
            _spoil(table, marked)
        else:
            table.write_bytes(table.read_bytes().replace(b"SURPRISE", b"SUR\xffRISE"))
        assert run(table, tmp_path / f"{form} job").startswith(f"[MP121] {table}, line {row}: ")


def _spoil(table: Path, columns: Columns) -> None:
    """Arrow does not look whether strings are UTF-8."""
    import pyarrow
    import pyarrow.parquet

    made = {name: pyarrow.array(column) for name, column in columns.items()}
    spoilt = [text.encode().replace(b"SURPRISE", b"SUR\xffRISE") for text in columns["one"]]
    made["one"] = pyarrow.array(spoilt, pyarrow.binary()).view(pyarrow.string())
    pyarrow.parquet.write_table(pyarrow.table(made), table, row_group_size=4500)


def test_lines_that_are_no_rows(tmp_path: Path) -> None:
    marked = with_fault("one", "SURPRISE")
    jsonl = write(tmp_path / "table.jsonl", marked)
    jsonl.write_bytes(jsonl.read_bytes().replace(b'"SURPRISE"', b'"SURPRISE'))
    assert run(jsonl, tmp_path / "one").startswith(f"[MP142] {jsonl}, line 8501: ")
    tsv = write(tmp_path / "table.tsv", marked)
    tsv.write_bytes(tsv.read_bytes().replace(b"SURPRISE", b"SUR\tPRISE"))
    assert run(tsv, tmp_path / "two").startswith(f"[MP141] {tsv}, line 8502: ")


def test_types_that_are_no_texts_are_refused_at_planning(tmp_path: Path) -> None:
    numbers = {"reference": COLUMNS["reference"][:9], "one": list(range(9))}
    for form, code in (("parquet", "MP938"), ("jsonl", "MP103")):
        table = write(tmp_path / f"table.{form}", numbers)
        with pytest.raises(InputError) as raised:
            planned([table], tmp_path / "job", columns=None)
        assert raised.value.code == code
        assert not (tmp_path / "job").exists()
