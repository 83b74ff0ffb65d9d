"""How much one server takes on: every number that bounds its memory, its disk and its time."""

from __future__ import annotations

from dataclasses import dataclass

from metaphrase.threads import available_cores

MEGABYTE = 1_000_000


def default_workers() -> int:
    """Evaluations at a time: as many as there are cores, but no more than four, which need memory too."""
    return min(4, available_cores())


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a server takes on.

    megabytes: of one request; also of all its files once they are unpacked, and of all its texts
    segments, systems: of one evaluation; references count as systems
    seconds: an evaluation may take, and the making of a report
    queue: evaluations that wait or run
    workers: evaluations that run at a time
    worker_megabytes: memory of one of them
    keep, keep_megabytes: finished evaluations in the store
    explanation_seconds: one explanation may take, with the loading of what it needs
    open_requests: being answered at a time
    connections: open at a time, also of those who ask for nothing
    head_seconds: until a request has said what it wants
    unread_seconds: an answer may wait to be read
    body_seconds, pause_seconds: until a request has come whole, and between two parts of it
    """

    megabytes: int = 64
    segments: int = 100_000
    systems: int = 50
    seconds: float = 600
    queue: int = 64
    workers: int = 2
    worker_megabytes: int = 4000
    keep: int = 200
    keep_megabytes: int = 4000
    explanation_seconds: float = 60
    open_requests: int = 128
    connections: int = 512
    head_seconds: float = 10
    unread_seconds: float = 60
    body_seconds: float = 120
    pause_seconds: float = 15

    @property
    def upload_bytes(self) -> int:
        """Bytes of one request."""
        return self.megabytes * MEGABYTE

    @property
    def threads(self) -> int:
        """For each worker, so that all of them together use every core once."""
        return max(1, available_cores() // self.workers)

    def shown(self) -> dict[str, int | float]:
        """Those that somebody with files wants to know."""
        return {
            "upload_bytes": self.upload_bytes,
            "segments": self.segments,
            "systems": self.systems,
            "seconds": self.seconds,
        }
