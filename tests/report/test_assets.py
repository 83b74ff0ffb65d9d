"""The built pages belong to the sources beside them; without Node, so that everybody can check."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ASSETS = ROOT / "src/metaphrase/report/assets"
CONFIGURATION = ("build.mjs", "package.json", "package-lock.json", "serve.html", "tsconfig.json")
PAGES = ("report.js", "report.css", "serve.js", "serve.css", "serve.html")


def sources() -> list[Path]:
    """What the build reads, examples included; its tests and their fixtures change nothing."""
    web = ROOT / "web"
    found = [
        path
        for path in (web / "src").rglob("*")
        if path.is_file() and not path.name.endswith(".test.ts") and "fixtures" not in path.parts
    ]
    return [*found, *(web / name for name in CONFIGURATION), *(ROOT / "examples").glob("*.txt")]


def listed() -> dict[str, str]:
    lines = (ASSETS / "SOURCES").read_text(encoding="utf-8").splitlines()
    return {path: digest for digest, path in (line.split("  ", 1) for line in lines)}


def test_the_bundle_was_built_from_these_sources() -> None:
    files = [*sources(), *(ASSETS / name for name in PAGES)]
    digests = {
        path.relative_to(ROOT).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }
    assert digests == listed(), "the pages are stale: run `make web` and commit the result"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_small(name: str) -> None:
    assert (ASSETS / name).stat().st_size < 180_000


@pytest.mark.parametrize("name", ["report.js", "serve.js"])
def test_a_script_can_stand_inside_a_page(name: str) -> None:
    script = (ASSETS / name).read_text(encoding="utf-8")
    assert not re.search(r"</script|<!--", script, re.IGNORECASE)


@pytest.mark.parametrize("name", ["report.css", "serve.css"])
def test_a_style_sheet_can_stand_inside_a_page_and_fetches_nothing(name: str) -> None:
    style = (ASSETS / name).read_text(encoding="utf-8")
    assert not re.search(r"</style|@import|url\(", style, re.IGNORECASE)


@pytest.mark.parametrize("name", PAGES)
def test_no_page_names_an_address_of_the_network(name: str) -> None:
    text = (ASSETS / name).read_text(encoding="utf-8")
    addresses = set(re.findall(r"https?://[^\s\"'`)]+", text))
    # The names of SVG's elements and of the parts of a workbook, not addresses to fetch.
    names = ("http://www.w3.org/2000/svg", "http://schemas.openxmlformats.org/")
    assert [address for address in addresses if not address.startswith(names)] == []
