"""Candidates are of no document."""

from __future__ import annotations

import pytest

import metaphrase
from metaphrase.errors import OptionError


def test_a_metric_of_documents_cannot_choose() -> None:
    for choose in (metaphrase.pairwise, lambda metric, texts: metaphrase.select(texts, metric)):
        with pytest.raises(OptionError, match="MP853"):
            choose("pbe:tfidf", ["a cat", "the cat"])
