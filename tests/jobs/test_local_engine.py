"""Processes of this machine, some of which die."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from jobs.faults import Faulty
from metaphrase.errors import MetaphraseError
from metaphrase.jobs import Local


def test_a_number_that_kills_is_given_up_and_the_others_are_done(tmp_path: Path) -> None:
    found = dict(Local(2).map(Faulty(str(tmp_path)), [4, 0, 1, 2, 3, 5, 6, 7]))
    assert {number: found.pop(number) for number in (0, 1, 3, 6, 7)} == {
        number: number for number in (0, 1, 3, 6, 7)
    }
    assert isinstance(found[2], ValueError)
    assert str(found[5]) == "UnsendableError: 1 and 2"
    died = found[4]
    assert isinstance(died, MetaphraseError)
    assert died.code == "MP941"
    assert "exit code 9" in died.message
    assert not multiprocessing.active_children()


def test_whoever_stops_listening_stops_the_processes(tmp_path: Path) -> None:
    results = Local(2).map(Faulty(str(tmp_path)), [0, 1, 6, 7])
    next(iter(results))
    results.close()  # type: ignore[attr-defined]
    assert not multiprocessing.active_children()


def test_one_worker_is_this_process() -> None:
    import os

    pids = []
    assert list(Local(1).map(lambda number: pids.append(os.getpid()) or number, [1, 2])) == [
        (1, 1),
        (2, 2),
    ]
    assert set(pids) == {os.getpid()}


@pytest.mark.parametrize("workers", [0, -1, True, 1.5])
def test_numbers_of_workers_that_make_no_sense(workers: int) -> None:
    with pytest.raises(MetaphraseError):
        list(Local(workers).map(abs, [1]))
