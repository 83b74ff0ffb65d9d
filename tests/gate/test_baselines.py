"""A baseline is read as it was written, and what is wrong with one is told."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.runs import GOOD, METRICS, REFERENCES, judged, run
from metaphrase.errors import InputError, MetaphraseError
from metaphrase.gate import Snapshot, load_baseline, rescored, write_baseline
from metaphrase.gate.snapshot import SegmentFinding

FULL = {
    "sources": [f"Quelle {row}" for row in range(8)],
    "documents": ["help"] * 8,
    "domains": ["news"] * 7 + ["legal"],
    "ids": [f"id{row}" for row in range(8)],
    "findings": [[SegmentFinding("numbers", "critical", "12")], *[()] * 7],
}


def same(one: Snapshot, other: Snapshot) -> None:
    for name in (
        "system",
        "language",
        "ids",
        "documents",
        "domains",
        "texts",
        "findings",
        "hashes",
        "version",
    ):
        assert getattr(one, name) == getattr(other, name)
    assert list(one.metrics) == list(other.metrics)
    for name, measured in one.metrics.items():
        again = other.metrics[name]
        assert (measured.signature, measured.specification) == (
            again.signature,
            again.specification,
        )
        assert (measured.system, measured.bounds) == (again.system, again.bounds)
        np.testing.assert_array_equal(measured.segment, again.segment)
        np.testing.assert_array_equal(measured.statistics, again.statistics)


@pytest.mark.parametrize("name", ["baseline.json", "baseline.json.gz"])
@pytest.mark.parametrize("full", [False, True])
def test_what_is_read_is_what_was_written(tmp_path: Path, name: str, full: bool) -> None:
    snapshot = run(**(FULL if full else {}))  # type: ignore[arg-type]
    write_baseline(tmp_path / name, snapshot)
    same(snapshot, load_baseline(tmp_path / name))
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.filterwarnings("ignore:.*MP585")
@settings(max_examples=30)
@given(
    st.lists(st.tuples(st.text(st.characters(exclude_categories=["Cs"]))), min_size=1, max_size=5)
)
def test_any_text_comes_back(tmp_path_factory: pytest.TempPathFactory, texts: list[Any]) -> None:
    path = tmp_path_factory.mktemp("any") / "baseline.json"
    hypotheses = [text for (text,) in texts]
    snapshot = run(hypotheses, ["reference"] * len(texts), metrics=["chrf"])
    write_baseline(path, snapshot)
    same(snapshot, load_baseline(path))


def test_the_same_run_gives_the_same_bytes_and_a_segment_is_a_line(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_baseline(tmp_path / name, run())
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    write_baseline(tmp_path / "b", run(["Other.", *GOOD[1:]]))
    lines = [(tmp_path / name).read_text().splitlines() for name in "ab"]
    changed = [a for a, b in zip(*lines, strict=True) if a != b]
    assert sum('"statistics"' in line for line in changed) == 1


def test_texts_can_be_left_out_and_verdicts_stay_the_same(tmp_path: Path) -> None:
    write_baseline(tmp_path / "secret.json", run(), with_texts=False)
    assert GOOD[0] not in (tmp_path / "secret.json").read_text()
    baseline = load_baseline(tmp_path / "secret.json")
    after = run(["Other.", *GOOD[1:]])
    one, other = (judged(before, after, max_drop=0) for before in (run(), baseline))
    assert [o.message for o in one.outcomes] == [o.message for o in other.outcomes]
    assert other.changes[0].before is None
    assert other.changes[0].reworded


def test_a_baseline_of_another_signature_can_be_scored_again(tmp_path: Path) -> None:
    write_baseline(tmp_path / "old.json", run(metrics=["chrf:lowercase=yes"], **FULL))  # type: ignore[arg-type]
    same(run(**FULL), rescored(load_baseline(tmp_path / "old.json"), METRICS, threads=1))  # type: ignore[arg-type]


def test_not_without_its_texts(tmp_path: Path) -> None:
    write_baseline(tmp_path / "old.json", run(), with_texts=False)
    with pytest.raises(InputError, match="MP913"):
        rescored(load_baseline(tmp_path / "old.json"), METRICS)


# What people and programs do to files.


def damaged(change: Callable[[dict[str, Any]], object], tmp_path: Path, code: str) -> str:
    path = tmp_path / "damaged.json"
    write_baseline(path, run(**FULL))  # type: ignore[arg-type]
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))
    with pytest.raises(InputError) as caught:
        load_baseline(path)
    assert caught.value.code == code
    assert caught.value.path == str(path)
    return caught.value.message


CHANGES: dict[str, tuple[str, Callable[[dict[str, Any]], object]]] = {
    "other format": ("MP902", lambda b: b.update(format="something")),
    "no format": ("MP902", lambda b: b.pop("format")),
    "later version": ("MP902", lambda b: b.update(version=2)),
    "version that is true": ("MP902", lambda b: b.update(version=True)),
    "no segments": ("MP901", lambda b: b.update(segments=[])),
    "segments missing": ("MP901", lambda b: b.pop("segments")),
    "segments no list": ("MP901", lambda b: b.update(segments={})),
    "a segment that is a number": ("MP901", lambda b: b["segments"].append(3)),
    "no metrics": ("MP901", lambda b: b.update(metrics=[])),
    "a metric twice": ("MP901", lambda b: b["metrics"][1].update(name="chrf")),
    "an unknown entry": ("MP901", lambda b: b.update(more=1)),
    "a system that is no text": ("MP901", lambda b: b.update(system=None)),
    "a score that is text": ("MP901", lambda b: b["metrics"][0].update(score="1")),
    "a score that is true": ("MP901", lambda b: b["metrics"][0].update(score=True)),
    "bounds of three": ("MP901", lambda b: b["metrics"][0].update(bounds=[0, 1, 2])),
    "bounds of text": ("MP901", lambda b: b["metrics"][0].update(bounds=["0", 1])),
    "a segment without an id": ("MP901", lambda b: b["segments"][2].pop("id")),
    "two of one id": ("MP906", lambda b: b["segments"][2].update(id="id0")),
    "a score too few": ("MP901", lambda b: b["segments"][2]["scores"].pop()),
    "a score that is missing": ("MP901", lambda b: b["segments"][2].update(scores=[None, 1])),
    "statistics too few": ("MP901", lambda b: b["segments"][2]["statistics"][0].pop()),
    "statistics of text": ("MP901", lambda b: b["segments"][2]["statistics"][0].insert(0, "a")),
    "a huge number": ("MP901", lambda b: b["segments"][2].update(scores=[10**400, 1])),
    "an edited hypothesis": ("MP901", lambda b: b["segments"][2]["texts"].update(hypothesis="")),
    "an edited reference": ("MP901", lambda b: b["segments"][2]["texts"].update(references=["x"])),
    "an edited source": ("MP901", lambda b: b["segments"][2]["texts"].update(source="x")),
    "a reference that is a number": (
        "MP901",
        lambda b: b["segments"][2]["texts"].update(references=[3]),
    ),
    "half a surrogate pair": (
        "MP901",
        lambda b: b["segments"][2]["texts"].update(hypothesis="\ud800"),
    ),
    "another hash": ("MP901", lambda b: b["segments"][2].update(reference="0" * 16)),
    "another joint hash": ("MP901", lambda b: b["hashes"].update(references="0" * 64)),
    "a segment less": ("MP901", lambda b: b["segments"].pop()),
    "findings of text": ("MP901", lambda b: b["segments"][0].update(findings=["bad"])),
    "findings without a code": ("MP901", lambda b: b["segments"][0]["findings"][0].pop("code")),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_damaged_baseline_is_refused(what: str, tmp_path: Path) -> None:
    code, change = CHANGES[what]
    damaged(change, tmp_path, code)


def places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each value inside a value of JSON."""
    entries = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in entries:
        yield (*place, key)
        if isinstance(inner, dict | list):
            yield from places(inner, (*place, key))


def test_whatever_one_value_is_replaced_by_there_is_a_verdict_or_a_coded_error(
    tmp_path: Path,
) -> None:
    path = tmp_path / "b.json"
    small = {name: values[:1] for name, values in FULL.items()}
    current = run(GOOD[:1], REFERENCES[:1], metrics=["chrf"], **small)  # type: ignore[arg-type]
    write_baseline(path, current)
    content = path.read_text()
    for place in places(json.loads(content)):
        for value in (None, True, -1, 1e300, 10**30, "", "x", [], {}, [[]]):
            changed = json.loads(content)
            inner = changed
            for key in place[:-1]:
                inner = inner[key]
            inner[place[-1]] = value
            path.write_text(json.dumps(changed))
            with suppress(MetaphraseError):
                json.dumps(
                    judged(load_baseline(path), current, ["chrf"]).to_dict(), allow_nan=False
                )


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "MP901"),
        (b"no JSON", "MP901"),
        (b"[]", "MP901"),
        (b"{}", "MP902"),
        (b'{"format": NaN}', "MP901"),
        (b'{"a": 1, "a": 2}', "MP901"),
        (b"\xff\xfe{\x00}\x00", "MP901"),
        (b"[" * 100_000, "MP901"),
        (b'{"a": ' + b"9" * 5000 + b"}", "MP901"),
        (gzip.compress(b"{}", mtime=0)[:-4], "MP901"),
        (b"\x1f\x8bno gzip at all", "MP901"),
    ],
)
def test_what_is_no_baseline_is_refused(content: bytes, code: str, tmp_path: Path) -> None:
    (tmp_path / "b.json").write_bytes(content)
    with pytest.raises(InputError) as caught:
        load_baseline(tmp_path / "b.json")
    assert caught.value.code == code


def test_a_baseline_with_nan_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    write_baseline(path, run())
    path.write_text(path.read_text().replace('"scores": [', '"scores": [NaN, ', 1))
    with pytest.raises(InputError, match=r"MP901.*NaN"):
        load_baseline(path)


def test_every_cut_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    write_baseline(path, run(GOOD[:2], REFERENCES[:2], metrics=["chrf"]))
    content = path.read_bytes()
    for length in range(0, len(content) - 2, 37):
        path.write_bytes(content[:length])
        with pytest.raises(InputError, match="MP901"):
            load_baseline(path)


@pytest.mark.parametrize("name", ["missing.json", "", "\0"])
def test_a_baseline_that_is_not_there(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="MP900"):
        load_baseline(str(tmp_path) + "/" + name)


def test_nothing_is_left_of_a_baseline_that_cannot_be_written(tmp_path: Path) -> None:
    snapshot = run(metrics=["chrf"])
    snapshot.metrics["chrf"].segment[-1] = np.nan
    with pytest.raises(InputError, match="MP743"):
        write_baseline(tmp_path / "b.json", snapshot)
    assert list(tmp_path.iterdir()) == []
