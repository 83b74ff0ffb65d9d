"""How fast a report of 5,000 segments × 10 systems opens and answers in headless Chromium.

``python -m benchmarks.report_page [SEGMENTS]``. Times count from the start of the navigation to the frame
that shows the thing, from a file on disk: median of five visits in fresh browser contexts. The browser is
``chromium`` of the machine, or ``METAPHRASE_CHROMIUM``.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from benchmarks.report import SEGMENTS, made_up
from metaphrase import score
from metaphrase.report.dataset import build
from metaphrase.report.page import report_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser

METRICS = ["tesla-m", "bleu", "chrf", "ter"]
TIMES = 5

#: Notes when each element was first painted: a frame after the one that it appeared in.
WATCH = """
() => {
  const wanted = { systems: "#systems tbody tr", segments: ".grid-body .text bdi" };
  window.painted = {};
  const look = () => {
    for (const [name, selector] of Object.entries(wanted)) {
      if (name in painted || !document.querySelector(selector)) continue;
      painted[name] = NaN;
      requestAnimationFrame(() => setTimeout(() => { painted[name] = performance.now(); }));
    }
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
}
"""
#: From the input of a query until what was found is on the screen; of it the page waits 150 ms for more keys.
SEARCH = """
(query) => new Promise((done) => {
  const field = document.querySelector("input[type=search]");
  const status = document.querySelector("#segments [role=status]");
  const started = performance.now();
  const watch = new MutationObserver(() => {
    if (!/ rows? of /.test(status.textContent)) return;
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - started)));
  });
  watch.observe(status, { childList: true, subtree: true, characterData: true });
  field.value = query;
  field.dispatchEvent(new Event("input"));
})
"""


def main() -> None:
    path = os.environ.get("METAPHRASE_CHROMIUM") or shutil.which("chromium")
    if path is None:
        print("no chromium: install it, or name it in METAPHRASE_CHROMIUM")
        return
    from playwright.sync_api import sync_playwright

    segments = int(sys.argv[1].replace(",", "")) if len(sys.argv) > 1 else SEGMENTS
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        page.write_bytes(b"".join(written(segments)))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            opened(browser, page)  # the first page of a browser pays for its start
            found = [opened(browser, page) for _ in range(TIMES)]
            browser.close()
        size = page.stat().st_size
    table = Table("", "ms, median", "worst")
    for name in found[0]:
        values = [one[name] for one in found]
        table.add_row(name, f"{median(values):,.0f}", f"{max(values):,.0f}")
    console = Console()
    console.print(f"{segments:,} segments, {' '.join(METRICS)}: {size / 1e6:.1f} MB")
    console.print(table)


def written(segments: int) -> list[bytes]:
    corpus = made_up(segments)
    scores = score(corpus, METRICS, levels=["system", "segment"], keep_statistics=True)
    return list(report_page(build(corpus, scores, METRICS)))


def opened(browser: Browser, report: Path) -> dict[str, float]:
    """Milliseconds, and megabytes of the heap, of one visit."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.add_init_script(f"({WATCH})()")
    page.goto(report.as_uri(), wait_until="commit")
    page.wait_for_function("() => window.painted?.systems && window.painted?.segments")
    times: dict[str, float] = page.evaluate("painted")
    result = {
        "until the table of systems": times["systems"],
        "until the first segments": times["segments"],
        "search right after that": page.evaluate(SEARCH, "president"),
        "another search": page.evaluate(SEARCH, "minister"),
    }
    session = context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    session.send("Performance.enable")
    metrics = session.send("Performance.getMetrics")["metrics"]
    heap = next(metric["value"] for metric in metrics if metric["name"] == "JSHeapUsedSize")
    context.close()
    return {**result, "heap, MB": heap / 1e6}


if __name__ == "__main__":
    main()
