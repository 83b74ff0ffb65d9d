"""Models as metrics ask them, and their files; :mod:`metaphrase.learning` makes them.

Topics are here too: they are found in the very documents that are scored.
"""
