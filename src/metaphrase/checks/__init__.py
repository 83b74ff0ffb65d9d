"""Checks beside scores: what is wrong with a translation whatever metrics say of it.

A check reads a source and its translation (:class:`Pair`) and makes findings (:class:`Finding`), each with a
code, a severity and a place. ``CHECKS`` are all of them; :class:`Settings` says which are made.
"""

from __future__ import annotations

from metaphrase.checks.finding import SEVERITIES, Finding, Kind, Severity
from metaphrase.checks.pair import Pair
from metaphrase.checks.registry import CHECKS, KINDS
from metaphrase.checks.running import check, check_corpus, check_pairs, file_pairs, unit_pair
from metaphrase.checks.settings import Settings
from metaphrase.checks.terms.glossary import Glossary, Term
from metaphrase.checks.terms.reading import read_glossary

__all__ = [
    "CHECKS",
    "KINDS",
    "SEVERITIES",
    "Finding",
    "Glossary",
    "Kind",
    "Pair",
    "Settings",
    "Severity",
    "Term",
    "check",
    "check_corpus",
    "check_pairs",
    "file_pairs",
    "read_glossary",
    "unit_pair",
]
