"""Tables of pivot phrases from counts that are written by hand."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from metaphrase.analysis.packed_text import PackedText
from metaphrase.learning.phrases.extraction import PhraseSide, PhraseTable
from metaphrase.learning.phrases.pivot_table_file import Pruning, build_pivot_table, unit_name

#: N(p, f) by the words of p and by f, written "lemma/TAG lemma/TAG …".
Counts = dict[tuple[str, ...], dict[str, int]]

FUNCTION_TAGS = ("D",)
#: Nothing is pruned.
EVERYTHING = Pruning(least_count=1, least_phrase_count=1, least_probability=0, most_alternatives=64)


def side(phrases: list[tuple[str, ...]], totals: Mapping[tuple[str, ...], int]) -> PhraseSide:
    text = PackedText.pack(phrases)
    numbers = np.array([totals[phrase] for phrase in phrases], dtype=np.int64)
    return PhraseSide(text.offsets, text.words, numbers, text.vocabulary)


def phrase_table(counts: Counts, total: int | None = None) -> PhraseTable:
    """The counts as phrase extraction gives them.

    With ``total``, a phrase of a word that is in no sentence makes up what is missing.
    """
    missing = (total or 0) - sum(n for row in counts.values() for n in row.values())
    if missing > 0:
        counts = {**counts, ("x" * 300,): {"filler/N": missing}}
    rows = [
        (phrase, tuple(unit_name(*unit.rsplit("/", 1)) for unit in pivot.split()), n)
        for phrase, row in counts.items()
        for pivot, n in row.items()
    ]
    sources = list(dict.fromkeys(phrase for phrase, _, _ in rows))
    targets = list(dict.fromkeys(pivot for _, pivot, _ in rows))
    source_totals = {p: sum(n for q, _, n in rows if p == q) for p in sources}
    target_totals = {f: sum(n for _, g, n in rows if f == g) for f in targets}
    return PhraseTable(
        side(sources, source_totals),
        side(targets, target_totals),
        np.array([sources.index(phrase) for phrase, _, _ in rows], dtype=np.int32),
        np.array([targets.index(pivot) for _, pivot, _ in rows], dtype=np.int32),
        np.array([n for _, _, n in rows], dtype=np.int64),
        0,
    )


def table_content(
    counts: Counts, *, total: int | None = None, pruning: Pruning = EVERYTHING, **options: int
) -> bytes:
    if options:
        pruning = Pruning(least_phrase_count=1, least_probability=0, **options)
    return build_pivot_table(
        phrase_table(counts, total),
        languages=("en", "fr"),
        analysers=("builtin:en", "builtin:fr"),
        function_tags=FUNCTION_TAGS,
        pruning=pruning,
    )
