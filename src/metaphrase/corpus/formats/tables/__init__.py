"""Texts in tables: TSV, JSON Lines and Parquet."""
