"""Metrics: how good is a hypothesis, measured against references?

To add one, write a module here with a :class:`Metric` under the :func:`register` decorator; those of others
come from a file (:func:`load_metrics`) or by an entry point. The metrics of this package are attributes of it
(``metaphrase.metrics.Cobalt``); whoever asks for one imports them all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from metaphrase.entry_points import Origin
from metaphrase.metrics.base import Metric
from metaphrase.metrics.comparison import Analysed, Comparison, compare
from metaphrase.metrics.explanation import (
    Edit,
    Explanation,
    Feature,
    ImprobableWord,
    Jump,
    Leftover,
    Link,
    Phrase,
    PivotMatch,
    PivotPhrase,
    Repair,
    Span,
    Word,
    WordPair,
)
from metaphrase.metrics.explanation_contrast import Contrast, contrast
from metaphrase.metrics.metric_files import load_metrics
from metaphrase.metrics.prediction import Prediction, Predictions
from metaphrase.metrics.registry import (
    available,
    create,
    find,
    obstacle,
    of_class,
    plugin_failure,
    register,
    temporary_metrics,
    unusable,
)
from metaphrase.metrics.score import Score
from metaphrase.metrics.signature import Signature
from metaphrase.options import option

if TYPE_CHECKING:
    from metaphrase.metrics.accord import Accord
    from metaphrase.metrics.celab import Celab
    from metaphrase.metrics.cobalt import Cobalt
    from metaphrase.metrics.edit_machines import Pfsm, Ppda, PpdaF
    from metaphrase.metrics.guests import BertScore, Bleurt, Comet, Exec, MetricX
    from metaphrase.metrics.maxsim import MaxSim
    from metaphrase.metrics.meteor import Meteor
    from metaphrase.metrics.nist import Nist
    from metaphrase.metrics.pbe import Pbe
    from metaphrase.metrics.sacrebleu_metrics import Bleu, Chrf, ChrfPlusPlus
    from metaphrase.metrics.ter import Ter
    from metaphrase.metrics.tesla import Tesla
    from metaphrase.metrics.tesla_m import TeslaM

__all__ = [
    "Accord",
    "Analysed",
    "BertScore",
    "Bleu",
    "Bleurt",
    "Celab",
    "Chrf",
    "ChrfPlusPlus",
    "Cobalt",
    "Comet",
    "Comparison",
    "Contrast",
    "Edit",
    "Exec",
    "Explanation",
    "Feature",
    "ImprobableWord",
    "Jump",
    "Leftover",
    "Link",
    "MaxSim",
    "Meteor",
    "Metric",
    "MetricX",
    "Nist",
    "Origin",
    "Pbe",
    "Pfsm",
    "Phrase",
    "PivotMatch",
    "PivotPhrase",
    "Ppda",
    "PpdaF",
    "Prediction",
    "Predictions",
    "Repair",
    "Score",
    "Signature",
    "Span",
    "Ter",
    "Tesla",
    "TeslaM",
    "Word",
    "WordPair",
    "available",
    "compare",
    "contrast",
    "create",
    "find",
    "load_metrics",
    "obstacle",
    "option",
    "plugin_failure",
    "register",
    "temporary_metrics",
    "unusable",
]


def __getattr__(name: str) -> Any:
    """A metric by the name of its class."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return of_class(name)


def __dir__() -> list[str]:
    """What a user can import."""
    return sorted({*globals(), *__all__})
