"""Memory that runs out, at whatever allocation: a code, and files as they were or complete."""

from __future__ import annotations

from pathlib import Path

import pytest

from faults.injection import Program, litter
from faults.scenarios import SCENARIOS
from faults.test_interrupted_outputs import Case

pytest.importorskip("pyarrow")

#: Megabytes that may be had beyond those of the program itself.
AMOUNTS = (0, 0.5, 1, 2, 4, 8, 16, 32)
NAMES = ("score", "report", "analyse", "convert-parquet", "select", "job-run", "train-pfsm")


@pytest.fixture(scope="module", params=NAMES)
def case(
    request: pytest.FixtureRequest, program: Program, tmp_path_factory: pytest.TempPathFactory
) -> Case:
    scenario = next(scenario for scenario in SCENARIOS if scenario.name == request.param)
    return Case(scenario, program, tmp_path_factory.mktemp("case"))


def test_too_little_memory_is_said(case: Case, most: int | None) -> None:
    amounts = AMOUNTS[::2] if most else [n / 4 for n in range(4 * 40)]
    codes = []
    for megabytes in amounts:
        case.anew()
        outcome = case.program.run(case.scenario.command, case.folder, megabytes=megabytes)
        codes.append(outcome.code)
        assert "Traceback" not in outcome.err
        assert litter(case.folder) == []
        found = case.found(case.folder)
        for name in case.scenario.outputs:
            assert found[name] in (case.before[name], case.complete[name])
        if outcome.code == 0:
            assert found == case.complete
        else:
            assert "[MP" in outcome.err + outcome.out, outcome
            assert "MP699" not in outcome.err + outcome.out, outcome
    assert codes.count(0) < len(codes) or case.scenario.name == "select"
