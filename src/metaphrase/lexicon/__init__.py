"""Relations between words: which of them mean the same, and how much."""

from metaphrase.lexicon.relation import SynonymSource
from metaphrase.lexicon.wordnet import WordNet

__all__ = ["SynonymSource", "WordNet"]
