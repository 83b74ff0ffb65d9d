"""Metrics: how good is a hypothesis, measured against references?

To add one, write a module here with a :class:`Metric` under the :func:`register` decorator.
"""

from metaphrase.metrics.base import Metric, Score
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
    Word,
    WordPair,
)
from metaphrase.metrics.registry import available, create, find, register
from metaphrase.metrics.signature import Signature
from metaphrase.options import option

__all__ = [
    "Analysed",
    "Comparison",
    "Edit",
    "Explanation",
    "Feature",
    "ImprobableWord",
    "Jump",
    "Leftover",
    "Link",
    "Metric",
    "Phrase",
    "PivotMatch",
    "PivotPhrase",
    "Score",
    "Signature",
    "Word",
    "WordPair",
    "available",
    "compare",
    "create",
    "find",
    "option",
    "register",
]
