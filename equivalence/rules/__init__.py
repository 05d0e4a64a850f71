"""Rules: the language in which they are stated, and the catalogue."""
