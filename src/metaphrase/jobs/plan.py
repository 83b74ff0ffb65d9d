"""What a job does: which rows of which files, by which metrics; and its name, which is a hash of all that."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import blake2b
from os import PathLike
from pathlib import Path
from typing import Any

from metaphrase.corpus.validation import EmptyReferences
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import InputError
from metaphrase.jobs.plan_check import is_sound
from metaphrase.metrics import Metric, create
from metaphrase.metrics.refusals import OnError
from metaphrase.version import __version__

#: Raised when files of jobs change their meaning.
VERSION = 1
FILE = "plan.json"
#: Digits of part numbers: as many shards as a folder of a job has room for.
DIGITS = 5
#: What plans differ in only because of something else, or what is told in other words.
_TOLD_OTHERWISE = ("inputs", "columns", "metrics", "shards", "first_pass", "merges")


@dataclass(frozen=True, slots=True)
class Input:
    """A table: its place, what it is, and what tells it from any other."""

    path: str
    format: str
    rows: int
    size: int
    digest: str


@dataclass(frozen=True, slots=True)
class Shard:
    """Rows of one table, of which the first is row ``first`` of the whole job, from 0.

    ``start`` and ``end`` are row groups of Parquet or bytes of text; ``digest`` is the hash of those bytes,
    or of the table where it is Parquet, whose footer says what is in it.
    """

    number: int
    input: int
    first: int
    rows: int
    start: int
    end: int
    digest: str

    @property
    def name(self) -> str:
        """What its files are called."""
        return f"part-{self.number:0{DIGITS}}"


@dataclass(frozen=True, slots=True)
class PlannedMetric:
    """A metric as it was asked for, and the signature that it must have wherever it runs."""

    label: str
    specification: str
    lang: str
    signature: str

    def create(self, references: int) -> Metric:
        """The metric, if it is the one that was planned."""
        metric = create(self.specification, lang=self.lang)
        found = str(metric.signature(references))
        if found != self.signature:
            raise InputError(
                "MP933",
                f"{self.label} is not the metric that was planned: {difference(self.signature, found)}.",
                hint="Run all shards with the versions, models and data that the plan was made with.",
            )
        return metric


@dataclass(frozen=True, kw_only=True, repr=False)
class Plan:
    """All that decides about the scores of a job."""

    inputs: tuple[Input, ...]
    shards: tuple[Shard, ...]
    metrics: tuple[PlannedMetric, ...]
    #: Columns by their role; those of systems and of references are lists.
    columns: Mapping[str, Any]
    #: Columns that go into the parts as they are, with their types.
    kept: Mapping[str, str]
    documents: bool
    resamples: int
    seed: int
    empty_references: EmptyReferences
    on_error: OnError = "stop"
    #: Metrics for which all shards are looked through before any is scored, and the merges of their counts.
    first_pass: tuple[str, ...] = ()
    merges: int = 0
    #: Rows of which it is found out what points are lost by: a sample, or all there are; 0 for none.
    profile: int = 0

    def __repr__(self) -> str:
        """One line: how much there is to do."""
        systems, metrics = ", ".join(self.systems), ", ".join(one.label for one in self.metrics)
        return (
            f"<Plan: {self.rows:,} rows in {len(self.shards):,} shards, "
            f"systems {systems}, metrics {metrics}>"
        )

    @property
    def rows(self) -> int:
        """Segments of all shards."""
        return sum(shard.rows for shard in self.shards)

    @property
    def systems(self) -> tuple[str, ...]:
        """Columns of hypotheses."""
        return tuple(self.columns["systems"])

    @property
    def references(self) -> int:
        """References of each segment."""
        return len(self.columns["references"])

    @property
    def score_columns(self) -> dict[tuple[str, str], str]:
        """What the parts call the scores of each system and metric: the label if there is one system."""
        several = len(self.systems) > 1
        return {
            (system, metric.label): f"{system} {metric.label}" if several else metric.label
            for system in self.systems
            for metric in self.metrics
        }

    @cached_property
    def job(self) -> str:
        """A hash of everything but where the files lie."""
        return self.job_by(__version__)

    def job_by(self, version: str) -> str:
        """What the job is called if that version plans it."""
        facts = {**self.facts(), "metaphrase": version}
        facts["inputs"] = [{**one, "path": Path(one["path"]).name} for one in facts["inputs"]]
        if self.on_error == "stop":
            del facts["on_error"]  # plans that know of nothing else are called as before
        if not self.profile:
            del facts["profile"]
        return blake2b(_encoded(facts), digest_size=16).hexdigest()

    def facts(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "metaphrase": __version__,
            "inputs": [asdict(one) for one in self.inputs],
            "columns": dict(self.columns),
            "kept": dict(self.kept),
            "metrics": [asdict(one) for one in self.metrics],
            "documents": self.documents,
            "resamples": self.resamples,
            "seed": self.seed,
            "empty_references": self.empty_references,
            "on_error": self.on_error,
            "first_pass": list(self.first_pass),
            "merges": self.merges,
            "profile": self.profile,
            "shards": [asdict(one) for one in self.shards],
        }

    def save(self, folder: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Write it into the folder of the job."""
        whole = {"version": VERSION, "job": self.job, **self.facts()}
        with atomic_writer(Path(folder) / FILE, overwrite=overwrite, sync=True) as stream:
            stream.write(json.dumps(whole, ensure_ascii=False, indent=1).encode() + b"\n")

    @classmethod
    def load(cls, folder: str | PathLike[str]) -> Plan:
        """The plan of a folder, unless somebody has changed it."""
        path = Path(folder) / FILE
        try:
            found = json.loads(path.read_bytes())
            if found["version"] != VERSION:
                raise InputError(
                    "MP931",
                    f"The plan has version {found['version']!r}, and this metaphrase reads {VERSION}.",
                    path=path,
                    hint="Finish the job with the version that planned it.",
                )
            plan = cls(
                inputs=tuple(Input(**one) for one in found["inputs"]),
                shards=tuple(Shard(**one) for one in found["shards"]),
                metrics=tuple(PlannedMetric(**one) for one in found["metrics"]),
                columns=found["columns"],
                kept=found["kept"],
                documents=found["documents"],
                resamples=found["resamples"],
                seed=found["seed"],
                empty_references=found["empty_references"],
                on_error=found.get("on_error", "stop"),
                first_pass=tuple(found["first_pass"]),
                merges=found["merges"],
                profile=found.get("profile", 0),
            )
            maker = found["metaphrase"]
            intact = is_sound(plan) and plan.job_by(maker) == found["job"]
        except FileNotFoundError:
            raise InputError(
                "MP930",
                "There is no plan in this folder.",
                path=folder,
                hint="Make one: metaphrase job plan INPUT -o FOLDER.",
            ) from None
        except OSError as error:
            raise InputError(
                "MP930", f"The plan cannot be read: {error.strerror}.", path=path
            ) from error
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise _damaged(path) from error
        if not intact:
            raise _damaged(path)
        if maker != __version__:
            raise InputError(
                "MP931",
                f"The plan was made by metaphrase {maker}, and this is {__version__}.",
                path=path,
                hint="Finish the job with the version that planned it.",
            )
        return plan

    def differences(self, other: Plan) -> Iterator[str]:
        """What another plan has otherwise, in words."""
        mine, theirs = self.facts(), other.facts()
        for name in ("inputs", "columns", "metrics"):
            if mine[name] != theirs[name]:
                yield from _told(name, mine[name], theirs[name])
        for name, value in mine.items():
            if name not in _TOLD_OTHERWISE and value != theirs[name]:
                yield f"{name}: {value} before, {theirs[name]} now"
        if len(self.shards) != len(other.shards):
            yield f"{len(self.shards)} shards before, {len(other.shards)} now"


def _told(name: str, mine: Any, theirs: Any) -> Iterator[str]:
    if name == "columns":
        for role in mine.keys() | theirs.keys():
            if mine.get(role) != theirs.get(role):
                yield f"{role}: {mine.get(role)} before, {theirs.get(role)} now"
        return
    key = "path" if name == "inputs" else "label"
    before, now = ({one[key]: one for one in some} for some in (mine, theirs))
    for label in [*before, *(label for label in now if label not in before)]:
        if label not in now:
            yield f"{label} is no longer asked for"
        elif label not in before:
            yield f"{label} is new"
        elif before[label] != now[label] and name == "metrics":
            yield f"{label}: {difference(before[label]['signature'], now[label]['signature'])}"
        elif before[label] != now[label]:
            yield f"{label} has changed"


def difference(planned: str, found: str) -> str:
    """The fields of a signature that are not the same in another."""
    before, now = (dict(_fields(one)) for one in (planned, found))
    changed = [
        f"{key}:{before.get(key, '—')} planned, {key}:{now.get(key, '—')} here"
        for key in {**before, **now}
        if before.get(key) != now.get(key)
    ]
    return "; ".join(changed) or f"{planned} planned, {found} here"


def _fields(signature: str) -> Iterator[tuple[str, str]]:
    name, *others = signature.split("|")
    yield "metric", name
    for field in others:
        key, _, value = field.partition(":")
        yield key, value


def _damaged(path: Path) -> InputError:
    return InputError(
        "MP932",
        "The plan is damaged: it is not as it was written.",
        path=path,
        hint="Plan the job again, into a new folder.",
    )


def _encoded(facts: Mapping[str, Any]) -> bytes:
    return json.dumps(facts, ensure_ascii=False, sort_keys=True).encode()
