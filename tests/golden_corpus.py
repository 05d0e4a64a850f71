"""The golden corpus, read once in a process: tests of many rooms try it."""

from functools import cache

from equivalence.reference_checks.golden import GoldenCase, corpus_folder, load_corpus


@cache
def golden_corpus() -> tuple[GoldenCase, ...]:
    """All cases, by name; those in SQL are apart."""
    return tuple(load_corpus(corpus_folder()))
