"""Results and explanations as text: for a terminal, a pipe or a program that reads TSV or JSON."""
