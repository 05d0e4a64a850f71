"""Baskets and factories: continuous queries as a Petri net of plan fragments between columnar baskets."""
