"""Pages know explanations by the dataclasses of Python, from which their schema is written."""

from __future__ import annotations

import importlib.util
from pathlib import Path

WEB = Path(__file__).parents[2] / "web"


def test_the_schema_of_the_pages_is_that_of_the_dataclasses() -> None:
    specification = importlib.util.spec_from_file_location("schema", WEB / "schema.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    told = "python web/schema.py, then make web"
    assert module.SCHEMA.read_text(encoding="utf-8") == module.schema(), told
