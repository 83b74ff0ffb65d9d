"""Every error code is listed, explained and used."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

from metaphrase.errors import CATALOGUE, InputError

ROOT = Path(__file__).parents[1]


def test_codes_are_raised_exactly_where_the_catalogue_has_them() -> None:
    files = [*(ROOT / "src").rglob("*.py"), *(ROOT / "src" / "core").rglob("*.[ch]pp")]
    sources = [path for path in files if path.name != "errors.py"]
    used = {code for path in sources for code in re.findall(r"MP\d{3}", path.read_text())}
    assert used == set(CATALOGUE)


def test_the_documentation_explains_every_code() -> None:
    rows = re.findall(r"^\| (MP\d{3}) \| (.*?) \|", (ROOT / "docs" / "errors.md").read_text(), re.M)
    assert dict(rows) == CATALOGUE


def test_an_error_names_code_file_line_and_remedy_and_survives_pickling() -> None:
    error = InputError("MP121", "not UTF-8.", path="a.txt", line=3, hint="Convert it.")
    assert str(error) == "[MP121] a.txt, line 3: not UTF-8. Convert it."
    error.row = 7
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.code, again.line, again.row) == (str(error), "MP121", 3, 7)
