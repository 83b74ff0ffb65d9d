"""Compiled part; see src/core/bind_wordnet.cpp."""
