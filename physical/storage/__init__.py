"""Stores tuned to how they are accessed (Botan, Alonso, Fischer, Kossmann, Tatbul, EDBT 2009)."""
