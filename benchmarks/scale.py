"""Jobs beside plain scoring: what the machinery costs, how workers add up, what a worker's memory is.

``python -m benchmarks.scale [SEGMENTS] [--rounds N] [--metrics NAME…] [--memory SEGMENTS…]
[--engines NAME…]`` (default: 20,000 segments, a quick look; 1,000,000 for figures). Tables of made-up
sentences are written, in which a tenth of the words occur once. Each contestant is a process of its own, they
take turns, and medians of CPU time are compared: that of a process and of all its children. What it takes for
a table of few rows is start-up, which is shown and left out. An engine that is not installed is passed over.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import perf_counter

import pyarrow as pa
import pyarrow.parquet as pq
from rich.console import Console
from rich.table import Table

from benchmarks.real_text import EXAMPLES
from metaphrase import jobs

COLUMNS = ("--columns", "hypothesis=mt")
#: Shards of a job whose throughput is measured.
SHARDS = 20
#: The other measure: as many processes as there are workers.
ALSO = "score, halves at once"
#: Rows of a table that takes nothing but start-up.
FEW = 100
#: Scores all shards of a job, as a worker does, and says what memory it took.
WORKER = """
import re, sys
from metaphrase import jobs
for number in range(len(jobs.Plan.load(sys.argv[1]).shards)):
    jobs.run_shard(sys.argv[1], number)
# Not ru_maxrss, which a process inherits from the one that started it.
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
"""


@dataclass(frozen=True)
class Spent:
    """Seconds of CPU time and on the clock."""

    cpu: float
    wall: float


def sentences(count: int) -> Iterator[tuple[str, str]]:
    """References and translations."""
    words = [word for file in sorted(EXAMPLES.glob("*.txt")) for word in file.read_text().split()]
    chance = random.Random(2010)
    for number in range(count):
        reference = chance.choices(words, k=chance.randint(8, 30))
        reference[::10] = (f"N{number}x{k}" for k in range(len(reference[::10])))
        translation = [word for word in reference if chance.random() > 0.2]
        yield " ".join(reference), " ".join(translation)


def write_table(path: Path, count: int, group: int) -> None:
    schema = pa.schema([("id", pa.int64()), ("reference", pa.string()), ("mt", pa.string())])
    made = sentences(count)
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for first in range(0, count, group):
            rows = [next(made) for _ in range(min(group, count - first))]
            references, translations = (list(texts) for texts in zip(*rows, strict=True))
            ids = list(range(first, first + len(rows)))
            writer.write_table(pa.table([ids, references, translations], schema=schema))


def shard_rows(count: int) -> int:
    return max(count // SHARDS, 1)


def write_plain(table: Path) -> tuple[Path, Path]:
    paths = table.with_name("reference.txt"), table.with_name("mt.txt")
    with paths[0].open("w") as references, paths[1].open("w") as translations:
        for batch in pq.ParquetFile(table).iter_batches():
            references.writelines(f"{text}\n" for text in batch["reference"].to_pylist())
            translations.writelines(f"{text}\n" for text in batch["mt"].to_pylist())
    return paths


def halves(path: Path) -> list[Path]:
    """The first half of its lines and the second one."""
    lines = path.read_text().splitlines(keepends=True)
    found = []
    for number, some in enumerate((lines[: len(lines) // 2], lines[len(lines) // 2 :])):
        found.append(path.with_name(f"half-{number}-{path.name}"))
        found[-1].write_text("".join(some))
    return found


def run(*arguments: str | Path) -> Spent:
    """A command line in a process of its own."""
    return run_at_once(arguments)


def run_at_once(*commands: Sequence[str | Path]) -> Spent:
    """Command lines in a process each, side by side."""
    before, started = getrusage(RUSAGE_CHILDREN), perf_counter()
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "metaphrase", *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | {"METAPHRASE_DEBUG": "1"},
        )
        for arguments in commands
    ]
    for process in processes:
        _, errors = process.communicate()
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, process.args, stderr=errors)
    wall, after = perf_counter() - started, getrusage(RUSAGE_CHILDREN)
    return Spent(
        after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        wall,
    )


def planned(table: Path, metrics: Sequence[str], rows: int) -> Path:
    folder = table.with_name("job")
    shutil.rmtree(folder, ignore_errors=True)
    jobs.plan(
        [table],
        folder,
        metrics,
        columns={"hypothesis": "mt"},
        rows_per_shard=rows,
        check_language=False,
    )
    return folder


def contestants(
    table: Path, metrics: Sequence[str], engines: Sequence[str], rows: int
) -> dict[str, Callable[[], Spent]]:
    reference, translation = write_plain(table)
    pairs = list(zip(halves(reference), halves(translation), strict=True))
    quiet = ("--no-language-check", "-m", *metrics)

    def job(*options: str) -> Callable[[], Spent]:
        return lambda: run("job", "run", planned(table, metrics, rows), *options)

    def score(reference: Path, translation: Path) -> Sequence[str | Path]:
        return ["score", reference, "-i", translation, "--threads", "1", *quiet]

    found: dict[str, Callable[[], Spent]] = {
        "score, plain text": lambda: run(*score(reference, translation)),
        # Two processes slow each other down, whoever starts them: what two workers stand beside.
        ALSO: lambda: run_at_once(*(score(*pair) for pair in pairs)),
        "score, Parquet": lambda: run(
            "score", "--corpus", table, *COLUMNS, "--threads", "1", *quiet
        ),
        "job, 1 worker": job("--workers", "1"),
        "job, 2 workers": job("--workers", "2"),
    }
    for engine in engines:
        try:
            if rows <= FEW:
                job("--engine", engine, "--workers", "2")()
        except subprocess.CalledProcessError as error:
            last = error.stderr.decode().strip().splitlines()[-1:]
            print(f"{engine} is passed over: {''.join(last)}")
        else:
            found[f"job, {engine}, 2 workers"] = job("--engine", engine, "--workers", "2")
    return found


def throughput(
    table: Path, count: int, metrics: Sequence[str], engines: Sequence[str], rounds: int
) -> None:
    rows = shard_rows(count)
    small = table.parent / "few" / table.name
    small.parent.mkdir()
    write_table(small, FEW, shard_rows(FEW))
    starting = contestants(small, metrics, engines, shard_rows(FEW))
    racers = contestants(table, metrics, starting_engines(starting, engines), rows)
    starts: dict[str, list[Spent]] = {name: [] for name in racers}
    spent: dict[str, list[Spent]] = {name: [] for name in racers}
    for _ in range(rounds):
        for name, racer in racers.items():
            starts[name].append(starting[name]())
            spent[name].append(racer())
    headings = (
        "",
        "start-up, s",
        "CPU, s",
        "µs a segment",
        "beside plain text",
        "beside halves",
        "clock, s",
    )
    shown = Table(*headings, title=f"{count:,} segments, {' '.join(metrics)}, shards of {rows:,}")
    alone = {
        name: [one.cpu - start.cpu for one, start in zip(found, starts[name], strict=True)]
        for name, found in spent.items()
    }
    for name, found in spent.items():
        figures = [
            f"{median(one.cpu for one in starts[name]):.2f}",
            f"{median(one.cpu for one in found):.1f}",
            f"{median(alone[name]) / count * 1e6:.2f}",
            *(beside(alone[name], alone[other]) for other in ("score, plain text", ALSO)),
        ]
        wall = median(one.wall for one in found)
        # Ray's processes outlive the one that started them, so that nobody counts their time.
        shown.add_row(name, *(["–"] * 5 if "ray" in name else figures), f"{wall:.1f}")
    Console(width=120).print(shown)


def beside(some: Sequence[float], others: Sequence[float]) -> str:
    """The median of what rounds say, each beside its own neighbour."""
    ratios = [one / other - 1 for one, other in zip(some, others, strict=True)]
    return f"{median(ratios):+.1%}"


def starting_engines(racers: Iterable[str], engines: Sequence[str]) -> list[str]:
    """Those that are there."""
    return [engine for engine in engines if f"job, {engine}, 2 workers" in racers]


def resuming(table: Path, count: int, metrics: Sequence[str]) -> None:
    """What it costs to find that all is done, to do the missing half, and to add up."""
    folder = planned(table, metrics, shard_rows(count))
    whole = run("job", "run", folder, "--workers", "1")
    shown = Table("", "CPU, s", "clock, s", title=f"Resuming, {count:,} segments")
    shown.add_row("all shards", f"{whole.cpu:.1f}", f"{whole.wall:.1f}")
    again = run("job", "run", folder, "--workers", "1")
    shown.add_row("again, nothing to do", f"{again.cpu:.1f}", f"{again.wall:.1f}")
    verified = run("job", "run", folder, "--workers", "1", "--verify")
    shown.add_row("again, parts verified", f"{verified.cpu:.1f}", f"{verified.wall:.1f}")
    manifests = sorted((folder / "manifests").iterdir())
    for path in manifests[::2]:
        path.unlink()
    half = run("job", "run", folder, "--workers", "1")
    name = f"{len(manifests[::2])} of {len(manifests)} shards lost"
    shown.add_row(name, f"{half.cpu:.1f}", f"{half.wall:.1f}")
    finish = run("job", "finish", folder)
    shown.add_row("finish", f"{finish.cpu:.1f}", f"{finish.wall:.1f}")
    Console(width=110).print(shown)


def bytes_written(table: Path, count: int, metrics: Sequence[str]) -> None:
    """What lies on the disk, of the job that is there."""
    folder = table.with_name("job")
    shown = Table("", "bytes", "bytes a segment", title="On the disk")
    sizes = {"input (Parquet, zstd)": table.stat().st_size}
    for name in ("parts", "manifests"):
        sizes[name] = sum(path.stat().st_size for path in (folder / name).iterdir())
    sizes["plan"] = (folder / "plan.json").stat().st_size
    for name, size in sizes.items():
        shown.add_row(name, f"{size:,}", f"{size / count:.2f}")
    Console(width=110).print(shown)


def memory(sizes: Sequence[int], metrics: Sequence[str]) -> None:
    shown = Table("segments", "shards", "peak memory of a worker, MB", title=" ".join(metrics))
    for count in sizes:
        with tempfile.TemporaryDirectory() as place:
            table = Path(place) / "table.parquet"
            write_table(table, count, 50_000)
            folder = planned(table, metrics, 100_000)
            done = subprocess.run(
                [sys.executable, "-c", WORKER, str(folder)],
                check=True,
                capture_output=True,
                text=True,
            )
            shards = len(jobs.Plan.load(folder).shards)
        shown.add_row(f"{count:,}", f"{shards:,}", f"{int(done.stdout) / 1024:.0f}")
    Console(width=110).print(shown)


def main(arguments: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("segments", nargs="?", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--metrics", nargs="+", default=["bleu", "chrf"])
    parser.add_argument("--memory", nargs="*", type=int, default=[20_000, 200_000])
    parser.add_argument("--engines", nargs="*", default=["dask", "ray"])
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as place:
        table = Path(place) / "table.parquet"
        write_table(table, options.segments, shard_rows(options.segments))
        throughput(table, options.segments, options.metrics, options.engines, options.rounds)
        resuming(table, options.segments, options.metrics)
        bytes_written(table, options.segments, options.metrics)
    memory(options.memory, options.metrics)


if __name__ == "__main__":
    main(sys.argv[1:])
