"""What a script inside the page finds wrong with it: contrast by our own, names and roles by axe-core."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

HERE = Path(__file__).parent
CONTRAST = (HERE / "contrast.js").read_text(encoding="utf-8")
ACCESSIBILITY = (HERE / "accessibility.js").read_text(encoding="utf-8")
AXE = HERE.parents[1] / "web/node_modules/axe-core/axe.min.js"


def contrast(page: Page) -> dict[str, Any]:
    """How many ``texts`` and ``drawn`` texts are visible, and the ``poor`` ones."""
    seen: dict[str, Any] = page.evaluate(CONTRAST)
    return seen


def violations(page: Page, part: str = "body", rules: list[str] | None = None) -> list[str]:
    """Of all rules, or of some, in a part of the page; skips the test if the checker is not there."""
    if not AXE.exists():
        pytest.skip("axe-core is not there: cd web && npm ci")
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(ACCESSIBILITY, [part, *(rules or [])])
    return found
