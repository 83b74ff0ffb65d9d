"""A cache that cannot be used costs time only; a store has evaluations whole or not at all."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.bundled import REFERENCE, SYSTEMS
from faults.injection import Fault, Program, litter, spread
from faults.test_interrupted_outputs import DEADLY, FAULTS, tried

pytest.importorskip("starlette")

CACHE = "faults.users:use_cache"
STORE = "faults.users:use_store"


@pytest.mark.parametrize("what", FAULTS)
def test_answers_with_a_cache_are_right(
    program: Program, what: str, tmp_path: Path, most: int | None
) -> None:
    """Whatever happens to the calls of SQLite."""
    action, lasting = FAULTS[what]
    whole = program.run([], tmp_path, call=CACHE)
    assert (whole.code, whole.out.split()) == (0, ["40"])

    def survives(at: int) -> None:
        shutil.rmtree(tmp_path / "cache", ignore_errors=True)
        outcome = program.run([], tmp_path, Fault(at, action, lasting=lasting), call=CACHE)
        if action not in (*DEADLY, "interrupt", "terminate"):
            assert outcome.code == 0, outcome
        again = program.run([], tmp_path, call=CACHE)
        assert again.code == 0, again
        assert program.run([], tmp_path, call=CACHE).out.split() == ["0"]

    if action == "stop" and most:
        most = 1  # whoever stops may hold a lock that the other one waits for, ten seconds long
    tried(survives, spread(whole.calls, most, seed=len(what)))


def flipped(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(chance.randint(1, 40)):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def cut(path: Path, chance: random.Random) -> None:
    path.write_bytes(path.read_bytes()[: chance.randrange(path.stat().st_size)])


def zeroed(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    start = chance.randrange(len(data))
    data[start : start + 4096] = bytes(len(data[start : start + 4096]))
    path.write_bytes(data)


@pytest.mark.parametrize("damage", [flipped, cut, zeroed])
def test_a_damaged_cache_costs_time_only(
    program: Program,
    damage: Callable[[Path, random.Random], None],
    tmp_path: Path,
    most: int | None,
) -> None:
    program.run([], tmp_path, call=CACHE)
    file = tmp_path / "cache" / "analyses.sqlite"
    whole = file.read_bytes()
    for seed in range(4 if most else 300):
        file.write_bytes(whole)
        damage(file, random.Random(seed))
        outcome = program.run([], tmp_path, call=CACHE)
        assert (outcome.code, "Traceback" in outcome.err) == (0, False), outcome
        # An entry that cannot be read is analysed again, and that is the end of it.
        program.run([], tmp_path, call=CACHE)
        assert program.run([], tmp_path, call=CACHE).out.split() == ["0"]


def test_a_folder_in_place_of_the_cache(program: Program, tmp_path: Path) -> None:
    (tmp_path / "cache" / "analyses.sqlite").mkdir(parents=True)
    assert program.run([], tmp_path, call=CACHE).out.split() == ["65"]


def test_a_cache_that_somebody_else_writes_to(program: Program, tmp_path: Path) -> None:
    """It is read nevertheless."""
    program.run([], tmp_path, call=CACHE)
    with sqlite3.connect(tmp_path / "cache" / "analyses.sqlite") as other:
        other.execute("BEGIN IMMEDIATE")
        assert program.run([], tmp_path, call=CACHE).out.split() == ["0"]


@pytest.mark.parametrize("what", FAULTS)
def test_lexical_files_that_cannot_be_compiled_into_the_cache(
    program: Program, what: str, tmp_path: Path, most: int | None
) -> None:
    """Scores are the same with and without it; a compiled file that is half written is not used."""
    action, lasting = FAULTS[what]
    words = sorted({word for path in SYSTEMS for word in Path(path).read_text("utf-8").split()})[
        :80
    ]
    vectors = tmp_path / "vectors.txt"
    rows = [f"{word} {number % 7} {number % 5} 1" for number, word in enumerate(words)]
    vectors.write_text("\n".join([f"{len(rows)} 3", *rows]) + "\n", "utf-8")
    metric = f"cobalt:vectors=file:{vectors}"
    command = [
        "score",
        REFERENCE,
        "-i",
        SYSTEMS[0],
        "-m",
        metric,
        "--threads",
        "1",
        "--format",
        "json",
    ]
    cache = tmp_path / "cache"
    whole = program.run(command, cache.parent, cache=cache)
    assert whole.code == 0, whole
    counted = whole.calls

    def survives(at: int) -> None:
        shutil.rmtree(cache, ignore_errors=True)
        fault = Fault(at, action, lasting=lasting)
        outcome = program.run(command, cache.parent, fault, cache=cache)
        if action not in (*DEADLY, "interrupt", "terminate"):
            assert (outcome.code, outcome.out) == (0, whole.out), outcome
        again = program.run(command, cache.parent, cache=cache)
        assert (again.code, again.out) == (0, whole.out)
        if cache.exists():
            assert litter(cache) == []

    assert counted > 3
    tried(survives, spread(counted, most))


@pytest.mark.parametrize("what", [what for what in FAULTS if FAULTS[what][0] != "stop"])
def test_a_store_has_evaluations_whole_or_not_at_all(
    program: Program, what: str, tmp_path: Path, most: int | None
) -> None:
    action, lasting = FAULTS[what]
    whole = program.run([], tmp_path, call=STORE)
    assert whole.code == 0, whole

    def survives(at: int) -> None:
        shutil.rmtree(tmp_path / "store", ignore_errors=True)
        outcome = program.run([], tmp_path, Fault(at, action, lasting=lasting), call=STORE)
        if action not in (*DEADLY, "interrupt", "terminate") and outcome.code:
            assert (outcome.code, outcome.err[:3]) == (1, "[MP"), outcome
        said = dict(json.loads(line) for line in outcome.out.splitlines())
        again = program.run(["look"], tmp_path, call=STORE)
        assert again.code == 0, again
        found = dict(json.loads(line) for line in again.out.splitlines())
        for name, state in said.items():
            # What its sender was told of is there, unless it was deleted.
            if state == "done":
                assert found[name] == "done"
            elif state == "queued":
                assert found.get(name, "failed") in ("failed", "done")
            else:
                assert name not in found
        left = [path.name for path in (tmp_path / "store" / "evaluations").iterdir()]
        assert sorted(left) == sorted(found)
        assert litter(tmp_path) == []

    tried(survives, spread(whole.calls, most, seed=len(what)))


def test_two_servers_cannot_have_one_store(program: Program, tmp_path: Path) -> None:
    """The second one is refused while the first one is at work, whatever that is doing."""
    whole = program.run([], tmp_path, call=STORE)
    for at in (whole.calls // 2, whole.calls):
        shutil.rmtree(tmp_path / "store", ignore_errors=True)
        outcome = program.run([], tmp_path, Fault(at, "stop"), call=STORE)
        assert (outcome.code, outcome.others) == (0, [1])
