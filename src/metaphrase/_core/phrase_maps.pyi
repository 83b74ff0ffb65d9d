"""Similarities of phrases and the best one-to-one maps between them.

See src/core/bind_phrase_maps.cpp.
"""
