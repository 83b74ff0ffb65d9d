"""Sentences read through the phrases of another language.

See src/core/bind_pivots.cpp.
"""
