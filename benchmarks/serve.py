"""Twenty evaluations at once on a server of this machine: how long they take, and what memory it takes.

python -m benchmarks.serve [REQUESTS [SEGMENTS]]
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from threading import Event, Thread

import httpx

WORDS = [
    f"{a}{b}" for a in ("gov", "min", "rail", "mar", "ener", "cli") for b in ("ment", "ter", "way")
]
METRICS = ["tesla-m", "chrf"]


def text(segments: int, seed: int) -> str:
    draw = random.Random(seed)
    lines = (" ".join(draw.choices(WORDS, k=20)) for _ in range(segments))
    return "".join(f"{line}.\n" for line in lines)


def work(segments: int) -> dict[str, object]:
    files = [{"name": f"{name}.txt", "text": text(segments, i)} for i, name in enumerate("rab")]
    return {"lang": "en", "metrics": METRICS, "references": files[:1], "systems": files[1:]}


def memory(process: int) -> int:
    """Bytes that a process has in memory; 0 if it has gone."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    lines = [line for line in status.splitlines() if line.startswith("VmRSS:")]
    return 1024 * int(lines[0].split()[1]) if lines else 0


def children(process: int) -> list[int]:
    try:
        return [
            int(p) for p in Path(f"/proc/{process}/task/{process}/children").read_text().split()
        ]
    except OSError:
        return []


class Watch(Thread):
    """The most memory that the server, and that all of its workers together, have had."""

    def __init__(self, server: int) -> None:
        super().__init__(daemon=True)
        self.server, self.workers, self.most_workers = 0, 0, 0
        self._process = server
        self._over = Event()

    def run(self) -> None:
        while not self._over.wait(0.05):
            found = children(self._process)
            self.server = max(self.server, memory(self._process))
            self.workers = max(self.workers, sum(map(memory, found)))
            self.most_workers = max(self.most_workers, len(found))

    def stop(self) -> None:
        self._over.set()
        self.join()


def evaluate(address: str, body: dict[str, object]) -> tuple[float, float]:
    """Seconds until the request was taken and until its scores were there."""
    with httpx.Client(base_url=address, timeout=120, trust_env=False) as client:
        started = time.perf_counter()
        answer = client.post("/api/jobs", json=body)
        answer.raise_for_status()
        taken = time.perf_counter() - started
        id = answer.json()["id"]
        pause = 0.1
        while (status := client.get(f"/api/jobs/{id}").json())["state"] in ("queued", "running"):
            time.sleep(pause)
            pause = min(1.0, 1.3 * pause)  # as the page asks: less and less often
        assert status["state"] == "done", status
        client.get(f"/api/jobs/{id}/export?format=json").raise_for_status()
        return taken, time.perf_counter() - started


def main() -> None:
    requests = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    segments = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    with tempfile.TemporaryDirectory() as store:
        server = subprocess.Popen(
            [sys.executable, "-m", "metaphrase", "serve", "--port", "0", "--store", store],
            stderr=subprocess.PIPE,
            text=True,
        )
        assert server.stderr is not None
        address = server.stderr.readline().split("serving at ")[1].split()[0]
        Thread(target=server.stderr.read, daemon=True).start()  # or the log fills its pipe
        try:
            body = work(segments)
            time.sleep(3)
            idle = memory(server.pid)
            alone = evaluate(address, body)[1]
            watch = Watch(server.pid)
            watch.start()
            started = time.perf_counter()
            with ThreadPoolExecutor(requests) as pool:
                results = list(pool.map(lambda _: evaluate(address, body), range(requests)))
            seconds = time.perf_counter() - started
            watch.stop()
        finally:
            server.terminate()
            server.wait(30)
    ends = sorted(end for _, end in results)
    print(f"{requests} evaluations of {segments} segments x 2 systems, {' + '.join(METRICS)}")
    print(f"one alone {alone:.1f} s; all {seconds:.1f} s, {requests / seconds:.2f} a second")
    print(f"taken within {max(taken for taken, _ in results):.2f} s")
    print(
        f"done after: median {median(ends):.1f} s, last {ends[-1]:.1f} s; {len(ends)} of {requests} done"
    )
    print(f"server: {idle / 1e6:.0f} MB idle, {watch.server / 1e6:.0f} MB at most")
    print(f"workers: {watch.most_workers} at a time, {watch.workers / 1e6:.0f} MB together at most")


if __name__ == "__main__":
    main()
