"""Tables of the same texts in every format that a job reads."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import metaphrase
from metaphrase import jobs

Columns = Mapping[str, Sequence[Any]]
FORMATS = ("parquet", "jsonl", "tsv", "tsv.gz", "jsonl.gz")
#: This process does all the work.
HERE = jobs.Local(workers=1)
WORDS = "the a cat dog slept sat on under mat sofa größer 猫 big small never again".split()


def texts(rows: int, seed: int = 0) -> dict[str, list[str]]:
    """Made-up segments of two systems in a few documents."""
    chance = random.Random(seed)
    reference = [" ".join(chance.choices(WORDS, k=chance.randint(1, 9))) for _ in range(rows)]

    def changed(text: str) -> str:
        words = [w if chance.random() < 0.7 else chance.choice(WORDS) for w in text.split()]
        return " ".join(words)

    return {
        "id": [f"row {number}" for number in range(rows)],
        "document": [f"d{number * number % 5}" for number in range(rows)],
        "reference": reference,
        "one": [changed(text) for text in reference],
        "two": [changed(text) for text in reference],
    }


def write(path: Path, columns: Columns, *, group: int = 7) -> Path:
    """A table in the format that the name of the file says."""
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if path.suffix == ".parquet":
        import pyarrow
        import pyarrow.parquet

        table = pyarrow.table(dict(columns))
        pyarrow.parquet.write_table(table, path, row_group_size=group)
        return path
    if ".jsonl" in path.name:
        lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    else:
        lines = ["\t".join(columns), *("\t".join(map(str, row.values())) for row in rows)]
    data = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def corpus(columns: Columns) -> metaphrase.Corpus:
    """The same texts in memory."""
    return metaphrase.Corpus(
        {"one": columns["one"], "two": columns["two"]},
        [columns["reference"]],
        documents=columns["document"],
    )


def planned(inputs: Sequence[Path], folder: Path, **options: Any) -> jobs.Plan:
    """A plan of both systems by a quick metric, unless the options say otherwise."""
    given: dict[str, Any] = {
        "metrics": ["ter"],
        "columns": {"hypothesis": ["one", "two"]},
        "rows_per_shard": 7,
        "check_language": False,
    }
    return jobs.plan(inputs, folder, **(given | options))


def parts(folder: Path) -> Any:
    """All parts as one table."""
    import pyarrow
    import pyarrow.parquet

    files = sorted((folder / "parts").glob("part-*.parquet"))
    return pyarrow.concat_tables([pyarrow.parquet.ParquetFile(file).read() for file in files])
