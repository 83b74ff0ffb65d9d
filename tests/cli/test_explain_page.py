"""``metaphrase explain --format html``: a page for every metric that explains, whatever it is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.bundled import Prints
from metaphrase.cli import main
from metaphrase.metrics import available
from report.written_pages import overview, shown

#: What metrics are asked so that no optional package is needed.
WITHOUT_DATA = {"celab": "celab:dictionary=none", "meteor": "meteor:paraphrases=none"}
EXPLAINING = [name for name, kind in available().items() if kind.explains() and name != "tesla"]


@pytest.mark.parametrize("metric", EXPLAINING)
def test_every_metric_that_explains_has_one(metric: str, prints: Prints) -> None:
    texts = ["--reference", "the cat sat", "--hypothesis", "a <b>feline</b> sat"]
    command = ["explain", *texts, "-m", WITHOUT_DATA.get(metric, metric), "--format", "html"]
    page = prints(*command)
    assert page.startswith("<!doctype html>")
    assert overview(page)["segmentNumbers"] == [None]
    ((_, record),) = shown(page)
    assert record["metric"] == metric
    assert record["hypothesis_text"] == "a <b>feline</b> sat"


def test_several_metrics_may_choose_other_segments(examples: Path, tmp_path: Path) -> None:
    texts = [str(examples / f"{name}.txt") for name in ("reference", "system-b")]
    page = tmp_path / "why.html"
    metrics = ["-m", "tesla-m", "ter", "--worst", "2", "-l", "en"]
    assert (
        main(["explain", texts[0], "-i", texts[1], *metrics, "--format", "html", "-o", str(page)])
        == 0
    )
    content = overview(page.read_text("utf-8"))
    assert [metric["name"] for metric in content["metrics"]] == ["tesla-m", "ter"]
    assert [metric["higherIsBetter"] for metric in content["metrics"]] == [True, False]
    assert content["systems"] == ["system-b"]
    assert content["lang"] == "en"
    explained = shown(page.read_text("utf-8"))
    assert [cell[0] for cell, _ in explained] == [0, 0, 1, 1]
    assert {cell[2] for cell, _ in explained} == set(range(len(content["segmentNumbers"])))
