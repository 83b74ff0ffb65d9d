"""The built-in analysers: tokens, tags and lemmas, and the layers that add parses, chunks and entities."""

from metaphrase.analysis.builtin.analyser import SHIPPED, BuiltinAnalyser

__all__ = ["SHIPPED", "BuiltinAnalyser"]
