"""``python -m fuzz``: run targets, or replay what one of them failed on."""

from __future__ import annotations

import argparse
import json
import os
import sys
import traceback
from pathlib import Path

# Nothing else of this folder: it would import the package before that is instrumented.
from fuzz.instrumentation import instrumented


def main() -> int:
    """1 if there are findings."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--time", type=float, default=60, help="seconds for all targets together")
    parser.add_argument("--runs", type=int, default=0, help="of each target, if that is sooner")
    parser.add_argument("--seed", type=int, default=1, help="of all that is random")
    parser.add_argument("--target", action="append", help="name, or the beginning of several names")
    parser.add_argument("--corpus", type=Path, help="folder that keeps what increases coverage")
    parser.add_argument("--counts", type=Path, help="JSON file that executions are added up in")
    parser.add_argument("--list", action="store_true", help="names of all targets")
    parser.add_argument("--replay", nargs=2, metavar=("TARGET", "FILE"), help="run one input once")
    given = parser.parse_args()
    if given.replay:
        return _replay(*given.replay)
    if given.list:
        from fuzz.registry import targets

        print("\n".join(targets()))
        return 0
    _same_hashes(given.seed)
    print(f"{'target':32}{'executions':>12}{'coverage':>10}{'findings':>10}", flush=True)
    # Only where coverage guides, it is counted: elsewhere that would take half of the time.
    kinds = [_in_a_process(given, guided) for guided in (True, False)]
    total, failed, chosen = (sum(numbers) for numbers in zip(*kinds, strict=True))
    if not chosen:
        parser.error("there is no such target: --list names them")
    print(f"{'all':32}{total:12,}{'':10}{failed:10}")
    return 1 if failed else 0


def _in_a_process(given: argparse.Namespace, guided: bool) -> tuple[int, int, int]:
    """How many executions, findings and targets there were, of those that are guided or of the others.

    A process for each, since a package that is imported cannot be instrumented any more.
    """
    answer, question = os.pipe()
    process = os.fork()
    if not process:
        code = 70
        try:
            with os.fdopen(question, "w", encoding="utf-8") as stream:
                json.dump(_run(given, guided), stream)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(code)
    os.close(question)
    with os.fdopen(answer, encoding="utf-8") as stream:
        said = stream.read()
    if os.waitpid(process, 0)[1]:
        sys.exit(70)
    executions, findings, targets = json.loads(said)
    return executions, findings, targets


def _run(given: argparse.Namespace, guided: bool) -> tuple[int, int, int]:
    atheris = instrumented() if guided else None
    from fuzz.registry import targets
    from fuzz.running import FINDINGS, command, run_target

    chosen = [
        target
        for target in targets().values()
        if not given.target or any(map(target.name.startswith, given.target))
    ]
    own = [target for target in chosen if target.guided == guided]
    if own and guided and atheris is None:
        print("Atheris is not installed: inputs are not guided by coverage.")
    total, failed = 0, 0
    for target in own:
        outcome = run_target(
            atheris,
            target,
            seconds=given.time / len(chosen),
            runs=given.runs,
            seed=given.seed,
            corpus=given.corpus,
        )
        covered = outcome.covered or "–"
        found = len(outcome.findings)
        print(f"{target.name:32}{outcome.executions:12,}{covered:>10}{found:>10}", flush=True)
        for name in outcome.findings:
            print(f"  {command(target.name, FINDINGS / name)}", flush=True)
        total += outcome.executions
        failed += found
        if given.counts is not None:
            _count(given.counts, target.name, outcome.executions)
    return total, failed, len(own)


def _replay(name: str, file: str) -> int:
    from fuzz.registry import targets
    from fuzz.target import examine

    finding = examine(targets()[name], Path(file).read_bytes())
    if finding is None:
        print("It did what it may do.")
        return 0
    print(f"{finding.place}\n{finding.account}")
    return 1


def _same_hashes(seed: int) -> None:
    """Begin again with hashes that do not differ from run to run, or a seed would mean little."""
    if os.environ.get("PYTHONHASHSEED") is None:
        os.environ["PYTHONHASHSEED"] = str(seed)
        os.execv(sys.executable, [sys.executable, "-m", "fuzz", *sys.argv[1:]])


def _count(path: Path, name: str, executions: int) -> None:
    counts = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    counts[name] = counts.get(name, 0) + executions
    path.write_text(json.dumps(counts, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
