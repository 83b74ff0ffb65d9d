"""Terms: what a glossary says a word is to be called, and what it must not be called."""
