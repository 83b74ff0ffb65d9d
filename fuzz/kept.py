"""What the program itself has left on a disk: notes, records, counts and cached analyses, some time later.

Whatever is wrong with them, they are passed over or made anew, or an error has a code.
"""

from __future__ import annotations

import json
import zlib
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from fuzz.corpora import parquet_seeds
from fuzz.files import folder, reading, written
from fuzz.seeds import JSON_WORDS
from fuzz.target import Target
from metaphrase import jobs
from metaphrase.analysis import cache as analysis_cache
from metaphrase.corpus.formats.tables.parquet_file import batches, footer, texts
from metaphrase.errors import MetaphraseError
from metaphrase.jobs import first_pass
from metaphrase.jobs.block_file import write_blocks
from metaphrase.jobs.plan import Plan
from metaphrase.jobs.running import FAILURES, failures
from metaphrase.jobs.tables import cut
from metaphrase.serve import store

_TEXT = "The dogs bark."


def _note(data: bytes) -> object:
    place = folder() / "notes" / FAILURES
    place.mkdir(parents=True, exist_ok=True)
    (place / "part-00000.json").write_bytes(data)
    plan: Any = SimpleNamespace(shards=(1, 2))
    found = failures(place.parent, plan)
    assert all(isinstance(error, str) for error in found.values())
    return found


@cache
def _record_folder(process: Path) -> store.EvaluationStore:
    return store.EvaluationStore(process / "records")


def _record(data: bytes) -> object:
    kept = _record_folder(folder())
    place = kept.path("a" * 24)
    if not place.is_dir():
        place.mkdir()
        store.mark(place)
    (place / "record.json").write_bytes(data)
    for record in kept.recover():
        json.dumps([record.title, record.created, record.error], allow_nan=False)
    return None


def _results(data: bytes) -> object:
    """An overview, or where blocks are; both are asked."""
    kept = _record_folder(folder())
    place = kept.path("b" * 24) / "results"
    place.mkdir(parents=True, exist_ok=True)
    for name in ("overview.json", "blocks.json"):
        (place / name).write_bytes(data)
    (place / "blocks").write_bytes(bytes(99))
    with suppress(MetaphraseError):
        kept.shape("b" * 24)
    return kept.block("b" * 24, "t0")


def _blocks(data: bytes) -> object:
    """With the checksum of the first line, or all that follows would never be read."""
    head, _, body = data.partition(b"\n")
    path = written("blocks", b"%08x %s\n%s" % (zlib.crc32(head), head, body))
    return first_pass._is_sound(path, {"version": 1}, 2, True)


def _block_seeds() -> list[bytes]:
    path = folder() / "blocks"
    write_blocks(path, {"version": 1}, [np.arange(4), np.arange(2)], columns=2)
    return [path.read_bytes().partition(b" ")[2]]


def _analysis(data: bytes) -> object:
    payload = zlib.compress(data, 1)
    entry = analysis_cache._checksum(b"key", payload) + payload
    return analysis_cache._decode(b"key", _TEXT, entry)


def _analysis_seeds() -> list[bytes]:
    cells = {"form": [None, "x"], "start": [0, 4], "end": [3, 8], "tag": ["DT", "NNS"]}
    return [json.dumps(cells).encode()]


def _table(path: str) -> object:
    """A table that is planned, cut, scored and finished."""
    place = folder() / "job-of-table"
    for old in sorted(place.rglob("*"), reverse=True):
        old.rmdir() if old.is_dir() else old.unlink()
    plan: Plan = jobs.plan(
        [path],
        place,
        ["chrf"],
        columns={"reference": "ref", "hypothesis": "mt"},
        rows_per_shard=2,
        resamples=2,
    )
    for shard in plan.shards:
        jobs.run_shard(str(place), shard.number)
    return jobs.finish(place)


def _parquet(path: str) -> object:
    """As jobs read it: the footer, its shards, and texts of all columns."""
    found = footer(path)
    for batch in batches(path, list(found.types), 3):
        for name in found.types:
            texts(batch.column(name), name, path, 1)
    return cut(path, 0, 2)


def targets() -> list[Target]:
    """Those of this room."""
    record = {"id": "a" * 24, "title": "t", "created": 1.5, "state": "failed", "error": None}
    return [
        Target(
            name="jobs.note",
            run=_note,
            seeds=lambda: [b'{"shard": 1, "error": "[MP113] x"}'],
            words=JSON_WORDS,
        ),
        Target(name="jobs.blocks", run=_blocks, seeds=_block_seeds, words=JSON_WORDS),
        Target(
            name="jobs.table",
            run=reading(_table, "table"),
            seeds=lambda: [
                b"ref\tmt\na b\ta c\nd\te\nf\tg\n",
                b'{"ref": "a b", "mt": "a c"}\n{"ref": "d", "mt": "e"}\n{"ref": "f", "mt": ""}\n',
            ],
            words=(*JSON_WORDS, "ref", "mt", "\t", "\n"),
            longest=512,
            seconds=5,
        ),
        Target(
            name="jobs.parquet",
            run=reading(_parquet, "a.parquet"),
            seeds=parquet_seeds,
            words=("PAR1",),
            longest=8192,
        ),
        Target(
            name="server.record",
            run=_record,
            seeds=lambda: [
                json.dumps(record).encode(),
                json.dumps({**record, "state": "running"}).encode(),
                json.dumps({**record, "error": {"code": "MP113"}}).encode(),
            ],
            words=(*JSON_WORDS, "queued", "running", "done", "cancelled"),
        ),
        Target(
            name="server.results",
            run=_results,
            seeds=lambda: [b'{"metrics": [1], "systems": [1, 2], "segments": 12, "t0": [0, 10]}'],
            words=(*JSON_WORDS, "1e999", "t0"),
        ),
        Target(name="analysis.cached", run=_analysis, seeds=_analysis_seeds, words=JSON_WORDS),
    ]
