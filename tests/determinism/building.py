"""The core built otherwise, in a copy of the package that tests can be pointed at."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

TREE = Path(__file__).parents[2]
BUILDS = TREE / "build" / "determinism"


def build_core(name: str, settings: Mapping[str, str]) -> Path:
    """The core, compiled with these settings of CMake in a folder of its own that is used again."""
    folder = BUILDS / name / "build"
    folder.mkdir(parents=True, exist_ok=True)
    given = {
        "CMAKE_BUILD_TYPE": "Release",
        "SKBUILD": "2",
        "SKBUILD_PROJECT_NAME": "metaphrase",
        "SKBUILD_PROJECT_VERSION": "0",
        "Python_EXECUTABLE": sys.executable,
        **({"CMAKE_CXX_COMPILER_LAUNCHER": "ccache"} if shutil.which("ccache") else {}),
        **settings,
    }
    flags = [f"-D{key}={value}" for key, value in given.items()]
    _run("cmake", "-S", str(TREE), "-B", str(folder), *flags, log=folder.parent / "cmake.log")
    jobs = os.environ.get("JOBS", str(os.cpu_count() or 1))
    _run("cmake", "--build", str(folder), "-j", jobs, log=folder.parent / "build.log")
    return next(path for path in folder.glob("_core*.so"))


def package_with(core: Path, name: str) -> Path:
    """A folder for PYTHONPATH: our Python files with this core."""
    folder = BUILDS / name / "package"
    shutil.rmtree(folder, ignore_errors=True)
    for path in (TREE / "src" / "metaphrase").rglob("*"):
        twin = folder / path.relative_to(TREE / "src")
        if path.is_dir() or path.suffix in {".so", ".pyc"}:
            continue
        twin.parent.mkdir(parents=True, exist_ok=True)
        twin.symlink_to(path)
    shutil.copy(core, folder / "metaphrase" / core.name)
    return folder


def _run(*command: str, log: Path) -> None:
    with log.open("wb") as stream:
        if subprocess.run(command, stdout=stream, stderr=subprocess.STDOUT).returncode:
            sys.stdout.write(log.read_text(errors="replace")[-3000:])
            raise SystemExit(f"{command[0]} failed: {log}")
