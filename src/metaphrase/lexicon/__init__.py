"""Relations between words: which of them mean the same, and how much."""

from metaphrase.lexicon.registry import load
from metaphrase.lexicon.relation import SynonymSource
from metaphrase.lexicon.synonym_sets import SynonymSets
from metaphrase.lexicon.wordnet import WordNet

__all__ = ["SynonymSets", "SynonymSource", "WordNet", "load"]
