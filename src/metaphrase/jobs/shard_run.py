"""Scores one shard: a part with the scores of its rows, and a manifest with their exact sums.

Both appear complete or not at all, the manifest last. The same shard gives the same part wherever it runs, so
that two processes that score it at once do each other no harm.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b
from os import PathLike
from pathlib import Path
from time import monotonic, time
from typing import Any, BinaryIO

from metaphrase.arrays import FloatArray
from metaphrase.corpus.lines import file_state
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import InputError
from metaphrase.jobs.arrow import arrow, parquet
from metaphrase.jobs.manifest import Manifest, Sums
from metaphrase.jobs.plan import FILE, Plan, Shard
from metaphrase.jobs.tables import Piece, changed, read
from metaphrase.metrics import Metric
from metaphrase.scoring import Scores, score

PARTS = "parts"
MANIFESTS = "manifests"


def part_path(folder: str | PathLike[str], shard: Shard) -> Path:
    """Where the scores of a shard are."""
    return Path(folder) / PARTS / f"{shard.name}.parquet"


def manifest_path(folder: str | PathLike[str], shard: Shard) -> Path:
    """Where it says that the shard is done."""
    return Path(folder) / MANIFESTS / f"{shard.name}.json"


def done(folder: str | PathLike[str], shard: Shard, plan: Plan) -> Manifest | None:
    """The manifest of a shard whose part is there, too."""
    try:
        manifest = Manifest.load(manifest_path(folder, shard), shard, plan)
        size = part_path(folder, shard).stat().st_size
    except FileNotFoundError:
        return None
    return manifest if size == manifest.size else None


def run_shard(folder: str | PathLike[str], number: int, *, threads: int = 1) -> Manifest:
    """Score shard ``number`` of the job in ``folder``, unless that is done."""
    plan, metrics = _planned(str(folder), file_state(Path(folder) / FILE))
    shard = plan.shards[number]
    if (manifest := done(folder, shard, plan)) is not None:
        return manifest
    started = monotonic()
    for path in (part_path(folder, shard), manifest_path(folder, shard)):
        path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_writer(part_path(folder, shard), sync=True) as stream:
        part = _Hashed(stream)
        sums = _write(part, plan, shard, metrics, threads)
    manifest = Manifest(
        shard=shard,
        digest=part.digest,
        size=part.size,
        done=time(),
        seconds=monotonic() - started,
        sums=sums,
    )
    manifest.save(manifest_path(folder, shard), plan)
    return manifest


def _write(
    part: _Hashed, plan: Plan, shard: Shard, metrics: Mapping[str, Metric], threads: int
) -> Sums:
    """Score the rows of a shard into a part, and add them up."""
    sums = Sums()
    writer: Any = None
    for piece in read(plan, shard):
        scores = score(
            piece.corpus,
            list(metrics.values()),
            levels=["segment"],
            threads=threads,
            keep_statistics=True,
            check_language=False,
        )
        _add(sums, scores, piece, shard.first + sums.rows, plan)
        columns = _columns(scores, piece, plan)
        batch = arrow().record_batch(list(columns.values()), names=list(columns))
        if writer is None:
            schema = batch.schema.with_metadata(_metadata(plan, shard))
            writer = parquet().ParquetWriter(part, schema, compression="zstd")
        writer.write_batch(_fitting(batch, schema, plan, shard))
        sums.rows += len(piece.corpus)
    if writer is None or sums.rows != shard.rows:
        raise changed(plan.inputs[shard.input])
    writer.close()
    return sums


class _Hashed:
    """A stream to write to, which knows how long it is and the hash of all that was written."""

    closed = False

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._hash = blake2b(digest_size=16)
        self.size = 0

    @property
    def digest(self) -> str:
        """The hash of what was written."""
        return self._hash.hexdigest()

    def write(self, data: bytes) -> int:
        """Write, and count."""
        self._hash.update(data)
        self.size += len(data)
        return self._stream.write(data)

    def tell(self) -> int:
        """Where the next byte goes."""
        return self.size

    def flush(self) -> None:
        """Whoever opened the stream flushes it."""


@lru_cache(maxsize=4)
def _planned(folder: str, state: tuple[int, int]) -> tuple[Plan, dict[str, Metric]]:
    """The plan and its metrics, once for all shards that a process runs."""
    plan = Plan.load(folder)
    return plan, {one.label: one.create(plan.references) for one in plan.metrics}


def _add(sums: Sums, scores: Scores, piece: Piece, first: int, plan: Plan) -> None:
    documents = list(piece.corpus.documents or ()) if plan.documents else None
    for document in documents or ():
        sums.documents[document] = sums.documents.get(document, 0) + 1
    for system in scores.systems:
        for info, one in zip(scores.metrics, plan.metrics, strict=True):
            statistics: FloatArray = system.statistics[info.name]
            sums.add((system.name, one.label), statistics, documents)
            sums.resample((system.name, one.label), statistics, first, plan)


def _columns(scores: Scores, piece: Piece, plan: Plan) -> dict[str, Any]:
    """What is kept, and a column of scores for each metric; with several systems for each of both."""
    columns = dict(piece.kept)
    for system in scores.systems:
        for info, one in zip(scores.metrics, plan.metrics, strict=True):
            name = one.label if len(scores.systems) == 1 else f"{system.name} {one.label}"
            columns[name] = arrow().array(system.segment[info.name])
    return columns


def _fitting(batch: Any, schema: Any, plan: Plan, shard: Shard) -> Any:
    """The batch with the types of the first; a column of nulls has any."""
    try:
        return batch.cast(schema)
    except arrow().ArrowInvalid as error:
        raise InputError(
            "MP938",
            f"A column that is kept has values of several types: {str(error).splitlines()[0]}",
            path=plan.inputs[shard.input].path,
            hint="Keep another column, or make them strings.",
        ) from None


def _metadata(plan: Plan, shard: Shard) -> dict[str, str]:
    signatures = " ".join(one.signature for one in plan.metrics)
    return {"metaphrase job": plan.job, "shard": str(shard.number), "signatures": signatures}
