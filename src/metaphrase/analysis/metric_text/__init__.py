"""Text as the programs of published metrics cut it: METEOR, mteval, and their stemmers."""
