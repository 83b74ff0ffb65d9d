"""In which script and language texts are written, as far as their characters tell."""
