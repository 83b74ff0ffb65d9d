"""What says what is to be done: rules and baselines of gates, plans and manifests of jobs, conditions,
checkpoints, specifications of metrics.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.files import content, folder, reading, written
from fuzz.seeds import JSON_WORDS, from_tests
from fuzz.target import Target
from metaphrase import jobs
from metaphrase.analysis import registry as analysers
from metaphrase.errors import MetaphraseError
from metaphrase.gate import load_baseline, load_rules, write_baseline
from metaphrase.jobs.conditions import parse
from metaphrase.jobs.manifest import check_manifest, read_manifest, read_sums
from metaphrase.jobs.plan import Plan
from metaphrase.learning.checkpoint import Checkpoint
from metaphrase.lexicon import registry as lexicons
from metaphrase.metrics import available, create
from metaphrase.metrics.guests.protocol import PROTOCOL, Row, read_answer, read_hello
from metaphrase.options import options
from metaphrase.serve.offer import check_metric

_COLUMNS = {"chrf": np.array([1.0, 50.0, np.nan]), "text": np.array(["a", "b", ""], dtype=object)}


def _baseline_seeds() -> list[bytes]:
    runs = from_tests("gate.runs")
    path = folder() / "baseline.json"
    write_baseline(path, runs.run(runs.GOOD[:2], runs.REFERENCES[:2], metrics=("chrf",)))
    found = path.read_bytes()
    path.unlink()
    return [found]


def _rules_seeds() -> list[bytes]:
    return [
        *content("ci/metaphrase-gate.toml"),
        b'metrics = ["chrf"]\nmin_score = 50\nmax_drop = false\n[language.de]\nalpha = 0.01\n'
        b'[language.de.metric.chrf]\nmax_drop = 1\n[document."a*"]\nmin_score = 3\n'
        b'[checks]\noff = ["numbers"]\n'
        b'severity = {numbers = "minor"}\nmax_ratio = 2.5\n',
    ]


@cache
def _job() -> tuple[Path, Plan]:
    place = folder() / "made"
    place.mkdir(exist_ok=True)
    table = place / "table.jsonl"
    rows = [{"reference": f"a b {n}", "mt": f"a c {n}", "doc": f"d{n % 2}"} for n in range(4)]
    table.write_text("".join(json.dumps(row) + "\n" for row in rows))
    columns = {"reference": "reference", "hypothesis": "mt", "document": "doc"}
    plan = jobs.plan(
        [str(table)],
        place / "job",
        ["chrf"],
        columns=columns,
        rows_per_shard=2,
        resamples=2,
        documents=True,
    )
    jobs.run_shard(str(place / "job"), 0)
    return place / "job", plan


def _plan(data: bytes) -> object:
    """With the name that the plan should have, or its hash would refuse most of what is read."""
    place = folder() / "job"
    place.mkdir(exist_ok=True)
    with suppress(ValueError, TypeError, KeyError, AttributeError, RecursionError, MetaphraseError):
        found = json.loads(data)
        plan = _unchecked(found)
        data = json.dumps({**found, "job": plan.job_by(found["metaphrase"])}).encode()
    (place / "plan.json").write_bytes(data)
    found = Plan.load(place)
    repr(found)
    jobs.status(place)
    with suppress(MetaphraseError):
        jobs.run_shard(str(place), 0)
    return None


def _unchecked(found: Any) -> Plan:
    from metaphrase.jobs.plan import Input, PlannedMetric, Shard

    return Plan(
        inputs=tuple(Input(**one) for one in found["inputs"]),
        shards=tuple(Shard(**one) for one in found["shards"]),
        metrics=tuple(PlannedMetric(**one) for one in found["metrics"]),
        first_pass=tuple(found["first_pass"]),
        **{
            name: found[name]
            for name in "columns kept documents resamples seed empty_references merges".split()
        },
    )


def _plan_seeds() -> list[bytes]:
    place, _ = _job()
    return [json.dumps(json.loads((place / "plan.json").read_bytes())).encode()]


def _manifest(data: bytes) -> object:
    """Both lines with checksums that are right, and the length of the second."""
    _, plan = _job()
    head, _, body = data.partition(b"\n")
    line = b"%08x %s\n" % (zlib.crc32(body), body)
    with suppress(ValueError, TypeError, RecursionError):
        said = json.loads(head)
        head = json.dumps({**said, "sums": len(line), "job": plan.job}).encode()
    path = written("manifest", b"%08x %s\n%s" % (zlib.crc32(head), head, line))
    for read in (read_manifest, check_manifest, read_sums):
        with suppress(MetaphraseError):
            read(path, plan.shards[0], plan)
    return read_sums(path, plan.shards[0], plan)


def _manifest_seeds() -> list[bytes]:
    place, _ = _job()
    lines = next(place.rglob("manifests/*")).read_bytes().splitlines()
    return [b"\n".join(line.partition(b" ")[2] for line in lines)]


def _checkpoint(data: bytes) -> object:
    return Checkpoint(written("checkpoint.json", data), {"data": "d", "options": [1]}).load()


def _checkpoint_seeds() -> list[bytes]:
    path = folder() / "seed.json"
    Checkpoint(path, {"data": "d", "options": [1]}).save({"weights": [0.5]})
    return [path.read_bytes()]


def _condition(data: bytes) -> object:
    return parse(data.decode("utf-8", "replace"))


@contextmanager
def _same_distributions() -> Iterator[None]:
    """Read once what is installed: whoever gives an unknown name makes the registries look at all of it."""
    looked = metadata.entry_points
    metadata.entry_points = analysers.entry_points = _entry_points  # type: ignore[assignment,attr-defined]
    try:
        yield
    finally:
        metadata.entry_points = analysers.entry_points = looked  # type: ignore[attr-defined]


_entry_points = cache(metadata.entry_points)


@_same_distributions()
def _specification(data: bytes) -> object:
    """A metric with its options, as the command line and strangers give it, and its signature."""
    text = data.decode("utf-8", "replace")
    for language in ("en", "xx"):
        with suppress(MetaphraseError):
            metric = create(text, lang=language)
            # A metric says itself what it was made of.
            again = create(metric.specification, lang=metric.lang)
            assert again == metric, (metric.specification, again)
            # Guests would be started, whatever program that is.
            if not metric.needs_options and not any(
                sign in text for sign in (":/", "file", "spacy", "conllu", "topic")
            ):
                metric.signature()
    check_metric(text)
    return None


@_same_distributions()
def _resource(data: bytes) -> object:
    """Names of analysers, lexicons, paraphrases and vectors; those that load something large are left out."""
    text = data.decode("utf-8", "replace")
    for load in (analysers.load, lexicons.load, lexicons.load_paraphrases, lexicons.load_vectors):
        with suppress(MetaphraseError):
            load(text)
    return lexicons.load(text)


def _hello(data: bytes) -> object:
    """The first line of a guest."""
    return read_hello(data)


def _answer(data: bytes) -> object:
    """An answer of a guest to two rows: every score is within its bounds, every span in its text."""
    rows = [Row("a cat", ("the cat",)), Row("", ("no",))]
    spans = b"spans" in data
    answer = read_answer(data, 7, rows, (0.0, 1.0), spans=spans)
    assert len(answer.scores) == 2
    assert answer.faults or all(0 <= score <= 1 for score in answer.scores), answer
    for row, errors in zip(rows, answer.errors if spans else (), strict=False):
        placed = [error.span for error in errors if error.span is not None]
        assert all(row.hypothesis[slice(*span)].strip() for span in placed), answer
    return answer


def _hello_seeds() -> list[bytes]:
    said = {"guest": PROTOCOL, "name": "x", "version": "1", "source": True, "references": "one"}
    said |= {"deterministic": True, "higher_is_better": False, "bounds": [None, 1]}
    more = {"model": {"name": "m", "hash": "h", "licence": "l"}, "libraries": {"torch": "2"}}
    return [json.dumps(said).encode(), json.dumps({**said, **more}).encode(), b'{"error": "no"}']


def _specification_seeds() -> list[bytes]:
    found = []
    for name, kind in available().items():
        found.append(name)
        found += [f"{name}:{variant}" for variant in kind.variants]
        for option, one in options(kind).items():
            found.append(f"{name}:{option}={one.default if one.default is not None else 'default'}")
    return [text.encode() for text in found]


def _specification_words() -> tuple[str, ...]:
    words = {
        ":",
        "=",
        ",",
        "default",
        "none",
        "yes",
        "no",
        "nan",
        "inf",
        "-1",
        "1e400",
        "0",
        "file:",
        "²",
    }
    for name, kind in available().items():
        words |= {name, *kind.variants}
        for option, one in options(kind).items():
            words.add(f":{option}=")
            if not callable(one.choices):
                words |= set(map(str, one.choices))
    return tuple(sorted(word for word in words if word))


def targets() -> list[Target]:
    """Those of this room."""
    return [
        Target(
            name="gate.baseline",
            run=reading(load_baseline, "baseline.json"),
            seeds=_baseline_seeds,
            words=(
                *JSON_WORDS,
                "segments",
                "metrics",
                "statistics",
                "scores",
                "hashes",
                "findings",
                "bounds",
            ),
            longest=8192,
        ),
        Target(
            name="gate.rules",
            run=reading(load_rules, "rules.toml"),
            seeds=_rules_seeds,
            words=(
                *"[metric.chrf] [language.de] [document.'*'] [checks] alpha = false true nan inf".split(),
                *"max_drop min_score off only severity glossary max_ratio 1979-05-27 0x1F 1e400 '''".split(),
            ),
        ),
        Target(
            name="jobs.plan",
            run=_plan,
            seeds=_plan_seeds,
            words=(
                *JSON_WORDS,
                "inputs",
                "shards",
                "metrics",
                "columns",
                "systems",
                "chrf",
                "parquet",
                "tsv",
            ),
            seconds=4,
        ),
        Target(name="jobs.manifest", run=_manifest, seeds=_manifest_seeds, words=JSON_WORDS),
        Target(
            name="jobs.condition",
            run=_condition,
            seeds=lambda: [b'chrf >= 50 and not (ter > 1.5 or "a b" == 1e-3)', b"chrf < 3"],
            words=(
                *"and or not ( ) >= <= == != < > + - * / 1e400 nan len contains in".split(),
                '"',
                "'",
            ),
            longest=1024,
        ),
        Target(name="train.checkpoint", run=_checkpoint, seeds=_checkpoint_seeds, words=JSON_WORDS),
        Target(
            name="guests.hello",
            run=_hello,
            seeds=_hello_seeds,
            words=(*JSON_WORDS, "guest", "references", "all", "none", "bounds", "model", "licence"),
            longest=2048,
        ),
        Target(
            name="guests.answer",
            run=_answer,
            seeds=lambda: [
                b'{"id": 7, "scores": [0.5, 1]}',
                b'{"id": 7, "scores": [NaN, -1e400]}',
                b'{"id": 7, "error": "too long", "row": 1}',
                b'{"id": 7, "error": "out of memory"}',
                b'{"id": 7, "scores": [1, 1], "spans": [[{"start": 0, "end": 5, "severity": "major"}], []]}',
            ],
            words=(
                *(*JSON_WORDS, "id", "scores", "error", "row", "NaN", "Infinity", "1e400"),
                *("spans", "start", "end", "severity", "minor", "category", "points"),
            ),
            longest=2048,
        ),
        Target(
            name="metrics.specification",
            run=_specification,
            seeds=_specification_seeds,
            words=_specification_words(),
            longest=256,
            seconds=20,
        ),
        Target(
            name="metrics.resource-names",
            run=_resource,
            seeds=lambda: [
                b"wordnet",
                b"none",
                b"file:x",
                b"mythes:de",
                b"builtin:en",
                b"cilin:x",
                b"spacy:x",
            ],
            words=(
                *"wordnet none file: mythes: builtin: cilin: spacy: conllu: characters meteor: ppdb:".split(),
                "\0",
            ),
            longest=128,
            seconds=20,
        ),
    ]
