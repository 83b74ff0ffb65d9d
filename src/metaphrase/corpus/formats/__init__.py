"""File formats: a module or folder each, and one list of them all."""
