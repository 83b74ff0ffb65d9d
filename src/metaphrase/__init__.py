"""Machine translation metrics that explain every score word by word.

>>> import metaphrase
>>> metaphrase.TeslaM(lang="en").corpus_score(hypotheses, [references])   # doctest: +SKIP
>>> metaphrase.score(corpus, metrics=["tesla-m", "bleu", "chrf"])         # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from metaphrase.version import __version__ as __version__

if TYPE_CHECKING:
    from metaphrase.corpus import Corpus, Segment
    from metaphrase.errors import MetaphraseError
    from metaphrase.metrics import Explanation, Metric, create
    from metaphrase.metrics.celab.metric import Celab
    from metaphrase.metrics.cobalt.metric import Cobalt
    from metaphrase.metrics.edit_machines.metric import Pfsm, Ppda, PpdaF
    from metaphrase.metrics.maxsim.metric import MaxSim
    from metaphrase.metrics.nist.metric import Nist
    from metaphrase.metrics.pbe.metric import Pbe
    from metaphrase.metrics.sacrebleu_metrics import Bleu, Chrf, ChrfPlusPlus
    from metaphrase.metrics.ter.metric import Ter
    from metaphrase.metrics.tesla.metric import Tesla
    from metaphrase.metrics.tesla_m.metric import TeslaM
    from metaphrase.scoring import Scores, score

_HOMES = {
    "Bleu": "metrics.sacrebleu_metrics",
    "Celab": "metrics.celab",
    "Chrf": "metrics.sacrebleu_metrics",
    "ChrfPlusPlus": "metrics.sacrebleu_metrics",
    "Cobalt": "metrics.cobalt",
    "Corpus": "corpus",
    "Explanation": "metrics",
    "MaxSim": "metrics.maxsim",
    "MetaphraseError": "errors",
    "Metric": "metrics",
    "Nist": "metrics.nist",
    "Pbe": "metrics.pbe",
    "Pfsm": "metrics.edit_machines",
    "Ppda": "metrics.edit_machines",
    "PpdaF": "metrics.edit_machines",
    "Scores": "scoring",
    "Segment": "corpus",
    "Ter": "metrics.ter",
    "Tesla": "metrics.tesla",
    "TeslaM": "metrics.tesla_m",
    "create": "metrics",
    "score": "scoring",
}

__all__ = [
    "Bleu",
    "Celab",
    "Chrf",
    "ChrfPlusPlus",
    "Cobalt",
    "Corpus",
    "Explanation",
    "MaxSim",
    "MetaphraseError",
    "Metric",
    "Nist",
    "Pbe",
    "Pfsm",
    "Ppda",
    "PpdaF",
    "Scores",
    "Segment",
    "Ter",
    "Tesla",
    "TeslaM",
    "create",
    "score",
]


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for, so that importing the package costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    """What a user can import."""
    return sorted([*globals(), *__all__])
