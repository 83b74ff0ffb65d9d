"""Scoring: metrics run over corpora, piece by piece, into one result."""

from metaphrase.scoring.engine import LEVELS, score
from metaphrase.scoring.result import MetricInfo, Resampling, Scores, SystemScores
from metaphrase.scoring.significance import resample

__all__ = ["LEVELS", "MetricInfo", "Resampling", "Scores", "SystemScores", "resample", "score"]
