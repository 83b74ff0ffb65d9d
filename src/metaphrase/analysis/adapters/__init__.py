"""Analyses that others make: spaCy, jieba, CoNLL-U files, and single characters for what has no words."""
