"""Edit machines beside metrics that learn from the same scores, and on judgements of other kinds.

``python -m experiments.ppda [round-robin] [transfer] [paper] [paper-unseen]`` with METAPHRASE_DATA set;
without arguments it runs them all. METEOR, in the first two, needs Java and ``pip install pycocoevalcap``.
What a machine predicts for a language pair that was held out is kept, so that an interrupted run goes on
where it was.

``round-robin`` redoes Tables 1 to 3 of Wang & Manning (EMNLP 2012) on direct assessments: one table from
the smallest machine to the largest, beside the regressed baselines. ``transfer`` tests the models that ship,
trained on the same assessments, on rankings of segments that they have seen nothing of. ``paper``
has the variants ``:paper`` beside the defaults, ``paper-unseen`` on a set that no model was trained on.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import monotonic

import numpy as np

import experiments.meteor  # noqa: F401  (makes meteor-1.5 known)
from experiments.frame import Data, Experiment, Floats, kept, publish, remembered
from experiments.regressed import baselines
from experiments.round_robin import (
    DATA,
    RESAMPLES,
    Fold,
    RoundRobin,
    held_out_table,
    predicted_scores,
    round_robin,
)
from metaphrase import __version__, analysis, lexicon
from metaphrase.learning.edit_machines.data import TrainingData
from metaphrase.learning.edit_machines.regression import Progress
from metaphrase.learning.edit_machines.training import (
    FitOptions,
    predictions,
    train_edit_machine,
    training_pairs,
)
from metaphrase.learning.edit_machines.validation import chosen_pairs
from metaphrase.matching.edit_machine import MachineOptions
from metaphrase.matching.edit_pairs import EditPairs
from metaphrase.matching.substitutions import SubstitutionOptions, columns
from metaphrase.meta import JudgedScores, Judgements, agreement_table
from metaphrase.metrics import create
from metaphrase.trained.edit_model import EditModel

FIT = FitOptions()
#: Metrics that do not learn, as they are.
BESIDE = ("tesla-m", "cobalt")
THREADS = os.cpu_count() or 1


def machine(
    jump: int = 0,
    *,
    block: int = 2,
    synonyms: bool = False,
    paraphrases: bool = False,
    tree: bool = False,
) -> EditModel:
    """A machine that has not learnt anything yet."""
    return EditModel(
        name="untrained",
        weights={},
        alpha=0.0,
        machine=MachineOptions(max_jump=jump),
        substitutions=SubstitutionOptions(max_block=block, dependencies=tree),
        synonyms="wordnet" if synonyms else "none",
        paraphrases="paraphrases" if paraphrases else "none",
    )


#: Tables 1 (blocks), 2 (jumps) and 3 (features) of the paper.
MACHINES = {
    "pFSM, n = 1": machine(block=1),
    "pFSM, n = 2": machine(),
    **{f"pPDA, d = {d}": machine(d) for d in (1, 2, 5, 10)},
    "pPDA, d = 5, synonyms": machine(5, synonyms=True),
    "pPDA, d = 5, tree": machine(5, tree=True),
    "pPDA, d = 5, paraphrases": machine(5, paraphrases=True),
    "pPDA+f, d = 5": machine(5, synonyms=True, paraphrases=True, tree=True),
}
ROUND_ROBIN_REMARK = (
    "pPDA+f is above regressed METEOR on average (ρ .590 to .582, r .623 to .608), on five pairs of "
    "six by r and on four by ρ; all five baselines in one regression are above it. Jumps help where "
    "word order differs most (Turkish), and more with distance; synonyms help, and paraphrases most; "
    "dependencies hardly matter, and blocks of two words do not. Training rows that share a reference"
    " with the pair held out are left out. λ = 5 and all other settings are the paper's; none was "
    "chosen here. But daseg16 was one of three sets by which the table of paraphrases was chosen, "
    "with another metric (models/paraphrases-en.md), so that paraphrases may look a little better "
    "here than they are."
)

#: Those of the paper that need no Java; METEOR's regression stands in the table of the round robin.
PAPER_BASELINES = ("bleu", "nist", "ter")
PAPER_REMARK = (
    "All machines are trained and tested on texts as they are. `:paper` is trained as the paper says, by "
    "L-BFGS, with Porter's first stemmer and, but in pPDA+f, without blocks of two words; between pFSM and "
    "its `:paper` stands one of these at a time. The optimiser finds the same minimum, the stemmer changes "
    "nothing, and blocks cost 0.001: the defaults gain nothing on the paper. BLEU, NIST and TER are "
    "regressed as the paper's baselines are, METEOR in the first table of this page; the paper's entailment "
    "baseline (RTE) is not available. As in the paper jumps help in the mean, and so do features."
)
NAMES = ("pfsm", "ppda", "ppda+f")
UNSEEN_REMARK = (
    "With texts as they are the models as published are as good as the defaults. Normalising changes 17 of "
    "1,120 scores; what the mean gains by it comes from ru-en alone, which has 70 judgements, and es-en, "
    "which has 840, loses 0.001."
)


@dataclass(frozen=True, slots=True, eq=False)
class Machines:
    """Predictions of machines for every fold of a round robin."""

    data: RoundRobin

    def scores(self, name: str, model: EditModel, fit: FitOptions = FIT) -> list[JudgedScores]:
        """The predictions of a kind of machine for each fold, by models trained on the others."""
        pairs: EditPairs | None = None
        found = []
        for fold in self.data.folds:

            def predict(fold: Fold = fold) -> dict[str, Floats]:
                nonlocal pairs
                if pairs is None:
                    pairs = training_pairs(model, self._rows(), threads=THREADS)
                return {"predicted": self._predict(name, model, fit, pairs, fold)}

            kept_under = f"{self._key(model, fit)}\t{fold.judged.language_pair}"
            found.append(predicted_scores(name, kept(kept_under, predict)["predicted"]))
        return found

    def _predict(
        self, name: str, model: EditModel, fit: FitOptions, pairs: EditPairs, fold: Fold
    ) -> Floats:
        label = f"{name}, without {fold.judged.language_pair}"
        started = monotonic()

        def report(progress: Progress) -> None:
            _say(f"{label}: step {progress.iteration}, {progress.objective:.6g}")

        trained = train_edit_machine(
            model,
            chosen_pairs(pairs, fold.training),
            self.data.human[fold.training],
            options=fit,
            threads=THREADS,
            report=report,
        )
        _say(f"{label}: trained in {monotonic() - started:.0f} s")
        return predictions(trained, chosen_pairs(pairs, fold.rows), threads=THREADS)

    def _rows(self) -> TrainingData:
        texts = self.data.texts
        names = [fold.judged.language_pair for fold in self.data.folds]
        return TrainingData(
            hypotheses=[text.hypothesis for text in texts],
            references=[text.references[0] for text in texts],
            targets=self.data.human,
            judgement=np.arange(len(texts)),
            sets=[fold.judged.name for fold in self.data.folds for _ in fold.rows],
            language_pairs=[names[number] for number in self.data.group],
            sources=(),
        )

    def _key(self, model: EditModel, fit: FitOptions) -> str:
        """All that predictions depend on, but for the fold."""
        analyser = analysis.shared(model.analyser)
        resources = (
            analyser.fingerprint(columns(model.substitutions)),
            lexicon.load(model.synonyms).fingerprint,
            lexicon.load_paraphrases(model.paraphrases).fingerprint,
        )
        return "\t".join(
            [
                "edit machine",
                __version__,
                self.data.fingerprint,
                model.fingerprint,
                repr(fit),
                *resources,
            ]
        )


def shipped(name: str) -> tuple[EditModel, FitOptions]:
    """The machine of a model that ships, without what it has learnt, and how it was trained."""
    model = EditModel.shipped(name)
    fit = FitOptions(optimiser=model.training["optimiser"])
    return replace(model, name="untrained", weights={}, alpha=0.0, training={}), fit


def with_stemmer(model: EditModel, lemmas: str) -> EditModel:
    """The machine with other stems."""
    return replace(model, substitutions=replace(model.substitutions, lemmas=lemmas))


def paper_machines() -> dict[str, tuple[EditModel, FitOptions]]:
    """The defaults beside the variants ``:paper``, and what lies between one thing at a time."""
    return {
        "pfsm": shipped("pfsm"),
        "pfsm, n = 1": (machine(block=1), FIT),
        "pfsm, Porter's first stemmer": (with_stemmer(machine(), "porter"), FIT),
        "pfsm, L-BFGS": (machine(), replace(FIT, optimiser="lbfgs")),
        "pfsm:paper": shipped("pfsm-paper"),
        "ppda": shipped("ppda"),
        "ppda, n = 1": (machine(5, block=1), FIT),
        "ppda:paper": shipped("ppda-paper"),
        "ppda+f": shipped("ppda+f"),
        "ppda+f:paper": shipped("ppda+f-paper"),
    }


def run_paper() -> None:
    data = round_robin()
    rows = baselines(data, PAPER_BASELINES)
    machines = Machines(data)
    for name, (model, fit) in paper_machines().items():
        _say(name)
        rows[name] = machines.scores(name, model, fit)
    publish(
        "ppda-paper",
        "The defaults beside `:paper`, each language pair held out in turn",
        held_out_table(data.folds, rows),
        DATA,
        remark=PAPER_REMARK,
        tests=f"{RESAMPLES} resamples",
    )


def run_round_robin() -> None:
    data = round_robin()
    rows = baselines(data)
    for name in BESIDE:
        metric = create(name)
        rows[name] = [remembered(data.fingerprint, fold.judged, metric) for fold in data.folds]
    machines = Machines(data)
    for name, model in MACHINES.items():
        _say(name)
        rows[name] = machines.scores(name, model)
    publish(
        "ppda-round-robin",
        "pFSM and pPDA beside regressed baselines, each language pair held out in turn",
        held_out_table(data.folds, rows),
        DATA,
        remark=ROUND_ROBIN_REMARK,
        tests=f"{RESAMPLES} resamples",
    )


WMT15 = Data("wmt15.rank.jsonl.gz")
TRANSFERRED = ("pfsm", "ppda", "ppda+f", "bleu", "chrf", "meteor-1.5", "cobalt", "tesla-m")
TRANSFER_REMARK = (
    "The models were trained on daseg15 and daseg16. The segments of daseg15 are of the same test set as "
    "wmt15, whose people ranked systems: two in five of its segments have a reference that was trained on, "
    "with the score of one of its translations. Those are left out here. pPDA+f is above chrF by little, and "
    "level with Cobalt, which learnt nothing."
)


def run_transfer() -> None:
    seen = {text.references for text in round_robin().texts}
    table = agreement_table(
        [unseen(one, seen) for one in WMT15.judgements()],
        TRANSFERRED,
        resamples=RESAMPLES,
        threads=THREADS,
        scorer=lambda one, metric: remembered(WMT15.fingerprint, one, metric),
        progress=_say,
    )
    publish(
        "ppda-transfer",
        "pFSM and pPDA on segments of wmt15 that they have seen nothing of",
        table,
        (WMT15,),
        remark=TRANSFER_REMARK,
        tests=f"{RESAMPLES} resamples",
    )


def unseen(judged: Judgements, seen: set[tuple[str, ...]]) -> Judgements:
    """The rankings of segments without a reference that was trained on."""
    texts = judged.text_of.max(axis=0)
    known = [judged.texts[place].references in seen for place in texts.tolist()]
    return replace(
        judged,
        name=f"{judged.name}, unseen",
        rankings=tuple(one for one in judged.rankings if not known[one.segment]),
    )


PAPER_UNSEEN = Experiment(
    "ppda-paper-unseen",
    "The defaults beside `:paper` on a set that no model was trained on",
    (Data("daseg13.en.tsv.gz"),),
    tuple(f"{name}{variant}" for name in NAMES for variant in ("", ":normalise=no", ":paper")),
    remark=UNSEEN_REMARK,
)
PARTS = {
    "round-robin": run_round_robin,
    "transfer": run_transfer,
    "paper": run_paper,
    "paper-unseen": PAPER_UNSEEN.run,
}


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def main(arguments: Sequence[str]) -> None:
    unknown = [name for name in arguments if name not in PARTS]
    if unknown:
        sys.exit(f"There is no part {unknown[0]!r}: choose from {', '.join(PARTS)}.")
    for name in arguments or PARTS:
        PARTS[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
