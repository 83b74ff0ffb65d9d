"""Jobs: corpora of any size in shards, which any number of machines score and nobody scores twice.

A plan cuts tables into shards. Each shard is scored by itself into a file of scores and a manifest with exact
sums, so that a job can stop at any time and go on where it was, and totals are those of one process.

>>> from metaphrase import jobs
>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     plan = jobs.plan(["segments.jsonl"], folder, ["chrf", "ter"], keep=["id"], rows_per_shard=5,
...                      columns={"hypothesis": ["fluent", "clumsy"]})
...     outcome = jobs.run(folder, engine=jobs.Local(workers=1))
...     status = jobs.status(folder)
...     scores = jobs.finish(folder)
>>> plan
<Plan: 12 rows in 3 shards, systems fluent, clumsy, metrics chrf, ter>
>>> outcome
Outcome(before=0, now=(0, 1, 2), failed={})
>>> status.rows_done, status.is_done
(12, True)
>>> scores
<Scores systems=2 segments=12 references=1: fluent chrf 77.40 ter 23.75; clumsy chrf 58.24 ter 55.62>
"""

from metaphrase.jobs.engines import Dask, Engine, Local, Ray, named_engine
from metaphrase.jobs.filtering import Filtered, filter_tables
from metaphrase.jobs.finishing import finish, profiles
from metaphrase.jobs.plan import Plan, Shard
from metaphrase.jobs.planning import plan
from metaphrase.jobs.running import Outcome, run
from metaphrase.jobs.shard_run import gather_shard, run_shard
from metaphrase.jobs.status import Status, status

__all__ = [
    "Dask",
    "Engine",
    "Filtered",
    "Local",
    "Outcome",
    "Plan",
    "Ray",
    "Shard",
    "Status",
    "filter_tables",
    "finish",
    "gather_shard",
    "named_engine",
    "plan",
    "profiles",
    "run",
    "run_shard",
    "status",
]
