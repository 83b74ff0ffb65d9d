"""Word alignments of parallel text, phrases and paraphrases."""
