"""The future work that UPF-Cobalt's paper names, measured: docs/results/cobalt.md by one command.

``python -m experiments.cobalt_future [phrases] [fluency] [errors]`` with METAPHRASE_DATA set: links between
phrases, a term for fluency, and errors classified by the alignment itself. METAPHRASE_PHRASES names a second
table of phrases, as the option ``phrases`` takes it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

from experiments.frame import Data, Experiment, fingerprint, replace_section, run
from experiments.spans import SETS, calibrated, described, graded, grid, kinds, section
from metaphrase import __version__
from metaphrase.corpus.ratings import Ratings
from metaphrase.meta import span_agreement
from metaphrase.metrics.cobalt.errors import aligned_errors
from metaphrase.metrics.cobalt.metric import Cobalt
from metaphrase.metrics.repairs import SEVERITIES, RepairedSegment

#: The shipped paraphrases were chosen on daseg16, and so was the weight of fluency: the others are tests.
CHOSEN_ON = (Data("daseg16.en.tsv.gz"),)
TESTS = tuple(
    Data(name)
    for name in (
        "daseg15.en.tsv.gz",
        "wmt13fren.rank.jsonl.gz",
        "wmt15.rank.jsonl.gz",
        "wmt21da.en.tsv.gz",
    )
)
PHRASES = ""
FLUENCY = ""
ERRORS = ""
OWN = "cobalt, by its alignment"


def phrases() -> None:
    table = os.environ.get("METAPHRASE_PHRASES")
    names = [
        "cobalt",
        "cobalt:phrases=paraphrases",
        *([f"cobalt:phrases={table}"] if table else []),
    ]
    title = "Future work of the paper: links between phrases"
    run([Experiment("cobalt-phrases", title, TESTS + CHOSEN_ON, tuple(names), remark=PHRASES)])


def fluency() -> None:
    names = ("cobalt", "cobalt:fluency=shipped")
    title = "Future work of the paper: fluency"
    run([Experiment("cobalt-fluency", title, TESTS + CHOSEN_ON, names, remark=FLUENCY)])


def errors() -> None:
    """Beside the baselines of ``meta --spans``; rows of repairs are those of docs/results/spans.md."""
    sets = [one for one in SETS if one.language == "en"]
    metric = Cobalt()
    golds = {one.name: one.gold(None) for one in sets}
    found = {name: dict(own_errors(gold, metric)) for name, gold in golds.items()}
    grids = {name: grid(gold, found[name], metric) for name, gold in golds.items()}
    lines = ["## Future work of the paper: classification of errors", ""]
    for one in sets:
        gold, segments = golds[one.name], found[one.name]
        own = calibrated([grids[other] for other in one.calibrated_on])
        chosen = {OWN: own, f"{OWN}, as shipped": SEVERITIES}
        marked = {name: graded(gold, segments, metric, one) for name, one in chosen.items()}
        table = span_agreement(gold, marked, resamples=1000, threads=os.cpu_count() or 1)
        said = {name: described(severities) for name, severities in chosen.items()}
        lines += section(one, table, said)
        if table.categories:
            lines += [f"**Kinds of errors: {one.title}**", "", *kinds(table, OWN)]
    files = ", ".join(f"{one.path.name} ({fingerprint(one.path)})" for one in sets)
    lines += [ERRORS, "", f"metaphrase {__version__}, 1,000 resamples; data: {files}."]
    replace_section("cobalt-errors", lines)


def own_errors(gold: Ratings, metric: Cobalt) -> Iterator[tuple[str, RepairedSegment]]:
    """Of each translation beside the reference that it scores best with."""
    for item in gold.items.values():
        views = (metric._view(item.hypothesis, text) for text in item.references)
        best = max(views, key=lambda one: one.score)
        yield item.id, aligned_errors(best, metric.alpha)


EXPERIMENTS = {"phrases": phrases, "fluency": fluency, "errors": errors}

if __name__ == "__main__":
    for name in sys.argv[1:] or EXPERIMENTS:
        EXPERIMENTS[name]()
