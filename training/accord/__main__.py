"""Trains the models of accord that ship, and says how each set is predicted by a model of the others.

METAPHRASE_DATA=... python -m training.accord FOLDER [NAME ...] [--folds FOLDER] [--encoders FOLDER]

FOLDER is src/metaphrase/models/accord; models that were learned without a set go to that of --folds. The data
are all judgements that there are, and corrupted texts made from them (``corruption.py``); what each model
learns from is said below. The same data give the same bytes. Takes half an hour.

Contextual embeddings of a set are those of an encoder that was adapted without it: FOLDER of --encoders has
one for each group of sets, GROUP.encoder (``training/encoder``). Without FOLDER they are those of the encoder
that ships, which has learned from all sets: only for ``en``, which does not look at them.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from training.accord.corruption import corrupted_set
from training.encoder.years import group_of
from training.english.treebank import data_path

from metaphrase.corpus.judgements import Judgements
from metaphrase.learning.accord import (
    JudgedLosses,
    Recipe,
    Untrained,
    coverages,
    judged_losses,
    train_accord,
    validate,
)
from metaphrase.learning.accord.calibration import HeldOut, calibrate
from metaphrase.learning.accord.error_points import fit_points, rated_points
from metaphrase.learning.accord.training import named_weights
from metaphrase.meta import read_judgements
from metaphrase.metrics.accord.features import losses_of
from metaphrase.trained.accord_model import AccordModel, ErrorPoints
from metaphrase.trained.pretrained_encoder import load_pretrained

LICENCE = "Weights from published judgements of WMT and others; Apache-2.0, as the package."
FILES = (
    *("daseg13.en.tsv.gz", "daseg15.en.tsv.gz", "daseg16.en.tsv.gz", "mlqe_etmr.en.tsv.gz"),
    *("tradopad.en.tsv.gz", "wmt21da.en.tsv.gz", "nt21mqm.en.tsv.gz", "tedmqm.en.tsv.gz"),
    *("biomqm.en.tsv.gz", "wmt17da.zh.tsv.gz", "biomqm.zh.tsv.gz", "mlqepe.zh.tsv.gz"),
    *("wmt08deen.rank.jsonl.gz", "wmt10deen.rank.jsonl.gz", "wmt12.rank.jsonl.gz"),
    *("wmt13fren.rank.jsonl.gz", "wmt15.rank.jsonl.gz"),
)
#: Scores that are the mean of many raters.
MANY_JUDGES = ("daseg13", "daseg15", "daseg16", "mlqe_etmr", "tradopad")
#: Scores that are penalty points of MQM.
POINTS = ("nt21mqm", "tedmqm", "biomqm")
TAGGED = ("de", "fr", "es", "cs")


#: What every language has, and what English has.
EVERYWHERE = ("surface", "form", "facts", "denials", "spelling")
ENGLISH = (
    *("surface", "form", "facts", "spelling", "alignment", "meaning", "tags", "fluency", "vectors"),
)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a model is learnt from: sets by their target language and kind, and families of losses."""

    families: tuple[str, ...]
    learns: Callable[[JudgedLosses], bool]
    measured: Callable[[JudgedLosses | HeldOut], bool]
    #: Target languages whose texts are corrupted; all if there are none.
    corrupts: tuple[str, ...] = ()

    def takes(self, judged: JudgedLosses) -> bool:
        """Whether the model learns from a set, judged or corrupted."""
        if judged.corrupted:
            return not self.corrupts or target(judged) in self.corrupts
        return self.learns(judged)


def target(judged: JudgedLosses | HeldOut) -> str:
    return judged.language_pair.rpartition("-")[2]


PLANS = {
    # All that there is of English, by all that can be known of it.
    "en": Plan(
        ENGLISH,
        lambda one: target(one) == "en",
        lambda one: target(one) == "en",
        ("en",),
    ),
    # The same, with contextual embeddings.
    "en+context": Plan(
        (*ENGLISH, "context"),
        lambda one: target(one) == "en",
        lambda one: target(one) == "en",
        ("en",),
    ),
    # Rankings of all four languages and of English: those of one language are few.
    **{
        lang: Plan(
            (*EVERYWHERE, "tags", "fluency"),
            lambda one: one.is_ranked and target(one) in (*TAGGED, "en"),
            lambda one, lang=lang: target(one) == lang,
            (*TAGGED, "en"),
        )
        for lang in TAGGED
    },
    # Scores of Chinese and English, for the former are few, too.
    "zh": Plan(
        EVERYWHERE,
        lambda one: not one.is_ranked,
        lambda one: target(one) == "zh",
        ("zh",),
    ),
    # All rankings.
    "any": Plan(EVERYWHERE, lambda one: one.is_ranked, lambda one: target(one) != "en"),
}


#: What is as certain as a negation and hardly ever met, with the share of its weight that it has at least.
#: These and the next were chosen on all sets, as much as the correlation with raters allows.
FLOORS = {"antonym": 0.75, "roles": 1.0, "quantifier": 1.0, "name": 0.3, "measure": 0.3}
#: What some penalties weigh at least where there are no other signs of a changed meaning.
ELSEWHERE = {"number": 0.6, "denied": 0.25, "scrambled": 0.4}
#: Czech moves and negates words more freely.
FREER = {"cs": {"denied": 0.1}}
#: What chrF weighs at least: without, the models fall below it on biomqm and on wmt12.
CHRF = {"zh": 0.5, "cs": 0.5}
#: What corrupted texts count: in English the most that costs hardly any correlation with raters
#: (docs/results/accord.md), and less where rankings alone are learned from.
CORRUPTION = {"en": 0.006, "en+context": 0.012, "zh": 0.005}
CORRUPTION_OF_RANKINGS = 0.003


def recipe_of(name: str, names: Sequence[str]) -> Recipe:
    """The usual recipe, with floors for some penalties."""
    floors: list[tuple[int, float, int | None]] = []
    if "negation" in names:
        of = names.index("negation")
        floors += [(names.index(penalty), share, of) for penalty, share in FLOORS.items()]
        return Recipe(corruption=CORRUPTION[name], floors=tuple(floors))
    least = ELSEWHERE | FREER.get(name, {})
    floors += [(names.index(penalty), weight, None) for penalty, weight in least.items()]
    if name in CHRF:
        floors.append((names.index("chrf"), CHRF[name], None))
    count = CORRUPTION.get(name, CORRUPTION_OF_RANKINGS)
    return Recipe(corruption=count, floors=tuple(floors))


def untrained(judged: str, lang: str, encoders: Path | None) -> Untrained:
    """What computes the penalties of a set into a language."""
    if lang != "en":
        return Untrained(lang=lang)
    file = f"file:{encoders / group_of(judged)}.encoder" if encoders else "shipped"
    return Untrained(lang=lang, encoder=file)


@dataclass(frozen=True, slots=True)
class Known:
    """All penalties of all sets, and the sets that were rated by points of MQM."""

    sets: list[JudgedLosses]
    rated: dict[tuple[str, str], Judgements]

    def of(self, plan: Plan, encoders: Path | None = None) -> list[JudgedLosses]:
        """The sets of a plan, with the penalties that it looks at."""
        chosen = []
        for one in filter(plan.takes, self.sets):
            known = losses_of(untrained(one.name, target(one), encoders).families)
            columns = [known.index(loss) for loss in losses_of(plan.families)]
            chosen.append(replace(one, texts=one.texts[:, columns]))
        return chosen

    def points(
        self, learnt: Sequence[JudgedLosses], held_out: Sequence[HeldOut]
    ) -> ErrorPoints | None:
        """What lost points are worth in those of MQM; ``None`` if nobody rated by these."""
        losses = {(one.name, one.language_pair): one for one in learnt if not one.corrupted}
        sets = [
            rated_points(self.rated[key], losses[key], one)
            for one in held_out
            if (key := (one.name, one.language_pair)) in self.rated
        ]
        return fit_points(sets) if sets else None


def judged_sets(
    threads: int, targets: Callable[[str], bool], encoders: Path | None = None
) -> Known:
    """Every set into some languages, pair by pair, with the penalties of its translations."""
    sets, rated = [], {}
    for file in FILES:
        for pair, found in read_judgements(data_path() / "judgements" / file).items():
            if not targets(found.target):
                continue
            print(f"{file} {pair}: {len(found.texts)} texts", flush=True)
            metric = untrained(found.name, found.target, encoders)
            sets.append(judged_losses(found, metric, threads=threads))
            sets.append(corrupted_set(found, sets[-1], metric, threads=threads))
            if found.name in POINTS:
                rated[found.name, pair] = found
    return Known(sets, rated)


def learn(
    name: str,
    known: Known,
    folder: Path,
    folds: Path | None,
    encoders: Path | None,
) -> None:
    """One model, in a file, and those of its folds."""
    plan = PLANS[name]
    learnt = known.of(plan, encoders)
    names = losses_of(plan.families)
    recipe = recipe_of(name, names)
    validation = validate(learnt, recipe, progress=print)
    held_out = [one for one in validation.held_out if plan.measured(one)]
    agreements = {
        set_name: {
            pair: round(value, 4)
            for pair, value in pairs.items()
            if any((set_name, pair) == (one.name, one.language_pair) for one in held_out)
        }
        for set_name, pairs in validation.agreements.items()
    }
    agreements = {set_name: pairs for set_name, pairs in agreements.items() if pairs}
    for set_name, pairs in agreements.items():
        print(f"{name} without {set_name}: {np.mean(list(pairs.values())):.3f}", pairs, flush=True)
    scale, interval = calibrate(held_out)
    # Where nobody rated by points they are worth what they are in English.
    english = None if name == "en" else AccordModel.load(folder / "en.json").points
    points = known.points(learnt, held_out) or english
    covered: dict[str, dict[str, Any]] = {}
    for one, shares in coverages(held_out):
        covered[f"{one.name} {one.language_pair}"] = {
            what: [round(share, 3), count] for what, (share, count) in shares.items() if count
        }
    for what, shares in covered.items():
        print(f"{name} covers {what}: {shares}", flush=True)
    model = train_accord(
        learnt,
        names,
        scale,
        interval,
        recipe,
        name=name,
        lang="mul" if name == "any" else name.partition("+")[0],
        licence=LICENCE,
        points=points,
        encoder=load_pretrained("shipped", "en").fingerprint if "context" in plan.families else "",
        training={
            "judgements": {
                f"{one.name} {one.language_pair}": one.count for one in learnt if not one.corrupted
            },
            "corrupted texts": sum(one.count for one in learnt if one.corrupted),
            "agreement when left out": agreements,
            "within the interval": covered,
        },
    )
    model.save(folder / f"{name}.json")
    for left_out in agreements if folds else ():
        others = [one for one in held_out if one.name != left_out] or held_out
        scale, interval = calibrate(others)
        points = known.points(learnt, others) or english
        replace(
            model,
            name=f"{name} without {left_out}",
            features=named_weights(names, validation.weights[left_out]),
            scale=scale,
            interval=interval,
            points=points,
            training={},
        ).save(folds / f"{name}-without-{left_out}.json")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[*PLANS, []])
    parser.add_argument("--folds", type=Path)
    parser.add_argument("--encoders", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    names = options.names or [*PLANS]
    alone = all(name.partition("+")[0] == "en" for name in names)
    known = judged_sets(options.threads, lambda lang: lang == "en" or not alone, options.encoders)
    for name in names:
        learn(name, known, options.folder, options.folds, options.encoders)


if __name__ == "__main__":
    main()
