"""Parallel text: word alignment, phrases, and tables of pivots and paraphrases."""
