"""Language models of n-grams, estimated from counts.

See src/core/bind_language_models.cpp.
"""
