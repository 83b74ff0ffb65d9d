"""Jobs in which something goes wrong at a given shard, and what is left of them in the end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from jobs.written_tables import HERE, texts, write
from metaphrase import jobs, load_metrics

METRIC = Path(__file__).with_name("troubled_metric.py")
ROWS = 5
#: Seconds after which something that must happen will not, on the busiest machine.
PATIENCE = 100


@dataclass(frozen=True)
class Troubled:
    """A job of small shards; ``troubles`` says what the first text of a shard does."""

    folder: Path
    troubles: Mapping[int, str]
    #: Hashes of the parts of a run without trouble, and its scores.
    parts: Mapping[str, str]
    scores: Mapping[str, Any]

    @classmethod
    def planned(
        cls,
        folder: Path,
        troubles: Mapping[int, str],
        shards: int = 6,
        metrics: Sequence[str] = ("troubled", "ter"),
    ) -> Troubled:
        load_metrics(METRIC)
        folder.mkdir(exist_ok=True)
        columns = texts(shards * ROWS)
        places = {number: place(folder, number) for number in troubles}
        for number, verb in troubles.items():
            columns["one"][number * ROWS] = f"{verb}:{places[number]}"
            places[number].touch()
        table = write(folder / "table.parquet", columns, group=ROWS)
        for name in ("undisturbed", "job"):
            jobs.plan(
                [table],
                folder / name,
                metrics,
                columns={"hypothesis": "one"},
                keep=["id"],
                rows_per_shard=ROWS,
                check_language=False,
            )
        assert jobs.run(folder / "undisturbed", engine=HERE, load=[METRIC]).is_complete
        for path in places.values():
            path.unlink()
            Path(f"{path}.tries").unlink()
        scores = jobs.finish(folder / "undisturbed").to_dict()
        return cls(folder / "job", troubles, hashes(folder / "undisturbed"), scores)

    def place(self, number: int) -> Path:
        return place(self.folder.parent, number)

    def tries(self, number: int) -> list[int]:
        """The processes that tried a shard."""
        path = Path(f"{self.place(number)}.tries")
        return [int(line) for line in path.read_text().split()] if path.exists() else []

    def done(self) -> set[int]:
        return {
            int(path.stem.removeprefix("part-"))
            for path in (self.folder / "manifests").glob("part-*.json")
        }

    def command(self, *options: str) -> list[str]:
        arguments = ["job", "run", str(self.folder), "--load", str(METRIC), *options]
        return [sys.executable, "-m", "metaphrase", *arguments]

    def start(self, *options: str, **settings: Any) -> subprocess.Popen[str]:
        """Run it from a shell."""
        return subprocess.Popen(
            self.command(*options), text=True, stdout=-1, stderr=-1, stdin=-3, **settings
        )

    def goes_on(self) -> None:
        """What is missing is done without trouble, and in the end all is as if there had been none."""
        for number in self.troubles:
            self.place(number).touch()
        before = self.done()
        outcome = jobs.run(self.folder, engine=HERE, load=[METRIC])
        assert outcome.is_complete
        assert outcome.before == len(before)
        self.is_whole()

    def is_whole(self) -> None:
        """Nothing is lost and nothing there twice: the same files, bytes and scores as without trouble."""
        assert hashes(self.folder) == self.parts
        assert jobs.run(self.folder, engine=HERE, load=[METRIC], verify=True).now == ()
        scores = jobs.finish(self.folder)
        assert scores.segments == ROWS * len(self.parts)
        assert scores.to_dict() == self.scores


def place(folder: Path, number: int) -> Path:
    return folder / f"trouble-{number}"


def hashes(folder: Path) -> dict[str, str]:
    return {
        path.name: blake2b(path.read_bytes()).hexdigest()
        for path in sorted((folder / "parts").iterdir())
        if not path.name.startswith(".")
    }


def litter(folder: Path) -> list[Path]:
    return list(folder.rglob(".metaphrase-*.tmp"))


def fill(folder: Path) -> Path:
    """Leave no room on a disk; the file that takes it all."""
    other = folder / "of somebody else"
    with other.open("wb", 0) as stream, pytest.raises(OSError, match="No space left"):
        stream.writelines(bytes(512) for _ in range(10_000))
    return other


def runs_out_of_disk(folder: Path, *options: str, **settings: Any) -> None:
    """A job on a small disk that somebody else fills meanwhile says so, and goes on when there is room."""
    job = Troubled.planned(folder, {1: "wait"})
    process = job.start(*options, **settings)
    until(lambda: job.tries(1))
    job.place(1).touch()
    other = fill(folder)
    output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1, errors
    assert "No space left on device" in output
    other.unlink()
    job.goes_on()


def until(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait for something that must happen."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def has_ended(process: int) -> bool:
    """Whether it is no more, or waits only for somebody to take note of that."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return True
    except NotADirectoryError:
        os.kill(process, 0)
        return False
    return state in "ZX"
