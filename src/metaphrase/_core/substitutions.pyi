"""Which words of two sentences an edit machine may substitute.

See src/core/bind_substitutions.cpp.
"""
