"""The page of the papers: its table is what the metrics declare, and the tests that it names exist."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from metaphrase.corpus.writing import atomic_writer
from metaphrase.metrics import available
from metaphrase.metrics.published import PAPER, Difference

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "papers.md"
MARK = "<!-- differences -->\n"
HEADER = "| metric | part | the paper | here | why |\n| --- | --- | --- | --- | --- |\n"
#: Each paper has a configuration.
FAMILIES = {"cobalt", "tesla", "tesla-m", "celab", "pbe", "pfsm", "ppda", "ppda+f"}
PAPERS = {name: kind for name, kind in available().items() if PAPER in kind.variants}


def row(metric: str, difference: Difference) -> str:
    why = difference.why + " (chosen on the test sets)" * difference.chosen_on_test
    cells = (metric, difference.part, difference.published, difference.here, why)
    return "| " + " | ".join(cell.replace("``", "`").replace("|", r"\|") for cell in cells) + " |\n"


def rows() -> Iterator[str]:
    """Metrics that share their differences share the rows."""
    for kinds in ("substituted", "departures"):
        shared: dict[Difference, list[str]] = {}
        for name, kind in PAPERS.items():
            for difference in getattr(kind, kinds):
                of_paper = f"{name}:{PAPER}" if kinds == "substituted" else name
                shared.setdefault(difference, []).append(f"`{of_paper}`")
        yield from (row(", ".join(names), difference) for difference, names in shared.items())


def test_every_family_has_the_configuration_of_its_paper() -> None:
    assert set(PAPERS) == FAMILIES


def test_the_table_lists_every_difference() -> None:
    text = PAGE.read_text("utf-8")
    before, mark, table = text.partition(MARK)
    assert mark
    expected = HEADER + "".join(rows())
    if os.environ.get("METAPHRASE_REFRESH"):
        with atomic_writer(PAGE) as page:
            page.write(f"{before}{mark}\n{expected}".encode())
    else:
        assert table.lstrip("\n") == expected, "METAPHRASE_REFRESH=1 writes it"


@pytest.mark.parametrize("cited", re.findall(r"`(tests/[^`]+)`", PAGE.read_text("utf-8")))
def test_the_tests_of_printed_numbers_exist(cited: str) -> None:
    path, _, names = cited.partition("::")
    text = (ROOT / path).read_text("utf-8")
    missing = [name for name in names.split("::") if not re.search(rf"(def|class) {name}\b", text)]
    assert missing == []
