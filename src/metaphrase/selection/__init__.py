"""Choosing among candidates: minimum Bayes risk, n-best lists, oracles, and why it was this one."""

from metaphrase.selection.best_system import BestSystem, BestSystemCheck
from metaphrase.selection.candidates import Candidates, probabilities
from metaphrase.selection.checking import ShortCutCheck
from metaphrase.selection.choosing import Chooser, select
from metaphrase.selection.matrices import pairwise
from metaphrase.selection.near_copies import NearCopies, near_copies
from metaphrase.selection.reading import read_candidates
from metaphrase.selection.result import Selection
from metaphrase.selection.support import Support, support

__all__ = [
    "BestSystem",
    "BestSystemCheck",
    "Candidates",
    "Chooser",
    "NearCopies",
    "Selection",
    "ShortCutCheck",
    "Support",
    "near_copies",
    "pairwise",
    "probabilities",
    "read_candidates",
    "select",
    "support",
]
