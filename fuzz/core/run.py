"""Runs libFuzzer's targets one after the other and says what each did.

An input that fails stays in ``findings/`` beside this file, and the exit code is 1. An input is too slow if
it takes more of the processor than its size allows (``one_input.cpp``); one that does not come back is ended
by the clock, long after the longest of its target would be too slow.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
FINDINGS = HERE / "findings"
#: Bytes of the longest input: models have to be long enough, cases of kernels stay small.
LONGEST = {
    "models/parser": 200_000,
    "models": 8192,
    "texts": 512,
    "texts/analysis": 256,
    "kernels": 256,
}


@dataclass(frozen=True)
class Outcome:
    """What libFuzzer says of a target when its time is over."""

    target: str
    executions: int
    edges: int
    seconds: float
    failed: bool

    @property
    def rate(self) -> float:
        """Executions in a second of the clock."""
        return self.executions / max(self.seconds, 1e-9)


def main() -> int:
    """Share the time among the targets and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="+")
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument(
        "--time", type=float, required=True, help="seconds for all targets together"
    )
    parser.add_argument("--runs", type=int, default=0, help="at most so many executions of each")
    options = parser.parse_args()
    FINDINGS.mkdir(exist_ok=True)
    seconds = max(1, round(options.time / len(options.targets)))
    outcomes = [run(name, options.build, seconds, options.runs) for name in options.targets]
    print("| target | executions | edges | executions/s |")
    print("| --- | ---: | ---: | ---: |")
    for outcome in outcomes:
        failed = ", **failed**" if outcome.failed else ""
        print(
            f"| `{outcome.target}`{failed} | {outcome.executions:,} | {outcome.edges:,} |"
            f" {outcome.rate:,.0f} |"
        )
    print(f"{sum(outcome.executions for outcome in outcomes):,} executions in all")
    return int(any(outcome.failed for outcome in outcomes))


def run(name: str, build: Path, seconds: int, runs: int) -> Outcome:
    """Run one target; if it fails, the end of its log says why."""
    longest = LONGEST.get(name, LONGEST[name.partition("/")[0]])
    corpus = build / "corpus" / name
    corpus.mkdir(parents=True, exist_ok=True)
    dictionary = HERE / "dictionaries" / f"{name.partition('/')[0]}.dict"
    command = [
        str(build / name),
        str(corpus),
        f"-max_total_time={seconds}",
        f"-max_len={longest}",
        f"-timeout={60 + longest // 1024}",
        "-rss_limit_mb=3000",
        "-malloc_limit_mb=1000",
        "-print_final_stats=1",
        f"-artifact_prefix={FINDINGS}/{name.replace('/', '-')}-",
        *([f"-dict={dictionary}"] if dictionary.exists() else []),
        *([f"-runs={runs}"] if runs else []),
    ]
    start = time.monotonic()
    process = subprocess.run(
        command,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        # Where memory was taken is noted for a finding alone, and a tenth is kept back of what was given
        # back: three times as many executions.
        env={**os.environ, "ASAN_OPTIONS": "malloc_context_size=1:quarantine_size_mb=16"},
    )
    took = time.monotonic() - start
    log = process.stderr
    failed = process.returncode != 0
    if failed:
        print("\n".join(log.splitlines()[-60:]), file=sys.stderr)
    edges = [int(found) for found in re.findall(r"cov: (\d+)", log)]
    done = re.findall(r"number_of_executed_units:\s*(\d+)", log) or re.findall(
        r"^#(\d+)", log, re.M
    )
    outcome = Outcome(
        target=name,
        executions=int(done[-1]) if done else 0,
        edges=max(edges, default=0),
        seconds=took,
        failed=failed,
    )
    print(f"{name}: {outcome.executions:,} executions, {outcome.edges:,} edges", file=sys.stderr)
    return outcome


if __name__ == "__main__":
    sys.exit(main())
