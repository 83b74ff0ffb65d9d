"""What an analyser is, whichever program stands behind it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol, runtime_checkable

from metaphrase.analysis.sentence import BASE_COLUMNS, COLUMNS, Batch
from metaphrase.errors import OptionError
from metaphrase.threads import check_threads


@runtime_checkable
class Analyser(Protocol):
    """Text in, sentences out; one text is one sentence row, however many sentences it contains.

    The cells of a column depend neither on which other columns are asked for nor on other texts.
    """

    @property
    def name(self) -> str:
        """As the registry knows it: ``builtin:en``, ``spacy:en_core_web_sm``."""

    @property
    def columns(self) -> frozenset[str]:
        """The columns it can compute."""

    def fingerprint(self, columns: Collection[str]) -> str:
        """A short hash of everything that influences ``columns``; in signatures and cache keys."""

    def analyse(self, texts: Sequence[str], columns: Collection[str], *, threads: int = 1) -> Batch:
        """Analyse ``texts``; the batch has ``columns`` and the base columns, and nothing else."""


#: Where a CoNLL-U file says what no column of it is for.
_CONLLU_CELLS = {
    "entity": "Entities are NER=TYPE in the last column of every word, O for none.",
    "chunk": "Phrases are Chunk=B-NP, Chunk=I-NP and so on in the last column, O for none.",
}
_CONLLU_OTHERS = "Every word of the files needs it."


def requested_columns(analyser: Analyser, columns: Collection[str]) -> frozenset[str]:
    """``columns`` with the base columns, once it is sure that ``analyser`` can compute them."""
    names = frozenset(columns) | frozenset(BASE_COLUMNS)
    if unknown := names.difference(COLUMNS):
        raise OptionError(
            "MP251",
            f"no column is called {_listed(unknown)}.",
            hint=f"The columns are {_listed(COLUMNS)}.",
        )
    if lacking := names - analyser.columns:
        raise OptionError(
            "MP252",
            f"analyser {analyser.name!r} cannot compute {_listed(lacking)}; "
            f"it computes {_listed(analyser.columns)}.",
            hint="Choose another analyser, or a metric that needs less."
            if analyser.name != "conllu"
            else " ".join(_CONLLU_CELLS.get(name, _CONLLU_OTHERS) for name in sorted(lacking)),
        )
    return names


def checked_request(analyser: Analyser, columns: Collection[str], threads: int) -> frozenset[str]:
    """The columns to compute, once it is sure that they and the number of threads make sense."""
    if isinstance(columns, str):
        raise OptionError(
            "MP251", f"{columns!r} is one string.", hint=f"Give a list: [{columns!r}]."
        )
    names = requested_columns(analyser, columns)
    check_threads(threads)
    return names


def _listed(names: Collection[str]) -> str:
    return ", ".join(repr(name) for name in sorted(names))
