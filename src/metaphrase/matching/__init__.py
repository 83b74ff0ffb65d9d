"""How well two weighted bags match: exact algorithms as pure functions over arrays.

They know nothing of metrics. :func:`transport` solves the general problem, :func:`ngram_bags`
that of TESLA's bags, :func:`staged_ngrams` MaxSim's one-to-one matching, :func:`covering` the
covering program of TESLA-CELAB.
"""

from metaphrase.matching.covering import (
    Coverings,
    CoveringTrace,
    SpanLexicon,
    SpanSentences,
    covering,
    covering_trace,
)
from metaphrase.matching.ngram_bags import NgramBags, Synonymy, ngram_bags
from metaphrase.matching.staged_ngrams import StagedMatches, staged_ngrams
from metaphrase.matching.transport import (
    Plan,
    Solutions,
    TransportProblems,
    transport,
    transport_batch,
)

__all__ = [
    "CoveringTrace",
    "Coverings",
    "NgramBags",
    "Plan",
    "Solutions",
    "SpanLexicon",
    "SpanSentences",
    "StagedMatches",
    "Synonymy",
    "TransportProblems",
    "covering",
    "covering_trace",
    "ngram_bags",
    "staged_ngrams",
    "transport",
    "transport_batch",
]
