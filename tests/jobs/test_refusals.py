"""What a metric refuses is left out of a job's scores, which are those of one process."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metaphrase
from jobs.written_tables import HERE, corpus, parts, planned, texts, write
from metaphrase import jobs
from metaphrase.errors import InputError
from metaphrase.jobs.tables.pieces import row_place

pytest.importorskip("pyarrow")
pytestmark = [
    pytest.mark.usefixtures("own_registry"),
    pytest.mark.filterwarnings("ignore:.*segments refused"),
]
METRICS = Path(__file__).with_name("refusing_metric.py")
NAMES = ["refusing-bleu", "refusing-nist", "chrf"]
ROWS = 40


def refused(rows: dict[str, list[int]]) -> dict[str, list[str]]:
    columns = texts(ROWS)
    for column, places in rows.items():
        for place in places:
            columns[column][place] += " refused"
    return columns


def scored(folder: Path, columns, **options) -> metaphrase.Scores:
    metaphrase.load_metrics(METRICS)
    table = write(folder / "table.jsonl", columns)
    planned([table], folder / "job", metrics=NAMES, documents=True, on_error="skip", **options)
    outcome = jobs.run(folder / "job", engine=HERE, load=[METRICS])
    assert outcome.is_complete
    return jobs.finish(folder / "job")


def in_one_process(columns) -> metaphrase.Scores:
    return metaphrase.score(
        corpus(columns),
        NAMES,
        levels=["system", "document"],
        check_language=False,
        on_error="skip",
    )


def test_scores_and_counts_are_those_of_one_process(tmp_path: Path) -> None:
    # A whole shard, two systems at once, and a reference.
    columns = refused({"one": [*range(7, 14), 20], "two": [20, 21], "reference": [39]})
    found = scored(tmp_path, columns, resamples=20).to_dict()
    expected = in_one_process(columns).to_dict()
    for one, other in zip(found["systems"], expected["systems"], strict=True):
        assert one.pop("resampled")
        other.pop("resampled")
        assert one == other
    for key in ("metrics", "refusals", "warnings"):
        assert found[key] == expected[key]
    assert [metric["skipped"] for metric in found["metrics"]] == [10, 10, 0]


def test_status_counts_them(tmp_path: Path) -> None:
    scored(tmp_path, refused({"one": [1, 2, 30]}))
    assert jobs.status(tmp_path / "job").skipped == {"refusing-bleu": 3, "refusing-nist": 3}


def test_parts_have_no_score_for_them(tmp_path: Path) -> None:
    scored(tmp_path, refused({"one": [1], "two": [30]}))
    table = parts(tmp_path / "job")
    for name in ("one refusing-bleu", "two refusing-nist"):
        column = table.column(name).to_pylist()
        assert [row for row, value in enumerate(column) if value is None] == [1, 30]
    assert table.column("one chrf").null_count == 0


def test_without_it_the_shard_fails(tmp_path: Path) -> None:
    metaphrase.load_metrics(METRICS)
    table = write(tmp_path / "table.jsonl", refused({"one": [1]}))
    planned([table], tmp_path / "job", metrics=["refusing-bleu"])
    assert list(jobs.run(tmp_path / "job", engine=HERE, load=[METRICS]).failed) == [0]


def test_everything_refused_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="MP965"):
        scored(tmp_path, refused({"one": list(range(ROWS))}), resamples=20)


@settings(max_examples=8)
@given(rows=st.sets(st.integers(0, ROWS - 1), max_size=30), size=st.integers(1, 50))
def test_whichever_rows_and_shards(tmp_path_factory, rows: set[int], size: int) -> None:
    folder = tmp_path_factory.mktemp("job")
    columns = refused({"two": sorted(rows)})
    found = scored(folder, columns, rows_per_shard=size, resamples=5).to_dict()
    expected = in_one_process(columns).to_dict()
    for one, other in zip(found["systems"], expected["systems"], strict=True):
        assert one["scores"] == other["scores"]
        assert one["documents"] == other["documents"]
    assert found["refusals"] == expected["refusals"]


def test_intervals_know_nothing_of_shards(tmp_path: Path) -> None:
    columns = refused({"one": [*range(7, 14), 20]})
    found = []
    for size in (7, 100):
        folder = tmp_path / str(size)
        folder.mkdir()
        found.append(scored(folder, columns, rows_per_shard=size, resamples=30).to_dict())
    assert found[0]["systems"] == found[1]["systems"]


def test_rows_that_were_refused_are_not_kept_by_a_filter(tmp_path: Path) -> None:
    metaphrase.load_metrics(METRICS)
    columns = refused({"one": [3, 4]})
    del columns["two"]
    table = write(tmp_path / "table.jsonl", columns)
    kept, others = tmp_path / "kept.jsonl", tmp_path / "others.jsonl"
    found = jobs.filter_tables(
        [table],
        'not ("refusing-bleu" > 200)',
        kept,
        rejected=others,
        columns={"hypothesis": ["one"]},
        on_error="skip",
        check_language=False,
        engine=HERE,
        load=[METRICS],
    )
    assert (found.rows, found.kept, found.skipped) == (ROWS, ROWS - 2, 2)
    assert len(others.read_text(encoding="utf-8").splitlines()) == 2


@pytest.mark.parametrize(("name", "line"), [("t.jsonl", 5), ("t.tsv", 6), ("t.parquet", None)])
def test_a_row_has_a_place(tmp_path: Path, name: str, line: int | None) -> None:
    tables = [write(tmp_path / f"{number}.{name}", texts(10, seed=number)) for number in range(2)]
    plan = planned(tables, tmp_path / "job")
    assert row_place(plan, 14) == (str(tables[1]), line)
