"""Give wheels the tag of the oldest system that they run on, and refuse those that are not what they say.

``python -m release.wheels dist`` does it for every wheel of a folder. After ``--contents`` come wheels of
which only the last two are checked, where somebody else sees to the first (cibuildwheel):

- one that is compiled for this Linux becomes one for manylinux, with the policy that its symbols allow;
- one that says ``abi3`` may use nothing that Python's stable ABI lacks, which nobody else would notice before
  the next Python;
- its bill of materials names what is linked into it;
- nothing is in it that belongs to one machine.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

#: What nobody wants to find in a wheel: leftovers of an interpreter, an editor or another build.
LEFTOVERS = ("__pycache__", ".pyc", ".orig", ".tmp", "/tests/")
SBOM = ".dist-info/sboms/metaphrase.cdx.json"


class UnfitWheelError(Exception):
    """What is wrong with a wheel."""


def extensions(wheel: Path) -> list[str]:
    """The names of what is compiled in it."""
    with ZipFile(wheel) as archive:
        return [name for name in archive.namelist() if name.endswith((".so", ".pyd"))]


def check_contents(wheel: Path) -> None:
    """Refuse leftovers, a core that is missing or there twice, and one whose parts are not declared."""
    with ZipFile(wheel) as archive:
        names = archive.namelist()
        compiled = extensions(wheel)
        for name in names:
            if any(part in name for part in LEFTOVERS) and name not in compiled:
                raise UnfitWheelError(f"{wheel.name} has {name}, which nobody needs.")
        if "-none-any" in wheel.name:
            if compiled:
                raise UnfitWheelError(
                    f"{wheel.name} is for every machine, but {compiled[0]} is not."
                )
            return
        if len(compiled) != 1:
            raise UnfitWheelError(f"{wheel.name} should have one extension, not {compiled}.")
        tagged = ".abi3." in compiled[0] or compiled[0].endswith("_core.pyd")
        if ("-abi3-" in wheel.name) != tagged:
            raise UnfitWheelError(f"{wheel.name} does not say what {compiled[0]} is.")
        if not (found := [name for name in names if name.endswith(SBOM)]):
            raise UnfitWheelError(f"{wheel.name} has no bill of materials ({SBOM}).")
        linked = {part["name"] for part in json.loads(archive.read(found[0]))["components"]}
        if "nanobind" not in linked:
            raise UnfitWheelError(f"the bill of materials of {wheel.name} does not name nanobind.")


def repaired(wheel: Path) -> Path:
    """The wheel under the most compatible manylinux tag that it keeps to, in its place."""
    if "-linux_" not in wheel.name:
        return wheel
    before = set(wheel.parent.glob("*.whl"))
    _run("auditwheel", "repair", "--only-plat", "--wheel-dir", str(wheel.parent), str(wheel))
    wheel.unlink()
    (new,) = set(wheel.parent.glob("*.whl")) - before
    return new


def main(folder: str) -> None:
    """Check and rename every wheel of ``folder``."""
    for wheel in sorted(Path(folder).glob("*.whl")):
        check_contents(wheel)
        if "-abi3-" in wheel.name:
            _run("abi3audit", "--strict", str(wheel))
        wheel = repaired(wheel)
        print(f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB")


def _run(program: str, *arguments: str) -> None:
    """A program of this environment, and what it calls in turn, none of which need be on the path."""
    folder = str(Path(sys.executable).parent)
    path = os.pathsep.join([folder, os.environ.get("PATH", os.defpath)])
    command = [str(Path(folder) / program), *arguments]
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", env=os.environ | {"PATH": path}
    )
    if done.returncode != 0:
        raise UnfitWheelError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    try:
        if sys.argv[1] == "--contents":
            for name in sys.argv[2:]:
                check_contents(Path(name))
        else:
            main(sys.argv[1])
    except UnfitWheelError as error:
        sys.exit(f"release: {error}")
