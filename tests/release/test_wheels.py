"""A wheel is refused unless it is what its name says and declares what is linked into it."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

import pytest

wheels = pytest.importorskip("release.wheels", reason="a source distribution has no release/")

STABLE = "metaphrase-1.0-cp312-abi3-manylinux_2_28_x86_64.whl"
ONE_VERSION = "metaphrase-1.0-cp311-cp311-manylinux_2_28_x86_64.whl"
BILL = {
    "metaphrase-1.0.dist-info/sboms/metaphrase.cdx.json": {"components": [{"name": "nanobind"}]}
}


def wheel(folder: Path, name: str, *files: str, bill: dict[str, object] = BILL) -> Path:
    with ZipFile(folder / name, "w") as archive:
        for file in files:
            archive.writestr(file, "")
        for file, content in bill.items():
            archive.writestr(file, json.dumps(content))
    return folder / name


@pytest.mark.parametrize(
    ("name", "core"),
    [
        (STABLE, "metaphrase/_core.abi3.so"),
        (ONE_VERSION, "metaphrase/_core.cpython-311-x86_64-linux-gnu.so"),
        ("metaphrase-1.0-cp312-abi3-win_amd64.whl", "metaphrase/_core.pyd"),
        ("metaphrase-1.0-cp311-cp311-win_amd64.whl", "metaphrase/_core.cp311-win_amd64.pyd"),
    ],
)
def test_a_wheel_with_its_core_is_fit(tmp_path: Path, name: str, core: str) -> None:
    wheels.check_contents(wheel(tmp_path, name, "metaphrase/__init__.py", core))


def test_a_wheel_of_data_is_fit(tmp_path: Path) -> None:
    wheels.check_contents(wheel(tmp_path, "data-1.0-py3-none-any.whl", "data/a.bin", bill={}))


@pytest.mark.parametrize(
    ("name", "files", "complaint"),
    [
        (STABLE, ["metaphrase/_core.cpython-313-x86_64-linux-gnu.so"], "does not say what"),
        (ONE_VERSION, ["metaphrase/_core.abi3.so"], "does not say what"),
        (STABLE, [], "one extension"),
        (STABLE, ["a/_core.abi3.so", "b/_core.abi3.so"], "one extension"),
        (STABLE, ["a/_core.abi3.so", "a/__pycache__/a.cpython-311.pyc"], "nobody needs"),
        ("data-1.0-py3-none-any.whl", ["data/a.so"], "for every machine"),
    ],
)
def test_a_wheel_that_is_something_else_is_refused(
    tmp_path: Path, name: str, files: list[str], complaint: str
) -> None:
    with pytest.raises(wheels.UnfitWheelError, match=complaint):
        wheels.check_contents(wheel(tmp_path, name, *files))


@pytest.mark.parametrize("bill", [{}, {next(iter(BILL)): {"components": []}}])
def test_a_wheel_that_does_not_say_what_is_in_it_is_refused(
    tmp_path: Path, bill: dict[str, object]
) -> None:
    with pytest.raises(wheels.UnfitWheelError, match="bill of materials"):
        wheels.check_contents(wheel(tmp_path, STABLE, "metaphrase/_core.abi3.so", bill=bill))
