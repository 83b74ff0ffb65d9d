"""Which neighbouring words are joined as head and modifier, by a dependency that edit machines look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metaphrase.arrays import Uint8Array
from metaphrase.matching.edit_pairs import DEPENDENCIES

if TYPE_CHECKING:
    from metaphrase.analysis import Batch

#: What the relations of Universal Dependencies (version 2, and version 1 without subtypes), of CLEAR and
#: Stanford, and of the Penn Treebank's converters (SUB, OBJ and PRD of the paper's MSTParser) are to the
#: machine; others are nothing to it. A subtype that is not listed is what its relation is.
#:
#: The guide is what the Penn Treebank marks as SBJ, OBJ and PRD: expletive *there* and *it* are subjects,
#: indirect objects are objects. Not listed: ``dative``, which CLEAR also gives to *to*; clauses (``ccomp``,
#: ``xcomp``); objects of prepositions; ``oprd``, which is a label of its own beside PRD. The copula of
#: Universal Dependencies hangs on the predicate, CLEAR's predicate on the copula: both ways they are joined.
RELATIONS = {
    **dict.fromkeys(("nsubj", "csubj", "nsubjpass", "csubjpass"), "subject"),
    **dict.fromkeys(("expl", "SUB", "SBJ"), "subject"),
    **dict.fromkeys(("expl:pv", "expl:pass", "expl:impers"), ""),  # reflexive pronouns
    **dict.fromkeys(("obj", "iobj", "dobj", "OBJ", "IOBJ"), "object"),
    **dict.fromkeys(("cop", "attr", "acomp", "PRD"), "predicative"),
}


def dependency_of(relation: str) -> str:
    """One of :data:`DEPENDENCIES`, or nothing."""
    return RELATIONS.get(relation, RELATIONS.get(relation.partition(":")[0], ""))


def dependency_links(batch: Batch) -> Uint8Array:
    """How each token is joined to the one before it in its sentence: 0 if it is not, or by no dependency of
    :data:`DEPENDENCIES`; else 1 + 2 · dependency, and 1 more if the head is the second of the two.
    """
    codes = np.zeros(len(batch.strings) + 1, np.uint8)
    relation, head = batch.columns["relation"], batch.columns["head"]
    for name in np.unique(relation).tolist():
        if dependency := dependency_of(batch.strings[name]):
            codes[name] = 1 + 2 * DEPENDENCIES.index(dependency)
    code = codes[relation]
    place = np.arange(len(head)) - np.repeat(batch.offsets[:-1], np.diff(batch.offsets))
    # Heads count from 1: the token before token t, which counts from 0, is t, and the token after it t + 2.
    link = np.where((head == place) & (place > 0), code, 0)
    ahead = np.flatnonzero((head[:-1] == place[:-1] + 2) & (place[1:] > 0) & (code[:-1] > 0))
    ahead = ahead[link[ahead + 1] == 0]  # two words that are each other's heads are in no tree
    link[ahead + 1] = code[ahead] + 1
    return link.astype(np.uint8)
