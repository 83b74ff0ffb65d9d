"""Metrics by name, in the language of the texts and with the analysis that they may bring along."""

from __future__ import annotations

from collections.abc import Sequence

from metaphrase.corpus.opening import CorpusFiles
from metaphrase.metrics import Metric, create


def create_metrics(
    names: Sequence[str], files: CorpusFiles, *, lang: str, analyser: str | None = None
) -> list[Metric]:
    """The metrics for the texts of ``files``; CoNLL-U is the analysis itself, unless another is chosen."""
    found = analyser or files.analyser
    given = {} if found is None else {"analyser": found}
    return [create(name, lang=lang, **given) for name in names]
