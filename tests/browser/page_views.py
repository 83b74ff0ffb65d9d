"""What tests look at in the page of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def rows(page: Page) -> list[list[str]]:
    """The cells of the rows in sight."""
    found: list[list[str]] = page.evaluate(
        "() => [...document.querySelectorAll('.grid-body .grid-row')]"
        ".map(row => [...row.querySelectorAll('[role=gridcell]')].map(cell => cell.textContent))"
    )
    return found


def status(page: Page) -> Locator:
    return page.locator("#segments [role=status]")


def wait_for_text(page: Page, selector: str, pattern: str) -> None:
    page.wait_for_function(
        "([selector, pattern]) =>"
        " new RegExp(pattern).test(document.querySelector(selector)?.textContent ?? '')",
        arg=[selector, pattern],
    )


def wait_for_status(page: Page, pattern: str) -> None:
    wait_for_text(page, "#segments [role=status]", pattern)


def column(page: Page, name: str) -> list[float]:
    heads = page.locator(".grid-head [role=columnheader]").all_inner_texts()
    place = next(i for i, head in enumerate(heads) if head.startswith(name))
    return [float(row[place].replace("−", "-")) for row in rows(page)]
