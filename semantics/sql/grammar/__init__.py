"""The grammar of the language, as a dialect of sqlglot."""
