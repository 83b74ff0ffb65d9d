"""Translation edit rate: edits and shifts.

See src/core/bind_edit_rate.cpp.
"""
