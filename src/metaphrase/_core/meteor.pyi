"""The tokeniser, the matches and the alignment of METEOR.

See src/core/bind_meteor.cpp.
"""
