"""From text to sentences: analysers by name, their results, and the files that hold results."""

from metaphrase.analysis.adapters.conllu import conllu_lines, read_conllu, write_conllu
from metaphrase.analysis.adapters.pre_analysed import PreAnalysed
from metaphrase.analysis.analyser import Analyser
from metaphrase.analysis.cache import CachedAnalyser
from metaphrase.analysis.registry import available, load, register, shared
from metaphrase.analysis.relations import (
    RELATION_COLUMNS,
    Relation,
    RelationBatch,
    collapse,
    collapsed,
    entity_types,
)
from metaphrase.analysis.sentence import Batch, Sentence

__all__ = [
    "RELATION_COLUMNS",
    "Analyser",
    "Batch",
    "CachedAnalyser",
    "PreAnalysed",
    "Relation",
    "RelationBatch",
    "Sentence",
    "available",
    "collapse",
    "collapsed",
    "conllu_lines",
    "entity_types",
    "load",
    "read_conllu",
    "register",
    "shared",
    "write_conllu",
]
