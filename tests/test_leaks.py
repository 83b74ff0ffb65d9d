"""Nothing that a metric or an analyser takes for a call stays behind.

CPython keeps memory to the end of a process by design, and a report of leaks at that end is full of it. So a
leak is what grows with every call: the C library counts bytes in use, or AddressSanitizer does
(docs/reliability.md).
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable

import pytest

from metaphrase import analysis
from metaphrase._core.parsing import Parser
from metaphrase.errors import MetaphraseError
from metaphrase.metrics import Metric
from small_metrics import NAMES, small

REFERENCES = [
    "Heavy rain caused floods in several villages.",
    "Ärzte ohne Grenzen — 国境なき医師団 🙂",
    "No.",
] * 5
HYPOTHESES = ["Strong rain has caused a flood in villages.", "Doctors without borders 🙂", ""] * 5


class _Allocations(ctypes.Structure):
    """``struct mallinfo2`` of glibc."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
    ]


def bytes_in_use() -> int:
    process = ctypes.CDLL(None)
    if hasattr(process, "__sanitizer_get_current_allocated_bytes"):
        count = process.__sanitizer_get_current_allocated_bytes
        count.restype = ctypes.c_size_t
        return int(count())
    if not hasattr(process, "mallinfo2"):
        pytest.skip("this C library does not count")
    process.mallinfo2.restype = _Allocations
    found = process.mallinfo2()
    return int(found.uordblks + found.hblkhd)


def grows(call: Callable[[], object], rounds: int = 48, calls: int = 8) -> bool:
    """Whether every round of calls takes more, and the second half of them nearly as much as the first.

    What is kept once and for all comes with the first rounds, and what fills up comes slower and slower.
    """
    gc.collect()
    used = [bytes_in_use()]
    for _ in range(rounds):
        for _ in range(calls):
            call()
        gc.collect()
        used.append(bytes_in_use())
        if used[-1] <= used[-2]:
            return False
    middle = used[rounds // 2]
    return used[-1] - middle > 0.75 * (middle - used[0])


def test_a_leak_would_be_found() -> None:
    kept: list[bytes] = []
    assert grows(lambda: kept.append(bytes(100_000)))


@pytest.mark.parametrize("name", NAMES)
def test_scoring_and_explaining_leave_nothing_behind(name: str) -> None:
    metric: Metric = small(name)

    def call() -> None:
        metric.corpus_score(HYPOTHESES, [REFERENCES])
        if metric.explains():
            metric.explain(HYPOTHESES[0], REFERENCES[0])
        with pytest.raises(MetaphraseError, match="MP105"):
            metric.sentence_score("one", [""])

    assert not grows(call)


@pytest.mark.parametrize("language", ["en", "de", "de+compounds", "fr", "es", "cs"])
def test_analysing_leaves_nothing_behind(language: str) -> None:
    analyser = analysis.load(f"builtin:{language}")
    columns = [
        name for name in ("lemma", "tag", "upos", "head", "relation") if name in analyser.columns
    ]
    assert not grows(lambda: list(analyser.analyse(REFERENCES, columns)))


def test_a_refused_model_leaves_nothing_behind() -> None:
    def call() -> None:
        with pytest.raises(ValueError, match="model"):
            Parser(b"no model of any kind" * 100)

    assert not grows(call)
