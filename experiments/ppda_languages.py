"""Edit machines out of English, where there are no absolute judgements but rankings.

``python -m experiments.ppda_languages`` with METAPHRASE_DATA set. ``metaphrase train pfsm`` takes scores only
(MP630). Here each translation that was ranked in wmt12 gets one: the share of its comparisons that it won
less the share that it lost. Machines that learn from these are tested on the rankings of wmt15.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from experiments.frame import Data, Floats, publish, remembered
from experiments.tesla import MEASURES
from metaphrase.learning.edit_machines.data import TrainingData
from metaphrase.learning.edit_machines.training import (
    predictions,
    train_edit_machine,
    training_pairs,
)
from metaphrase.matching.edit_machine import MachineOptions
from metaphrase.matching.substitutions import SubstitutionOptions
from metaphrase.meta import AgreementTable, JudgedScores, Judgements, agreement_column
from metaphrase.metrics import create
from metaphrase.trained.edit_model import EditModel

LANGUAGES = ("de", "fr", "cs")
MACHINES = {"pFSM": 0, "pPDA, d = 5": 5}
RIVALS = ("bleu", "chrf", "tesla-m")
THREADS = os.cpu_count() or 1
RESAMPLES = 1000
REMARK = (
    "Machines learn from wmt12 (6,385 German, 5,998 French and 8,315 Czech translations, each with the share "
    "of its comparisons that it won less the share that it lost), without synonyms, paraphrases and "
    "dependencies, and with λ = 5 and all else as into English; nothing was chosen. They reproduce more "
    "preferences than BLEU and TESLA-M and fewer than chrF, which sees inflection; jumps change next to "
    "nothing. As everywhere a deletion costs more than an insertion, but by far less than into English."
)


def machine(lang: str, max_jump: int) -> EditModel:
    """A machine that has learned nothing yet; Porter's stems are English, so lemmas are the analyser's."""
    return EditModel(
        name="untrained",
        weights={},
        alpha=0.0,
        machine=MachineOptions(max_jump=max_jump),
        substitutions=SubstitutionOptions(lemmas="lemma"),
        synonyms="none",
        paraphrases="none",
        analyser=f"builtin:{lang}",
        lang=lang,
    )


def net_wins(judged: Judgements) -> Floats:
    """For each text the share of its comparisons that it won less the share that it lost; NaN without any."""
    won = np.zeros(len(judged.texts))
    compared = np.zeros(len(judged.texts))
    for one, other, sign in _comparisons(judged):
        won[one] += sign
        won[other] -= sign
        compared[[one, other]] += 1
    return np.where(compared > 0, won / np.maximum(compared, 1), np.nan)


def _comparisons(judged: Judgements) -> Iterator[tuple[int, int, int]]:
    for ranking in judged.rankings:
        # Systems with the same text are one item, and compared once.
        ranks = {
            int(judged.text_of[system, ranking.segment]): rank
            for system, rank in zip(ranking.systems, ranking.ranks, strict=True)
        }
        for (one, rank), (other, other_rank) in combinations(ranks.items(), 2):
            yield one, other, int(np.sign(other_rank - rank))


def rows(judged: Judgements, targets: Floats, places: list[int]) -> TrainingData:
    texts = [judged.texts[place] for place in places]
    return TrainingData(
        hypotheses=[text.hypothesis for text in texts],
        references=[text.references[0] for text in texts],
        targets=targets[places],
        judgement=np.arange(len(texts)),
        sets=[judged.name] * len(texts),
        language_pairs=[judged.language_pair] * len(texts),
        sources=(),
    )


def learned(model: EditModel, training: Judgements, test: Judgements) -> JudgedScores:
    """Predictions of all texts of ``test`` by a machine that learned from ``training``."""
    targets = net_wins(training)
    data = rows(training, targets, np.flatnonzero(~np.isnan(targets)).tolist())
    trained = train_edit_machine(
        model, training_pairs(model, data, threads=THREADS), data.targets, threads=THREADS
    )
    weights = {name: round(trained.weights[name], 2) for name in ("U|insert", "U|delete", "U|word")}
    print(f"{test.language_pair}: {len(data)} texts, {weights}", file=sys.stderr, flush=True)
    every = rows(test, np.zeros(len(test.texts)), list(range(len(test.texts))))
    found = predictions(trained, training_pairs(model, every, threads=THREADS), threads=THREADS)
    segment = np.append(found, np.nan)[test.text_of]
    empty = np.empty((len(segment), 0))
    return JudgedScores(model.name, model.name, segment, empty, np.nanmean(segment, axis=1))


def main() -> None:
    splits = []
    for lang in LANGUAGES:
        training, test = (
            Data(f"{name}.rank.jsonl.gz", lang, (f"en-{lang}",)) for name in ("wmt12", "wmt15")
        )
        splits.append((lang, training, test))
    scores: dict[str, list[JudgedScores]] = {name: [] for name in (*RIVALS, *MACHINES)}
    for lang, training, test in splits:
        (learn_from,), (judged,) = training.judgements(), test.judgements()
        for name in RIVALS:
            metric = create(name, lang=lang)
            scores[name].append(remembered(test.fingerprint, judged, metric))
        for name, max_jump in MACHINES.items():
            scores[name].append(learned(machine(lang, max_jump), learn_from, judged))
    columns = [
        agreement_column(
            test.judgements()[0],
            measure,
            [scores[name][place] for name in scores],
            resamples=RESAMPLES,
        )
        for measure in MEASURES
        for place, (_, _, test) in enumerate(splits)
    ]
    publish(
        "ppda-languages",
        "pFSM and pPDA out of English, from rankings",
        AgreementTable(tuple(scores), tuple(columns)),
        (Data("wmt12.rank.jsonl.gz"), Data("wmt15.rank.jsonl.gz")),
        remark=REMARK,
        tests=f"{RESAMPLES} resamples",
    )


if __name__ == "__main__":
    main()
