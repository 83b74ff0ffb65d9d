"""Makes the table of the probability that raters prefer what accord scores higher.

METAPHRASE_DATA=... python -m training.accord.preference FOLDS SCORES [--save FILE]

FOLDS has the models that were learned without a set (``python -m training.accord … --folds FOLDS``); what
they say of that set is kept in SCORES. FILE is src/metaphrase/models/preference/accord.json.

WMT 2024's ratings have no licence for more than experiments, and are the only ones of output of large
language models. So nothing is learned from them, neither weights nor the table: they test both.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from training.accord.__main__ import TAGGED
from training.english.treebank import data_path

from metaphrase.corpus.judgements import JudgedText, Judgements
from metaphrase.learning.accord.preference import (
    Comparisons,
    PairedSystems,
    comparisons,
    fit_preferences,
)
from metaphrase.meta import read_judgements, score_judged
from metaphrase.meta.judged_scores import document_numbers
from metaphrase.meta.measures import preferences
from metaphrase.metrics.accord.metric import Accord
from metaphrase.trained.accord_model import AccordModel

LICENCE = "Counts of published judgements of WMT and others; Apache-2.0, as the package."
#: Sets with several systems on the same segments, by the year of the judgements.
SCORED = {
    "daseg13.en.tsv.gz": 2013,
    "wmt17da.zh.tsv.gz": 2017,
    "wmt21da.en.tsv.gz": 2021,
    "nt21mqm.en.tsv.gz": 2021,
    "tedmqm.en.tsv.gz": 2021,
    "biomqm.en.tsv.gz": 2021,
    "biomqm.zh.tsv.gz": 2021,
}
RANKED = {
    "wmt08deen.rank.jsonl.gz": 2008,
    "wmt10deen.rank.jsonl.gz": 2010,
    "wmt12.rank.jsonl.gz": 2012,
    "wmt13fren.rank.jsonl.gz": 2013,
    "wmt15.rank.jsonl.gz": 2015,
}
#: The year from which test sets are called new: neural systems, whose errors are others.
NEW = 2021
#: Only ever a test.
UNSEEN, UNSEEN_YEAR = "wmt24esa.cs.spans.jsonl.gz", 2024
YEARS = {file.partition(".")[0]: year for file, year in (SCORED | RANKED).items()} | {
    UNSEEN.partition(".")[0]: UNSEEN_YEAR
}
#: Points of MQM and ESA for an error.
_POINTS = {"minor": 1.0, "major": 5.0, "critical": 25.0}
#: A system that says what a reference says in more than this share of segments is that reference.
_REFERENCE = 0.5


def model_for(judged: Judgements, folds: Path) -> str:
    """The model of the language that was learned without the set."""
    plan = judged.target if judged.target in ("en", "zh", *TAGGED) else "any"
    if judged.name == UNSEEN.partition(".")[0]:
        return plan
    return f"file:{folds / f'{plan}-without-{judged.name}.json'}"


def judged_sets() -> Iterator[Judgements]:
    """Every set, language pair by language pair."""
    for file in (*SCORED, *RANKED):
        yield from read_judgements(data_path() / "judgements" / file).values()
    yield read_rated_spans(data_path() / "spans" / UNSEEN)


def read_rated_spans(path: Path) -> Judgements:
    """Marked errors as judgements: points lost, the mean of raters."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream]
    systems = tuple(sorted({row["system"] for row in rows}))
    documents = {row["seg"]: row["doc"] for row in rows}
    segments = tuple(documents)
    human = np.full((len(systems), len(segments)), np.nan)
    text_of = np.full(human.shape, -1, dtype=np.int32)
    texts: dict[JudgedText, int] = {}
    for row in rows:
        place = systems.index(row["system"]), segments.index(row["seg"])
        text = JudgedText(row["hypothesis"], tuple(row["references"]), row["source"])
        text_of[place] = texts.setdefault(text, len(texts))
        lost = [
            sum(_POINTS.get(span["severity"], 0.0) for span in rating["spans"])
            for rating in row["ratings"]
        ]
        human[place] = -float(np.mean(lost))
    return Judgements(
        rows[0]["set"],
        rows[0]["lp"],
        systems,
        segments,
        tuple(documents.values()),
        tuple(texts),
        text_of,
        human,
    )


def scores_of(judged: Judgements, folds: Path, kept: Path) -> np.ndarray:
    """Systems × segments, by a model that has not seen the set."""
    path = kept / f"{judged.name}.{judged.language_pair}.npy"
    if not path.exists():
        print(f"{judged.name} {judged.language_pair}: {len(judged.texts)} texts", flush=True)
        metric = Accord(lang=judged.target, model=model_for(judged, folds))
        np.save(path, score_judged(judged, metric, threads=1).segment)
    return np.load(path)


def paired_systems(judged: Judgements, scores: np.ndarray) -> Iterator[PairedSystems]:
    """Every two systems, on what both were judged; those that are a reference are left out."""
    document = document_numbers(judged)
    kept = [place for place in range(len(judged.systems)) if not _is_reference(judged, place)]
    chosen = preferences(judged) if judged.is_ranked else None
    for number, one in enumerate(kept):
        for other in kept[number + 1 :]:
            if chosen is None:
                human = judged.human[one] - judged.human[other]
            else:
                human = np.full(len(judged.segments), np.nan)
                for first, second, sign in ((one, other, 1), (other, one, -1)):
                    rows = (chosen.first == first) & (chosen.second == second)
                    places = chosen.segment[rows]
                    human[places] = np.nan_to_num(human[places])
                    np.add.at(human, places, sign * chosen.order[rows])
            metric = scores[one] - scores[other]
            both = np.flatnonzero(~np.isnan(human) & ~np.isnan(metric))
            if len(both):
                yield PairedSystems(
                    judged.name, judged.language_pair, metric[both], human[both], document[both]
                )


def _is_reference(judged: Judgements, system: int) -> bool:
    texts = [judged.texts[place] for place in judged.text_of[system].tolist() if place >= 0]
    return sum(one.hypothesis in one.references for one in texts) > _REFERENCE * len(texts)


def all_pairs(folds: Path, kept: Path) -> list[PairedSystems]:
    """The pairs of systems of all sets."""
    kept.mkdir(parents=True, exist_ok=True)
    return [
        pair
        for judged in judged_sets()
        for pair in paired_systems(judged, scores_of(judged, folds, kept))
    ]


def learned_from(found: Comparisons) -> Comparisons:
    """What the table is made of: the newest sets, since raters found more in older, worse translations."""
    return found.select(found.of_sets([name for name, year in YEARS.items() if year == NEW]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folds", type=Path)
    parser.add_argument("scores", type=Path)
    parser.add_argument("--save", type=Path)
    options = parser.parse_args()
    pairs = all_pairs(options.folds, options.scores)
    found = learned_from(comparisons(pairs))
    table = fit_preferences(
        found,
        name="accord",
        models=[name for name in AccordModel.shipped() if "+" not in name],
        calibrated_on=f"WMT {NEW}",
        licence=LICENCE,
    )
    learned = {found.name[place] for place in set(found.of.tolist())}
    sets = Counter(f"{one.name} {one.language_pair}" for one in pairs if one.name in learned)
    table = replace(table, training={"pairs of systems": dict(sets), "comparisons": len(found.of)})
    print(table)
    if options.save:
        table.save(options.save)


if __name__ == "__main__":
    main()
