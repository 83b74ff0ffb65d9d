"""Scores one shard: a part with the scores of its rows, and a manifest with their exact sums.

Both appear complete or not at all, the manifest last. The same shard gives the same part wherever it runs, so
that two processes that score it at once do each other no harm.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from os import PathLike
from pathlib import Path
from time import monotonic, time
from typing import Any, BinaryIO

from metaphrase.corpus.formats.tables.arrow import arrow, parquet
from metaphrase.corpus.lines import file_state
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import InputError, OptionError
from metaphrase.jobs.first_pass import gather, merge, totals_for
from metaphrase.jobs.manifest import Manifest, check_manifest, read_manifest, write_manifest
from metaphrase.jobs.plan import FILE, Plan, Shard
from metaphrase.jobs.profile_sums import add_rows, for_plan
from metaphrase.jobs.sums import Sums
from metaphrase.jobs.tables import Piece, changed, read
from metaphrase.jobs.tables.pieces import check_documents
from metaphrase.metrics import Metric
from metaphrase.metrics.corpus_counts import CorpusTotals, UncountedError
from metaphrase.metrics.refusals import Refusals, segment_scores
from metaphrase.metrics.segment_statistics import segment_statistics

PARTS = "parts"
MANIFESTS = "manifests"
#: Rows of a row group of a part.
_GROUP = 1 << 15


def part_path(folder: str | PathLike[str], shard: Shard) -> Path:
    """Where the scores of a shard are."""
    return Path(folder) / PARTS / f"{shard.name}.parquet"


def manifest_path(folder: str | PathLike[str], shard: Shard) -> Path:
    """Where it says that the shard is done."""
    return Path(folder) / MANIFESTS / f"{shard.name}.json"


def run_shard(folder: str | PathLike[str], number: int, *, threads: int = 1) -> Manifest:
    """Score shard ``number`` of the job in ``folder``, unless that is done already.

    If the job has a first pass, all shards must have been through :func:`gather_shard`.
    """
    plan, metrics = _planned(str(folder), file_state(Path(folder) / FILE))
    shard = _shard(folder, number, plan)
    if (before := usable(folder, shard, plan)) is not None:
        return before
    started = monotonic()
    part, manifest = part_path(folder, shard), manifest_path(folder, shard)
    for path in (part, manifest):
        with suppress(OSError):  # whoever writes says what is wrong
            path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_writer(part, sync=True) as stream:
        hashed = _Hashed(stream)
        try:
            totals = totals_for(folder, shard, plan, metrics)
            sums = _score(plan, shard, metrics, totals, threads, _Part(hashed, plan, shard))
        finally:
            hashed.closed = True
    made = Manifest(
        shard=shard,
        digest=hashed.digest,
        size=hashed.size,
        done=time(),
        seconds=monotonic() - started,
        skipped=sums.skipped,
    )
    write_manifest(manifest, made, sums, plan)
    return made


def gather_shard(folder: str | PathLike[str], number: int, *, threads: int = 1) -> None:
    """Count in shard ``number`` what metrics need to know of all shards, unless that is done already."""
    plan, metrics = _planned(str(folder), file_state(Path(folder) / FILE))
    shard = _shard(folder, number, plan)
    if plan.first_pass:
        gather(folder, shard, plan, metrics, threads=threads)


def merge_counts(folder: str | PathLike[str], number: int) -> None:
    """Merge ``number`` of the counts of all shards, unless that is done already."""
    plan, metrics = _planned(str(folder), file_state(Path(folder) / FILE))
    merge(folder, number, plan, metrics)


def _shard(folder: str | PathLike[str], number: int, plan: Plan) -> Shard:
    if not 0 <= number < len(plan.shards):
        raise OptionError(
            "MP939",
            f"there is no shard {number}.",
            path=folder,
            hint=f"They are 0 to {len(plan.shards) - 1}.",
        )
    return plan.shards[number]


def done(folder: str | PathLike[str], shard: Shard, plan: Plan) -> Manifest | None:
    """The manifest of a shard whose part is there, too; a damaged manifest is an error (MP935)."""
    try:
        manifest = read_manifest(manifest_path(folder, shard), shard, plan)
        size = part_path(folder, shard).stat().st_size
    except FileNotFoundError:
        return None
    return manifest if size == manifest.size else None


def usable(
    folder: str | PathLike[str], shard: Shard, plan: Plan, *, verify: bool = False
) -> Manifest | None:
    """The manifest of a shard that need not run again: nothing of it is missing or damaged.

    With ``verify``, its part is read, too.
    """
    try:
        manifest = check_manifest(manifest_path(folder, shard), shard, plan)
        part = part_path(folder, shard)
        intact = part.stat().st_size == manifest.size
        return manifest if intact and not (verify and _digest(part) != manifest.digest) else None
    except FileNotFoundError:
        return None
    except InputError as error:
        if error.code != "MP935":
            raise
        return None


def _score(
    plan: Plan,
    shard: Shard,
    metrics: Mapping[str, Metric],
    totals: Mapping[str, CorpusTotals],
    threads: int,
    part: _Part,
) -> Sums:
    """Score the rows of a shard into a part, and add them up."""
    sums = Sums()
    refusals = Refusals() if plan.on_error == "skip" else None
    for piece in read(plan, shard):
        check_documents(piece.corpus, plan, shard, sums.rows)
        first = shard.first + sums.rows
        try:
            found = dict(
                segment_statistics(
                    piece.corpus,
                    metrics,
                    threads=threads,
                    first=first,
                    of_corpus=totals,
                    refusals=refusals,
                )
            )
        except UncountedError as error:
            raise changed(plan.inputs[shard.input]) from error
        # In the order of the plan, whatever the order of the work.
        statistics = {key: found[key] for key in plan.score_columns}
        noted = refusals or Refusals()
        kept = {label: noted.kept(label, first, len(piece.corpus)) for label in metrics}
        scores = {
            name: segment_scores(metrics[key[1]], statistics[key], kept[key[1]])
            for key, name in plan.score_columns.items()
        }
        part.add(piece, scores)
        documents = piece.corpus.documents if plan.documents else None
        sums.add(statistics, documents, kept, first=first, plan=plan)
        for label, metric in metrics.items() if plan.profile else ():
            of_metric = sums.profiles.setdefault(label, for_plan(plan))
            columns = [scores[plan.score_columns[system, label]] for system in plan.systems]
            add_rows(of_metric, plan, metric, piece.corpus, columns, kept[label], first, threads)
        sums.reference_counts |= piece.corpus.reference_counts
    if refusals is not None:
        sums.note(refusals)
    if sums.rows != shard.rows:
        raise changed(plan.inputs[shard.input])
    part.close()
    return sums


class _Part:
    """A Parquet file of scores: what is kept, and a column for each metric and system."""

    def __init__(self, stream: _Hashed, plan: Plan, shard: Shard) -> None:
        self._stream = stream
        self._metadata = {
            "metaphrase job": plan.job,
            "shard": str(shard.number),
            "signatures": " ".join(one.signature for one in plan.metrics),
        }
        self._waiting: list[Any] = []
        self._writer: Any = None

    def add(self, piece: Piece, scores: Mapping[str, Any]) -> None:
        """The next rows."""
        numbers = {
            # What was refused has no score, and no number that anybody could take for one.
            name: arrow().array(row, from_pandas=True)
            for name, row in scores.items()
        }
        columns = {**piece.kept, **numbers}
        self._waiting.append(arrow().record_batch(list(columns.values()), names=list(columns)))
        if sum(batch.num_rows for batch in self._waiting) >= _GROUP:
            self._write()

    def close(self) -> None:
        """No more rows."""
        self._write()
        if self._writer is not None:
            self._writer.close()

    def _write(self) -> None:
        if not self._waiting:
            return
        if self._writer is None:
            schema = self._waiting[0].schema.with_metadata(self._metadata)
            self._writer = parquet().ParquetWriter(self._stream, schema, compression="zstd")
        table = arrow().Table.from_batches(self._waiting)
        self._writer.write_table(table.cast(self._writer.schema), row_group_size=_GROUP)
        self._waiting = []


class _Hashed:
    """A stream to write to, which knows how long it is and the hash of all that was written.

    Once it is closed, nothing is written: a writer of Parquet that was interrupted tries to when it goes.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self.closed = False
        self._stream = stream
        self._hash = blake2b(digest_size=16)
        self.size = 0

    @property
    def digest(self) -> str:
        """The hash of what was written."""
        return self._hash.hexdigest()

    def write(self, data: bytes) -> int:
        """Write, and count."""
        if self.closed:
            return len(data)
        self._hash.update(data)
        self.size += len(data)
        return self._stream.write(data)

    def tell(self) -> int:
        """Where the next byte goes."""
        return self.size

    def flush(self) -> None:
        """Whoever opened the stream flushes it."""


def _digest(path: Path) -> str:
    found = blake2b(digest_size=16)
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            found.update(block)
    return found.hexdigest()


@lru_cache(maxsize=4)
def _planned(folder: str, state: tuple[int, int]) -> tuple[Plan, dict[str, Metric]]:
    """The plan and its metrics, once for all shards that a process runs."""
    plan = Plan.load(folder)
    return plan, {one.label: one.create(plan.references) for one in plan.metrics}
