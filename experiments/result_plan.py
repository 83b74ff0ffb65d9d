"""What the pages of results show: which metrics on which judgements, by which measures.

A metric is added by a :class:`Row` of the languages that it knows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from experiments.frame import Data
from experiments.result_tables import Row
from metaphrase.meta import Judgements, Measure

#: Systems are compared if there are as many, judged on as many segments each (on average).
SYSTEMS, SEGMENTS = 5, 20

#: Judgements behind the weights of our learnt metrics, and those by which shipped paraphrases were chosen.
TESLA = frozenset({"wmt08deen", "wmt10deen", "wmt12"})
ASSESSED = frozenset({"daseg15", "daseg16"})
PARAPHRASES = frozenset({"daseg13", "daseg16", "wmt12"})
#: daseg15 has references of wmt15.
SHARED = frozenset({"wmt15"})
#: accord as it ships has learnt from all of them.
JUDGED = frozenset(
    {
        *("daseg13", "daseg15", "daseg16", "mlqe_etmr", "tradopad", "wmt21da", "wmt17da"),
        *("nt21mqm", "tedmqm", "biomqm"),
        *("wmt08deen", "wmt10deen", "wmt12", "wmt13fren", "wmt15"),
    }
)

#: METEOR's parameters were tuned by its authors to the English rankings of 2009 and 2010.
BASELINES = (
    *(Row(name) for name in ("bleu", "chrf", "chrf++", "ter", "nist")),
    Row("meteor", trained=frozenset({"wmt10deen"})),
    Row("maxsim"),
)
#: The model of the folds, which has not seen the set, and the one that ships, which has.
ACCORD = (
    Row("accord", ours=True, touched=PARAPHRASES, without=True),
    Row("accord", ours=True, label="accord, shipped", trained=JUDGED, aside=True),
)
ENGLISH = (
    *BASELINES,
    Row("tesla-m", ours=True),
    Row("tesla", ours=True, trained=TESLA),
    Row("cobalt", ours=True, touched=PARAPHRASES),
    Row("pbe", ours=True),
    Row("pfsm", ours=True, trained=ASSESSED, touched=SHARED),
    Row("ppda", ours=True, trained=ASSESSED, touched=SHARED),
    Row("ppda+f", ours=True, trained=ASSESSED, touched=SHARED | PARAPHRASES),
    *ACCORD,
)
OTHERS = (*BASELINES, Row("tesla-m", ours=True), *ACCORD)
#: Its lines of the thesaurus were chosen on one of two sets and confirmed on the other.
CELAB = Row("celab", ours=True, touched=frozenset({"wmt17da", "biomqm"}))
CHINESE = (
    *(
        Row(name)
        for name in ("bleu", "chrf", "chrf++", "ter:normalized=yes:asian_support=yes", "nist")
    ),
    CELAB,
    Row("tesla-m:synonyms=cilin", ours=True),
    *ACCORD,
)


def rankings(*names: str, pairs: tuple[str, ...] = ()) -> tuple[Data, ...]:
    return tuple(Data(f"{name}.rank.jsonl.gz", pairs=pairs) for name in names)


def scores(*names: str, target: str = "en") -> tuple[Data, ...]:
    return tuple(Data(f"{name}.{target}.tsv.gz", target) for name in names)


@dataclass(frozen=True)
class TablePlan:
    """Judgements that stand side by side, and the metrics compared on them: a table for each measure."""

    title: str
    data: tuple[Data, ...]
    target: str = "Into English"
    rows: tuple[Row, ...] = ENGLISH


OUT = "Out of English"
PLANS = (
    TablePlan("rankings of 2008 to 2012", rankings("wmt08deen", "wmt10deen", "wmt12")),
    TablePlan("rankings of 2013 and 2015", rankings("wmt13fren", "wmt15")),
    TablePlan(
        "rankings of 2012 out of English",
        rankings("wmt12", pairs=("en-cs", "en-de", "en-es", "en-fr")),
        OUT,
        OTHERS,
    ),
    TablePlan(
        "rankings of 2015 out of English",
        rankings("wmt15", pairs=("en-cs", "en-de", "en-fi", "en-fr", "en-ru")),
        OUT,
        OTHERS,
    ),
    TablePlan("direct assessments of 2013", scores("daseg13")),
    TablePlan("direct assessments of 2015 and 2016", scores("daseg15", "daseg16")),
    TablePlan(
        "direct assessments of 2020 and 2021, adequacy", scores("mlqe_etmr", "tradopad", "wmt21da")
    ),
    TablePlan("MQM", scores("nt21mqm", "tedmqm", "biomqm")),
    TablePlan(
        "direct assessments and MQM into Chinese",
        scores("wmt17da", "biomqm", target="zh"),
        "Into Chinese",
        CHINESE,
    ),
)


TAU = Measure(name="tau")
PEARSON, KENDALL = Measure(name="pearson"), Measure(name="kendall")
ACCURACY = Measure(name="acc-eq", group_by="segment")
DOCUMENT = Measure(name="pearson", level="document")
SYSTEM, SYSTEM_RANKS = (Measure(name=name, level="system") for name in ("pearson", "spearman"))
#: What the summary averages, and by what losses are counted.
KINDS = {
    TAU: "rankings of segments, τ",
    PEARSON: "scores of segments, r",
    DOCUMENT: "scores of documents, r",
    SYSTEM: "systems, r",
}


def measures(judged: Judgements) -> Iterator[Measure]:
    """What the judgements can answer."""
    known = ~np.isnan(judged.human)
    if judged.is_ranked:
        yield TAU
    else:
        yield from (PEARSON, KENDALL)
        if (known.sum(axis=0) > 1).mean() > 0.5:
            yield ACCURACY
        if judged.documents is not None:
            yield DOCUMENT
    many = judged.is_ranked or known.sum() >= SEGMENTS * len(judged.systems)
    if len(judged.systems) >= SYSTEMS and many:
        yield from (SYSTEM, SYSTEM_RANKS)
