"""Stores of `physical.storage` with one thing wrong; the model of `equivalence.stores` must object to each."""
