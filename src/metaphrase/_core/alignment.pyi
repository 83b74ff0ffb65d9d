"""Monolingual word alignment."""
