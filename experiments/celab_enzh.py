"""TESLA-CELAB beside character BLEU, chrF and word-level TESLA-M, English to Chinese.

``python -m experiments.celab_enzh`` with METAPHRASE_DATA set and the extra ``zh`` installed. What can be
chosen (which lines of Cilin count, how similarity falls with the distance of codes) is chosen on one of the
two sets and reported on the other; document frequencies are counted in a third.
"""

from __future__ import annotations

import csv
import gzip
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from experiments.frame import Data, Experiment, data_directory, remembered, run
from metaphrase import analysis
from metaphrase.meta import Judgements, Measure
from metaphrase.metrics import create

WMT17 = Data("wmt17da.zh.tsv.gz", target="zh")
BIOMQM = Data("biomqm.zh.tsv.gz", target="zh")
BOTH = (WMT17, BIOMQM)
FREQUENCIES = "mlqepe.zh.txt"

LINES = ("celab:line_types==", "celab:line_types==#", "celab:level=4:line_types==#")
#: Similarity at 5, 4 and 3 common levels of codes: falling by steps or by halves, from the line or the word.
LADDERS = {
    "steps from the line": "1,0.8,0.6",
    "halves from the line": "1,0.5,0.25",
    "steps from the word": "0.8,0.6,0.4",
    "halves from the word": "0.5,0.25,0.125",
}
METRICS = (
    "celab",
    "celab:dictionary=none",
    "celab:similarity=graded",
    f"celab:weights=df:{FREQUENCIES}",
    f"celab:similarity=graded:weights=df:{FREQUENCIES}",
    "bleu",
    "chrf",
)
RIVALS = (
    ("celab", "bleu"),
    ("celab", "chrf"),
    ("celab", "celab:dictionary=none"),
    ("celab:similarity=graded", "celab"),
    (f"celab:weights=df:{FREQUENCIES}", "celab"),
)


def write_frequencies() -> None:
    """The references of mlqepe.zh, which no table here reports on, as a text in the current directory."""
    path = data_directory() / "judgements" / "mlqepe.zh.tsv.gz"
    with (
        gzip.open(path, "rt", encoding="utf-8", newline="") as lines,
        Path(FREQUENCIES).open("w", encoding="utf-8") as text,
    ):
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            text.write(row["references"].split(" ||| ")[0] + "\n")


def segment_scores(data: Data, metric: str) -> tuple[np.ndarray, Judgements]:
    (judged,) = data.judgements()
    return remembered(data.fingerprint, judged, create(metric, lang="zh")).segment, judged


def pearson(data: Data, metric: str) -> float:
    scores, judged = segment_scores(data, metric)
    known = ~np.isnan(judged.human)
    return float(np.corrcoef(scores[known], judged.human[known])[0, 1])


def choose(title: str, candidates: dict[str, str]) -> None:
    """The candidate with the highest segment-level r on one set, and its r on the other."""
    for chosen_on, reported_on in (BOTH, BOTH[::-1]):
        values = {name: pearson(chosen_on, metric) for name, metric in candidates.items()}
        best = max(values, key=values.__getitem__)
        listed = ", ".join(f"{name} {value:.4f}" for name, value in values.items())
        value = pearson(reported_on, candidates[best])
        print(
            f"{title} chosen on {chosen_on.file}: {best} ({listed}); {reported_on.file}: {value:.4f}"
        )


def paired_bootstrap(data: Data, ours: str, theirs: str, *, resamples: int = 1000) -> None:
    """The 95 % interval of the difference of two segment-level r, resampling segments with all systems."""
    (scores, judged), (rival, _) = (segment_scores(data, metric) for metric in (ours, theirs))
    generator = np.random.default_rng(1)
    differences = []
    for _ in range(resamples):
        drawn = generator.integers(0, scores.shape[1], scores.shape[1])
        human = judged.human[:, drawn]
        known = ~np.isnan(human)
        r = [np.corrcoef(s[:, drawn][known], human[known])[0, 1] for s in (scores, rival)]
        differences.append(r[0] - r[1])
    low, high = np.percentile(differences, [2.5, 97.5])
    print(f"{data.file}: r({ours}) - r({theirs}) is within {low:+.3f} to {high:+.3f}")


def experiments() -> list[Experiment]:
    metrics = METRICS
    if "builtin:zh" in analysis.available():
        metrics = (*metrics, "tesla-m:synonyms=cilin")
    else:
        print("word-level TESLA-M is left out: there is no analyser of Chinese words (builtin:zh).")
    tables = {
        "celab-segments": (BOTH, Measure(name="pearson"), "segments, Pearson's r"),
        "celab-kendall": (BOTH, Measure(name="kendall"), "segments, Kendall's τ-b"),
        "celab-consistency": (BOTH, Measure(name="consistency"), "segments, pairwise consistency"),
        "celab-documents": ((BIOMQM,), Measure(name="pearson", level="document"), "documents"),
        "celab-systems": (BOTH, Measure(name="pearson", level="system"), "systems, Pearson's r"),
        "celab-spearman": (BOTH, Measure(name="spearman", level="system"), "systems, Spearman's ρ"),
    }
    return [
        Experiment(
            name,
            f"TESLA-CELAB into Chinese: {title}",
            data,
            metrics if name != "celab-segments" else (*metrics, *LINES[1:]),
            measure=lambda _, chosen=measure: chosen,
            remark=REMARK if name == "celab-segments" else "",
        )
        for name, (data, measure, title) in tables.items()
    ]


REMARK = (
    "Lines of type `=` are the default: they agree better than `=#` and than four levels on either "
    "set, so whichever set chooses, the other confirms it (biomqm .2324, .2319, .2300, where the first "
    "two do not differ significantly; wmt17da .6986, .6944, .6724).\n"
    "\n"
    "`similarity=graded` halves similarity with each step between codes, the best of four ladders on "
    "biomqm (.2339; the others .2289, .2312, .2315). On wmt17da it has .690, below the published metric "
    "and below .70; the ladder that wmt17da itself would choose has .694. Coarser classes of Cilin cost "
    "agreement there with any share we tried, so grading them does not help. Document frequencies, "
    "counted in a third set (mlqepe.zh), do: .706 without and .699 with graded similarities.\n"
    "\n"
    "What was compared was not chosen blindly: some seventy settings (ladders, ambiguity of words, "
    "folding of width and case, weights, orders) had been tried on both sets before, and the four "
    "ladders and the weights were picked from them. So the choice among the ladders is crossed, the "
    "list is not, and .706 is the better of two kinds of weights as seen on these very sets. Seen as "
    "well, and not adopted: `order=3` (.711 on wmt17da, .228 on biomqm) and folding full and half "
    "width (.712, .221), which gain on the one set and lose on the other.\n"
    "\n"
    "Paired bootstrap over segments (1,000 resamples), 95 % interval of the difference of r on wmt17da: "
    "CELAB above BLEU by .041 to .093, above chrF by .057 to .124, above CELAB− by .015 to .058; graded "
    "−.020 to +.002 and document frequencies −.004 to +.019 beside CELAB. On biomqm no difference from "
    "zero. Latin words are whole tokens here; cut into letters, biomqm has .238 and wmt17da .692."
)


def main() -> None:
    os.environ["METAPHRASE_DATA"] = str(data_directory().resolve())
    with TemporaryDirectory() as directory:
        os.chdir(directory)
        write_frequencies()
        choose("line types", {metric: metric for metric in LINES})
        choose("ladder", {n: f"celab:similarity={numbers}" for n, numbers in LADDERS.items()})
        for data in BOTH:
            for ours, theirs in RIVALS:
                paired_bootstrap(data, ours, theirs)
        run(experiments())


if __name__ == "__main__":
    main()
