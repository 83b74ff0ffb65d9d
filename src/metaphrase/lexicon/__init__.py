"""Relations between words: which of them mean the same, and how much."""

from metaphrase.lexicon.cilin import Cilin
from metaphrase.lexicon.mythes import MyThes
from metaphrase.lexicon.paraphrases import ParaphraseTable
from metaphrase.lexicon.registry import load, load_paraphrases, load_vectors
from metaphrase.lexicon.relation import NO_PART, ParaphraseSource, SynonymSource, VectorSource
from metaphrase.lexicon.synonym_sets import SynonymSets
from metaphrase.lexicon.vectors import WordVectors
from metaphrase.lexicon.wordnet import WordNet

__all__ = [
    "NO_PART",
    "Cilin",
    "MyThes",
    "ParaphraseSource",
    "ParaphraseTable",
    "SynonymSets",
    "SynonymSource",
    "VectorSource",
    "WordNet",
    "WordVectors",
    "load",
    "load_paraphrases",
    "load_vectors",
]
