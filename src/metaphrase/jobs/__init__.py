"""Jobs: corpora of any size in shards, which any number of machines score and nobody scores twice.

A plan cuts tables into shards. Each shard is scored by itself into a file of scores and a manifest with exact
sums, so that a job can stop at any time and go on where it was, and totals are those of one process.
"""

from metaphrase.jobs.engines import Engine, Local, named_engine
from metaphrase.jobs.filtering import Filtered, filter_tables
from metaphrase.jobs.finishing import finish
from metaphrase.jobs.plan import Plan, Shard
from metaphrase.jobs.planning import plan
from metaphrase.jobs.running import Outcome, run
from metaphrase.jobs.shard_run import run_shard
from metaphrase.jobs.status import Status, status

__all__ = [
    "Engine",
    "Filtered",
    "Local",
    "Outcome",
    "Plan",
    "Shard",
    "Status",
    "filter_tables",
    "finish",
    "named_engine",
    "plan",
    "run",
    "run_shard",
    "status",
]
