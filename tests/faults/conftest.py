"""What tests of faults share: the program with the library loaded, if there is a compiler."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.bundled import REFERENCE, SYSTEMS
from faults.injection import Program, compiled_library
from faults.scenarios import JUDGED

#: So many moments of each command and fault in the suite; ``METAPHRASE_FAULTS`` says otherwise, or ``all``.
MOST = 2


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = compiled_library(tmp_path_factory.mktemp("library"))
    if found is None:
        pytest.skip("system calls are made to fail on Linux, by a library that a C compiler makes")
    return found


@pytest.fixture(scope="session")
def program(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    texts = ["score", REFERENCE, "-i", SYSTEMS[0], "--threads", "1"]
    accord = ["train", "accord", "--data", JUDGED, "--threads", "1"]
    program = Program(library, tmp_path_factory.mktemp("program") / "own", warm=[texts, accord])
    yield program
    program.close()
    if report := os.environ.get("METAPHRASE_FAULTS_COUNTS"):
        with Path(report).open("a") as stream:
            stream.write(f"{sum(program.runs.values())} {program.runs}\n")


@pytest.fixture(scope="session")
def most() -> int | None:
    """How many moments are tried; ``None``: all."""
    asked = os.environ.get("METAPHRASE_FAULTS", str(MOST))
    return None if asked == "all" else int(asked)
