"""Scores as data frames."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from metaphrase import Corpus
from metaphrase.cli import main
from metaphrase.errors import ResourceError
from metaphrase.interchange import frames
from metaphrase.interchange.frames import arrow_table, data_frame, score_csv, write_parquet
from metaphrase.meta.agreement import AgreementTable, Column
from metaphrase.metrics import create
from metaphrase.report import score_tsv
from metaphrase.scoring import Scores, resample, score
from metaphrase.scoring.records import COLUMNS, score_records

CORPUS = Corpus(
    {'first, "the best"': ["a b c", "d e f"], "second": ["a b", "d"]},
    [["a b c", "d e g"]],
    documents=["x", "y"],
)


@pytest.fixture(scope="module")
def scores() -> Scores:
    metrics = [create("bleu"), create("chrf")]
    levels = ["system", "document", "segment"]
    found = score(CORPUS, metrics, levels=levels, keep_statistics=True)
    return resample(found, metrics, test="approximate-randomisation", resamples=20)


def test_every_number_is_a_row(scores: Scores) -> None:
    records = list(score_records(scores))
    assert len(records) == 2 * 2 * (1 + 2 + 2)
    assert {record[0] for record in records} == {"system", "document", "segment"}


def test_csv_reads_back(scores: Scores) -> None:
    rows = list(csv.reader(score_csv(scores)))
    assert tuple(rows[0]) == COLUMNS
    assert rows[1][1] == 'first, "the best"'
    tsv = [line.split("\t") for line in score_tsv(scores)]
    assert rows == tsv  # no name here has a tab


def test_csv_quotes_line_ends() -> None:
    names = ["a\nb", "c\rd", "e\r\nf"]
    found = score(Corpus({name: ["a b c d"] for name in names}, [["a b c d"]]), [create("bleu")])
    text = "".join(f"{line}\n" for line in score_csv(found))
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert [row[1] for row in rows[1:]] == names
    assert {len(row) for row in rows} == {len(COLUMNS)}


def test_arrow_has_nulls_and_signatures(scores: Scores) -> None:
    arrow = pytest.importorskip("pyarrow")
    table = arrow_table(scores)
    assert table.column_names == list(COLUMNS)
    assert table.schema.field("segment").type == arrow.int64()
    rows = table.to_pylist()
    assert rows[0]["segment"] is None
    assert rows[0]["p_value"] is None  # the baseline is not tested
    assert rows[0]["score"] == scores.systems[0].system["bleu"]
    provenance = json.loads(table.schema.metadata[b"metaphrase"])
    assert provenance["signatures"]["bleu"] == scores.metrics[0].signature


def test_pandas_says_the_same(scores: Scores) -> None:
    pandas = pytest.importorskip("pandas")
    frame = data_frame(scores)
    assert list(frame.columns) == list(COLUMNS)
    assert frame["segment"].isna().sum() == 2 * 2 * 3
    segments = frame[frame["level"] == "segment"].pivot_table("score", "segment", "metric", "mean")
    assert isinstance(segments, pandas.DataFrame)
    assert scores.to_pandas().equals(frame)
    assert frame.attrs["metaphrase"]["signatures"]["chrf"] == scores.metrics[1].signature


def test_agreement_is_a_frame_too() -> None:
    pytest.importorskip("pandas")
    column = Column("wmt", "de-en", "pearson", np.array([0.5, np.nan]), np.array([1, 0]))
    table = AgreementTable(("bleu", "x"), (column,))
    frame = data_frame(table)
    assert frame["metric"].tolist() == ["bleu", "x"]
    assert frame["value"].isna().tolist() == [False, True]
    pytest.importorskip("pyarrow")
    assert arrow_table(table).to_pylist()[1]["value"] is None


def test_parquet_by_the_command_line(
    scores: Scores, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    write_parquet(scores, tmp_path / "a.parquet")
    assert parquet.read_table(tmp_path / "a.parquet").equals(arrow_table(scores))
    examples = Path(__file__).parents[2] / "examples"
    texts = [str(examples / "reference.txt"), "-i", str(examples / "system-a.txt"), "-m", "bleu"]
    path = tmp_path / "b.parquet"
    assert main(["score", *texts, "--format", "parquet", "-o", str(path)]) == 0
    assert parquet.read_table(path).num_rows == 1
    assert main(["score", *texts, "--format", "parquet"]) == 2
    assert "[MP613]" in capsys.readouterr().err
    assert main(["score", *texts, "--format", "csv"]) == 0
    assert capsys.readouterr().out.startswith("level,system,")


def test_a_missing_package_is_named(scores: Scores, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(frames, "import_module", missing)
    for export in (arrow_table, data_frame):
        with pytest.raises(ResourceError, match="frames") as raised:
            export(scores)
        assert raised.value.code == "MP970"
