"""``make determinism``: do compilers, levels of optimisation and processors change a bit of a score?

Builds the core by each compiler that is here and checks the hashes; then once more with the core that is
installed, on a processor without AVX2 and FMA that qemu emulates. ``JOBS=1`` is kind to a busy machine;
arguments are names of builds.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from determinism.building import BUILDS, TREE, build_core, package_with

#: Name: the compiler, the level, and other flags.
COMPILERS = {
    "gcc-O3": ("g++", "-O3", ""),
    "gcc-O2": ("g++", "-O2", ""),
    "gcc-O0": ("g++", "-O0", ""),
    "clang-O3": ("clang++", "-O3", ""),
    "clang-O2": ("clang++", "-O2", ""),
    "clang-O2-libc++": ("clang++", "-O2", "-stdlib=libc++"),
}
#: SSE4.2 and nothing newer: neither our kernels nor NumPy's nor the C library's choose wide registers.
OLD_PROCESSOR = ("qemu-x86_64-static", "-cpu", "Nehalem")


def main(names: list[str]) -> int:
    """Check each build; 1 if the scores of one are others."""
    BUILDS.mkdir(parents=True, exist_ok=True)
    failed = False
    for name in names or [*COMPILERS, "old-processor"]:
        print(f"{name}: ", end="", flush=True)
        compiler = COMPILERS.get(name)
        told = old_processor() if compiler is None else other_compiler(name, *compiler)
        print(told, flush=True)
        sound = told.endswith("are as recorded.") and "differs" not in told
        failed = failed or not (sound or told.startswith("left out"))
    return int(failed)


def other_compiler(name: str, compiler: str, level: str, flags: str) -> str:
    """What the check says of the core by this compiler."""
    if shutil.which(compiler) is None or not compiles(compiler, flags):
        return "left out, since it is not installed or knows too little of C++20"
    core = build_core(
        name,
        {
            "CMAKE_CXX_COMPILER": compiler,
            "CMAKE_CXX_FLAGS": flags,
            "METAPHRASE_OPTIMISATION": level,
        },
    )
    return check([sys.executable], package_with(core, name))


#: What libc++ lacked longest of all that we use.
RECENT = b"#include <compare>\n#include <string>\nauto same(std::u32string a) { return a <=> a; }\n"


def compiles(compiler: str, flags: str) -> bool:
    """Whether there is a standard library for these flags that is recent enough."""
    command = [compiler, *flags.split(), "-std=c++20", "-x", "c++", "-fsyntax-only", "-"]
    return subprocess.run(command, input=RECENT, capture_output=True).returncode == 0


def old_processor() -> str:
    """What the check says on an emulated processor."""
    if shutil.which(OLD_PROCESSOR[0]) is None:
        return "left out, since qemu-user-static is not installed"
    interpreter = os.path.realpath(sys.executable)
    return check([*OLD_PROCESSOR, interpreter], *sys.path[1:])


def check(python: list[str], *folders: Path | str) -> str:
    """The output of the check by this interpreter, with these folders first on its path."""
    path = os.pathsep.join(map(str, [*folders, TREE / "tests"]))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [*python, "-m", "determinism", "check"], env=environment, capture_output=True, text=True
    )
    crashed = f"ended by signal {-done.returncode}" if done.returncode < 0 else ""
    return (done.stdout + done.stderr + crashed).strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
