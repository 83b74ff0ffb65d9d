"""Targets take their seeds, and what is a finding is found."""

from __future__ import annotations

import time
from random import Random

import pytest

pytest.importorskip("fuzz.registry", reason="a source distribution has no targets")

from fuzz.damage import checksum, damaged, of_model
from fuzz.mutation import mutated
from fuzz.registry import targets
from fuzz.target import Target, examine, examine_several

from metaphrase.errors import InputError, MetaphraseError
from metaphrase.metrics import available
from oracle.parser import checksum as checksum_by_definition

#: Of each target.
_MOST = 3


@pytest.mark.parametrize("name", targets())
def test_seeds_are_no_findings(name: str) -> None:
    target = targets()[name]
    inputs = [seed[: target.longest] for seed in target.seeds()][:_MOST]
    if target.make is not None:
        inputs.append(target.make(Random(1)))
    assert inputs
    for data in inputs:
        finding = examine(target, data)
        assert finding is None, finding.account


def test_every_metric_is_a_target() -> None:
    kinds = available().items()
    ours = [name for name, kind in kinds if kind.origin is None and not kind.needs_options]
    assert {f"metric.{name}" for name in ours} <= targets().keys()
    assert {"guests.hello", "guests.answer"} <= targets().keys()  # what the others can say


def target(run: object, **limits: float) -> Target:
    return Target(name="x", run=run, seeds=list, **limits)  # type: ignore[arg-type]


def fail(error: BaseException) -> Target:
    def run(data: bytes) -> None:
        raise error

    return target(run)


class TestFindings:
    def test_an_error_with_a_code_is_none(self) -> None:
        assert examine(fail(InputError("MP113", "The file is empty.")), b"") is None

    def test_an_error_without_one_is(self) -> None:
        for error in (ValueError("x"), RecursionError(), MemoryError(), SystemExit(1)):
            finding = examine(fail(error), b"")
            assert finding is not None
            assert type(error).__name__ in finding.place

    def test_a_code_that_is_not_documented_is(self) -> None:
        assert examine(fail(MetaphraseError("MP000", "x")), b"") is not None

    def test_the_place_is_in_the_package(self) -> None:
        finding = examine(target(lambda data: InputError(data, b"x").at(b"\0" if data else 7)), b"")
        assert finding is not None
        assert finding.place.startswith("TypeError errors.py:")

    def test_a_hang_is_one_by_the_size_of_the_input(self) -> None:
        def work(data: bytes) -> None:
            end = time.process_time() + 0.05
            while time.process_time() < end:
                pass

        slow = target(work, seconds=0.0, seconds_per_kilobyte=1.0)
        finding = examine(slow, b"x")
        assert finding is not None
        assert finding.place == "too slow"
        assert examine(slow, bytes(2048)) is None


class TestSeveralInputs:
    """Read together, they are findings if and only if they are alone."""

    def findings(self, **limits: float) -> list[bytes]:
        def run(data: bytes) -> None:
            if b"wrong" in data:
                raise ValueError("wrong")
            if b"refused" in data:
                raise InputError("MP113", "The file is empty.")
            end = time.process_time() + 0.1 * data.count(b"slow")
            while time.process_time() < end:
                pass

        several = Target(
            name="x",
            run=run,
            seeds=list,
            run_several=lambda inputs: [run(data) for data in inputs],
            **limits,  # type: ignore[arg-type]
        )
        inputs = [b"a", b"wrong", b"refused", b"slow", b"b", b"slow", b"wrong too"]
        return [data for data, _ in examine_several(several, inputs)]

    def test_one_that_fails_is_found_among_others(self) -> None:
        assert self.findings() == [b"wrong", b"wrong too"]

    def test_one_that_takes_too_long_is_found_among_others(self) -> None:
        assert self.findings(seconds=0.05) == [b"wrong", b"slow", b"slow", b"wrong too"]

    def test_several_that_take_long_together_are_none(self) -> None:
        assert self.findings(seconds=0.15) == [b"wrong", b"wrong too"]

    @pytest.mark.parametrize("name", ["metric.chrf", "metric.tesla-m", "analysis.en"])
    def test_texts_are_read_together(self, name: str) -> None:
        target = targets()[name]
        assert target.run_several is not None
        inputs = [b"The cat sat .\nThe cats sat .", b"a\nb\nc", b"\n", b"a\n", b"\xff\na"]
        assert [*examine_several(target, inputs)] == []


class TestInputs:
    def test_mutations_are_a_function_of_their_seed(self) -> None:
        seeds, words = [b"The cat sat.", "größer".encode()], [b"<b>"]
        first, again = ([mutated(Random(n), seeds, words, 99) for n in range(50)] for _ in "ab")
        assert first == again
        assert len(set(first)) > 40
        assert all(len(one) <= 99 for one in first)

    def test_damage_is_a_function_of_its_input(self) -> None:
        base = bytes(range(256)) * 4
        first, again = ([damaged(base, bytes([n]), of_model) for n in range(50)] for _ in "ab")
        assert first == again
        assert len(set(first)) > 45

    @pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 1000])
    def test_checksums_are_those_of_the_core(self, size: int) -> None:
        content = Random(size).randbytes(size)
        assert checksum(content) == checksum_by_definition(content)
