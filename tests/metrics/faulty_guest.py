"""A guest that misbehaves as its argument says, and records what it is asked in the file $GUEST_RECORD."""

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

HELLO = {
    "guest": 1,
    "name": "faulty",
    "version": "0.1",
    "source": False,
    "references": "one",
    "deterministic": True,
    "higher_is_better": True,
}


def say(what: Any) -> None:
    print(what if isinstance(what, str) else json.dumps(what), flush=True)


def length_ratio(row: dict[str, Any]) -> float:
    """Something to tell one row from another."""
    return len(row["hypothesis"]) / (1 + sum(map(len, row.get("references", ["none"]))))


def marked_spans(fault: str, row: dict[str, Any]) -> Any:
    """The first word, and that something is missing; a fault where a hypothesis says MARK."""
    text = row["hypothesis"]
    spans: list[Any] = [{"severity": "minor", "category": "omission", "points": 1.5}]
    if text:
        first = {"start": 0, "end": len(text.split(" ")[0]), "severity": "critical"}
        spans.append(first)
        if "MARK" in text:
            first |= {
                "spans outside": {"end": len(text) + 1},
                "spans backwards": {"start": 2, "end": 1},
                "spans halfway": {"start": 0.5},
                "spans severe": {"severity": "terrible"},
                "spans unknown": {"colour": "red"},
                "spans pointless": {"points": "many"},
            }.get(fault, {})
            if fault == "spans missing":
                return None
    return spans


def answer(fault: str, request: dict[str, Any]) -> Any:
    """The answer to a request: a fault where a hypothesis says MARK, else scores."""
    number, rows = request["id"], request["rows"]
    marked = [place for place, row in enumerate(rows) if "MARK" in row["hypothesis"]]
    scores: list[Any] = [length_ratio(row) for row in rows]
    if "random" in fault:
        return {"id": number, "scores": [int.from_bytes(os.urandom(4), "big") for _ in rows]}
    if fault.startswith("spans"):
        spans = [marked_spans(fault, row) for row in rows]
        if fault == "spans few" and marked:
            spans.pop()
        return {"id": number, "scores": scores} | (
            {} if fault == "spans none" else {"spans": spans}
        )
    if not marked:
        return {"id": number, "scores": scores}
    if fault == "die":
        print("the reason is here", file=sys.stderr, flush=True)
        os._exit(7)
    if fault == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if fault == "hang":
        time.sleep(600)
    if fault == "hang with child":
        if os.fork() == 0:
            time.sleep(600)
        time.sleep(600)
    values = {"nan": float("nan"), "infinite": 1e999, "text": "0.5", "true": True, "huge": 10**400}
    if fault in values:
        scores[marked[0]] = values[fault]
        return {"id": number, "scores": scores}
    answers = {
        "few": {"id": number, "scores": scores[:-1]},
        "many": {"id": number, "scores": [*scores, 1]},
        "no scores": {"id": number},
        "other id": {"id": number + 1, "scores": scores},
        "no json": "score: 0.5",
        "a list": scores,
        "error": {"id": number, "error": "out of memory"},
        "row error": {"id": number, "error": "too long", "row": marked[0]},
    }
    return answers[fault]


def main() -> None:
    fault = sys.argv[1]
    hellos = {
        "mute": None,
        "wordy": "Loading the model ...",
        "protocol 2": {**HELLO, "guest": 2},
        "incomplete": {key: value for key, value in HELLO.items() if key != "deterministic"},
        "no library": {"error": "there is no torch here"},
        "reads source": {**HELLO, "source": True},
        "reads nothing": {**HELLO, "references": "none"},
        "lower is better": {**HELLO, "higher_is_better": False, "bounds": [0, None]},
        "bounded": {**HELLO, "bounds": [0, 0.5]},
        "random": {**HELLO, "deterministic": False},
        "with model": {
            **HELLO,
            "model": {"name": "tiny", "hash": "abc", "licence": "mit"},
            "libraries": {"torch": "2.0", "a": "1"},
        },
    }
    if fault == "gone":
        sys.exit("no such model")
    if fault == "mute":
        time.sleep(600)
    says = {**HELLO, "spans": True} if fault.startswith("spans") else HELLO
    says |= {"references": "all"} if fault == "spans of all" else {}
    say(hellos.get(fault, says))
    for line in sys.stdin:
        request = json.loads(line)
        with Path(os.environ["GUEST_RECORD"]).open("a", encoding="utf-8") as file:
            file.write(f"{os.getpid()} {json.dumps(request)}\n")
        say(answer(fault, request))


if __name__ == "__main__":
    main()
