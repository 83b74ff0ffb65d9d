"""Labels of token sequences: chunks and entities."""
