"""File formats: how each is recognised, read and written; a module for each.

A module of a format has a tuple ``FORMATS``, by which :mod:`metaphrase.corpus.formats.registry` finds it.
"""

from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.registry import Recognised, format_of, named_format, recognise

__all__ = ["Format", "Head", "Recognised", "format_of", "named_format", "recognise"]
