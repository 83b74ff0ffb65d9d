"""Collapsed dependencies of batches of trees; see src/core/relations/bind_relations.cpp."""

from collections.abc import Mapping, Sequence

from metaphrase.arrays import Int32Array, Int64Array

class RelationTable:
    """The table of ``metaphrase.analysis.relation_table``, ready for use; never changes."""

    def __init__(
        self,
        *,
        roles: Mapping[str, str],
        phrasal_prepositions: Sequence[str],
        subordinators: Sequence[str],
        complementisers: Sequence[str],
        negations: Sequence[str],
        time_words: Sequence[str],
        negative_determiners: Sequence[str],
        agents: Sequence[str],
        oblique_agents: Sequence[str],
        conjunctions: Mapping[str, str],
    ) -> None: ...
    def collapse(
        self,
        *,
        offsets: Int64Array,
        form: Int32Array,
        tag: Int32Array,
        lemma: Int32Array,
        head: Int32Array,
        relation: Int32Array,
        strings: list[str],
        threads: int,
    ) -> tuple[Int64Array, Int32Array, Int32Array, Int32Array, list[str]]:
        """Row offsets, label numbers, governors, dependents, and the names of the labels."""
