"""Whatever happens while a file is written: it is as before or complete, and the next run is as the first."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from faults.injection import Fault, Outcome, Program, litter, spread, tree
from faults.scenarios import SCENARIOS, Scenario

pytest.importorskip("pyarrow")

#: What goes wrong, and whether it stays wrong.
FAULTS: dict[str, tuple[str | int, bool]] = {
    "killed": ("kill", False),
    "killed within a write": ("torn", False),
    "no space": (errno.ENOSPC, False),
    "no space any more": (errno.ENOSPC, True),
    "input/output error": (errno.EIO, False),
    "not permitted any more": (errno.EACCES, True),
    "Ctrl-C": ("interrupt", False),
    "terminated": ("terminate", False),
    "the same command at once": ("stop", False),
    "interrupted call": (errno.EINTR, False),
    "short write": ("short", False),
}
DEADLY = ("kill", "torn")
#: What lets a process put everything in order: no call fails.
ORDERLY = ("interrupt", "terminate", "stop", "short")
#: What has an exit code of its own, unless it comes when all is done.
ENDED = {"kill": -9, "torn": -9, "interrupt": 130, "terminate": 143}


def tried(survives: Callable[[int], None], moments: Sequence[int]) -> None:
    """Tell all moments that something does not survive."""
    failures = []
    for at in moments:
        try:
            survives(at)
        except AssertionError as error:
            failures.append(f"at call {at}: {str(error)[:1000]}")
    assert not failures, "\n".join(failures)


class Case:
    """A scenario in its folder, with what an undisturbed run makes of it."""

    def __init__(self, scenario: Scenario, program: Program, folder: Path) -> None:
        self.scenario = scenario
        self.program = program
        self.template = folder / "template"
        self.folder = folder / "work"
        scenario.prepare(self.template)
        for command in scenario.before:
            assert program.run(command, self.template).code == 0
        self.names = (*scenario.outputs, *scenario.states)
        self.before = self.found(self.template)
        self.everything = tree(self.template)
        self.anew()
        self.outcome = program.run(scenario.command, self.folder)
        assert self.outcome.code == scenario.success, self.outcome.err
        assert litter(self.folder) == []
        self.complete = self.found(self.folder)

    def anew(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.template, self.folder)

    def found(self, folder: Path) -> dict[str, dict[str, bytes] | None]:
        return {name: tree(folder / name) for name in self.names}

    def survives(self, fault: Fault) -> None:
        """Run it with the fault, look at what is left, and run it again."""
        self.anew()
        outcome = self.program.run(self.scenario.command, self.folder, fault)
        self.is_told(outcome, fault)
        found = self.found(self.folder)
        for name in self.scenario.outputs:
            assert found[name] in (self.before[name], self.complete[name]), f"half of {name}"
        if fault.action in ORDERLY:
            assert litter(self.folder) == []
        if outcome.code == self.scenario.success:
            # A checkpoint that is not needed any more may have to stay.
            gone = [name for name in self.scenario.states if self.complete[name] is None]
            assert found == self.complete | {name: found[name] for name in gone}
        if found == self.complete and (not self.scenario.replaces or not litter(self.folder)):
            return  # all is done, and what would be replaced may be refused
        if tree(self.folder) != self.everything or litter(self.folder):
            arguments = self.scenario.second(self.folder)
            again = self.program.run(arguments, self.folder)
            assert again.code == self.scenario.success, again.err
            assert self.found(self.folder) == self.complete
            assert litter(self.folder) == []

    def is_told(self, outcome: Outcome, fault: Fault) -> None:
        """One line with a code, unless nobody could say anything, or nothing was lost."""
        assert "Traceback" not in outcome.err
        assert "MP699" not in outcome.err
        assert set(outcome.others) <= {self.scenario.success, 1, 2}
        if fault.action in ENDED:
            assert outcome.code in (ENDED[fault.action], self.scenario.success), outcome
        elif outcome.code != self.scenario.success:
            assert outcome.code in (1, 2, 3), outcome
            assert "[MP" in outcome.err + outcome.out


@pytest.fixture(scope="module", params=SCENARIOS, ids=lambda scenario: scenario.name)
def case(
    request: pytest.FixtureRequest, program: Program, tmp_path_factory: pytest.TempPathFactory
) -> Case:
    return Case(request.param, program, tmp_path_factory.mktemp("case"))


@pytest.mark.parametrize("what", FAULTS)
def test_outputs_are_as_before_or_complete(case: Case, what: str, most: int | None) -> None:
    action, lasting = FAULTS[what]
    seed = sum(map(ord, what + case.scenario.name))  # others for each command and fault
    moments = spread(case.outcome.calls, most and 1, seed=seed)
    tried(lambda at: case.survives(Fault(at, action, lasting=lasting)), moments)
