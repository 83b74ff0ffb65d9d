"""Doubts: what may be wrong with a table of scores, each in a line with numbers."""
