"""Where the sentences of a batch have phrases of a table of paraphrases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metaphrase.arrays import Int32Array, Int64Array
from metaphrase.lexicon.relation import ParaphraseSource, SynonymGraph

#: Words of the longest phrases that are sought.
LONGEST = 4


@dataclass(frozen=True, slots=True, eq=False)
class PhraseSpans:
    """Runs of words that the table relates to others: those of row r are ``offsets[r]:offsets[r + 1]``.

    ``begin`` counts words of the sentence from 0, ``phrase`` numbers the rows of ``paraphrases``.
    """

    offsets: Int64Array
    begin: Int32Array
    words: Int32Array
    phrase: Int32Array
    paraphrases: SynonymGraph


def find_phrases(
    offsets: Int64Array, words: Int32Array, spellings: Sequence[str], source: ParaphraseSource
) -> PhraseSpans:
    """Ask the table once about all runs of 1 to 4 words of sentences, whose words are numbers of spellings.

    Runs of several words across a word that is spelled with nothing, as ``--`` is, are no phrases.
    """
    there = np.array([bool(spelling) for spelling in spellings], dtype=np.bool_)
    ends = np.repeat(offsets[1:], np.diff(offsets))
    places = np.flatnonzero(there[words])
    keys: Int64Array = words[places].astype(np.int64)  # of the runs that begin at ``places``
    texts: list[str] = []
    found: list[tuple[Int64Array, int, Int64Array]] = []
    for length in range(1, LONGEST + 1):
        _, first, number = np.unique(keys, return_index=True, return_inverse=True)
        found.append((places, length, number + len(texts)))
        starts = places[first]
        columns = [words[starts + k].tolist() for k in range(length)]
        texts += [" ".join(map(spellings.__getitem__, run)) for run in zip(*columns, strict=True)]
        goes_on = places + length < ends[places]
        goes_on[goes_on] = there[words[places[goes_on] + length]]
        places, number = places[goes_on], number[goes_on]
        keys = number * len(spellings) + words[places + length]
    graph = source.paraphrase_graph(texts)
    known = np.diff(graph[0]) > 0
    place, lengths, phrase = (
        np.concatenate(column)
        for column in zip(*((p, np.full(len(p), n), k) for p, n, k in found), strict=True)
    )
    kept = np.flatnonzero(known[phrase])
    kept = kept[np.argsort(place[kept], kind="stable")]
    rows = np.searchsorted(offsets, place[kept], side="right") - 1
    return PhraseSpans(
        np.searchsorted(place[kept], offsets).astype(np.int64),
        (place[kept] - offsets[rows]).astype(np.int32),
        lengths[kept].astype(np.int32),
        phrase[kept].astype(np.int32),
        graph,
    )
