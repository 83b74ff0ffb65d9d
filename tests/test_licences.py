"""Everything that ships is listed with its licence, and what binds users is in a package of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from metaphrase import shipped
from metaphrase.analysis.builtin import SHIPPED

ROOT = Path(__file__).parents[1]
LISTED = (ROOT / "LICENSES.md").read_text("utf-8")
FOLDERS = {
    "metaphrase": ROOT / "src/metaphrase/models",
    **{folder.parents[2].name: folder for folder in sorted(ROOT.glob("packages/*/src/*/data"))},
}
in_a_clone = pytest.mark.skipif(
    "metaphrase-czech" not in FOLDERS, reason="a source distribution has no other packages"
)
each_package = pytest.mark.parametrize("package", FOLDERS)


def files(package: str) -> list[str]:
    """The names of what ships, without cards and texts of licences."""
    folder = FOLDERS[package]
    paths = (path for path in folder.rglob("*") if path.is_file())
    kept = (path for path in paths if path.suffix not in (".md", ".LICENSE"))
    return sorted(path.relative_to(folder).as_posix() for path in kept)


def listed(package: str) -> dict[str, str]:
    """The licence of each file in the package's table."""
    section = LISTED.partition(f"\n## {package}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*?) \| .* \| `(.*?)` \| .*\|$", section, re.M)
    return {name: licence for names, licence in rows for name in re.findall("`(.*?)`", names)}


def project(package: str) -> str:
    """What the package says of itself."""
    folder = ROOT if package == "metaphrase" else ROOT / "packages" / package
    return (folder / "pyproject.toml").read_text("utf-8")


@each_package
def test_every_file_that_ships_is_listed(package: str) -> None:
    assert sorted(listed(package)) == files(package)


@each_package
def test_every_card_names_the_licence_that_is_listed(package: str) -> None:
    if package == "metaphrase-pivots":
        pytest.skip("its README is the card of all files")
    for name, licence in listed(package).items():
        stem = re.sub(r"\.(bin|json|npz|tsv|tsv\.gz|encoder)$", "", name)
        card = (FOLDERS[package] / f"{stem}.md").read_text("utf-8")
        assert f"\nLicence of the file: `{licence}`.\n" in card


@each_package
def test_a_package_declares_the_licences_of_its_files(package: str) -> None:
    declared = re.findall(r'^license = "(.*?)"', project(package), re.M)[0].split(" AND ")
    parts = {part for licence in listed(package).values() for part in licence.split(" AND ")}
    # The core has nanobind and tables of Unicode compiled in.
    parts |= {"BSD-3-Clause", "Unicode-3.0"} if package == "metaphrase" else set()
    assert sorted(declared) == sorted(parts)


def test_the_default_wheel_asks_nobody_to_share_alike_or_to_earn_nothing() -> None:
    assert not re.search(r"-SA-|-NC-|GPL|ODbL", " ".join(listed("metaphrase").values()))
    for card in FOLDERS["metaphrase"].rglob("*.md"):
        rows = re.findall(r"^\|.*\|$", card.read_text("utf-8"), re.M)
        assert not [row for row in rows if re.search(r"BY-(NC|SA)|LGPL|FicTree|GSD|EWT", row)]


def test_what_comes_with_it_may_be_used_commercially() -> None:
    licences = listed("metaphrase-analysers").values()
    assert "-NC-" not in " ".join(licences)
    assert re.findall(r'^dependencies = \["(metaphrase-.*?)>', project("metaphrase"), re.M) == [
        "metaphrase-analysers"
    ]
    everything = re.findall(r'^all = \["metaphrase\[(.*)\]"\]', project("metaphrase"), re.M)[0]
    assert "cs" not in everything.split(",")


@in_a_clone
def test_the_czech_analyser_alone_may_not_be_used_commercially() -> None:
    bound = {
        package
        for package in FOLDERS
        for licence in listed(package).values()
        if re.search("-NC-|LicenseRef-(?!WordNet)", licence)
    }
    assert bound == {"metaphrase-czech"}
    declared = re.findall(r"^\| `(.*?)` \| .* \| \*\*no\*\*", LISTED, re.M)
    assert declared == ["metaphrase-czech"]


@each_package
def test_texts_of_licences_are_in_the_package(package: str) -> None:
    folder = ROOT if package == "metaphrase" else ROOT / "packages" / package
    patterns = re.findall(r'"(.*?)"', re.findall(r"license-files = (.*)", project(package))[0])
    kept = {path.name for pattern in patterns for path in folder.glob(pattern)}
    assert "LICENSE" in kept
    section = LISTED.partition(f"\n## {package}\n")[2].partition("\n## ")[0]
    assert set(re.findall(r"`(LICENSE\.[\w.-]+|[\w.-]+\.LICENSE)`", section)) <= kept


@in_a_clone
def test_every_file_of_another_package_is_found_there() -> None:
    where = {
        name: package.replace("-", "_")
        for package in ("metaphrase-analysers", "metaphrase-czech", "metaphrase-encoder")
        for name in files(package)
    }
    assert where == shipped._PACKAGES


@in_a_clone
def test_every_language_has_its_models() -> None:
    everything = [name for package in FOLDERS for name in files(package)]
    for language in SHIPPED.values():
        assert {f"{language}.bin", f"{language}-parser.bin"} <= set(everything)
