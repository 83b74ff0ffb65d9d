"""Sentence pairs as an edit machine sees them: how long they are, and what may stand for what.

An edit machine turns a reference into a hypothesis (*system* in the paper: Wang & Manning, EMNLP 2012).
It reads no words: only which stretches of one or two words may be substituted for each other, under which
label, and where two neighbouring words of either side are joined by the same dependency. The features of
edits are those of METRICS 6.3.
"""

from __future__ import annotations

from dataclasses import dataclass

from metaphrase.arrays import Int32Array, Int64Array

#: Labels of substitutions, by the numbers that arrays carry; in the order in which the first that holds wins.
SUBSTITUTIONS = ("punctuation", "word", "lemma", "synonym", "paraphrase")
#: Dependencies that the machine looks at.
DEPENDENCIES = ("subject", "object", "predicative")
#: What an edit can be: its state in the machine.
STATES = ("insert", "delete", *SUBSTITUTIONS, "jump_forward", "jump_back", "jump_end")


@dataclass(frozen=True, slots=True, eq=False)
class EditPairs:
    """Pairs of sentences; those of pair p are rows ``offsets[p]`` to ``offsets[p + 1]``.

    ``substitutions`` has five columns: the first word of the reference and of the hypothesis (from 0), how
    many words of each, and the label (a position in :data:`SUBSTITUTIONS`). Rows of a pair are different and
    in ascending order. ``dependencies`` has three: a word i ≥ 1 of the reference and a word j ≥ 1 of the
    hypothesis such that words i − 1 and i are joined as words j − 1 and j are, and by what (a position in
    :data:`DEPENDENCIES`); ascending, each (i, j) at most once.
    """

    reference_lengths: Int32Array
    hypothesis_lengths: Int32Array
    substitution_offsets: Int64Array
    substitutions: Int32Array
    dependency_offsets: Int64Array
    dependencies: Int32Array

    def __len__(self) -> int:
        return len(self.reference_lengths)


def feature_names() -> list[str]:
    """Features of the machine by their number, the layout of weights and of expected counts.

    ``U|q`` for every edit of state q, ``B|p|q`` for every two consecutive edits, ``S|q`` for the first edit
    (0 as published: the start costs nothing), ``D|dependency`` for a dependency that both sides share.
    """
    return [
        *(f"U|{state}" for state in STATES),
        *(f"B|{before}|{state}" for before in STATES for state in STATES),
        *(f"S|{state}" for state in STATES),
        *(f"D|{dependency}" for dependency in DEPENDENCIES),
    ]
