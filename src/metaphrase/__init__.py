"""Machine translation metrics that explain every score word by word."""

__version__ = "0.1.0"
