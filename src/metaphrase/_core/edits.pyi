"""Edit machines: log-sums over edit sequences, expected counts, best edits.

See src/core/bind_edits.cpp.
"""
