"""Texts in tables: TSV and JSON Lines."""
