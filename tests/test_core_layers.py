"""src/core/README.md says what each folder of the core may include; this holds the sources to it."""

from __future__ import annotations

import re
from pathlib import Path

CORE = Path(__file__).parents[1] / "src" / "core"
ROWS = re.findall(r"^\| `(\w+)` \|.*\| *([^|]*?) *\|$", (CORE / "README.md").read_text(), re.M)
USES = {folder: re.findall(r"`(\w+)`", uses) for folder, uses in ROWS}
SOURCES = [path for path in sorted(CORE.rglob("*.?pp")) if path.parent != CORE]


def includes(path: Path) -> list[str]:
    return re.findall(r'^#include "(.+)"$', path.read_text(), re.M)


def test_every_folder_has_its_row() -> None:
    assert set(USES) == {path.parent.name for path in SOURCES}


def test_no_row_names_a_folder_below_it() -> None:
    folders = list(USES)
    for folder, uses in USES.items():
        assert set(uses) <= set(folders[: folders.index(folder)]), folder


def test_no_include_leaves_the_table() -> None:
    for path in SOURCES:
        allowed = {path.parent.name, "base", *USES[path.parent.name]}
        if path.name.startswith("bind_"):
            allowed.add("python")
        for include in includes(path):
            assert (CORE / include).is_file(), f"{path}: {include}"
            assert include.split("/")[0] in allowed, f"{path}: {include}"


def test_what_is_declared_is_used() -> None:
    for folder, uses in USES.items():
        met = {
            i.split("/")[0]
            for path in SOURCES
            if path.parent.name == folder
            for i in includes(path)
        }
        assert set(uses) <= met, folder


def test_every_header_is_included() -> None:
    met = {include for path in SOURCES for include in includes(path)}
    assert {str(path.relative_to(CORE)) for path in SOURCES if path.suffix == ".hpp"} <= met


def test_a_namespace_is_named_like_its_folder() -> None:
    for path in SOURCES:
        name = path.parent.name
        namespace = "metaphrase" if name in ("base", "python") else f"metaphrase::{name}"
        for found in re.findall(r"^namespace (metaphrase[\w:]*) {$", path.read_text(), re.M):
            assert f"{found}::".startswith(f"{namespace}::"), path
