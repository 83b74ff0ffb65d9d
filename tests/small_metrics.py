"""Every metric as suites that run over all of them need it.

What TESLA and METEOR need is another package, so that they are tested with small resources, or without.
Guests are nothing without a program: ``exec`` runs the one of the examples. Those that need a model and its
library are left out here, on purpose, and have tests/guests.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

from metaphrase.metrics import Exec, Metric, available, create
from oracle.small_tesla import small_tesla

SIMILARITY = Path(__file__).parents[1] / "examples" / "similarity_guest.py"


def similarity_guest() -> Metric:
    """The program of the examples, asked every time."""
    return Exec(command=shlex.join([sys.executable, str(SIMILARITY)]), cache=False)


SMALL: dict[str, Callable[[], Metric]] = {
    "exec": similarity_guest,
    "meteor": lambda: create("meteor:paraphrases=none"),
    "tesla": small_tesla,
}
NAMES = [name for name, kind in available().items() if name in SMALL or not kind.needs_options]


def small(name: str) -> Metric:
    """The metric of that name."""
    return SMALL.get(name, available()[name])()
