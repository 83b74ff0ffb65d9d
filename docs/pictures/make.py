"""Makes the pictures of the documentation again, from the report of the bundled example.

``python docs/pictures/make.py`` with the package installed; needs Playwright and Pillow (``pip install
playwright pillow``) and ``chromium`` on the path, or in METAPHRASE_CHROMIUM.
"""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from metaphrase.cli import main as metaphrase

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
METRICS = ("accord", "cobalt", "ppda+f", "tesla-m", "ter", "bleu", "chrf")
WIDTH = 1200
#: Where the open segment begins, and how much of it is seen.
TOP, SEEN = 516, 752
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


def main() -> None:
    """Write the report, open it, take the pictures."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        report = Path(folder) / "report.html"
        write(report)
        path = os.environ.get("METAPHRASE_CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for scheme, name in (("light", "report"), ("dark", "report-dark")):
            page = opened(browser, report, scheme, "#segment=7&explainSystem=1", TOP + SEEN)
            page.evaluate(BELOW, [TOP, SEEN])
            save(page.screenshot(), name)
        for metric, segment, name in (("ppda+f", 4, "edits"), ("tesla-m", 0, "n-grams")):
            fragment = f"#segment={segment}&explainSystem=1&explainMetric={METRICS.index(metric)}"
            save(explanation(opened(browser, report, "light", fragment, 1600)), name)
        browser.close()


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
    clip = {"x": left, "y": top, "width": WIDTH - 2 * left}
    return page.screenshot(clip={**clip, "height": last["y"] + last["height"] + 4 - top})


def save(screenshot: bytes, name: str) -> None:
    """As a PNG file with a palette, which is a third as large."""
    picture = Image.open(io.BytesIO(screenshot)).convert("RGB")
    path = HERE / f"{name}.png"
    picture.quantize(256, kmeans=2, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.name}: {picture.width} x {picture.height}, {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
