"""The workbook that a report saves, as another reader of the format reads it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browser.written_reports import EXAMPLES, HOSTILE, HOSTILE_SYSTEMS, METRICS

if TYPE_CHECKING:
    from playwright.sync_api import Page

openpyxl = pytest.importorskip("openpyxl")

Open = Callable[..., "Page"]


def saved(page: Page, folder: Path) -> Any:
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as Excel").click()
    assert download.value.suggested_filename == "metaphrase-report.xlsx"
    path = folder / "saved.xlsx"
    download.value.save_as(path)
    return openpyxl.load_workbook(path)


def rows(sheet: Any) -> list[tuple[Any, ...]]:
    return list(sheet.iter_rows(values_only=True))


def test_sheets_have_systems_documents_and_segments(
    open_report: Open, example: Path, tmp_path: Path
) -> None:
    book = saved(open_report(example), tmp_path)
    assert book.sheetnames == ["Systems", "Documents", "Segments"]
    for sheet in book:
        assert sheet.freeze_panes == "A2"
        assert sheet.auto_filter.ref == sheet.dimensions
    names, *systems = rows(book["Systems"])
    assert names == (
        "Metric", "Rank", "Cluster", "System", "Score", "95 % from", "95 % to", "Signature"
    )  # fmt: skip
    assert len(systems) == len(METRICS) * 2
    for row in systems:
        entry = dict(zip(names, row, strict=True))
        assert entry["95 % from"] <= entry["Score"] <= entry["95 % to"]
        assert entry["Signature"].startswith(entry["Metric"])
    names, *segments = rows(book["Segments"])
    assert names[:4] == ("Segment", "Document", "Reference", "system-a")
    assert [row[0] for row in segments] == list(range(1, 13))
    references = (EXAMPLES / "reference.txt").read_text(encoding="utf-8").splitlines()
    assert [row[2] for row in segments] == references
    scores = [row[names.index("system-b: chrf")] for row in segments]
    assert all(isinstance(value, int | float) for value in scores)


def test_texts_stay_texts(open_report: Open, hostile: Path, tmp_path: Path) -> None:
    book = saved(open_report(hostile), tmp_path)
    names, *segments = rows(book["Segments"])
    assert names[2] == "Source"
    assert [names[4], names[7]] == list(HOSTILE_SYSTEMS)
    for row, text in zip(segments, HOSTILE, strict=True):
        # openpyxl leaves Excel's spelling of control characters as it is.
        assert row[4] in {text.replace("\x07", "_x0007_"), f"{text[:32_766]}…"}


def test_human_judgements_are_beside_the_scores(
    open_report: Open, judged: Path, tmp_path: Path
) -> None:
    book = saved(open_report(judged), tmp_path)
    names = rows(book["Segments"])[0]
    assert sum(name.endswith(": human") for name in names) == 3
    assert "Human: judgements.tsv" in rows(book["Systems"])[0]
