"""What an analyser is, whichever program stands behind it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol, runtime_checkable

from metaphrase.analysis.sentence import Batch


@runtime_checkable
class Analyser(Protocol):
    """Text in, sentences out; one text is one sentence row, however many sentences it contains."""

    @property
    def name(self) -> str:
        """As the registry knows it: ``builtin:en``, ``spacy:en_core_web_sm``."""

    @property
    def fingerprint(self) -> str:
        """A short hash of everything that influences the output; in signatures and cache keys."""

    @property
    def columns(self) -> frozenset[str]:
        """The columns it can compute."""

    def analyse(self, texts: Sequence[str], columns: Collection[str], *, threads: int = 1) -> Batch:
        """Analyse ``texts``; the batch has ``columns`` and the base columns, and nothing else."""
