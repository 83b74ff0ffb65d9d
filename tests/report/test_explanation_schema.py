"""Pages know explanations by the dataclasses of Python, from which their schema is written."""

from __future__ import annotations

from pathlib import Path
from runpy import run_path

WRITER = Path(__file__).parents[2] / "web" / "schema.py"


def test_the_schema_of_the_pages_is_that_of_the_dataclasses() -> None:
    writer = run_path(str(WRITER))
    told = "run python web/schema.py, then make web"
    assert writer["SCHEMA"].read_text(encoding="utf-8") == writer["schema"](), told
