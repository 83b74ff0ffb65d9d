"""From text to sentences: analysers by name, their results, and the files that hold results."""

from metaphrase.analysis.analyser import Analyser
from metaphrase.analysis.cache import CachedAnalyser
from metaphrase.analysis.conllu import read_conllu, write_conllu
from metaphrase.analysis.pre_analysed import PreAnalysed
from metaphrase.analysis.registry import available, load, register, shared
from metaphrase.analysis.sentence import Batch, Sentence

__all__ = [
    "Analyser",
    "Batch",
    "CachedAnalyser",
    "PreAnalysed",
    "Sentence",
    "available",
    "load",
    "read_conllu",
    "register",
    "shared",
    "write_conllu",
]
