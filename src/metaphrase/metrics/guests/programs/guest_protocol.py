"""What every guest program does: say hello, and answer requests, a line of JSON each.

This file and those beside it are run by another interpreter than metaphrase's, Python 3.8 or newer. They
import nothing of metaphrase. Libraries print what they like: the channel to the host is a copy of standard
output, and what they print goes to standard error.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable
from typing import Any, NoReturn

#: The number of the protocol (docs/guests.md).
PROTOCOL = 1


class Channel:
    """Lines to and from the host; made before any library is imported."""

    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        # Whatever a library or a child of it reads is not ours.
        self._in = os.fdopen(os.dup(0), "r", encoding="utf-8")
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)

    def say(self, **what: Any) -> None:
        """Write a line."""
        self._out.write(json.dumps(what) + "\n")
        self._out.flush()

    def fail(self, message: str) -> NoReturn:
        """Say instead of hello why nothing can be answered, and end."""
        self.say(error=message)
        sys.exit(1)

    def serve(
        self,
        hello: dict[str, Any],
        load: Callable[[], Callable[[list[dict[str, Any]]], Any]],
    ) -> None:
        """Say hello, and answer until nothing more is asked.

        ``load`` loads the model, once and not before something is asked: a host that knows all scores never
        asks. It gives the function that scores rows; if hello promises ``spans``, scores and the errors
        marked in each row.
        """
        self.say(guest=PROTOCOL, **hello)
        score = None
        for line in self._in:
            request = json.loads(line)
            try:
                if score is None:
                    score = load()
                answer: dict[str, Any] = {}
                found = score(request["rows"])
                if hello.get("spans"):
                    found, answer["spans"] = found
                answer["scores"] = [float(one) for one in found]
            except Exception as error:
                traceback.print_exc()
                answer = {"error": f"{type(error).__name__}: {error}"}
            self.say(id=request["id"], **answer)


def versions(channel: Channel, *distributions: str, package: str) -> dict[str, str]:
    """The versions of libraries, which are not imported for it; the first one must be there."""
    from importlib import metadata

    found = {}
    for name in distributions:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            if not found:
                channel.fail(
                    f"{sys.executable} has no {name}: install it there with `pip install {package}`"
                )
    return found


def is_deterministic(device: str, batch: int) -> bool:
    """Whether a row has one score: beside other rows it is padded, and sums are made in another order."""
    return device == "cpu" and batch == 1
