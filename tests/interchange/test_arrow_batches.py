"""Batches of Arrow data have the scores that the corpus of their rows has, whoever cuts them."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import metaphrase
from metaphrase.errors import InputError, OptionError
from metaphrase.interchange.arrow_batches import scorer, scores_of

pa = pytest.importorskip("pyarrow")

REFERENCE = ["the cat sat on the mat", "he bought a car", "", "a dog barks loudly", "it rained"]
TRANSLATION = ["a cat sits on the mat", "he bought a car", "", "dogs bark", "it was raining"]
METRICS = ["chrf", "bleu", "accord"]


@pytest.fixture
def table() -> Any:
    return pa.table({"id": [3, 1, 4, 1, 5], "reference": REFERENCE, "mt": TRANSLATION})


def expected(metric: str) -> list[float]:
    corpus = metaphrase.Corpus({"mt": TRANSLATION}, [REFERENCE])
    scores = metaphrase.score(corpus, METRICS, levels=["segment"], check_language=False)
    found: list[float] = scores.values(system="mt", metric=metric, level="segment").tolist()
    return found


def test_scores_are_those_of_one_process_however_rows_are_cut(table: Any) -> None:
    for size in (1, 2, 5):
        parts = [scores_of(batch, METRICS) for batch in table.to_batches(max_chunksize=size)]
        assert all(isinstance(part, pa.RecordBatch) for part in parts)
        found = pa.Table.from_batches(parts)
        assert {name: found[name].to_pylist() for name in found.column_names} == {
            metric: expected(metric) for metric in METRICS
        }


def test_a_scorer_adds_columns_and_changes_none(table: Any) -> None:
    found = scorer(["chrf", "ter"])(table)
    assert found.column_names == ["id", "reference", "mt", "chrf", "ter"]
    assert found.select(table.column_names).equals(table)
    assert found.schema == scorer(["chrf", "ter"]).schema(table.schema)


def test_more_rows_than_are_scored_at_once_are_scored(table: Any) -> None:
    many = pa.concat_tables([table] * 2000)
    found = scores_of(many, ["chrf"])["chrf"].to_numpy()
    assert np.array_equal(found, np.tile(expected("chrf"), 2000))


@pytest.mark.parametrize("kind", ["string", "large_string", "dictionary"])
def test_texts_may_be_stored_in_any_way(table: Any, kind: str) -> None:
    column = table["mt"]
    column = column.dictionary_encode() if kind == "dictionary" else column.cast(kind)
    given = table.set_column(2, "mt", column)
    assert scores_of(given, ["chrf"])["chrf"].to_pylist() == expected("chrf")


def test_no_rows_have_no_scores(table: Any) -> None:
    found = scorer(["chrf"])(table.slice(0, 0))
    assert found.num_rows == 0
    assert found.schema.field("chrf").type == pa.float64()


def test_several_systems_have_a_column_each(table: Any) -> None:
    given = table.append_column("b", [REFERENCE])
    assert scores_of(given, ["ter"]).column_names == ["mt ter", "b ter"]
    only = scores_of(given, ["ter"], columns={"hypothesis": "b"})
    assert only["ter"].to_pylist() == [0.0] * 5


def test_a_scorer_survives_pickling(table: Any) -> None:
    again = pickle.loads(pickle.dumps(scorer(["chrf:beta=3"])))
    assert again(table).equals(scorer(["chrf:beta=3"])(table))


def test_batches_of_a_dataset_become_a_reader(table: Any, tmp_path: Path) -> None:
    dataset = pytest.importorskip("pyarrow.dataset")
    dataset.write_dataset(table, tmp_path, format="parquet")
    scanner = dataset.dataset(tmp_path).scanner(batch_size=2)
    add = scorer(["chrf"])
    reader = pa.RecordBatchReader.from_batches(
        add.schema(scanner.projected_schema), map(add, scanner.to_batches())
    )
    assert reader.read_all()["chrf"].to_pylist() == expected("chrf")


def test_polars_frames_stay_polars_frames(table: Any) -> None:
    polars = pytest.importorskip("polars")
    frame = polars.from_arrow(table)
    found = scorer(["chrf", "ter"])(frame)
    assert isinstance(found, polars.DataFrame)
    assert found.columns == ["id", "reference", "mt", "chrf", "ter"]
    assert found["chrf"].to_list() == expected("chrf")
    lazy = frame.lazy().map_batches(scorer(["chrf"]), validate_output_schema=False)
    assert lazy.collect()["chrf"].to_list() == expected("chrf")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("workers", [None, 2])
def test_a_hugging_face_dataset_gets_columns_of_scores(table: Any, workers: int | None) -> None:
    datasets = pytest.importorskip("datasets")
    given = datasets.Dataset(table).with_format("arrow")
    found = given.map(scorer(["chrf"]), batched=True, batch_size=2, num_proc=workers)
    assert found.column_names == ["id", "reference", "mt", "chrf"]
    assert found.with_format(None)["chrf"][:] == expected("chrf")


def test_what_cannot_be_scored_is_refused(table: Any) -> None:
    with pytest.raises(InputError, match=r"MP938.*line 2.*no value"):
        scores_of(table.set_column(2, "mt", [["a", None, "b", "c", "d"]]), ["chrf"])
    with pytest.raises(InputError, match="MP140"):
        scores_of(table.select(["id", "mt"]), ["chrf"])
    with pytest.raises(InputError, match=r"MP938.*type int64"):
        scores_of(table, ["chrf"], columns={"hypothesis": "id"})
    with pytest.raises(InputError, match=r"MP938.*'chrf' already"):
        scorer(["chrf"])(scorer(["chrf"])(table))
    with pytest.raises(OptionError, match="MP940"):
        scorer(["nist"])
    with pytest.raises(InputError, match="MP513"):
        scorer(["chrf"])(["a cat"])


def test_what_a_metric_refuses_is_null() -> None:
    table = pa.table({"reference": ["a", "b", "c"], "mt": ["a", "word " * 9, "c"]})
    with pytest.raises(InputError, match="MP518"):
        scores_of(table, ["ter:longest=5"])
    found = scores_of(table, ["ter:longest=5", "chrf"], on_error="skip")
    assert found["ter:longest=5"].to_pylist() == [0.0, None, 0.0]
    assert found["chrf"].null_count == 0
