"""The process in which one evaluation happens: it may crash, hang or grow without harm to the server.

It is told on its command line what to do and says on its output, in lines of JSON, how far it is. It ends
when its input ends, so that it never outlives the server.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any, TextIO

from metaphrase.errors import MetaphraseError, ResourceError
from metaphrase.serve.limits import MEGABYTE
from metaphrase.serve.problems import coded, to_record

RESULTS = "results"
#: The results until they are whole.
DRAFT = ".results"
REPORT = "report.html"
FILES = "files"
REQUEST = "request.json"


class _Channel:
    """Lines to the server."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def send(self, record: dict[str, Any]) -> None:
        self._stream.write(json.dumps(record, ensure_ascii=True, allow_nan=False) + "\n")
        self._stream.flush()

    def tell(self, stage: str, done: int, total: int | None) -> None:
        self.send({"stage": stage, "done": done, "total": total})


def main(task: str, folder: str, options: str) -> None:
    """Do ``task`` for the evaluation in ``folder`` within the limits that ``options`` spell in JSON."""
    os.umask(0o077)
    # What libraries print must not come between the lines for the server.
    channel = _Channel(os.fdopen(os.dup(1), "w", encoding="ascii"))
    os.dup2(2, 1)
    warnings.simplefilter("ignore")  # the overview has them
    try:
        _run(channel, task, Path(folder), json.loads(options))
    except BrokenPipeError:
        os._exit(1)  # the server has gone
    except BaseException as error:
        _lift_limit_of_memory()
        channel.send({"error": to_record(_coded(error))})
        # Threads of the core may still be at it, and nothing is left to be put in order.
        os._exit(1)


def _run(channel: _Channel, task: str, folder: Path, limits: dict[str, int]) -> None:
    _limit_memory(limits["worker_megabytes"])
    if task == "check":
        from metaphrase.scoring.engine import labelled_metrics

        for line in sys.stdin:
            try:
                labelled_metrics(**json.loads(line))
                channel.send({"refusal": None})
            except MetaphraseError as error:
                channel.send({"refusal": to_record(error)})
        return
    if task != "explain":
        Thread(target=_end_with_input, daemon=True).start()
    if task == "offer":
        from metaphrase.serve.offer import offered_metrics

        channel.send({"metrics": offered_metrics()})
        return
    channel.tell("Reading texts", 0, None)
    from metaphrase.serve.evaluation import Evaluation, write_report, write_results

    request = json.loads((folder / REQUEST).read_text("utf-8"))
    os.chdir(folder / FILES)
    evaluation = Evaluation(request, segments=limits["segments"], megabytes=limits["megabytes"])
    threads = limits["threads"]
    if task == "explain":
        explainer = evaluation.explainer()
        channel.send({"ready": True})
        for line in sys.stdin:
            channel.send({"explanation": explainer.record(*json.loads(line))})
        return
    if task == "report":
        write_report(evaluation, folder / REPORT, threads, channel.tell)
    else:
        draft = folder / DRAFT
        draft.mkdir(mode=0o700)
        write_results(evaluation, draft, threads, channel.tell)
        draft.rename(folder / RESULTS)
    channel.send({"finished": True})


def _end_with_input() -> None:
    """Wait for the server to go; then nobody wants the result."""
    os.read(0, 1)
    os._exit(1)


def _limit_memory(megabytes: int) -> None:
    """Where the system can, let allocations fail before the machine begins to swap."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    size = megabytes * MEGABYTE
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard == resource.RLIM_INFINITY or size < hard:
        resource.setrlimit(resource.RLIMIT_DATA, (size, hard))


def _lift_limit_of_memory() -> None:
    """Without any memory it could not even be said that there is none."""
    with suppress(ImportError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))


def _coded(error: BaseException) -> MetaphraseError:
    # A compiled library that is there but finds no room for itself cannot be imported, and one that forgets
    # to say that it got no memory makes Python raise a SystemError.
    no_room = isinstance(error, ImportError) and not isinstance(error, ModuleNotFoundError)
    if isinstance(error, MemoryError | SystemError) or no_room:
        return out_of_memory()
    return coded(error)


def out_of_memory() -> ResourceError:
    """The limit of memory was reached."""
    return ResourceError(
        "MP832",
        "the evaluation needs more memory than the server gives it.",
        hint="Give fewer segments, or start the server with a larger --worker-megabytes.",
    )
