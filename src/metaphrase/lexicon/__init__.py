"""Relations between words: which of them mean the same, and how much."""

from metaphrase.lexicon.registry import load
from metaphrase.lexicon.relation import NO_PART, SynonymSource
from metaphrase.lexicon.synonym_sets import SynonymSets
from metaphrase.lexicon.wordnet import WordNet

__all__ = ["NO_PART", "SynonymSets", "SynonymSource", "WordNet", "load"]
