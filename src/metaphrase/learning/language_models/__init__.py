"""Language models of text."""
