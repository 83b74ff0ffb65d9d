"""Every localisation file of the catalogue is refused by its code, with its line, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.conftest import Refused
from corpus.malformed_units import MALFORMED, Malformed
from metaphrase.cli import main
from metaphrase.corpus.opening import read_units


@pytest.mark.parametrize("case", MALFORMED, ids=lambda case: f"{case.ending}: {case.name}")
def test_a_malformed_file_is_refused(case: Malformed, tmp_path: Path, refused: Refused) -> None:
    path = tmp_path / f"file.{case.ending}"
    path.write_bytes(case.content)
    with refused(case.code, path=path, line=case.line):
        read_units(str(path))


@pytest.mark.parametrize("case", MALFORMED[::9], ids=lambda case: f"{case.ending}: {case.name}")
def test_the_command_line_says_so_and_writes_nothing(
    case: Malformed, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"file.{case.ending}"
    path.write_bytes(case.content)
    output = tmp_path / "out.tsv"
    assert main(["convert", str(path), "--to", "tsv", "-o", str(output)]) == 1
    assert case.code in capsys.readouterr().err
    assert not output.exists()


def test_the_catalogue_has_no_case_twice() -> None:
    cases = [(case.ending, case.name) for case in MALFORMED]
    assert len(set(cases)) == len(cases) >= 100
