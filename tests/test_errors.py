"""Every error code is listed, explained and used."""

from __future__ import annotations

import os
import pickle
import re
from pathlib import Path

from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import CATALOGUE, PROSE, SECTIONS, InputError

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "errors.md"
MARK = "<!-- codes -->\n"
HEADER = "| code | meaning |\n| --- | --- |\n"


def section(title: str) -> str:
    rows = "".join(f"| {code} | {meaning} |\n" for code, meaning in SECTIONS[title].items())
    prose = f"\n{PROSE[title]}\n" if title in PROSE else ""
    return f"\n## {title}\n\n{HEADER}{rows}{prose}"


def test_codes_are_raised_exactly_where_the_catalogue_has_them() -> None:
    files = [*(ROOT / "src").rglob("*.py"), *(ROOT / "src" / "core").rglob("*.[ch]pp")]
    sources = [path for path in files if path.name != "errors.py"]
    used = {code for path in sources for code in re.findall(r"MP\d{3}", path.read_text())}
    assert used == set(CATALOGUE)


def test_every_code_is_in_one_section() -> None:
    assert sum(map(len, SECTIONS.values())) == len(CATALOGUE)
    assert PROSE.keys() <= SECTIONS.keys()


def test_the_page_is_written_from_the_sections() -> None:
    text = PAGE.read_text("utf-8")
    before, mark, _ = text.partition(MARK)
    assert mark
    expected = before + mark + "".join(map(section, SECTIONS))
    if os.environ.get("METAPHRASE_REFRESH"):
        with atomic_writer(PAGE) as page:
            page.write(expected.encode())
    else:
        assert text == expected, "METAPHRASE_REFRESH=1 writes it"


def test_an_error_names_code_file_line_and_remedy_and_survives_pickling() -> None:
    error = InputError("MP121", "not UTF-8.", path="a.txt", line=3, hint="Convert it.")
    assert str(error) == "[MP121] a.txt, line 3: not UTF-8. Convert it."
    error.row = 7
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.code, again.line, again.row) == (str(error), "MP121", 3, 7)
