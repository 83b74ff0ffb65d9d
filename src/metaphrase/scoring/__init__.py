"""Scoring: metrics run over corpora, piece by piece, into one result."""

from metaphrase.metrics.refusals import ON_ERROR, OnError, Refusal
from metaphrase.scoring.engine import LEVELS, score
from metaphrase.scoring.reference_effect import ReferenceEffect, reference_effect
from metaphrase.scoring.repair_profile import Profile, profile
from metaphrase.scoring.result import MetricInfo, Resampling, Scores, SystemScores
from metaphrase.scoring.significance import resample
from metaphrase.scoring.wins import count_wins

__all__ = [
    "LEVELS",
    "ON_ERROR",
    "MetricInfo",
    "OnError",
    "Profile",
    "ReferenceEffect",
    "Refusal",
    "Resampling",
    "Scores",
    "SystemScores",
    "count_wins",
    "profile",
    "reference_effect",
    "resample",
    "score",
]
