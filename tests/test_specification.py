"""Every section of the specification that code, tests or pages cite exists, and nothing lies outside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SPECIFICATION = ROOT / "docs" / "specification"
FOLDERS = ("src", "tests", "docs", "benchmarks", "experiments", "training", "examples", "packages")
SUFFIXES = frozenset({".py", ".pyi", ".hpp", ".cpp", ".md", ".sh", ".txt"})
#: "METRICS 6.2", "METRICS 1.6, 1.7 and 2", "METRICS 3.1 to 3.4"; a comment may be broken anywhere.
CITATION = re.compile(r"\bMETRICS (\d+(?:\.\d+)?(?:(?:, | and | to )\d+(?:\.\d+)?)*)")


def written_files() -> Iterator[Path]:
    yield from ROOT.glob("*.md")
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in SUFFIXES and path != Path(__file__):
                yield path


def citations() -> dict[str, list[Path]]:
    """The sections cited, with the files that cite them."""
    found: dict[str, list[Path]] = {}
    for path in written_files():
        text = re.sub(r"\s+(?:(?://|#:?) *)?", " ", path.read_text("utf-8"))
        for cited in CITATION.findall(text):
            for section in re.findall(r"\d+(?:\.\d+)?", cited):
                found.setdefault(section, []).append(path.relative_to(ROOT))
    return found


def sections() -> list[str]:
    return [
        section
        for page in sorted(SPECIFICATION.glob("*.md"))
        for section in re.findall(r"^#+ (\d+(?:\.\d+)?)\.? ", page.read_text("utf-8"), re.M)
    ]


def test_every_section_that_is_cited_exists() -> None:
    cited = citations()
    assert len(cited) > 20, "the citations were not found"
    missing = {section: paths for section, paths in cited.items() if section not in sections()}
    assert not missing


def test_sections_are_numbered_once_and_without_gaps() -> None:
    found = sections()
    assert len(set(found)) == len(found)
    for chapter in (section for section in found if "." not in section):
        parts = [section for section in found if section.startswith(f"{chapter}.")]
        assert parts == [f"{chapter}.{number}" for number in range(1, len(parts) + 1)]


def test_the_specification_is_cited_in_one_way() -> None:
    other = re.compile(r"METRICS,? (?:section|§)|[Ss]pecification,? (?:section )?\d|METRICS\.md")
    assert not [path for path in written_files() if other.search(path.read_text("utf-8"))]


@pytest.mark.parametrize(
    "path", sorted((ROOT / "tests" / "golden").iterdir()), ids=lambda p: p.name
)
def test_every_golden_file_is_described(path: Path) -> None:
    assert f"`{path.name}`" in (SPECIFICATION / "golden-files.md").read_text("utf-8")


def test_nothing_refers_to_what_lies_beside_the_repository() -> None:
    beside = re.compile(r"\.\./shared|\bshared/(?:spec|data)|beside the repository")
    assert not [path for path in written_files() if beside.search(path.read_text("utf-8"))]


def test_each_file_of_the_table_from_paper_to_code_cites_its_section() -> None:
    table = re.findall(
        r"^\| .+ \| METRICS ([\d.]+) \| `(.+)` \|$",
        (SPECIFICATION / "index.md").read_text("utf-8"),
        re.M,
    )
    assert len({path for _, path in table}) > 20
    cited = citations()
    assert [row for row in table if Path(row[1]) not in cited.get(row[0], [])] == []
