"""Kernels and their oracles take cases from bytes."""

from __future__ import annotations

from random import Random

import pytest

pytest.importorskip("fuzz.kernels", reason="a source distribution has no targets")

from fuzz.kernels import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_any_bytes_are_a_case_or_none(name: str) -> None:
    chance = Random(name)
    for size in (0, 16, 256, 2048):
        TARGETS[name](chance.randbytes(size))


def test_a_kernel_that_differs_from_its_oracle_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "tests.matching.test_common_subsequence.common_subsequence", lambda *_: 99, raising=True
    )
    with pytest.raises(AssertionError):
        try_many("counts/common_subsequence")


def try_many(name: str) -> None:
    for seed in range(100):
        TARGETS[name](Random(seed).randbytes(256))
