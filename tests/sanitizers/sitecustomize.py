"""Runs first in every Python process under sanitizers (run.sh).

Their shadow memory is terabytes of address space, and the system counts it as data: a process that limits its
memory could not allocate anything any more.
"""

from __future__ import annotations

import resource

_limit = resource.setrlimit


def _limit_all_but_memory(what: int, limits: tuple[int, int]) -> None:
    if what not in (resource.RLIMIT_DATA, resource.RLIMIT_AS):
        _limit(what, limits)


resource.setrlimit = _limit_all_but_memory
