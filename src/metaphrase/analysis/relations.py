"""Collapsed, cc-processed Stanford dependencies: the one scheme of relations that metrics read.

Parsers give a tree in Universal Dependencies or CLEAR labels; the metrics that look at syntax were written
for the parser of Stanford, version 3.4.1. Here

* a preposition is part of its object's label (``prep_of``, ``prep_because_of``, ``agent``; ``prepc_by``
  before a gerund), a conjunction of its conjunct's (``conj_and``), and neither has a relation of its own, nor
  has punctuation or the possessive *'s*;
* a noun or adjective heads its copula (``cop``), a prepositional phrase or an adverb does not;
* every conjunct has the governor of the first, and a conjoined verb its subject (not its object);
* an infinitive complement has its understood subject as ``xsubj``; ``ref`` is not made: a relative pronoun
  keeps its own relation, as in CoreNLP's output without extras.

Relations are in Stanford's order: ``root`` first (a segment of several sentences has several), then by
dependent; of one dependent, the relation of the tree comes first. :mod:`metaphrase.analysis.relation_table`
is the table of labels and words. Any tree gives an answer: a head out of range or in a cycle makes a root,
an unknown label is ``dep``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from metaphrase._core import relations as core
from metaphrase.analysis import relation_table
from metaphrase.analysis.relation_languages import relation_words
from metaphrase.analysis.sentence import Batch, Sentence
from metaphrase.arrays import Int32Array, Int64Array, one_line
from metaphrase.errors import InputError
from metaphrase.threads import check_threads

#: What a batch must have besides the base columns.
RELATION_COLUMNS = ("lemma", "tag", "head", "relation")


@dataclass(frozen=True, slots=True)
class Relation:
    """``label(governor, dependent)``; tokens count from 1, governor 0 is the root."""

    label: str
    governor: int
    dependent: int


@dataclass(frozen=True, slots=True, eq=False)
class RelationBatch:
    """The relations of a batch in flat arrays: those of row ``i`` are ``offsets[i]:offsets[i + 1]``.

    ``label`` holds indices into ``labels``, numbered by first appearance.
    """

    offsets: Int64Array
    label: Int32Array
    governor: Int32Array
    dependent: Int32Array
    labels: Sequence[str]

    __repr__ = one_line

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> tuple[Relation, ...]:
        row = range(len(self))[index]
        here = slice(self.offsets[row], self.offsets[row + 1])
        columns = (self.label, self.governor, self.dependent)
        cells = zip(*(column[here].tolist() for column in columns), strict=True)
        return tuple(Relation(self.labels[label], gov, dep) for label, gov, dep in cells)

    def __iter__(self) -> Iterator[tuple[Relation, ...]]:
        return (self[i] for i in range(len(self)))


def collapsed(sentence: Sentence) -> tuple[Relation, ...]:
    """The relations of one sentence, which must have the columns ``RELATION_COLUMNS``."""
    return collapse(Batch.pack([sentence], RELATION_COLUMNS))[0]


def collapse(batch: Batch, *, lang: str = "en", threads: int = 1) -> RelationBatch:
    """The relations of every row; the same whatever the number of threads or the other rows.

    Tags are Penn's in every language (:func:`metaphrase.analysis.relation_languages.penn_tag`).
    """
    threads = check_threads(threads)
    if lacking := [name for name in RELATION_COLUMNS if name not in batch.columns]:
        raise InputError(
            "MP230",
            f"relations need the columns {', '.join(RELATION_COLUMNS)}; "
            f"this batch lacks {', '.join(lacking)}.",
            hint="Ask an analyser with a parser for them.",
        )
    table, strings = _table(lang), list(batch.strings)
    columns = {name: batch.columns[name] for name in ("form", *RELATION_COLUMNS)}
    try:
        found = table.collapse(offsets=batch.offsets, strings=strings, threads=threads, **columns)
    except (TypeError, UnicodeEncodeError, ValueError) as error:
        raise InputError("MP231", f"the batch cannot be read: {error}.") from error
    return RelationBatch(*found)


def entity_types(entities: Sequence[str]) -> tuple[str, ...]:
    """The types ``PERSON``, ``ORGANIZATION``, ``LOCATION`` of a column of entities; ``O`` for any other.

    Reads the types of spaCy (OntoNotes), of CoNLL-2003 and of Stanford, with or without ``B-`` and ``I-``.
    """
    return tuple(
        relation_table.ENTITY_TYPES.get(cell[2:] if cell[:2] in ("B-", "I-") else cell, "O")
        for cell in entities
    )


@cache
def _table(lang: str) -> core.RelationTable:
    words = relation_words(lang)
    return core.RelationTable(
        roles=relation_table.ROLES,
        phrasal_prepositions=words.phrasal_prepositions,
        subordinators=words.subordinators,
        complementisers=words.complementisers,
        negations=words.negations,
        time_words=words.time_words,
        negative_determiners=words.negative_determiners,
        agents=words.agents,
        oblique_agents=words.oblique_agents,
        conjunctions=words.conjunctions,
    )
