"""Scoring: metrics run over corpora, piece by piece, into one result."""

from metaphrase.scoring.engine import LEVELS, score
from metaphrase.scoring.result import MetricInfo, Scores, SystemScores

__all__ = ["LEVELS", "MetricInfo", "Scores", "SystemScores", "score"]
