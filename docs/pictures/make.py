"""Makes the pictures of the documentation again: the report of the bundled example, and the server.

``python docs/pictures/make.py [NAME …]`` with the package installed; without names all of them. Needs
Playwright and Pillow (``pip install playwright pillow``) and ``chromium`` on the path, or in
METAPHRASE_CHROMIUM.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from metaphrase.cli import main as metaphrase

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
METRICS = ("accord", "cobalt", "ppda+f", "tesla-m", "ter", "bleu", "chrf")
WIDTH = 1200
#: Where the open segment begins, and how much of it is seen.
TOP, SEEN = 496, 718
#: An open segment below the table of systems, which it would hide otherwise.
BELOW = """
([top, height]) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    .segment-dialog { margin-top: ${top}px; height: ${height}px; scrollbar-width: none }
    .segment-dialog::backdrop { background: none }
    .dialog-body, html { scrollbar-width: none }
    :focus, :focus-visible { outline: none !important }
  `);
  document.adoptedStyleSheets = [sheet];
}
"""


def main(names: list[str]) -> None:
    """Take the pictures with these names, or all."""
    path = os.environ.get("METAPHRASE_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        makers = (of_report, of_changes, of_server)
        for name, picture in (made for make in makers for made in make(browser, names)):
            save(picture, name)
        browser.close()


def of_report(browser: Browser, names: list[str]) -> Iterator[tuple[str, bytes]]:
    """Write the report, open it, take its pictures."""
    places = {
        "report": ("light", 7, None),
        "report-dark": ("dark", 7, None),
        "edits": ("light", 4, "ppda+f"),
        "n-grams": ("light", 0, "tesla-m"),
    }
    wanted = {name: place for name, place in places.items() if name in names or not names}
    if not wanted:
        return
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.html"
        write(report)
        for name, (scheme, segment, metric) in wanted.items():
            fragment = f"#segment={segment}&explainSystem=1"
            if metric is None:
                page = opened(browser, report, scheme, fragment, TOP + SEEN)
                page.evaluate(BELOW, [TOP, SEEN])
                yield name, page.screenshot()
            else:
                fragment += f"&explainMetric={METRICS.index(metric)}"
                yield name, explanation(opened(browser, report, scheme, fragment, 1600))


def of_changes(browser: Browser, names: list[str]) -> Iterator[tuple[str, bytes]]:
    """What changed between two versions of a user interface."""
    if names and "changes" not in names:
        return
    with tempfile.TemporaryDirectory() as folder:
        report, files = Path(folder) / "report.html", EXAMPLES / "localisation"
        versions = [f"before={files / 'main.de.xlf'}", f"after={files / 'change.de.xlf'}"]
        options = ["-l", "de", "-m", "accord", "--check", "--changes", "before", "after"]
        metaphrase(
            ["report", str(files / "reviewed.de.xlf"), "-i", *versions, *options, "-o", str(report)]
        )
        page = browser.new_page(viewport={"width": WIDTH, "height": 1100}, color_scheme="light")
        page.goto(report.as_uri())
        page.locator("#changes del").first.wait_for()
        yield "changes", page.locator("#changes").screenshot()


def of_server(browser: Browser, names: list[str]) -> Iterator[tuple[str, bytes]]:
    """The page on which a server begins, with a sentence pasted."""
    if names and "serve" not in names:
        return
    with served() as address:
        page = browser.new_page(viewport={"width": WIDTH, "height": 600}, color_scheme="light")
        page.goto(address)
        page.get_by_text("further metrics").wait_for()
        page.get_by_label("Reference: ").fill("The plan was new.")
        page.get_by_label("Translation to be judged").fill("This was a new plan.")
        page.get_by_role("heading", level=1).click()  # and the cursor is gone
        yield "serve", page.screenshot(full_page=True)


@contextmanager
def served() -> Iterator[str]:
    """The address of a server that keeps nothing."""
    command = [sys.executable, "-m", "metaphrase", "serve", "--port", "0", "--store", "none"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        found = re.search(r"http://\S+", server.stderr.readline())
        assert found is not None
        yield found[0]
        server.terminate()


def write(report: Path) -> None:
    """The report of ``make demo``, with TER and without some others."""
    texts = [str(EXAMPLES / f"{name}.txt") for name in ("reference", "system-a", "system-b")]
    options = ["--documents", str(EXAMPLES / "documents.txt"), "--title", "The bundled example"]
    metaphrase(["report", texts[0], "-i", *texts[1:], "-m", *METRICS, *options, "-o", str(report)])


def opened(browser: Browser, report: Path, scheme: str, fragment: str, height: int) -> Page:
    """A page that shows an explanation."""
    page = browser.new_page(
        viewport={"width": WIDTH, "height": height},
        color_scheme=scheme,
        reduced_motion="reduce",
    )
    page.goto(f"{report.as_uri()}{fragment}&versus=-1")
    page.locator(".why .explain").wait_for()
    return page


def explanation(page: Page) -> bytes:
    """An explanation down to its drawing, with a margin."""
    first = page.locator(".why .explain > *").first.bounding_box()
    last = page.locator(".why .explain-legend").first.bounding_box()
    assert first is not None
    assert last is not None
    top, left = first["y"] - 12, first["x"] - 12
    clip = {"x": left, "y": top, "width": last["x"] + last["width"] + 12 - left}
    return page.screenshot(clip={**clip, "height": last["y"] + last["height"] + 4 - top})


def save(screenshot: bytes, name: str) -> None:
    """As a PNG file with a palette, which is a third as large."""
    picture = Image.open(io.BytesIO(screenshot)).convert("RGB")
    path = HERE / f"{name}.png"
    picture.quantize(256, kmeans=2, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.name}: {picture.width} x {picture.height}, {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
